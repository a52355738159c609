"""Whose use a limit counts, in words: what the rule is for, and what of it is counted on its own."""

from collections.abc import Iterable, Mapping
from typing import Final

from qmon_tui.model.memoize import memoized
from qmon_tui.model.quota_rules import FILTERS, Filters
from qmon_tui.scheduler.configuration import QuotaSet
from qmon_tui.values.hosts import is_group
from qmon_tui.values.patterns import is_pattern

_NOUNS: Final = ("user", "project", "PE", "queue", "host")


@memoized(size=4)
def filters_by_rule(sets: Iterable[QuotaSet]) -> Mapping[str, Filters]:
    """The filters of all rules; a label that several rules have does not tell which is meant, and is left out."""
    by_label: dict[str, Filters | None] = {}
    for quota_set in sets:
        for rule in quota_set.rules:
            by_label[rule.label] = None if rule.label in by_label else rule.filters
    return {label: filters for label, filters in by_label.items() if filters is not None}


def rule_scope_text(filters: Filters | None, key: str) -> str:
    """Of whom a rule counts under a key: `user anna, host n1`; `users bob`; `users @staff together`; `all together`.

    Singular words stand for those in braces, of whom each is counted on its own; None for filters that are not known.
    """
    parts = zip(FILTERS, _NOUNS, key.split("/"), strict=False)
    words = (f"{noun} {part}" if part else _all_of(keyword, filters) for keyword, noun, part in parts)
    return ", ".join(filter(None, words)) or "all together"


def _all_of(keyword: str, filters: Filters | None) -> str:
    """Those of a kind that are counted as one; nothing where a rule has no filter for them."""
    clause = filters.get(keyword) if filters is not None else None
    if clause is None or clause.expanded:
        return ""
    names = clause.names
    is_one = len(names) == 1 and not clause.excluded and not is_pattern(names[0]) and not is_group(names[0])
    return f"{keyword} {clause.text()}{'' if is_one else ' together'}"
