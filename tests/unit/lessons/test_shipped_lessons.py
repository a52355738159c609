"""Each statement of the lessons that come with the program is what the engine computes."""

import re
import tomllib
from pathlib import Path

import pytest

from qmon_tui.lessons import (
    AnswerKind,
    Course,
    check_lesson,
    folders_beside,
    lesson_files,
    lesson_text,
    lessons_folder,
    listed,
    open_lesson,
)

FILES = lesson_files(lessons_folder())


@pytest.mark.parametrize("path", [pytest.param(path, id=path.stem) for path in FILES])
def test_nothing_is_wrong_with_a_lesson(path: Path) -> None:
    assert check_lesson(lesson_text(path), path.stem, folders_beside(path)) == []


@pytest.mark.parametrize("path", [pytest.param(path, id=path.stem) for path in FILES])
def test_no_question_lists_its_answer(path: Path) -> None:
    """The jobs of an order are named in another one."""
    lesson = open_lesson(path)
    course = Course(lesson)
    for number, step in enumerate(lesson.steps):
        correct = course.correct(number)
        if step.question is not None and correct is not None and step.question.kind is AnswerKind.ORDER:
            right = re.split(r",? +", correct.text)
            assert [word for word in re.findall(r"[\w.]+", step.question.ask) if word in right] != right


def test_all_are_listed() -> None:
    entries, broken = listed(lessons_folder())
    assert broken == []
    assert {entry.name for entry in entries} == {path.stem for path in FILES}
    assert all(entry.title and entry.subject and entry.points for entry in entries)


def test_the_wheel_has_the_lessons_and_the_clusters_that_they_open() -> None:
    project = tomllib.loads((Path(__file__).parents[3] / "pyproject.toml").read_text())
    shipped = project["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]
    assert shipped["configs/lessons"] == "qmon_tui/shipped/lessons"
    folders = {found[1] for path in FILES for found in re.finditer(r"^cluster: \.\./(\w+)/", path.read_text(), re.M)}
    for folder in folders:
        assert shipped[f"configs/{folder}"] == f"qmon_tui/shipped/{folder}"
