"""Explain one job: its priority term by term, why each queue instance did not take it, and what would let it run."""

import argparse
from collections.abc import Iterable
from dataclasses import replace

from qmon_tui.cli.answer import Answer, Refusal, Width
from qmon_tui.cli.opening import opened
from qmon_tui.cli.schedule import moment
from qmon_tui.cli.text import paragraph, table
from qmon_tui.model.state import Job, State
from qmon_tui.scheduler.explain import explain
from qmon_tui.scheduler.outcome import Explanation, InstanceReason, Term
from qmon_tui.tui.present.reasons import folded, group_reasons, not_said
from qmon_tui.workspace.report import why_json


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("path", help="the cluster folder")
    parser.add_argument("job", metavar="JOB[.TASK]", help="the job's number, with a task's number behind a dot")
    parser.add_argument("--at", metavar="TIME", help="when the run takes place, as for schedule")


def answer(options: argparse.Namespace) -> Answer:
    """Read the folder, do the run, explain the task."""
    reading, talk = opened(options.path)
    job, task = _find(reading.state, options.job)
    state = replace(reading.state, now=moment(options.at, reading.state.now))
    try:
        explanation = explain(reading.cluster, state, job.id, task)
    except LookupError as error:
        raise Refusal(f"{error.args[0]}.") from error
    missing = tuple(f"Not simulated yet: {need}" for need in explanation.not_simulated)
    return Answer(why_json(explanation), lambda width: _lines(job, explanation, width), talk=(*talk, *missing))


def _find(state: State, text: str) -> tuple[Job, int | None]:
    number, dot, task = text.partition(".")
    if not number.isdecimal() or (dot and not task.isdecimal()):
        raise Refusal(f"{text} is no job: write its number, or number.task for one task of an array.")
    job = next((job for job in state.jobs if job.id == int(number)), None)
    if job is None:
        raise Refusal(f"There is no job {number}.")
    if dot and int(task) not in job.task_ids:
        raise Refusal(f"Job {number} has no task {task}.")
    return job, int(task) if dot else None


def _lines(job: Job, explained: Explanation, width: Width) -> Iterable[str]:
    name = f"Job {job.id}" if job.request.array is None else f"Job {job.id}.{explained.task}"
    rank = f", place {explained.rank} of {explained.pending} pending" if explained.rank is not None else ""
    yield f"{name}  {job.name}  of {job.owner}: state {explained.state}{rank}"
    if explained.rejected:
        yield from _section("qsub would refuse it", (explained.rejected,), width)
        return
    if explained.terms:
        yield ""
        yield from _priority(explained, width)
    yield from _section("Scheduling info", not_said(explained.reasons, explained.instances), width)
    yield from _instances(explained.instances, width)
    yield from _section("What would let it run", (change.description for change in explained.changes), width)


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
    for term in explained.terms:
        yield from _term(term, width)


def _term(term: Term, width: Width) -> Iterable[str]:
    yield ""
    yield from paragraph(f"{term.name}: {term.explanation}", width, rest="  ")
    size = max((len(name) for name, _ in term.detail), default=0)
    for name, value in term.detail:
        yield f"  {name:<{size}}  {value:15.5f}"


def _instances(instances: Iterable[InstanceReason], width: Width) -> Iterable[str]:
    """Each reason once with the queue instances that it holds for, what is nearest to letting the job run first."""
    groups = group_reasons(instances)
    if groups:
        yield ""
        yield "Queue instances"
    for group in groups:
        yield from paragraph(group.message, width, first="  ", rest="    ")
        if group.instances:
            yield from paragraph(folded(group.instances), width, first="      ", rest="      ")


def _section(title: str, lines: Iterable[str], width: Width) -> Iterable[str]:
    for number, line in enumerate(lines):
        if not number:
            yield ""
            yield title
        yield from paragraph(line, width, first="  ", rest="    ")
