"""Functional tickets for groups of tasks of equal worth: only the next task of each group is compared.

The rules are `pick_in_turn` and `Picks`; sums and products are made in the same order here, without terms that are 0.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from heapq import heapify, heappop, heappush, heapreplace

from qmon_tui.scheduler.configuration import TicketPolicy
from qmon_tui.scheduler.jobs import TicketHolder, TicketHolders
from qmon_tui.scheduler.priority import TENTATIVE, Parts, pending_weights

TieBreak = tuple[int, int, int]
"""Time of submission (seconds since the epoch), job and task, in the order in which they break ties."""
_Part = tuple[TicketHolder, float, float, int]
"""A ticket holder, its functional shares, the weight of its kind, and the index of that kind in `_sums`."""
_USER, _DEPARTMENT, _PROJECT, _JOB = range(4)


@dataclass(slots=True, eq=False)
class TicketGroup:
    """One group while tickets are handed out."""

    ticket_holders: TicketHolders
    job_share: int
    tasks: int
    """Number of tasks in the group."""
    ahead: Iterator[TieBreak]
    """All tasks, in the order in which they are picked."""
    worth: float = 0.0
    """Tickets of the next task when they were last computed."""
    picked: list[tuple[int, float]] = field(default_factory=list)
    """Job number and tickets of each picked task."""
    next: TieBreak | None = None
    """The task to pick next; None if all are picked."""


def hand_out(groups: Sequence[TicketGroup], sums: Parts, policy: TicketPolicy) -> bool:
    """Pick tasks, each from the group whose next task would get most tickets; return True if any was picked."""
    times = min(policy.max_functional_jobs, sum(group.tasks for group in groups))
    if not times:
        return False
    handing_out = _HandingOut(groups, sums, policy)
    left_over = sum(group.tasks for group in groups) - times
    handing_out.pick(times, left_over=bool(left_over))
    return True


class _HandingOut:
    def __init__(self, groups: Sequence[TicketGroup], sums: Parts, policy: TicketPolicy) -> None:
        weights = pending_weights(policy)
        self._groups = groups
        self._total, self._shared = policy.functional, policy.share_functional_shares
        self._sums = [sums.user, sums.department, sums.project, sums.job]
        self._job_weight = weights.job
        by_kind = (weights.user, weights.department, weights.project)
        self._parts: list[list[_Part]] = []
        for group in groups:
            user, project, department = group.ticket_holders
            holders = zip((user, department, project), by_kind, (_USER, _DEPARTMENT, _PROJECT), strict=True)
            self._parts.append(
                [
                    (holder, holder.entitlement.functional_shares, weight, place)
                    for holder, weight, place in holders
                    if holder is not None and holder.entitlement.functional_shares
                ]
            )

    def pick(self, times: int, *, left_over: bool) -> None:
        """Pick `times` tasks; with `left_over` all groups are compared before the last pick."""
        groups, value = self._groups, self._value
        turns: list[tuple[float, TieBreak, int]] = []
        for number, group in enumerate(groups):
            group.next = next(group.ahead, None)
            if group.next is not None:
                turns.append((-value(number), group.next, number))
        heapify(turns)
        counted: list[TicketHolder] = []
        for turn in range(1, times + 1):
            best, tie_break, number = turns[0]
            while (now := -value(number)) > best:
                heapreplace(turns, (now, tie_break, number))
                best, tie_break, number = turns[0]
            heappop(turns)
            if turn == times and left_over:
                for _, _, other in turns:
                    value(other)
            group = groups[number]
            group.picked.append((tie_break[1], self._count(number, counted.append)))
            group.next = following = next(group.ahead, None)
            if following is not None and turn < times:
                heappush(turns, (-value(number), following, number))
        for holder in counted:
            holder.running -= 1

    def _value(self, number: int) -> float:
        """Return the tickets that the next task of a group would get if it were picked next."""
        sums, total, shared = self._sums, self._total, self._shared
        worth = 0.0
        for holder, shares, weight, place in self._parts[number]:
            tried = sums[place] + TENTATIVE
            if shared:
                worth += weight * (shares / (holder.running + 1) * total / tried)
            else:
                worth += weight * (shares * total / (tried + shares))
        group = self._groups[number]
        own = float(group.job_share)
        if own:
            worth += self._job_weight * (own * total / (sums[_JOB] + TENTATIVE + own))
        group.worth = worth
        return worth

    def _count(self, number: int, note: Callable[[TicketHolder], None]) -> float:
        """Count a task as running; return the tickets that it gets."""
        sums, total, shared = self._sums, self._total, self._shared
        worth = 0.0
        for holder, shares, weight, place in self._parts[number]:
            holder.running = running = holder.running + 1
            note(holder)
            if not shared:
                sums[place] += shares
            else:
                shares /= running
                if running <= 1:
                    sums[place] += shares
            worth += weight * (shares * total / sums[place]) if sums[place] else 0.0
        own = float(self._groups[number].job_share)
        if own:
            sums[_JOB] += own
            worth += self._job_weight * (own * total / sums[_JOB]) if sums[_JOB] else 0.0
        return worth
