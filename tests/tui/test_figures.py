"""The current state apart from the next run, and the same figures on all pages."""

import re
from pathlib import Path

import pytest

from qmon_tui.tui.monitor.view import MonitorView
from qmon_tui.values import format_time
from tests.tui.screen_harness import cluster_copy, opened

WAITING = "61 running  11 waiting  1 held  1 dependent  1 future  2 impossible"


@pytest.fixture
def site(tmp_path: Path) -> Path:
    return cluster_copy("site", tmp_path)


async def test_one_key_shows_now_the_next_run_or_both_and_is_remembered(site: Path) -> None:
    async with opened(site) as it:
        await it.press("M", "t")
        assert "Cluster  now → next run" in it.text
        assert re.search(r"gpu.q .* 3 → 43 ", it.text)
        await it.press("#")
        assert "Cluster  next run" in it.text
        assert re.search(r"gpu.q .* 43 +0 +5 +48 ", it.text)
        await it.press("#")
        assert "Cluster  now─" in it.text
        assert re.search(r"gpu.q .* 3 +0 +45 +48 ", it.text)
    async with opened(site) as it:
        await it.press("M")
        assert "Cluster  now─" in it.text


async def test_waiting_is_one_number_in_chart_table_alarms_and_on_all_pages(site: Path) -> None:
    async with opened(site, size=(200, 55)) as it:
        await it.press("4", "full_stop")
        assert re.search(r"startable .* 6 tasks  most 6  11 waiting", it.text), "five are above -tc"
        assert "339 slots are idle while 11 tasks wait" in it.text
        rows = it.main.query_one(MonitorView)._model.shares["users"]
        assert sum(row.waiting for row in rows) == 11
        await it.press("J")
        assert it.text.count(WAITING) == 2, "Jobs and the live schedule say the same"
        await it.press("M", "t", "t")
        assert "0/16/16" in it.text, "Cluster counts the same slots as the Gantt chart"


async def test_beside_jobs_is_the_chosen_job_and_no_second_list(site: Path) -> None:
    async with opened(site, size=(200, 55)) as it:
        live = it.main.live
        await it.press("J")
        assert not live._jobs.display
        await it.press("down")
        assert it.text.count("115 assembly") == 2, "below the table and in the live pane"
        assert "qw → t starts now" in it.text
        await it.press("3")
        assert live.has_focus_within
        await it.press("slash")
        assert live._jobs.display, "what is filtered is seen"
        await it.press("escape", "M")
        assert live._jobs.display
        await it.press("end", "J")
        assert live.chosen is not None
        assert live.chosen.job.id == 115, "the job of the row is explained again"


async def test_the_user_sets_the_time_of_the_state(site: Path) -> None:
    async with opened(site) as it:
        it.main.do("time")
        await it.settle()
        assert "It is 2026-03-02T09:30:00 now." in it.text
        await it.press("ctrl+u", *"+2h", "enter")
        await it.settle()
        assert format_time(it.workspace.state.now) == "2026-03-02T11:30:00"
        await it.press("u")
        assert format_time(it.workspace.state.now) == "2026-03-02T09:30:00"
