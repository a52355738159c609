"""What quota sets, enabled or not, make job categories tell apart (quotas.md#quotas-and-job-categories)."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from qmon_tui.scheduler.configuration.access_lists import Userset
from qmon_tui.scheduler.configuration.quota_filters import matching_names, user_passes
from qmon_tui.scheduler.configuration.quota_rules import QuotaSet, Rule
from qmon_tui.values import is_group


def names_user(sets: Sequence[QuotaSet], user: str, group: str, usersets: Mapping[str, Userset]) -> bool:
    """Tell whether some rule is for this user in a way that it is not for all users together."""
    return any(
        user_passes(rule.filters.get("users"), user, group, usersets)
        for rule in _rules(sets)
        if "users" in rule.separated or not rule.is_open("users")
    )


def named_usersets(sets: Sequence[QuotaSet], usersets: Iterable[str]) -> frozenset[str]:
    """The user sets that some users filter lists."""
    groups = (name[1:] for name in _listed(sets, "users") if is_group(name))
    known = tuple(usersets)
    return frozenset(name for pattern in groups for name in matching_names(pattern, known))


def named_projects(sets: Sequence[QuotaSet], projects: Iterable[str]) -> frozenset[str]:
    """The projects that some projects filter lists."""
    known = tuple(projects)
    return frozenset(name for pattern in _listed(sets, "projects") for name in matching_names(pattern, known))


def _listed(sets: Sequence[QuotaSet], keyword: str) -> Iterator[str]:
    for rule in _rules(sets):
        clause = rule.filters.get(keyword)
        if clause is not None:
            yield from (*clause.names, *clause.excluded)


def _rules(sets: Sequence[QuotaSet]) -> Iterator[Rule]:
    return (rule for quota_set in sets for rule in quota_set.rules)
