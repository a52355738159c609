"""Handing out tickets by turns: always to the task that would get most, which then counts as running.

Tasks that are worth the same form a group, of which only the next one needs to be looked at. What a task is worth only
falls while others are picked, so that a value that is still the highest when it is worked out again is the highest.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from heapq import heapify, heappop, heappush, heapreplace
from typing import Protocol, SupportsIndex

from qmon_tui.scheduler.jobs import TicketHolder, TicketHolders
from qmon_tui.scheduler.priority.share_tree_nodes import TaskRef

Group = list[TaskRef]
"""Tasks with the same claims, the next one last."""


class PickGroup(Protocol):
    """A group as those see it who pick tasks: only its last one, which is the next, is looked at and taken out."""

    def __len__(self) -> int: ...
    def __getitem__(self, position: SupportsIndex, /) -> TaskRef: ...
    def pop(self) -> TaskRef:
        """Take out the next one."""


_Turn = tuple[float, tuple[int, ...], int]
"""Lowest first: the value with its sign changed, what breaks ties, the number of the group."""


class WorthKeys:
    """What tasks have in common that are worth the same in one policy."""

    def __init__(self, of_account: Callable[[TicketHolder], float], of_job: Callable[[TaskRef], float]) -> None:
        """`of_account` and `of_job` tell what an account, and the job itself, has of what the policy hands out."""
        self._of_account, self._of_job = of_account, of_job
        self._known: dict[int, tuple[int, ...]] = {}
        """The accounts that have anything, by the identity of all that a job has; empty where none has."""

    def of_all(self, refs: Iterable[TaskRef]) -> Iterator[tuple[TaskRef, Hashable]]:
        """Tasks with what is the same for those that are worth the same; not those that are worth nothing."""
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
        """The same for a task whose job has something of its own; None where it is worth nothing."""
        owners = self._known.get(id(ticket_holders))
        if owners is None:
            owners = self._owners(ticket_holders)
        return (own, owners) if own or owners else None

    def _owners(self, ticket_holders: TicketHolders) -> tuple[int, ...]:
        worths = tuple(
            id(holder) if holder is not None and self._of_account(holder) else 0 for holder in ticket_holders
        )
        owners = self._known[id(ticket_holders)] = worths if any(worths) else ()
        return owners


def groups_of(refs: Iterable[TaskRef], worth_keys: WorthKeys, *, dependent: bool) -> list[Group]:
    """Tasks by their claims, those without any left out.

    The next of a group is the first, or, if earlier policies count, the one with most tickets from them.
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
    """How tasks are picked: `pick_in_turn`, or `pick_plainly` to compare with."""

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
        """Pick so many tasks, and take them out of their groups."""


def pick_in_turn(
    groups: Sequence[PickGroup],
    times: int,
    value: Callable[[TaskRef], float],
    tie: Callable[[TaskRef], tuple[int, ...]],
    pick: Callable[[TaskRef, TaskRef | None], None],
    *,
    falling: bool = True,
) -> None:
    """Pick so many tasks, each time the most valuable next one of a group, and take them out of their groups.

    `pick` is given the task and the one that is next in its group now. `tie` says which of two with the same value
    comes first. Where tasks are left over, `value` is called for the next of every group before the last pick, so that
    it can note what they were worth then. Values that may rise as well (`falling` is false) are worked out each time.
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
    """The same by the plain rule: each time all groups are asked what their next task is worth now."""
    for _ in range(times):
        waiting = [group for group in groups if group]
        best = min(waiting, key=lambda group: (-value(group[-1]), tie(group[-1])))
        pick(best.pop(), best[-1] if best else None)
