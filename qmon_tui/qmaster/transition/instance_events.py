"""Events of hosts, queue instances and advance reservations: reports, timeouts, calendars and dates."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Final

from qmon_tui.model import HOST, Cluster, State, rescheduling_of
from qmon_tui.qmaster.commands import JobCommand, Target, give_back, modify
from qmon_tui.qmaster.commands.qrsub_qrdel import in_error, with_ar_states
from qmon_tui.qmaster.commands.subordinate_suspension import (
    propagated,
    set_letters,
    suspended_by_others,
    with_suspensions,
)
from qmon_tui.qmaster.scheduler_events import with_changed_instances
from qmon_tui.qmaster.transition.events import (
    CalendarSwitched,
    HostTimedOut,
    HostUnheard,
    LoadReported,
    ReservationBegan,
    ReservationEnded,
)
from qmon_tui.scheduler.configuration import compile_cluster
from qmon_tui.scheduler.suspension import UNREACHABLE, in_order, queue_states
from qmon_tui.values import DAY, Calendar, CalendarState, canonical

_STATIC_LOADS: Final = frozenset(
    (
        *("arch", "num_proc", "mem_total", "swap_total", "virtual_total"),
        *("m_socket", "m_core", "m_thread", "m_topology"),
    )
)
"""Load values that a silent host keeps."""
_WAITS, _WAITS_IN_ERROR, _OPEN, _DELETED = "w", "W", "r", "d"
_STOPPED: Final = frozenset("sSC")
"""States of a suspended queue instance."""
_LONG: Final = 8 * DAY
"""Seconds; earlier calendar changes are ignored."""


def load_reported(cluster: Cluster, state: State, event: LoadReported) -> State:
    """Set load values; the host moves to the end of the scheduler's list, and is not unknown any more."""
    reported = {**state.loads.get(event.host, {}), **dict(event.values)}
    loads = MappingProxyType({**state.loads, event.host: MappingProxyType(reported)})
    heard = with_changed_instances(replace(state, loads=loads), [HOST.format(event.host)])
    unknown = [name for name in _instances_on(cluster, event.host) if UNREACHABLE in state.queue_states.get(name, "")]
    return without_letter(cluster, heard, unknown, UNREACHABLE)


def host_unheard(cluster: Cluster, state: State, event: HostUnheard) -> State:
    """Keep only a host's constant load values, and set its queue instances unknown; running tasks continue."""
    kept = {name: text for name, text in state.loads.get(event.host, {}).items() if name in _STATIC_LOADS}
    loads = {host: values for host, values in state.loads.items() if host != event.host}
    if kept:
        loads[event.host] = MappingProxyType(kept)
    silent = with_changed_instances(replace(state, loads=MappingProxyType(loads)), [HOST.format(event.host)])
    return with_letter(cluster, silent, _instances_on(cluster, event.host), UNREACHABLE)


def host_timed_out(cluster: Cluster, state: State, event: HostTimedOut) -> State:
    """Reschedule every rerunnable task whose master queue is on the host, suspended or not."""
    if not rescheduling_of(cluster).is_automatic:
        return state
    for job in state.jobs:
        tasks = tuple(
            number
            for number, task in job.tasks.items()
            if "q" not in task.state and any(_is_on(name, event.host) for name in list(task.granted)[:1])
        )
        if tasks:
            state = modify(cluster, state, JobCommand.RESCHEDULE, Target(job.id, tasks)).state
    return state


def calendar_switched(cluster: Cluster, state: State, event: CalendarSwitched) -> State:
    """Suspend tasks if the calendar suspends, resume them if it no longer does.

    All its instances are sent to the scheduler, in the qmaster's order.
    """
    compiled = compile_cluster(cluster)
    calendar = compiled.calendars.get(event.calendar)
    if calendar is None:
        return state
    shown = {
        instance.name: set(letters)
        for instance, letters in zip(compiled.instances, queue_states(compiled, state, state.now), strict=True)
        if instance.profile.calendar == event.calendar
    }
    stopped = shown.keys() if calendar.state_at(state.now) is CalendarState.SUSPENDED else ()
    was_suspended = _before_switch(calendar, state.now) is CalendarState.SUSPENDED
    resuming = [name for name in shown if was_suspended and not shown[name] & _STOPPED]
    jobs = tuple(propagated(job, stopped, resuming) for job in state.jobs)
    after = with_changed_instances(replace(state, jobs=jobs), shown, suspended_by_others(cluster, state))
    return with_suspensions(cluster, state, after)


def _before_switch(calendar: Calendar, now: int) -> CalendarState:
    """Return the calendar's state before its present one."""
    *_, last = None, *calendar.closed(now - _LONG, now + 1)
    if last is None:
        return CalendarState.ON
    return last.state if last.end <= now else calendar.state_at(last.start - 1)


def reservation_began(_: Cluster, state: State, event: ReservationBegan) -> State:
    """Open the reservation; it is in error if one of its queue instances is suspended or in error."""
    begun = {_WAITS: _OPEN, _WAITS_IN_ERROR: "E"}
    reservations = tuple(
        in_error(replace(reservation, state=begun.get(reservation.state, reservation.state)), state.queue_states)
        if reservation.id == event.reservation
        else reservation
        for reservation in state.reservations
    )
    return state if reservations == state.reservations else replace(state, reservations=reservations)


def reservation_ended(cluster: Cluster, state: State, event: ReservationEnded) -> State:
    """Remove the reservation and its jobs, running or not."""
    return give_back(cluster, state, event.reservation, force=True).state


def with_letter(cluster: Cluster, state: State, names: Iterable[str], letter: str) -> State:
    """Return the state with a letter set for queue instances that lack it."""
    return _with_letters(
        cluster, state, {name: shown + letter for name in names if letter not in (shown := _letters(state, name))}
    )


def without_letter(cluster: Cluster, state: State, names: Iterable[str], letter: str) -> State:
    """Return the state with a letter removed from queue instances."""
    return _with_letters(
        cluster,
        state,
        {name: shown.replace(letter, "") for name in names if letter in (shown := _letters(state, name))},
    )


def _letters(state: State, name: str) -> str:
    return state.queue_states.get(name, "")


def _with_letters(cluster: Cluster, state: State, changed: Mapping[str, str]) -> State:
    if not changed:
        return state
    states = dict(state.queue_states)
    for name, shown in changed.items():
        set_letters(cluster, states, name, in_order(shown))
    after = replace(state, queue_states=MappingProxyType(states))
    return with_ar_states(with_changed_instances(after, changed, suspended_by_others(cluster, state)), changed)


def _instances_on(cluster: Cluster, host: str) -> list[str]:
    return [instance.name for instance in compile_cluster(cluster).instances if _is_on(instance.name, host)]


def _is_on(instance: str, host: str) -> bool:
    return canonical(instance.partition("@")[2]) == canonical(host)
