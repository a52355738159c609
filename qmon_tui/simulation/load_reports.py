"""Load reports of hosts: their values follow from the load model and the tasks that run there."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import exp
from typing import TYPE_CHECKING, Final

from qmon_tui.model import Cluster, Job, Kind, LoadModel, LoadValue, State, memoized
from qmon_tui.qmaster.transition import LoadReported
from qmon_tui.scheduler import session_of
from qmon_tui.scheduler.configuration import CompiledCluster
from qmon_tui.simulation.event_queue import SimulationEvent
from qmon_tui.simulation.execution import is_placed
from qmon_tui.simulation.run_times import Cause
from qmon_tui.values import BLANK_OR_COMMA, parse_number, split_entries

if TYPE_CHECKING:
    from qmon_tui.simulation.simulator import Simulator

_GLOBAL: Final = "global"
_NUM_PROC: Final = "num_proc"
_MEGABYTE: Final = 1024**2
_TAKEN_AWAY: Final = "-"
_SUSPENDED: Final = frozenset("sST")


@dataclass(frozen=True, slots=True)
class LoadsDue(SimulationEvent):
    """The hosts report their load values."""

    def apply(self, simulator: "Simulator") -> None:
        """Report the load of all hosts that answer, and plan the next report unless the day is over."""
        meter = simulator.load_meter
        if meter is None:
            return
        for report in meter.reports(simulator.cluster, simulator.state):
            if report.host not in simulator.silent_hosts:
                simulator.let_happen(report)
        simulator.run_times.note(Cause.OTHER, simulator.now)
        if simulator.settings.until is not None or simulator.coming or simulator.state.jobs:
            simulator.queue.plan(simulator.now + meter.interval, LoadsDue())


class LoadMeter:
    """Computes the load values that hosts report; keeps the averages."""

    def __init__(self, model: LoadModel) -> None:
        self.interval = max(1, model.interval)
        self._model = model
        self._averages: dict[tuple[str, str], float] = {}

    def reports(self, cluster: Cluster, state: State) -> Iterator[LoadReported]:
        """Yield the reports of the hosts whose values have changed, in the order of the hosts."""
        used = _used_slots(state)
        values, of_hosts = self._model.values, self._model.hosts
        for host in _hosts(session_of(cluster).compiled(state)):
            model = {**values, **of_hosts[host]} if host in of_hosts else values
            known, there = state.loads.get(host, {}), used.get(host, ())
            texts = [(name, self._text(cluster, state, host, name, value, there)) for name, value in model.items()]
            changed = tuple([(name, text) for name, text in texts if known.get(name) != text])
            if changed:
                yield LoadReported(host, changed)

    def _text(
        self, cluster: Cluster, state: State, host: str, name: str, value: LoadValue, used: Sequence[tuple[Job, int]]
    ) -> str:
        amount = value.idle + value.per_slot * sum([slots for _, slots in used])
        if value.per_request is not None:
            attribute = value.per_request.removeprefix(_TAKEN_AWAY)
            requested = sum(_requested(cluster, job, attribute) * slots for job, slots in used)
            amount += requested if attribute == value.per_request else -requested
        if value.per_processor:
            amount /= _processors(cluster, state, host)
        if value.average > 0:
            before = self._averages.get((host, name), value.idle)
            amount = before + (amount - before) * (1 - exp(-self.interval / value.average))
            self._averages[host, name] = amount
        return f"{amount / _MEGABYTE:.1f}M" if _is_memory(cluster, name) else f"{amount:.2f}"


@memoized(size=64)
def _is_memory(cluster: Cluster, name: str) -> bool:
    declared = cluster.get(Kind.COMPLEX, name)
    return declared is not None and declared.text("type") == "MEMORY"


@memoized(size=4)
def _hosts(compiled: CompiledCluster) -> Sequence[str]:
    """Return all execution hosts: those that are declared, and those that have queue instances."""
    declared = compiled.cluster.objects(Kind.HOST)
    hosts = dict.fromkeys((*declared, *(instance.name.rpartition("@")[2] for instance in compiled.instances)))
    return [host for host in hosts if host != _GLOBAL]


def _used_slots(state: State) -> Mapping[str, list[tuple[Job, int]]]:
    """Return host -> its jobs with their slots, without suspended tasks, which add no load."""
    used: dict[str, list[tuple[Job, int]]] = defaultdict(list)
    for job in state.jobs:
        for task in job.tasks.values():
            if is_placed(task) and _SUSPENDED.isdisjoint(task.state):
                for name, slots in task.granted.items():
                    used[name.rpartition("@")[2]].append((job, slots))
    return used


def _requested(cluster: Cluster, job: Job, attribute: str) -> float:
    """Return the amount of an attribute that a job requests for each slot; 0 if it requests none."""
    declared = cluster.get(Kind.COMPLEX, attribute)
    names = {attribute, declared.text("shortcut")} if declared is not None else {attribute}
    texts = [text for name, text in job.request.hard if name in names and text is not None]
    return _number(texts[-1], 0.0) if texts else 0.0


def _processors(cluster: Cluster, state: State, host: str) -> float:
    """Return num_proc as reported, else as configured, else 1."""
    reported = state.loads.get(host, {}).get(_NUM_PROC)
    if reported is None:
        execution_host = cluster.get(Kind.HOST, host)
        reported = (
            _configured(execution_host.text("complex_values")).get(_NUM_PROC, "") if execution_host is not None else ""
        )
    return max(1.0, _number(reported, 1.0))


def _configured(complex_values: str) -> Mapping[str, str]:
    try:
        return dict(split_entries(complex_values, BLANK_OR_COMMA))
    except ValueError:
        return {}


def _number(text: str, otherwise: float) -> float:
    try:
        return parse_number(text)
    except ValueError:
        return otherwise
