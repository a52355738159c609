"""Does a filter of a rule let a user, project, parallel environment, queue or host through (quotas.md#filters).

What is excluded goes first; a filter without positive names lets everything else through. No filter lets all through.
"""

from collections.abc import Collection, Iterable, Mapping

from qmon_tui.model import QuotaFilter
from qmon_tui.scheduler.configuration.access_lists import Userset
from qmon_tui.values import QueuePattern, compile_pattern, is_group, is_pattern

EVERYTHING = "*"


def is_open(clause: QuotaFilter | None) -> bool:
    """Tell whether a filter restricts nothing: there is none, or it has a `*` and no exclusions, in braces or not."""
    return clause is None or (EVERYTHING in clause.names and not clause.excluded)


def user_passes(clause: QuotaFilter | None, user: str, group: str, usersets: Mapping[str, Userset]) -> bool:
    """Tell whether a user whose primary group is given passes; names are patterns, those with an @ of user sets."""
    if clause is None:
        return True
    if any(_means_user(name, user, group, usersets) for name in clause.excluded):
        return False
    return not clause.names or any(_means_user(name, user, group, usersets) for name in clause.names)


def name_passes(clause: QuotaFilter | None, name: str | None) -> bool:
    """Tell whether a project, parallel environment or cluster queue passes; who has none is in no list."""
    if clause is None:
        return True
    if _is_listed(clause.excluded, name):
        return False
    return not clause.names or _is_listed(clause.names, name)


def host_passes(clause: QuotaFilter | None, host: str, groups: Mapping[str, Collection[str]]) -> bool:
    """Tell whether a host passes; each name is an expression on hosts or, with an @, on host groups."""
    if clause is None:
        return True
    if any(_means_host(name, host, groups) for name in clause.excluded):
        return False
    return not clause.names or any(_means_host(name, host, groups) for name in clause.names)


def matching_names(pattern: str, names: Iterable[str]) -> tuple[str, ...]:
    """The names that a filter's pattern means; a plain name means itself, whether it exists or not."""
    return tuple(name for name in names if matches_pattern(pattern, name)) if is_pattern(pattern) else (pattern,)


def matches_pattern(pattern: str, name: str) -> bool:
    """Compare as fnmatch(3) does."""
    return compile_pattern(pattern).fullmatch(name) is not None


def _means_user(pattern: str, user: str, group: str, usersets: Mapping[str, Userset]) -> bool:
    if pattern == user or matches_pattern(pattern, user):
        return True
    if not is_group(pattern):
        return False
    return any(
        name in usersets and usersets[name].contains(user, group) for name in matching_names(pattern[1:], usersets)
    )


def _is_listed(patterns: Iterable[str], name: str | None) -> bool:
    """Patterns count on both sides, as the scheduler does not tell which of the two is the pattern."""
    if name is None:
        return False
    return any(
        pattern in (EVERYTHING, name) or matches_pattern(pattern, name) or matches_pattern(name, pattern)
        for pattern in patterns
    )


def _means_host(pattern: str, host: str, groups: Mapping[str, Collection[str]]) -> bool:
    if pattern == EVERYTHING:
        return True
    host_pattern = QueuePattern("*", group=pattern[1:]) if is_group(pattern) else QueuePattern("*", host=pattern)
    return host_pattern.matches_host(host, groups)
