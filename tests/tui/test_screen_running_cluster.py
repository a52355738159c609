"""A running cluster on the screen: its age, refreshes that leave everything in place, and a qmaster that stops."""

import asyncio
import re
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from qmon_tui.formats import file_of
from qmon_tui.model.cluster import Cluster
from qmon_tui.model.kinds import Kind
from qmon_tui.model.state import State
from qmon_tui.report.header import HeaderState, header_line
from qmon_tui.report.spans import plain
from qmon_tui.sources import Live, Part, Reading, SavePlan, SourceError, job_place, read_folder
from qmon_tui.sources.conversion import convert
from qmon_tui.sources.qmaster_source import QmasterSource
from qmon_tui.tui.app import QmonApp
from qmon_tui.tui.base import ClusterRequested
from qmon_tui.tui.dialogs import TextDialog
from qmon_tui.workspace import Workspace
from tests.tui.screen_harness import Opened, cluster_copy, opened
from tests.unit.sources.successor_cell import successor_cell


@dataclass
class FakeQmaster:
    """A folder that is read as a running cluster; a test says what it answers."""

    path: Path
    location: str = "qmaster:"
    folder = None
    cost = None
    interval: float = 0.0
    failure: str = ""
    age: float = 0.0
    began: int = field(default_factory=lambda: int(time.time()))
    """The time of all states, so that no number differs only as time goes by."""
    parts: list[Part] = field(default_factory=list)
    """Parts that were read again."""
    unread: tuple[str, ...] = ()
    accounting: str = ""
    readings: list[float] = field(default_factory=list)
    """The time of the objects of each reading that was asked for."""

    def exists(self) -> bool:
        return True

    def read(self, previous: Reading | None = None) -> Reading:
        if self.failure:
            raise SourceError(self.failure)
        known = previous.live.objects_taken if previous and previous.live else 0.0
        self.readings.append(known)
        reading = read_folder(self.path)
        now = time.time() - self.age
        live = Live(now, known or now, "SGE 8.1.9", {}, unread=self.unread, accounting=self.accounting)
        return replace(reading, source=self, live=live, state=replace(reading.state, now=self.began))

    def others(self, reading: Reading) -> dict[str, str]:
        return {"roles/ops": "name ops\nenabled TRUE\n"}

    def read_part(self, previous: Reading, part: Part) -> Reading:
        self.parts.append(part)
        assert previous.live is not None
        if part is None:
            return replace(previous, live=previous.live._replace(unread=previous.live.unread[2:]))
        place = job_place(part) if isinstance(part, int) else file_of(*part)
        reading = replace(read_folder(self.path), source=self)
        return replace(reading, live=previous.live._replace(ages={**previous.live.ages, place: time.time()}))

    def plan(self, reading: Reading, cluster: Cluster, state: State | None = None) -> SavePlan:
        raise SourceError("only read")

    def write(self, reading: Reading, plan: SavePlan) -> Reading:
        raise SourceError("only read")

    async def changes(self, stop: asyncio.Event) -> AsyncIterator[frozenset[str]]:
        await stop.wait()
        return
        yield frozenset()


@pytest.fixture
def qmaster(tmp_path: Path) -> FakeQmaster:
    return FakeQmaster(cluster_copy("site", tmp_path))


async def test_a_refresh_leaves_folds_and_a_panel(qmaster: FakeQmaster) -> None:
    async with opened(qmaster.path, source=qmaster, read_only=True) as it:
        await it.press("M")
        await it.press("down", "left")
        before = it.text.splitlines()[2:]
        jobs = qmaster.path / "jobs.yaml"
        jobs.write_text(jobs.read_text() + '- {id: 900, owner: zora, qsub: "-N novel -h sleep 60"}\n')
        await it.changed_on_disk("qmaster:")
        assert [line[24:70] for line in it.text.splitlines()[2:20]] == [line[24:70] for line in before[:18]]


async def test_a_refresh_leaves_cursor_filter_marks_and_folds(qmaster: FakeQmaster) -> None:
    async with opened(qmaster.path, source=qmaster, read_only=True) as it:
        top = it.text.splitlines()[0]
        assert re.search(r"clients 8\.1\.9, \d s old", top)
        assert "[READ-ONLY]" in top
        await it.press("J", "down", "down", "m", "/")
        await it.type("o")
        await it.press("enter", "down")
        before = it.text.splitlines()[3:]
        jobs = qmaster.path / "jobs.yaml"
        jobs.write_text(jobs.read_text() + '- {id: 900, owner: zora, qsub: "-N novel sleep 60"}\n')
        await it.changed_on_disk("qmaster:")
        assert "novel" in it.text
        after = it.text.splitlines()[3:]
        cursor = [line for line in before if "▸" in line[24:30]]
        assert cursor
        assert [line[24:60] for line in after if "▸" in line[24:30]] == [line[24:60] for line in cursor]
        assert "read from the qmaster" in it.text


async def test_what_is_in_view_is_read_again(qmaster: FakeQmaster, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("qmon_tui.tui.screens.folder_watch._REST", 0.01)
    qmaster.age = 200.0
    async with opened(qmaster.path, source=qmaster, read_only=True) as it:
        await it.go_to(Kind.QUEUE, "gpu.q")
        assert await until(lambda: (Kind.QUEUE, "gpu.q") in qmaster.parts)
        await it.settle()
        assert re.search(r"clients 8\.1\.9, \d s old", it.text.splitlines()[0]), "the age of the object in view"
        await it.press("down", "up")
        await asyncio.sleep(0.1)
        assert qmaster.parts.count((Kind.QUEUE, "gpu.q")) == 1, "fresh enough"
        await it.press("J")
        assert "3 min old" in it.text.splitlines()[0], "the age of jobs and states"
        job = it.main.live.chosen
        assert job is not None
        assert await until(lambda: job.job.id in qmaster.parts)
        await it.settle()
        await it.press("w")
        await it.settle()
        said = "".join(map(plain, it.main.live.explanation_lines(80, in_full=True)))
        assert re.search(r"Its details \(qstat -j\) are \d s old\.", said)


async def test_the_first_start_says_that_it_is_read_by_itself(qmaster: FakeQmaster) -> None:
    app = QmonApp(Workspace(qmaster.read(), read_only=True), theme="dark", welcome=True)
    async with app.run_test(size=(80, 24)) as pilot:
        running = Opened(app, pilot, qmaster.path, asyncio.Queue())
        await running.settle()
        assert "A running cluster, read regularly. r reads it now, ; pauses. Esc hides this." in running.text


async def test_hosts_follow_with_progress(qmaster: FakeQmaster) -> None:
    qmaster.unread = ("node01", "node02", "node03", "node04", "node05")
    async with opened(qmaster.path, source=qmaster, read_only=True) as it:
        assert await until(lambda: qmaster.parts.count(None) == 3)
        await it.settle()
        assert it.workspace.reading.live is not None
        assert it.workspace.reading.live.unread == ()
    progress = header_line(HeaderState(("a",), clients="SGE 8.1.9", hosts="480/1000"), 120)
    assert "hosts 480/1000 read" in plain(progress)


async def until(condition: Callable[[], bool]) -> bool:
    for _ in range(300):
        if condition():
            return True
        await asyncio.sleep(0.02)
    return False


async def test_the_last_data_stays_when_the_qmaster_stops(qmaster: FakeQmaster) -> None:
    async with opened(qmaster.path, source=qmaster, read_only=True) as it:
        jobs = len(it.workspace.state.jobs)
        qmaster.failure = (
            "the qmaster on master1 does not answer (got select error): see whether sge_qmaster runs there"
        )
        for _ in range(3):
            await it.changed_on_disk("qmaster:")
        assert "does not answer" in it.text.splitlines()[0]
        assert "The qmaster does not answer; this is its last state" in it.text
        assert [toast for toast in it.toasts if "master1" in toast] == [qmaster.failure]
        assert len(it.workspace.state.jobs) == jobs
        qmaster.failure = ""
        await it.changed_on_disk("qmaster:")
        assert "does not answer" not in "".join(it.text.splitlines()[:2])


async def test_pausing_and_reading_now(qmaster: FakeQmaster) -> None:
    qmaster.age = 200.0
    async with opened(qmaster.path, source=qmaster, read_only=True) as it:
        assert "3 min old" in it.text.splitlines()[0]
        await it.press("semicolon")
        assert "paused, 3 min old" in it.text.splitlines()[0]
        await it.changed_on_disk("qmaster:")
        assert len(qmaster.readings) == 1
        await it.press("r")
        assert len(qmaster.readings) == 2
        assert qmaster.readings[-1] == 0.0, "all objects are read again"
        await it.press("semicolon")
        assert "paused" not in it.text.splitlines()[0]


async def test_nothing_can_be_edited(qmaster: FakeQmaster) -> None:
    async with opened(qmaster.path, source=qmaster, read_only=True) as it:
        await it.press("J", "d")
        assert any("read-only" in toast for toast in it.toasts)
        await it.press("V")
        assert any("no earlier versions of a running cluster" in toast for toast in it.toasts)


async def test_attention_is_the_first_page_of_a_running_cluster(qmaster: FakeQmaster) -> None:
    jobs = qmaster.path / "jobs.yaml"
    jobs.write_text(
        jobs.read_text()
        + '- {id: 901, owner: zora, qsub: sleep 60, tasks: {1: {state: Eqw, reason: "no such file"}}}\n'
    )
    async with opened(qmaster.path, source=qmaster, read_only=True) as it:
        assert [line[3:12] for line in it.text.splitlines()[2:4]] == ["Attention", "Jobs     "]
        await it.press("8")
        assert "Eqw: no such file" in it.text
        while "Eqw" not in it.main.pages.view.selected:  # type: ignore[union-attr, operator]
            await it.press("down")
        await it.press("enter")
        assert it.main.pages.page == "jobs"
        assert it.main.pages.view is not None
        assert it.main.pages.view.selected == "901"
    async with opened(qmaster.path) as it:
        assert "Attention" not in it.text
        await it.press("8")
        assert "Eqw: no such file" in it.text
        await it.press("J")
        assert it.main.pages.page == "jobs"


async def test_the_palette_opens_another_cluster(
    qmaster: FakeQmaster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    (tmp_path / "qmon-tui").mkdir()
    (tmp_path / "qmon-tui/clusters.toml").write_text('[prod]\nroot = "/opt/sge"\n')
    async with opened(qmaster.path) as it:
        await it.press(":")
        await it.type("cluster prod")
        await it.pilot.press("enter")
        await it.pilot.pause()
        assert it.app.wanted == ClusterRequested("qmaster:prod")


async def test_a_folder_pulls_what_has_changed_on_the_qmaster(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cell = successor_cell(tmp_path)
    monkeypatch.setenv("SGE_ROOT", cell.root)
    monkeypatch.delenv("SGE_CELL", raising=False)
    convert(QmasterSource(cell).read(), tmp_path / "site", "qconf")
    async with opened(tmp_path / "site") as it:

        async def pull() -> None:
            await it.press("ctrl+r")
            for _ in range(200):
                if not it.at_main or any("has changed" in toast for toast in it.toasts):
                    return
                await asyncio.sleep(0.02)

        await pull()
        assert any("Nothing has changed on qmaster since" in toast for toast in it.toasts)
        place = tmp_path / "dump/cqueues/all.q"
        place.write_text(place.read_text().replace("seq_no                0", "seq_no                9"))
        it.app.clear_notifications()
        await pull()
        await it.pilot.pause()
        assert "qmaster since" in it.text
        assert "seq_no" in it.text
        await it.press("m")
        await it.settle()
        assert it.workspace.cluster.objects(Kind.QUEUE)["all.q"].text("seq_no") == "9"
        assert "● 1 edit" in it.text
        await it.press("u")
        assert "● 1 edit" not in it.text


async def test_about_shows_kinds_that_are_kept_as_they_are(qmaster: FakeQmaster) -> None:
    async with opened(qmaster.path, source=qmaster, read_only=True) as it:
        it.main.do("about")
        await it.pilot.pause()
        assert "roles/ops, kept as it is:" in it.text


async def test_the_palette_shows_how_jobs_have_ended(qmaster: FakeQmaster, tmp_path: Path) -> None:
    accounting = Path(__file__).parents[1] / "data/records/accounting"
    line = next(line for line in accounting.read_text().splitlines() if not line.startswith("#"))
    job, owner = line.split(":")[5], line.split(":")[3]
    qmaster.accounting = str(accounting)
    async with opened(qmaster.path, source=qmaster, read_only=True) as it:
        for typed, words in (
            (f"qacct {job}", f"{job} "),
            (f"qacct -j {job}", f"{job} "),
            (f"qacct -o {owner}", "No record"),
        ):
            await it.press(":")
            await it.type(typed)
            await it.press("enter")
            assert await until(lambda: isinstance(it.app.screen, TextDialog))
            await it.pilot.pause()
            assert words in it.text
            await it.press("escape")
    async with opened(qmaster.path) as it:
        await it.press(":")
        await it.type("qacct 1")
        await it.press("enter")
        assert it.toasts == ["A folder has no accounting file: qmon-tui qacct FILE reads one."]


async def test_pausing_is_for_running_clusters(qmaster: FakeQmaster) -> None:
    async with opened(qmaster.path) as it:
        await it.press("semicolon")
        assert it.toasts == ["This is a folder: it is read whenever it changes."]
