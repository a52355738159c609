"""What the learn page keeps is read again, is a submission as well, and bad text is a new beginning."""

import json
import os
from dataclasses import replace
from pathlib import Path

import pytest

from qmon_tui.lessons import (
    LessonError,
    Progress,
    find_lesson,
    graded,
    keep_progress,
    lesson_room,
    load_progress,
    open_lesson,
    progress_text,
    read_submission,
    submission_name,
)
from qmon_tui.lessons.progress import read_progress
from tests.unit.lessons.lessons_harness import course_with

STEPS = (
    "{question: {ask: A, of: {first: pending}, points: 2}}",
    "{goal: [{starts: ice}], solution: ['hosts.global.complex_values=lic=9'], points: 3}",
    "question: {ask: B, of: {starts: ice}}",
)


def done() -> Progress:
    progress = Progress("Eve", 2)
    progress.note_answer(0, "ice", right=False)
    progress.note_answer(0, "sea", right=True)
    progress.note_answer(2, "no", right=False)
    progress.reached.add(1)
    progress.files[1] = {"a.yaml": "hosts: {global: {complex_values: lic=9}}\n"}
    progress.hints[0] = 1
    return progress


def test_it_is_read_again() -> None:
    lesson = course_with(*STEPS).lesson
    assert read_progress(progress_text(lesson, done()), lesson, "Eve") == done()


def test_points_and_what_is_done() -> None:
    lesson = course_with(*STEPS).lesson
    progress = done()
    assert (progress.points(lesson), lesson.points) == (5, 6)
    assert [progress.is_done(lesson, number) for number in range(3)] == [True, True, True]
    progress.tries[2] = 0
    assert not progress.is_answered(lesson, 2)


def test_it_is_a_submission(tmp_path: Path) -> None:
    lesson = course_with(*STEPS).lesson
    progress = done()
    progress.files[1] = {"all.yaml": lesson_files(lesson.name)}
    grade = graded(lesson, read_submission(progress_text(lesson, progress), tmp_path / "mine.yaml"))
    assert (grade.student, grade.points, grade.of) == ("Eve", 5, 6)
    assert [mark.reasons for mark in grade.marks] == [(), (), ("the answer is yes",)]


def lesson_files(name: str) -> str:
    from tests.unit.lessons.lessons_harness import CLUSTER

    assert name == "trial"
    return CLUSTER.replace("lic=2", "lic=9")


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"lesson": "other"}', '{"lesson": "trial", "page": {}}', '{"lesson": "trial", "page": 7}']
)
def test_other_text_is_a_new_beginning(text: str) -> None:
    assert read_progress(text, course_with(*STEPS).lesson, "Eve") == Progress("Eve")


def test_a_name_that_the_locale_has_no_letters_for_is_an_error_of_the_system(tmp_path: Path) -> None:
    with pytest.raises(OSError, match=r"no such letters in this locale, set LC_ALL=C\.UTF-8"):
        keep_progress(tmp_path / "\ud800", course_with(*STEPS).lesson, done())


def test_long_names_and_texts_are_kept() -> None:
    lesson = course_with(*STEPS).lesson
    kept = replace(done(), files={1: {"k" * 2000: "x", "b.yaml": "#" * 2_000_000}})
    assert read_progress(progress_text(lesson, kept), lesson, "Eve") == kept


@pytest.mark.parametrize("bad", ["²", "--5", "9" * 400, "1e400", "x", "-1", "99"])
def test_a_number_that_is_none_costs_its_own_entry(bad: str) -> None:
    data = {
        "lesson": "trial", "answers": {"1": "yes", bad: "no"}, "edits": {"1": {"files": {"a": "b"}}, "2": {}},
        "page": {
            "step": bad, "tries": {"1": 1, bad: 1}, "right": [1, bad], "reached": [bad, 2], "hints": {"1": 2, bad: 1},
        },
    }  # fmt: skip
    progress = read_progress(json.dumps(data), course_with(*STEPS).lesson, "Eve")
    assert (progress.answers, progress.tries, progress.right) == ({0: "yes"}, {0: 1}, {0})
    assert (progress.reached, progress.hints, progress.files) == ({1}, {0: 2}, {0: {"a": "b"}})


def test_each_student_has_another_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    lesson = course_with(*STEPS).lesson
    path = tmp_path / "trial.yaml"
    rooms = {lesson_room(path, name) for name in ("", "Ada", "Eve", "../../etc")}
    assert len(rooms) == 4
    assert all(room.parent == tmp_path / "qmon-tui" / "lessons" for room in rooms)
    keep_progress(lesson_room(path, "Eve"), lesson, done())
    assert load_progress(lesson_room(path, "Eve"), lesson, "Eve") == done()
    assert load_progress(lesson_room(path, "Ada"), lesson, "Ada") == Progress("Ada")
    assert submission_name(lesson, "Ada / Lovelace") == "trial-ada-lovelace.yaml"


def test_a_pipe_in_place_of_the_progress_is_a_new_beginning(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "progress.json")
    assert load_progress(tmp_path, open_lesson(find_lesson("half_rule")), "ada").student == "ada"


@pytest.mark.parametrize("link", ["mine/jobs.yaml", "mine/sub", "mine"])
def test_a_link_in_a_folder_that_is_handed_in_is_not_followed(link: str, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "jobs.yaml").write_text("queues: {a.q: {}}\n")
    target = tmp_path / "other" / ("jobs.yaml" if link.endswith("yaml") else "")
    (tmp_path / link).parent.mkdir(exist_ok=True)
    (tmp_path / link).symlink_to(target)
    with pytest.raises(LessonError, match="is a link, which is not followed"):
        read_submission("edits: {1: {folder: mine}}\n", tmp_path / "a.yaml")
