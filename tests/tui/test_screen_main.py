"""The main screen on the teaching cluster: what it shows, and that an edit moves the schedule."""

import asyncio
import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from qmon_tui.model import config_object
from qmon_tui.model.kinds import Kind
from qmon_tui.sources import Source
from qmon_tui.tui.dialogs.help import HelpDialog
from qmon_tui.tui.dialogs.reading_dialogs import WhyDialog
from qmon_tui.tui.dialogs.save import SaveDialog
from qmon_tui.tui.keys.action_context import Pane
from qmon_tui.tui.screens.live_run import LiveRun
from qmon_tui.workspace import RenameObject, SetField
from qmon_tui.workspace.edits import AddObject
from tests.tui.screen_harness import PAGES_OF_FOLDERS, Opened, cluster_copy, opened


@pytest.fixture
def teaching(tmp_path: Path) -> Path:
    return cluster_copy("teaching", tmp_path)


async def test_the_numbers_of_the_study_are_on_the_screen(teaching: Path) -> None:
    async with opened(teaching) as it:
        lines = it.main.live.query_one("#live-jobs").text.splitlines()  # type: ignore[attr-defined]
    rows = [line.replace("▸", " ").split() for line in lines[1:]]
    assert [(row[2], row[0]) for row in rows[:5]] == [
        ("jobC1", "0.55167"), ("jobB2", "0.55083"), ("jobC2", "0.55083"), ("jobB3", "0.55056"), ("jobB4", "0.55042"),
    ]  # fmt: skip
    assert {row[2] for row in rows[5:]} == {"jobA1", "jobA2", "jobB1"}


async def test_an_unsaved_edit_moves_the_schedule_and_is_marked(teaching: Path) -> None:
    written = (teaching / "cluster.yaml").read_text()
    async with opened(teaching) as it:
        await it.go_to(Kind.COMPLEX, "gpu", "urgency")
        await it.press("enter")
        await it.type("100")
        await it.press("enter")
        first = next(iter(it.main.live.job_rows))
        assert first.job.name == "jobB4", "the only job that asks for gpu comes to the front"
        assert "▲" in it.text
        assert "▼" in it.text
        assert "● 1 edit" in it.text
        assert "edited here" in it.text
        assert (teaching / "cluster.yaml").read_text() == written, "nothing is written before it is saved"
        await it.press("escape", "u")
        assert next(iter(it.main.live.job_rows)).job.name == "jobC1"
        assert "● 1 edit" not in it.text
        await it.press("U")
        assert next(iter(it.main.live.job_rows)).job.name == "jobB4"


async def test_the_chosen_job_keeps_the_cursor_when_the_order_changes(teaching: Path) -> None:
    async with opened(teaching) as it:
        assert it.main.live.choose((6, 1))
        await it.go_to(Kind.COMPLEX, "gpu", "urgency")
        await it.press("enter")
        await it.type("100")
        await it.press("enter")
        chosen = it.main.live.chosen
        assert chosen is not None
        assert chosen.key == (6, 1)
        assert "5th → 1st in the list" in it.text


async def test_an_edit_right_after_a_jump_stays_at_its_object(teaching: Path) -> None:
    async with opened(teaching) as it:
        it.main.go_to(Kind.COMPLEX, "gpu", "urgency")
        it.main.apply(SetField(Kind.COMPLEX, "gpu", "urgency", "100"))
        await it.settle()
        assert it.main.chosen == "gpu"
        assert it.main.form.object_name == "gpu"


async def test_the_chosen_job_is_explained_term_by_term(teaching: Path) -> None:
    async with opened(teaching) as it:
        it.main.live.choose((7, 1))
        await it.settle()
        assert "7 jobC1" in it.text
        assert "0.01 × 0.16667 = 0.00167" in it.text
        assert "gc:lic=0.000000" in it.text


async def test_moving_through_kinds_shows_their_objects(teaching: Path) -> None:
    async with opened(teaching) as it:
        await it.press("1", "j")
        assert it.main.kind is Kind.QUEUE
        assert "teaching ▸ Queues ▸ all.q" in it.text
        await it.press("enter")
        assert it.main.action_context().pane is Pane.LIST
        await it.press("enter")
        assert it.main.action_context().pane is Pane.FORM
        await it.press("escape")
        assert it.main.action_context().pane is Pane.LIST


async def test_a_kind_with_one_object_shows_its_form_at_once(teaching: Path) -> None:
    async with opened(teaching) as it:
        await it.go_to(Kind.SCHEDULER)
        assert it.main.action_context().pane is Pane.FORM
        assert "schedule_interval" in it.text
        assert not it.main.list.display
        await it.press("escape", "a")
        assert any("exactly one" in toast for toast in it.toasts)


async def test_adding_to_a_list_of_names_opens_the_choice_of_them(teaching: Path) -> None:
    async with opened(teaching) as it:
        await it.go_to(Kind.OPERATORS)
        await it.press("d")
        assert any("Enter on its entries chooses them" in toast for toast in it.toasts)
        await it.press("a")
        assert not it.at_main
        await it.press(*"zoe", "enter")
        assert it.workspace.cluster.single(Kind.OPERATORS).text("entries") == "zoe"
        await it.press("1", "a")
        await it.press(*"bob", "enter")
        assert "bob" in it.workspace.cluster.single(Kind.OPERATORS).text("entries")


@pytest.mark.parametrize(("kind", "said"), [(Kind.CONFIGURATION, "No configuration matches x y"),
                                            (Kind.QUEUE, "No queues match x y")])  # fmt: skip
async def test_what_a_filter_leaves_nothing_of_is_said_in_its_number(teaching: Path, kind: Kind, said: str) -> None:
    async with opened(teaching) as it:
        await it.go_to(kind)
        it.main.list.set_filter("x y")
        await it.settle()
        assert said in it.text


async def test_letters_are_typed_while_an_input_has_the_focus(teaching: Path) -> None:
    async with opened(teaching) as it:
        await it.go_to(Kind.COMPLEX, "gpu", "shortcut")
        await it.press("enter")
        await it.press("end", "s", "q", "u", "question_mark")
        assert it.at_main, "no dialog opened"
        await it.press("enter")
        obj = it.workspace.cluster.get(Kind.COMPLEX, "gpu")
        assert obj is not None
        assert obj.text("shortcut") == "gpusqu?"


async def test_filter_of_list_and_live_pane(teaching: Path) -> None:
    async with opened(teaching) as it:
        await it.press("slash", "l", "i", "c", "enter")
        assert it.main.list.filter == "lic"
        await it.press("escape")
        assert it.main.list.filter == ""
        await it.press("3", "slash", "u", "s", "e", "r", "c", "enter")
        assert "2 of 8" in it.text
        assert "jobC2" in it.text
        assert "jobB2" not in it.main.live.query_one("#live-jobs").text  # type: ignore[attr-defined]
        await it.press("escape")
        assert "jobB2" in it.text


async def test_user_text_is_never_markup(teaching: Path) -> None:
    async with opened(teaching) as it:
        await it.go_to(Kind.QUEUE, "all.q", "slots")
        await it.press("f3")
        await it.type("1,[sim1=4]")
        await it.press("enter")
        await it.press("ctrl+s")
        assert "1,[sim1=4]" in it.text
        await it.press("escape")
        it.main.notify("[/foo]", markup=False)
        await it.settle()


async def click(it: Opened, line: str, text: str) -> None:
    """Click on a text of one of the lines at the edges."""
    widget = it.main.query_one(line)
    column = widget.render_line(0).text.index(text)
    assert await it.pilot.click(line, offset=(column, 0))
    await it.settle()


async def test_what_a_file_holds_never_steers_the_terminal(teaching: Path) -> None:
    path = teaching / "cluster.yaml"
    text = path.read_text()
    assert "  lic:\n    shortcut: lic\n" in text
    path.write_text(text.replace("  lic:\n    shortcut: lic\n", '  "li\\e[31mc\\t":\n    shortcut: "l\\e]0;x\\a"\n'))
    async with opened(teaching, size=(100, 30)) as it:
        seen = it.text
        assert "li␛[31mc␉" in seen
        await it.go_to(Kind.COMPLEX, "li\x1b[31mc\t", "shortcut")
        await it.press("enter")
        it.main.notify("li\x1b[31mc", markup=False)
        await it.settle()
        assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]", seen + it.text), "neither input nor notice nor title"


async def test_the_lines_at_the_edges_can_be_clicked(teaching: Path) -> None:
    async with opened(teaching) as it:
        it.main.apply(SetField(Kind.COMPLEX, "gpu", "urgency", "100"))
        await it.settle()
        await click(it, "#heading", "● 1 edit")
        assert isinstance(it.app.screen, SaveDialog)
        await it.press("escape")
        await click(it, "#heading", "teaching")
        assert it.main.action_context().pane is Pane.KINDS
        await click(it, "#heading", "Complexes")
        assert it.main.action_context().pane is Pane.LIST
        await click(it, "#footer", "help")
        assert isinstance(it.app.screen, HelpDialog)
        await it.press("escape")
        await click(it, "#footer", "undo")
        assert not it.workspace.is_dirty()


async def test_a_click_chooses_a_kind_a_job_and_an_instance(teaching: Path) -> None:
    async with opened(teaching) as it:
        await it.pilot.click("#kinds", offset=(6, 2 + len(PAGES_OF_FOLDERS)))
        await it.settle()
        assert it.main.kind is Kind.QUEUE
        await it.pilot.click("#live-jobs", offset=(10, 3))
        await it.settle()
        assert it.main.live.chosen is not None
        assert it.main.live.chosen.job.name == "jobC2"
        await it.pilot.click("#live-jobs", offset=(10, 3), times=2)
        await it.settle()
        assert isinstance(it.app.screen, WhyDialog)


async def test_a_mistake_of_the_engine_is_a_sentence(teaching: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise KeyError("gpu")

    monkeypatch.setattr("qmon_tui.explain.explainer.Explainer.explanation", fail)
    async with opened(teaching) as it:
        assert "The explanation failed, please report it: KeyError" in it.text
        monkeypatch.setattr("qmon_tui.incremental.run_chain.carried_out", fail)
        it.main.apply(SetField(Kind.COMPLEX, "gpu", "urgency", "100"))
        await it.settle()
        assert "The scheduling run failed" in it.text
        assert "jobC1" in it.text, "the last good schedule stays"
        assert "stale" in it.text
        assert it.workspace.is_dirty()


async def test_what_nobody_sees_is_not_explained(teaching: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    def explanation(explainer: object, job: int, *_: object) -> None:
        asked.append(job)
        raise LookupError("nothing")

    monkeypatch.setattr("qmon_tui.explain.explainer.Explainer.explanation", explanation)
    async with opened(teaching, size=(80, 24)) as it:
        assert asked == [7], "of the job under the cursor one line is said"
        await it.go_to(Kind.QUEUE)
        it.main.live.choose((5, 1))
        await it.settle()
        assert asked == [7]
        it.main.live.choose((7, 1))
        await it.press("3")
        assert asked == [7]
        await it.press("j")
        assert asked == [7, 4]


async def test_a_lost_watch_is_said(teaching: Path) -> None:
    async def lost(source: Source, stop: asyncio.Event) -> AsyncIterator[frozenset[str]]:
        raise OSError("no space left on device")
        yield frozenset()

    async with opened(teaching, changes=lost) as it:
        assert any("no longer watched (no space left on device)" in toast for toast in it.toasts)


async def test_a_new_object_is_one_edit(teaching: Path) -> None:
    async with opened(teaching) as it:
        await it.press("c")
        await it.pilot.press("x", "enter")
        await it.settle()
        assert "● 1 edit " in it.text


async def test_a_copy_is_marked_where_it_differs_from_its_original(teaching: Path) -> None:
    def marked(it: Opened) -> list[str]:
        rows = it.main.form.rows[: len(it.main.form.fields())]
        return [row.view.field.name for row in rows if row.view is not None and row.view.edited]

    async with opened(teaching) as it:
        await it.press("c")
        await it.pilot.press("x", "enter")
        await it.settle()
        assert marked(it) == ["name", "shortcut"], "no two complexes have the same shortcut"
        it.main.apply(SetField(Kind.COMPLEX, "licx", "urgency", "7"))
        it.main.apply(RenameObject(Kind.COMPLEX, "licx", "y"))
        it.main.go_to(Kind.COMPLEX, "y")
        await it.settle()
        assert marked(it) == ["name", "shortcut", "urgency"]
        it.main.apply(AddObject(config_object(Kind.COMPLEX, "z", {"shortcut": "z"})))
        it.main.go_to(Kind.COMPLEX, "z")
        await it.settle()
        assert len(marked(it)) == len(it.main.form.fields()), "all of what is no copy is new"


async def test_one_key_pins_the_schedule_and_the_live_pane_says_with_what_its_marks_compare(teaching: Path) -> None:
    async with opened(teaching, size=(140, 40)) as it:
        assert "no moves by the last change" in it.text
        await it.press("p")
        assert re.search(r"no moves since pinned \d\d:\d\d", it.text)
        it.main.apply(SetField(Kind.COMPLEX, "gpu", "urgency", "100"))
        await it.settle()
        it.main.apply(SetField(Kind.COMPLEX, "lic", "urgency", "1"))
        await it.settle()
        it.main.live.choose((6, 1))
        await it.settle()
        assert re.search(r"moved since pinned \d\d:\d\d: 5th → 1st in the list", it.text)
        await it.press("p")
        assert "no moves by the last change" in it.text
        it.main.do("compare")
        await it.settle()
        await it.press("s")
        assert re.search(r"▲ 1  ▼ 4  since opened \d\d:\d\d", it.text)
        assert "5th → 1st in the list" in it.text
    async with opened(teaching, size=(140, 40)) as it:
        assert "no moves since opened" in it.text, "what is chosen is remembered"


async def test_the_top_line_follows_the_tabs_of_a_form(teaching: Path) -> None:
    async with opened(teaching) as it:
        await it.go_to(Kind.QUEUE, "all.q", "qname")
        assert "General ▸ qname" in it.text
        it.main.form.choose_group("Thresholds")
        await it.settle()
        assert "Thresholds ▸ load_thresholds" in it.text
        it.main.form.choose_group("General")
        await it.settle()
        assert "General ▸ qname" in it.text


async def test_before_the_first_run_it_says_that_it_is_under_way(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(LiveRun, "changed", lambda self: None)
    async with opened(cluster_copy("teaching", tmp_path)) as it:
        assert "The first run is under way" in it.text
        assert "No jobs" not in it.text


async def test_when_the_object_of_the_form_has_gone_the_list_takes_the_keys(teaching: Path) -> None:
    async with opened(teaching, size=(80, 24)) as it:
        await it.go_to(Kind.COMPLEX)
        await it.press("c")
        await it.pilot.press("x", "enter")
        await it.settle()
        assert it.main.action_context().pane is Pane.FORM
        await it.press("ctrl+z")
        assert it.main.action_context().pane is Pane.LIST
        await it.press("home", "down")
        assert it.main.chosen == "gpu", "a form without an object would take no key at all"
