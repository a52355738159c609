"""A lesson as the open document: its cluster goes through a private folder and still is what the lesson says."""

from dataclasses import replace
from pathlib import Path

import pytest

from qmon_tui.lessons import lesson_files, lessons_folder, open_lesson
from qmon_tui.lessons.lesson import CommandLine
from qmon_tui.model import Kind
from qmon_tui.workspace import ChangeOrigin, Document, Event, LessonWorkspace, ReplaceDocument, SetField, evaluate


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("XDG_DATA_HOME", "XDG_STATE_HOME"):
        monkeypatch.setenv(name, str(tmp_path))


@pytest.mark.parametrize("path", [pytest.param(path, id=path.stem) for path in lesson_files(lessons_folder())])
def test_every_lesson_can_be_done(path: Path) -> None:
    workspace = LessonWorkspace(open_lesson(path), path)
    course, lesson = workspace.course, workspace.lesson
    for number, step in enumerate(lesson.steps):
        if number:
            workspace.go_to_step(number)
        if step.question is not None:
            correct = course.correct(number)
            assert correct is not None
            verdict = course.verdict(number, correct.text)
            assert verdict.right, (number + 1, correct, verdict)
            workspace.progress.note_answer(number, correct.text, right=True)
        if step.goal:
            assert not all(held.holds for held in course.goal(number, workspace.situation)), number + 1
            solved = course.solved(number)
            workspace.apply(ReplaceDocument("solve it", Document(solved.cluster, solved.state)))
            held = course.goal(number, workspace.situation)
            assert all(one.holds for one in held), (number + 1, held)
            assert workspace.note_goal(True)
            assert not workspace.note_goal(True)
        assert workspace.progress.is_done(lesson, number)
    assert workspace.progress.points(lesson) == lesson.points
    again = LessonWorkspace(open_lesson(path), path)
    assert again.number == len(lesson.steps) - 1
    assert again.progress == workspace.progress


def half_rule(student: str = "") -> LessonWorkspace:
    path = lessons_folder() / "half_rule.yaml"
    return LessonWorkspace(open_lesson(path), path, student)


def test_edits_of_a_step_are_there_when_one_comes_back() -> None:
    workspace = half_rule()
    workspace.apply(SetField(Kind.QUEUE, "all.q", "slots", "7"))
    assert [*workspace.situation.changed] == ["queues.all.q.slots"]
    workspace.go_to_step(1)
    assert not workspace.situation.changed
    assert workspace.history.undo_label is None
    workspace.go_to_step(0)
    assert workspace.cluster.objects(Kind.QUEUE)["all.q"].text("slots") == "7"
    workspace.begin_again()
    assert not workspace.situation.changed
    assert 0 not in workspace.progress.files
    workspace.undo()
    assert [*workspace.situation.changed] == ["queues.all.q.slots"]


def test_edits_that_are_kept_are_there_when_the_lesson_is_opened_again() -> None:
    workspace = half_rule()
    workspace.apply(SetField(Kind.QUEUE, "all.q", "slots", "7"))
    assert workspace.keep() == ""
    again = half_rule()
    assert again.cluster.objects(Kind.QUEUE)["all.q"].text("slots") == "7"
    assert [*again.situation.changed] == ["queues.all.q.slots"]


def test_another_step_is_told_as_a_change_whose_moves_count_from_the_step_before() -> None:
    workspace = half_rule()
    workspace.accept(evaluate(workspace.snapshot()))
    assert workspace.result is not None
    events: list[Event] = []
    workspace.subscribe(events.append)
    before, workspace.origin = workspace.revision, ChangeOrigin.FORM
    workspace.go_to_step(1)
    assert (events, workspace.revision, workspace.origin) == ([Event.CHANGED], before + 1, ChangeOrigin.FILE)
    assert workspace.baseline.before_change is workspace.result.outcome


def test_what_cannot_be_kept_is_said(tmp_path: Path) -> None:
    workspace = half_rule()
    progress = workspace.room / "progress.json"
    progress.unlink(missing_ok=True)
    progress.mkdir()
    assert workspace.keep() == f"The progress cannot be kept in {workspace.room}: it is a folder, not a file."


def test_the_step_that_was_begun_last_is_the_one_that_a_lesson_opens_at() -> None:
    workspace = half_rule()
    workspace.apply(SetField(Kind.QUEUE, "all.q", "slots", "7"))
    workspace.go_to_step(2)
    assert half_rule().number == 2
    workspace.go_to_step(0)
    assert [*workspace.situation.changed] == ["queues.all.q.slots"]
    assert half_rule().number == 0


def test_a_submission_is_written_into_a_folder_under_the_name_of_the_student(tmp_path: Path) -> None:
    workspace = half_rule()
    workspace.progress.student = "Ada L."
    file = workspace.submission_file(tmp_path)
    workspace.write_submission(file)
    assert file == tmp_path / f"{workspace.lesson.name}-ada-l.yaml"
    assert "Ada L." in file.read_text()


def test_what_others_left_in_the_private_folder_is_removed() -> None:
    workspace = half_rule()
    (Path(workspace.source.location) / "more.yaml").write_text("queues: {other.q: {}}\n")
    (Path(workspace.source.location) / "queues.yaml").write_text("queues: [\n")
    workspace = half_rule()
    assert list(workspace.cluster.objects(Kind.QUEUE)) == ["all.q"]
    assert not workspace.situation.changed


def test_a_moment_of_a_simulated_day_reaches_no_goal() -> None:
    workspace = half_rule()
    workspace.go_to_step(3)
    solved = workspace.course.solved(3)
    workspace.show_moment(Document(solved.cluster, solved.state))
    assert workspace.cluster is solved.cluster
    assert not workspace.situation.changed
    assert not all(held.holds for held in workspace.course.goal(3, workspace.situation))
    workspace.keep()
    assert 3 not in workspace.progress.files


@pytest.mark.parametrize("edit_first", [False, True])
def test_beginning_again_leaves_a_moment_that_is_shown(edit_first: bool) -> None:
    workspace = half_rule()
    start = workspace.document
    if edit_first:
        workspace.apply(SetField(Kind.QUEUE, "all.q", "slots", "7"))
    workspace.show_moment(start.with_state(replace(start.state, now=start.state.now + 60)))
    workspace.begin_again()
    assert workspace.moment is None
    assert workspace.document == start
    assert (workspace.history.undo_label == "begin the step again") is edit_first


def test_beginning_again_where_the_document_is_shown_tells_of_one_change() -> None:
    workspace = half_rule()
    told: list[Event] = []
    workspace.subscribe(told.append)
    workspace.begin_again()
    assert told == []
    workspace.apply(SetField(Kind.QUEUE, "all.q", "slots", "7"))
    workspace.begin_again()
    assert told == [Event.CHANGED, Event.CHANGED]


def test_a_step_counts_by_its_formulas_on_the_screen_as_in_grade() -> None:
    path = lessons_folder() / "reforms.yaml"
    workspace = LessonWorkspace(open_lesson(path), path)
    workspace.go_to_step(5)
    assert workspace.formulas == workspace.situation.formulas == "reform"
    for priority, leads in ((5, False), (6, True)):
        edited = workspace.course.edited(5, [CommandLine(f"qalter -p {priority} jobB4")])
        workspace.apply(ReplaceDocument("alter", Document(edited.cluster, edited.state)))
        assert all(held.holds for held in workspace.course.goal(5, workspace.situation)) is leads
    workspace.go_to_step(0)
    assert workspace.formulas == "grid-engine"


def test_why_is_hidden_until_a_step_is_done() -> None:
    path = lessons_folder() / "relops_overriding.yaml"
    workspace = LessonWorkspace(open_lesson(path), path)
    workspace.go_to_step(6)
    assert workspace.hides_why
    assert workspace.note_goal(True)
    assert not workspace.hides_why
    assert not half_rule().hides_why
    examined = LessonWorkspace(half_rule().lesson, lessons_folder() / "half_rule.yaml", explains_jobs=False)
    assert examined.hides_why
