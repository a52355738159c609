"""Picking of tasks for tickets: each time the task that would get most tickets, which then counts as running.

Tasks with equal claims form a group; only the next task of each group needs a value.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence

from qmon_tui.scheduler.jobs import TicketHolder, TicketHolders
from qmon_tui.scheduler.priority.share_tree_nodes import TaskRef

Group = list[TaskRef]
"""Tasks with equal claims, the next one last."""


class WorthKeys:
    """Keys of claims in one policy: tasks with equal keys have equal claims."""

    def __init__(self, of_holder: Callable[[TicketHolder], float], of_job: Callable[[TaskRef], float]) -> None:
        """`of_holder` and `of_job` return the shares or tickets of a ticket holder and of the job in the policy."""
        self._of_holder, self._of_job = of_holder, of_job
        self._known: dict[int, tuple[int, ...]] = {}
        """Id of a job's ticket holders -> id of each, 0 for one without shares; empty if none has shares."""

    def of_all(self, refs: Iterable[TaskRef]) -> Iterator[tuple[TaskRef, Hashable]]:
        """Yield (task, key of its claim), without tasks that have no claim."""
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
        """Return the key of a job's claim; None if it has none. `own`: the shares or tickets of the job itself."""
        owners = self._known.get(id(ticket_holders))
        if owners is None:
            owners = self._owners(ticket_holders)
        return (own, owners) if own or owners else None

    def _owners(self, ticket_holders: TicketHolders) -> tuple[int, ...]:
        worths = tuple(id(holder) if holder is not None and self._of_holder(holder) else 0 for holder in ticket_holders)
        owners = self._known[id(ticket_holders)] = worths if any(worths) else ()
        return owners


def groups_of(refs: Iterable[TaskRef], worth_keys: WorthKeys, *, dependent: bool) -> list[Group]:
    """Return the tasks grouped by claim, without tasks that have no claim.

    The next task of a group is its first or, if `dependent`, the task with most tickets from earlier policies.
    """
    groups: dict[Hashable, Group] = {}
    for ref, claim in worth_keys.of_all(refs):
        groups.setdefault(claim, []).append(ref)
    for group in groups.values():
        if dependent:
            group.sort(key=_most_tickets_first)
        group.reverse()
    return list(groups.values())


def _most_tickets_first(ref: TaskRef) -> tuple[float, int, int, int]:
    job = ref.run_job.job
    return -ref.accumulated, job.submitted, job.id, ref.task


def pick_in_turn(
    groups: Sequence[Group],
    times: int,
    value: Callable[[TaskRef], float],
    tie: Callable[[TaskRef], tuple[int, ...]],
    pick: Callable[[TaskRef, TaskRef | None], None],
) -> None:
    """Pick `times` tasks and remove them from their groups: each time the next task of a group with the highest value.

    `pick` gets the task and the new next task of its group, None if there is none; `tie`: the lowest of equal values.
    """
    for _ in range(times):
        waiting = [group for group in groups if group]
        best = min(waiting, key=lambda group: (-value(group[-1]), tie(group[-1])))
        pick(best.pop(), best[-1] if best else None)
