"""Panes by the size of the terminal: which are in sight, and who gets the room."""

from pathlib import Path

import pytest

from qmon_tui.model.kinds import Kind
from tests.tui.screen_harness import PAGES_OF_FOLDERS, cluster_copy, opened


@pytest.fixture
def teaching(tmp_path: Path) -> Path:
    return cluster_copy("teaching", tmp_path)


@pytest.mark.parametrize(
    ("size", "seen"), [((80, 24), 1), ((99, 30), 1), ((100, 30), 2), ((139, 40), 2), ((140, 40), 3)]
)
async def test_panes_by_width(teaching: Path, size: tuple[int, int], seen: int) -> None:
    async with opened(teaching, size=size) as it:
        middle = it.main.query_one("#place" if size[0] < 100 else "#objects")
        panes = [it.main.kinds, middle, it.main.live]
        assert sum(pane.display for pane in panes) == seen
        for key, pane in (("1", it.main.kinds), ("2", middle), ("3", it.main.live)):
            await it.press(key)
            assert pane.display, f"{key} brings its pane into sight"
            assert pane.region.right <= size[0]
            assert pane.region.bottom <= size[1]


async def test_a_narrow_screen_says_in_one_line_what_an_edit_moved(teaching: Path) -> None:
    async with opened(teaching, size=(80, 24)) as it:
        await it.go_to(Kind.COMPLEX, "gpu", "urgency")
        await it.press("enter")
        await it.type("100")
        await it.press("enter")
        assert "▲ 6 jobB4: 5th → 1st in the list  and 4 others" in it.text


async def test_growing_and_shrinking_keeps_the_focused_pane_in_sight(teaching: Path) -> None:
    async with opened(teaching) as it:
        await it.press("3")
        await it.pilot.resize_terminal(80, 24)
        await it.settle()
        assert it.main.live.display
        assert not it.main.kinds.display
        await it.pilot.resize_terminal(140, 40)
        await it.settle()
        assert it.main.kinds.display


async def test_the_chosen_job_is_drawn_anew_when_there_is_more_room(tmp_path: Path) -> None:
    async with opened(cluster_copy("campus", tmp_path)) as it:
        await it.press("1", "G", "g")
        assert "1st of 9 pending" not in it.text
        await it.press(*"j" * (len(PAGES_OF_FOLDERS) + 1))
        assert it.main.kinds.kind is Kind.QUEUE
        assert "1st of 9 pending" in it.text


async def test_a_narrow_screen_opens_on_the_jobs_with_the_live_schedule_in_one_line(tmp_path: Path) -> None:
    async with opened(cluster_copy("site", tmp_path), size=(80, 24)) as it:
        assert it.main.pages.page == "jobs"
        assert "108 ◐ Nothing free now; closest: short.q@gpu01: gpu: 1 wanted, 0 of 4 free" in it.text
        await it.press("down")
        assert "115 would start now on big.q@big01" in it.text
    async with opened(cluster_copy("teaching", tmp_path), size=(100, 24)) as it:
        assert it.main.pages.page == ""


@pytest.mark.parametrize(("lines", "parts"), [(30, 1), (45, 1), (50, 2)])
async def test_the_lower_parts_of_the_live_pane_share_it_only_where_both_have_room(
    teaching: Path, lines: int, parts: int
) -> None:
    async with opened(teaching, size=(140, lines)) as it:
        why, instances = it.main.query_one("#live-why"), it.main.query_one("#live-instances")
        assert why.display + instances.display == parts
        assert why.size.height >= (lines - 8) // 3
        assert ("i: queue instances" in it.text) is (parts == 1)
        await it.press("i")
        assert instances.display


async def test_a_wide_screen_gives_the_live_pane_what_the_middle_does_not_need(teaching: Path) -> None:
    async with opened(teaching, size=(200, 55)) as it:
        assert abs(it.main.live.size.width - it.main.query_one("#objects").size.width) <= 2


async def test_zoom_gives_the_whole_screen(teaching: Path) -> None:
    async with opened(teaching) as it:
        await it.press("3", "z")
        assert it.main.live.size.width >= 138
        assert "nurg" in it.text
        await it.press("escape")
        assert it.main.list.size.width > 40
