"""Do one scheduling run and print who runs where, every priority, and why the others wait."""

import argparse
from collections.abc import Iterable, Iterator, Mapping, Sequence

from qmon_tui.cli.answer import Answer, InputError
from qmon_tui.cli.cluster_folder import exit_code, read_cluster
from qmon_tui.cli.text import UNLIMITED, Width, paragraph, table
from qmon_tui.model import InstanceOutcome, Job, JobOutcome, Outcome, ShareNodeOutcome, State, Task, TaskOutcome
from qmon_tui.qmaster import schedule
from qmon_tui.report import Line, closing_words, count, qstat_lines, schedule_json, spelt_out
from qmon_tui.scheduler.priority import FORMULAS, GRID_ENGINE, Formulas
from qmon_tui.values import format_ranges, format_time, parse_moment

_SHARE_COLUMNS = ("shares", "level %", "total %", "tasks", "target %", "actual %", "usage", "share tree")
_SHARE_RIGHT = frozenset(_SHARE_COLUMNS[:-1])
_SHARE_DROPPABLE = ("usage", "level %", "total %", "tasks")
_DEFAULT = "default"
_ROOT = "/"


def share_lines(nodes: Sequence[ShareNodeOutcome], width: Width) -> Iterable[str]:
    """The nodes below each other; users of a `default` node with neither tasks nor usage are only counted."""
    return table(_SHARE_COLUMNS, list(_share_rows(nodes)), width, right=_SHARE_RIGHT, droppable=_SHARE_DROPPABLE)


def _share_rows(nodes: Sequence[ShareNodeOutcome]) -> Iterator[tuple[str, ...]]:
    idle = 0
    for place, node in enumerate(nodes):
        depth = 0 if node.path == _ROOT else node.path.count("/")
        parent = node.path.split("/")[-2:-1]
        is_idle = parent == [_DEFAULT] and not node.jobs and not node.usage
        idle += is_idle
        if not is_idle:
            yield (*_share_numbers(node), "  " * depth + (node.name if depth else _ROOT))
        is_last = place + 1 == len(nodes) or nodes[place + 1].path.rpartition("/")[0] != node.path.rpartition("/")[0]
        if idle and is_last:
            yield (*[""] * len(_SHARE_RIGHT), "  " * depth + f"({count(idle, 'other user')})")
            idle = 0


def _share_numbers(node: ShareNodeOutcome) -> tuple[str, ...]:
    parts = (node.level, node.total, node.target, node.actual)
    level, total, target, actual = (f"{100 * part:.2f}" for part in parts)
    return str(node.shares), level, total, str(node.jobs), target, actual, f"{node.usage:.0f}"


_RESERVATION_COLUMNS = ("reservation", "from", "until", "place")
_QUOTA_COLUMNS = ("resource quota rule", "limit", "filter")
"""Those of qquota."""
_JOB_COLUMNS = (
    "job-ID",
    "prior",
    "nurg",
    "npprior",
    "ntckts",
    "ppri",
    "name",
    "user",
    "state",
    "slots",
    "tasks",
    "place",
)
_JOB_RIGHT = frozenset({"job-ID", "prior", "nurg", "npprior", "ntckts", "ppri", "slots"})
_JOB_DROPPABLE = ("ppri", "npprior", "nurg", "ntckts")
_INSTANCE_COLUMNS = ("queue instance", "state", "resv", "used", "total", "values")
_INSTANCE_RIGHT = frozenset({"resv", "used", "total"})


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("path", metavar="PATH", help="the cluster folder")
    parser.add_argument(
        "--at", metavar="TIME", help="when the run takes place: an ISO 8601 time, or +5m after the time of the folder"
    )
    formula_argument(parser)


def answer(options: argparse.Namespace) -> Answer:
    """Read the folder and do the run."""
    reading, notes = read_cluster(options.path)
    code = exit_code(notes)
    formulas = FORMULAS[options.formula]
    at = moment(options.at, reading.state.now)
    outcome = schedule(reading.cluster, reading.state, at=at, formulas=formulas)
    taken = taken_as_it_is(reading.state, at)
    notes = (*notes, *taken, *not_grid_engine(formulas), *not_simulated(outcome))
    return Answer(with_notes(schedule_json(outcome), taken), lambda width: _lines(outcome, width), code, notes=notes)


def taken_as_it_is(state: State, at: int) -> tuple[str, ...]:
    """Tell what holds in a run at another time than that of the state: what runs is taken to run then, too."""
    running = [job for job in state.jobs if any(_runs(task) for task in job.tasks.values())]
    if at < state.now:
        running = [job for job in running if _started(job) > at]
    if at == state.now or not running:
        return ()
    if at < state.now:
        verb = "is taken as running" if len(running) == 1 else "are taken as running"
        return (f"{count(len(running), 'job')} started after {format_time(at)} and {verb} all the same.",)
    known = [job.runtime is not None and _started(job) + job.runtime <= at for job in running]
    ended = f" ({sum(known)} would have ended by then)" if any(known) else ""
    verb = "is taken as it is" if len(running) == 1 else "are taken as they are"
    told = f"{count(len(running), 'running job')}{ended} {verb}"
    come = sum(state.now < job.submitted <= at and not job.has_begun for job in state.jobs)
    submitted = (
        f"{count(come, 'job')} submitted in between {'waits' if come == 1 else 'wait'}"
        if come
        else ("nothing is submitted in between")
    )
    return (f"The state is that of {format_time(state.now)}: {told}, and {submitted}.",)


def _runs(task: Task) -> bool:
    return bool(task.granted) and "q" not in task.state


def _started(job: Job) -> float:
    return max(task.started or job.submitted for task in job.tasks.values() if _runs(task))


def with_notes(data: Mapping[str, object], notes: tuple[str, ...]) -> Mapping[str, object]:
    """The data with what has to be known of it; the key is there only where something has."""
    return {**data, "notes": list(notes)} if notes else data


def formula_argument(parser: argparse.ArgumentParser) -> None:
    """Declare the choice of formulas."""
    parser.add_argument(
        "--formula",
        metavar="NAME",
        choices=tuple(FORMULAS),
        default=GRID_ENGINE.name,
        help="compute the priorities by other formulas, for comparison; NOT what Grid Engine does: "
        + "; ".join(
            f"{formulas.name} ({formulas.words})" for formulas in FORMULAS.values() if not formulas.is_grid_engine
        ),
    )


def not_grid_engine(formulas: Formulas) -> tuple[str, ...]:
    """That the priorities are not those of a qmaster, where they are not."""
    if formulas.is_grid_engine:
        return ()
    return (f"These are not Grid Engine's priorities. Formulas {formulas.name}: {formulas.words}.",)


def moment(text: str | None, now: int) -> int:
    """The time of a run, `now` where none is given; raises Refusal where the text is none."""
    if text is None:
        return now
    try:
        return parse_moment(text, now)
    except ValueError as error:
        raise InputError(f"--at: {error}.") from error


def not_simulated(outcome: Outcome) -> tuple[str, ...]:
    """What the run left out, one line each; what leaves all jobs pending is told once."""
    told = set(outcome.not_simulated)
    for_all = {need for job in outcome.jobs for need in job.not_simulated if need in told}
    return (
        *(
            f"Not simulated yet{',  so no job starts' if need in for_all else ''}: {need}"
            for need in outcome.not_simulated
        ),
        *(
            f"Job {job.id}, not simulated yet: {need}"
            for job in outcome.jobs
            for need in job.not_simulated
            if need not in told
        ),
    )


def _lines(outcome: Outcome, width: Width) -> Iterable[str | Line]:
    jobs, instances = outcome.jobs, outcome.queue_instances
    what = f"{count(len(jobs), 'job')}, {count(len(instances), 'queue instance')}"
    run = "Scheduling run"
    if outcome.not_grid_engine:
        run = f"NOT GRID ENGINE, formulas {outcome.not_grid_engine}: scheduling run"
    yield from paragraph(f"{run} at {format_time(outcome.at)}: {what}", width, rest="  ")
    yield ""
    if jobs:
        job_rows = (row for job in jobs for row in _rows(job))
        yield from table(_JOB_COLUMNS, job_rows, width, right=_JOB_RIGHT, droppable=_JOB_DROPPABLE)
        yield ""
    reservations = [row for job in jobs for row in _reservations(job)]
    if reservations:
        yield from table(_RESERVATION_COLUMNS, reservations, width, right=frozenset({"reservation"}))
        yield ""
    if instances:
        rows = (_instance(instance) for instance in instances)
        yield from table(_INSTANCE_COLUMNS, rows, width, right=_INSTANCE_RIGHT)
        everywhere = _capacities(instances[0], "g")
        if everywhere:
            yield from paragraph(everywhere, width, first="global: ", rest="        ")
    if outcome.sharetree:
        yield ""
        yield from share_lines(outcome.sharetree, width)
    if outcome.quotas:
        yield ""
        yield from table(_QUOTA_COLUMNS, ((use.rule, use.text, use.filter) for use in outcome.quotas), width)
    yield from _waiting(outcome, width)


def _rows(job: JobOutcome) -> Iterable[tuple[str, ...]]:
    """One row for the tasks of a job that are in the same state at the same place, as qstat does for an array."""
    together: dict[tuple[str, str], list[TaskOutcome]] = {}
    for task in job.tasks:
        together.setdefault((task.state, _place(task)), []).append(task)
    array = len(job.tasks) > 1 or any(task.task != 1 for task in job.tasks)
    for (state, place), tasks in together.items():
        yield (
            str(job.id),
            f"{tasks[0].prior:.5f}",
            f"{job.nurg:.5f}",
            f"{job.npprior:.5f}",
            f"{tasks[0].ntckts:.5f}",
            str(job.ppri),
            job.name,
            job.owner,
            state,
            str(job.slots_of(tasks[0])),
            format_ranges([task.task for task in tasks]) if array else "",
            place,
        )


def _place(task: TaskOutcome) -> str:
    if task.granted:
        return _slots(task.granted)
    return "reserved" if task.reserved else ""


def _reservations(job: JobOutcome) -> Iterable[tuple[str, ...]]:
    """One row for each reservation, with the task's number behind a dot for an array."""
    for task in job.tasks:
        if task.reserved and task.reserved_from is not None and task.reserved_until is not None:
            number = str(job.id) if len(job.tasks) == 1 and task.task == 1 else f"{job.id}.{task.task}"
            until = "for ever" if task.is_reserved_for_ever else format_time(task.reserved_until)
            yield number, format_time(task.reserved_from), until, _slots(task.reserved)


def _slots(granted: Mapping[str, int]) -> str:
    return ", ".join(name if slots == 1 else f"{name} × {slots}" for name, slots in granted.items())


def _instance(instance: InstanceOutcome) -> tuple[str, ...]:
    numbers = (str(instance.reserved), str(instance.used), str(instance.total))
    closing = (closing_words(instance.closing),) if instance.closing is not None else ()
    told = "; ".join(filter(None, (*closing, _capacities(instance, "hq"))))
    return (instance.name, instance.state, *numbers, told)


def _capacities(instance: InstanceOutcome, levels: str) -> str:
    """What is left of consumables on some levels (global, host, queue), as qstat -F prints it; slots have columns."""
    shown = {f"{level}c" for level in levels}
    values = instance.values.items()
    return " ".join(f"{name}={text}" for name, text in values if name[:2] in shown and name != "qc:slots")


def _waiting(outcome: Outcome, width: Width) -> Iterable[str | Line]:
    """Why jobs wait: jobs with the same reasons together, then what holds for every job."""
    alike: dict[tuple[str, ...], list[JobOutcome]] = {}
    for job in outcome.jobs:
        reasons = (*job.rejected.splitlines(), *job.meant) if job.rejected else job.reasons
        if reasons:
            alike.setdefault(reasons, []).append(job)
    if alike:
        yield ""
        yield "Why jobs wait"
    for reasons, jobs in alike.items():
        yield from paragraph(", ".join(f"{job.id} {job.name}" for job in jobs), width, first="  ", rest="  ")
        yield from qstat_lines([spelt_out(reason, outcome.quota_filters) for reason in reasons], width or UNLIMITED)
    if outcome.messages:
        yield ""
        yield "For every job"
        yield from qstat_lines(
            [spelt_out(reason, outcome.quota_filters) for reason in outcome.messages], width or UNLIMITED
        )
