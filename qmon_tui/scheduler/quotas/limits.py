"""Does a limit let a job's request through, as if it were the capacity of a level of its own (rqs.md sections 5 and 6).

A limit of a consumable is compared with the request and what is used already, any other with the request alone. What a
job does not ask for counts with its default; without one the limit is not about the job.
"""

from dataclasses import dataclass
from typing import Final

from qmon_tui.scheduler.compiled.values import Value
from qmon_tui.scheduler.matching.check import SLOTS, Checker
from qmon_tui.scheduler.matching.level import QUOTA, Level
from qmon_tui.scheduler.quotas.ledger import Ledger, Tally
from qmon_tui.scheduler.quotas.rules import Rule
from qmon_tui.scheduler.requests import Demand, Wanted

LEVEL_NAME = "resource_quota"
"""What messages call the level, where they name it."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a rule says about one more slot."""

    is_exceeded: bool = False
    not_requested: bool = False
    """An attribute must be requested, and is not."""
    later: bool = False
    """What is exceeded now will not be some time."""
    time: int = 0
    """From when on the slot fits, where that was asked."""

    @property
    def lets_in(self) -> bool:
        """Tell whether nothing stands in the way."""
        return not (self.is_exceeded or self.not_requested)


FITS: Final = Judgement()
EXCEEDED: Final = Judgement(is_exceeded=True)
EXCEEDED_NOW: Final = Judgement(is_exceeded=True, later=True)
NOT_REQUESTED: Final = Judgement(not_requested=True)


@dataclass(slots=True)
class QuotaLevel(Level):
    """A limit with what one counter says."""

    counter: str = ""
    """Set, rule and key."""

    @property
    def place(self) -> str:
        """Each counter has its own diagrams."""
        return self.counter


@dataclass(frozen=True, slots=True)
class Claim:
    """What a job wants of one limit of a rule."""

    index: int
    wanted: Wanted
    is_plain: bool


@dataclass(frozen=True, slots=True)
class Claims:
    """What a job wants of the limits of a rule that are about it, in their order."""

    claims: tuple[Claim, ...]
    not_requested: int | None
    """The first limit whose attribute must be requested and is not; what comes after it does not matter."""


FixedNeeds = tuple[tuple[int, float, float], ...]
"""The index of a limit, the amount wanted, the limit."""


def claims_of(rule: Rule, demand: Demand) -> Claims:
    """What one slot of a job wants of each limit of a rule."""
    requests = {wanted.attribute.name: wanted for wanted in demand.hard}
    found: list[Claim] = []
    for index, limit in enumerate(rule.limits):
        attribute = limit.attribute
        wanted = requests.get(attribute.name)
        if wanted is None:
            if attribute.name == SLOTS:
                wanted = Wanted(attribute, "1", 1.0, 1.0)
            elif attribute.is_consumable:
                amount = attribute.default_amount
                if not amount and not attribute.exclusive:
                    continue
                wanted = Wanted(attribute, attribute.default, amount, amount)
            elif attribute.requestable == "FORCED":
                return Claims(tuple(found), index)
            else:
                continue
        found.append(Claim(index, wanted, limit.is_plain))
    return Claims(tuple(found), None)


def fixed_needs(rule: Rule, claims: Claims, checker: Checker) -> FixedNeeds | None:
    """What `judge` comes down to where nothing but what is used of the limits can change; None where more can."""
    limits = [rule.limits[claim.index] for claim in claims.claims]
    plain = all(claim.is_plain for claim in claims.claims) and all(limit.formula is None for limit in limits)
    if not plain or claims.not_requested is not None or checker.foresees:
        return None
    wanted = [(claim.index, claim.wanted.amount) for claim in claims.claims]
    return tuple((index, amount, rule.limits[index].value.number) for index, amount in wanted)


def level_of(ledger: Ledger, tally: Tally, index: int) -> QuotaLevel:
    """A limit as a level with one value."""
    limit = tally.rule.limits[index]
    name = limit.attribute.name
    total = ledger.total(tally, limit)
    is_consumable = limit.attribute.is_consumable
    return QuotaLevel(
        layer=QUOTA,
        name=LEVEL_NAME,
        configured={name: Value(limit.value.text, total)},
        used={name: tally.used[index]} if is_consumable else {},
        shared={name: tally.shared[index]} if is_consumable else {},
        counter=tally.place,
    )


def judge(ledger: Ledger, tally: Tally, claims: Claims, checker: Checker) -> Judgement:
    """What the limits of a rule say about one more slot: the first one that is exceeded decides."""
    time = 0
    for claim in claims.claims:
        index = claim.index
        if claim.is_plain and not checker.foresees:
            if claim.wanted.amount > ledger.total(tally, tally.rule.limits[index]) - tally.used[index]:
                return EXCEEDED
            continue
        failure, time = checker.pays(level_of(ledger, tally, index), claim.wanted)
        if failure is not None:
            return EXCEEDED_NOW if failure.later else EXCEEDED
    if claims.not_requested is not None:
        return NOT_REQUESTED
    return Judgement(time=time) if time else FITS
