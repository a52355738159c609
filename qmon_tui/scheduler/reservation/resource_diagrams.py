"""The resource diagrams of a run: what running tasks, starts and reservations use, and until when.

There is a diagram for the slots of each parallel environment and for each consumable of the global host, of each host
and of each queue instance. Without reservations (max_reservation 0) only resources that an advance reservation has
claimed have one.

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
"""Layer, name of the object there, resource."""


class ScheduleState(Enum):
    """Why something is in use, in the words of Grid Engine's schedule file."""

    RUNNING = "RUNNING"
    SUSPENDED = "SUSPENDED"
    STARTING = "STARTING"
    RESERVING = "RESERVING"


@dataclass(frozen=True, slots=True)
class ScheduleLine:
    """One line of the schedule file (reservation.md#schedule-file)."""

    job: int
    task: int
    kind: ScheduleState
    start: int
    end: int
    layer: str
    """P, G, H, Q or L."""
    name: str
    resource: str
    """For a quota set (L) the key under which it is counted."""
    amount: float


@dataclass(frozen=True, slots=True)
class TaskAllocation:
    """What a task has or gets: where, and from when to when."""

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
    """Whose quotas it counts against; None for nobody's."""

    @property
    def end(self) -> int:
        """When it ends, `INFINITE` for never."""
        return until(self.start, self.duration)


_Entry = Callable[[TaskAllocation, _Key, dict[_Key, StepFunction], float, _Key], None]
"""Enters a plan under a key with an amount; the last key is the one that the schedule file shows."""


@dataclass(slots=True)
class ResourceDiagrams:
    """All diagrams of one run."""

    attributes: AttributeTable
    resources: Resources
    schedules: bool
    """Everything has a diagram, as max_reservation is set."""
    visible: frozenset[int]
    """Queue instances whose diagrams are kept; in the others no future is planned."""
    quota_usage: QuotaUsage | None = None
    """The quotas, where there are any."""
    base: "ResourceDiagrams | None" = None
    """What was booked before; it stays as it is, and is copied where something is booked on top."""
    writes_lines: bool = True
    """The schedule file is wanted."""
    schedule_lines: list[ScheduleLine] = field(default_factory=list)
    _used: dict[_Key, StepFunction] = field(default_factory=dict)
    _shared: dict[_Key, StepFunction] = field(default_factory=dict)
    """Slots of jobs that are somewhere without asking for an exclusive attribute there."""

    def of(self, level: Level, resource: str) -> StepFunction:
        """The use of a consumable of one object; empty where there is no diagram."""
        return self._diagram(self._used, (level.layer, level.place, resource))

    def shared(self, level: Level, resource: str) -> StepFunction:
        """The use by jobs that do not ask for an exclusive attribute."""
        return self._diagram(self._shared, (level.layer, level.place, resource))

    def of_environment(self, name: str) -> StepFunction:
        """The slots in use of a parallel environment."""
        return self._diagram(self._used, (_ENVIRONMENT, name, SLOTS))

    def _diagram(self, diagrams: dict[_Key, StepFunction], key: _Key) -> StepFunction:
        steps = diagrams.get(key)
        if steps is None and self.base is not None:
            steps = self._beneath(diagrams).get(key)
        return _NOTHING if steps is None else steps

    def _beneath(self, diagrams: dict[_Key, StepFunction]) -> dict[_Key, StepFunction]:
        """The diagrams of what was booked before, of the same kind."""
        if self.base is None:
            return {}
        return self.base._used if diagrams is self._used else self.base._shared

    def claim(self, allocation: TaskAllocation) -> None:
        """Keep something free for an advance reservation; then it has diagrams on all levels."""
        self._enter(allocation, self._keep)

    def close(self, level: Level, periods: Iterable[tuple[int, int]], slots: float) -> None:
        """Let a calendar close a queue instance."""
        steps = self._steps(self._used, (level.layer, level.name, SLOTS))
        for start, end in periods:
            steps.close(start, end, slots)

    def book(self, allocation: TaskAllocation) -> None:
        """Enter a task on all levels; what counts per job is entered with the master queue only."""
        self._enter(allocation, self._add)

    def take_back(self, allocation: TaskAllocation) -> None:
        """Take out what was booked for a task, in diagrams without schedule lines."""
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
        """Enter a task of an advance reservation, which uses nothing but the reservation's stocks."""
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
