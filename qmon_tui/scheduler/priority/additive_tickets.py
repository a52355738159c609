"""Additive tickets (not in Grid Engine): a user's part is divided equally among all of the user's tasks.

weight_tickets_functional is divided among users, departments, projects and jobs by their weights, if they have shares.
Each user (department, project) with tasks gets a fraction by its shares, divided equally among its tasks, running and
pending. So, if any shares exist,
 sum of the functional tickets of all tasks = weight_tickets_functional

however many jobs are submitted. Shared override tickets are divided in the same way. The result does not depend on the
order of jobs, so policy_hierarchy has no effect.

In the example of the study (seed 001) the tickets of its three users add up to 1,000,000, even if userB submits a
thousand more jobs; with Grid Engine's rule they add up to 1,215,275, and to many more with the additional jobs.
"""

from collections.abc import Iterable, Sequence

from qmon_tui.scheduler.configuration import TicketPolicy
from qmon_tui.scheduler.jobs import TicketHolder
from qmon_tui.scheduler.priority.functional_tickets import Parts, running_weights
from qmon_tui.scheduler.priority.share_tree_nodes import TaskRef, set_running
from qmon_tui.values import sum_in_order


def divide(active: Sequence[TaskRef], waiting: Sequence[TaskRef], policy: TicketPolicy) -> None:
    """Set the functional and override tickets of running and pending tasks."""
    refs = (*active, *waiting)
    for ref in refs:
        set_running(ref, 1)
    sums = _sums(refs)
    weights = running_weights(policy, sums)
    for ref in refs:
        ref.tickets.functional = policy.functional * _part(ref, sums, weights)
        ref.tickets.override = _override(ref, policy.share_override_tickets)
    for ref in refs:
        set_running(ref, -1)


def _sums(refs: Iterable[TaskRef]) -> Parts:
    """Return the sums of shares of all ticket holders with tasks, each counted once."""
    sums = Parts()
    owners: dict[int, TicketHolder] = {}
    for ref in refs:
        user, project, department = ref.ticket_holders
        sums.user += _new_shares(user, owners)
        sums.project += _new_shares(project, owners)
        sums.department += _new_shares(department, owners)
        sums.job += ref.run_job.job.request.job_share
    return sums


def _new_shares(holder: TicketHolder | None, seen: dict[int, TicketHolder]) -> float:
    """Return a holder's functional shares if it is not in `seen`, else 0; add it to `seen`."""
    if holder is None or id(holder) in seen:
        return 0.0
    seen[id(holder)] = holder
    return holder.entitlement.functional_shares


def _part(ref: TaskRef, sums: Parts, weights: Parts) -> float:
    """Return the task's fraction (0..1) of all functional tickets."""
    user, project, department = ref.ticket_holders
    return (
        weights.user * _slice(user, sums.user)
        + weights.project * _slice(project, sums.project)
        + weights.department * _slice(department, sums.department)
        + (weights.job * ref.run_job.job.request.job_share / sums.job if sums.job else 0.0)
    )


def _slice(holder: TicketHolder | None, total: float) -> float:
    """Return the fraction (0..1) that one task gets by the holder's shares out of `total` shares."""
    if holder is None or not total:
        return 0.0
    return holder.entitlement.functional_shares / total / holder.running


def _override(ref: TaskRef, shared: bool) -> float:
    own = ref.run_job.job.request.override_tickets
    ticket_holders = (holder for holder in ref.ticket_holders if holder is not None)
    return own + sum_in_order(
        holder.entitlement.override_tickets / (holder.running if shared else 1) for holder in ticket_holders
    )
