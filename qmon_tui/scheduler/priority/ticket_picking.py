"""Picking of tasks for tickets: each time the task that would get most, which then counts as running.

Tasks with equal claims form a group, of which only the next one must be valued. Values only fall while other tasks are
picked, so a value that stays the highest when calculated again is the highest.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from heapq import heapify, heappop, heappush, heapreplace
from typing import Protocol, SupportsIndex

from qmon_tui.scheduler.jobs import TicketHolder, TicketHolders
from qmon_tui.scheduler.priority.share_tree_nodes import TaskRef

Group = list[TaskRef]
"""Tasks with equal claims, the next one last."""


class PickGroup(Protocol):
    """A group for picking: only its last task, which is the next, is read and removed."""

    def __len__(self) -> int: ...
    def __getitem__(self, position: SupportsIndex, /) -> TaskRef: ...
    def pop(self) -> TaskRef: ...


_Turn = tuple[float, tuple[int, ...], int]
"""(negative value, tie breaker, number of the group), lowest first."""


class WorthKeys:
    """The keys by which tasks have equal claims in one policy."""

    def __init__(self, of_holder: Callable[[TicketHolder], float], of_job: Callable[[TaskRef], float]) -> None:
        """`of_holder` and `of_job` return what a ticket holder, and the job itself, contributes in the policy."""
        self._of_holder, self._of_job = of_holder, of_job
        self._known: dict[int, tuple[int, ...]] = {}
        """Id of a job's ticket holders -> ids of those with shares; empty if none has any."""

    def of_all(self, refs: Iterable[TaskRef]) -> Iterator[tuple[TaskRef, Hashable]]:
        """Yield tasks with the key of their claim; tasks without a claim are left out."""
        known, of_job = self._known, self._of_job
        for ref in refs:
            ticket_holders = ref.ticket_holders
            owners = known.get(id(ticket_holders))
            if owners is None:
                owners = self._owners(ticket_holders)
            own = of_job(ref)
            if own or owners:
                yield ref, (own, owners)

    def of(self, ticket_holders: TicketHolders, own: float) -> Hashable | None:
        """Return the key of a claim, given the job's own contribution; None without a claim."""
        owners = self._known.get(id(ticket_holders))
        if owners is None:
            owners = self._owners(ticket_holders)
        return (own, owners) if own or owners else None

    def _owners(self, ticket_holders: TicketHolders) -> tuple[int, ...]:
        worths = tuple(id(holder) if holder is not None and self._of_holder(holder) else 0 for holder in ticket_holders)
        owners = self._known[id(ticket_holders)] = worths if any(worths) else ()
        return owners


def groups_of(refs: Iterable[TaskRef], worth_keys: WorthKeys, *, dependent: bool) -> list[Group]:
    """Group tasks by claim; tasks without one are left out.

    The next one of a group is the first, or, if earlier policies count, the one with most tickets from them.
    """
    groups: dict[Hashable, Group] = {}
    for ref, claim in worth_keys.of_all(refs):
        groups.setdefault(claim, []).append(ref)
    for group in groups.values():
        if dependent:
            group.sort(key=_turn)
        group.reverse()
    return list(groups.values())


def _turn(ref: TaskRef) -> tuple[float, int, int, int]:
    job = ref.run_job.job
    return -ref.accumulated, job.submitted, job.id, ref.task


class PickInTurn(Protocol):
    """Picks tasks: `pick_in_turn`, or the plain rule `pick_plainly` to compare with."""

    def __call__(
        self,
        groups: Sequence[PickGroup],
        times: int,
        value: Callable[[TaskRef], float],
        tie: Callable[[TaskRef], tuple[int, ...]],
        pick: Callable[[TaskRef, TaskRef | None], None],
        *,
        falling: bool = True,
    ) -> None:
        """Pick `times` tasks and remove them from their groups."""


def pick_in_turn(
    groups: Sequence[PickGroup],
    times: int,
    value: Callable[[TaskRef], float],
    tie: Callable[[TaskRef], tuple[int, ...]],
    pick: Callable[[TaskRef, TaskRef | None], None],
    *,
    falling: bool = True,
) -> None:
    """Pick `times` tasks, each time the most valuable next one of a group, and remove them from their groups.

    `pick` receives the task and the next one of its group. `tie` breaks ties of equal values. If tasks are left over,
    `value` is called for the next one of every group before the last pick, to record their values then. If values may
    also rise (`falling` False), they are calculated each time.
    """
    turns: list[_Turn] = [(-value(group[-1]), tie(group[-1]), number) for number, group in enumerate(groups)]
    heapify(turns)
    left_over = sum(map(len, groups)) - times
    for turn in range(1, times + 1):
        if not falling:
            turns = [(-value(groups[number][-1]), seniority, number) for _, seniority, number in turns]
            heapify(turns)
        best, seniority, number = turns[0]
        while (now := -value(groups[number][-1])) > best:
            heapreplace(turns, (now, seniority, number))
            best, seniority, number = turns[0]
        heappop(turns)
        if turn == times and left_over:
            for _, _, other in turns:
                value(groups[other][-1])
        group = groups[number]
        pick(group.pop(), group[-1] if group else None)
        if group and turn < times:
            heappush(turns, (-value(group[-1]), tie(group[-1]), number))


def pick_plainly(
    groups: Sequence[PickGroup],
    times: int,
    value: Callable[[TaskRef], float],
    tie: Callable[[TaskRef], tuple[int, ...]],
    pick: Callable[[TaskRef, TaskRef | None], None],
    *,
    falling: bool = True,
) -> None:
    """Pick by the plain rule: each time the next task of every group is valued."""
    for _ in range(times):
        waiting = [group for group in groups if group]
        best = min(waiting, key=lambda group: (-value(group[-1]), tie(group[-1])))
        pick(best.pop(), best[-1] if best else None)
