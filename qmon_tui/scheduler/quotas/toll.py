"""The quotas of one slot: asked for each queue instance before any other check (rqs.md section 5)."""

from dataclasses import dataclass, field

from qmon_tui.scheduler.matching.check import Checker
from qmon_tui.scheduler.quotas.ledger import Account, Key, Tally
from qmon_tui.scheduler.quotas.limits import FITS, Claims, FixedNeeds, Judgement, claims_of, fixed_needs, judge
from qmon_tui.scheduler.quotas.reach import Reach, Reaches
from qmon_tui.scheduler.quotas.rules import Rule
from qmon_tui.scheduler.requests import Demand


@dataclass(frozen=True, slots=True)
class Exceeded:
    """A rule that does not let a job into a queue instance."""

    tally: Tally
    is_repeated: bool
    """The same counter of the same rule stood in the way before in this attempt; nothing is said again."""
    not_requested: bool
    """An attribute must be requested, and is not."""
    reach: Reach
    later: bool = False
    """It will let the job in some time."""


@dataclass(eq=False, slots=True)
class Gate:
    """The quotas for one kind of job: who it is from and what it asks for."""

    account: Account
    demand: Demand
    checker: Checker
    reaches: Reaches = field(init=False)
    _claims: dict[Rule, Claims] = field(default_factory=dict)
    _needs: dict[Rule, FixedNeeds | None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.reaches = Reaches(self.account)

    def judgement(self, tally: Tally) -> Judgement:
        """What a rule says about one more slot."""
        return judge(self.account.ledger, tally, self._claims_on(tally.rule), self.checker)

    def _claims_on(self, rule: Rule) -> Claims:
        claims = self._claims.get(rule)
        if claims is None:
            claims = self._claims[rule] = claims_of(rule, self.demand)
        return claims

    def barrier(self, number: int) -> Tally | None:
        """The counter that does not let the job into a queue instance; for an account that is steady.

        The fast path of `Toll.exceeded`, where one question is asked that nothing is remembered of.
        """
        known = self._needs
        for tally in self.account.tallies[number]:
            rule = tally.rule
            needs = known.get(rule) or self._fixed_needs(rule)
            if needs is None:
                if not self.judgement(tally).lets_in:
                    return tally
                continue
            used = tally.used
            for index, amount, limit in needs:
                if amount > limit - used[index]:
                    return tally
        return None

    def _fixed_needs(self, rule: Rule) -> FixedNeeds | None:
        if rule not in self._needs:
            self._needs[rule] = fixed_needs(rule, self._claims_on(rule), self.checker)
        return self._needs[rule]


@dataclass(eq=False, slots=True)
class Toll:
    """One attempt to place a slot: what was found out about a counter is not worked out again."""

    gate: Gate
    time: int = 0
    """From when on the queue instance that was asked about last lets the job in, where that was asked."""
    bound: int | None = None
    """The time of a queue instance that was found already: what lets the job in no earlier stands in the way, too."""
    _known: dict[tuple[str, Key], Judgement] = field(default_factory=dict)
    """By label and key."""

    def exceeded(self, number: int) -> Exceeded | None:
        """The first rule that does not let the job into a queue instance."""
        gate = self.gate
        self.time = 0
        late: Tally | None = None
        reach = Reach()
        for tally in gate.account.tallies[number]:
            known = self._known.get(tally.title)
            judgement = known
            if judgement is None:
                judgement = self._known[tally.title] = gate.judgement(tally)
            if judgement is FITS:
                continue
            if not judgement.lets_in:
                is_repeated = known is not None
                if not is_repeated:
                    reach |= gate.reaches.of(tally.rule, number)
                return Exceeded(tally, is_repeated, judgement.not_requested, reach, judgement.later)
            self.time = max(self.time, judgement.time)
            if self.bound is not None and judgement.time >= self.bound:
                late = tally
                reach |= gate.reaches.of(tally.rule, number)
        return None if late is None else Exceeded(late, True, False, reach, True)
