"""Each statement of the lessons that come with the program is what the engine computes."""

from pathlib import Path

import pytest

from qmon_tui.lessons import check_lesson, folders_beside, lesson_files, lesson_text, lessons_folder, listed

FILES = lesson_files(lessons_folder())


@pytest.mark.parametrize("path", [pytest.param(path, id=path.stem) for path in FILES])
def test_nothing_is_wrong_with_a_lesson(path: Path) -> None:
    assert check_lesson(lesson_text(path), path.stem, folders_beside(path)) == []


def test_all_are_listed() -> None:
    entries, broken = listed(lessons_folder())
    assert broken == []
    assert {entry.name for entry in entries} == {path.stem for path in FILES}
    assert all(entry.title and entry.subject and entry.points for entry in entries)
