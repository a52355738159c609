"""All that is counted against quotas in one run: a counter for each key of each rule (rqs.md sections 3 and 4).

Whoever wants to know what is used, or books something, goes through `Tally`: it is the only place with numbers.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import NamedTuple

from qmon_tui.model.state import QUOTA_SET
from qmon_tui.scheduler.jobs import RunJob
from qmon_tui.scheduler.quotas.rules import Limit, Rule
from qmon_tui.scheduler.quotas.territory import Party, Rules, Territory
from qmon_tui.scheduler.requests import Demand
from qmon_tui.scheduler.resources import Grants, Resources

Key = tuple[str | None, str | None, str | None, str | None, str | None]
"""User, project, parallel environment, cluster queue and host, each only where the rule counts each on its own."""

_Touch = tuple[float, int, int, float]
"""A time, a job's place, a task, and the place of a grant."""
_NEVER: _Touch = (-1.0, 0, 0, 0)

KEYWORDS = ("users", "projects", "pes", "queues", "hosts")
"""The filters in the order of a key."""


_party = lru_cache(maxsize=4096)(Party)
"""Jobs of one party share it."""


def party_of(run_job: RunJob, environment: str | None) -> Party | None:
    """Whose quotas a job counts against; None within an advance reservation, where there are none."""
    job = run_job.job
    if job.request.advance_reservation is not None:
        return None
    return _party(job.owner, job.group, run_job.project, environment)


def key_of(rule: Rule, party: Party, queue: str, host: str) -> Key:
    """The key under which a rule counts what a party uses at a place."""
    apart = rule.separated
    return (
        party.user if "users" in apart else None,
        party.project if "projects" in apart else None,
        party.environment if "pes" in apart else None,
        queue if "queues" in apart else None,
        host if "hosts" in apart else None,
    )


def key_text(key: Key) -> str:
    """A key as messages have it: five slashes always."""
    return "".join(f"{part or ''}/" for part in key)


@dataclass(eq=False, slots=True)
class Tally:
    """What is used of each limit of a rule under one key."""

    rule: Rule
    parts: Key
    host: int
    """The host for which a limit by a formula is worked out: that of the key."""
    used: list[float]
    shared: list[float]
    """Slots of jobs that are counted here without asking for the exclusive attribute of a limit."""

    @property
    def key(self) -> str:
        """As messages have it: user/project/environment/queue/host/."""
        return key_text(self.parts)

    @property
    def title(self) -> tuple[str, Key]:
        """Label and key, by which 8.1.9 knows a counter while it tries one job."""
        return self.rule.label, self.parts

    @property
    def place(self) -> str:
        """What nothing else is called."""
        return f"{self.rule.quota_set}/{self.rule.place}={self.key}"

    def book(self, counts: Iterable["Count"], slots: int, master: bool) -> bool:
        """Count the slots that a task got, or take them back; tells whether anything was counted.

        `counts` is what the rule counts of one slot.
        """
        has_counted = False
        for count in counts:
            limit, amount, shared, per_job = count
            times = count.times(slots, master) if per_job else slots
            if times:
                self.used[limit] += amount * times
                self.shared[limit] += shared * times
                has_counted = True
        return has_counted


class Count(NamedTuple):
    """What a limit counts of one slot of a job."""

    limit: int
    """The index of the limit in its rule."""
    amount: float
    shared: int
    """1 where the job does without the exclusive attribute of the limit, else 0."""
    per_job: bool

    def times(self, slots: int, master: bool) -> int:
        """How often it is counted for some slots, which are below 0 where they are given back.

        Consumables per job count once, with the master queue.
        """
        if not self.per_job:
            return slots
        return (1 if slots > 0 else -1) if master else 0


def counts_of(rule: Rule, demand: Demand) -> Iterator[Count]:
    """What the limits of a rule count of a job."""
    for index, limit in enumerate(rule.limits):
        attribute = limit.attribute
        amount = demand.amounts.get(attribute.name, attribute.default_amount)
        if attribute.is_consumable and (amount or attribute.exclusive):
            yield Count(index, amount, 0 if amount else 1, attribute.per_job)


class Places(dict[int, tuple[Tally, ...]]):
    """The counters of an account by queue instance, looked up when somebody asks for the first time."""

    def __init__(self, account: "Account") -> None:
        self._account = account

    def __missing__(self, number: int) -> tuple[Tally, ...]:
        found = self[number] = self._account.look_up(number)
        return found


@dataclass(eq=False, slots=True)
class Account:
    """The counters of one party, by queue instance; parties that count alike share one."""

    party: Party
    rules: tuple[Rules, ...]
    """Of each set, in the order in which they are asked, those that are for the party."""
    is_steady: bool
    """What is exceeded stays exceeded for the whole run, and an exceeded limit rules out only what has no room."""
    is_exact: bool
    """The same for parallel jobs, which take rules for parallel environments for rules that are not for them."""
    ledger: "Ledger"
    tallies: Mapping[int, tuple[Tally, ...]] = field(init=False)
    """What counts for the party at a queue instance: at most one for each set, in the order of the sets."""
    _of_rule: dict[Rule, tuple[Key, dict[Key, Tally]]] = field(default_factory=dict)
    """The key of the party nowhere, and all counters of a rule."""
    _tables: list[Sequence[Rule | None]] = field(default_factory=list)
    _shared: tuple[Tally, ...] | None = None

    def __post_init__(self) -> None:
        self.tallies = Places(self)

    @property
    def is_limited(self) -> bool:
        """Tell whether some rule is for the party."""
        return any(self.rules)

    @property
    def shared(self) -> tuple[Tally, ...]:
        """The counters of the party that are not of one host alone."""
        if self._shared is None:
            queues = [instance.queue for instance in self.ledger.resources.instances]
            places = {
                (rule, queue): number
                for table in self._by_set()
                for number, (rule, queue) in enumerate(zip(table, queues, strict=True))
                if rule is not None and "hosts" not in rule.separated
            }
            found = (self.ledger.tally(rule, self.party, number) for (rule, _), number in places.items())
            self._shared = tuple(dict.fromkeys(found))
        return self._shared

    def _by_set(self) -> Sequence[Sequence[Rule | None]]:
        """The rule that counts at each queue instance, for each set with a rule for the party."""
        if not self._tables:
            self._tables = [self.ledger.territory.table(rules) for rules in self.rules if rules]
        return self._tables

    def look_up(self, number: int) -> tuple[Tally, ...]:
        """As `tallies`, for `Places`."""
        instance = self.ledger.resources.instances[number]
        found: list[Tally] = []
        of_rule = self._of_rule
        for table in self._tables or self._by_set():
            rule = table[number]
            if rule is None:
                continue
            known = of_rule.get(rule)
            if known is None:
                nowhere = key_of(rule, self.party, "", "")
                known = of_rule[rule] = nowhere, self.ledger.counters(rule)
            (user, project, environment, queue, host), counters = known
            # As `key_of`, which has filled in all but the place.
            key = (
                user,
                project,
                environment,
                None if queue is None else instance.queue,
                None if host is None else instance.host,
            )
            tally = counters.get(key)
            if tally is None:
                tally = counters[key] = self.ledger.new_tally(rule, key, number)
            found.append(tally)
        return tuple(found)


class Ledger:
    """The counters of one run."""

    def __init__(self, territory: Territory, resources: Resources, qmaster: Territory | None = None) -> None:
        self.territory = territory
        self.shown = self if qmaster is None else Ledger(qmaster, resources)
        """What qquota shows: the counters as the qmaster keeps them."""
        self.resources = resources
        self._accounts: dict[Party, Account] = {}
        self._tallies: dict[Rule, dict[Key, Tally]] = {}
        self._counts: dict[tuple[Rule, int], tuple[Demand, Sequence[Count]]] = {}
        """What rules count of a slot, by the identity of the demand."""
        self._order: Sequence[int] = range(len(territory.sets))

    def __iter__(self) -> Iterator[Tally]:
        return (tally for tallies in self._tallies.values() for tally in tallies.values())

    def account(self, party: Party) -> Account:
        """The counters of a party."""
        found = self._accounts.get(party)
        if found is None:
            by_set = self.territory.rules_for(party)
            alone = party._replace(environment=None)
            apart = any("pes" in rule.separated for rules in by_set for rule in rules)
            if alone != party and not apart and self.territory.rules_for(alone) == by_set:
                found = self._accounts[party] = self.account(alone)
                return found
            rules = tuple(by_set[place] for place in self._order)
            is_steady = all(map(self._is_steady, rules))
            is_exact = is_steady and all(
                len(one) < 2 or not any("pes" in rule.filters for rule in one) for one in rules
            )
            found = self._accounts[party] = Account(party, rules, is_steady, is_exact, self)
        return found

    def _is_steady(self, rules: Rules) -> bool:
        labels = {rule.label for rule in rules}
        return len(labels) == len(rules) and not any(rule.overreaches or self._can_grow(rule) for rule in rules)

    def _can_grow(self, rule: Rule) -> bool:
        """Tell whether a limit of the rule is worked out from what changes in a run: it may be higher a job later."""
        adjusted = self.resources.adjustments.amounts
        for limit in rule.limits:
            for name in limit.formula.names if limit.formula is not None else ():
                attribute = self.resources.compiled.attributes.find(name)
                if attribute is not None and (attribute.is_consumable or attribute.name in adjusted):
                    return True
        return False

    def tally(self, rule: Rule, party: Party, number: int) -> Tally:
        """The counter of a rule for a party at a queue instance."""
        instance = self.resources.instances[number]
        key = key_of(rule, party, instance.queue, instance.host)
        found = self.counters(rule).get(key)
        if found is None:
            found = self.counters(rule)[key] = self.new_tally(rule, key, number)
        return found

    def new_tally(self, rule: Rule, key: Key, number: int) -> Tally:
        """A counter of a rule under a key that was not asked for before, for a queue instance."""
        count = len(rule.limits)
        return Tally(rule, key, self.resources.host_of[number], [0.0] * count, [0.0] * count)

    def counters(self, rule: Rule) -> dict[Key, Tally]:
        """All counters of a rule so far."""
        known = self._tallies.get(rule)
        if known is None:
            known = self._tallies[rule] = {}
        return known

    def known(self, rule: Rule, key: Key) -> Tally | None:
        """The counter of a rule under a key, where something was counted or asked for."""
        return self.counters(rule).get(key)

    def total(self, tally: Tally, limit: Limit) -> float:
        """How much a limit allows, now."""
        if limit.formula is None:
            return limit.value.number
        return self.resources.formula_value(limit.formula, tally.host)

    def debit(self, party: Party, demand: Demand, grants: Grants) -> dict[str, int]:
        """Count what a task got, the master queue first.

        The sets in which something was counted, with the place of the last grant for which it was.
        """
        return self._book(party, demand, grants, 1)

    def credit(self, party: Party, demand: Demand, grants: Grants) -> None:
        """Take back what was counted for a task."""
        self._book(party, demand, grants, -1)

    def touched(self, party: Party, demand: Demand, grants: Grants) -> dict[str, int]:
        """The sets as in `debit`, without counting anything."""
        tallies = self.account(party).tallies
        return {
            tally.rule.quota_set: place
            for place, (number, slots) in enumerate(grants)
            for tally in tallies[number]
            if any(count.times(slots, place == 0) for count in counts_of(tally.rule, demand))
        }

    def _book(self, party: Party, demand: Demand, grants: Grants, sign: int) -> dict[str, int]:
        if self.shown is not self:
            self.shown._book(party, demand, grants, sign)
        tallies, known = self.account(party).tallies, self._counts
        touched: dict[str, int] = {}
        for place, (number, slots) in enumerate(grants):
            for tally in tallies[number]:
                rule = tally.rule
                found = known.get((rule, id(demand)))
                counts = self.counts(rule, demand) if found is None else found[1]
                if tally.book(counts, sign * slots, place == 0):
                    touched[rule.quota_set] = place
        return touched

    def counts(self, rule: Rule, demand: Demand) -> Sequence[Count]:
        """What the limits of a rule count of one slot of a job."""
        key = (rule, id(demand))
        known = self._counts.get(key)
        if known is None:
            known = self._counts[key] = demand, tuple(counts_of(rule, demand))
        return known[1]

    def debit_started(self, jobs: Iterable[RunJob]) -> None:
        """Count what runs or is suspended; the jobs come in the order of their priority.

        The scheduler's list has a set at its end whenever something was counted in it, or no longer is, as it has queue
        instances: so the sets are asked in the order in which they were touched last.
        """
        if self.shown is not self:
            self._start_from(self.shown, jobs)
            return
        latest = dict(self._changes())
        for place, run_job in enumerate(jobs):
            job = run_job.job
            for number in (*run_job.split.running, *run_job.split.suspended):
                task = job.tasks[number]
                party = party_of(run_job, self.resources.environment_of(job, number))
                if party is None:
                    continue
                counted = self.debit(party, run_job.demand, self.resources.grants_of(task))
                for name, grant in counted.items():
                    when: _Touch = (task.started or 0.0, place, number, grant)
                    latest[name] = max(when, latest.get(name, when))
        sets = self.territory.sets
        self._order = sorted(range(len(sets)), key=lambda one: latest.get(sets[one].name, _NEVER))
        self._accounts.clear()

    def _changes(self) -> Iterator[tuple[str, _Touch]]:
        """When the sets were touched by what is no longer there."""
        changed = self.resources.changed
        for one in self.territory.sets:
            when = changed.get(QUOTA_SET.format(one.name))
            if when is not None:
                # Before the starts of its second, as a change of a queue instance.
                yield one.name, (when // 1, -1, 0, when % 1)

    def _start_from(self, shown: "Ledger", jobs: Iterable[RunJob]) -> None:
        """Take over what the qmaster has counted."""
        shown.debit_started(jobs)
        self._order = shown._order
        for tally in shown:
            own = replace(tally, used=list(tally.used), shared=list(tally.shared))
            self.counters(tally.rule)[tally.parts] = own
