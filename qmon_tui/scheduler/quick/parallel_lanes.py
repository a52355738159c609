"""The fast path of the search for the slots of a parallel job.

The rule is in `harvest`: host after host gives what it has room for, or with $round_robin one slot, until there is
enough. Mostly the first host that is not ruled out yet has room for all, or each of the first ones for one slot, and
the checks come out there as they did for jobs that asked for the same, but for amounts, on a host that is alike: then
what is left of the consumables is all that has to be divided. Wherever that is not certain, the lane knows no answer
and the rule is asked.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field

from qmon_tui.scheduler.categories import Category
from qmon_tui.scheduler.compiled.environments import FILL_UP, ROUND_ROBIN, Environment
from qmon_tui.scheduler.placement.likeness import Likeness
from qmon_tui.scheduler.placement.memory import Memory
from qmon_tui.scheduler.placement.order import QueueOrder
from qmon_tui.scheduler.placement.threshold_cap import threshold_cap
from qmon_tui.scheduler.quick.gist import Gist, GistChecker
from qmon_tui.scheduler.resources import Grants, Resources


@dataclass(slots=True, eq=False)
class ParallelLane:
    """What is known of one category in one parallel environment."""

    category: Category
    environment: Environment
    clear: set[int]
    """Sorts of queue instances that have passed all checks but those of amounts, for all lanes of the course."""
    gists: dict[int, tuple[Gist, Gist] | None] = field(default_factory=dict)
    """Sort of queue instance -> of its host, of itself; None where more than consumables is to be compared."""


class ParallelLanes:
    """The lanes of one run."""

    def __init__(self, resources: Resources, checker: GistChecker, order: QueueOrder, likeness: Likeness) -> None:
        self._resources = resources
        self._checker = checker
        self._order = order
        self._likeness = likeness
        self._lanes: dict[tuple[int, str], ParallelLane | None] = {}
        self._courses: dict[object, set[int]] = {}

    def lane(self, category: Category, environment: Environment) -> ParallelLane | None:
        """The lane of a category's jobs without soft requests; None where they tell apart what is alike otherwise."""
        key = (id(category), environment.name)
        if key not in self._lanes:
            demand = category.demand
            plain = not (demand.queues or demand.master_queues or self._likeness.reads_loads(demand))
            course = (category.kin, demand.shape, environment.name)
            self._lanes[key] = (
                ParallelLane(category, environment, self._courses.setdefault(course, set())) if plain else None
            )
        return self._lanes[key]

    def find(self, lane: ParallelLane, memory: Memory, slots: int, adjusts: bool) -> Grants | None:
        """What the rule would grant; None where that is not certain."""
        resources, order, demand = self._resources, self._order, lane.category.demand
        most = lane.environment.per_host(slots)
        if slots < 2 or most not in (slots, FILL_UP, ROUND_ROBIN) or not lane.clear:
            return None
        overall = self._checker.known(resources.global_level, demand)
        if overall is None or (overall.room(resources.global_level.used) or 0) < slots:
            return None
        if not order.is_sorted:
            order.sort()
        if order.is_arranged:
            return None
        grants: list[tuple[int, int]] = []
        wanted = 1 if most == ROUND_ROBIN else slots
        for host in self._first_hosts(lane, memory, slots // wanted):
            if self._is_short(host, memory, max(1, most)):
                return None
            members = order.in_order(resources.instances_of[host])
            rooms = self._rooms(lane, host, members, memory)
            if not rooms:
                return None
            if min(rooms[0], threshold_cap(resources, host, members, demand, adjusts), sum(rooms[1:])) < wanted:
                return None
            taken = _taken(members, rooms[1:], wanted)
            # Of the first host each queue instance is taken for the master queue, up to the last (`GrantBasket`).
            grants += taken if grants else reversed(taken)
        return grants or None

    def _first_hosts(self, lane: ParallelLane, memory: Memory, count: int) -> Collection[int]:
        """The hosts that an attempt would visit first; none where there are too few."""
        host_of = self._resources.host_of
        hosts: dict[int, None] = {}
        numbers: Iterable[int] = self._order
        if lane.category.jobs > 1:
            skipped = memory.skipped_hosts
            if self._order.next_elsewhere(memory.cursor, skipped, host_of) is None:
                return ()
            numbers = self._order.rest(memory.cursor)
        else:
            skipped = {}
        for number in numbers:
            host = host_of[number]
            if host not in skipped:
                hosts[host] = None
                if len(hosts) == count:
                    return hosts
        return ()

    def _is_short(self, host: int, memory: Memory, least: int) -> bool:
        """Tell whether an attempt would pass over the host, as it had too little when it was visited last."""
        known = memory.exhausted.get((least, False))
        return known is not None and known.get(host) == self._resources.changes_of_host[host]

    def _rooms(self, lane: ParallelLane, host: int, members: Sequence[int], memory: Memory) -> list[int]:
        """The slots that a host has room for, and each of its queue instances; empty where that is not certain."""
        resources = self._resources
        rooms: list[int] = []
        for number in members:
            gists = self.gists(lane, number)
            if gists is None or number in memory.skipped_instances:
                return []
            if not rooms:
                rooms.append(gists[0].room(resources.hosts[host].used) or 0)
            room = gists[1].room(resources.queues[number].used) or 0
            if room <= 0:
                return []
            rooms.append(room)
        return rooms

    def gists(self, lane: ParallelLane, number: int) -> tuple[Gist, Gist] | None:
        """What is to be compared on a queue instance's host, and on itself; None where more is than consumables."""
        sort = self._likeness.sort(number)
        if sort not in lane.gists and sort in lane.clear:
            lane.gists[sort] = self._new_gists(lane, number)
        return lane.gists.get(sort)

    def _new_gists(self, lane: ParallelLane, number: int) -> tuple[Gist, Gist] | None:
        demand = lane.category.demand
        overall, host, queue = (self._checker.known(level, demand) for level in self._resources.levels_of(number))
        if overall is None or host is None or queue is None:
            return None
        # What is asked for of a whole job counts as known only where there is enough of it, which changes.
        if overall.divided is None or host.divided is None or queue.divided is None:
            return None
        return (host, queue) if queue.elsewhere <= overall.accepts | host.accepts else None

    def learn(self, lane: ParallelLane, memory: Memory, grants: Grants) -> None:
        """Take note of what the rule has granted: queue instances of these hosts have passed their static checks."""
        hosts = {self._resources.host_of[number] for number, _ in grants}
        if hosts <= memory.clear_hosts:
            members = [number for host in hosts for number in self._resources.instances_of[host]]
            lane.clear.update(self._likeness.sort(number) for number in members if number in memory.clear_instances)


def _taken(members: Sequence[int], rooms: Sequence[int], slots: int) -> Grants:
    """So many slots of queue instances in their order."""
    taken: list[tuple[int, int]] = []
    for number, room in zip(members, rooms, strict=True):
        amount = min(room, slots)
        taken.append((number, amount))
        slots -= amount
        if not slots:
            break
    return tuple(taken)
