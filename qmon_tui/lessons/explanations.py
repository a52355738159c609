"""Explanations of a step as data, which screen, terminal and HTML render."""

from dataclasses import dataclass

from qmon_tui.explain import Derivation, ReasonGroup
from qmon_tui.lessons.conditions import number_words, shown_value
from qmon_tui.lessons.data import LessonError, quoted
from qmon_tui.lessons.edits import edit_title
from qmon_tui.lessons.lesson import After, Quantity, Step, Unfold
from qmon_tui.lessons.quantities import value_of, words_of
from qmon_tui.lessons.situation import Situation

_MOST_ROWS = 40


@dataclass(frozen=True, slots=True)
class Derived:
    """A number of a job's priority with its arithmetic."""

    job: str
    derivation: Derivation


@dataclass(frozen=True, slots=True)
class Reasons:
    """The reasons why a job waits; `place`: the queue instances where it runs."""

    job: str
    groups: tuple[ReasonGroup, ...]
    lines: tuple[str, ...]
    """Lines of qstat -j."""
    place: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class JobTable:
    """Jobs with columns of qstat: first the heading, then a line for each job in the order of the list."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Shown:
    """A quantity in words: `mean wait in the simulated time: 312`."""

    words: str


Unfolded = Derived | Reasons | JobTable | Shown


def label_of(item: Unfold, step: Step) -> str:
    """Return the edits that an entry of `explain` is about, as Markdown; empty if no entry of the step has any."""
    if item.after == ():
        is_mixed = any(isinstance(other, Unfold) and other.after != () for other in step.explain)
        return "Before:" if is_mixed else ""
    return f"After {', '.join(f'`{edit}`' for edit in edits_named(item.after, step))}:"


def edits_named(after: After, step: Step) -> tuple[str, ...]:
    """Return the edits after which a result of a step is computed, each in a few words; None: the solution's."""
    return tuple(edit_title(edit) for edit in (step.solution if after is None else after))


def unfolded(item: Unfold, situation: Situation) -> Unfolded:
    """Compute what an entry of `explain` shows. Raises LessonError if there is nothing to show."""
    match item.what:
        case "derive":
            return _derived(item, situation)
        case "why":
            return _reasons(item, situation)
        case "table":
            return _table(item, situation)
    if item.quantity is None:
        raise LessonError("there is nothing to show", item.line)
    words = words_of(item.quantity)
    value = shown_value(item.quantity, value_of(situation, item.quantity))
    return Shown(f"{words[:1].upper() if words[:4] == 'the ' else words[:1]}{words[1:]}: {value}")


def _derived(item: Unfold, situation: Situation) -> Derived:
    job = situation.job(item.job)
    try:
        derivation = situation.explainer.derivation(job.id)
    except LookupError as error:
        raise LessonError(str(error.args[0]), item.line) from None
    if derivation is None:
        raise LessonError(f"job {quoted(item.job)} takes no part in the run, so it has no priority", item.line)
    if item.number:
        part = _part(derivation, item.number)
        if part is None:
            raise LessonError(f'the priority of {item.job} has no part "{quoted(item.number)}"', item.line)
        derivation = part
    return Derived(item.job, derivation)


def _part(derivation: Derivation, name: str) -> Derivation | None:
    if derivation.name == name:
        return derivation
    return next((inner for part in derivation.parts if (inner := _part(part, name)) is not None), None)


def _reasons(item: Unfold, situation: Situation) -> Reasons:
    job = situation.job(item.job)
    try:
        explanation = situation.explainer.explanation(job.id)
    except LookupError as error:
        raise LessonError(str(error.args[0]), item.line) from None
    outcome = situation.outcome_of(item.job)
    place = tuple(dict.fromkeys(name for task in outcome.tasks for name in task.granted))
    lines = (explanation.rejected,) if explanation.rejected else explanation.reasons
    return Reasons(item.job, explanation.groups, tuple(lines), place)


def _table(item: Unfold, situation: Situation) -> JobTable:
    ranks = situation.explainer.ranks
    if item.jobs:
        jobs = [situation.outcome_of(name) for name in item.jobs]
        jobs.sort(key=lambda job: ranks.get(job.id, 0))
    else:
        listed = [job for job in situation.outcome.jobs if job.id in ranks]
        jobs = sorted(listed, key=lambda job: ranks[job.id])[:_MOST_ROWS]
    rows = []
    for job in jobs:
        label = situation.label(job.id)
        numbers = [value_of(situation, Quantity("column", (column,), {"job": str(job.id)})) for column in item.columns]
        state = job.tasks[0].state if job.tasks else ""
        texts = (number_words(number) if isinstance(number, float) else str(number) for number in numbers)
        rows.append((label, job.owner, state, *texts))
    return JobTable(("job", "user", "state", *item.columns), tuple(rows))
