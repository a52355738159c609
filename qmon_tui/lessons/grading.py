"""Points for a submission, and the reasons for missing points."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from qmon_tui.lessons.course import Course
from qmon_tui.lessons.data import LessonError
from qmon_tui.lessons.edits import edit_words
from qmon_tui.lessons.lesson import Lesson
from qmon_tui.lessons.submission import Submission


class Mark(NamedTuple):
    """Points for one question or goal, out of a maximum `of`; `step` counts from 1."""

    step: int
    what: str
    """question or goal."""
    points: float
    of: float
    reasons: tuple[str, ...]
    given: str = ""
    """The student's answer; empty for a goal, and if there is none."""
    correct: str = ""
    """The right answer; for a goal, the edits of the lesson's solution."""


@dataclass(frozen=True, slots=True)
class Grade:
    """All marks of one submission."""

    student: str
    marks: tuple[Mark, ...]
    needed: float
    """The fraction of all points that is needed to pass, 0 to 1."""
    notes: tuple[str, ...] = ()
    drawn: Mapping[str, str] = field(default_factory=dict)
    """Name or number of each draw -> value drawn from the student's name."""

    @property
    def points(self) -> float:
        return sum(mark.points for mark in self.marks)

    @property
    def of(self) -> float:
        """Points that could be reached."""
        return sum(mark.of for mark in self.marks)

    @property
    def passed(self) -> bool:
        """True if the points suffice for the lesson; rounding errors of sums do not count."""
        return self.points + 1e-9 >= self.needed * self.of


def graded(lesson: Lesson, submission: Submission, student: str = "") -> Grade:
    """Grade a submission; `student` is its name if it states none. Raises LessonError if the lesson itself is wrong."""
    course = Course(lesson)
    marks = tuple(mark for number in range(len(lesson.steps)) for mark in _marks(course, number, submission))
    return Grade(submission.student or student, marks, lesson.needed, tuple(_notes(lesson, submission)), lesson.drawn)


def answer_key(lesson: Lesson, student: str) -> Grade:
    """Return the right answers of a lesson as marks with full points. Raises LessonError."""
    marks = (mark._replace(points=mark.of, reasons=()) for mark in graded(lesson, Submission(student)).marks)
    return Grade(student, tuple(marks), lesson.needed, drawn=lesson.drawn)


def _notes(lesson: Lesson, submission: Submission) -> Iterator[str]:
    if submission.lesson and submission.lesson != lesson.name:
        yield f"this is a submission for the lesson {submission.lesson}, not for {lesson.name}"
    last = len(lesson.steps)
    for number in sorted({*submission.answers, *submission.edits}):
        if number > last:
            yield f"there is no step {number}; the lesson has {last}"
        elif number in submission.answers and lesson.steps[number - 1].question is None:
            yield f"step {number} asks nothing; its answer does not count"


def _marks(course: Course, number: int, submission: Submission) -> Iterator[Mark]:
    step = course.step(number)
    if step.question is not None:
        yield _answer_mark(course, number, submission, step.question.points)
    if step.goal:
        points, reasons = _goal_points(course, number, submission)
        solution = "; ".join(map(edit_words, step.solution))
        yield Mark(number + 1, "goal", points * step.goal_points, step.goal_points, reasons, correct=solution)


def _answer_mark(course: Course, number: int, submission: Submission, points: float) -> Mark:
    correct = course.correct(number)
    text = correct.text if correct is not None else ""
    given = submission.answers.get(number + 1)
    if given is None:
        reason = submission.unread.get((number + 1, "question"), "there is no answer")
        return Mark(number + 1, "question", 0.0, points, (reason,), correct=text)
    verdict = course.verdict(number, given)
    is_right = verdict.right or correct is None
    reason = f"the answer is {text}" if verdict.understood else verdict.words
    return Mark(number + 1, "question", points if is_right else 0.0, points, () if is_right else (reason,), given, text)


def _goal_points(course: Course, number: int, submission: Submission) -> tuple[float, tuple[str, ...]]:
    edits = submission.edits.get(number + 1)
    if edits is None:
        return 0.0, (submission.unread.get((number + 1, "goal"), "there are no edits"),)
    try:
        situation = course.edited(number, edits)
    except LessonError as error:
        return 0.0, (f"an edit cannot be made: {error.message}",)
    missed = tuple(held.words for held in course.goal(number, situation) if not held.holds)
    return (0.0 if missed else 1.0), missed
