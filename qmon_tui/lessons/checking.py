"""Checks of a lesson: its answers can be computed; the solution reaches each goal, which is not reached before."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from qmon_tui.lessons.changes import UNLISTED, known_paths
from qmon_tui.lessons.conditions import equals, value_text
from qmon_tui.lessons.course import Course
from qmon_tui.lessons.data import LessonError, quoted
from qmon_tui.lessons.draws import Variant
from qmon_tui.lessons.explanations import unfolded
from qmon_tui.lessons.lesson import Lesson, Unfold
from qmon_tui.lessons.reader import ReadFolder, read_lesson, step_errors
from qmon_tui.values import meant

_MOST_VARIANTS: Final = 20


class LessonProblem(NamedTuple):
    """One problem of a lesson with its line (None if unknown), and a hint how to solve it."""

    line: int | None
    message: str
    hint: str = ""


def check_lesson(text: str, name: str, read_folder: ReadFolder) -> list[LessonProblem]:
    """Return all problems of a lesson's text, in each of its variants."""
    try:
        lesson = read_lesson(text, name, read_folder)
    except LessonError as first:
        errors = {(error.line, error.message): error for error in (first, *step_errors(text))}
        return [LessonProblem(error.line, error.message, error.hint) for error in errors.values()]
    problems = list(lesson_problems(lesson))
    for index in range(1, min(lesson.variants, _MOST_VARIANTS)):
        try:
            others = lesson_problems(read_lesson(text, name, read_folder, Variant(index=index)))
            known = {(problem.line, problem.message) for problem in problems}
            problems += [
                problem._replace(message=f"{problem.message} (variant {index + 1})")
                for problem in others
                if (problem.line, problem.message) not in known
            ]
        except LessonError as error:
            problems.append(LessonProblem(error.line, f"{error.message} (variant {index + 1})", error.hint))
    return problems


def lesson_problems(lesson: Lesson) -> Iterator[LessonProblem]:
    """Yield the problems of one variant."""
    for finding in lesson.findings:
        yield LessonProblem(finding.line, finding.message, finding.hint)
    course = Course(lesson)
    for number, step in enumerate(lesson.steps):
        try:
            course.start(number)
        except LessonError as error:
            yield LessonProblem(error.line or step.line, f"step {number + 1} cannot begin: {error.message}", error.hint)
            return
        yield from _question_problems(course, number)
        yield from _goal_problems(course, number)
        for item in step.explain:
            if isinstance(item, Unfold):
                try:
                    unfolded(item, course.after(number, item.after))
                except LessonError as error:
                    line = error.line or item.line
                    yield LessonProblem(line, f"step {number + 1}, explain: {error.message}", error.hint)


def _question_problems(course: Course, number: int) -> Iterator[LessonProblem]:
    question = course.step(number).question
    if question is None:
        return
    lead = f"step {number + 1}, question"
    try:
        correct = course.correct(number)
    except LessonError as error:
        yield LessonProblem(error.line or question.line, f"{lead}: {error.message}", error.hint)
        return
    if correct is None or question.answer is None:
        return
    is_same_choice = question.choices and correct.choice is not None and ", ".join(question.answer) == correct.text
    if not is_same_choice and not equals(correct.value, question.answer, question.within, question.kind):
        yield LessonProblem(
            question.line,
            f'{lead}: the engine says "{quoted(value_text(correct.value))}", not "{", ".join(question.answer)}"',
            "fix the cluster or the answer",
        )


def _goal_problems(course: Course, number: int) -> Iterator[LessonProblem]:
    step = course.step(number)
    lead = f"step {number + 1}, goal"
    if step.goal and all(held.holds for held in course.goal(number, course.start(number))):
        yield LessonProblem(
            step.goal[0].quantity.line,
            f"{lead}: it is reached before anything is done",
            "ask for something that changes",
        )
    try:
        solved = course.solved(number)
    except LessonError as error:
        message = f"step {number + 1}, solution: {error.message}"
        yield LessonProblem(error.line or step.line, message, error.hint)
        return
    lines = [*(condition.quantity.line for condition in step.goal), step.line]
    for line, held in zip(lines, course.goal(number, solved), strict=False):
        if not held.holds:
            yield LessonProblem(
                line, f"{lead}: the solution does not reach it: {held.words}", "fix the goal or the solution"
            )
    known = [*known_paths(course.start(number).place), *known_paths(solved.place), *solved.changes]
    for pattern in step.may_change:
        if pattern.partition(".")[0] not in UNLISTED and not any(change.fits(pattern) for change in known):
            names = [change.path for change in known]
            yield LessonProblem(
                step.line,
                f'step {number + 1}, may_change: nothing can be changed that is called "{quoted(pattern)}"',
                meant(pattern, names) or "write paths such as jobs.*.-p or queues.all.q.slots",
            )
