"""The frame of the screen: places beside the kinds, panels among a form's tabs, and their actions."""

from pathlib import Path

import pytest
from textual.screen import ModalScreen

from qmon_tui.model.kinds import Kind
from qmon_tui.tui.base.line_table import LineTable
from qmon_tui.tui.base.table_panel import Grid
from qmon_tui.tui.dialogs.reading_dialogs import WhyDialog
from qmon_tui.tui.jobs.submit_and_alter import SubmitDialog
from qmon_tui.tui.jobs.view import JobsView
from qmon_tui.tui.keys.action_context import Pane
from qmon_tui.tui.reservations.view import ReservationForm
from qmon_tui.workspace import SetField
from tests.tui.screen_harness import PAGES_OF_FOLDERS, Opened, cluster_copy, opened


@pytest.fixture
def site(tmp_path: Path) -> Path:
    return cluster_copy("site", tmp_path)


def jobs_text(it: Opened) -> str:
    """Heading and rows as they are drawn."""
    return it.main.pages.query_one(LineTable).text


def jobs_cells(it: Opened) -> list[str]:
    """What the rows hold, drawn or not."""
    view = it.main.pages.query_one(JobsView)
    assert view.rows is not None
    return [view.rows.text(index) for index in range(len(view.rows))]


def panel_text(it: Opened) -> str:
    return it.main.form.panels.query_one(Grid).text


async def test_a_place_is_built_when_it_is_first_visited_and_kept(site: Path) -> None:
    async with opened(site) as it:
        assert not it.main.query(JobsView)
        await it.press("J")
        view = it.main.query_one(JobsView)
        assert it.main.action_context().pane is Pane.PAGE
        assert "site ▸ Jobs ▸ " in it.text
        assert not it.main.list.is_on_screen
        await it.go_to(Kind.QUEUE)
        assert "site ▸ Queues" in it.text
        assert it.main.action_context().pane is Pane.LIST
        await it.press("J")
        assert it.main.query_one(JobsView) is view


async def test_the_jobs_are_listed_in_the_columns_of_qstat(site: Path) -> None:
    async with opened(site, size=(180, 40)) as it:
        await it.press("J", "z")
        head, *rows = jobs_text(it).splitlines()
        named = "job-ID prior name user state submit/start at queue slots ja-task-ID"
        assert head.replace("made of", "").split() == named.split()
        assert len(rows) == len({row.job.id for row in it.main.live.job_rows})


async def test_the_cursor_chooses_a_place_and_enter_goes_there(site: Path) -> None:
    async with opened(site) as it:
        await it.press("1", "g")
        assert it.main.pages.page == PAGES_OF_FOLDERS[0].id
        assert it.main.action_context().pane is Pane.KINDS
        await it.press("enter")
        assert it.main.action_context().pane is Pane.PAGE
        await it.press("escape")
        assert it.main.action_context().pane is Pane.KINDS
        await it.press("G")
        assert it.main.pages.page == ""


async def test_a_place_out_of_sight_is_drawn_again_when_it_is_shown(site: Path) -> None:
    async with opened(site) as it:
        await it.press("J")
        before = jobs_cells(it)
        await it.go_to(Kind.SCHEDULER)
        it.main.apply(SetField(Kind.SCHEDULER, "scheduler", "weight_urgency", "5"))
        await it.settle()
        assert jobs_cells(it) == before
        await it.press("escape", "J")
        assert jobs_cells(it) != before


async def test_an_action_of_a_place_works_there_and_says_elsewhere_where(site: Path) -> None:
    async with opened(site) as it:
        it.main.do("jobs.why")
        await it.settle()
        assert it.at_main
        assert any("go there first" in toast for toast in it.toasts)
        await it.press("J", "j", "w")
        assert isinstance(it.app.screen, WhyDialog)
        await it.press("escape")
        await it.press("question_mark")
        assert "Everything about this job" in it.text


async def test_what_is_done_to_objects_is_refused_in_a_place(site: Path) -> None:
    async with opened(site) as it:
        cluster = it.workspace.cluster
        await it.press("J")
        for action in ("clone", "rename", "delete", "edit"):
            it.main.do(action)
            await it.settle()
            assert it.at_main, action
        assert it.workspace.cluster is cluster
        assert any("choose a kind of object first" in toast for toast in it.toasts)


@pytest.mark.parametrize(
    ("page", "dialog"), [("jobs", SubmitDialog), ("cluster", None), ("reservations", ReservationForm)]
)
async def test_from_the_left_pane_something_is_added_to_the_place_that_is_shown(
    site: Path, page: str, dialog: type[ModalScreen[object]] | None
) -> None:
    async with opened(site) as it:
        await it.go_to(Kind.SCHEDULER)
        it.main.go_to_page(page)
        await it.settle()
        await it.press("1")
        assert it.main.action_context().pane is Pane.KINDS
        assert ("a add" in it.text.splitlines()[-1]) is (dialog is not None)
        await it.press("a")
        if dialog is None:
            assert it.at_main
            assert any("choose a kind of object first" in toast for toast in it.toasts)
        else:
            assert isinstance(it.app.screen, dialog)


@pytest.mark.parametrize("size", [(80, 24), (120, 36), (180, 50)])
async def test_a_place_has_room_on_every_terminal(site: Path, size: tuple[int, int]) -> None:
    async with opened(site, size=size) as it:
        await it.press("J")
        assert it.main.pages.size.width >= 50
        assert "job-ID" in it.text
        await it.press("3")
        assert it.main.live.size.width >= 46
        await it.press("2")
        assert it.main.action_context().pane is Pane.PAGE


async def test_a_panel_shows_the_hosts_of_a_group_and_the_way_to_them(site: Path) -> None:
    async with opened(site) as it:
        await it.go_to(Kind.HOSTGROUP, "@allhosts")
        await it.press("enter", "right")
        assert it.main.form.panel is not None
        assert it.main.action_context().here == "resolved"
        assert "gpu01" in panel_text(it)
        assert "@gpunodes" in panel_text(it)
        it.main.apply(SetField(Kind.HOSTGROUP, "@gpunodes", "hostlist", "gpu01 gpu02 gpu77"))
        await it.settle()
        assert "gpu77" in panel_text(it)
        await it.press("I")
        assert it.main.chosen == "@nodes"
        assert it.main.form.object_name == "@nodes"
        await it.press("3", "2", "enter", "enter")
        assert (it.main.kind, it.main.chosen) == (Kind.HOST, "node01")


async def test_an_action_of_a_panel_says_why_it_cannot_be_done(site: Path) -> None:
    async with opened(site) as it:
        await it.go_to(Kind.HOSTGROUP, "@nodes")
        await it.press("enter", "right", "I")
        assert any("lists the host itself" in toast for toast in it.toasts)
        await it.press("left")
        assert it.main.form.panel is None
        assert it.main.action_context().here == ""
        assert it.main.form.field == "group_name"


async def test_a_narrow_screen_goes_back_from_the_schedule_to_its_place_with_the_keys(tmp_path: Path) -> None:
    async with opened(cluster_copy("teaching", tmp_path), size=(80, 24)) as it:
        await it.press("J", "3", "2")
        assert isinstance(it.app.focused, LineTable), "no key would do anything"
        assert it.main.action_context().pane is Pane.PAGE
