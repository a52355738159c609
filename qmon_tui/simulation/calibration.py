"""Calibration: a recorded period is simulated again, and each simulated task is compared with the record.

Source: measures.md#calibration.
"""

from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from qmon_tui.formats.records import FinishedTask, Recorded
from qmon_tui.model import Cluster, Kind, State, Workload
from qmon_tui.simulation.execution import TaskKey
from qmon_tui.simulation.forecast import CalibratedTask, Forecast, forecast_of, throughput
from qmon_tui.simulation.measures import Distribution, size_class
from qmon_tui.simulation.policy_edits import FieldEdit, PolicyEdit, WorkEdit
from qmon_tui.simulation.scenario import Day, Scenario, simulated
from qmon_tui.simulation.work_pool import computed_all
from qmon_tui.simulation.workload import RUN_TIME, with_work

THINK_TIME: Final = 1200
"""A submission at most this many seconds after the end of a job of the same owner counts as an answer to it."""


@dataclass(frozen=True, slots=True)
class TaskError:
    """A task as recorded and as simulated; times in seconds since the epoch, waits in seconds."""

    key: TaskKey
    owner: str
    queue: str
    """The recorded queue."""
    size: str
    """Class of its slots, such as `2-8`."""
    submitted: int
    recorded_wait: int
    wait: int
    same_queue: bool
    same_host: bool

    @property
    def error(self) -> int:
        """Seconds by which the simulated wait is longer than the recorded one."""
        return self.wait - self.recorded_wait


@dataclass(frozen=True, slots=True)
class GroupError:
    """The errors of a group of tasks: waits and errors in seconds, `same_*` as fractions from 0 to 1."""

    name: str
    count: int
    recorded_wait: float
    wait: float
    mean_error: float
    median_error: float
    """Median of the absolute errors."""
    p90_error: float
    """90th percentile of the absolute errors."""
    same_queue: float
    same_host: float


@dataclass(frozen=True, slots=True)
class Assumption:
    """An assumption of the simulation, and the error if it is replaced by a different value."""

    name: str
    instead: str
    error: float
    """Mean absolute error of waits in seconds, with the different value."""
    effect: float
    """Mean absolute change of a wait, in seconds."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """The result of a calibration."""

    start: int
    end: int
    compared: int
    """Number of tasks that started in the record and in the simulation."""
    missing: int
    """Number of recorded tasks that have not started in the simulation, or were not admitted."""
    everything: GroupError
    groups: Mapping[str, tuple[GroupError, ...]]
    """queue, owner, size -> groups, most tasks first."""
    throughput: tuple[float, float]
    """Ended tasks per hour, recorded and simulated."""
    error: float
    """Mean absolute error of waits, in seconds."""
    assumptions: tuple[Assumption, ...]
    """Sorted by error (at most that of the calibration), then by effect, largest first."""
    answers: float
    """Fraction of submissions that follow the end of a job of the same owner within `THINK_TIME`."""
    forecast: Forecast | None
    """The forecast with the edits; None without edits."""


class NothingToCompare(ValueError):
    """Raised with a sentence for the user if no recorded task can be compared."""


def calibrated(
    cluster: Cluster,
    state: State,
    recorded: Recorded,
    *,
    edits: tuple[PolicyEdit, ...] = (),
    processes: int = 1,
    note: Callable[[int, int], None] | None = None,
) -> Calibration:
    """Simulate a recorded period on a cluster, as it is and once with each assumption replaced.

    The jobs of the state are left out. With edits a forecast is made. Raises NothingToCompare, EditError, WorkersDied.
    """
    plan = replace(state.simulation, workload=state.simulation.workload or Workload(trace="trace"))
    empty = replace(state, jobs=(), reservations=(), simulation=plan)
    work = with_work(cluster, empty, trace=recorded)
    known = {key: task for key, task in work.recorded.items() if task.started is not None}
    if not known:
        raise NothingToCompare("nothing in these records says when a task was submitted, started and ended")
    base = Scenario(cluster, replace(work.state, simulation=replace(work.state.simulation, workload=None)))
    variants = list(_variants(cluster))
    scenarios = [base, *(replace(base, edits=changed) for _, _, changed in variants)]
    if edits:
        scenarios.append(replace(base, edits=edits))
    days = list(computed_all(simulated, scenarios, processes=processes, note=note))
    errors = _errors(days[0], known)
    if not errors:
        raise NothingToCompare("none of the recorded tasks starts in the simulation")
    assumptions = [
        _assumption(name, instead, errors, _errors(day, known))
        for (name, instead, _), day in zip(variants, days[1:], strict=False)
    ]
    assumptions += _delay(errors)
    mean = _mean([abs(error.error) for error in errors])
    assumptions.sort(key=lambda assumption: (min(assumption.error, mean), -assumption.effect))
    return Calibration(
        days[0].start,
        days[0].end,
        len(errors),
        len(known) - len(errors),
        _group("all", errors),
        {name: _groups(errors, of) for name, of in _GROUPS.items()},
        _throughput(days[0], known),
        mean,
        tuple(assumptions),
        _answer_rate(errors, known),
        forecast_of(
            tuple(edit.text for edit in edits), _calibrated_tasks(errors, known, days[0], days[-1]), days[0].start
        )
        if edits
        else None,
    )


_GROUPS: Mapping[str, Callable[[TaskError], str]] = {
    "queue": lambda error: error.queue,
    "owner": lambda error: error.owner,
    "size": lambda error: error.size,
}


def _variants(cluster: Cluster) -> Sequence[tuple[str, str, tuple[PolicyEdit, ...]]]:
    variants: list[tuple[str, str, tuple[PolicyEdit, ...]]] = [
        ("run times", "all a tenth longer", (WorkEdit(RUN_TIME, 1.1),)),
        ("run times", "all a tenth shorter", (WorkEdit(RUN_TIME, 0.9),)),
    ]
    thresholds = tuple(
        FieldEdit(Kind.QUEUE, name, "load_thresholds", "NONE")
        for name, queue in cluster.objects(Kind.QUEUE).items()
        if queue.text("load_thresholds").strip().upper() != "NONE"
    )
    if thresholds:
        variants.append(("load", "no queue is closed by its load", thresholds))
    scheduler = cluster.single(Kind.SCHEDULER)
    for field, name in (("weight_tickets_share", "past usage"), ("max_reservation", "requested run times")):
        if scheduler.text(field).strip() not in ("", "0"):
            edit = FieldEdit(Kind.SCHEDULER, scheduler.name, field, "0")
            instead = "the share tree does not count" if name == "past usage" else "nothing is reserved"
            variants.append((name, instead, (edit,)))
    return variants


def _errors(day: Day, known: Mapping[TaskKey, FinishedTask]) -> list[TaskError]:
    """Return the tasks that started in both, in the order of submission."""
    errors = []
    for record in day.records:
        task = known.get((record.job, record.task))
        if task is None or task.started is None or record.started is None:
            continue
        place = next(iter(record.granted), "")
        queue, _, host = task.granted.partition("@")
        errors.append(
            TaskError(
                (record.job, record.task), record.owner, queue, size_class(record) or "", record.submitted,
                task.started - record.submitted, record.started - record.submitted,
                place.partition("@")[0] == queue, place.partition("@")[2] == host,
            )
        )  # fmt: skip
    return sorted(errors, key=lambda error: (error.submitted, error.key))


def _groups(errors: Sequence[TaskError], of: Callable[[TaskError], str]) -> tuple[GroupError, ...]:
    members: dict[str, list[TaskError]] = {}
    for error in errors:
        members.setdefault(of(error), []).append(error)
    groups = (_group(name, own) for name, own in members.items())
    return tuple(sorted(groups, key=lambda group: (-group.count, group.name)))


def _group(name: str, errors: Sequence[TaskError]) -> GroupError:
    spread = Distribution.of(abs(error.error) for error in errors)
    assert spread is not None
    return GroupError(
        name,
        len(errors),
        _mean([error.recorded_wait for error in errors]),
        _mean([error.wait for error in errors]),
        _mean([error.error for error in errors]),
        spread.percentiles[50],
        spread.percentiles[90],
        _mean([error.same_queue for error in errors]),
        _mean([error.same_host for error in errors]),
    )


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0


def _throughput(day: Day, known: Mapping[TaskKey, FinishedTask]) -> tuple[float, float]:
    """Return ended tasks per hour, recorded and simulated, each up to its own last end."""
    recorded = [task.ended for task in known.values()]
    return throughput(recorded, day.start), throughput([record.ended for record in day.records], day.start)


def _assumption(name: str, instead: str, before: Sequence[TaskError], after: Sequence[TaskError]) -> Assumption:
    waits = {error.key: error.wait for error in before}
    effect = _mean([abs(error.wait - waits[error.key]) for error in after if error.key in waits])
    return Assumption(name, instead, _mean([abs(error.error) for error in after]), effect)


def _delay(errors: Sequence[TaskError]) -> Sequence[Assumption]:
    """Return the assumption of a constant delay between dispatch and start; empty if tasks do not start later."""
    missing = sorted(-error.error for error in errors)[(len(errors) - 1) // 2]
    if missing <= 0:
        return ()
    left = _mean([abs(error.error + missing) for error in errors])
    return (Assumption("start delay", f"{missing} s more before each start", left, float(missing)),)


def _answer_rate(errors: Sequence[TaskError], known: Mapping[TaskKey, FinishedTask]) -> float:
    """Return the fraction of tasks submitted soon after an own job ended: other waits would change when they come."""
    ends: dict[str, list[int]] = {}
    for error in errors:
        ended = known[error.key].ended
        if ended is not None:
            ends.setdefault(error.owner, []).append(ended)
    for own in ends.values():
        own.sort()
    answering = []
    for error in errors:
        own = ends.get(error.owner, [])
        place = bisect_right(own, error.submitted)
        answering.append(place > 0 and error.submitted - own[place - 1] <= THINK_TIME)
    return _mean(answering)


def _calibrated_tasks(
    errors: Sequence[TaskError], known: Mapping[TaskKey, FinishedTask], day: Day, edited: Day
) -> Sequence[CalibratedTask]:
    ends, others = ({(record.job, record.task): record for record in of_policy.records} for of_policy in (day, edited))
    return [
        CalibratedTask(
            error.key, error.recorded_wait, error.wait, others[error.key].wait if error.key in others else None,
            (known[error.key].ended, ends[error.key].ended,
             others[error.key].ended if error.key in others else None),
        )
        for error in errors
    ]  # fmt: skip
