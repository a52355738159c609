"""A walk through the keys for moving and for ordering: they do the same in every list."""

from pathlib import Path

import pytest

from qmon_tui.tui.base.line_table import LineTable
from qmon_tui.tui.keys.local_keys import LocalGroup
from qmon_tui.tui.pages import PAGES_BY_ID
from qmon_tui.tui.registry import REGISTRY
from tests.tui.screen_harness import Opened, cluster_copy, opened

DOWN = ("down", "page-down", "last")


def focused_table(it: Opened) -> LineTable:
    focused = it.app.screen.focused
    assert isinstance(focused, LineTable)
    return focused


@pytest.mark.parametrize("where", ["list", "live", *PAGES_BY_ID])
async def test_every_key_for_moving_moves_in_every_list(where: str, tmp_path: Path) -> None:
    async with opened(cluster_copy("site", tmp_path), size=(100, 20)) as it:
        if where in PAGES_BY_ID:
            it.main.go_to_page(where)
        else:
            await it.press("3" if where == "live" else "2")
        await it.settle()
        table = focused_table(it)
        several = len(table.rows) > 1
        for entry in REGISTRY.local:
            for key in entry.keys if entry.group is LocalGroup.MOVING and entry.id != "open" else ():
                table.action_edge(-1 if entry.id in DOWN else 1)
                before = table.cursor
                await it.press(key)
                if several:
                    assert table.cursor != before, f"{key} should go {entry.id}"
                    assert (table.cursor > before) == (entry.id in DOWN)


@pytest.mark.parametrize("where", ["", "jobs", "cluster"])
async def test_every_key_for_ordering_orders_every_list(where: str, tmp_path: Path) -> None:
    async with opened(cluster_copy("site", tmp_path)) as it:
        if where:
            it.main.go_to_page(where)
            await it.settle()
        if where == "cluster":
            await it.press("t")
        for entry in REGISTRY.local:
            for key in entry.keys if entry.id.startswith("sort-") else ():
                before = focused_table(it).text
                await it.press(key)
                assert focused_table(it).text != before, f"{key} should {entry.description}"
