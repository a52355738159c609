"""The page of the lessons: a question is answered before its answer shows, a goal is checked, and all of it is kept."""

import asyncio
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from qmon_tui.lessons import Course, Variant, find_lesson, next_lesson, open_lesson
from qmon_tui.lessons.edits import field_edit
from qmon_tui.model.kinds import Kind
from qmon_tui.qmaster import read_command
from qmon_tui.sources import read_folder
from qmon_tui.tui.app import QmonApp
from qmon_tui.tui.base import LessonRequested, Lines, LineTable, QInput
from qmon_tui.tui.learn import view as learn_view
from qmon_tui.tui.learn.view import LearnView
from qmon_tui.workspace import Document, LessonWorkspace, ReplaceDocument, SetField, Workspace
from qmon_tui.workspace.state_edits import CommandEdit
from tests.tui.screen_harness import CONFIGS, Opened, opened, quiet


@asynccontextmanager
async def in_lesson(size: tuple[int, int] = (120, 36), student: str = "") -> AsyncIterator[Opened]:
    """The half rule, begun or continued."""
    path = find_lesson("half_rule")
    workspace = LessonWorkspace(open_lesson(path, Variant(student)), path, student)
    app = QmonApp(workspace, changes=quiet, page="learn")
    async with app.run_test(size=size, notifications=True) as pilot:
        running = Opened(app, pilot, Path(workspace.source.location))
        await pilot.pause()
        await running.settle()
        yield running


def view_of(it: Opened) -> LearnView:
    return it.main.query_one(LearnView)


def session_of(it: Opened) -> LessonWorkspace:
    assert isinstance(it.workspace, LessonWorkspace)
    return it.workspace


async def answer(it: Opened, text: str) -> None:
    assert isinstance(it.app.screen.focused, QInput)
    await it.type(text)
    await it.press("enter")
    await it.settle()


def step_text(it: Opened) -> str:
    """All of the step, wrapped lines joined."""
    return " ".join(view_of(it).query_one("#learn-step", Lines).text.split())


async def test_the_answer_shows_only_after_it_was_given() -> None:
    async with in_lesson() as it:
        assert "0.55500" not in it.text
        assert not it.main.live.is_on_screen
        await answer(it, "0.5")
        assert "✗ 0.5: not right; 1 more try It is more than that." in step_text(it)
        assert not it.main.live.is_on_screen
        await answer(it, "0.555")
        assert "✓ 0.555" in step_text(it)
        assert "prior 0.555 = 0.1 × 0.5 + 0.01 × 0.5 + 1 × 0.5" in step_text(it)
        assert it.main.live.is_on_screen
        assert "points 2/6" in it.text


async def test_an_answer_can_be_clicked_as_well() -> None:
    path = find_lesson("preemption_tree")
    app = QmonApp(LessonWorkspace(open_lesson(path, Variant("")), path, ""), changes=quiet, page="learn")
    async with app.run_test(size=(120, 50), notifications=True) as pilot:
        it = Opened(app, pilot, path)
        await it.settle()
        step = view_of(it).query_one("#learn-step", Lines)
        lines = step.text.splitlines()
        for text, said in (("a  inD", "✗ a: not right; 1 more try"), ("b  new itself", "✓ b")):
            y = next(index for index, line in enumerate(lines) if text in line)
            await pilot.click(step, offset=(6, y))
            await it.settle()
            assert said in step_text(it)
        y = next(index for index, line in enumerate(step.text.splitlines()) if "] Next step" in line)
        await pilot.click(step, offset=(3, y - round(step.scroll_offset.y)))
        await it.settle()
        assert view_of(it).number == 1


async def test_after_two_wrong_answers_the_right_one_shows() -> None:
    async with in_lesson() as it:
        await answer(it, "1")
        await answer(it, "2")
        assert "The answer is 0.55500" in step_text(it)
        assert "points 0/6" in it.text
        assert not view_of(it).is_asking


async def test_jobs_are_put_in_order() -> None:
    async with in_lesson() as it:
        view_of(it).go_to_step(1)
        await it.settle()
        await answer(it, "jobB2 jobB4")
        assert it.toasts[-1] == "name each of jobC1, jobB4, jobB2 once."
        await answer(it, "jobB2 jobB4 jobC1")
        assert "✓ jobB2 jobB4 jobC1" in step_text(it)


async def test_what_is_not_understood_is_no_try() -> None:
    async with in_lesson() as it:
        await answer(it, "half")
        assert it.toasts[-1] == '"half" is not a number.'
        assert session_of(it).progress.tries == {}


async def test_hints_open_one_by_one() -> None:
    async with in_lesson() as it:
        await it.press("escape", "t")
        assert "normalised to something" in step_text(it)
        assert "neither 0 nor 1" not in step_text(it)
        await it.press("t", "t")
        assert "neither 0 nor 1" in step_text(it)
        assert it.toasts[-1] == "There is no further hint."


async def test_a_goal_is_noticed_wherever_it_is_reached() -> None:
    async with in_lesson() as it:
        await answer(it, "0.555")
        await it.press("right_square_bracket", "escape", "right_square_bracket", "escape", "right_square_bracket")
        assert view_of(it).number == 3
        assert not view_of(it).has_next
        await it.press("J")
        await it.press("down", "down", "P")
        await it.type("100")
        await it.press("enter")
        assert "The goal is reached. 6 shows the explanation." in it.toasts
        await it.press("6")
        assert "✓ The first pending job is jobC1." in step_text(it)
        assert "This was the last step: 4 of 6 points, passed." in step_text(it)
        async with asyncio.timeout(60):
            while "Next lesson" not in step_text(it):
                await it.pilot.pause(0.05)
        following = next_lesson(session_of(it).path)
        assert following is not None
        assert f"] Next lesson: {following.title}" in step_text(it)
        assert "X All lessons" in step_text(it)
        assert "X leave" in it.text.splitlines()[-1]
        await it.pilot.press("right_square_bracket")
        assert isinstance(it.app.wanted, LessonRequested)
        assert it.app.wanted.path == following.path


async def test_too_many_changes_do_not_reach_it() -> None:
    async with in_lesson() as it:
        view_of(it).go_to_step(3)
        await it.settle()
        it.main.apply(SetField(Kind.QUEUE, "all.q", "slots", "2"))
        command = read_command(it.workspace.cluster, "qalter -p 100 7")
        assert command is not None
        it.main.apply(CommandEdit(command))
        await it.settle()
        assert "○ The number of changed fields is 2; it should be at most 1." in step_text(it)
        await it.press("x")
        assert not it.workspace.is_dirty()
        assert "The number of changed fields is 0." in step_text(it)
        await it.press("u")
        assert it.workspace.is_dirty(Kind.QUEUE)


async def test_saving_does_not_move_the_beginning_of_the_step() -> None:
    async with in_lesson() as it:
        view_of(it).go_to_step(3)
        await it.settle()
        it.main.apply(SetField(Kind.QUEUE, "all.q", "slots", "2"))
        await it.settle()
        it.workspace.save()
        await it.settle()
        assert "The number of changed fields is 1." in step_text(it)
        await it.press("x")
        assert it.workspace.cluster.objects(Kind.QUEUE)["all.q"].text("slots") == "1"


async def test_what_was_done_is_kept_without_asking() -> None:
    async with in_lesson() as it:
        await answer(it, "0.555")
        await it.press("right_square_bracket", "escape")
        it.main.apply(SetField(Kind.QUEUE, "all.q", "slots", "2"))
        await it.settle()
        await it.press("q")
        assert not it.app.is_running or it.at_main
    async with in_lesson() as it:
        assert view_of(it).number == 1
        assert "points 2/6" in it.text
        assert it.workspace.is_dirty(Kind.QUEUE, "all.q", "slots")
    async with in_lesson(student="Ada") as it:
        assert view_of(it).number == 0


async def test_what_is_handed_in_can_be_graded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from qmon_tui.cli import main

    monkeypatch.chdir(tmp_path)
    async with in_lesson(student="Ada Lovelace") as it:
        await answer(it, "0.555")
        view_of(it).go_to_step(3)
        await it.settle()
        command = read_command(it.workspace.cluster, "qalter -p 100 7")
        assert command is not None
        it.main.apply(CommandEdit(command))
        await it.settle()
        await it.press("E")
        assert it.toasts[-1] == f"Written to {tmp_path / 'half_rule-ada-lovelace.yaml'}."
        handed_in = tmp_path / "half_rule-ada-lovelace.yaml"
        handed_in.write_text("of somebody else")
        await it.press("E")
        assert "Replace half_rule-ada-lovelace.yaml?" in it.text
        await it.press("escape")
        assert handed_in.read_text() == "of somebody else"
        await it.press("E", "y")
        assert handed_in.read_text() != "of somebody else"
    assert main(["grade", "half_rule", str(tmp_path / "half_rule-ada-lovelace.yaml")]) == 0
    assert "Ada Lovelace: 4 of 6 points, passed." in capsys.readouterr().err


async def test_leaving_asks_for_the_list() -> None:
    async with in_lesson() as it:
        await it.press("escape")
        await it.pilot.press("X")
        assert isinstance(it.app.wanted, LessonRequested)
        assert it.app.wanted.path is None


async def test_the_list_opens_a_lesson(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copy(find_lesson("half_rule"), tmp_path)
    (tmp_path / "bad.yaml").write_text("title: Bad\n")
    monkeypatch.setattr(learn_view, "lessons_folder", lambda: tmp_path)
    async with opened(CONFIGS / "teaching") as it:
        await it.press("6")
        await it.settle()
        assert "The 0.5 rule" in it.text
        assert "Every policy is switched off" in it.text
        assert "2/6" not in it.text
        assert "bad.yaml:1: a lesson needs `cluster:`" in it.toasts
        await it.press("right_square_bracket")
        assert it.toasts[-1] == "No lesson is open: Enter opens the one under the cursor."
        it.main.apply(SetField(Kind.COMPLEX, "gpu", "urgency", "100"))
        await it.settle()
        await it.press("home", "enter")
        assert it.toasts[-1].startswith("Save or undo your edits first")
        await it.press("u")
        await it.pilot.press("enter")
        assert isinstance(it.app.wanted, LessonRequested)
        assert it.app.wanted.path is not None


@pytest.mark.parametrize("size", [(80, 24), (120, 36), (200, 55)])
async def test_it_has_room_on_every_terminal(size: tuple[int, int]) -> None:
    async with in_lesson(size=size) as it:
        assert "What is the priority of jobC1?" in it.text
        assert "0.55500" not in it.text
        await answer(it, "0.555")
        assert "points 2/6" in it.text
        assert "✓ 0.555" in it.text
        assert "Explanation" in it.text


async def test_the_list_has_the_lesson_that_was_left(tmp_path: Path) -> None:
    """A lesson of a teacher is not in the folder of the program; its name may be that of another."""
    own = tmp_path / "urgency.yaml"
    own.write_text(find_lesson("half_rule").read_text().replace("title: The 0.5 rule", "title: Homework"))
    path = find_lesson("quotas")
    for lessons, title in (((path, own), "Homework"), ((own, path), "Quotas")):
        app = QmonApp(Workspace(read_folder(CONFIGS / "teaching")), changes=quiet, page="learn", lessons=lessons)
        async with app.run_test(size=(120, 40), notifications=True) as pilot:
            it = Opened(app, pilot, path)
            await it.settle()
            table = view_of(it).query_one("#learn-list", LineTable)
            assert title in table.cursor_text
            for listed in ("Homework", "Urgency and its scale", "Quotas"):
                assert listed in table.text


async def test_the_list_says_how_far_one_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with in_lesson() as it:
        await answer(it, "0.555")
    monkeypatch.setattr(learn_view, "lessons_folder", lambda: find_lesson("half_rule").parent)
    async with opened(CONFIGS / "teaching") as it:
        await it.press("6")
        (row,) = (line for line in it.text.splitlines() if "The 0.5 rule" in line)
        assert "2/6" in row


@asynccontextmanager
async def at_goal(name: str, number: int) -> AsyncIterator[Opened]:
    """A step of a lesson with its question answered."""
    path = find_lesson(name)
    workspace = LessonWorkspace(open_lesson(path), path)
    workspace.go_to_step(number - 1)
    app = QmonApp(workspace, changes=quiet, page="learn")
    async with app.run_test(size=(140, 40), notifications=True) as pilot:
        it = Opened(app, pilot, path)
        await it.settle()
        yield it


async def test_why_is_off_until_the_goal_is_reached() -> None:
    async with at_goal("relops_overriding", 7) as it:
        off = "Why a job waits is yours to find out"
        assert off in " ".join(it.main.live.query_one("#live-why", Lines).text.split())
        it.main.do("why")
        await it.settle()
        assert len(it.app.screen_stack) == 1
        assert any(off in notification.message for notification in it.app._notifications)
        it.workspace.apply(SetField(Kind.HOST, "old", "complex_values", "arch=hp11"))
        await it.settle()
        assert "✓ Only host old, queue other.q may change." in step_text(it)
        it.main.do("why")
        await it.settle()
        assert len(it.app.screen_stack) == 2


async def test_a_submission_time_that_is_edited_reaches_no_goal() -> None:
    async with at_goal("half_rule", 4) as it:
        before = it.workspace.edited_document
        edits = Course(session_of(it).lesson).edited(3, [field_edit("jobs.jobC1.submitted=2011-04-06T10:00:00", 1)])
        it.workspace.apply(ReplaceDocument("edit it", Document(before.cluster, edits.state)))
        await it.settle()
        assert "○ Only -p of all jobs may change: submitted of job jobC1 changed, too." in step_text(it)
        assert not session_of(it).progress.reached


async def test_the_schedule_beside_an_explanation_is_of_the_explained_cluster() -> None:
    async with at_goal("override_tickets", 3) as it:
        edits = "qalter -ot 70000 jobB4"
        await answer(it, "jobB4")
        first = it.main.live.job_rows.items[0].job
        assert first.name == "jobB4"
        header, footer = it.text.splitlines()[0], it.text.splitlines()[-1]
        assert "qmon ▸ override_tickets ▸ Learn" in header, "not the name of the folder that the lesson begins with"
        assert "v cluster" in footer
        notices = it.main.live.query_one("#live-notices", Lines)
        assert " ".join(notices.text.split()) == f"As explained (v: the next or your own): after {edits}."
        await it.press("v")
        assert it.main.live.job_rows.items[0].job.name != "jobB4"
        assert not notices.text.strip()
        await it.press("v")
        assert it.main.live.job_rows.items[0].job.name == "jobB4"
        # On other pages it is the student's own, and so it is after an edit.
        await it.press("J")
        assert it.workspace.shown_after == ""
        await it.press("6")
        assert it.workspace.shown_after == edits
        command = read_command(it.workspace.cluster, "qalter -ot 800000 7")
        assert command is not None
        it.main.apply(CommandEdit(command))
        await it.settle()
        assert it.workspace.shown_after == ""
        assert it.main.live.job_rows.items[0].job.name == "jobC1"
        assert session_of(it).situation.changed == ("jobs.jobC1",)
        await it.press("right_square_bracket")
        assert it.workspace.shown_after == ""
