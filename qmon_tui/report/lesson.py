"""Lessons on the screen: their list, and the current step."""

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from qmon_tui.explain import ReasonGroup
from qmon_tui.lessons import (
    AnswerKind,
    Derived,
    Entry,
    Holding,
    JobTable,
    Lesson,
    Progress,
    Question,
    Reasons,
    Shown,
    Unfolded,
    tries_of,
)
from qmon_tui.report.grid_rows import Cell, Column, GridRow, GridRows, table_lines
from qmon_tui.report.markdown import markdown_lines
from qmon_tui.report.priority import derived_lines
from qmon_tui.report.reason_text import by_heading, heading, short_names, spelt_out
from qmon_tui.report.spans import Line, Span, TextRole, justify, wrap
from qmon_tui.workspace import ExplainedCluster


@dataclass(frozen=True, slots=True)
class StepModel:
    """The engine's results for step `number` (from 0)."""

    number: int
    correct: str = ""
    """The correct answer in words; empty without a question."""
    goal: tuple[Holding, ...] = ()
    explained: tuple[str | Unfolded, ...] = ()
    """The explanation; texts are Markdown. Empty until the step is done."""
    why: str = ""
    """Why the last answer was wrong; empty if it was not."""
    problem: str = ""
    """Fault of the lesson; empty without one."""
    following: Entry | None = None
    """The next lesson, set once the last step is done; None if this is the last lesson."""
    others: tuple[ExplainedCluster, ...] = ()
    """Other clusters than the student's that the explanation shows."""


@dataclass(frozen=True, slots=True)
class Keys:
    """Labels of the page's keys."""

    answer: str
    next: str
    hint: str
    revert: str
    export: str
    leave: str


def head_line(lesson: Lesson, progress: Progress, cells: int) -> Line:
    """Return the title, a dot for each step (filled if done), the number of the shown step, and the points."""
    number = progress.step
    dots = "".join("●" if progress.is_done(lesson, step) else "○" for step in range(len(lesson.steps)))
    start = (Span(f" {lesson.title}", TextRole.STRONG), Span(f"  {lesson.subject}", TextRole.DIM))
    points = f"points {progress.points(lesson):g}/{lesson.points:g} "
    end = (Span(f"{dots}  ", TextRole.ACCENT), Span(f"step {number + 1}/{len(lesson.steps)}  "), Span(points))
    return justify(start, end, cells)


def step_lines(lesson: Lesson, progress: Progress, model: StepModel | None, keys: Keys, cells: int) -> tuple[Line, ...]:
    """Return all lines of the current step; `model` is None until it is computed."""
    lines = tuple(_lines(lesson, progress, model, keys, cells))
    return lines if lines and lines[0] else lines[1:]


def _lines(lesson: Lesson, progress: Progress, model: StepModel | None, keys: Keys, cells: int) -> Iterator[Line]:
    number = progress.step
    step = lesson.steps[number]
    if number == 0 and lesson.about:
        yield from markdown_lines(lesson.about, cells)
        yield ()
    if step.title:
        yield from wrap(step.title, cells, TextRole.TITLE)
    yield from markdown_lines(step.text, cells)
    model = model if model is not None and model.number == number else None
    if model is not None and model.problem:
        yield ()
        yield from wrap(f"This lesson has a fault: {model.problem}", cells, TextRole.ERROR)
    if step.question is not None:
        yield ()
        yield from _question_lines(lesson, progress, step.question, model, cells)
    if step.goal:
        yield ()
        yield from _goal_lines(progress, model, step.goal_points, keys, cells)
    opened = step.hints[: progress.hints.get(number, 0)]
    for hint in opened:
        yield ()
        yield (Span("Hint", TextRole.WARNING),)
        yield from markdown_lines(hint, cells)
    if len(opened) < len(step.hints) and not progress.is_done(lesson, number):
        yield ()
        more = "Another hint" if opened else "A hint"
        yield (Span(f"{keys.hint} {more}", TextRole.DIM, "screen.do('learn.hint')"),)
    if progress.is_done(lesson, number):
        yield from _explanation_lines(model, cells)
        yield ()
        yield from _end_lines(lesson, progress, model.following if model is not None else None, keys, cells)


def _question_lines(
    lesson: Lesson, progress: Progress, question: Question, model: StepModel | None, cells: int
) -> Iterator[Line]:
    number = progress.step
    answered = progress.is_answered(lesson, number)
    points = f"  {_points(question.points)}" if not answered else ""
    yield (Span("Question", TextRole.TITLE), Span(points, TextRole.DIM))
    yield from markdown_lines(question.ask, cells)
    names = question.of.argument if question.kind is AnswerKind.ORDER and question.of is not None else ()
    if any(name not in question.ask for name in names):
        yield from wrap(", ".join(names), cells, TextRole.ACCENT, first="    ", rest="    ")
    for index, choice in enumerate(question.choices):
        is_right = answered and model is not None and choice.text == model.correct
        role = TextRole.ADDED if is_right else TextRole.PLAIN
        sign = "✓" if is_right else " "
        lead = f" {sign} {chr(ord('a') + index)}  "
        lines = wrap(choice.text, cells, role, first=lead, rest=" " * len(lead))
        yield from lines if answered else _clicked(lines, f"choose('{chr(ord('a') + index)}')")
    if question.kind is AnswerKind.CHOICE and not question.choices and not answered:
        yes, no = (Span(word, TextRole.ACCENT, f"choose('{word}')") for word in ("yes", "no"))
        yield (Span("    "), yes, Span("   "), no)
    given = progress.answers.get(number)
    if given is None:
        return
    if number in progress.right:
        yield from wrap(f"{given}", cells, TextRole.ADDED, first="✓ ", rest="  ")
    else:
        words = f"{given}: not right"
        if not answered:
            left_over = tries_of(question) - progress.tries.get(number, 0)
            words += f"; {left_over} more {'try' if left_over == 1 else 'tries'}"
        yield from wrap(words, cells, TextRole.ERROR, first="✗ ", rest="  ")
        if model is not None and model.why:
            yield from wrap(model.why, cells, first="  ", rest="  ")
        if answered and model is not None:
            yield from wrap(f"The answer is {model.correct}", cells, TextRole.STRONG, first="  ", rest="  ")


def _clicked(lines: Iterable[Line], action: str) -> Iterator[Line]:
    """Yield the lines with an action that a click runs."""
    return (tuple(span._replace(action=action) for span in spans) for spans in lines)


def _goal_lines(progress: Progress, model: StepModel | None, points: float, keys: Keys, cells: int) -> Iterator[Line]:
    reached = progress.step in progress.reached
    mark = "reached" if reached else _points(points)
    yield (Span("Goal", TextRole.TITLE), Span(f"  {mark}", TextRole.ADDED if reached else TextRole.DIM))
    for held in model.goal if model is not None else ():
        sign, role = ("✓ ", TextRole.ADDED) if held.holds else ("○ ", TextRole.WAITING)
        yield from wrap(held.words, cells, role, first=sign, rest="  ")
    if not reached:
        yield from wrap(
            f"Edit the cluster with the keys of the program; {keys.revert} begins the step again.", cells, TextRole.DIM
        )


def _points(points: float) -> str:
    return f"{points:g} point{'' if points == 1 else 's'}"


def _end_lines(lesson: Lesson, progress: Progress, following: Entry | None, keys: Keys, cells: int) -> Iterator[Line]:
    if progress.step + 1 < len(lesson.steps):
        yield (Span(f"{keys.next} Next step", TextRole.ACCENT, "screen.do('learn.next')"),)
        return
    points, full = progress.points(lesson), lesson.points
    passed = points + 1e-9 >= lesson.needed * full
    words = f"This was the last step: {points:g} of {full:g} points, {'passed' if passed else 'not passed'}."
    yield from wrap(words, cells, TextRole.STRONG)
    if following is not None:
        next_words = f"{keys.next} Next lesson: {following.title}"
        yield from _clicked(wrap(next_words, cells, TextRole.ACCENT), "screen.do('learn.next')")
    yield (Span(f"{keys.leave} All lessons", TextRole.ACCENT, "screen.do('learn.leave')"),)
    words = f"{keys.export} writes your answers and edits to a file to hand in."
    yield from _clicked(wrap(words, cells, TextRole.DIM), "screen.do('learn.export')")


# The explanation ----------------------------------------------------------------------------------------------------


def _explanation_lines(model: StepModel | None, cells: int) -> Iterator[Line]:
    if model is None or not model.explained:
        return
    yield ()
    yield (Span("Explanation", TextRole.TITLE),)
    for number, item in enumerate(model.explained):
        if number:
            yield ()
        yield from markdown_lines(item, cells) if isinstance(item, str) else unfolded_lines(item, cells)


def unfolded_lines(item: Unfolded, cells: int) -> Iterator[Line]:
    """Yield an item of the explanation."""
    match item:
        case Derived(job, derivation):
            yield (Span(f"{derivation.name} of {job}", TextRole.STRONG),)
            yield from derived_lines(derivation, cells)
        case Reasons():
            yield from _reason_lines(item, cells)
        case JobTable(columns, rows):
            yield from _table_lines(columns, rows, cells)
        case Shown(words):
            yield from wrap(words, cells)


def _reason_lines(item: Reasons, cells: int) -> Iterator[Line]:
    if item.place:
        yield from wrap(f"{item.job} runs on {short_names(item.place)}", cells, TextRole.RUNNING)
        return
    yield (Span(f"Why {item.job} waits", TextRole.STRONG),)
    groups: Sequence[ReasonGroup] = item.groups
    for why, same in by_heading(groups).items():
        yield from wrap(heading(why, groups), cells, TextRole.WAITING)
        for group in same:
            yield from wrap(spelt_out(group.message, {}), cells, first="  ", rest="    ")
            if group.instances:
                yield from wrap(short_names(group.instances), cells, TextRole.DIM, first="    ", rest="    ")
    if not groups:
        for line in item.lines:
            yield from wrap(line, cells, first="  ", rest="    ")


def _table_lines(titles: Sequence[str], rows: Sequence[Sequence[str]], cells: int) -> Iterator[Line]:
    columns = [
        Column(title, title, "left" if number < _TEXT_COLUMNS else "right") for number, title in enumerate(titles)
    ]
    return table_lines(columns, rows, cells)


_TEXT_COLUMNS = 3
"""Number of text columns: job, user and state; the others are numbers."""


_COLUMNS: Final = (
    Column("subject", "subject", minimum=7), Column("steps", "steps", "right"), Column("minutes", "min", "right"),
    Column("points", "points", "right"), Column("title", "lesson", minimum=12), Column("name", "name", minimum=6),
)  # fmt: skip


class LessonRows(GridRows):
    """One row for each lesson, in their order."""

    def __init__(self, entries: Sequence[Entry] = ()) -> None:
        self._entries = {str(entry.path): entry for entry in entries}
        super().__init__(_COLUMNS, [_row(entry) for entry in entries])

    def entry(self, key: Hashable) -> Entry | None:
        """Return the lesson whose file has this path; None if unknown."""
        return self._entries.get(str(key))

    def about_lines(self, key: Hashable, cells: int) -> tuple[Line, ...]:
        """Return the description and prerequisites of a lesson; for an unknown key, a line about lessons."""
        entry = self.entry(key)
        if entry is None:
            return wrap("A lesson is a small cluster with questions and things to do.", cells, TextRole.DIM)
        words = "Enter begins or continues it."
        if entry.after:
            titles = {known.name: known.title for known in self._entries.values()}
            words = f"Do before: {', '.join(titles.get(name, name) for name in entry.after)}. {words}"
        return (*markdown_lines(entry.about, cells), (), *wrap(words, cells, TextRole.DIM))


def _row(entry: Entry) -> GridRow:
    points = f"{entry.points:g}" if entry.earned is None else f"{entry.earned:g}/{entry.points:g}"
    return GridRow(str(entry.path), (
        Cell(entry.subject, TextRole.DIM), Cell(str(entry.steps)), Cell(f"{entry.minutes or ''}"), Cell(points),
        Cell(entry.title, TextRole.STRONG),
        Cell(entry.name, TextRole.DIM),
    ))  # fmt: skip
