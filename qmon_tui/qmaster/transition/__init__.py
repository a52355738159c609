"""State transitions: after a run's orders are carried out, and after each event.

There is no clock here: a run has its time, and an event gets it as an argument.

Source: lifecycle.md#events-between-runs.
"""

from qmon_tui.qmaster.transition.after_event import after_event as after_event
from qmon_tui.qmaster.transition.after_run import after_run as after_run
from qmon_tui.qmaster.transition.events import (
    CalendarSwitched as CalendarSwitched,
    EarlierRunCleanedUp as EarlierRunCleanedUp,
    Event as Event,
    HostTimedOut as HostTimedOut,
    HostUnheard as HostUnheard,
    LoadReported as LoadReported,
    Measured as Measured,
    ReservationBegan as ReservationBegan,
    ReservationEnded as ReservationEnded,
    TaskArrived as TaskArrived,
    TaskEnded as TaskEnded,
    UsageReported as UsageReported,
    UserExpired as UserExpired,
)
from qmon_tui.qmaster.transition.task_events import ASKS_FOR_MORE as ASKS_FOR_MORE, summed as summed
