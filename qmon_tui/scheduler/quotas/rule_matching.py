"""The rule of each quota set that counts for a subject at a place, and why earlier rules do not match.

Disabled sets are matched, too, to show their effect if they were enabled (quotas.md#filters).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from qmon_tui.model import QuotaFilter
from qmon_tui.scheduler.configuration import (
    CompiledCluster,
    QuotaSet,
    QuotaSubject,
    Rule,
    Userset,
    host_passes,
    name_passes,
    user_passes,
)
from qmon_tui.scheduler.quotas.matched_rules import MatchedRule, matched_rule_of
from qmon_tui.scheduler.quotas.quota_usage import KEYWORDS, QuotaUsage


@dataclass(frozen=True, slots=True)
class FilterMismatch:
    """A filter of a rule that does not match a job."""

    keyword: str
    """users, projects, pes, queues or hosts."""
    clause: str
    """The filter as the qmaster prints it."""
    value: str | None
    """The job's value; None if it has none (no project, no PE)."""
    excluded_by: str | None
    """The excluded name (after `!`) that matches the value; None if no excluded name matches."""


@dataclass(frozen=True, slots=True)
class RuleMatch:
    """A rule of a quota set, compared with a job at a place."""

    label: str
    """SET/RULE, or SET/n for a rule without a name."""
    place: int
    """Index of the rule in the set."""
    misses: tuple[FilterMismatch, ...]
    """The filters that do not match; empty if the rule matches."""


@dataclass(frozen=True, slots=True)
class QuotaSetMatch:
    """The rules of one set in order, and the one that counts."""

    quota_set: str
    enabled: bool
    rules: tuple[RuleMatch, ...]
    matched_rule: MatchedRule | None
    """The first rule that matches, with its usage (0 in a disabled set); None if no rule matches."""
    booked: str | None
    """Label of the rule in which the qmaster counts the job's usage; may differ if filters name departments."""


def match_rules(
    compiled: CompiledCluster, subject: QuotaSubject, queue: str, host: str, quota_usage: QuotaUsage | None = None
) -> tuple[QuotaSetMatch, ...]:
    """Return the match of a job in a cluster queue on a host with each quota set, in the order of the sets.

    `quota_usage`: the usage in a run; None: usage is 0, and limits with a formula have no number.
    """
    with_departments = compiled.usersets
    job = _JobAtPlace(
        compiled, {name: userset for name, userset in with_departments.items() if userset.is_list}, subject, queue, host
    )
    return tuple(
        _set_match(quota_set, job, replace(job, usersets=with_departments), quota_usage)
        for quota_set in compiled.quotas
    )


@dataclass(frozen=True, slots=True)
class _JobAtPlace:
    """A job in a cluster queue on a host, to match with filters."""

    compiled: CompiledCluster
    usersets: Mapping[str, Userset]
    subject: QuotaSubject
    queue: str
    host: str

    def first(self, quota_set: QuotaSet) -> Rule | None:
        return next((rule for rule in quota_set.rules if not self.misses(rule)), None)

    def misses(self, rule: Rule) -> tuple[FilterMismatch, ...]:
        misses = (self._miss(keyword, rule.filters.get(keyword)) for keyword in KEYWORDS)
        return tuple(miss for miss in misses if miss is not None)

    def _miss(self, keyword: str, clause: QuotaFilter | None) -> FilterMismatch | None:
        passes, value = self._comparison(keyword)
        if clause is None or passes(clause):
            return None
        excluding = (name for name in clause.excluded if passes(QuotaFilter((name,), (), expanded=False)))
        return FilterMismatch(keyword, clause.text(), value, next(excluding, None))

    def _comparison(self, keyword: str) -> tuple[Callable[[QuotaFilter], bool], str | None]:
        subject, compiled = self.subject, self.compiled
        match keyword:
            case "users":
                return lambda clause: user_passes(clause, subject.user, subject.group, self.usersets), subject.user
            case "projects":
                return lambda clause: name_passes(clause, subject.project), subject.project
            case "pes":
                return lambda clause: name_passes(clause, subject.environment), subject.environment
            case "queues":
                return lambda clause: name_passes(clause, self.queue), self.queue
            case _:
                return lambda clause: host_passes(clause, self.host, compiled.groups), self.host


def _set_match(
    quota_set: QuotaSet, job: _JobAtPlace, booking: _JobAtPlace, quota_usage: QuotaUsage | None
) -> QuotaSetMatch:
    rules = tuple(RuleMatch(rule.label, rule.place, job.misses(rule)) for rule in quota_set.rules)
    first, booked = job.first(quota_set), booking.first(quota_set)
    matched_rule = None
    if first is not None:
        matched_rule = matched_rule_of(
            first, job.subject, job.queue, job.host, quota_usage if quota_set.enabled else None
        )
    return QuotaSetMatch(
        quota_set.name, quota_set.enabled, rules, matched_rule, booked.label if booked is not None else None
    )
