"""Events from the configuration: calendars switch, advance reservations begin and end."""

from typing import TYPE_CHECKING

from qmon_tui.model import Kind
from qmon_tui.qmaster.transition import CalendarSwitched, ReservationBegan, ReservationEnded
from qmon_tui.scheduler import session_of

if TYPE_CHECKING:
    from qmon_tui.simulation.simulator import Simulator


def plan_calendars(simulator: "Simulator", *names: str) -> None:
    """Plan the next switch of some calendars, or of all."""
    compiled = session_of(simulator.cluster).compiled(simulator.state)
    for name in names or simulator.cluster.objects(Kind.CALENDAR):
        calendar = compiled.calendars.get(name)
        change = calendar.next_change(simulator.now) if calendar is not None else None
        if change is not None:
            simulator.plan_timer(change, CalendarSwitched(name))


def plan_reservations(simulator: "Simulator") -> None:
    """Plan when advance reservations begin and end."""
    for reservation in simulator.state.reservations:
        if reservation.start > simulator.now:
            simulator.queue.plan(reservation.start, ReservationBegan(reservation.id))
        simulator.queue.plan(max(simulator.now, reservation.end), ReservationEnded(reservation.id))
