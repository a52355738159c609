"""Execution hosts that fall silent and return, and how the qmaster reacts.

Source: lifecycle.md#unknown-hosts.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from qmon_tui.model import Cluster, Job, State, configuration_of
from qmon_tui.qmaster import JobCommand, Target, modify
from qmon_tui.qmaster.transition import EarlierRunCleanedUp, Event, HostTimedOut, HostUnheard, LoadReported, TaskEnded
from qmon_tui.simulation.event_queue import SimulationEvent
from qmon_tui.simulation.execution import TaskKey, is_placed
from qmon_tui.values import canonical, parse_number

if TYPE_CHECKING:
    from qmon_tui.simulation.simulator import Simulator


@dataclass(frozen=True, slots=True)
class HostFailed(SimulationEvent):
    """A host falls silent: the ends of its tasks are never reported."""

    host: str

    def apply(self, simulator: "Simulator") -> None:
        """Silence the host now; the qmaster notices it later, see `silence`."""
        if self.host in simulator.silent_hosts:
            return
        simulator.silent_hosts[self.host] = simulator.state.loads.get(self.host, {})
        for _, key in tasks_on(simulator.state, self.host):
            simulator.lose_task(key)
        for time, event in silence(simulator.cluster, self.host, simulator.now):
            simulator.queue.plan(time, event)


@dataclass(frozen=True, slots=True)
class HostReturned(SimulationEvent):
    """A silent host reports again, without its former tasks."""

    host: str

    def apply(self, simulator: "Simulator") -> None:
        """Reschedule the tasks of the host that may be run again, and end the others (queue_conf(5) rerun)."""
        values = simulator.silent_hosts.pop(self.host, None)
        if values is None:
            return
        simulator.queue.cancel(HostUnheard(self.host))
        simulator.queue.cancel(HostTimedOut(self.host))
        simulator.let_happen(LoadReported(self.host, tuple(values.items())))
        for key in tasks_unclean_on(simulator.state, self.host):
            simulator.let_happen(EarlierRunCleanedUp(*key))
        for job, key in tasks_on(simulator.state, self.host):
            if simulator.execution.is_lost(key):
                before = simulator.state
                simulator.state = modify(
                    simulator.cluster, before, JobCommand.RESCHEDULE, Target(job.id, (key[1],))
                ).state
                simulator.follow(before)
                if simulator.execution.is_lost(key):
                    simulator.let_happen(TaskEnded(*key))


def silence(cluster: Cluster, host: str, since: int) -> Iterator[tuple[int, Event]]:
    """Yield when the qmaster notices a silent host, and when it reschedules its tasks (reschedule_unknown)."""
    unknown = since + max(
        3 * _seconds(cluster, host, "load_report_time", 40), _seconds(cluster, host, "max_unheard", 300)
    )
    yield unknown, HostUnheard(host)
    timeout = _seconds(cluster, host, "reschedule_unknown", 0)
    if timeout > 0:
        yield unknown + timeout, HostTimedOut(host)


def tasks_on(state: State, host: str) -> list[tuple[Job, TaskKey]]:
    """Return the tasks that have slots on a host."""
    wanted = canonical(host)
    return [
        (job, (job.id, number))
        for job in state.jobs
        for number, task in job.tasks.items()
        if is_placed(task) and any(canonical(name.rpartition("@")[2]) == wanted for name in task.granted)
    ]


def tasks_unclean_on(state: State, host: str) -> list[TaskKey]:
    """Return the tasks that wait until a host has cleaned up an earlier run of them."""
    wanted = canonical(host)
    return [
        (job.id, number)
        for job in state.jobs
        for number, task in job.tasks.items()
        if not is_placed(task) and any(canonical(unclean) == wanted for unclean in task.unclean_hosts)
    ]


def _seconds(cluster: Cluster, host: str, field: str, otherwise: int) -> int:
    for name in (host, "global"):
        configuration = configuration_of(cluster, name)
        text = configuration.given(field) if configuration is not None else None
        if text is not None:
            try:
                return int(parse_number(text))
            except ValueError:
                break
    return otherwise
