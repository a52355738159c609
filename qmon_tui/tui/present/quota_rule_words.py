"""A quota rule as a sentence: for whom it is, who is counted together, and how much they may have."""

from collections.abc import Mapping

from qmon_tui.model import FILTERS, Cluster, QuotaFilter, QuotaRule, complex_index, is_dynamic
from qmon_tui.scheduler.configuration import is_open
from qmon_tui.values import is_group, is_pattern

_NOUNS: Mapping[str, tuple[str, str, str]] = {
    "users": ("", "user", "users"),
    "projects": ("in ", "project", "projects"),
    "pes": ("in ", "parallel environment", "parallel environments"),
    "queues": ("in ", "queue", "queues"),
    "hosts": ("on ", "host", "hosts"),
}
"""Preposition, one, several."""
_WITHOUT = {"projects": "jobs without a project", "pes": "sequential jobs"}
"""Who is left where all projects or environments are excluded."""


def rule_words(rule: QuotaRule) -> str:
    """A rule in words: `each user of @staff but anna · on host node01 · at most 10 slots`."""
    parts = [clause_words(keyword, rule.filters[keyword]) for keyword in FILTERS if keyword in rule.filters]
    limits = ", ".join(_limit_words(name, value) for name, value in rule.limits)
    whom = parts if "users" in rule.filters else ["all users together", *parts]
    return " · ".join([*whom, limits or "no limit"])


def clause_words(keyword: str, clause: QuotaFilter) -> str:
    """One filter in words."""
    lead, singular, plural = _NOUNS[keyword]
    if not clause.names and "*" in clause.excluded:
        return _WITHOUT.get(keyword, f"no {singular}")
    apart = clause.expanded
    if not clause.names or is_open(QuotaFilter(clause.names, (), expanded=False)):
        whom = f"each {singular}" if apart else f"all {plural} together"
    else:
        plain = not any(is_pattern(name) or is_group(name) for name in clause.names)
        names = ", ".join(clause.names)
        if plain and len(clause.names) == 1:
            whom = f"{singular} {names}"
        elif apart:
            whom = f"each of {names}" if plain else f"each {singular} of {names}"
        else:
            whom = f"{plural} {names} together" if plain else f"{plural} of {names} together"
    but = f" but {', '.join(clause.excluded)}" if clause.excluded else ""
    others = f", and {_WITHOUT[keyword]}" if keyword in _WITHOUT and not clause.names else ""
    return f"{lead}{whom}{but}{others}"


def limit_notes(cluster: Cluster, rule: QuotaRule) -> tuple[str, ...]:
    """What one should know about the attributes of the limits, as sentences."""
    index = complex_index(cluster)
    notes = []
    for name, value in rule.limits:
        entry = index.find(name)
        if entry is None:
            continue
        if is_dynamic(value):
            notes.append(f"{entry.name}: worked out for each host from {value}.")
        if not entry.is_consumable:
            notes.append(
                f"{entry.name} is not counted, only compared with what a job requests; "
                "8.1.9 never runs a parallel job that requests it."
            )
    return tuple(notes)


def _limit_words(name: str, value: str) -> str:
    return f"{name} at most {value}"
