"""Quota usage of one run: the counters of each rule by key (quotas.md#counters and quotas.md#counting).

`RuleUsage` is the only place with numbers.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import NamedTuple

from qmon_tui.model import QUOTA_SET, Job
from qmon_tui.scheduler.configuration import Limit, QuotaSubject, Rule, RuleMatcher, Rules
from qmon_tui.scheduler.jobs import Demand, RunJob
from qmon_tui.scheduler.matching import Grants, Resources

CounterKey = tuple[str | None, str | None, str | None, str | None, str | None]
"""(user, project, PE, cluster queue, host); None for a part whose names the rule does not count separately."""

_Touch = tuple[float, int, int, float]
"""Sort key of a set's latest change: (seconds since the epoch, index of the job, task number, index of the grant)."""
_NEVER: _Touch = (-1.0, 0, 0, 0)

KEYWORDS = ("users", "projects", "pes", "queues", "hosts")
"""The filters in the order of a key."""


_subject = lru_cache(maxsize=4096)(QuotaSubject)
"""Jobs with equal subjects share one object."""


def subject_of(run_job: RunJob, environment: str | None) -> QuotaSubject | None:
    """Return the subject whose quotas a job counts against; None for a job in an advance reservation: no quotas."""
    return subject_of_job(run_job.job, run_job.project, environment)


def subject_of_job(job: Job, project: str | None, environment: str | None) -> QuotaSubject | None:
    """Return the subject of a job in `project` (None: no project); None for a job in an advance reservation."""
    if job.request.advance_reservation is not None:
        return None
    return _subject(job.owner, job.group, project, environment)


def counter_key(rule: Rule, subject: QuotaSubject, queue: str, host: str) -> CounterKey:
    """Return the key under which a rule counts a subject's usage at a place."""
    separated = rule.separated
    return (
        subject.user if "users" in separated else None,
        subject.project if "projects" in separated else None,
        subject.environment if "pes" in separated else None,
        queue if "queues" in separated else None,
        host if "hosts" in separated else None,
    )


def counter_key_text(key: CounterKey) -> str:
    """Return a key as messages print it, always with five slashes."""
    return "".join(f"{part or ''}/" for part in key)


@dataclass(eq=False, slots=True)
class RuleUsage:
    """The counter of a rule under one key: the usage of each limit."""

    rule: Rule
    parts: CounterKey
    host: int
    """The number of the host whose values the formula of a limit reads."""
    used: list[float]
    """Amount used, by index of the limit."""
    shared: list[float]
    """Slots of jobs that do not request the exclusive attribute of the limit, by index of the limit."""

    @property
    def key(self) -> str:
        """The key as messages print it: user/project/PE/queue/host/."""
        return counter_key_text(self.parts)

    @property
    def title(self) -> tuple[str, CounterKey]:
        """(label, key), by which 8.1.9 identifies a counter while it tries one job."""
        return self.rule.label, self.parts

    @property
    def place(self) -> str:
        """A unique name of the counter."""
        return f"{self.rule.quota_set}/{self.rule.place}={self.key}"

    def book(self, counts: Iterable["LimitAmount"], slots: int, master: bool) -> bool:
        """Add the usage of a task's slots (negative: subtract it); return True if any limit counts it.

        `counts`: the amounts that the limits count per slot.
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


class LimitAmount(NamedTuple):
    """The amount that a limit counts per slot of a job."""

    limit: int
    """Index of the limit in its rule."""
    amount: float
    shared: int
    """1 if the job does not request the exclusive attribute of the limit, else 0."""
    per_job: bool

    def times(self, slots: int, master: bool) -> int:
        """Return the factor for the amount: the slots, negative if released; per job 1 or -1 for the master queue."""
        if not self.per_job:
            return slots
        return (1 if slots > 0 else -1) if master else 0


def limit_amounts_of(rule: Rule, demand: Demand) -> Iterator[LimitAmount]:
    """Yield the amounts that the limits of a rule count per slot of a job."""
    for index, limit in enumerate(rule.limits):
        attribute = limit.attribute
        amount = demand.amounts.get(attribute.name, attribute.default_amount)
        if attribute.is_consumable and (amount or attribute.exclusive):
            yield LimitAmount(index, amount, 0 if amount else 1, attribute.per_job)


class RuleUsagesByInstance(dict[int, tuple[RuleUsage, ...]]):
    """The counters of a subject by queue instance, looked up on first access."""

    def __init__(self, subject_usage: "SubjectUsage") -> None:
        self._subject_usage = subject_usage

    def __missing__(self, number: int) -> tuple[RuleUsage, ...]:
        usages = self[number] = self._subject_usage.look_up(number)
        return usages


@dataclass(eq=False, slots=True)
class SubjectUsage:
    """The counters of one subject by queue instance; subjects with the same counters share this object."""

    subject: QuotaSubject
    rules: tuple[Rules, ...]
    """The rules of each set that match the subject, sets in the order of checking."""
    stays_exceeded: bool
    """True if an exceeded limit stays exceeded for the whole run and rules out only places without room."""
    stays_exceeded_for_pe: bool
    """`stays_exceeded` for parallel jobs, as 8.1.9 ignores the PE when it looks for earlier rules of a set."""
    quota_usage: "QuotaUsage"
    rule_usages: Mapping[int, tuple[RuleUsage, ...]] = field(init=False)
    """Queue instance -> counters that apply to the subject, at most one per set, in the order of the sets."""
    _of_rule: dict[Rule, tuple[CounterKey, dict[CounterKey, RuleUsage]]] = field(default_factory=dict)
    """Rule -> (the subject's key without place, all counters of the rule)."""
    _tables: list[Sequence[Rule | None]] = field(default_factory=list)
    """See `_by_set`; empty until first used."""
    _shared: tuple[RuleUsage, ...] | None = None

    def __post_init__(self) -> None:
        self.rule_usages = RuleUsagesByInstance(self)

    @property
    def is_limited(self) -> bool:
        """True if some rule matches the subject."""
        return any(self.rules)

    @property
    def shared(self) -> tuple[RuleUsage, ...]:
        """The counters of the subject that several hosts share."""
        if self._shared is None:
            queues = [instance.queue for instance in self.quota_usage.resources.instances]
            places = {
                (rule, queue): number
                for table in self._by_set()
                for number, (rule, queue) in enumerate(zip(table, queues, strict=True))
                if rule is not None and "hosts" not in rule.separated
            }
            usages = (self.quota_usage.rule_usage(rule, self.subject, number) for (rule, _), number in places.items())
            self._shared = tuple(dict.fromkeys(usages))
        return self._shared

    def _by_set(self) -> Sequence[Sequence[Rule | None]]:
        """Return, per set with a rule for the subject, the rule that counts at each queue instance."""
        if not self._tables:
            self._tables = [self.quota_usage.rule_matcher.table(rules) for rules in self.rules if rules]
        return self._tables

    def look_up(self, number: int) -> tuple[RuleUsage, ...]:
        """Return the counters at a queue instance."""
        instance = self.quota_usage.resources.instances[number]
        usages: list[RuleUsage] = []
        of_rule = self._of_rule
        for table in self._tables or self._by_set():
            rule = table[number]
            if rule is None:
                continue
            known = of_rule.get(rule)
            if known is None:
                without_place = counter_key(rule, self.subject, "", "")
                known = of_rule[rule] = without_place, self.quota_usage.counters(rule)
            (user, project, environment, queue, host), counters = known
            # The key of `counter_key`, with the place filled in.
            key = (
                user,
                project,
                environment,
                None if queue is None else instance.queue,
                None if host is None else instance.host,
            )
            rule_usage = counters.get(key)
            if rule_usage is None:
                rule_usage = counters[key] = self.quota_usage.new_rule_usage(rule, key, number)
            usages.append(rule_usage)
        return tuple(usages)


class QuotaUsage:
    """The counters of one run."""

    def __init__(self, rule_matcher: RuleMatcher, resources: Resources, qmaster: RuleMatcher | None = None) -> None:
        self.rule_matcher = rule_matcher
        self.qmaster_usage = self if qmaster is None else QuotaUsage(qmaster, resources)
        """The counters of the qmaster, which qquota shows; they differ if filters name departments."""
        self.resources = resources
        self._subject_usages: dict[QuotaSubject, SubjectUsage] = {}
        self._rule_usages: dict[Rule, dict[CounterKey, RuleUsage]] = {}
        self._counts: dict[tuple[Rule, int], tuple[Demand, Sequence[LimitAmount]]] = {}
        """(rule, id of the demand) -> the amounts that the rule's limits count per slot."""
        self._order: Sequence[int] = range(len(rule_matcher.sets))

    def __iter__(self) -> Iterator[RuleUsage]:
        return (rule_usage for rule_usages in self._rule_usages.values() for rule_usage in rule_usages.values())

    def subject_usage(self, subject: QuotaSubject) -> SubjectUsage:
        usage = self._subject_usages.get(subject)
        if usage is None:
            by_set = self.rule_matcher.rules_for(subject)
            without_pe = subject._replace(environment=None)
            separates_pes = any("pes" in rule.separated for rules in by_set for rule in rules)
            if without_pe != subject and not separates_pes and self.rule_matcher.rules_for(without_pe) == by_set:
                usage = self._subject_usages[subject] = self.subject_usage(without_pe)
                return usage
            rules = tuple(by_set[position] for position in self._order)
            stays_exceeded = all(map(self._stays_exceeded, rules))
            stays_exceeded_for_pe = stays_exceeded and all(
                len(set_rules) < 2 or not any("pes" in rule.filters for rule in set_rules) for set_rules in rules
            )
            usage = self._subject_usages[subject] = SubjectUsage(
                subject, rules, stays_exceeded, stays_exceeded_for_pe, self
            )
        return usage

    def _stays_exceeded(self, rules: Rules) -> bool:
        labels = {rule.label for rule in rules}
        return len(labels) == len(rules) and not any(rule.overreaches or self._can_grow(rule) for rule in rules)

    def _can_grow(self, rule: Rule) -> bool:
        """True if a formula of the rule reads values that starts change, so that a limit may grow during the run."""
        adjusted = self.resources.adjustments.amounts
        for limit in rule.limits:
            for name in limit.formula.names if limit.formula is not None else ():
                attribute = self.resources.compiled.attributes.find(name)
                if attribute is not None and (attribute.is_consumable or attribute.name in adjusted):
                    return True
        return False

    def rule_usage(self, rule: Rule, subject: QuotaSubject, number: int) -> RuleUsage:
        """Return the counter of a rule for a subject at a queue instance."""
        instance = self.resources.instances[number]
        key = counter_key(rule, subject, instance.queue, instance.host)
        usage = self.counters(rule).get(key)
        if usage is None:
            usage = self.counters(rule)[key] = self.new_rule_usage(rule, key, number)
        return usage

    def new_rule_usage(self, rule: Rule, key: CounterKey, number: int) -> RuleUsage:
        """Return a new counter of a rule, first used at queue instance `number`."""
        count = len(rule.limits)
        return RuleUsage(rule, key, self.resources.host_of[number], [0.0] * count, [0.0] * count)

    def counters(self, rule: Rule) -> dict[CounterKey, RuleUsage]:
        """Return key -> counter of a rule, for all counters used so far."""
        known = self._rule_usages.get(rule)
        if known is None:
            known = self._rule_usages[rule] = {}
        return known

    def known(self, rule: Rule, key: CounterKey) -> RuleUsage | None:
        """Return the counter of a rule under a key; None if it was not used yet."""
        return self.counters(rule).get(key)

    def total(self, rule_usage: RuleUsage, limit: Limit) -> float:
        """Return the current value of a limit."""
        if limit.formula is None:
            return limit.value.number
        return self.resources.formula_value(limit.formula, rule_usage.host)

    def debit(self, subject: QuotaSubject, demand: Demand, grants: Grants) -> dict[str, int]:
        """Count a task's grants; return quota set -> index of the last grant that the set counts."""
        return self._book(subject, demand, grants, 1)

    def credit(self, subject: QuotaSubject, demand: Demand, grants: Grants) -> None:
        self._book(subject, demand, grants, -1)

    def touched(self, subject: QuotaSubject, demand: Demand, grants: Grants) -> dict[str, int]:
        """Return the result of `debit` without counting."""
        rule_usages = self.subject_usage(subject).rule_usages
        return {
            rule_usage.rule.quota_set: position
            for position, (number, slots) in enumerate(grants)
            for rule_usage in rule_usages[number]
            if any(count.times(slots, position == 0) for count in limit_amounts_of(rule_usage.rule, demand))
        }

    def _book(self, subject: QuotaSubject, demand: Demand, grants: Grants, sign: int) -> dict[str, int]:
        if self.qmaster_usage is not self:
            self.qmaster_usage._book(subject, demand, grants, sign)
        rule_usages, known = self.subject_usage(subject).rule_usages, self._counts
        touched: dict[str, int] = {}
        for position, (number, slots) in enumerate(grants):
            for rule_usage in rule_usages[number]:
                rule = rule_usage.rule
                cached = known.get((rule, id(demand)))
                counts = self.counts(rule, demand) if cached is None else cached[1]
                if rule_usage.book(counts, sign * slots, position == 0):
                    touched[rule.quota_set] = position
        return touched

    def counts(self, rule: Rule, demand: Demand) -> Sequence[LimitAmount]:
        """Return the amounts that the limits of a rule count per slot of a job."""
        key = (rule, id(demand))
        known = self._counts.get(key)
        if known is None:
            known = self._counts[key] = demand, tuple(limit_amounts_of(rule, demand))
        return known[1]

    def debit_started(self, jobs: Iterable[RunJob]) -> None:
        """Count running and suspended tasks, and order the sets by their latest change; `jobs` are by priority.

        The scheduler moves a set to the end of its list whenever its usage changes, as it does with queue instances.
        """
        if self.qmaster_usage is not self:
            self._copy_usage_of(self.qmaster_usage, jobs)
            return
        latest = dict(self._changes())
        for place, run_job in enumerate(jobs):
            job = run_job.job
            for number in (*run_job.split.running, *run_job.split.suspended):
                task = job.tasks[number]
                subject = subject_of(run_job, self.resources.environment_of(job, number))
                if subject is None:
                    continue
                counted = self.debit(subject, run_job.demand, self.resources.grants_of(task))
                for name, grant in counted.items():
                    when: _Touch = (task.started or 0.0, place, number, grant)
                    latest[name] = max(when, latest.get(name, when))
        sets = self.rule_matcher.sets
        self._order = sorted(range(len(sets)), key=lambda index: latest.get(sets[index].name, _NEVER))
        self._subject_usages.clear()

    def _changes(self) -> Iterator[tuple[str, _Touch]]:
        """Yield (quota set, recorded time of its last change), if known."""
        changed = self.resources.changed
        for quota_set in self.rule_matcher.sets:
            when = changed.get(QUOTA_SET.format(quota_set.name))
            if when is not None:
                # Changes sort before the starts in the same second, as those of queue instances do.
                yield quota_set.name, (when // 1, -1, 0, when % 1)

    def _copy_usage_of(self, qmaster_usage: "QuotaUsage", jobs: Iterable[RunJob]) -> None:
        """Count started tasks in the qmaster's counters, and copy these: a run begins with the qmaster's usage."""
        qmaster_usage.debit_started(jobs)
        self._order = qmaster_usage._order
        for rule_usage in qmaster_usage:
            own = replace(rule_usage, used=list(rule_usage.used), shared=list(rule_usage.shared))
            self.counters(rule_usage.rule)[rule_usage.parts] = own
