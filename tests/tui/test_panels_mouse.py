"""The panels with the mouse: tabs, rows, double clicks, and what the footer offers."""

from pathlib import Path

from textual.geometry import Region

from qmon_tui.model.kinds import Kind
from qmon_tui.tui.base.table_panel import Grid
from qmon_tui.tui.panels import PANELS
from tests.tui.screen_harness import Opened, cluster_copy, opened

NAMES = {
    Kind.HOST: "node01",
    Kind.HOSTGROUP: "@allhosts",
    Kind.QUOTA: "people",
    Kind.CALENDAR: "lectures",
    Kind.USERSET: "students",
    Kind.USER: "rosa",
    Kind.PROJECT: "climate",
    Kind.CONFIGURATION: "global",
}


async def click_text(it: Opened, text: str, *, lowest: bool = False, times: int = 1) -> None:
    """Click on the first letter of a text where it stands on the screen."""
    lines = it.text.split("\n")
    rows = [row for row, line in enumerate(lines) if text in line]
    assert rows, text
    row = rows[-1 if lowest else 0]
    await it.pilot.click(offset=(lines[row].index(text), row), times=times)
    await it.settle()


def place_in(it: Opened, region: Region, text: str) -> tuple[int, int]:
    """Where a text ends in a part of the screen."""
    lines = it.text.split("\n")
    return next(
        (at + len(text) - 1, row)
        for row in range(region.bottom - 1, region.y - 1, -1)
        if (at := lines[row].rfind(text, region.x, region.right)) >= 0
    )


async def test_a_click_on_its_tab_shows_a_panel_and_one_on_a_row_chooses_it(tmp_path: Path) -> None:
    async with opened(cluster_copy("campus", tmp_path), size=(140, 44)) as it:
        for panel in PANELS:
            await it.go_to(panel.kind, NAMES.get(panel.kind))
            await it.pilot.click(offset=place_in(it, it.main.form.tabs.region, panel.title))
            await it.settle()
            assert it.main.form.panels.panel is panel
            view = it.main.form.panels.view
            assert view is not None
            grid = view.query_one(Grid)
            assert len(grid.grid_rows) > 1, panel.id
            head = 1 if grid.grid_rows.head(60) is not None else 0
            await it.pilot.click(grid, offset=(5, head + 1))
            await it.settle()
            assert grid.has_focus, panel.id
            assert grid.cursor == 1, panel.id


async def test_a_double_click_opens_what_enter_opens(tmp_path: Path) -> None:
    async with opened(cluster_copy("campus", tmp_path), size=(140, 44)) as it:
        await it.go_to(Kind.QUOTA, "people")
        it.main.form.choose_group("Rules")
        await it.settle()
        await click_text(it, "students", lowest=True, times=2)
        assert "Rule 2 of people" in it.text


async def test_the_footer_of_a_panel_is_made_of_buttons(tmp_path: Path) -> None:
    async with opened(cluster_copy("campus", tmp_path), size=(140, 44)) as it:
        await it.go_to(Kind.SCHEDULER)
        it.main.form.choose_group("Weights")
        await it.settle()
        await click_text(it, "+ more", lowest=True)
        assert it.workspace.cluster.single(Kind.SCHEDULER).text("weight_urgency") == "0.110000"


async def test_a_click_on_a_heading_of_the_list_sorts_by_it(tmp_path: Path) -> None:
    async with opened(cluster_copy("campus", tmp_path), size=(140, 44)) as it:
        await it.go_to(Kind.HOST, "node01")
        await click_text(it, "np_load")
        grid = it.main.list.query_one(Grid)
        loads = [row.cells[1].text for row in grid.grid_rows.rows]
        assert loads == sorted(loads, key=lambda text: (text == "-", text))
        assert grid.chosen == "node01"
