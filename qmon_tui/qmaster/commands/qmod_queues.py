"""qmod -d, -e, -sq, -usq and -cq: queue instances disabled, enabled, suspended, resumed and cleared of errors."""

from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from qmon_tui.model import Cluster, State, queue_instances, resolve_group
from qmon_tui.qmaster.commands.command import OPERATOR_AT_HOST, Reply
from qmon_tui.qmaster.commands.qrsub_qrdel import with_ar_states
from qmon_tui.qmaster.commands.subordinate_suspension import (
    propagated,
    set_letters,
    starts_disabled,
    suspended_by_others,
    with_suspensions,
)
from qmon_tui.qmaster.scheduler_events import with_changed_instances
from qmon_tui.values import compile_pattern, is_group


class InstanceCommand(StrEnum):
    """An option of qmod for queue instances."""

    DISABLE = "-d"
    ENABLE = "-e"
    SUSPEND = "-sq"
    UNSUSPEND = "-usq"
    CLEAR_ERROR = "-cq"


@dataclass(frozen=True, slots=True)
class _Transition:
    """A state that is set or cleared, and the qmaster's word for the result."""

    letter: str
    sets: bool
    words: str


_TRANSITIONS: Final = {
    InstanceCommand.DISABLE: _Transition("d", True, "disabled"),
    InstanceCommand.ENABLE: _Transition("d", False, "enabled"),
    InstanceCommand.SUSPEND: _Transition("s", True, "suspended"),
    InstanceCommand.UNSUSPEND: _Transition("s", False, "unsuspended"),
    InstanceCommand.CLEAR_ERROR: _Transition("E", False, "no error"),
}
_STOPPED: Final = frozenset("SC")
_ORDER: Final = "aACDduESsco"


def instances_named(cluster: Cluster, pattern: str) -> tuple[str, ...]:
    """Return the queue instances that a word of qmod means: `all.q`, `all.q@sim1`, `*@sim1`, `all.q@@nodes`."""
    queue, at, host = pattern.partition("@")
    if is_group(host):
        hosts = resolve_group(cluster, host)
        return tuple(
            f"{name}@{place}"
            for name, place in queue_instances(cluster)
            if place in hosts and compile_pattern(queue).fullmatch(name)
        )
    return tuple(
        f"{name}@{place}"
        for name, place in queue_instances(cluster)
        if compile_pattern(queue).fullmatch(name) and (not at or compile_pattern(host).fullmatch(place))
    )


def change_instances(
    cluster: Cluster,
    state: State,
    command: InstanceCommand,
    names: Iterable[str],
    *,
    shown_states: Mapping[str, str] | None = None,
    unknown: Container[str] = (),
) -> Reply:
    """Apply a command to queue instances.

    `shown_states`: their states besides the recorded ones (suspended by a calendar, subordinated), by name.
    """
    printed: list[str] = []
    touched: list[str] = []
    states = dict(state.queue_states)
    stopped: set[str] = set()
    resuming: set[str] = set()
    transition = _TRANSITIONS[command]
    for name in names:
        if name in unknown:
            printed.append(f'invalid queue "{name}"')
            continue
        given = state.queue_states.get(name)
        first = "d" if given is None and starts_disabled(cluster, name) else given or ""
        shown = set(first) | set((shown_states or {}).get(name, ""))
        if (transition.letter in first) is transition.sets:
            printed.append(f'Queue instance "{name}" is already in the specified state: {transition.words}')
            continue
        if transition.letter == "s" and shown & _STOPPED:
            # The qmaster ignores the command, without a message, if a calendar or another queue suspends the instance.
            continue
        touched.append(name)
        after = _in_order(set(first) ^ {transition.letter})
        printed.append(f'{OPERATOR_AT_HOST} changed state of "{name}" ({transition.words})')
        set_letters(cluster, states, name, after)
        if transition.letter == "s":
            (stopped if transition.sets else resuming).add(name)
    if not touched:
        return Reply(state, tuple(printed))
    jobs = tuple(propagated(job, stopped, resuming) for job in state.jobs) if stopped or resuming else state.jobs
    reasons = state.error_reasons
    if command is InstanceCommand.CLEAR_ERROR:
        reasons = MappingProxyType({name: text for name, text in reasons.items() if name not in touched})
    changed = replace(state, queue_states=MappingProxyType(states), error_reasons=reasons, jobs=jobs)
    changed = with_changed_instances(changed, touched, suspended_by_others(cluster, state))
    return Reply(with_suspensions(cluster, state, with_ar_states(changed, touched)), tuple(printed))


def _in_order(letters: set[str]) -> str:
    return "".join(letter for letter in _ORDER if letter in letters)
