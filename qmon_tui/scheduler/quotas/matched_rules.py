"""Quota rules that count for a subject at a place, with their usage, and exceeded rules.

For screens and explanations; placement of jobs does not use this module.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from qmon_tui.model import FILTERS, Filters, memoized
from qmon_tui.scheduler.configuration import Limit, QuotaSet, QuotaSubject, Rule
from qmon_tui.scheduler.jobs import Demand
from qmon_tui.scheduler.matching import Checker
from qmon_tui.scheduler.quotas.limit_check import LimitRequests, check_limits, limit_requests_of
from qmon_tui.scheduler.quotas.qquota import shown_filters
from qmon_tui.scheduler.quotas.quota_usage import CounterKey, QuotaUsage, RuleUsage, counter_key, counter_key_text
from qmon_tui.values import format_qstat, is_group, is_pattern

_NOUNS: Final = ("user", "project", "PE", "queue", "host")


@memoized(size=4)
def filters_by_rule(sets: Iterable[QuotaSet]) -> Mapping[str, Filters]:
    """Return rule label -> filters, without labels that several rules share."""
    by_label: dict[str, Filters | None] = {}
    for quota_set in sets:
        for rule in quota_set.rules:
            by_label[rule.label] = None if rule.label in by_label else rule.filters
    return {label: filters for label, filters in by_label.items() if filters is not None}


def rule_scope_text(filters: Filters | None, key: str) -> str:
    """Return the subjects that a rule counts under a key: `user anna, host n1`; `users bob`; `users @staff together`.

    Words are singular for filters in braces, which count each name separately. `filters` is None if unknown.
    """
    parts = zip(FILTERS, _NOUNS, key.split("/"), strict=False)
    words = (f"{noun} {part}" if part else _all_of(keyword, filters) for keyword, noun, part in parts)
    return ", ".join(filter(None, words)) or "all together"


def _all_of(keyword: str, filters: Filters | None) -> str:
    """Return the names that a filter counts together; empty if there is no such filter."""
    clause = filters.get(keyword) if filters is not None else None
    if clause is None or clause.expanded:
        return ""
    names = clause.names
    is_one = len(names) == 1 and not clause.excluded and not is_pattern(names[0]) and not is_group(names[0])
    return f"{keyword} {clause.text()}{'' if is_one else ' together'}"


@dataclass(frozen=True, slots=True)
class MatchedLimit:
    """A limit of a matched rule. Amounts are None if the attribute is not numeric, or its usage not counted."""

    attribute: str
    limit: float | None
    used: float | None
    wanted: float | None = None
    """The amount that one slot of the job would add."""
    limit_text: str = ""
    """The limit as qquota prints it."""
    used_text: str = ""
    index: int = 0
    """Index of the limit in the rule."""
    is_dynamic: bool = False
    """True if a formula gives the limit of each host, so that a number cannot replace it."""


@dataclass(frozen=True, slots=True)
class MatchedRule:
    """The rule of a quota set that counts for a job at a place: the first that matches."""

    quota_set: str
    rule: str
    """SET/RULE, or SET/n for a rule without a name."""
    place: int
    """Index of the rule in the set."""
    key: str
    """user/project/PE/queue/host/, each only if the rule counts its names separately."""
    filter: str
    """The filters as qquota prints them."""
    limits: tuple[MatchedLimit, ...]
    """All limits of the rule; from `exceeded_rules` only the exceeded ones."""
    rule_scope_text: str = ""
    """The subjects that the rule counts together, in words."""


def matched_rule_of(
    rule: Rule, subject: QuotaSubject, queue: str, host: str, quota_usage: QuotaUsage | None = None
) -> MatchedRule:
    """Return a rule with all its limits for a subject at a place.

    `quota_usage`: the usage in a run; None: usage is 0, and limits with a formula have no number.
    """
    key = counter_key(rule, subject, queue, host)
    rule_usage = None if quota_usage is None else quota_usage.known(rule, key)
    limits = tuple(
        _matched_limit(limit, rule_usage, index, quota_usage, None) for index, limit in enumerate(rule.limits)
    )
    return _matched_rule(rule, key, limits)


def exceeded_rules(
    quota_usage: QuotaUsage | None, subject: QuotaSubject, demand: Demand, number: int, checker: Checker
) -> tuple[MatchedRule, ...]:
    """Return the rules that deny a job one more slot in a queue instance, each with its exceeded limits."""
    if quota_usage is None:
        return ()
    matched = (
        _exceeded_rule(quota_usage, rule_usage, subject, demand, checker)
        for rule_usage in quota_usage.subject_usage(subject).rule_usages[number]
    )
    return tuple(matched_rule for matched_rule in matched if matched_rule is not None)


def _exceeded_rule(
    quota_usage: QuotaUsage, rule_usage: RuleUsage, subject: QuotaSubject, demand: Demand, checker: Checker
) -> MatchedRule | None:
    rule = rule_usage.rule
    limit_requests = limit_requests_of(rule, demand)
    limits = [
        _matched_limit(
            rule.limits[limit_request.index], rule_usage, limit_request.index, quota_usage, limit_request.wanted.amount
        )
        for limit_request in limit_requests.limit_requests
        if check_limits(quota_usage, rule_usage, LimitRequests((limit_request,), None), checker).is_exceeded
        # 8.1.9 never starts a parallel job that requests an attribute which a rule limits but does not count.
        or (subject.environment is not None and not rule.limits[limit_request.index].attribute.is_consumable)
    ]
    if limit_requests.not_requested is not None and subject.environment is None:
        limits.append(
            _matched_limit(
                rule.limits[limit_requests.not_requested], rule_usage, limit_requests.not_requested, quota_usage, None
            )
        )
    if not limits:
        return None
    return _matched_rule(rule, rule_usage.parts, tuple(limits))


def _matched_rule(rule: Rule, key: CounterKey, limits: tuple[MatchedLimit, ...]) -> MatchedRule:
    text = counter_key_text(key)
    return MatchedRule(
        rule.quota_set,
        rule.label,
        rule.place,
        text,
        shown_filters(rule, key),
        limits,
        rule_scope_text(rule.filters, text),
    )


def _matched_limit(
    limit: Limit, rule_usage: RuleUsage | None, index: int, quota_usage: QuotaUsage | None, wanted: float | None
) -> MatchedLimit:
    attribute = limit.attribute
    if not attribute.numeric:
        return MatchedLimit(attribute.name, None, None, None, limit.value.text, index=index)
    is_dynamic = limit.formula is not None
    if rule_usage is not None and quota_usage is not None:
        total: float | None = quota_usage.total(rule_usage, limit)
    else:
        total = None if is_dynamic else limit.value.number
    used = None if not attribute.is_consumable else 0.0 if rule_usage is None else rule_usage.used[index]
    return MatchedLimit(
        attribute=attribute.name,
        limit=total,
        used=used,
        wanted=wanted,
        limit_text=limit.value.text if total is None else format_qstat(total, attribute.type),
        used_text="" if used is None else format_qstat(used, attribute.type),
        index=index,
        is_dynamic=is_dynamic,
    )
