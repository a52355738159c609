"""The quotas of one slot: asked for each queue instance before any other check (quotas.md#check-for-one-slot)."""

from dataclasses import dataclass, field

from qmon_tui.scheduler.configuration import Rule
from qmon_tui.scheduler.jobs import Demand
from qmon_tui.scheduler.matching import Checker
from qmon_tui.scheduler.quotas.limit_check import (
    FITS,
    FixedLimits,
    LimitRequests,
    RuleResult,
    check_limits,
    fixed_limits,
    limit_requests_of,
)
from qmon_tui.scheduler.quotas.quota_usage import CounterKey, RuleUsage, SubjectUsage
from qmon_tui.scheduler.quotas.ruled_out import RuledOut, RuledOutByRules


@dataclass(frozen=True, slots=True)
class ExceededRule:
    """A rule that does not let a job into a queue instance."""

    rule_usage: RuleUsage
    is_repeated: bool
    """The same counter of the same rule stood in the way before in this attempt; nothing is said again."""
    not_requested: bool
    """An attribute must be requested, and is not."""
    ruled_out: RuledOut
    later: bool = False
    """It will let the job in some time."""


@dataclass(eq=False, slots=True)
class SlotQuota:
    """The quotas for one kind of job: who it is from and what it asks for."""

    subject_usage: SubjectUsage
    demand: Demand
    checker: Checker
    ruled_out_by_rules: RuledOutByRules = field(init=False)
    _limit_requests: dict[Rule, LimitRequests] = field(default_factory=dict)
    _known_fixed_limits: dict[Rule, FixedLimits | None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.ruled_out_by_rules = RuledOutByRules(self.subject_usage)

    def rule_result(self, rule_usage: RuleUsage) -> RuleResult:
        """What a rule says about one more slot."""
        return check_limits(
            self.subject_usage.quota_usage, rule_usage, self._limit_requests_on(rule_usage.rule), self.checker
        )

    def _limit_requests_on(self, rule: Rule) -> LimitRequests:
        limit_requests = self._limit_requests.get(rule)
        if limit_requests is None:
            limit_requests = self._limit_requests[rule] = limit_requests_of(rule, self.demand)
        return limit_requests

    def first_exceeded(self, number: int) -> RuleUsage | None:
        """The counter that does not let the job into a queue instance; None where all do.

        The fast path of `SlotQuotaAttempt.exceeded`, where one question is asked that nothing is remembered of.
        """
        known = self._known_fixed_limits
        for rule_usage in self.subject_usage.rule_usages[number]:
            rule = rule_usage.rule
            needs = known.get(rule) or self._fixed_limits(rule)
            if needs is None:
                if not self.rule_result(rule_usage).lets_in:
                    return rule_usage
                continue
            used = rule_usage.used
            for index, amount, limit in needs:
                if amount > limit - used[index]:
                    return rule_usage
        return None

    def _fixed_limits(self, rule: Rule) -> FixedLimits | None:
        if rule not in self._known_fixed_limits:
            self._known_fixed_limits[rule] = fixed_limits(rule, self._limit_requests_on(rule), self.checker)
        return self._known_fixed_limits[rule]


@dataclass(eq=False, slots=True)
class SlotQuotaAttempt:
    """One attempt to place a slot: what was found out about a counter is not worked out again."""

    slot_quota: SlotQuota
    time: int = 0
    """From when on the queue instance that was asked about last lets the job in, where that was asked."""
    bound: int | None = None
    """The time of a queue instance that was found already: what lets the job in no earlier stands in the way, too."""
    _known: dict[tuple[str, CounterKey], RuleResult] = field(default_factory=dict)
    """By label and key."""

    def exceeded(self, number: int) -> ExceededRule | None:
        """The first rule that does not let the job into a queue instance."""
        slot_quota = self.slot_quota
        self.time = 0
        late: RuleUsage | None = None
        ruled_out = RuledOut()
        for rule_usage in slot_quota.subject_usage.rule_usages[number]:
            known = self._known.get(rule_usage.title)
            rule_result = known
            if rule_result is None:
                rule_result = self._known[rule_usage.title] = slot_quota.rule_result(rule_usage)
            if rule_result is FITS:
                continue
            if not rule_result.lets_in:
                is_repeated = known is not None
                if not is_repeated:
                    ruled_out |= slot_quota.ruled_out_by_rules.of(rule_usage.rule, number)
                return ExceededRule(rule_usage, is_repeated, rule_result.not_requested, ruled_out, rule_result.later)
            self.time = max(self.time, rule_result.time)
            if self.bound is not None and rule_result.time >= self.bound:
                late = rule_usage
                ruled_out |= slot_quota.ruled_out_by_rules.of(rule_usage.rule, number)
        return None if late is None else ExceededRule(late, True, False, ruled_out, True)
