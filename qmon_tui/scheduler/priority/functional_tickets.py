"""Functional tickets: shares of users, departments, projects and jobs (tickets.md#functional-tickets).

Running tasks divide all functional tickets among themselves. Pending tasks are picked one after the other: each time
the task that would get most tickets, which then counts as running.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter

from qmon_tui.scheduler.configuration import TicketPolicy
from qmon_tui.scheduler.jobs import TicketHolder, TicketHolders
from qmon_tui.scheduler.priority.share_tree_nodes import TaskRef, set_running
from qmon_tui.scheduler.priority.ticket_picking import (
    Group,
    WorthKeys,
    groups_of,
    pick_in_turn,
)
from qmon_tui.values import sum_in_order

TENTATIVE = 0.001
"""Added to every sum of shares while the next task is picked, so that no sum is 0."""


@dataclass(slots=True)
class Parts:
    """A number for each of user, project, department and job: shares, sums of shares, or weights."""

    user: float = 0.0
    project: float = 0.0
    department: float = 0.0
    job: float = 0.0

    def add(self, other: "Parts") -> None:
        self.user += other.user
        self.project += other.project
        self.department += other.department
        self.job += other.job


def running_weights(policy: TicketPolicy, sums: Parts) -> Parts:
    """Return the weights of users, projects, departments and jobs, without those without shares, scaled to sum 1."""
    return _scaled(
        Parts(
            policy.user if sums.user > 0 else 0.0,
            policy.project if sums.project > 0 else 0.0,
            policy.department if sums.department > 0 else 0.0,
            policy.job if sums.job > 0 else 0.0,
        )
    )


def pending_weights(policy: TicketPolicy) -> Parts:
    """Return the weights of users, projects, departments and jobs, scaled to sum 1."""
    return _scaled(Parts(policy.user, policy.project, policy.department, policy.job))


def _scaled(weights: Parts) -> Parts:
    total = weights.user + weights.department + weights.project + weights.job
    if total <= 0:
        return weights
    return Parts(weights.user / total, weights.project / total, weights.department / total, weights.job / total)


def tickets_for(shares: Parts, sums: Parts, weights: Parts, total: float) -> float:
    """Return the functional tickets, out of `total`, of a task with these shares out of the sums of all shares."""
    user = shares.user * total / sums.user if sums.user else 0.0
    project = shares.project * total / sums.project if sums.project else 0.0
    department = shares.department * total / sums.department if sums.department else 0.0
    job = shares.job * total / sums.job if sums.job else 0.0
    return weights.user * user + weights.department * department + weights.project * project + weights.job * job


def divide_among_running(refs: Sequence[TaskRef], policy: TicketPolicy) -> Parts:
    """Set the functional tickets of running tasks; return the sums of their shares, with which picking starts."""
    sums = Parts()
    own: list[Parts] = []
    for ref in refs:
        shares = _shares(ref, policy.share_functional_shares, 0)
        own.append(shares)
        sums.add(shares)
    weights = running_weights(policy, sums)
    for ref, shares in zip(refs, own, strict=True):
        ref.tickets.functional = tickets_for(shares, sums, weights, policy.functional)
    return sums


def _shares(ref: TaskRef, shared: bool, more: int) -> Parts:
    """Return a task's shares; with share_functional_shares (`shared`) divided by its owner's running tasks + `more`."""
    return _shares_of(ref.ticket_holders, ref.run_job.job.request.job_share, shared, more)


def _shares_of(ticket_holders: TicketHolders, job_share: int, shared: bool, more: int) -> Parts:
    user, project, department = ticket_holders
    return Parts(
        _share(user, shared, more), _share(project, shared, more), _share(department, shared, more), float(job_share)
    )


def sums_of_running(
    claims: Sequence[int], of_claims: Mapping[int, tuple[TicketHolders, int]], policy: TicketPolicy
) -> tuple[Parts, float]:
    """Return the sums of `divide_among_running`, and the highest functional tickets of a running task.

    `claims`: the claim of each running task, in order; `of_claims`: claim -> (ticket holders, -js). Tasks with the same
    claim get the same tickets.
    """
    known = {
        claim: _shares_of(ticket_holders, job_share, policy.share_functional_shares, 0)
        for claim, (ticket_holders, job_share) in of_claims.items()
    }
    sums = Parts(
        _sum(claims, {claim: shares.user for claim, shares in known.items()}),
        _sum(claims, {claim: shares.project for claim, shares in known.items()}),
        _sum(claims, {claim: shares.department for claim, shares in known.items()}),
        _sum(claims, {claim: shares.job for claim, shares in known.items()}),
    )
    weights = running_weights(policy, sums)
    highest = (tickets_for(shares, sums, weights, policy.functional) for shares in known.values())
    return sums, max(highest, default=0.0)


def _sum(claims: Sequence[int], shares: Mapping[int, float]) -> float:
    return sum_in_order(map(shares.__getitem__, claims)) if any(shares.values()) else 0.0


def _share(holder: TicketHolder | None, shared: bool, more: int) -> float:
    if holder is None:
        return 0.0
    shares = holder.entitlement.functional_shares
    count = holder.running + more
    return shares / count if shared and count else shares


def _of_holder(holder: TicketHolder) -> float:
    return holder.entitlement.functional_shares


_of_job: Callable[[TaskRef], float] = attrgetter("run_job.job.request.job_share")


class Picks:
    """The state of picking: the sums of shares of all tasks that run or were picked."""

    def __init__(self, sums: Parts, policy: TicketPolicy) -> None:
        self.sums = Parts(sums.user, sums.project, sums.department, sums.job)
        self.weights = pending_weights(policy)
        self.total = policy.functional
        self.shared = policy.share_functional_shares
        self.dependent = "F" in policy.dependent
        self.picked: list[TaskRef] = []

    def value(self, ref: TaskRef) -> float:
        """Set the tickets that a task gets if it is picked next; return its value, which decides about the pick.

        With share_functional_shares 8.1.9 does not add its shares to the sums here, except the job's.
        """
        shares = _shares(ref, self.shared, 1)
        sums = self.sums
        tried = Parts(
            sums.user + TENTATIVE,
            sums.project + TENTATIVE,
            sums.department + TENTATIVE,
            sums.job + TENTATIVE + shares.job,
        )
        if not self.shared:
            tried.user += shares.user
            tried.project += shares.project
            tried.department += shares.department
        ref.tickets.functional = tickets_for(shares, tried, self.weights, self.total)
        return ref.tickets.functional + (ref.accumulated if self.dependent else 0.0)

    def pick(self, ref: TaskRef, after: TaskRef | None) -> None:
        """Count a task as running, and give its tickets to `after`, the next task of its group, for the time being.

        With share_functional_shares an owner's shares are added to the sums only with its first task.
        """
        if after is not None:
            after.tickets.functional = ref.tickets.functional
        set_running(ref, 1)
        shares = _shares(ref, self.shared, 0)
        user, project, department = ref.ticket_holders
        self.sums.add(
            Parts(
                shares.user if user is not None and (not self.shared or user.running <= 1) else 0.0,
                shares.project if project is not None and (not self.shared or project.running <= 1) else 0.0,
                shares.department if department is not None and (not self.shared or department.running <= 1) else 0.0,
                shares.job,
            )
        )
        ref.tickets.functional = tickets_for(shares, self.sums, self.weights, self.total)
        self.picked.append(ref)


def divide_among_pending(refs: Sequence[TaskRef], picks: Picks, policy: TicketPolicy) -> Sequence[TaskRef]:
    """Set the functional tickets of pending tasks; return the picked tasks in order."""
    groups = groups_of(refs, functional_keys(), dependent=picks.dependent)
    times = min(policy.max_functional_jobs, sum(map(len, groups)))
    if not times:
        return ()
    pick_in_turn(groups, times, picks.value, lambda ref: ref.seniority, picks.pick)
    for ref in picks.picked:
        set_running(ref, -1)
        ref.accumulated += ref.tickets.functional
    _hand_down(groups)
    return picks.picked


def functional_keys() -> WorthKeys:
    """Return the keys that are equal for tasks with equal claims to functional tickets."""
    return WorthKeys(_of_holder, _of_job)


def _hand_down(groups: Sequence[Group]) -> None:
    """Give tasks beyond max_functional_jobs_to_schedule the tickets of the next task in their group."""
    for group in groups:
        for ref in group[:-1]:
            ref.tickets.functional = group[-1].tickets.functional
            ref.accumulated += ref.tickets.functional
