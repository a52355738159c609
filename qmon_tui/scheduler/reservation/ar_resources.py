"""An advance reservation during a run: its own slots and consumables, and its users.

In each granted queue instance the reservation has a stock of slots and requested consumables for its jobs only. All
other attributes are those of the queue instance.

Source: reservation.md#advance-reservations.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from qmon_tui.model import AdvanceReservation, Request, State, messages
from qmon_tui.scheduler.configuration import AttributeTable, CompiledCluster, Userset, Value
from qmon_tui.scheduler.jobs import Demand, RunJob, compile_demand
from qmon_tui.scheduler.matching import SLOTS, Grants, Level, Resources, consumables
from qmon_tui.scheduler.reservation.ar_granted_pe import EXCLUDED, ar_occupancy, granted_pe, job_occupancies

OPEN: Final = frozenset("rE")
"""States of a reservation that has begun: running, error."""
_IN_ERROR, _DELETED = "E", "d"


def lasting(state: State) -> tuple[AdvanceReservation, ...]:
    """Return the reservations that are not over."""
    return tuple(reservation for reservation in state.reservations if not reservation.is_over)


def holding(state: State) -> tuple[AdvanceReservation, ...]:
    """Return the reservations that hold resources; a deleted one holds all of its resources while its jobs run."""
    return tuple(
        reservation for reservation in state.reservations if not reservation.is_over or reservation.state == _DELETED
    )


@dataclass(slots=True)
class ArLevel(Level):
    """The stock of an advance reservation (by number) in one queue instance."""

    reservation: int = 0

    @property
    def place(self) -> str:
        """The key of the stock's own resource diagrams."""
        return f"{self.name} in {self.reservation}"


@dataclass(slots=True)
class ArResources:
    """A reservation and the use of its stock."""

    reservation: AdvanceReservation
    demand: Demand
    levels: dict[int, ArLevel]
    """Queue instance number -> stock."""
    attributes: AttributeTable
    usersets: Iterable[Userset]
    environment: str | None = None
    """The PE that it was granted; None without a PE. qrstat shows only the requested pattern."""

    @property
    def grants(self) -> Grants:
        """The granted queue instances (without removed ones) and slots."""
        return [(number, int(level.configured[SLOTS].number)) for number, level in self.levels.items()]

    def slots_on(self, host: str) -> int:
        """Return the reserved slots on a host, in use or not."""
        granted = self.reservation.granted.items()
        return sum(slots for name, slots in granted if name.partition("@")[2] == host)

    @property
    def free_slots(self) -> int:
        """The reserved slots that no job uses."""
        return int(sum(level.configured[SLOTS].number - level.used[SLOTS] for level in self.levels.values()))

    def refusal(self, run_job: RunJob) -> str | None:
        """Return the message why a job may not use the reservation now; None if it may."""
        reservation, job = self.reservation, run_job.job
        if reservation.state == _IN_ERROR and reservation.strict:
            return messages.message(messages.RESERVATION_IN_ERROR, str(reservation.id))
        if reservation.state not in OPEN:
            return messages.message(messages.START_TIME)
        if reservation.users and not self._permits(job.owner, job.group):
            return messages.message(messages.NO_PERMISSION, "advance_reservation", str(reservation.id))
        return None

    def _permits(self, owner: str, group: str) -> bool:
        users = self.reservation.users
        if EXCLUDED + owner in users:
            return False
        if all(name.startswith(EXCLUDED) for name in users) or owner in users or f"@{group}" in users:
            return True
        return any(f"@{userset.name}" in users and userset.contains(owner, group) for userset in self.usersets)

    def debit(self, demand: Demand, grants: Grants) -> None:
        """Book a task of a job in the reservation; consumables per job only with the master queue."""
        for position, (number, slots) in enumerate(grants):
            level = self.levels.get(number)
            if level is None:
                continue
            for name in level.used:
                attribute = self.attributes.by_name[name]
                if position == 0 or not attribute.per_job:
                    amount = demand.amounts.get(name, attribute.default_amount)
                    level.used[name] += amount * (1 if attribute.per_job else slots)


def compile_reservations(
    state: State, compiled: CompiledCluster, resources: Resources, jobs: Iterable[RunJob]
) -> dict[str, ArResources]:
    """Return number, as text -> reservation that holds resources, with the bookings of running jobs."""
    usersets = tuple(compiled.usersets.values())
    by_number: dict[str, ArResources] = {}
    jobs = tuple(jobs)
    occupancies = job_occupancies(jobs, resources)
    for reservation in holding(state):
        demand = compile_demand(Request(hard=reservation.requests), compiled.attributes)
        numbers = resources.instance_numbers
        levels = {
            numbers[name]: _ar_level(
                reservation.id,
                resources.queues[numbers[name]],
                slots,
                demand,
                compiled.attributes,
                is_master=position == 0,
            )
            for position, (name, slots) in enumerate(reservation.granted.items())
            if name in numbers
        }
        environment = granted_pe(reservation, resources, levels, occupancies)
        occupancies.append(ar_occupancy(reservation, environment))
        by_number[str(reservation.id)] = ArResources(
            reservation, demand, levels, compiled.attributes, usersets, environment
        )
    for run_job in jobs:
        reserved = by_number.get(run_job.job.request.advance_reservation or "")
        if reserved is not None:
            for number in (*run_job.split.running, *run_job.split.suspended):
                reserved.debit(run_job.demand, resources.grants_of(run_job.job.tasks[number]))
    return by_number


def _ar_level(
    reservation: int, level: Level, slots: int, demand: Demand, attributes: AttributeTable, *, is_master: bool
) -> ArLevel:
    """Return the stock in a queue instance; consumables per job are only in that of the master queue."""
    configured = dict(without_consumables(level, attributes).configured)
    configured[SLOTS] = Value(str(slots), float(slots))
    for wanted in demand.hard:
        if wanted.attribute.is_consumable and (is_master or not wanted.attribute.per_job):
            amount = wanted.amount * (1 if wanted.attribute.per_job else slots)
            configured[wanted.attribute.name] = Value(str(amount), amount)
    used = consumables(configured, attributes)
    return ArLevel(level.layer, level.name, configured, used, fields=level.fields, reservation=reservation)


def without_consumables(level: Level, attributes: AttributeTable) -> Level:
    """Return a copy of the level without consumables."""
    kept = {name: value for name, value in level.configured.items() if not attributes.by_name[name].is_consumable}
    return replace(level, configured=kept, used={}, shared={})


def slots_reserved(state: State) -> dict[str, int]:
    """Return queue instance -> slots of reservations that have begun, as `qstat -f` shows them."""
    slots_by_instance: dict[str, int] = {}
    for reservation in state.reservations:
        if reservation.state in OPEN or reservation.state == _DELETED:
            for name, slots in reservation.granted.items():
                slots_by_instance[name] = slots_by_instance.get(name, 0) + slots
    return slots_by_instance
