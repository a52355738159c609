"""Quotas of one slot, checked at each queue instance before any other check (quotas.md#check-for-one-slot)."""

from dataclasses import dataclass, field

from qmon_tui.scheduler.configuration import Rule
from qmon_tui.scheduler.jobs import Demand
from qmon_tui.scheduler.matching import Checker
from qmon_tui.scheduler.quotas.limit_check import (
    FITS,
    LimitRequests,
    RuleResult,
    check_limits,
    limit_requests_of,
)
from qmon_tui.scheduler.quotas.quota_usage import CounterKey, RuleUsage, SubjectUsage
from qmon_tui.scheduler.quotas.ruled_out import RuledOut, RuledOutByRules


@dataclass(frozen=True, slots=True)
class ExceededRule:
    """A rule that denies a job a queue instance."""

    rule_usage: RuleUsage
    is_repeated: bool
    """True if the same counter denied the job before in this attempt; then it has no message."""
    not_requested: bool
    """True if a FORCED attribute is not requested."""
    ruled_out: RuledOut
    later: bool = False
    """True if the excess is temporary."""


@dataclass(eq=False, slots=True)
class SlotQuota:
    """The quotas of a subject and a demand."""

    subject_usage: SubjectUsage
    demand: Demand
    checker: Checker
    ruled_out_by_rules: RuledOutByRules = field(init=False)
    _limit_requests: dict[Rule, LimitRequests] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.ruled_out_by_rules = RuledOutByRules(self.subject_usage)

    def rule_result(self, rule_usage: RuleUsage) -> RuleResult:
        """Check one more slot against a rule."""
        return check_limits(
            self.subject_usage.quota_usage, rule_usage, self._limit_requests_on(rule_usage.rule), self.checker
        )

    def _limit_requests_on(self, rule: Rule) -> LimitRequests:
        limit_requests = self._limit_requests.get(rule)
        if limit_requests is None:
            limit_requests = self._limit_requests[rule] = limit_requests_of(rule, self.demand)
        return limit_requests

    def first_exceeded(self, number: int) -> RuleUsage | None:
        """Return the counter that denies the job a queue instance; None if none does.

        The fast path of `SlotQuotaAttempt.exceeded`, without caching.
        """
        for rule_usage in self.subject_usage.rule_usages[number]:
            if not self.rule_result(rule_usage).lets_in:
                return rule_usage
        return None


@dataclass(eq=False, slots=True)
class SlotQuotaAttempt:
    """One attempt to place a slot; results are cached per counter."""

    slot_quota: SlotQuota
    time: int = 0
    """The time from which quotas allow the last queue instance (seconds; 0 unless planning ahead)."""
    bound: int | None = None
    """The start time at a queue instance found before; a rule that allows the job no earlier denies it."""
    _known: dict[tuple[str, CounterKey], RuleResult] = field(default_factory=dict)
    """(label, key) -> result."""

    def exceeded(self, number: int) -> ExceededRule | None:
        """Return the first rule that denies the job a queue instance."""
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
