"""The day simulated ahead: what an edit changes over it, on Jobs and in the monitor."""

import asyncio
from pathlib import Path

import pytest

from qmon_tui.model.kinds import Kind
from qmon_tui.tui.monitor.view import MonitorView
from qmon_tui.tui.screens import day_ahead
from qmon_tui.workspace import SetField
from tests.tui.screen_harness import Opened, opened

JOBS = """\
queues:
  all.q: {hostlist: h1, slots: 1, load_thresholds: NONE}
scheduler: {schedule_interval: "0:0:15"}
now: 2026-11-21T09:00:00
jobs:
- {id: 1, owner: ada, submitted: 2026-11-21T09:00:00, runtime: 600, qsub: "-N a x"}
- {id: 2, owner: bela, submitted: 2026-11-21T09:00:00, runtime: 600, qsub: "-N b x"}
- {id: 3, owner: chen, submitted: 2026-11-21T09:00:00, runtime: 600, qsub: "-N c x"}
- {id: 4, owner: chen, submitted: 2026-11-21T09:00:00, runtime: 600, qsub: "-N d -h x"}
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(day_ahead, "SECONDS", 2.0)
    (tmp_path / "cluster.yaml").write_text(JOBS)
    return tmp_path


async def simulated(it: Opened) -> str:
    """What is said when the day ahead is known."""
    async with asyncio.timeout(20):
        await it.settle()
        while it.main.day_ahead.busy:
            await it.pilot.pause(0.02)
    await it.settle()
    return it.text


async def test_an_edit_and_what_it_changes_over_the_day(folder: Path) -> None:
    async with opened(folder, size=(120, 36)) as it:
        it.main.go_to_page("jobs")
        assert "mean wait" not in await simulated(it), "without an edit the jobs are told of no change"
        it.workspace.apply(SetField(Kind.QUEUE, "all.q", "slots", "2"))
        text = await simulated(it)
        assert "Edits: mean wait 0:10:00 → 0:03:20, 2 earlier, 1 never" in text
        await it.press("4")
        assert "Edits: mean wait" in it.text
        it.workspace.undo()
        assert "The day: 3 jobs start, mean wait" in await simulated(it)
        assert "1 never starts" in it.text
        it.workspace.apply(SetField(Kind.QUEUE, "all.q", "slots", "2"))
        assert "Edits: mean wait" in await simulated(it)
        it.workspace.save()
        assert "The day: 3 jobs start" in await simulated(it), "what is saved is no edit"


async def test_an_edit_at_a_moment_of_the_day(folder: Path) -> None:
    """Compared with the day as it would have gone on from there."""
    async with opened(folder, size=(120, 36)) as it:
        await it.press("4")
        await simulated(it)
        view = it.main.query_one(MonitorView)
        view.player.go_to_time(it.workspace.state.now + 60)
        await it.settle()
        it.workspace.apply(SetField(Kind.QUEUE, "all.q", "slots", "3"))
        text = await simulated(it)
        assert "This edit: mean wait" in text
        assert "2 jobs start earlier" in text
        it.workspace.undo()
        assert "The day: 3 jobs start" in await simulated(it)


async def test_a_day_that_takes_too_long_is_simulated_in_part(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(day_ahead, "SECONDS", 1e-9)
    async with opened(folder, size=(120, 36)) as it:
        await it.press("4")
        text = await simulated(it)
        assert "The day until 09:00:" in text, "up to where it was simulated"
        assert ", as far as it was simulated: " in text
        assert "still wait" in text
        player = it.main.query_one(MonitorView).player
        player.go_to_time(it.workspace.state.now + 1200)
        await it.settle()
        assert "The day until" not in it.text, "the time is beyond that"
        player.go_to_time(it.workspace.state.now - 1200)
        await it.settle()
        assert "The day until" in it.text
