"""The fast path of the search for one slot.

The rule is in `sequential`: all queue instances in their order, those found unsuitable for the category left out, the
first that passes all checks. For most jobs that is the queue instance where the last search of the category has ended,
or the next one; and most of the checks come out the same there as on another queue instance that is alike, so that only
what is left of the consumables is compared. Wherever that is not certain, the lane knows no answer and the rule is
asked.
"""

from dataclasses import dataclass, field

from qmon_tui.scheduler.categories import Category
from qmon_tui.scheduler.placement.likeness import Likeness
from qmon_tui.scheduler.placement.memory import Cursor
from qmon_tui.scheduler.placement.order import QueueOrder
from qmon_tui.scheduler.quick.gist import GistChecker, Mould, Needs
from qmon_tui.scheduler.quotas.reach import Reach
from qmon_tui.scheduler.quotas.toll import Gate
from qmon_tui.scheduler.resources import Resources


@dataclass(slots=True)
class Course:
    """What is known of all categories that differ only in how much of plain consumables they ask for."""

    overall: Mould | None = None
    """What is to be compared on the global host; None before it has let one of them pass."""
    sorts: dict[int, tuple[Mould, Mould] | None] = field(default_factory=dict)
    """Sort of queue instance -> of its host, of itself; None where more than consumables is to be compared."""


@dataclass(slots=True, eq=False)
class Lane:
    """What is known of one category."""

    category: Category
    course: Course
    reads_loads: bool
    """It asks for what some host reports, so that no two hosts are alike."""
    cursor: Cursor = field(default_factory=Cursor)
    """All queue instances before it are unsuitable."""
    overall: Needs | None = None
    """Of the global host; None before the first success."""
    needs: dict[int, tuple[Needs, Needs] | None] = field(default_factory=dict)
    """Sort of queue instance -> of its host, of itself; None where more than that is to be compared."""


class Lanes:
    """The lanes of one run."""

    def __init__(self, resources: Resources, checker: GistChecker, order: QueueOrder, likeness: Likeness) -> None:
        self._resources = resources
        self._checker = checker
        self._order = order
        self._likeness = likeness
        self._sorts = likeness.sorts
        self._lanes: dict[int, Lane | None] = {}
        self._courses: dict[object, Course] = {}

    def lane(self, category: Category) -> Lane | None:
        """The lane of a category's jobs without soft requests; None where they tell apart what is alike otherwise."""
        key = id(category)
        lane = self._lanes.get(key)
        if lane is None and key not in self._lanes:
            lane = self._lanes[key] = self._new_lane(category)
        return lane

    def _new_lane(self, category: Category) -> Lane | None:
        demand = category.demand
        if demand.queues or demand.master_queues:
            return None
        course = self._courses.setdefault((category.kin, demand.shape), Course())
        lane = Lane(category, course, self._likeness.reads_loads(demand))
        if course.overall is not None:
            lane.overall = course.overall.needs(demand)
        return lane

    def find(self, lane: Lane, gate: Gate | None = None) -> int | None:
        """The queue instance that the rule would find; None where that is not certain.

        What the quotas of `gate` refuse they refuse for the whole run.
        """
        resources, overall = self._resources, lane.overall
        if overall is None or self._order.is_arranged:
            return None
        if overall and not _fit(overall, resources.global_level.used):
            return None
        category = lane.category
        number = self._order.next_from(lane.cursor, category.unsuitable)
        if gate is not None:
            number = self._next_open(number, lane, gate)
        if number is None:
            return None
        sort = number if lane.reads_loads else self._sorts.get(number) or self._likeness.sort(number)
        needs = lane.needs[sort] if sort in lane.needs else _enter(lane, sort)
        host = resources.host_of[number]
        if needs is None or host in category.unsuitable_hosts:
            return None
        if category.unsuitable_queues and resources.instances[number].queue in category.unsuitable_queues:
            return None
        on_host, here = needs
        if _fit(on_host, resources.hosts[host].used) and _fit(here, resources.queues[number].used):
            return number
        return None

    def _next_open(self, number: int | None, lane: Lane, gate: Gate) -> int | None:
        """The next queue instance that quotas do not close; None where they close all or that is not certain."""
        category = lane.category
        while number is not None and (barrier := gate.barrier(number)) is not None:
            reach = gate.reaches.of(barrier.rule, number)
            if reach.everything:
                return None
            category.unsuitable.add(number)
            if reach.queues or reach.hosts:
                self._rule_out(category, reach)
            number = self._order.next_from(lane.cursor, category.unsuitable)
        return number

    def _rule_out(self, category: Category, reach: Reach) -> None:
        """Take note of cluster queues and hosts that quotas close, with all queue instances there."""
        category.unsuitable_queues |= reach.queues
        category.unsuitable_hosts |= reach.hosts
        resources = self._resources
        for host in reach.hosts:
            category.unsuitable.update(resources.instances_of[host])
        for queue in reach.queues:
            category.unsuitable.update(resources.instances_in[queue])

    def learn(self, lane: Lane, number: int) -> None:
        """Take note of a queue instance that the rule has found."""
        sort, course, demand = self._sort(number, lane), lane.course, lane.category.demand
        if lane.overall is None and course.overall is not None:
            lane.overall = course.overall.needs(demand)
        if sort in course.sorts:
            return
        overall, host, queue = (self._checker.mould(level, demand) for level in self._resources.levels_of(number))
        course.sorts[sort] = None
        if overall is None:
            return
        course.overall, lane.overall = overall, overall.needs(demand)
        if host is not None and queue is not None and queue.elsewhere <= overall.accepts | host.accepts:
            course.sorts[sort] = host, queue

    def _sort(self, number: int, lane: Lane) -> int:
        """The same number for queue instances that are alike."""
        return number if lane.reads_loads else self._likeness.sort(number)


def _enter(lane: Lane, sort: int) -> tuple[Needs, Needs] | None:
    """What the lane's category needs where others of its course have passed; None where that is not known."""
    moulds, demand = lane.course.sorts.get(sort), lane.category.demand
    if moulds is None:
        return None
    host, queue = moulds[0].needs(demand), moulds[1].needs(demand)
    needs = lane.needs[sort] = None if host is None or queue is None else (host, queue)
    return needs


def _fit(needs: Needs, used: dict[str, float]) -> bool:
    for name, amount, total in needs:  # noqa: SIM110 - a generator takes longer than the comparisons
        if not amount <= total - used[name]:
            return False
    return True
