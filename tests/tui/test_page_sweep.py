"""Many policies on the screen: fields are varied, all combinations tried, the best come first."""

import asyncio
import re
from pathlib import Path
from time import monotonic

import pytest

from qmon_tui.model.kinds import Kind
from qmon_tui.simulation import Axis
from qmon_tui.tui.compare.sweep_view import SweepView
from qmon_tui.workspace import SetField
from tests.tui.screen_harness import Opened, opened

CLUSTER = """\
queues:
  all.q: {hostlist: h1, slots: 1, load_thresholds: NONE}
scheduler: {schedule_interval: "0:0:15"}
now: 2026-11-21T09:00:00
jobs:
- {id: 1, owner: ada, submitted: 2026-11-21T08:00:00, runtime: 600, qsub: "x"}
- {id: 2, owner: bela, submitted: 2026-11-21T08:00:01, runtime: 600, qsub: "x"}
- {id: 3, owner: chen, submitted: 2026-11-21T08:00:02, runtime: 600, qsub: "x"}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "cluster.yaml").write_text(CLUSTER)
    return tmp_path


def sweep(it: Opened) -> SweepView:
    return it.main.query_one(SweepView)


async def vary(it: Opened, text: str) -> None:
    await it.press("a")
    await it.type(text)
    await it.press("enter")
    await it.settle()


async def test_a_point_that_is_no_longer_wanted_is_given_up(folder: Path) -> None:
    """Its day would take minutes."""
    (folder / "cluster.yaml").write_text(CLUSTER.split("jobs:")[0] + "workload: {jobs: 20000, load: 0.5}\n")
    async with opened(folder, size=(120, 36)) as it:
        await it.press("7")
        sweep(it).add(Axis("queues.all.q.slots", ("1", "2")))
        await asyncio.sleep(0.6)
        assert sweep(it).busy
        sweep(it).remove_last()
        begin = monotonic()
        while sweep(it).busy and monotonic() - begin < 10:
            await asyncio.sleep(0.05)
        assert monotonic() - begin < 5
        assert not sweep(it).tried


async def test_all_combinations_are_tried_and_the_best_come_first(folder: Path) -> None:
    async with opened(folder, size=(120, 36)) as it:
        await it.press("7")
        assert "Nothing is varied yet" in it.text
        await vary(it, "queues.all.q.slots=1,3,2")
        assert "3 points, one day until all is done" in it.text, "as the command"
        assert all(numbers["ended"] == 3 for numbers in sweep(it).tried.values() if not isinstance(numbers, str))
        points = (re.search(r"[◆ ](slots=\d) .*\d:\d\d", line) for line in it.text.splitlines())
        rows = [point[1] for point in points if point]
        assert rows == ["slots=3", "slots=2", "slots=1"]
        await vary(it, "scheduler.weight_urgency=0,1")
        assert len(sweep(it).tried) == 6
        assert "mean wait by queues.all.q.slots and scheduler.weight_urgency" in it.text
        await it.press("o")
        assert "wait p95 by" in it.text
        await it.press("d", "d")
        assert "Nothing is varied yet" in it.text


async def test_the_points_follow_an_edit(folder: Path) -> None:
    async with opened(folder, size=(120, 36)) as it:
        await it.press("7")
        await vary(it, "scheduler.weight_urgency=0,1")
        before = {
            setting: dict(numbers) for setting, numbers in sweep(it).tried.items() if not isinstance(numbers, str)
        }
        it.workspace.apply(SetField(Kind.QUEUE, "all.q", "slots", "3"))
        await it.settle()
        after = {setting: dict(numbers) for setting, numbers in sweep(it).tried.items() if not isinstance(numbers, str)}
        assert before.keys() == after.keys()
        assert all(after[setting]["wait.mean"] < before[setting]["wait.mean"] for setting in before)


async def test_what_cannot_be_varied_is_said(folder: Path) -> None:
    async with opened(folder, size=(80, 24)) as it:
        await it.press("7", "a")
        await it.type("queues.all.q.slotz=1,2")
        await it.press("enter")
        assert "slots" in it.text
        await it.press("ctrl+u")
        await it.type("queues.all.q.slots=0..9")
        await it.press("enter")
        assert "with commas" in it.text
        await it.press("escape", "d")
        assert "Nothing is varied yet" in it.text


async def test_a_point_that_cannot_be_says_why(folder: Path) -> None:
    async with opened(folder, size=(120, 36)) as it:
        await it.press("7")
        await vary(it, "queues.all.q.slots=2,-1")
        row = next(line for line in it.text.splitlines() if "slots=-1" in line and "✗" in line)
        assert "slots" in row
