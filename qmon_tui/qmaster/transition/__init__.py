"""How time goes on: the state after the qmaster has carried out a run's orders, and the state after each event.

Nothing here knows a clock: when a run was is told by the run, when an event happens by an argument.
Source: lifecycle.md#events-between-runs.
"""

from qmon_tui.qmaster.transition.after_event import after_event
from qmon_tui.qmaster.transition.after_run import after_run
from qmon_tui.qmaster.transition.events import (
    CalendarSwitched,
    EarlierRunCleanedUp,
    Event,
    HostTimedOut,
    HostUnheard,
    LoadReported,
    Measured,
    ReservationBegan,
    ReservationEnded,
    StartFailed,
    StartFault,
    TaskArrived,
    TaskEnded,
    TaskSentBack,
    UsageReported,
    UserExpired,
)
from qmon_tui.qmaster.transition.events_together import EventsTogether

__all__ = [
    "CalendarSwitched",
    "EarlierRunCleanedUp",
    "Event",
    "EventsTogether",
    "HostTimedOut",
    "HostUnheard",
    "LoadReported",
    "Measured",
    "ReservationBegan",
    "ReservationEnded",
    "StartFailed",
    "StartFault",
    "TaskArrived",
    "TaskEnded",
    "TaskSentBack",
    "UsageReported",
    "UserExpired",
    "after_event",
    "after_run",
]
