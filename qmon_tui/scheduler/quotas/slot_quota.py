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
    """True if the same counter denied the job before in this attempt; then there is no message."""
    not_requested: bool
    """True if the job does not request a FORCED attribute."""
    ruled_out: RuledOut
    later: bool = False
    """True if the slot fits once others release resources."""


@dataclass(eq=False, slots=True)
class SlotQuota:
    """The quotas of one slot of a job, by the job's subject and demand."""

    subject_usage: SubjectUsage
    demand: Demand
    checker: Checker
    ruled_out_by_rules: RuledOutByRules = field(init=False)
    _limit_requests: dict[Rule, LimitRequests] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.ruled_out_by_rules = RuledOutByRules(self.subject_usage)

    def rule_result(self, rule_usage: RuleUsage) -> RuleResult:
        """Return the result of one more slot for a rule."""
        return check_limits(
            self.subject_usage.quota_usage, rule_usage, self._limit_requests_on(rule_usage.rule), self.checker
        )

    def _limit_requests_on(self, rule: Rule) -> LimitRequests:
        limit_requests = self._limit_requests.get(rule)
        if limit_requests is None:
            limit_requests = self._limit_requests[rule] = limit_requests_of(rule, self.demand)
        return limit_requests

    def first_exceeded(self, number: int) -> RuleUsage | None:
        """Return the first counter that denies the job a queue instance; None if none does.

        This is `SlotQuotaAttempt.exceeded` for the cached search, without the state of an attempt.
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
    """From when quotas allow the last queue instance (seconds since the epoch; 0 unless planning ahead)."""
    bound: int | None = None
    """The best start time so far (None: none yet); a rule that does not allow an earlier one denies the job."""
    _known: dict[tuple[str, CounterKey], RuleResult] = field(default_factory=dict)
    """(rule label, counter key) -> result."""

    def exceeded(self, number: int) -> ExceededRule | None:
        """Return the first rule that denies the job a queue instance; None if none does."""
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
