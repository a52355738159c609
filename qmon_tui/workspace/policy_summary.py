"""Summary of the policies: weights, tickets, share holders; and of users, usersets and projects with their jobs.

Source: priority.md#the-formula, tickets.md#functional-tickets and tickets.md#override-tickets.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from qmon_tui.model import (
    Cluster,
    ConfigObject,
    Job,
    JobOutcome,
    Kind,
    Outcome,
    PendingKind,
    ShareNodeOutcome,
    StateKind,
)
from qmon_tui.scheduler.configuration import compile_sched_conf
from qmon_tui.values import BLANK_OR_COMMA, c_integer_prefix, is_none, split_names

DEPARTMENT = "DEPT"
DEADLINE_USERS = "deadlineusers"
"""The userset whose members may submit with -dl."""
_NO_RANGES = ((0.0, 0.0),) * 3


@dataclass(frozen=True, slots=True)
class TermWeight:
    """One of the three terms of the priority."""

    field: str
    """Name of the weight in sched_conf."""
    weight: float
    """Its value; also the term's largest contribution, as the normalised value is 0 to 1."""
    part: float
    """Share of the sum of the three weights, 0 to 1; 0 if all are 0."""
    low: float
    """Smallest contribution to the priority of a waiting task."""
    high: float
    """Largest one."""
    decides: float
    """Share of `high - low` in the sum of these over the three terms, 0 to 1; 0 if all tasks are equal."""


@dataclass(frozen=True, slots=True)
class PolicyTickets:
    """The tickets of one policy."""

    letter: str
    """O, F or S, as policy_hierarchy has it."""
    field: str | None
    """Field with the total; None for override tickets, which are the sum over users, projects, departments, jobs."""
    total: float
    part: float
    """Share of the tickets of all policies, 0 to 1."""
    given: float
    """Tickets handed out in this run; may differ from the total, as waiting tasks dilute each other's tickets."""
    tasks: int
    """Number of tasks that got some."""


@dataclass(frozen=True, slots=True)
class ShareCategory:
    """A group among which functional tickets are divided first: users, projects, departments or jobs."""

    field: str
    """Name of its weight in sched_conf."""
    weight: float
    part: float
    """Share of the sum of the four weights, 0 to 1."""


@dataclass(frozen=True, slots=True)
class ShareHolder:
    """A user, project, department or job with its functional shares and override tickets."""

    kind: Kind | StateKind
    name: str
    """Name of the object; number of a job."""
    fshare: int
    """Functional shares; of a job, those of qsub -js."""
    part: float
    """Share of all functional shares of its kind, 0 to 1."""
    oticket: int
    jobs: int
    """Number of its jobs in the run."""
    functional: float
    """Functional tickets of its jobs, from all share categories."""
    override: float
    """Override tickets of its jobs."""
    words: str = ""
    """Name and owner of a job; empty for others."""


def terms(cluster: Cluster, outcome: Outcome | None) -> tuple[TermWeight, ...]:
    """Return urgency, tickets and POSIX priority with their range over the tasks that the run could start."""
    weights = compile_sched_conf(cluster.single(Kind.SCHEDULER)).weights
    named = (
        ("weight_urgency", weights.urgency),
        ("weight_ticket", weights.ticket),
        ("weight_priority", weights.priority),
    )
    ranges = (outcome.ranges if outcome is not None else ()) or _NO_RANGES
    bounds = [(weight * low, weight * high) for (_, weight), (low, high) in zip(named, ranges, strict=True)]
    total = sum(abs(weight) for _, weight in named)
    spread = sum(high - low for low, high in bounds)
    return tuple(
        TermWeight(field, weight, _part(abs(weight), total), low, high, _part(high - low, spread))
        for (field, weight), (low, high) in zip(named, bounds, strict=True)
    )


def ticket_totals(cluster: Cluster, outcome: Outcome | None, jobs: Sequence[Job] = ()) -> tuple[PolicyTickets, ...]:
    """Return share-tree, functional and override tickets; `jobs` may have override tickets by qalter -ot."""
    policy = compile_sched_conf(cluster.single(Kind.SCHEDULER)).tickets
    tasks = [task for job in outcome.jobs for task in job.tasks] if outcome is not None else []
    override = float(sum(holder.oticket for holder in holders(cluster, None, jobs)))
    has_tree = any(obj.text("tree").strip() for obj in cluster.objects(Kind.SHARETREE).values())
    totals = (
        ("S", "weight_tickets_share", policy.share if has_tree else 0.0, [task.stckt for task in tasks]),
        ("F", "weight_tickets_functional", policy.functional, [task.ftckt for task in tasks]),
        ("O", None, override, [task.otckt for task in tasks]),
    )
    everything = sum(total for _, _, total, _ in totals)
    return tuple(
        PolicyTickets(
            letter, field, total, _part(total, everything), sum(given), sum(1 for amount in given if amount > 0)
        )
        for letter, field, total, given in totals
    )


def categories(cluster: Cluster) -> tuple[ShareCategory, ...]:
    """Return the weights by which functional tickets are divided among users, projects, departments and jobs."""
    policy = compile_sched_conf(cluster.single(Kind.SCHEDULER)).tickets
    named = (
        ("weight_user", policy.user),
        ("weight_project", policy.project),
        ("weight_department", policy.department),
        ("weight_job", policy.job),
    )
    total = sum(weight for _, weight in named)
    return tuple(ShareCategory(field, weight, _part(weight, total)) for field, weight in named)


def holders(cluster: Cluster, outcome: Outcome | None, jobs: Sequence[Job] = ()) -> tuple[ShareHolder, ...]:
    """Return all that can have functional shares and override tickets: users, projects, departments, then `jobs`.

    Jobs with shares or override tickets come first.
    """
    ran = tuple(outcome.jobs) if outcome is not None else ()
    departments = [
        obj for obj in cluster.objects(Kind.USERSET).values() if DEPARTMENT in obj.text("type").upper().split()
    ]
    return (
        *_holders(cluster.objects(Kind.USER).values(), _by(ran, "owner")),
        *_holders(cluster.objects(Kind.PROJECT).values(), _by(ran, "project")),
        *_holders(departments, _by(ran, "department")),
        *sorted(_job_holders(jobs, ran), key=lambda holder: not (holder.fshare or holder.oticket)),
    )


def urgent_attributes(cluster: Cluster) -> tuple[tuple[str, str], ...]:
    """Return the attributes with an urgency other than 0: (name, urgency)."""
    objects = cluster.objects(Kind.COMPLEX).values()
    return tuple((obj.name, obj.text("urgency")) for obj in objects if obj.text("urgency").strip() not in ("0", ""))


def deadline_users(cluster: Cluster) -> tuple[str, ...]:
    """Return the users that may request a deadline."""
    obj = cluster.get(Kind.USERSET, DEADLINE_USERS)
    text = obj.text("entries") if obj is not None else ""
    return () if is_none(text) else tuple(split_names(text, BLANK_OR_COMMA))


def _holders(objects: Iterable[ConfigObject], jobs: Mapping[str, Sequence[JobOutcome]]) -> Iterator[ShareHolder]:
    listed = tuple(objects)
    total = sum(_count(obj, "fshare") for obj in listed)
    for obj in listed:
        shares = (_count(obj, "fshare"), total, _count(obj, "oticket"))
        yield _holder(obj.kind, obj.name, shares, jobs.get(obj.name, ()))


def _job_holders(jobs: Sequence[Job], ran: Sequence[JobOutcome]) -> Iterator[ShareHolder]:
    total = sum(job.request.job_share for job in jobs)
    outcomes = {job_outcome.id: job_outcome for job_outcome in ran}
    for job in jobs:
        shares = (job.request.job_share, total, job.request.override_tickets)
        own = [outcomes[job.id]] if job.id in outcomes else []
        yield replace(_holder(StateKind.JOB, str(job.id), shares, own), words=f"{job.name}, {job.owner}")


def _holder(kind: Kind | StateKind, name: str, shares: tuple[int, int, int], own: Sequence[JobOutcome]) -> ShareHolder:
    """Return the share holder; `shares`: its functional shares, their sum over its kind, its override tickets."""
    tasks = [task for job in own for task in job.tasks]
    fshare, total, oticket = shares
    return ShareHolder(
        kind=kind,
        name=name,
        fshare=fshare,
        part=_part(fshare, total),
        oticket=oticket,
        jobs=len(own),
        functional=sum(task.ftckt for task in tasks),
        override=sum(task.otckt for task in tasks),
    )


def _by(jobs: Iterable[JobOutcome], name: str) -> Mapping[str, Sequence[JobOutcome]]:
    jobs_by_key: dict[str, list[JobOutcome]] = {}
    for job in jobs:
        key = getattr(job, name)
        if key is not None:
            jobs_by_key.setdefault(key, []).append(job)
    return jobs_by_key


def _count(obj: ConfigObject, field: str) -> int:
    return c_integer_prefix(obj.text(field)) or 0


def _part(value: float, total: float) -> float:
    return value / total if total > 0 else 0.0


@dataclass(frozen=True, slots=True)
class UserSetMember:
    """Member of a userset: a user, or a group as @name."""

    name: str
    fshare: str
    """Functional shares; empty if the member is no configured user."""
    oticket: str
    """Override tickets; empty if the member is no configured user."""
    running: int
    """Number of running tasks."""
    waiting: int
    """Number of waiting tasks."""
    tickets: float
    """Tickets of all its tasks."""


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
    """Return the jobs of a user, a project, or a department (userset)."""
    if outcome is None:
        return ()
    return tuple(job for job in outcome.jobs if _belongs(job, kind, name))


def job_totals(outcome: Outcome | None, jobs: Sequence[JobOutcome]) -> tuple[int, int, float]:
    """Return the number of running tasks, of waiting tasks (`PendingKind.WAITING`), and the tickets of all tasks."""
    if outcome is None:
        return 0, 0, 0.0
    tasks = [(task, outcome.pending_kind(job, task)) for job in jobs for task in job.tasks]
    running = sum(1 for _, kind in tasks if kind is None)
    waiting = sum(1 for _, kind in tasks if kind is PendingKind.WAITING)
    return running, waiting, sum(task.tckts for task, _ in tasks)


def nodes_of(outcome: Outcome | None, kind: Kind, name: str) -> tuple[ShareNodeOutcome, ...]:
    """Return the share tree nodes of a user or of a project."""
    nodes = outcome.sharetree if outcome is not None else ()
    if kind is Kind.USER:
        return tuple(node for node in nodes if node.user == name)
    return tuple(node for node in nodes if kind is Kind.PROJECT and node.name == node.project == name)


def _belongs(job: JobOutcome, kind: Kind, name: str) -> bool:
    if kind is Kind.USER:
        return job.owner == name
    return (job.project if kind is Kind.PROJECT else job.department) == name
