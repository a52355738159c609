"""Do one scheduling run and print who runs where, every priority, and why the others wait."""

import argparse
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Final

from qmon_tui.cli.answer import Answer, InputError, paragraph
from qmon_tui.cli.cluster_folder import exit_code, read_cluster
from qmon_tui.model import Cluster, Job, JobOutcome, Kind, Outcome, State, Task, tree_rows
from qmon_tui.qmaster import schedule
from qmon_tui.report import (
    GridRows,
    InstanceRows,
    Line,
    TaskCounts,
    count,
    job_explanation,
    json_report,
    live_jobs,
    plain,
    sharetree,
    spelt_out,
)
from qmon_tui.report.jobtable import PRESETS, printed_jobs, table_rows
from qmon_tui.scheduler.priority import FORMULAS, GRID_ENGINE, Formulas
from qmon_tui.values import format_time, parse_moment
from qmon_tui.workspace import Figures

_COLUMNS: Final = {
    "pri": PRESETS["qstat -pri"],
    "urg": PRESETS["qstat -urg"],
    "ext": PRESETS["qstat -ext"],
    "all": tuple(dict.fromkeys(chain(*(PRESETS[f"qstat -{name}"] for name in ("pri", "urg", "ext"))))),
}


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("path", metavar="PATH", help="the cluster folder")
    parser.add_argument(
        "--at", metavar="TIME", help="when the run takes place: an ISO 8601 time, or +5m after the time of the folder"
    )
    parser.add_argument(
        "--columns",
        choices=tuple(_COLUMNS),
        help="columns of the jobs: those of qstat -pri, -urg, -ext, or all of them",
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
    return Answer(
        with_notes(json_report.schedule_json(outcome), taken),
        lambda width: _lines(reading.cluster, reading.state, outcome, width, options.columns),
        code,
        notes=notes,
    )


def taken_as_it_is(state: State, at: int) -> tuple[str, ...]:
    """Return a note if the run is at another time than the state: running jobs are assumed to run then, too."""
    running = [job for job in state.jobs if any(_runs(task) for task in job.tasks.values())]
    if at < state.now:
        running = [job for job in running if _started(job) > at]
    if at == state.now or not running:
        return ()
    if at < state.now:
        verb = "is taken as running" if len(running) == 1 else "are taken as running"
        return (f"{count(len(running), 'job')} started after {format_time(at)} and {verb} anyway.",)
    known = [job.runtime is not None and _started(job) + job.runtime <= at for job in running]
    ended = f" ({sum(known)} would have ended by then)" if any(known) else ""
    verb = "is taken as it is" if len(running) == 1 else "are taken as they are"
    jobs = f"{count(len(running), 'running job')}{ended} {verb}"
    come = sum(state.now < job.submitted <= at and not job.has_begun for job in state.jobs)
    submitted = (
        f"{count(come, 'job')} submitted in between {'waits' if come == 1 else 'wait'}"
        if come
        else ("no job is submitted in between")
    )
    return (f"The state is that of {format_time(state.now)}: {jobs}, and {submitted}.",)


def _runs(task: Task) -> bool:
    return bool(task.granted) and "q" not in task.state


def _started(job: Job) -> float:
    return max(task.started or job.submitted for task in job.tasks.values() if _runs(task))


def with_notes(data: Mapping[str, object], notes: tuple[str, ...]) -> Mapping[str, object]:
    """Return the data with the key `notes`; unchanged without notes."""
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
    """Return a note if the formulas are not those of Grid Engine; else nothing."""
    if formulas.is_grid_engine:
        return ()
    return (f"These are not Grid Engine's priorities. Formulas {formulas.name}: {formulas.words}.",)


def moment(text: str | None, now: int) -> int:
    """Return the time of a run; `now` if the text is None. Raises InputError."""
    if text is None:
        return now
    try:
        return parse_moment(text, now)
    except ValueError as error:
        raise InputError(f"--at: {error}.") from error


def not_simulated(outcome: Outcome) -> tuple[str, ...]:
    """Return a line for each feature that the run did not simulate, of the cluster and of single jobs."""
    of_run = set(outcome.not_simulated)
    for_all = {need for job in outcome.jobs for need in job.not_simulated if need in of_run}
    return (
        *(
            f"Not simulated yet{', so no job starts' if need in for_all else ''}: {need}"
            for need in outcome.not_simulated
        ),
        *(
            f"Job {job.id}, not simulated yet: {need}"
            for job in outcome.jobs
            for need in job.not_simulated
            if need not in of_run
        ),
    )


def _lines(cluster: Cluster, state: State, outcome: Outcome, width: int, columns: str | None) -> Iterator[str | Line]:
    jobs, instances = outcome.jobs, outcome.queue_instances
    what = f"{count(len(jobs), 'job')}, {count(len(instances), 'queue instance')}"
    run = "Scheduling run"
    if outcome.not_grid_engine:
        run = f"NOT GRID ENGINE, formulas {outcome.not_grid_engine}: scheduling run"
    yield from paragraph(f"{run} at {format_time(outcome.at)}, and what is after it: {what}", width, rest="  ")
    if jobs:
        parts = TaskCounts.of(outcome).parts(Figures.CHANGES)
        yield from paragraph(f"Now → after the run: {', '.join(map(plain, parts))}", width, rest="  ")
        yield ""
        if columns is None:
            yield from live_jobs.LiveJobRows(live_jobs.job_rows(outcome)).printed(width)
        else:
            yield from printed_jobs(table_rows(outcome, state), _COLUMNS[columns], width)
    if instances or outcome.quotas:
        yield ""
        yield from InstanceRows(instances, outcome.quotas or (), state.drains).printed(width)
    if outcome.sharetree:
        yield ""
        nodes = tree_rows(cluster.single(Kind.SHARETREE).text("tree"))
        yield from GridRows(sharetree.TREE_COLUMNS, sharetree.node_rows(cluster, nodes, outcome.sharetree)).printed(
            width
        )
    yield from _waiting(outcome, width)


def _waiting(outcome: Outcome, width: int) -> Iterable[str | Line]:
    """Yield why jobs wait: jobs with equal reasons together, then the reasons for every job."""
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
        yield from job_explanation.qstat_lines([spelt_out(reason, outcome.quota_filters) for reason in reasons], width)
    if outcome.messages:
        yield ""
        yield "For every job"
        yield from job_explanation.qstat_lines(
            [spelt_out(reason, outcome.quota_filters) for reason in outcome.messages], width
        )
