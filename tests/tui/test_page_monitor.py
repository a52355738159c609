"""The monitor: a day is played, stopped, gone back in; all else follows the moment; an edit makes another way."""

import asyncio
from pathlib import Path
from time import monotonic

import pytest

from qmon_tui.model.kinds import Kind
from qmon_tui.simulation import FeedKind
from qmon_tui.tui.monitor.view import MonitorView
from qmon_tui.workspace import SetField
from tests.tui.screen_harness import Opened, cluster_copy, opened


@pytest.fixture
def campus(tmp_path: Path) -> Path:
    return cluster_copy("campus", tmp_path)


def monitor(it: Opened) -> MonitorView:
    return it.main.query_one(MonitorView)


def running(it: Opened) -> set[int]:
    """The jobs of which something runs in what the program shows."""
    return {job.id for job in it.workspace.state.jobs if any(task.granted for task in job.tasks.values())}


async def test_a_run_is_made_and_all_else_follows_it(campus: Path) -> None:
    async with opened(campus, size=(120, 36)) as it:
        begin = it.workspace.state.now
        assert 508 not in running(it)
        await it.press("4")
        assert "Nothing has happened yet" in it.text
        await it.press("full_stop")
        assert 508 in running(it)
        assert not it.workspace.is_dirty()
        assert it.workspace.edited_document.state.now == begin
        assert "508 panel starts on" in monitor(it)._feed.text
        assert "506 storm gets a reservation" in it.text
        await it.press("right_square_bracket")
        later = it.workspace.state.now
        assert later >= begin
        await it.press("J")
        assert it.workspace.result is not None
        assert it.workspace.result.outcome is not None
        assert it.workspace.result.outcome.at == later
        await it.press("4", "comma", "left_square_bracket")
        await it.press("X")
        assert it.workspace.moment is None
        assert 508 not in running(it)


async def test_going_back_shows_what_was(campus: Path) -> None:
    async with opened(campus, size=(120, 36)) as it:
        await it.press("4", "full_stop")
        document, moment = it.workspace.document, monitor(it).player.moment
        assert moment is not None
        for _ in range(6):
            await it.press("right_square_bracket")
        assert it.workspace.document != document
        for _ in range(5):
            await it.press("left_square_bracket")
        await it.press("comma", "full_stop")
        view = monitor(it)
        view.player.go_to(moment.place)
        await it.settle()
        assert it.workspace.document == document


async def test_an_edit_makes_another_way_and_undo_leads_back(campus: Path) -> None:
    async with opened(campus, size=(120, 36)) as it:
        await it.press("4", "full_stop", "right_square_bracket")
        shown = it.workspace.document
        it.main.apply(SetField(Kind.QUEUE, "day.q", "slots", "2"))
        await it.settle()
        view = monitor(it)
        assert view.player.branches == 1
        assert it.workspace.cluster.objects(Kind.QUEUE)["day.q"].text("slots") == "2"
        assert it.workspace.is_dirty(Kind.QUEUE, "day.q", "slots")
        assert "edit:" in it.text
        await it.press("full_stop", "full_stop")
        assert it.workspace.cluster.objects(Kind.QUEUE)["day.q"].text("slots") == "2"
        await it.press("u")
        assert it.workspace.document == shown
        assert not it.workspace.is_dirty()
        await it.press("U")
        assert it.workspace.cluster.objects(Kind.QUEUE)["day.q"].text("slots") == "2"


async def test_a_command_at_a_moment_is_no_edit_of_the_folder(campus: Path) -> None:
    async with opened(campus, size=(140, 40)) as it:
        await it.press("4", "full_stop", "J")
        await it.press("d", "y")
        assert not it.workspace.is_dirty()
        assert len(it.workspace.state.jobs) <= len(it.workspace.edited_document.state.jobs)
        assert monitor(it).player.branches == 1
        await it.press("4", "X")
        assert it.workspace.history.undo_label is None


async def test_playing_goes_on_until_it_is_stopped(campus: Path) -> None:
    async with opened(campus, size=(80, 24)) as it:
        await it.press("4")
        view = monitor(it)
        for _ in range(8):
            view.player.speed_up(1)
        assert view.player.speed == 0
        await it.pilot.press("space")
        for _ in range(400):
            await it.pilot.pause(0.02)
            if not view.player.playing:
                break
        await it.settle()
        moment = view.player.moment
        assert moment is not None
        assert moment.is_over
        assert it.workspace.state == moment.state
        await it.press("space")
        assert any("over" in text for text in it.toasts)


async def test_why_is_told_at_the_moment_that_is_shown(campus: Path) -> None:
    async with opened(campus, size=(120, 36)) as it:
        await it.press("4", "full_stop")
        await it.press("w")
        assert not it.at_main
        assert "506" in it.text


async def test_alarms_and_events_lead_to_their_jobs(campus: Path) -> None:
    """`t` goes to the alarms as well; a job of the feed that has ended is explained as it was then."""
    async with opened(campus, size=(120, 36)) as it:
        await it.press("4", "at")
        await it.type("09:10")
        await it.press("enter", "t")
        assert monitor(it)._alarms.has_focus
        assert monitor(it).chosen is not None
        job = monitor(it).selected
        wide = monitor(it)._alarms.text
        assert wide.count("\n") <= 3, wide
        await it.press("down")
        assert monitor(it).selected == job, "the second line of an alarm leads where its first one does"
        await it.press("1")
        monitor(it)._draw()  # a moment comes while the alarms are out of sight
        await it.press("4")
        assert monitor(it)._alarms.text == wide
        await it.press("t")
        await it.press("w")
        assert not it.at_main
        assert str(job) in it.text
        await it.press("escape", "t", "t")
        assert monitor(it)._feed.has_focus
        moment = monitor(it).player.moment
        assert moment is not None
        present = {known.id for known in it.workspace.state.jobs}
        gone = next(entry for entry in reversed(moment.entries) if entry.job is not None and entry.job not in present)
        row = next(
            row for row in range(len(monitor(it)._model.feed)) if monitor(it)._model.feed.entry(
                monitor(it)._model.feed.key(row)) is gone
        )  # fmt: skip
        await it.press(*["down"] * row, "w")
        assert not it.at_main, "it is explained at the moment at which it was there"
        assert f"{gone.job} {gone.name}" in it.text
        assert it.workspace.state.now == gone.time


async def test_jobs_that_are_added_on_disk_come(campus: Path) -> None:
    """Those of a time that is over come at the moment that is shown, later ones in their time."""
    async with opened(campus, size=(120, 36)) as it:
        await it.press("4", "at")
        await it.type("08:30")
        await it.press("enter")
        shown = it.workspace.state.now
        path = campus / "jobs.yaml"
        path.write_text(
            path.read_text()
            + '- {id: 901, owner: ida, submitted: 2026-11-16T08:00:00, runtime: 60, qsub: "-N early x"}\n'
            + '- {id: 902, owner: ida, submitted: 2026-11-17T08:45:00, runtime: 60, qsub: "-N late x"}\n'
        )
        await it.changed_on_disk("jobs.yaml")
        assert it.workspace.state.now == shown
        jobs = {job.id: job for job in it.workspace.state.jobs}
        assert jobs[901].submitted == shown
        assert 902 not in jobs
        await it.press("at")
        await it.type("08:45:05")
        await it.press("enter")
        assert 902 in {job.id for job in it.workspace.state.jobs}


async def test_a_time_is_gone_to(campus: Path) -> None:
    async with opened(campus, size=(120, 36)) as it:
        await it.press("4", "at")
        await it.type("09:00")
        await it.press("enter")
        moment = monitor(it).player.moment
        assert moment is not None
        assert moment.time - moment.beginning == 80 * 60
        assert "Tue 09:00:00" in it.text
        await it.press("at")
        await it.type("07:00")
        await it.press("enter")
        assert "begins at" in it.text


async def test_the_charts_are_written_as_a_picture(campus: Path, tmp_path: Path) -> None:
    async with opened(campus, size=(120, 36)) as it:
        await it.press("4", "full_stop", "E")
        await it.type(str(tmp_path / "no" / "day.svg"))
        await it.press("enter")
        assert "There is no folder" in it.text
        await it.type(str(tmp_path / "day.svg"))
        await it.press("enter")
        written = (tmp_path / "day.svg").read_text()
        assert written.startswith("<svg")
        assert "node01" in written
        await it.press("E")
        await it.type(str(tmp_path / "day.svg"))
        await it.press("enter")
        assert "would be overwritten" in it.text


async def test_at_a_small_size_one_chart_is_shown_after_the_other(campus: Path) -> None:
    async with opened(campus, size=(80, 24)) as it:
        await it.press("4", "full_stop")
        seen = []
        for _ in range(5):
            seen.append(next(word for word in ("runs  ░", "gets a reservation", "oldest wait", "got %", "idle while")
                             if word in it.text))  # fmt: skip
            await it.press("t")
        assert len(set(seen)) == 5
        assert "[Gantt]" in it.text
        await it.pilot.click("#monitor-tabs", offset=(10, 0))
        await it.settle()
        assert "[Events]" in it.text


async def test_keys_go_to_the_only_chart_when_the_terminal_becomes_small(campus: Path) -> None:
    async with opened(campus, size=(120, 36)) as it:
        await it.press("4")
        assert monitor(it)._feed.has_focus
        await it.pilot.resize_terminal(80, 24)
        await it.settle()
        before = monitor(it).gantt.table.cursor
        await it.press("down")
        assert monitor(it).gantt.table.cursor > before


async def test_the_gantt_chart_is_zoomed_and_scrolled(campus: Path) -> None:
    async with opened(campus, size=(120, 36)) as it:
        await it.press("4", "full_stop", "at")
        await it.type("09:00")
        await it.press("enter", "t")
        view = monitor(it)
        step = view.gantt.window.step
        await it.press("plus")
        assert view.gantt.window.step < step
        await it.press("minus", "minus")
        assert view.gantt.window.step > step
        start = view.gantt.window.start
        await it.press("less_than_sign")
        assert view.gantt.window.start < start
        await it.press("equals_sign")
        assert view.gantt.window.step == step
        for line, job in ((1, 501), (2, 508)):
            await it.pilot.click("#monitor-gantt", offset=(40, line))
            await it.settle()
            assert view.chosen == (job, 1)
            assert view.selected == str(job)


async def test_one_second_a_second(campus: Path) -> None:
    """At the slowest speed the time goes as fast as the clock on the wall."""
    async with opened(campus, size=(120, 36)) as it:
        await it.press("4", "full_stop")
        view = monitor(it)
        for _ in range(9):
            view.player.speed_up(-1)
        begin, before = monotonic(), view.player.moment
        await it.pilot.press("space")
        await it.pilot.pause(2.5)
        await it.pilot.press("space")
        await it.settle()
        assert view.player.moment is not None
        assert before is not None
        assert 1 <= view.player.moment.time - before.time <= monotonic() - begin + 0.5


async def test_an_edit_while_the_day_is_played_changes_the_day_from_there(campus: Path) -> None:
    async with opened(campus, size=(120, 36)) as it:
        await it.press("4", "full_stop")
        view = monitor(it)
        await it.pilot.press("right_curly_bracket", "right_curly_bracket", "space")
        async with asyncio.timeout(60):
            while it.workspace.state.now < it.workspace.edited_document.state.now + 600:
                await it.pilot.pause(0.05)
        shown = it.workspace.state.now
        it.main.apply(SetField(Kind.QUEUE, "day.q", "slots", "2"))
        async with asyncio.timeout(60):
            while view.player.moment is None or view.player.moment.time < shown + 1200:
                await it.pilot.pause(0.05)
        assert view.player.playing
        await it.pilot.press("space")
        await it.settle()
        moment = view.player.moment
        assert moment is not None
        (edit,) = (entry for entry in moment.entries if entry.kind is FeedKind.EDIT)
        assert edit.time == shown
        assert moment.cluster.objects(Kind.QUEUE)["day.q"].text("slots") == "2"
        later = [entry for entry in moment.entries if entry.time > shown and entry.kind is FeedKind.STARTED]
        assert all(not name.startswith("day.q") for entry in later for name, _ in entry.places)


async def test_read_only_a_day_can_be_played_all_the_same(campus: Path) -> None:
    async with opened(campus, size=(120, 36), read_only=True) as it:
        await it.press("4", "full_stop")
        assert 508 in running(it)
        await it.press("X")
        assert it.workspace.moment is None


async def test_the_document_that_was_edited_before_is_what_is_played(campus: Path) -> None:
    async with opened(campus, size=(120, 36)) as it:
        await it.press("4")
        it.main.apply(SetField(Kind.QUEUE, "day.q", "slots", "0"))
        await it.settle()
        await it.press("full_stop")
        moment = monitor(it).player.moment
        assert moment is not None
        assert moment.cluster.objects(Kind.QUEUE)["day.q"].text("slots") == "0"
        assert monitor(it).player.branches == 0


async def test_enter_on_what_happened_goes_there(campus: Path) -> None:
    async with opened(campus, size=(120, 36)) as it:
        await it.press("4", "at")
        await it.type("09:00")
        await it.press("enter")
        await it.press("down", "down", "enter")
        moment = monitor(it).player.moment
        assert moment is not None
        assert moment.time < moment.beginning + 80 * 60
        assert it.workspace.state.now == moment.time


async def test_the_work_of_the_folder_comes_and_what_is_missing_of_it_is_said(tmp_path: Path) -> None:
    folder = cluster_copy("day", tmp_path)
    text = (folder / "cluster.yaml").read_text()
    head = text[: text.index("workload:")]
    (folder / "cluster.yaml").write_text(head + "workload: {arrivals: even, jobs: 30, rate: 60, runtime: 5m}\n")
    async with opened(folder, size=(120, 36)) as it:
        assert it.workspace.state.jobs == ()
        await it.press("4", "at")
        await it.type("+20m")
        await it.press("enter")
        assert len(it.workspace.state.jobs) > 3
        assert not it.workspace.is_dirty()
    (folder / "cluster.yaml").write_text(head + "workload: {trace: nowhere.swf}\n")
    async with opened(folder, size=(120, 36)) as it:
        await it.press("4")
        assert any("The workload is left out" in text for text in it.toasts)


async def test_events_are_filtered(campus: Path) -> None:
    async with opened(campus, size=(120, 36)) as it:
        await it.press("4", "at")
        await it.type("09:00")
        await it.press("enter", "slash")
        await it.type("essay ends")
        await it.settle()
        rows = monitor(it)._feed.text.splitlines()
        assert len([row for row in rows if row.strip()]) == 3
        assert all("essay ends" in row for row in rows if row.strip())
        await it.press("enter")
        assert monitor(it).selected == "504"
        await it.press("escape")
        assert len(monitor(it)._feed.text.splitlines()) > 10
        await it.press("slash")
        await it.type("nothing like it")
        await it.settle()
        assert "No event matches" in it.text


async def test_the_start_of_a_job_is_gone_to(campus: Path) -> None:
    async with opened(campus, size=(120, 36)) as it:
        await it.press("4", "at")
        await it.type("506")
        await it.press("enter")
        moment = monitor(it).player.moment
        assert moment is not None
        assert moment.time == moment.beginning + 140 * 60
        assert 506 in running(it)
        await it.press("at")
        await it.type("4711")
        await it.press("enter")
        assert any("4711 does not start" in text for text in it.toasts)
        assert it.workspace.state.now == moment.time, "what is not there is no reason to see the end of the day"
