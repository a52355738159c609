"""Policies are compared: what was saved with what is edited, and with policies by their edits."""

import asyncio
import re
import subprocess
from pathlib import Path
from time import monotonic

import pytest

from qmon_tui.cli import main
from qmon_tui.model.kinds import Kind
from qmon_tui.tui.base import Lines
from qmon_tui.tui.compare.compare_view import CompareView
from qmon_tui.workspace import SetField
from tests.tui.screen_harness import Opened, opened

TWO_JOBS = """\
queues:
  all.q: {hostlist: h1, slots: 1, load_thresholds: NONE}
scheduler: {schedule_interval: "0:0:15", weight_urgency: 0, weight_ticket: 0, weight_priority: 1}
now: 2026-11-21T09:00:00
jobs:
- {id: 1, owner: ada, submitted: 2026-11-21T08:00:00, runtime: 600, qsub: "-N long x",
   tasks: {1: {state: r, granted: {all.q@h1: 1}, started: 2026-11-21T08:55:00}}}
- {id: 2, owner: bela, submitted: 2026-11-21T08:00:01, runtime: 600, qsub: "-N first x"}
- {id: 3, owner: chen, submitted: 2026-11-21T08:00:02, runtime: 600, qsub: "-N second -l h_rt=1:0:0 x"}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "cluster.yaml").write_text(TWO_JOBS)
    return tmp_path


def compare(it: Opened) -> CompareView:
    return it.main.query_one(CompareView)


async def test_without_another_policy_it_says_how_to_have_one(folder: Path) -> None:
    async with opened(folder, size=(120, 36)) as it:
        await it.press("5")
        assert "There is nothing to compare yet" in it.text


async def test_what_an_empty_table_says_is_wrapped(folder: Path) -> None:
    async with opened(folder, size=(80, 24)) as it:
        await it.press("5")
        lines = [line.strip() for line in it.text.splitlines()]
        first = next(number for number, line in enumerate(lines) if line.startswith("There is nothing"))
        assert " ".join(lines[first : first + 2]).endswith("or press a for a policy by its edits.")


async def test_while_days_are_simulated_it_does_not_say_that_there_is_nothing(folder: Path) -> None:
    async with opened(folder, size=(120, 36)) as it:
        await it.press("5")
        compare(it).add("queues.all.q.slots=2")
        assert compare(it)._table._empty == ""
        await it.settle()
        assert "mean wait" in it.text


async def test_a_day_that_is_no_longer_wanted_is_given_up(folder: Path) -> None:
    (folder / "cluster.yaml").write_text(TWO_JOBS.split("jobs:")[0] + "workload: {jobs: 20000, load: 0.5}\n")
    async with opened(folder, size=(120, 36)) as it:
        await it.press("5")
        compare(it).add("queues.all.q.slots=2")
        await asyncio.sleep(1)
        assert compare(it).busy
        compare(it).remove_last()
        begin = monotonic()
        while compare(it).busy and monotonic() - begin < 10:
            await asyncio.sleep(0.05)
        assert monotonic() - begin < 5


async def test_what_is_edited_is_compared_with_what_was_saved(folder: Path) -> None:
    async with opened(folder, size=(120, 36)) as it:
        await it.press("5")
        it.workspace.apply(SetField(Kind.QUEUE, "all.q", "slots", "2"))
        await it.settle()
        assert compare(it).labels == ("saved", "with unsaved edits")
        assert "mean wait" in it.text
        row = next(line for line in it.text.splitlines() if "mean wait" in line)
        assert "▼" in row, "with two slots jobs wait for a shorter time"
        await it.press("t")
        assert "bela" in it.text
        await it.press("t", "t")
        assert "first decision that differs" in it.text
        assert "starts on all.q@h1" in it.text
        it.workspace.undo()
        await it.settle()
        assert "There is nothing to compare yet" in it.text


async def test_a_policy_is_added_by_its_edits_and_removed(folder: Path) -> None:
    async with opened(folder, size=(120, 36)) as it:
        await it.press("5", "a")
        await it.type("scheduler.weight_urgncy=1")
        await it.press("enter")
        assert "weight_urgency" in it.text, "the nearest word is named"
        await it.press("ctrl+u")
        await it.type("scheduler.weight_urgency=1")
        await it.press("enter")
        await it.settle()
        assert compare(it).labels == ("as it is", "scheduler.weight_urgency=1")
        assert "B  scheduler.weight_urgency=1" in it.text
        await it.press("t", "t")
        assert "every task starts at the same time and place" in it.text
        await it.press("plus")
        await it.settle()
        assert "3 days of this kind" in it.text
        await it.press("at")
        await it.type("2h")
        await it.press("enter")
        await it.settle()
        assert "2 h long" in it.text
        await it.press("d")
        assert compare(it).labels == ("as it is",)


async def test_an_earlier_version_is_a_policy(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The folder as it was in git; where git has none, the head says why."""
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(folder.parent))
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@b", "-C", str(folder)]
    async with opened(folder, size=(120, 36)) as it:
        await it.press("5", "a")
        await it.type("@{1}")
        await it.press("enter")
        await it.settle()
        assert "is not under version control by git" in " ".join(it.text.split())
        await it.press("d")
        for line in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "one slot"]):
            subprocess.run([*git, *line], check=True)
        compare(it).add("@{0} queues.all.q.slots=2")
        await it.settle()
        assert "B  @{0} queues.all.q.slots=2" in it.text
        row = next(line for line in it.text.splitlines() if "mean wait" in line)
        assert "▼" in row, "the edit is made of the earlier version"


async def test_its_numbers_are_those_of_the_command(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", str(folder), f"{folder}@queues.all.q.slots=2"]) == 0
    printed = next(line for line in capsys.readouterr().out.splitlines() if line.startswith("utilisation"))
    async with opened(folder, size=(120, 36)) as it:
        await it.press("5")
        compare(it).add("queues.all.q.slots=2")
        await it.settle()
        assert "until all is done" in it.text
        shown = next(line for line in it.text.splitlines() if "utilisation" in line)
        assert re.findall(r"[\d.]+ %", shown)[:2] == re.findall(r"[\d.]+ %", printed)[:2]


async def test_a_length_is_taken_back(folder: Path) -> None:
    async with opened(folder, size=(120, 36)) as it:
        await it.press("5", "at")
        await it.type("2h")
        await it.press("enter")
        assert "2 h long" in it.text
        await it.press("at")
        await it.type("end")
        await it.press("enter")
        assert "until all is done" in it.text


async def test_the_folder_says_how_long_a_day_lasts(folder: Path) -> None:
    (folder / "cluster.yaml").write_text(f"{TWO_JOBS}simulation: {{until: 2026-11-21T12:00:00}}\n")
    async with opened(folder, size=(120, 36)) as it:
        await it.press("5")
        assert "3 h long" in it.text


async def test_a_task_that_starts_elsewhere_is_told_so(folder: Path) -> None:
    queue = "{hostlist: h1 h2 h3, seq_no: '0,[h3=1]',"
    seqno = TWO_JOBS.replace("{hostlist: h1,", queue).replace("scheduler: {", "scheduler: {queue_sort_method: seqno, ")
    (folder / "cluster.yaml").write_text(seqno)
    async with opened(folder, size=(80, 24)) as it:
        await it.press("5")
        compare(it).add("queues.all.q.seq_no=0,[h2=1]")
        await it.settle()
        await it.press("t", "t")
        assert "every task starts at the same time, some at another place" in it.text
        await it.press("t")
        assert "2 first of bela starts at another place" in it.text
        assert "A starts" not in it.text, "B starts it as well"
        assert "A: starts on all.q@h2" in it.text
        assert "B: starts on all.q@h3" in it.text
        assert "POSIX priority 0.50000" in it.text, "nothing is cut off"


async def test_a_row_leads_to_its_job(folder: Path) -> None:
    async with opened(folder, size=(120, 36)) as it:
        await it.press("5")
        it.workspace.apply(SetField(Kind.QUEUE, "all.q", "slots", "2"))
        await it.settle()
        await it.press("t", "t", "down")
        assert compare(it).chosen == (3, 1)
        await it.press("w")
        assert "Job 3 under both policies" in it.text
        first, second = it.app.screen.query_one("#text", Lines).text.split("B  with unsaved edits, at 09:05:00")
        assert "A  saved, at 09:05:00" in first
        assert "3 second  chen  qw waiting" in first, "without the edit it waits then"
        assert "2 first +0.00000" in first
        assert "let it run" not in first, "nothing was tried"
        assert "3 second  chen  qw → t starts now" in second


@pytest.mark.parametrize("size", [(80, 24), (200, 55)])
async def test_every_size_has_the_names_and_the_letters(folder: Path, size: tuple[int, int]) -> None:
    async with opened(folder, size=size) as it:
        await it.press("5")
        compare(it).add("queues.all.q.slots=2")
        compare(it).add("queues.all.q.slots=3")
        compare(it).add("scheduler.weight_urgency=1")
        await it.settle()
        assert "D  scheduler.weight_urgency=1" in it.text
        head = next(line for line in it.text.splitlines() if "measure" in line)
        assert [letter for letter in "ABCD" if f" {letter}" in head] == ["A", "B", "C", "D"]
        await it.press("a")
        assert "4 policies are compared at most" in it.text
