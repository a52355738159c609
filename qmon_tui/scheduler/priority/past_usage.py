"""Past usage: what runs book, its decay (halftime), and the combined usage of share tree nodes.

Source: tickets.md#usage-of-nodes and tickets.md#usage-of-users-and-projects.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from qmon_tui.model import PastUsage, Usage
from qmon_tui.scheduler.configuration import FINISHED_JOBS, UsagePolicy
from qmon_tui.scheduler.jobs import RunJob, TaskList, has_just_finished, task_list_of
from qmon_tui.scheduler.priority.share_tree_nodes import Node, ShareTree
from qmon_tui.values import sum_in_order

_BOOKED = frozenset((TaskList.RUNNING, TaskList.PENDING))
"""Lists whose tasks are booked; usage of a suspended task is booked when it runs again."""
_WORTH_GIVING = 1.0
"""If a project's usage exceeds the sum of its nodes by more than this, the excess counts on its default node."""

Amounts = Mapping[str, float]
"""Kind of usage (cpu, mem, io, finished_jobs) -> amount."""


class LeftOver(dict[str, float]):
    """Kind of usage -> the fraction (0..1) that is left after some seconds, computed on first access."""

    def __init__(self, seconds: float, policy: UsagePolicy) -> None:
        self._seconds, self._policy = seconds, policy

    def __missing__(self, kind: str) -> float:
        part = self[kind] = self._policy.left_over(kind, self._seconds)
        return part


def decayed(amounts: Amounts, left_over: LeftOver) -> dict[str, float]:
    """Return the usage that is left: each kind times its fraction."""
    return {kind: amount * left_over[kind] for kind, amount in amounts.items()}


def faded(usage: Usage, now: int, policy: UsagePolicy, parts: dict[int, LeftOver]) -> Usage:
    """Return a user's or project's usage decayed to `now`; `parts` caches the fractions by elapsed seconds."""
    if usage.time is None or usage.time >= now:
        return Usage(usage.amounts, usage.by_project, now)
    seconds = now - usage.time
    left_over = parts.get(seconds)
    if left_over is None:
        left_over = parts[seconds] = LeftOver(seconds, policy)
    by_project = usage.by_project
    return Usage(
        decayed(usage.amounts, left_over),
        {project: decayed(amounts, left_over) for project, amounts in by_project.items()} if by_project else {},
        now,
    )


def decayed_usage(book: PastUsage, now: int, policy: UsagePolicy) -> PastUsage:
    """Return the usage of all users and projects, decayed to `now` (seconds since the epoch)."""
    parts: dict[int, LeftOver] = {}
    return PastUsage(
        {name: faded(usage, now, policy, parts) for name, usage in book.users.items()},
        {name: faded(usage, now, policy, parts) for name, usage in book.projects.items()},
    )


def collected(book: PastUsage, jobs: Iterable[RunJob], now: int, policy: UsagePolicy) -> PastUsage:
    """Return all usage decayed to `now`, with what tasks have used since it was last booked.

    A job with a project is booked to the project, and to the user in that project; a job without one to the user.
    """
    faded_so_far = decayed_usage(book, now, policy)
    users, projects = dict(faded_so_far.users), dict(faded_so_far.projects)
    for booking in bookings_of(jobs):
        of_kind = projects if booking.is_of_project else users
        of_kind[booking.name] = with_booking(of_kind.get(booking.name), booking, now)
    return PastUsage(MappingProxyType(users), MappingProxyType(projects))


@dataclass(frozen=True, slots=True)
class Booking:
    """Usage that a run books to a user or a project."""

    is_of_project: bool
    name: str
    amounts: Amounts
    project: str | None = None
    """The project in which the user has used it; None if the job has no project, or `is_of_project`."""


def bookings_of(jobs: Iterable[RunJob]) -> Iterator[Booking]:
    """Yield the bookings of usage that is not booked yet, in the order of the jobs."""
    for run_job in jobs:
        amounts = _not_booked(run_job) if run_job.job.tasks else {}
        if not amounts:
            continue
        user, project, _ = run_job.ticket_holders
        if project is not None:
            yield Booking(True, project.entitlement.name, amounts)
        if user is not None:
            yield Booking(False, user.entitlement.name, amounts, project.entitlement.name if project else None)


def _not_booked(run_job: RunJob) -> dict[str, float]:
    """Return a job's usage that is not booked yet; a task that has just finished adds 1 finished_jobs."""
    total: dict[str, float] = {}
    for task in run_job.job.tasks.values():
        finished = has_just_finished(task.state)
        if not finished and (task.used is None or task_list_of(task.state) not in _BOOKED):
            continue
        used = _sum(task.used or {}, {FINISHED_JOBS: 1.0}) if finished else task.used or {}
        for kind, amount in used.items():
            total[kind] = total.get(kind, 0.0) + amount
    return total


def with_booking(usage: Usage | None, booking: Booking, now: int) -> Usage:
    """Return the usage (None: no usage yet) with a booking added, as of `now`."""
    known, amounts, project = usage or Usage(time=now), booking.amounts, booking.project
    if project is None:
        return Usage(_sum(known.amounts, amounts), known.by_project, now)
    by_project = {**known.by_project, project: _sum(known.by_project.get(project, {}), amounts)}
    return Usage(known.amounts, by_project, now)


def _sum(amounts: Amounts, other: Amounts) -> dict[str, float]:
    return {**amounts, **{kind: amounts.get(kind, 0.0) + amount for kind, amount in other.items()}}


def combined(amounts: Amounts, policy: UsagePolicy) -> float:
    """Return the sum of all kinds of usage, weighted by usage_weight_list."""
    weights = policy.weights
    return sum_in_order(amount * weights[kind] for kind, amount in amounts.items() if kind in weights)


def set_usage(tree: ShareTree, book: PastUsage, policy: UsagePolicy) -> None:
    """Set the combined usage of all share tree nodes."""
    projects = _projects(tree)
    for node in reversed(tree.nodes):
        if not node.children:
            node.usage = combined(_of_leaf(node, projects[node], book), policy)
            continue
        below = sum_in_order(child.usage for child in node.children)
        if projects[node] is not node:
            node.usage = below
            continue
        own = book.projects.get(node.name)
        node.usage = combined(own.amounts, policy) if own is not None else 0.0
        if node.usage - below > _WORTH_GIVING:
            others = node.usage - below
            for above in tree.path_to_default(node):
                above.usage += others


def _projects(tree: ShareTree) -> dict[Node, Node | None]:
    """Return node -> topmost project node at or above it that has children; None if there is none."""
    projects: dict[Node, Node | None] = {}
    for node in tree.nodes:
        above = projects[node.parent] if node.parent is not None else None
        projects[node] = above or (node if node.is_project and node.children else None)
    return projects


def _of_leaf(node: Node, project: Node | None, book: PastUsage) -> Amounts:
    """Return the usage of a leaf: of a user in `project`, else of a user or project."""
    user = book.users.get(node.name)
    if project is not None:
        return user.by_project.get(project.name, {}) if user is not None else {}
    own = user or book.projects.get(node.name)
    return own.amounts if own is not None else {}
