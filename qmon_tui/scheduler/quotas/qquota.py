"""The usage of each limit, as `qquota -u '*'` shows it (quotas.md#usage-as-qquota-shows-it)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import overload

from qmon_tui.model import QuotaUse
from qmon_tui.scheduler.configuration import EVERYTHING, Rule
from qmon_tui.scheduler.quotas.quota_usage import KEYWORDS, CounterKey, QuotaUsage, RuleUsage
from qmon_tui.values import format_qstat

_NOTHING = "-"


@dataclass(eq=False, repr=False, slots=True)
class QuotaUses(Sequence[QuotaUse]):
    """All lines of qquota, made on first access, as there may be one for each user on each host."""

    quota_usage: QuotaUsage
    _lines: tuple[QuotaUse, ...] | None = field(default=None)

    @overload
    def __getitem__(self, index: int) -> QuotaUse: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[QuotaUse]: ...

    def __getitem__(self, index: int | slice) -> QuotaUse | Sequence[QuotaUse]:
        return self._all()[index]

    def __len__(self) -> int:
        return len(self._all())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and self._all() == tuple(other)

    def __hash__(self) -> int:
        return hash(self._all())

    def __reduce__(self) -> tuple[object, tuple[tuple[QuotaUse, ...]]]:
        """Pickle as the tuple of lines, without the counters."""
        return tuple, (self._all(),)

    def __repr__(self) -> str:
        return repr(self._all())

    def _all(self) -> tuple[QuotaUse, ...]:
        if self._lines is None:
            self._lines = tuple(quota_uses(self.quota_usage))
        return self._lines


def quota_uses(quota_usage: QuotaUsage) -> Iterator[QuotaUse]:
    """Yield a line for each counter that is not 0, and for each limit that is not counted."""
    rule_usages: dict[Rule, list[RuleUsage]] = {}
    for rule_usage in quota_usage:
        rule_usages.setdefault(rule_usage.rule, []).append(rule_usage)
    for quota_set in quota_usage.rule_matcher.sets:
        for rule in quota_set.rules:
            if not _is_hidden(rule):
                yield from _uses_of(quota_usage, rule, rule_usages.get(rule, []))


def _uses_of(quota_usage: QuotaUsage, rule: Rule, rule_usages: list[RuleUsage]) -> Iterator[QuotaUse]:
    for index, limit in enumerate(rule.limits):
        attribute = limit.attribute
        if not attribute.is_consumable:
            yield QuotaUse(rule.label, attribute.name, None, limit.value.text, shown_filters(rule))
            continue
        for rule_usage in rule_usages:
            if rule_usage.used[index] or rule_usage.shared[index]:
                used = format_qstat(rule_usage.used[index], attribute.type)
                total = format_qstat(quota_usage.total(rule_usage, limit), attribute.type)
                yield QuotaUse(rule.label, attribute.name, used, total, shown_filters(rule, rule_usage.parts))


def shown_filters(rule: Rule, key: CounterKey | None = None) -> str:
    """Return the filters of a rule as qquota prints them; with a key, filters in braces show their part of the key."""
    words: list[str] = []
    for index, keyword in enumerate(KEYWORDS):
        clause = rule.filters.get(keyword)
        if clause is not None:
            words += [keyword, clause.text() if key is None or not clause.expanded else key[index] or _NOTHING]
    return " ".join(words) or _NOTHING


def _is_hidden(rule: Rule) -> bool:
    """True if qquota's own `*` matches a `!*` of the rule, so that it hides the rule."""
    return any(EVERYTHING in clause.excluded for clause in rule.filters.values())
