"""Functional tickets: shares of users, departments, projects and jobs (tickets.md section 4).

Running tasks divide all functional tickets among themselves. Pending tasks are picked one after the other, always the
one that would get most; each pick counts as running from then on.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from qmon_tui.scheduler.compiled.policy import TicketPolicy
from qmon_tui.scheduler.jobs import Account
from qmon_tui.scheduler.tickets.refs import Ref, set_running

_TENTATIVE = 0.001
"""Added to every sum while the next pick is looked for, so that it is never 0."""


@dataclass(slots=True)
class Parts:
    """One number for each of user, project, department and job: shares, sums of shares, or weights."""

    user: float = 0.0
    project: float = 0.0
    department: float = 0.0
    job: float = 0.0

    def plus(self, amount: float) -> "Parts":
        """All four, raised by the same amount."""
        return Parts(self.user + amount, self.project + amount, self.department + amount, self.job + amount)


def running_weights(policy: TicketPolicy, sums: Parts) -> Parts:
    """The configured weights of the parts that have shares, made to add up to 1."""
    return _scaled(
        Parts(
            policy.user if sums.user > 0 else 0.0,
            policy.project if sums.project > 0 else 0.0,
            policy.department if sums.department > 0 else 0.0,
            policy.job if sums.job > 0 else 0.0,
        )
    )


def pending_weights(policy: TicketPolicy) -> Parts:
    """The configured weights made to add up to 1, whether or not a part has shares."""
    return _scaled(Parts(policy.user, policy.project, policy.department, policy.job))


def _scaled(weights: Parts) -> Parts:
    total = weights.user + weights.department + weights.project + weights.job
    if total <= 0:
        return weights
    return Parts(weights.user / total, weights.project / total, weights.department / total, weights.job / total)


def tickets_for(shares: Parts, sums: Parts, weights: Parts, total: float) -> float:
    """The part of all functional tickets that these shares are worth."""
    user = shares.user * total / sums.user if sums.user else 0.0
    project = shares.project * total / sums.project if sums.project else 0.0
    department = shares.department * total / sums.department if sums.department else 0.0
    job = shares.job * total / sums.job if sums.job else 0.0
    return weights.user * user + weights.department * department + weights.project * project + weights.job * job


def divide_among_running(refs: Sequence[Ref], policy: TicketPolicy) -> Parts:
    """Set the functional tickets of running tasks; returns the sums of their shares, where the pending ones start."""
    sums = Parts()
    own: list[Parts] = []
    for ref in refs:
        shares = _shares(ref, policy.share_functional_shares, 0)
        own.append(shares)
        sums.user += shares.user
        sums.project += shares.project
        sums.department += shares.department
        sums.job += shares.job
    weights = running_weights(policy, sums)
    for ref, shares in zip(refs, own, strict=True):
        ref.tickets.functional = tickets_for(shares, sums, weights, policy.functional)
    return sums


def _shares(ref: Ref, shared: bool, more: int) -> Parts:
    """A task's shares; shared ones are divided by the owner's running tasks, `more` of them still to come."""
    user, project, department = (_share(account, shared, more) for account in ref.accounts)
    return Parts(user, project, department, float(ref.run_job.job.request.job_share))


def _share(account: Account | None, shared: bool, more: int) -> float:
    if account is None:
        return 0.0
    shares = account.entitlement.functional_shares
    count = account.running + more
    return shares / count if shared and count else shares


def divide_among_pending(refs: Sequence[Ref], sums: Parts, policy: TicketPolicy) -> None:
    """Set the functional tickets of pending tasks; `sums` are those of the running ones."""
    dependent = "F" in policy.dependent
    groups = _functional_categories(refs, dependent)
    weights = pending_weights(policy)
    shared = policy.share_functional_shares
    sums = sums.plus(0.0)
    picked: list[Ref] = []
    picks = min(policy.max_functional_jobs, sum(len(group) for group in groups))
    for _ in range(picks):
        winner = _pick(groups, sums, weights, policy, dependent)
        group = groups[winner]
        ref = group.pop()
        if group:
            group[-1].tickets.functional = ref.tickets.functional
        else:
            del groups[winner]
        set_running(ref, 1)
        picked.append(ref)
        shares = _shares(ref, shared, 0)
        _enter(ref, shares, sums, shared)
        ref.tickets.functional = tickets_for(shares, sums, weights, policy.functional)
    for ref in picked:
        set_running(ref, -1)
        if dependent:
            ref.accumulated += ref.tickets.functional
    _hand_down(groups, dependent)


def _functional_categories(refs: Sequence[Ref], dependent: bool) -> list[list[Ref]]:
    """Tasks with the same shares together, the next one last; tasks without any shares are left out."""
    groups: dict[tuple[int, ...], list[Ref]] = {}
    for ref in refs:
        job_share = ref.run_job.job.request.job_share
        owners = [account if _share(account, False, 0) else None for account in ref.accounts]
        if not job_share and not any(owners):
            continue
        groups.setdefault((job_share, *map(id, owners)), []).append(ref)
    if dependent:
        for group in groups.values():
            group.sort(key=lambda ref: (-ref.accumulated, *ref.seniority))
    return [group[::-1] for group in groups.values()]


def _pick(groups: Sequence[Sequence[Ref]], sums: Parts, weights: Parts, policy: TicketPolicy, dependent: bool) -> int:
    """The group whose next task would get most tickets; older jobs win ties."""
    best = -1
    best_score = -1.0
    best_seniority = (0, 0, 0)
    base = sums.plus(_TENTATIVE)
    shared = policy.share_functional_shares
    for position, group in enumerate(groups):
        ref = group[-1]
        shares = _shares(ref, shared, 1)
        if shared:
            tried = Parts(base.user, base.project, base.department, base.job + shares.job)
        else:
            tried = Parts(
                base.user + shares.user,
                base.project + shares.project,
                base.department + shares.department,
                base.job + shares.job,
            )
        ref.tickets.functional = tickets_for(shares, tried, weights, policy.functional)
        score = ref.tickets.functional + (ref.accumulated if dependent else 0.0)
        seniority = ref.seniority
        if best < 0 or score > best_score or (score == best_score and seniority < best_seniority):
            best, best_score, best_seniority = position, score, seniority
    return best


def _enter(ref: Ref, shares: Parts, sums: Parts, shared: bool) -> None:
    """Add a pick's shares to the sums; shared ones only with the owner's first task."""
    user, project, department = ref.accounts
    if user is not None and (not shared or user.running <= 1):
        sums.user += shares.user
    if project is not None and (not shared or project.running <= 1):
        sums.project += shares.project
    if department is not None and (not shared or department.running <= 1):
        sums.department += shares.department
    sums.job += shares.job


def _hand_down(groups: Sequence[Sequence[Ref]], dependent: bool) -> None:
    """Give all tasks past max_functional_jobs_to_schedule what the first of their group was last valued at."""
    for group in groups:
        first = group[-1]
        for ref in group[:-1]:
            ref.tickets.functional = first.tickets.functional
            if dependent:
                ref.accumulated += ref.tickets.functional
