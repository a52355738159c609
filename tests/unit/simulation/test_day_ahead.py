"""The day simulated ahead, and what an edit changes of it."""

import pytest

from qmon_tui.formats import Layout, read_texts
from qmon_tui.qmaster import Qdel, Target
from qmon_tui.simulation import (
    DayAhead,
    DayAheadSummary,
    Scenario,
    Settings,
    Simulator,
    Timeline,
    look_ahead,
    summary_of_days,
)
from qmon_tui.simulation.day_ahead import Future
from qmon_tui.simulation.scenario import simulated
from qmon_tui.sources import read_folder
from qmon_tui.workspace import Document, day_simulator
from tests.unit.configs.announced import CONFIGS

FOLDER = """\
hosts: {h1: {}}
queues: {all.q: {hostlist: h1, slots: 1, load_thresholds: NONE}}
scheduler: {schedule_interval: "0:0:15"}
now: 2026-11-21T09:00:00
jobs:
- {id: 1, owner: ada, submitted: 2026-11-21T08:00:00, runtime: 600, qsub: "-N long x",
   tasks: {1: {state: r, granted: {all.q@h1: 1}, started: 2026-11-21T08:55:00}}}
- {id: 2, owner: bela, submitted: 2026-11-21T08:50:00, runtime: 600, qsub: "-N next x"}
- {id: 3, owner: chen, submitted: 2026-11-21T08:50:00, runtime: 600, qsub: "-N never -h x"}
"""


def simulator(text: str = FOLDER) -> Simulator:
    read = read_texts(Layout.YAML, "site", {"c.yaml": text})
    return Simulator(read.cluster, read.state, Settings.of(read.cluster, read.state))


def timeline_of_the_day() -> Timeline:
    read = read_texts(Layout.YAML, "site", {"c.yaml": FOLDER})
    return Timeline(read.cluster, read.state)


def test_what_the_day_brings() -> None:
    """A task that runs already is none that starts; one that is held never does."""
    day = look_ahead(simulator())
    assert day.is_whole
    assert sorted(day.tasks) == [(2, 1), (3, 1)]
    start = day.tasks[2, 1].start
    assert start is not None
    assert 300 <= start - day.beginning <= 320, "when job 1 has ended, and the next run is due"
    assert day.tasks[3, 1].start is None


def test_what_never_starts_is_not_waited_for_by_days() -> None:
    """A calendar that goes on and on changes nothing of the mean wait."""
    calendar = 'calendars: {nights: {week: "mon-sun=20-6=off"}}\nqueues: {day.q: {hostlist: h1, calendar: nights}, '
    with_calendar = summary_of_days(look_ahead(simulator(FOLDER.replace("queues: {", calendar))))
    without = summary_of_days(look_ahead(simulator()))
    assert with_calendar.waiting == without.waiting == 1
    assert with_calendar.wait == pytest.approx(without.wait, rel=0.05)


def test_it_stops_when_it_has_taken_too_long() -> None:
    day = look_ahead(simulator(), seconds=0.0)
    assert not day.is_whole
    assert day.reached - day.beginning < 60
    assert all(task.start is None for task in day.tasks.values())


def test_it_is_given_up() -> None:
    def look() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        look_ahead(simulator(), look=look)


def test_a_job_that_is_deleted_at_a_moment_is_one_fewer() -> None:
    """It does not wait until the end of the day, nor does it start later."""
    timeline = timeline_of_the_day()
    before = timeline.simulator
    at = timeline.moment
    timeline.branch(at.cluster, Qdel((Target(2),)).apply(at.cluster, at.state).state)
    found = summary_of_days(look_ahead(timeline.simulator), look_ahead(before))
    assert (found.jobs, found.removed, found.earlier, found.later) == (1, 1, 0, 0)


def day(*starts: int | None, reached: int = 1000, is_whole: bool = True) -> DayAhead:
    """Tasks of jobs 1, 2 ... that are all submitted at 0."""
    return DayAhead(0, reached, is_whole, {(number, 1): Future(0, start) for number, start in enumerate(starts, 1)})


def test_what_an_edit_changes() -> None:
    found = summary_of_days(day(100, 300, None), day(200, 200, 400))
    assert found == DayAheadSummary(0, 1000, True, 3, 200.0, 1, 300, 800 / 3, earlier=1, later=2, starting=2)


def test_days_are_compared_as_far_as_both_are_known() -> None:
    """Job 2 starts after that under both: the means leave it out."""
    found = summary_of_days(day(100, 300, reached=250, is_whole=False), day(200, 600, reached=700, is_whole=False))
    assert (found.reached, found.wait, found.wait_before) == (250, 100, 200)
    assert (found.earlier, found.later, found.waiting, found.last_start) == (1, 0, 1, 100)


def test_jobs_that_only_come_with_the_edit() -> None:
    found = summary_of_days(day(100, 100), day(100))
    assert (found.added, found.removed, found.earlier, found.later) == (1, 0, 0, 0)
    assert summary_of_days(day(), day(100)).removed == 1
    assert summary_of_days(day()).wait_before is None


def test_a_mean_wait_is_that_of_the_measures() -> None:
    """In the teaching cluster some tasks run when the day begins."""
    reading = read_folder(CONFIGS / "teaching")
    expected = simulated(Scenario(reading.cluster, reading.state, None)).measures["wait"]
    ahead = look_ahead(day_simulator(reading, Document(reading.cluster, reading.state)))
    assert len(ahead.waits) > 0
    assert isinstance(expected, dict)
    assert summary_of_days(ahead).wait == pytest.approx(expected["mean"])
