"""The dialog that tells all of a job: its numbers, and changes that are made from it."""

from pathlib import Path

import pytest

from qmon_tui.model.kinds import Kind
from qmon_tui.tui.base.span_widgets import Lines
from qmon_tui.tui.dialogs.reading_dialogs import WhyDialog
from tests.tui.screen_harness import cluster_copy, opened


@pytest.fixture
def teaching(tmp_path: Path) -> Path:
    return cluster_copy("teaching", tmp_path)


async def test_the_whole_story_of_a_job(teaching: Path) -> None:
    async with opened(teaching, size=(80, 24)) as it:
        await it.go_to(Kind.COMPLEX)
        it.main.live.choose((6, 1))
        await it.press("w")
        assert isinstance(it.app.screen, WhyDialog)
        assert "Why it waits" in it.text
        await it.press("end")
        assert "more lines: a" in it.text
        assert "rrcontr" not in it.text
        await it.press("a", "end")
        assert "rrcontr" in it.text
        await it.press("w")
        assert it.at_main


async def test_changes_are_looked_for_where_only_the_last_line_told_of_the_job_before(teaching: Path) -> None:
    async with opened(teaching, size=(80, 24)) as it:
        await it.press("J", "w")
        await it.settle()
        assert "raise lic of the global host from 3 to 4" in it.text


async def test_each_number_of_a_priority_opens_into_its_arithmetic(teaching: Path) -> None:
    async with opened(teaching, size=(120, 40)) as it:
        it.main.live.choose((6, 1))
        await it.press("w", "d")
        assert "ftckt " in it.text
        assert "weight_tickets_functional" in it.text
        await it.press("d")
        assert "Why it waits" in it.text


async def test_a_change_that_would_help_is_made_as_an_edit_that_can_be_undone(teaching: Path) -> None:
    async with opened(teaching) as it:
        it.main.live.choose((7, 1))
        await it.press("w")
        assert "1 raise lic of the global host from 3 to 4" in it.text
        await it.press("1")
        assert it.at_main
        host = it.workspace.cluster.get(Kind.HOST, "global")
        assert host is not None
        assert host.text("complex_values") == "lic=4"
        assert it.workspace.moves[7, 1].starts
        assert it.workspace.history.undo_label == "set complex_values of host global"
        await it.press("u")
        assert not it.workspace.is_dirty()


async def test_a_change_of_a_job_is_an_edit_too(teaching: Path) -> None:
    async with opened(teaching) as it:
        it.main.live.choose((7, 1))
        await it.press("w", "2")
        assert it.at_main
        (job,) = (job for job in it.workspace.state.jobs if job.id == 7)
        assert job.request.hard == ()
        assert it.workspace.moves[7, 1].starts
        assert any("not saved yet" in toast for toast in it.toasts)
        await it.press("s", "f2")
        assert it.at_main
        assert not it.workspace.is_dirty()
        assert not any("not saved yet" in toast for toast in it.toasts)
        assert any(toast.startswith("Saved ") for toast in it.toasts)
        await it.press("u")
        assert it.workspace.is_dirty()


async def test_other_formulas_are_said_not_to_be_grid_engines(teaching: Path) -> None:
    async with opened(teaching) as it:
        it.main.live.choose((7, 1))
        await it.press("F", "r")
        assert "This is not Grid Engine: priorities by the" in it.text
        assert "0.11000" in it.text
        assert it.workspace.moves
        assert not it.workspace.is_dirty()
        for keys in (("g",), ("up",) * 4 + ("enter",)):
            await it.press("F", "r", "F", *keys)
            assert "not Grid Engine" not in it.text
            assert "0.55167" in it.text


async def test_a_text_is_searched_and_copied(tmp_path: Path) -> None:
    async with opened(cluster_copy("site", tmp_path), size=(80, 24)) as it:
        await it.press("J")
        it.main.pages.view.choose("109")  # type: ignore[union-attr]
        await it.settle()
        await it.press("w")
        text = it.app.screen.query_one("#text", Lines)
        assert "POSIX" not in it.text
        await it.press("slash", *"posix")
        assert "POSIX" in it.text
        first = text.scroll_y
        await it.press("enter", "slash")
        assert text.scroll_y >= first
        await it.press("escape")
        assert not it.at_main
        assert not text._sought
        await it.press("y")
        assert it.app.clipboard == text.text
        await it.press("escape")
        assert it.at_main
