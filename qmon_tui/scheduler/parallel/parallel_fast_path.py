"""Cached search for the slots of a parallel job.

The rule is in `slot_collection`: each host in turn gives its free slots, or with $round_robin one slot, until there are
enough. The checks usually give the same result as for a job with other amounts on an equivalent host; then only the
free consumables have to be divided. If the result is not certain, the rule is applied.
"""

from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from qmon_tui.scheduler.configuration import FILL_UP, ROUND_ROBIN, ParallelEnvironment
from qmon_tui.scheduler.jobs import Category, PeCache
from qmon_tui.scheduler.matching import Grants, ReducedCheck, Resources, threshold_cap
from qmon_tui.scheduler.placement import KnownChecks, QueueOrder


@dataclass(slots=True, eq=False)
class PeCategoryChecks:
    """Results known for one category in one parallel environment."""

    category: Category
    environment: ParallelEnvironment
    clear: set[int]
    """Classes of queue instances that passed all checks except those of amounts; shared by demands of one shape."""
    reduced_checks: dict[int, tuple[ReducedCheck, ReducedCheck] | None] = field(default_factory=dict)
    """Class of queue instance -> checks of its host and of itself; None if not only consumables are compared."""


class ParallelFastPath:
    """The cached search for parallel jobs in one run, with results by category and PE."""

    def __init__(self, resources: Resources, known: KnownChecks, order: QueueOrder) -> None:
        self._resources = resources
        self._checker = known.checker
        self._order = order
        self._instance_classes = known.classes
        self._category_checks: dict[tuple[int, str], PeCategoryChecks | None] = {}
        self._shape_checks: dict[object, set[int]] = {}

    def of_category(self, category: Category, environment: ParallelEnvironment) -> PeCategoryChecks | None:
        """Return the cached results for jobs without soft requests; None if they name queues or read load values."""
        key = (id(category), environment.name)
        if key not in self._category_checks:
            demand = category.demand
            plain = not (demand.queues or demand.master_queues or self._instance_classes.reads_loads(demand))
            shape_checks = (category.base_category, demand.shape, environment.name)
            self._category_checks[key] = (
                PeCategoryChecks(category, environment, self._shape_checks.setdefault(shape_checks, set()))
                if plain
                else None
            )
        return self._category_checks[key]

    def find(self, category_checks: PeCategoryChecks, pe_cache: PeCache, slots: int, adjusts: bool) -> Grants | None:
        """Return the grants that the rule would give; None if that is not certain."""
        resources, order, demand = self._resources, self._order, category_checks.category.demand
        most = category_checks.environment.per_host(slots)
        if slots < 2 or most not in (slots, FILL_UP, ROUND_ROBIN) or not category_checks.clear:
            return None
        overall = self._checker.known(resources.global_level, demand)
        if overall is None or (overall.room(resources.global_level.used) or 0) < slots:
            return None
        if not order.is_sorted:
            order.sort()
        if order.is_arranged:
            return None
        grants: list[tuple[int, int]] = []
        left = slots
        for host in self._hosts_in_turn(category_checks, pe_cache):
            if self._is_short(host, pe_cache, max(1, most)):
                return None
            members = order.in_order(resources.instances_of[host])
            free_slots = self._free_slots(category_checks, host, members, pe_cache)
            if not free_slots:
                return None
            room = min(free_slots[0], threshold_cap(resources, host, members, demand, adjusts), sum(free_slots[1:]))
            wanted = {ROUND_ROBIN: 1, FILL_UP: min(left, max(1, room))}.get(most, slots)
            if room < wanted:
                return None
            taken = _taken(members, free_slots[1:], wanted)
            # On the first host each queue instance replaces the one before as master queue (`GrantedSlots`).
            grants += taken if grants else reversed(taken)
            left -= wanted
            if not left:
                return grants
        return None

    def _hosts_in_turn(self, category_checks: PeCategoryChecks, pe_cache: PeCache) -> Iterator[int]:
        """Yield the hosts in the order in which an attempt first visits them."""
        host_of = self._resources.host_of
        numbers: Iterable[int] = self._order
        seen = set[int]()
        skipped: Container[int] = ()
        if category_checks.category.jobs > 1:
            skipped = pe_cache.skipped_hosts
            if self._order.next_elsewhere(pe_cache.cursor, skipped, host_of) is None:
                return
            numbers = self._order.rest(pe_cache.cursor)
        for number in numbers:
            host = host_of[number]
            if host not in seen and host not in skipped:
                seen.add(host)
                yield host

    def _is_short(self, host: int, pe_cache: PeCache, least: int) -> bool:
        """True if an attempt would skip the host: it had too few slots at its last visit and has not changed."""
        known = pe_cache.full_hosts.get((least, False, ()))
        return known is not None and known.get(host) == self._resources.changes_of_host[host]

    def _free_slots(
        self, category_checks: PeCategoryChecks, host: int, members: Sequence[int], pe_cache: PeCache
    ) -> list[int]:
        """Return the free slots of a host, then of each of its queue instances; empty if that is not certain."""
        resources = self._resources
        free_slots: list[int] = []
        for number in members:
            reduced_checks = self.reduced_checks(category_checks, number)
            if reduced_checks is None or number in pe_cache.skipped_instances:
                return []
            if not free_slots:
                free_slots.append(reduced_checks[0].room(resources.hosts[host].used) or 0)
            room = reduced_checks[1].room(resources.queues[number].used) or 0
            if room <= 0:
                return []
            free_slots.append(room)
        return free_slots

    def reduced_checks(
        self, category_checks: PeCategoryChecks, number: int
    ) -> tuple[ReducedCheck, ReducedCheck] | None:
        """Return the checks of a queue instance's host and of itself; None if not only consumables are compared."""
        instance_class = self._instance_classes.instance_class(number)
        if instance_class not in category_checks.reduced_checks and instance_class in category_checks.clear:
            category_checks.reduced_checks[instance_class] = self._new_reduced_checks(category_checks, number)
        return category_checks.reduced_checks.get(instance_class)

    def _new_reduced_checks(
        self, category_checks: PeCategoryChecks, number: int
    ) -> tuple[ReducedCheck, ReducedCheck] | None:
        demand = category_checks.category.demand
        overall, host, queue = (self._checker.known(level, demand) for level in self._resources.levels_of(number))
        if overall is None or host is None or queue is None:
            return None
        # For a consumable per job the slots cannot be computed by division (`CheckTemplate.by_slot`).
        if overall.divided is None or host.divided is None or queue.divided is None:
            return None
        return (host, queue) if queue.elsewhere <= overall.accepts | host.accepts else None

    def learn(self, category_checks: PeCategoryChecks, pe_cache: PeCache, grants: Grants) -> None:
        """Cache that queue instances on the hosts of these grants, which the rule found, passed their static checks."""
        hosts = {self._resources.host_of[number] for number, _ in grants}
        if hosts <= pe_cache.clear_hosts:
            members = [number for host in hosts for number in self._resources.instances_of[host]]
            category_checks.clear.update(
                self._instance_classes.instance_class(number)
                for number in members
                if number in pe_cache.clear_instances
            )


def _taken(members: Sequence[int], free_slots: Sequence[int], slots: int) -> Grants:
    """Return the grants of `slots` slots, filling one queue instance after the other."""
    taken: list[tuple[int, int]] = []
    for number, room in zip(members, free_slots, strict=True):
        amount = min(room, slots)
        taken.append((number, amount))
        slots -= amount
        if not slots:
            break
    return tuple(taken)
