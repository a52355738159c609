"""Explain one job: its priority term by term, who is ahead and why, why it waits, and what would let it run."""

import argparse
from collections.abc import Iterable
from dataclasses import replace

from qmon_tui.cli.answer import Answer, InputError
from qmon_tui.cli.cluster_folder import exit_code, read_cluster
from qmon_tui.cli.reason_lines import reason_lines
from qmon_tui.cli.schedule import formula_argument, moment, not_grid_engine, with_notes
from qmon_tui.cli.simulated_days import finding_lines, refuse_seed, work_arguments, work_code
from qmon_tui.cli.simulated_moment import at_moment
from qmon_tui.cli.text import Width, paragraph, table
from qmon_tui.explain import Change, Derivation, Explainer, Explanation, JobAhead, PriorityTerm, ReasonGroup
from qmon_tui.model import Job, State
from qmon_tui.qmaster import simulate
from qmon_tui.report import (
    FIRST_LINES,
    ahead_words,
    all_changes,
    bound_words,
    by_heading,
    closing_words,
    commands_of,
    derivation_json,
    derivation_lines,
    details_of,
    heading,
    no_change_words,
    short_names,
    shown_words,
    spelt_out,
    start_words,
    told_first,
    untold_reasons,
    waiting_words,
    why_json,
)
from qmon_tui.scheduler.priority import FORMULAS
from qmon_tui.simulation import expected_start
from qmon_tui.values import five_decimals, meant, whole_number


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("path", metavar="PATH", help="the cluster folder")
    parser.add_argument("job", metavar="JOB[.TASK]", help="the job's number, with a task's number behind a dot")
    parser.add_argument("--at", metavar="TIME", help="simulate up to this time, then explain")
    work_arguments(parser)
    formula_argument(parser)
    parser.add_argument("--derive", action="store_true", help="open each number of the priority into its arithmetic")
    parser.add_argument("--all", action="store_true", help=f"all of it, not only the first {FIRST_LINES} lines")


def answer(options: argparse.Namespace) -> Answer:
    """Read the folder, do the run, explain the task."""
    reading, notes = read_cluster(options.path)
    code = exit_code(notes)
    given = reading.state
    if options.at is None and (options.workload or options.seed is not None):
        raise InputError("--workload and --seed are of what is simulated: say up to when with --at.")
    if options.at is not None:
        from qmon_tui.workspace import read_work  # a run on the state as it is needs none of it

        refuse_seed(options)
        work = read_work(reading, options.workload, seed=options.seed)
        given = work.state
        if moment(options.at, given.now) > given.now:
            notes = (*notes, *finding_lines(work.findings))
            code = max(code, work_code(work.findings))
    job, task = _find(given, options.job)
    cluster, state, told = at_moment(reading.cluster, given, moment(options.at, given.now), job.id)
    formulas = FORMULAS[options.formula]
    try:
        explainer = Explainer(simulate(cluster, state, formulas=formulas))
        explanation = explainer.explanation(job.id, task, with_changes=not options.derive)
        if not options.derive:
            explanation = replace(explanation, expected=expected_start(explainer, job.id, explanation.task))
        derivation = explainer.derivation(job.id, explanation.task) if options.derive else None
    except LookupError as error:
        raise InputError(f"{error.args[0]}.") from error
    missing = tuple(f"Not simulated yet: {need}" for need in explanation.not_simulated)
    notes = (*notes, *told, *not_grid_engine(formulas), *missing)
    data = with_notes(why_json(explanation), told)
    if options.derive:
        data = {**data, "derivation": derivation_json(derivation)}
        return Answer(data, lambda width: _derived(job, explanation, derivation, width), code, notes=notes)
    limit = None if options.all else FIRST_LINES
    return Answer(data, lambda width: _folded(_lines(job, explanation, width), limit), code, notes=notes)


def _folded(lines: Iterable[str], limit: int | None) -> Iterable[str]:
    """The first lines, and how many there are besides."""
    every = list(lines)
    if limit is None or len(every) <= limit + 1:
        return every
    while limit > 1 and not (every[limit - 1] and every[limit - 2]):  # no heading without what is below it
        limit -= 1
    return (*every[:limit], f"… {len(every) - limit} more lines: --all")


def _derived(job: Job, explained: Explanation, derivation: Derivation | None, width: Width) -> Iterable[str]:
    """Each number as the arithmetic that it comes from, what it is made of below it."""
    yield _title(job, explained)
    if derivation is None:
        yield "it takes no part in this run, so it has no priority"
        return
    for line in derivation_lines(derivation):
        margin = "  " * line.depth
        origin = f"  ({line.origin})" if line.origin else ""
        yield from paragraph(f"{line.name}  {line.words}{origin}", width, first=margin, rest=f"{margin}    ")


def _title(job: Job, explained: Explanation) -> str:
    name = f"Job {job.id}" if job.request.array is None else f"Job {job.id}.{explained.task}"
    rank = f", place {explained.rank} of {explained.pending} pending" if explained.rank is not None else ""
    state = f": state {explained.state}{rank}" if explained.state else ""
    return f"{name}  {job.name}  of {job.owner}{state}"


def _find(state: State, text: str) -> tuple[Job, int | None]:
    number, dot, task = text.partition(".")
    wanted, wanted_task = whole_number(number), whole_number(task) if dot else None
    if wanted is None or (dot and wanted_task is None):
        named = [str(job.id) for job in state.jobs if job.name == text][:_FEW]
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
    """Which numbers jobs have."""
    numbers = sorted(job.id for job in state.jobs)
    if not numbers:
        return "there is none at all."
    return (
        f"there are {len(numbers)}, from {numbers[0]} to {numbers[-1]}."
        if numbers[1:]
        else f"there is only {numbers[0]}."
    )


def _tasks(job: Job) -> str:
    """Which tasks it has."""
    tasks = job.task_ids
    return "only task 1" if len(tasks) == 1 else f"{tasks[0]}-{tasks[-1]}:{tasks.step}"


_FEW = 5
_LONGEST_SHOWN = 40
"""Characters of a job as it was typed."""


def _lines(job: Job, explained: Explanation, width: Width) -> Iterable[str]:
    yield _title(job, explained)
    if explained.not_grid_engine:
        yield f"NOT GRID ENGINE: priorities by the formulas {explained.not_grid_engine}"
    if explained.rejected:
        yield from _section("qsub would refuse it", (*explained.rejected.splitlines(), *explained.meant), width)
        if not explained.terms:
            return
    yield from _section("How it starts", explained.notes, width)
    soon, never = told_first(explained.groups)
    yield from _groups(explained, soon, width)
    if explained.nearest is not None:
        missing = (missing.words for missing in explained.nearest.missing)
        yield from _section(f"Closest to fitting: {explained.nearest.words}", missing, width)
    if explained.expected is not None:
        yield from _section("What would let it run", (waiting_words(explained.expected, explained.at),), width)
    yield from _changes(explained.changes, width)
    if (
        explained.groups
        and not explained.changes
        and not explained.not_simulated
        and explained.waits
        and explained.expected is None
    ):
        yield from _section("What would let it run", (no_change_words(explained.tried or 0),), width)
    yield from _ahead(explained, width)
    yield from _groups(explained, never, width)
    if explained.terms:
        yield ""
        yield from _priority(explained, width)
    said = untold_reasons(explained.reasons, explained.groups)
    if said:
        yield ""
        yield "Also in qstat -j (not the cause)"
        yield from reason_lines(said, width)


def _priority(explained: Explanation, width: Width) -> Iterable[str]:
    """The formula as an addition with the sum below the line, then what each term is made of."""
    rows = [
        *(
            (f"{term.value:.5f}", "=", f"{term.weight:.5f}", "×", f"{term.normalised:.5f}", term.name)
            for term in explained.terms
        ),
        (f"{explained.prior:.5f}", "", "", "", "", "prior"),
    ]
    right = frozenset({"value", "weight", "normalised"})
    yield from table(("value", " ", "weight", "  ", "normalised", "term"), rows, width, right=right)
    if explained.shown is not None:
        yield from paragraph(shown_words(explained.shown), width, rest="  ")
    for term in explained.terms:
        yield from _term(term, width)


def _term(term: PriorityTerm, width: Width) -> Iterable[str]:
    yield ""
    yield from paragraph(f"{term.name}: {term.explanation}", width, rest="  ")
    ends = [(name, bound) for name, bound in (("lowest", term.lowest), ("highest", term.highest)) if bound is not None]
    size = max((len(name) for name, _ in (*term.detail, *ends)), default=0)
    for name, value in term.detail:
        yield f"  {name:<{size}}  {five_decimals(value):>15}"
    for name, bound in ends:
        yield f"  {name:<{size}}  {five_decimals(bound.value):>15}  {bound_words(bound)}"


def _ahead(explained: Explanation, width: Width) -> Iterable[str]:
    """The jobs tried earlier with what puts them there; of many those at the head of the list and the last ones."""
    if not explained.ahead:
        return
    told = len(explained.ahead)
    count = (explained.rank or 1) - 1
    yield ""
    yield f"Ahead of it: {count} job{'s' if count != 1 else ''}" + (
        f", of which {told} are shown" if told < count else ""
    )
    rows = [_ahead_row(ahead) for ahead in explained.ahead]
    headers = ("job-ID", "prior", "lead", "name", "user", "ahead by", "starts on")
    for line in table(
        headers, rows, None if width is None else width - 2, right=frozenset({"job-ID", "prior", "lead"})
    ):
        yield f"  {line}"


def _ahead_row(ahead: JobAhead) -> tuple[str, ...]:
    numbers = (str(ahead.job), f"{ahead.prior:.5f}", f"+{ahead.lead:.5f}")
    return (*numbers, ahead.name, ahead.owner, ahead_words(ahead), ahead.place or start_words(ahead) or "-")


def _groups(explained: Explanation, groups: Iterable[ReasonGroup], width: Width) -> Iterable[str]:
    """Each reason once with the queue instances that it holds for."""
    for why, same in by_heading(groups).items():
        yield ""
        yield heading(why, explained.groups)
        for group in same:
            yield from paragraph(spelt_out(group.message, explained.quota_filters), width, first="  ", rest="    ")
            if group.closing is not None:
                yield from paragraph(closing_words(group.closing), width, first="    ", rest="    ")
            if group.state:
                yield from paragraph(group.state, width, first="    ", rest="    ")
            for detail in details_of(group, explained.at):
                yield from paragraph(detail, width, first="    ", rest="      ")
            if group.instances:
                yield from paragraph(short_names(group.instances), width, first="      ", rest="      ")


def _changes(changes: Iterable[Change], width: Width) -> Iterable[str]:
    for number, change in enumerate(changes, start=1):
        if number == 1:
            yield ""
            yield "What would let it run, the smallest change first"
        words = ", and ".join(part.description for part in all_changes(change))
        yield from paragraph(
            f"{words}  (it starts on {', '.join(change.starts_on)})", width, first=f"  {number} ", rest="    "
        )
        for command in commands_of(change):
            yield from paragraph(command, width, first="      $ ", rest="        ")
        for cost in change.costs:
            yield from paragraph(f"effect on others: {cost}", width, first="      ", rest="        ")


def _section(title: str, lines: Iterable[str], width: Width) -> Iterable[str]:
    for number, line in enumerate(lines):
        if not number:
            yield ""
            yield title
        yield from paragraph(line, width, first="  ", rest="    ")
