"""The resource diagrams of a run: what running tasks, starts and reservations use, and until when (dispatch.md 9.1).

There is a diagram for the slots of each parallel environment and for each consumable of the global host, of each host
and of each queue instance. Without reservations (max_reservation 0) only resources that an advance reservation has
claimed have one.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum

from qmon_tui.scheduler.compiled.attributes import AttributeTable
from qmon_tui.scheduler.matching.level import QUOTA, Level
from qmon_tui.scheduler.quotas.ledger import Ledger
from qmon_tui.scheduler.quotas.territory import Party
from qmon_tui.scheduler.requests import Demand
from qmon_tui.scheduler.resources import SLOTS, Grants, Resources
from qmon_tui.scheduler.timeline.steps import Steps, until

_ENVIRONMENT, _QUOTA = "p", "l"
_NOTHING = Steps()

_Key = tuple[str, str, str]
"""Layer, name of the object there, resource."""


class Kind(Enum):
    """Why something is in use, in the words of Grid Engine's schedule file."""

    RUNNING = "RUNNING"
    SUSPENDED = "SUSPENDED"
    STARTING = "STARTING"
    RESERVING = "RESERVING"


@dataclass(frozen=True, slots=True)
class Booking:
    """One line of the schedule file (dispatch.md section 9.6)."""

    job: int
    task: int
    kind: Kind
    start: int
    end: int
    layer: str
    """P, G, H, Q or L."""
    name: str
    resource: str
    """For a quota set (L) the key under which it is counted."""
    amount: float


@dataclass(frozen=True, slots=True)
class Plan:
    """What a task has or gets: where, and from when to when."""

    kind: Kind
    job: int
    task: int
    demand: Demand
    grants: Grants
    start: int
    duration: int
    environment: str | None = None
    slots: int = 1
    party: Party | None = None
    """Whose quotas it counts against; None for nobody's."""

    @property
    def end(self) -> int:
        """When it ends, `INFINITE` for never."""
        return until(self.start, self.duration)


_Entry = Callable[[Plan, _Key, dict[_Key, Steps], float, _Key], None]
"""Enters a plan under a key with an amount; the last key is the one that the schedule file shows."""


@dataclass(slots=True)
class Diagrams:
    """All diagrams of one run."""

    attributes: AttributeTable
    resources: Resources
    schedules: bool
    """Everything has a diagram, as max_reservation is set."""
    visible: frozenset[int]
    """Queue instances whose diagrams are kept; in the others no future is planned."""
    ledger: Ledger | None = None
    """The quotas, where there are any."""
    bookings: list[Booking] = field(default_factory=list)
    _used: dict[_Key, Steps] = field(default_factory=dict)
    _shared: dict[_Key, Steps] = field(default_factory=dict)
    """Slots of jobs that are somewhere without asking for an exclusive attribute there."""

    def of(self, level: Level, resource: str) -> Steps:
        """The use of a consumable of one object; empty where there is no diagram."""
        return self._used.get((level.layer, level.place, resource), _NOTHING)

    def shared(self, level: Level, resource: str) -> Steps:
        """The use by jobs that do not ask for an exclusive attribute."""
        return self._shared.get((level.layer, level.place, resource), _NOTHING)

    def of_environment(self, name: str) -> Steps:
        """The slots in use of a parallel environment."""
        return self._used.get((_ENVIRONMENT, name, SLOTS), _NOTHING)

    def claim(self, plan: Plan) -> None:
        """Keep something free for an advance reservation; then it has diagrams on all levels."""
        self._enter(plan, self._keep)

    def close(self, level: Level, periods: Iterable[tuple[int, int]], slots: float) -> None:
        """Let a calendar close a queue instance."""
        steps = self._steps(self._used, (level.layer, level.name, SLOTS))
        for start, end in periods:
            steps.close(start, end, slots)

    def book(self, plan: Plan) -> None:
        """Enter a task on all levels; what counts per job is entered with the master queue only."""
        self._enter(plan, self._add)

    def _enter(self, plan: Plan, add: _Entry) -> None:
        if plan.environment is not None:
            key = (_ENVIRONMENT, plan.environment, SLOTS)
            add(plan, key, self._used, float(plan.slots), key)
        if plan.grants:
            self._enter_level(plan, self.resources.global_level, plan.slots, add, is_master=True)
        is_master = True
        for number, slots in plan.grants:
            _, host, queue = self.resources.levels_of(number)
            self._enter_level(plan, host, slots, add, is_master)
            if number in self.visible:
                self._enter_level(plan, queue, slots, add, is_master)
            self._book_quotas(plan, number, slots, is_master)
            is_master = False

    def _book_quotas(self, plan: Plan, number: int, slots: int, is_master: bool) -> None:
        if self.ledger is None or plan.party is None:
            return
        for tally in self.ledger.account(plan.party).tallies[number]:
            for count in self.ledger.counts(tally.rule, plan.demand):
                times = count.times(slots, is_master)
                if times:
                    key = (QUOTA, tally.place, tally.rule.limits[count.limit].attribute.name)
                    shown = (_QUOTA, tally.rule.quota_set, tally.key)
                    steps = self._used if count.amount else self._shared
                    self._add(plan, key, steps, (count.amount or float(count.shared)) * times, shown)

    def _enter_level(self, plan: Plan, level: Level, slots: int, add: _Entry, is_master: bool) -> None:
        for name in level.used:
            attribute = self.attributes.by_name[name]
            if attribute.per_job and not is_master:
                continue
            count = 1 if attribute.per_job else slots
            amount = plan.demand.amounts.get(name, attribute.default_amount)
            key, shown = (level.layer, level.place, name), (level.layer, level.name, name)
            if amount:
                add(plan, key, self._used, amount * count, shown)
            elif attribute.exclusive:
                add(plan, key, self._shared, float(count), shown)

    def book_in(self, stocks: Mapping[int, Level], plan: Plan) -> None:
        """Enter a task of an advance reservation, which uses nothing but the reservation's stocks."""
        for place, (number, slots) in enumerate(plan.grants):
            if number in stocks:
                self._enter_level(plan, stocks[number], slots, self._add, is_master=place == 0)

    def _keep(self, plan: Plan, key: _Key, diagrams: dict[_Key, Steps], amount: float, shown: _Key) -> None:
        self._steps(diagrams, key).add(plan.start, plan.end, amount)

    def _add(self, plan: Plan, key: _Key, diagrams: dict[_Key, Steps], amount: float, shown: _Key) -> None:
        if not plan.duration or not (self.schedules or diagrams.get(key)):
            return
        if self.schedules:
            layer, name, resource = shown
            self.bookings.append(
                Booking(plan.job, plan.task, plan.kind, plan.start, plan.end, layer.upper(), name, resource, amount)
            )
        self._keep(plan, key, diagrams, amount, shown)

    @staticmethod
    def _steps(diagrams: dict[_Key, Steps], key: _Key) -> Steps:
        return diagrams.setdefault(key, Steps()) if key not in diagrams else diagrams[key]
