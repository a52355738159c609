"""qmod -d, -e, -sq, -usq and -cq: queue instances disabled, enabled, suspended, resumed and freed from their error."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from qmon_tui.model.cluster import Cluster
from qmon_tui.model.kinds import Kind
from qmon_tui.model.state import Job, State, Task
from qmon_tui.model.topology import effective, queue_instances
from qmon_tui.simulation.commands.modify import resumed
from qmon_tui.simulation.commands.reply import OPERATOR, Operator, Reply, moved
from qmon_tui.simulation.commands.reserved import with_reservations
from qmon_tui.simulation.commands.tasks import letters
from qmon_tui.values.fnmatch import compile_pattern


class InstanceCommand(StrEnum):
    """An option of qmod for queue instances."""

    DISABLE = "-d"
    ENABLE = "-e"
    SUSPEND = "-sq"
    UNSUSPEND = "-usq"
    CLEAR_ERROR = "-cq"


@dataclass(frozen=True, slots=True)
class _Transition:
    """A letter that is set or taken away, and what the qmaster calls the state that is reached."""

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
    """The queue instances that a word of qmod means: `all.q`, `all.q@sim1`, `*@sim1`."""
    queue, at, host = pattern.partition("@")
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
    standing: Mapping[str, str] | None = None,
    who: Operator = OPERATOR,
) -> Reply:
    """Give a command to queue instances.

    `standing` has their letters where more is known than the state says: suspended by a calendar, subordinated.
    """
    said: list[str] = []
    touched: list[str] = []
    states = dict(state.queue_states)
    stopped: set[str] = set()
    resuming: set[str] = set()
    transition = _TRANSITIONS[command]
    for name in names:
        given = state.queue_states.get(name)
        first = "d" if given is None and starts_disabled(cluster, name) else given or ""
        shown = set(first) | set((standing or {}).get(name, ""))
        if (transition.letter in first) is transition.sets:
            said.append(f'Queue instance "{name}" is already in the specified state: {transition.words}')
            continue
        if transition.letter == "s" and shown & _STOPPED:
            # The qmaster says nothing and does nothing where a calendar or another queue stops the instance.
            continue
        touched.append(name)
        after = _in_order(set(first) ^ {transition.letter})
        said.append(f'{who.name}@{who.host} changed state of "{name}" ({transition.words})')
        if after or starts_disabled(cluster, name):
            states[name] = after
        else:
            states.pop(name, None)
        if transition.letter == "s":
            (stopped if transition.sets else resuming).add(name)
    if not touched:
        return Reply(state, tuple(said))
    jobs = tuple(_propagated(job, stopped, resuming) for job in state.jobs) if stopped or resuming else state.jobs
    changed = replace(state, queue_states=MappingProxyType(states), jobs=jobs)
    return Reply(with_reservations(moved(changed, touched), touched), tuple(said))


def starts_disabled(cluster: Cluster, name: str) -> bool:
    """Tell whether a queue instance is disabled when it comes into being."""
    queue, _, host = name.rpartition("@")
    obj = cluster.get(Kind.QUEUE, queue)
    return obj is not None and effective(cluster, obj, "initial_state", host).text.strip().lower() == "disabled"


def _in_order(found: set[str]) -> str:
    return "".join(letter for letter in _ORDER if letter in found)


def _propagated(job: Job, stopped: set[str], resuming: set[str]) -> Job:
    """Every task with a slot in an instance that is stopped stands still with it (lifecycle.md section 4)."""
    changed: dict[int, Task] = {}
    for number, task in job.tasks.items():
        if not task.granted or "q" in task.state:
            continue
        if not stopped.isdisjoint(task.granted):
            changed[number] = replace(task, state=letters(task.state, plus="S", minus="r"))
        elif "S" in task.state and not resuming.isdisjoint(task.granted):
            changed[number] = resumed(task, "S")
    return replace(job, tasks=MappingProxyType({**job.tasks, **changed})) if changed else job
