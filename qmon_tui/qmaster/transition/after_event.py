"""The state after an event that no user command causes (lifecycle.md#events-between-runs)."""

from collections.abc import Callable
from dataclasses import replace
from types import MappingProxyType
from typing import Any, Final

from qmon_tui.model import Cluster, PastUsage, State, renewed
from qmon_tui.qmaster.transition import events, instance_events, task_events

_Effect = Callable[[Cluster, State, Any], State]


def after_event(cluster: Cluster, state: State, event: events.Event, *, at: int) -> State:
    """Return the state after an event at `at` (seconds since the epoch, not before the state's time).

    An event that no longer applies, such as the end of a removed task, changes only the time.
    """
    effect = _EFFECTS[type(event)]
    return effect(cluster, state if state.now == at else renewed(state, now=at), event)


def _user_expired(_: Cluster, state: State, event: events.UserExpired) -> State:
    users = {name: usage for name, usage in state.usage.users.items() if name != event.user}
    return replace(state, usage=PastUsage(MappingProxyType(users), state.usage.projects))


_EFFECTS: Final[dict[type, _Effect]] = {
    events.TaskArrived: task_events.task_arrived,
    events.TaskEnded: task_events.task_ended,
    events.StartFailed: task_events.start_failed,
    events.TaskSentBack: task_events.task_sent_back,
    events.EarlierRunCleanedUp: task_events.earlier_run_cleaned_up,
    events.UsageReported: task_events.usage_reported,
    events.LoadReported: instance_events.load_reported,
    events.HostUnheard: instance_events.host_unheard,
    events.HostTimedOut: instance_events.host_timed_out,
    events.CalendarSwitched: instance_events.calendar_switched,
    events.ReservationBegan: instance_events.reservation_began,
    events.ReservationEnded: instance_events.reservation_ended,
    events.UserExpired: _user_expired,
}
