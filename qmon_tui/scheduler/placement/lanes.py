"""The fast path of the search for one slot.

The rule is in `sequential`: all queue instances in their order, those found unsuitable for the category left out, the
first that passes all checks. For most jobs that is the queue instance where the last search of the category has ended,
or the next one; and most of the checks come out the same there as on another queue instance that is alike, so that only
what is left of the consumables is compared. Wherever that is not certain, the lane knows no answer and the rule is
asked.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from qmon_tui.scheduler.categories import Category
from qmon_tui.scheduler.matching.gist import GistChecker
from qmon_tui.scheduler.placement.order import Cursor, QueueOrder
from qmon_tui.scheduler.resources import Resources

Needs = tuple[tuple[str, float, float], ...]
"""Consumable, amount wanted, configured total."""


@dataclass(slots=True, eq=False)
class Lane:
    """What is known of one category."""

    category: Category
    reads_loads: bool
    """It asks for what some host reports, so that no two hosts are alike."""
    cursor: Cursor = field(default_factory=Cursor)
    """All queue instances before it are unsuitable."""
    overall: Needs | None = None
    """Of the global host; None before the first success."""
    needs: dict[int, tuple[Needs, Needs] | None] = field(default_factory=dict)
    """Sort of queue instance -> of its host, of itself; None where more than that is to be compared."""


class Lanes:
    """The lanes of one run. `states` are those of the queue instances."""

    def __init__(self, resources: Resources, checker: GistChecker, order: QueueOrder, states: Sequence[str]) -> None:
        self._resources = resources
        self._checker = checker
        self._order = order
        self._states = states
        self._lanes: dict[int, Lane | None] = {}
        self._sorts: dict[int, int] = {}
        self._sort_numbers: dict[object, int] = {}
        levels = (resources.global_level, *resources.hosts)
        self._reported = {
            name for loads in {id(level.loads): level.loads for level in levels}.values() for name in loads
        }
        self._forced_loads = any(one.name in self._reported for one in resources.compiled.attributes.forced)

    def lane(self, category: Category) -> Lane | None:
        """The lane of a category; None where its jobs tell queue instances apart that are alike otherwise."""
        key = id(category)
        if key not in self._lanes:
            demand = category.demand
            is_plain = not (demand.is_soft or demand.queues or demand.master_queues)
            reads_loads = self._forced_loads or not demand.names.isdisjoint(self._reported)
            self._lanes[key] = Lane(category, reads_loads) if is_plain else None
        return self._lanes[key]

    def find(self, lane: Lane) -> int | None:
        """The queue instance that the rule would find; None where that is not certain."""
        resources = self._resources
        if lane.overall is None or self._order.is_arranged or not _fit(lane.overall, resources.global_level.used):
            return None
        category = lane.category
        number = self._order.next_from(lane.cursor, category.unsuitable)
        if number is None:
            return None
        needs = lane.needs.get(self._sort(number, lane))
        host = resources.host_of[number]
        if needs is None or host in category.unsuitable_hosts:
            return None
        if resources.instances[number].queue in category.unsuitable_queues:
            return None
        if _fit(needs[0], resources.hosts[host].used) and _fit(needs[1], resources.queues[number].used):
            return number
        return None

    def learn(self, lane: Lane, number: int) -> None:
        """Take note of a queue instance that the rule has found."""
        sort = self._sort(number, lane)
        if sort in lane.needs:
            return
        levels, demand = self._resources.levels_of(number), lane.category.demand
        overall, host, queue = (self._checker.gist(level, demand) for level in levels)
        lane.needs[sort] = None
        if overall is None:
            return
        lane.overall = overall.needs
        if host is not None and queue is not None and queue.elsewhere <= overall.accepts | host.accepts:
            lane.needs[sort] = host.needs, queue.needs

    def _sort(self, number: int, lane: Lane) -> int:
        """The same number for queue instances that are alike."""
        if lane.reads_loads:
            return number
        sort = self._sorts.get(number)
        if sort is None:
            sort = self._sorts[number] = self._sort_numbers.setdefault(self._likeness(number), -1 - number)
        return sort

    def _likeness(self, number: int) -> object:
        """What queue instances have to have in common to be alike."""
        resources = self._resources
        instance = resources.instances[number]
        host = resources.hosts[resources.host_of[number]]
        if any(name in self._reported for name in (*host.used, *resources.queues[number].used)):
            return number
        access = resources.compiled.hosts[instance.host].access
        return instance.queue, id(instance.profile), id(host.configured), access, self._states[number]


def _fit(needs: Needs, used: dict[str, float]) -> bool:
    for name, amount, total in needs:  # noqa: SIM110 - a generator takes longer than the comparisons
        if not amount <= total - used[name]:
            return False
    return True
