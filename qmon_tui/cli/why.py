"""Explain one job: its priority term by term, who is ahead and why, why it waits, and what would let it run."""

import argparse
from collections.abc import Sequence
from dataclasses import replace

from qmon_tui.cli.answer import Answer, InputError
from qmon_tui.cli.cluster_folder import exit_code, finding_lines, read_cluster, work_code
from qmon_tui.cli.parser import refuse_seed, work_arguments
from qmon_tui.cli.schedule import formula_argument, moment, not_grid_engine, with_notes
from qmon_tui.cli.simulation_run import refuse_endless
from qmon_tui.explain import Explainer
from qmon_tui.incremental import RunChain
from qmon_tui.model import Cluster, Job, State
from qmon_tui.report import FIRST_LINES, Line, count, derived_lines, job_explanation, json_report, line, live_jobs
from qmon_tui.scheduler.priority import FORMULAS
from qmon_tui.simulation import Settings, Simulator, expected_start
from qmon_tui.values import format_time, meant, whole_number


def at_moment(cluster: Cluster, state: State, at: int, job: int) -> tuple[Cluster, State, tuple[str, ...]]:
    """Return cluster and state at another time, with a note; a later time is simulated. All jobs must have run times.

    Events at `at` are included, but not the scheduling run that is due then.
    Raises InputError if the job is not in the cluster at that time.
    """
    if at <= state.now:
        _refuse_future_job(state, at, job)
        return cluster, replace(state, now=at), ()
    simulator = Simulator(cluster, state, replace(Settings.of(cluster, state), until=at))
    while not simulator.is_over and not (simulator.next_time == at and simulator.is_run_next):
        simulator.advance()
    refuse_endless(simulator)
    _refuse_missing_job(simulator, state, at, job)
    note = f"Simulated from {format_time(state.now)} on: {count(simulator.runs, 'scheduling run')} before this one."
    return simulator.cluster, replace(simulator.state, now=at), (note,)


def _refuse_future_job(state: State, at: int, number: int) -> None:
    """Raise InputError if a job is submitted after `at`."""
    job = next(job for job in state.jobs if job.id == number)
    if job.is_to_come(at):
        when = format_time(job.submitted)
        raise InputError(f"At {format_time(at)} job {number} has not been submitted yet: it comes at {when}.")


def _refuse_missing_job(simulator: Simulator, state: State, at: int, number: int) -> None:
    if any(job.id == number for job in simulator.state.jobs):
        return
    if number in simulator.refused:
        raise InputError(f"At {format_time(at)} there is no job {number}: {' '.join(simulator.refused[number])}")
    ends = [
        record.ended for (job, _), record in simulator.records.items() if job == number and record.ended is not None
    ]
    if ends:
        raise InputError(f"At {format_time(at)} job {number} is over: it ended at {format_time(max(ends))}.")
    _refuse_future_job(state, at, number)


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("path", metavar="PATH", help="the cluster folder")
    parser.add_argument("job", metavar="JOB[.TASK]", help="the job's number, with a task's number behind a dot")
    parser.add_argument("--at", metavar="TIME", help="simulate up to this time, then explain")
    work_arguments(parser)
    formula_argument(parser)
    parser.add_argument("--derive", action="store_true", help="open each number of the priority into its arithmetic")
    parser.add_argument("--all", action="store_true", help=f"all lines, not only the first {FIRST_LINES}")


def answer(options: argparse.Namespace) -> Answer:
    """Read the folder, do the run, explain the task. Raises InputError, SourceError."""
    reading, notes = read_cluster(options.path)
    code = exit_code(notes)
    given = reading.state
    if options.at is None and (options.workload or options.seed is not None):
        raise InputError("--workload and --seed need --at: the time up to which the day is simulated.")
    if options.at is not None:
        from qmon_tui.workspace import read_work  # imported here, as only --at needs it

        refuse_seed(options)
        work = read_work(reading, options.workload, seed=options.seed)
        given = work.state
        if moment(options.at, given.now) > given.now:
            notes = (*notes, *finding_lines(work.findings))
            code = max(code, work_code(work.findings))
    job, task = _find(given, options.job)
    cluster, state, notes_of_day = at_moment(reading.cluster, given, moment(options.at, given.now), job.id)
    formulas = FORMULAS[options.formula]
    try:
        explainer = Explainer(RunChain().simulate(cluster, state, formulas=formulas))
        explanation = explainer.explanation(job.id, task, with_changes=not options.derive)
        if not options.derive:
            explanation = replace(explanation, expected=expected_start(explainer, job.id, explanation.task))
        derivation = explainer.derivation(job.id, explanation.task) if options.derive else None
    except LookupError as error:
        raise InputError(f"{error.args[0]}.") from error
    row = live_jobs.task_row(explainer.outcome, job.id, explanation.task)
    if row is None:
        raise InputError(f"Job {job.id} is not in this run.")
    missing = tuple(f"Not simulated yet: {need}" for need in explanation.not_simulated)
    notes = (*notes, *notes_of_day, *not_grid_engine(formulas), *missing)
    data = with_notes(json_report.why_json(explanation), notes_of_day)
    messages = reading.live.messages.get(job.id, ()) if reading.live is not None and options.at is None else ()
    if messages:
        data = {**data, "scheduler_messages": list(messages)}

    def lines(cells: int) -> Sequence[Line]:
        if options.derive:
            return (job_explanation.title_line(row, explanation, cells), *derived_lines(derivation, cells))
        every = job_explanation.job_lines(row, explanation, None, cells, in_full=True, keys=False)
        every += job_explanation.scheduler_lines(messages, row.job.reasons, cells)
        return every if options.all else _folded(every)

    if options.derive:
        data = {**data, "derivation": json_report.derivation_json(derivation)}
    return Answer(data, lines, code, notes=notes)


def _folded(lines: Sequence[Line]) -> Sequence[Line]:
    """Return the first lines, and a line with the number of the others."""
    limit = FIRST_LINES
    if len(lines) <= limit + 1:
        return lines
    while limit > 1 and not (lines[limit - 1] and lines[limit - 2]):  # do not end with a heading
        limit -= 1
    return (*lines[:limit], line(f"… {len(lines) - limit} more lines: --all"))


def _find(state: State, text: str) -> tuple[Job, int | None]:
    number, dot, task = text.partition(".")
    wanted = whole_number(number)
    wanted_task = whole_number(task) if dot else None
    if wanted is None or (dot and wanted_task is None):
        named = [str(job.id) for job in state.jobs if job.name == text][:_MOST_NAMED]
        advice = f" Of that name {'is' if len(named) == 1 else 'are'} {', '.join(named)}." if named else ""
        shown = text if len(text) <= _LONGEST_SHOWN else f"{text[:_LONGEST_SHOWN]}…"
        raise InputError(f"{shown} is not a job: write its number, or number.task for one task of an array.{advice}")
    job = next((job for job in state.jobs if job.id == wanted), None)
    if job is None:
        raise InputError(
            f"There is no job {number}; {meant(number.lower(), (str(job.id) for job in state.jobs)) or _jobs(state)}"
        )
    if wanted_task is not None and wanted_task not in job.task_ids:
        raise InputError(f"Job {number} has no task {task}; it has {_tasks(job)}.")
    return job, wanted_task


def _jobs(state: State) -> str:
    numbers = sorted(job.id for job in state.jobs)
    if not numbers:
        return "there are no jobs."
    return (
        f"there are {len(numbers)}, from {numbers[0]} to {numbers[-1]}."
        if numbers[1:]
        else f"there is only {numbers[0]}."
    )


def _tasks(job: Job) -> str:
    tasks = job.task_ids
    return "only task 1" if len(tasks) == 1 else f"{tasks[0]}-{tasks[-1]}:{tasks.step}"


_MOST_NAMED = 5
_LONGEST_SHOWN = 40
"""Greatest number of characters of a typed job that a message shows."""
