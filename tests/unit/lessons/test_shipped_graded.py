"""Each lesson that comes with the program, as a student would hand it in: all right, all wrong, nothing."""

from pathlib import Path

import pytest

from qmon_tui.lessons import Course, Grade, graded, lesson_files, lessons_folder, open_lesson
from qmon_tui.lessons.submission import Submission

FILES = [pytest.param(path, id=path.stem) for path in lesson_files(lessons_folder())]


def handed_in(path: Path, answers: dict[int, str], *, solved: bool) -> Grade:
    lesson = open_lesson(path)
    edits = {number: step.solution for number, step in enumerate(lesson.steps, 1) if solved and step.goal}
    return graded(lesson, Submission("ada", lesson.name, answers, edits))


def right_answers(path: Path) -> dict[int, str]:
    course = Course(open_lesson(path))
    found = {number: course.correct(number - 1) for number in range(1, len(course.lesson.steps) + 1)}
    return {number: answer.text for number, answer in found.items() if answer is not None}


@pytest.mark.parametrize("path", FILES)
def test_right_answers_and_the_solutions_get_all_points(path: Path) -> None:
    grade = handed_in(path, right_answers(path), solved=True)
    assert not grade.notes
    assert [mark for mark in grade.marks if mark.points < mark.of] == []


@pytest.mark.parametrize("path", FILES)
def test_nothing_and_nonsense_get_none_and_are_told_why(path: Path) -> None:
    lesson = open_lesson(path)
    wrong = {number: "x" for number, step in enumerate(lesson.steps, 1) if step.question}
    for answers in ({}, wrong):
        grade = handed_in(path, answers, solved=False)
        assert grade.points == 0
        assert all(mark.reasons for mark in grade.marks)
        assert not grade.passed


@pytest.mark.parametrize("path", FILES)
def test_a_lesson_asks_before_it_tells_and_lets_do_something(path: Path) -> None:
    steps = open_lesson(path).steps
    assert all(step.question or step.goal for step in steps)
    assert all(step.explain for step in steps)
    assert any(step.goal for step in steps)
