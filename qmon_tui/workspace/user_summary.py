"""Summary of users, usersets and projects: members, shares, and jobs with their tickets."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from qmon_tui.model import Cluster, JobOutcome, Kind, Outcome, PendingKind, ShareNodeOutcome
from qmon_tui.values import is_none


@dataclass(frozen=True, slots=True)
class UserSetMember:
    """Member of a userset: a user, or a group as @name."""

    name: str
    fshare: str
    """Empty if the member is no configured user."""
    oticket: str
    running: int
    waiting: int
    """Tasks."""
    tickets: float
    """Tickets of all tasks."""


def members(cluster: Cluster, outcome: Outcome | None, userset: str) -> tuple[UserSetMember, ...]:
    """Return the members of a userset, in its order."""
    obj = cluster.get(Kind.USERSET, userset)
    entries = obj.text("entries") if obj is not None else "NONE"
    names = () if is_none(entries) else tuple(name.strip() for name in entries.split(",") if name.strip())
    return tuple(_member(cluster, outcome, name) for name in names)


def _member(cluster: Cluster, outcome: Outcome | None, name: str) -> UserSetMember:
    user = cluster.get(Kind.USER, name)
    running, waiting, tickets = job_totals(outcome, jobs_of(outcome, Kind.USER, name))
    return UserSetMember(
        name,
        user.text("fshare") if user is not None else "",
        user.text("oticket") if user is not None else "",
        running,
        waiting,
        tickets,
    )


def jobs_of(outcome: Outcome | None, kind: Kind, name: str) -> tuple[JobOutcome, ...]:
    """The jobs of a user, a project, or a department."""
    if outcome is None:
        return ()
    return tuple(job for job in outcome.jobs if _belongs(job, kind, name))


def job_totals(outcome: Outcome | None, jobs: Sequence[JobOutcome]) -> tuple[int, int, float]:
    """Tasks that have a place now, tasks that wait now (`PendingKind.WAITING`), and the tickets of all."""
    if outcome is None:
        return 0, 0, 0.0
    tasks = [(task, outcome.pending_kind(job, task)) for job in jobs for task in job.tasks]
    running = sum(1 for _, kind in tasks if kind is None)
    waiting = sum(1 for _, kind in tasks if kind is PendingKind.WAITING)
    return running, waiting, sum(task.tckts for task, _ in tasks)


def nodes_of(outcome: Outcome | None, kind: Kind, name: str) -> tuple[ShareNodeOutcome, ...]:
    """The nodes of the share tree that are those of a user or of a project."""
    return tuple(_nodes(outcome.sharetree, kind, name)) if outcome is not None else ()


def _nodes(nodes: Sequence[ShareNodeOutcome], kind: Kind, name: str) -> Iterator[ShareNodeOutcome]:
    for node in nodes:
        if (kind is Kind.USER and node.user == name) or (
            kind is Kind.PROJECT and node.name == name and node.project == name
        ):
            yield node


def _belongs(job: JobOutcome, kind: Kind, name: str) -> bool:
    if kind is Kind.USER:
        return job.owner == name
    return (job.project if kind is Kind.PROJECT else job.department) == name
