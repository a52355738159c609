"""A cluster over time: what the real rules say of small days, and what must hold of any day."""

from collections import Counter
from datetime import datetime

import pytest
from hypothesis import given, strategies as st

from qmon_tui.model import Cluster, Kind, config_object
from qmon_tui.model.jobs import Job, Task
from qmon_tui.model.state import State
from qmon_tui.simulation import Settings, Simulator
from tests.unit.scheduler.building import NOW, attribute, cluster, environment, job, queue, scheduler


def day(on: Cluster, *jobs: Job, until: int | None = None, start_delay: int = 0) -> Simulator:
    simulator = Simulator(on, State(now=NOW, jobs=jobs), Settings(until=until, start_delay=start_delay))
    simulator.run()
    return simulator


def times(simulator: Simulator) -> dict[tuple[int, int], tuple[int | None, int | None]]:
    """Task -> start and end, from the beginning on."""
    return {
        key: (None if one.started is None else one.started - NOW, None if one.ended is None else one.ended - NOW)
        for key, one in simulator.records.items()
    }


def at(number: int, seconds: int, options: str = "", runtime: int = 60) -> Job:
    """A job that comes so many seconds after the beginning."""
    return job(number, options, submitted=NOW + seconds, runtime=runtime)


ONE_SLOT = cluster(queue("all.q", "h1", 1), scheduler(schedule_interval="0:0:15"))


def test_runs_come_by_the_interval_and_only_where_something_has_happened() -> None:
    """The first run is at once; the second job waits for the interval after the end of the first."""
    simulator = day(ONE_SLOT, at(1, 0), at(2, 0))
    assert times(simulator) == {(1, 1): (0, 60), (2, 1): (60, 120)}
    late = day(ONE_SLOT, at(1, 0, runtime=61), at(2, 0))
    assert times(late) == {(1, 1): (0, 61), (2, 1): (61, 121)}
    quick = day(ONE_SLOT, at(1, 0, runtime=7), at(2, 0))
    assert times(quick) == {(1, 1): (0, 7), (2, 1): (15, 75)}


@pytest.mark.parametrize(("flush", "start"), [("0", 15), ("1", 7), ("4", 10), ("30", 15)])
def test_flush_finish_sec_brings_a_run_forward(flush: str, start: int) -> None:
    on = cluster(queue("all.q", "h1", 1), scheduler(schedule_interval="0:0:15", flush_finish_sec=flush))
    assert times(day(on, at(1, 0, runtime=7), at(2, 0)))[2, 1] == (start, start + 60)


@pytest.mark.parametrize(("flush", "start"), [("0", 15), ("1", 3), ("3", 5)])
def test_flush_submit_sec_brings_a_run_forward(flush: str, start: int) -> None:
    on = cluster(queue("all.q", "h1", 2), scheduler(schedule_interval="0:0:15", flush_submit_sec=flush))
    assert times(day(on, at(1, 0), at(2, 3)))[2, 1] == (start, start + 60)


def test_a_task_runs_from_its_arrival_and_no_longer_than_its_limit() -> None:
    on = cluster(queue("all.q", "h1", 9, h_rt="0:1:0"), scheduler(schedule_interval="0:0:15"))
    simulator = day(on, at(1, 0, runtime=30), at(2, 0, runtime=600), at(3, 0, "-l h_rt=20", runtime=600), start_delay=5)
    assert times(simulator) == {(1, 1): (0, 35), (2, 1): (0, 65), (3, 1): (0, 25)}


def test_what_runs_already_goes_on_from_where_it_was() -> None:
    running = job(1, submitted=NOW - 50, runtime=60, tasks={1: Task("r", {"all.q@h1": 1}, NOW - 40)})
    assert times(day(ONE_SLOT, running, at(2, 0)))[1, 1] == (-40, 20)


@pytest.mark.parametrize(
    ("options", "limit", "end"), [("", None, 20), ("-l h_rt=30", None, -10), ("-l h_rt=30", 50, 10)]
)
def test_what_runs_already_ends_at_its_limit(options: str, limit: float | None, end: int) -> None:
    """By lifecycle.md#start-of-a-task it was given one at its start, noted or not."""
    on = cluster(queue("all.q", "h1", 1, h_rt="0:1:0"), scheduler(schedule_interval="0:0:15"))
    task = Task("r", {"all.q@h1": 1}, NOW - 40, wallclock_limit=limit)
    running = job(1, options, submitted=NOW - 50, runtime=600, tasks={1: task})
    assert times(day(on, running))[1, 1] == (-40, max(0, end))


def test_what_has_ended_before_the_day_is_none_of_its_tasks() -> None:
    """It has no start to wait for, and no place in the measures."""
    ended = job(1, "-t 1-2", submitted=NOW - 50, runtime=60, tasks={1: Task("z", {}, NOW - 40), 2: Task("gone")})
    assert set(times(day(ONE_SLOT, ended, at(2, 0)))) == {(2, 1)}


def test_an_array_keeps_to_tc_and_counts_what_has_just_ended() -> None:
    """As in the qmaster, the next task starts in the second run after an end, which the removal of the first causes."""
    for flush, starts in (("0", [0, 30, 60]), ("1", [0, 20, 40]), ("4", [0, 23, 46])):
        on = cluster(queue("all.q", "h1", 9), scheduler(schedule_interval="0:0:10", flush_finish_sec=flush))
        assert [start for start, _ in times(day(on, at(1, 0, "-t 1-3 -tc 1", runtime=20))).values()] == starts


def test_dependencies_and_start_times() -> None:
    on = cluster(queue("all.q", "h1", 9), scheduler(schedule_interval="0:0:10"))
    later = datetime.fromtimestamp(NOW + 77).strftime("%Y%m%d%H%M.%S")
    after = day(on, at(1, 0, runtime=25), at(2, 1, "-hold_jid 1", runtime=5))
    assert times(after)[2, 1] == (25, 30)
    assert times(day(on, at(1, 0, runtime=5), at(2, 0, f"-a {later}", runtime=5)))[2, 1] == (77, 82)


def test_a_calendar_stops_what_runs_and_lets_it_go_on() -> None:
    """Closed from NOW + 20 to NOW + 50, by the week's daytimes."""
    closed = "-".join(datetime.fromtimestamp(NOW + after).strftime("%H:%M:%S") for after in (20, 50))
    week = config_object(Kind.CALENDAR, "c", {"calendar_name": "c", "week": f"mon-sun={closed}=suspended"})
    on = cluster(week, queue("all.q", "h1", 1, calendar="c"))
    assert times(day(on, at(1, 0, runtime=60), until=NOW + 600))[1, 1] == (0, 90)


def test_who_is_refused_does_not_come() -> None:
    on = cluster(attribute("lic lic INT <= YES YES 0"), queue("all.q", "h1", 1))
    simulator = day(on, at(1, 5, "-l nothing=1"), at(2, 5))
    assert list(simulator.refused) == [1]
    assert set(simulator.records) == {(2, 1)}


def test_the_end_cuts_off() -> None:
    simulator = day(ONE_SLOT, at(1, 0), at(2, 0), at(3, 500), until=NOW + 100)
    assert times(simulator) == {(1, 1): (0, 60), (2, 1): (60, None)}
    assert simulator.now == NOW + 100


PLACES = {"h1": 2, "h2": 3}


@given(st.data())
def test_no_task_is_lost_or_run_twice_and_no_slot_is_given_twice(data: st.DataObject) -> None:
    on = cluster(
        environment("mpi", slots=99),
        *(queue(f"{host}.q", host, slots, pe_list="mpi") for host, slots in PLACES.items()),
        scheduler(schedule_interval="0:0:7", flush_finish_sec=data.draw(st.sampled_from(("0", "2")))),
    )
    plain = ("", "-pe mpi 2", "-t 1-3", "-pe mpi 5", "-t 1-4 -tc 2", "-p -5")
    jobs = tuple(
        at(
            number,
            data.draw(st.integers(0, 90)),
            data.draw(st.sampled_from((*plain, f"-hold_jid {number - 1}") if number > 1 else plain)),
            data.draw(st.integers(0, 60)),
        )
        for number in range(1, data.draw(st.integers(2, 9)))
    )
    first, second = day(on, *jobs), day(on, *jobs)
    assert times(first) == times(second), "the same values give the same day"
    assert set(first.records) == {(one.id, task) for one in jobs for task in one.task_ids}
    moments: Counter[tuple[int, str]] = Counter()
    for one in first.records.values():
        assert one.started is not None
        assert one.ended is not None
        assert one.submitted <= one.started <= one.ended
        for place, slots in one.granted.items():
            for second_of in range(one.started, one.ended):
                moments[second_of, place] += slots
    assert all(used <= PLACES[place.partition("@")[2]] for (_, place), used in moments.items())
