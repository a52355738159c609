"""The resource diagrams of a run: the use of resources over time by running tasks, starts and reservations.

The slots of each PE, and each consumable of the global host, a host or a queue instance, have a diagram. With
max_reservation 0 only resources that an advance reservation uses have one.

Source: reservation.md#resource-diagrams.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum

from qmon_tui.scheduler.configuration import AttributeTable, QuotaSubject
from qmon_tui.scheduler.jobs import Demand
from qmon_tui.scheduler.matching import QUOTA, SLOTS, Grants, Level, Resources
from qmon_tui.scheduler.quotas import QuotaUsage
from qmon_tui.scheduler.reservation.step_function import StepFunction, until

_ENVIRONMENT, _QUOTA = "p", "l"
_NOTHING = StepFunction()

_Key = tuple[str, str, str]
"""(layer, name of the object, resource); layers are g, h and q, p for a PE, l for a quota."""


class ScheduleState(Enum):
    """The reason why a resource is in use, as in Grid Engine's schedule file."""

    RUNNING = "RUNNING"
    SUSPENDED = "SUSPENDED"
    STARTING = "STARTING"
    RESERVING = "RESERVING"


@dataclass(frozen=True, slots=True)
class ScheduleLine:
    """One line of the schedule file (reservation.md#schedule-file); times are seconds since the epoch."""

    job: int
    task: int
    kind: ScheduleState
    start: int
    end: int
    layer: str
    name: str
    resource: str
    """The attribute; for a quota set (layer L) the key of the counter."""
    amount: float


@dataclass(frozen=True, slots=True)
class TaskAllocation:
    """The slots that a task has or gets, from `start` (seconds since the epoch) for `duration` seconds."""

    kind: ScheduleState
    job: int
    task: int
    demand: Demand
    grants: Grants
    start: int
    duration: int
    environment: str | None = None
    slots: int = 1
    subject: QuotaSubject | None = None
    """The user, group, project and PE whose quotas count; None if no quotas count."""

    @property
    def end(self) -> int:
        """End in seconds since the epoch; `INFINITE` for none."""
        return until(self.start, self.duration)


_Entry = Callable[[TaskAllocation, _Key, dict[_Key, StepFunction], float, _Key], None]
"""Books an amount for an allocation in the diagram of the first key; the last key is for the schedule file."""


@dataclass(slots=True)
class ResourceDiagrams:
    """All diagrams of one run."""

    attributes: AttributeTable
    resources: Resources
    schedules: bool
    """True if max_reservation is above 0, so that every resource has a diagram."""
    visible: frozenset[int]
    """Queue instances with diagrams; others get no reservations."""
    quota_usage: QuotaUsage | None = None
    base: "ResourceDiagrams | None" = None
    """Diagrams to build on; they are not changed, but copied before a booking is added."""
    writes_lines: bool = True
    """True if schedule lines are recorded."""
    schedule_lines: list[ScheduleLine] = field(default_factory=list)
    _used: dict[_Key, StepFunction] = field(default_factory=dict)
    _shared: dict[_Key, StepFunction] = field(default_factory=dict)
    """Exclusive attribute -> slots of jobs that do not request it."""

    def of(self, level: Level, resource: str) -> StepFunction:
        """Return the use of a consumable of one level over time; empty if it has no diagram."""
        return self._diagram(self._used, (level.layer, level.place, resource))

    def shared(self, level: Level, resource: str) -> StepFunction:
        """Return the slots, over time, of jobs that do not request this exclusive attribute."""
        return self._diagram(self._shared, (level.layer, level.place, resource))

    def of_environment(self, name: str) -> StepFunction:
        """Return the slots of a PE that are in use over time."""
        return self._diagram(self._used, (_ENVIRONMENT, name, SLOTS))

    def _diagram(self, diagrams: dict[_Key, StepFunction], key: _Key) -> StepFunction:
        steps = diagrams.get(key)
        if steps is None and self.base is not None:
            steps = self._beneath(diagrams).get(key)
        return _NOTHING if steps is None else steps

    def _beneath(self, diagrams: dict[_Key, StepFunction]) -> dict[_Key, StepFunction]:
        """Return the diagrams of `base` that correspond to `diagrams`, which is `_used` or `_shared`."""
        if self.base is None:
            return {}
        return self.base._used if diagrams is self._used else self.base._shared

    def claim(self, allocation: TaskAllocation) -> None:
        """Book an advance reservation; each resource it uses gets a diagram, even with max_reservation 0."""
        self._enter(allocation, self._keep)

    def close(self, level: Level, periods: Iterable[tuple[int, int]], slots: float) -> None:
        """Book all `slots` of a queue instance for the (start, end) in which its calendar closes it."""
        steps = self._steps(self._used, (level.layer, level.name, SLOTS))
        for start, end in periods:
            steps.close(start, end, slots)

    def book(self, allocation: TaskAllocation) -> None:
        """Book a task on all levels; consumables per job only with the master queue."""
        self._enter(allocation, self._add)

    def take_back(self, allocation: TaskAllocation) -> None:
        """Release a booked task, in diagrams without schedule lines."""
        self._enter(allocation, self._subtract)

    def _enter(self, allocation: TaskAllocation, add: _Entry) -> None:
        if allocation.environment is not None:
            key = (_ENVIRONMENT, allocation.environment, SLOTS)
            add(allocation, key, self._used, float(allocation.slots), key)
        if allocation.grants:
            self._enter_level(allocation, self.resources.global_level, allocation.slots, add, is_master=True)
        is_master = True
        for number, slots in allocation.grants:
            _, host, queue = self.resources.levels_of(number)
            self._enter_level(allocation, host, slots, add, is_master)
            if number in self.visible:
                self._enter_level(allocation, queue, slots, add, is_master)
            self._book_quotas(allocation, number, slots, add, is_master)
            is_master = False

    def _book_quotas(self, allocation: TaskAllocation, number: int, slots: int, add: _Entry, is_master: bool) -> None:
        if self.quota_usage is None or allocation.subject is None:
            return
        for rule_usage in self.quota_usage.subject_usage(allocation.subject).rule_usages[number]:
            for count in self.quota_usage.counts(rule_usage.rule, allocation.demand):
                times = count.times(slots, is_master)
                if times:
                    key = (QUOTA, rule_usage.place, rule_usage.rule.limits[count.limit].attribute.name)
                    shown = (_QUOTA, rule_usage.rule.quota_set, rule_usage.key)
                    steps = self._used if count.amount else self._shared
                    add(allocation, key, steps, (count.amount or float(count.shared)) * times, shown)

    def _enter_level(self, allocation: TaskAllocation, level: Level, slots: int, add: _Entry, is_master: bool) -> None:
        for name in level.used:
            attribute = self.attributes.by_name[name]
            if attribute.per_job and not is_master:
                continue
            count = 1 if attribute.per_job else slots
            amount = allocation.demand.amounts.get(name, attribute.default_amount)
            key, shown = (level.layer, level.place, name), (level.layer, level.name, name)
            if amount:
                add(allocation, key, self._used, amount * count, shown)
            elif attribute.exclusive:
                add(allocation, key, self._shared, float(count), shown)

    def book_in(self, ar_levels: Mapping[int, Level], allocation: TaskAllocation) -> None:
        """Book a task of a job in an advance reservation, in the reservation's stock only."""
        for position, (number, slots) in enumerate(allocation.grants):
            if number in ar_levels:
                self._enter_level(allocation, ar_levels[number], slots, self._add, is_master=position == 0)

    def _keep(
        self, allocation: TaskAllocation, key: _Key, diagrams: dict[_Key, StepFunction], amount: float, shown: _Key
    ) -> None:
        self._steps(diagrams, key).add(allocation.start, allocation.end, amount)

    def _add(
        self, allocation: TaskAllocation, key: _Key, diagrams: dict[_Key, StepFunction], amount: float, shown: _Key
    ) -> None:
        if not allocation.duration or not (self.schedules or diagrams.get(key)):
            return
        if self.schedules and self.writes_lines:
            layer, name, resource = shown
            self.schedule_lines.append(
                ScheduleLine(
                    allocation.job,
                    allocation.task,
                    allocation.kind,
                    allocation.start,
                    allocation.end,
                    layer.upper(),
                    name,
                    resource,
                    amount,
                )
            )
        self._keep(allocation, key, diagrams, amount, shown)

    def _subtract(
        self, allocation: TaskAllocation, key: _Key, diagrams: dict[_Key, StepFunction], amount: float, shown: _Key
    ) -> None:
        if allocation.duration:
            self._keep(allocation, key, diagrams, -amount, shown)

    def _steps(self, diagrams: dict[_Key, StepFunction], key: _Key) -> StepFunction:
        steps = diagrams.get(key)
        if steps is None:
            before = self._beneath(diagrams).get(key)
            steps = diagrams[key] = StepFunction() if before is None else before.copy()
        return steps
