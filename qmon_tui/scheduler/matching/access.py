"""Access lists and projects of queues and hosts, and attributes that must be requested (matching.md 11 and 15)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from qmon_tui.scheduler import messages
from qmon_tui.scheduler.compiled.access import Access, Userset, listed
from qmon_tui.scheduler.compiled.attributes import Attribute
from qmon_tui.scheduler.compiled.queues import Alternatives
from qmon_tui.scheduler.matching.refusal import Refusal, refused


@dataclass(frozen=True, slots=True)
class Requester:
    """Who asks."""

    user: str
    group: str
    project: str | None


def denial(
    access: Access, requester: Requester, usersets: Mapping[str, Userset], what: str, name: str
) -> Refusal | None:
    """Why a queue instance or host does not let the requester in; `what` is queue or host."""
    if access.is_open:
        return None
    if not access.permits(requester.user, requester.group, usersets):
        return refused(messages.NO_PERMISSION, what, name)
    project = requester.project
    if access.projects:
        if project is None:
            return refused(messages.NO_PROJECT, what, name)
        if project not in access.projects:
            return refused(messages.WRONG_PROJECT, project, what, name)
    if project is not None and project in access.xprojects:
        return refused(messages.EXCLUDED_PROJECT, project, what, name)
    return None


def queue_rules_out_project(alternatives: Alternatives, project: str | None) -> bool:
    """Tell whether no instance of a cluster queue can let the project in."""
    if project is None:
        return all(alternatives.projects)
    if all(project in names for names in alternatives.xprojects):
        return True
    return all(names and project not in names for names in alternatives.projects)


def queue_rules_out_user(alternatives: Alternatives, requester: Requester, usersets: Mapping[str, Userset]) -> bool:
    """Tell whether no instance of a cluster queue can let the user in."""
    user, group = requester.user, requester.group
    if all(listed(names, user, group, usersets) for names in alternatives.xuser_lists):
        return True
    return all(names and not listed(names, user, group, usersets) for names in alternatives.user_lists)


def missing_forced(forced: Iterable[Attribute], requested: frozenset[str], *holders: Iterable[str]) -> Attribute | None:
    """The first attribute that must be requested, is one of the holders' and is not requested."""
    for attribute in forced:
        if attribute.name not in requested and any(attribute.name in holder for holder in holders):
            return attribute
    return None
