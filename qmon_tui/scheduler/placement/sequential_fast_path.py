"""Cached search for one slot.

The rule is in `sequential_search`: the first queue instance in order that passes all checks and was not found
unsuitable for the category before. Mostly that is the instance where the category's last search ended, or the next one.
Most checks give the same result there as on an equivalent instance, so only the free consumables are compared. If the
result is not certain, the rule is applied.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from qmon_tui.scheduler.jobs import Category, Cursor
from qmon_tui.scheduler.matching import CheckTemplate, FastChecker, InstanceClasses, Needs, Resources
from qmon_tui.scheduler.placement.queue_order import QueueOrder
from qmon_tui.scheduler.quotas import RuledOut, SlotQuota


@dataclass(slots=True)
class ShapeChecks:
    """Templates shared by all categories that differ only in the amounts of plain consumables."""

    overall: CheckTemplate | None = None
    """Template of the global host; None until a category with this shape has passed there."""
    classes: dict[int, tuple[CheckTemplate, CheckTemplate] | None] = field(default_factory=dict)
    """Class of queue instance -> templates of its host and of itself; None if not only consumables are compared."""


@dataclass(slots=True, eq=False)
class CategoryChecks:
    """Results known for one category."""

    category: Category
    shape_checks: ShapeChecks
    reads_loads: bool
    """True if the category requests an attribute that some host reports: then no two hosts are equivalent for it."""
    cursor: Cursor = field(default_factory=Cursor)
    """All queue instances before it are unsuitable."""
    overall: Needs | None = None
    """Needs on the global host; None before the first success."""
    needs: dict[int, tuple[Needs, Needs] | None] = field(default_factory=dict)
    """Class of queue instance -> needs on its host and on itself; None if not only needs are compared."""


class KnownChecks:
    """Reduced checks whose results depend only on the use of consumables.

    They stay valid from run to run while resources, load values and states of queue instances are the same.
    """

    def __init__(self, resources: Resources, checker: FastChecker, states: Sequence[str]) -> None:
        """`states` are qstat's states of the queue instances."""
        self.checker = checker
        self.classes = InstanceClasses(resources, states)
        self.sequential: dict[object, ShapeChecks] = {}
        """Key: base category and shape of the demand."""


class SequentialFastPath:
    """The cached search for one slot in one run, with results by category."""

    def __init__(self, resources: Resources, known: KnownChecks, order: QueueOrder) -> None:
        self._resources = resources
        self._checker = known.checker
        self.order = order
        self._instance_classes = known.classes
        self._classes = known.classes.classes
        self._category_checks: dict[int, CategoryChecks | None] = {}
        self._shape_checks = known.sequential

    def of_category(self, category: Category) -> CategoryChecks | None:
        """Return the cached results for jobs without soft requests; None if the demand names queues."""
        key = id(category)
        category_checks = self._category_checks.get(key)
        if category_checks is None and key not in self._category_checks:
            category_checks = self._category_checks[key] = self._new_category_checks(category)
        return category_checks

    def _new_category_checks(self, category: Category) -> CategoryChecks | None:
        demand = category.demand
        if demand.queues or demand.master_queues:
            return None
        shape_checks = self._shape_checks.setdefault((category.base_category, demand.shape), ShapeChecks())
        category_checks = CategoryChecks(category, shape_checks, self._instance_classes.reads_loads(demand))
        if shape_checks.overall is not None:
            category_checks.overall = shape_checks.overall.needs(demand)
        return category_checks

    def find(self, category_checks: CategoryChecks, slot_quota: SlotQuota | None = None) -> int | None:
        """Return the queue instance that the rule would find; None if uncertain.

        A queue instance refused by `slot_quota` stays refused for the whole run.
        """
        number = self._next_candidate(category_checks, slot_quota)
        if number is None:
            return None
        needs = self._needs(category_checks, self._instance_class(number, category_checks))
        if needs is None:
            return None
        on_host, in_queue = needs
        resources = self._resources
        if _fit(on_host, resources.hosts[resources.host_of[number]].used) and _fit(
            in_queue, resources.queues[number].used
        ):
            return number
        return None

    def _next_candidate(self, category_checks: CategoryChecks, slot_quota: SlotQuota | None = None) -> int | None:
        """Return the first queue instance that the rule would check fully; None if uncertain."""
        resources, overall = self._resources, category_checks.overall
        if overall is None or self.order.is_arranged:
            return None
        if overall and not _fit(overall, resources.global_level.used):
            return None
        category = category_checks.category
        number = self.order.next_from(category_checks.cursor, category.unsuitable)
        if slot_quota is not None:
            number = self._next_open(number, category_checks, slot_quota)
        if number is None or resources.host_of[number] in category.unsuitable_hosts:
            return None
        if category.unsuitable_queues and resources.instances[number].queue in category.unsuitable_queues:
            return None
        return number

    def _instance_class(self, number: int, category_checks: CategoryChecks) -> int:
        """Return the class of a queue instance, equal for instances that the category does not distinguish."""
        if category_checks.reads_loads:
            return number
        return self._classes.get(number) or self._instance_classes.instance_class(number)

    def _needs(self, category_checks: CategoryChecks, instance_class: int) -> tuple[Needs, Needs] | None:
        """Return the needs on the host and on the queue instance of a class; None if unknown."""
        if instance_class in category_checks.needs:
            return category_checks.needs[instance_class]
        return _needs_of_shape(category_checks, instance_class)

    def _next_open(self, number: int | None, category_checks: CategoryChecks, slot_quota: SlotQuota) -> int | None:
        """Return the first queue instance from `number` on that quotas allow; None if they allow none."""
        category = category_checks.category
        while number is not None and (first_exceeded := slot_quota.first_exceeded(number)) is not None:
            ruled_out = slot_quota.ruled_out_by_rules.of(first_exceeded.rule, number)
            if ruled_out.everything:
                return None
            category.unsuitable.add(number)
            if ruled_out.queues or ruled_out.hosts:
                self._rule_out(category, ruled_out)
            number = self.order.next_from(category_checks.cursor, category.unsuitable)
        return number

    def _rule_out(self, category: Category, ruled_out: RuledOut) -> None:
        """Mark cluster queues and hosts that quotas rule out, and all their queue instances, as unsuitable."""
        category.unsuitable_queues |= ruled_out.queues
        category.unsuitable_hosts |= ruled_out.hosts
        resources = self._resources
        for host in ruled_out.hosts:
            category.unsuitable.update(resources.instances_of[host])
        for queue in ruled_out.queues:
            category.unsuitable.update(resources.instances_in[queue])

    def learn(self, category_checks: CategoryChecks, number: int) -> None:
        """Cache the checks of a queue instance that the rule has found, for its class and the category's shape."""
        instance_class, shape_checks, demand = (
            self._instance_class(number, category_checks),
            category_checks.shape_checks,
            category_checks.category.demand,
        )
        if category_checks.overall is None and shape_checks.overall is not None:
            category_checks.overall = shape_checks.overall.needs(demand)
        if instance_class in shape_checks.classes:
            return
        overall, host, queue = (
            self._checker.check_template(level, demand) for level in self._resources.levels_of(number)
        )
        shape_checks.classes[instance_class] = None
        if overall is None:
            return
        shape_checks.overall, category_checks.overall = overall, overall.needs(demand)
        if host is not None and queue is not None and queue.elsewhere <= overall.accepts | host.accepts:
            shape_checks.classes[instance_class] = host, queue


def _needs_of_shape(category_checks: CategoryChecks, instance_class: int) -> tuple[Needs, Needs] | None:
    """Cache and return the needs, computed from templates that all categories of the shape share; None if unknown."""
    check_templates, demand = category_checks.shape_checks.classes.get(instance_class), category_checks.category.demand
    if check_templates is None:
        return None
    host, queue = check_templates[0].needs(demand), check_templates[1].needs(demand)
    needs = category_checks.needs[instance_class] = None if host is None or queue is None else (host, queue)
    return needs


def _fit(needs: Needs, used: dict[str, float]) -> bool:
    for name, amount, total in needs:  # noqa: SIM110 - a generator takes longer than the comparisons
        if not amount <= total - used[name]:
            return False
    return True
