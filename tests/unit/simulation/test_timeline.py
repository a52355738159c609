"""A day that can be moved about in: going back is having been there, and each thing that happens is told."""

from collections import Counter
from dataclasses import replace
from datetime import datetime

from hypothesis import given, strategies as st

from qmon_tui.model import FINISHED, Cluster, HostFailure, Kind, State, Task, config_object
from qmon_tui.qmaster import Qdel, Target, read_command
from qmon_tui.simulation import FeedKind, Moment, Settings, Timeline
from qmon_tui.simulation.execution import is_placed
from qmon_tui.simulation.settings import TimedCommand
from tests.unit.scheduler.building import NOW, cluster, environment, job, queue, scheduler
from tests.unit.simulation.test_conservation import drawn_values
from tests.unit.simulation.test_copying import TWO_QUEUES

ONE_SLOT = cluster(queue("all.q", "h1", 1), scheduler(schedule_interval="0:0:15"))
TWO_HOSTS = cluster(
    queue("all.q", "h1 h2", 2, pe_list="mpi"),
    environment("mpi"),
    scheduler(schedule_interval="0:0:10", flush_finish_sec="1", max_reservation="5", default_duration="0:10:0"),
)


def told(timeline: Timeline) -> list[tuple[int, FeedKind, int | None]]:
    """Seconds from the beginning, what, which job."""
    return [(entry.time - NOW, entry.kind, entry.job) for entry in timeline.moment.entries]


def seen(timeline: Timeline) -> tuple[object, ...]:
    """All that there is to see at a moment."""
    at, simulator = timeline.moment, timeline.simulator
    return (at.place, at.state, at.plans, at.runs, at.is_over, at.entries, at.samples, at.stretches,
            repr(simulator.records), list(map(repr, simulator.queue)))  # fmt: skip


def test_what_happens_is_told() -> None:
    jobs = job(1, submitted=NOW, runtime=60), job(2, "-l h_rt=20", submitted=NOW + 5, runtime=100)
    timeline = Timeline(ONE_SLOT, State(now=NOW, jobs=jobs))
    assert timeline.play(None)
    assert told(timeline) == [
        (0, FeedKind.STARTED, 1),
        (5, FeedKind.SUBMITTED, 2),
        (60, FeedKind.ENDED, 1),
        (60, FeedKind.STARTED, 2),
        (80, FeedKind.ENDED, 2),
    ]
    start = timeline.moment.entries[3]
    assert (start.places, start.seconds, start.limit, start.name) == ((("all.q@h1", 1),), 55, 20, "sleep")
    assert [(one.job, one.start - NOW, end.time - NOW if end else None) for one, end in timeline.moment.stretches] == [
        (1, 0, 60), (2, 60, 80),
    ]  # fmt: skip


def test_a_backfilled_start_says_before_whose_reservation() -> None:
    """Job 2 needs both hosts and waits for job 1; job 3 is done before that, job 4 would not be."""
    jobs = (
        job(1, "-l h_rt=600", submitted=NOW - 9, runtime=600),
        job(2, "-pe mpi 4 -R y -l h_rt=600", submitted=NOW + 1, runtime=60),
        job(3, "-l h_rt=300 -p -10", submitted=NOW + 2, runtime=200),
        job(4, "-l h_rt=3000 -p -10", submitted=NOW + 3, runtime=200),
    )
    timeline = Timeline(TWO_HOSTS, State(now=NOW, jobs=jobs))
    timeline.go_to_time(NOW + 100)
    entries = {(entry.job, entry.kind): entry for entry in timeline.moment.entries}
    passed = entries[3, FeedKind.BACKFILLED]
    assert passed.other == 2
    assert (4, FeedKind.STARTED) not in entries
    (plan,) = timeline.moment.plans
    assert (plan.job, plan.start) == (2, NOW + 660)
    assert passed.spare == plan.start - passed.time - 300
    assert entries[2, FeedKind.RESERVED].seconds == NOW + 660
    assert [one.backfilled for one, _ in timeline.moment.stretches] == [False, True]


def test_suspending_and_resuming_is_told() -> None:
    low = job(1, "-q low.q -l h_rt=500", submitted=NOW, runtime=100)
    high = job(2, "-q high.q@h1", submitted=NOW + 20, runtime=30)
    other = job(3, "-q high.q@h2", submitted=NOW + 20, runtime=30)
    timeline = Timeline(TWO_QUEUES, State(now=NOW, jobs=(low, high, other)))
    timeline.play(None)
    kinds = [entry.kind for entry in timeline.moment.entries if entry.job == 1]
    assert kinds == [FeedKind.STARTED, FeedKind.SUSPENDED, FeedKind.RESUMED, FeedKind.ENDED]


def test_moving_by_runs_and_by_what_is_told() -> None:
    jobs = tuple(job(number, submitted=NOW + number, runtime=30) for number in range(1, 4))
    timeline = Timeline(ONE_SLOT, State(now=NOW, jobs=jobs))
    assert timeline.next_run()
    assert timeline.moment.runs == 1
    times = []
    while timeline.next_event():
        times.append(timeline.moment.time - NOW)
    assert times == sorted(times)
    assert len(times) == len({entry.position for entry in timeline.moment.entries})
    timeline.previous_event()
    here = seen(timeline)
    assert timeline.previous_event()
    assert seen(timeline) != here
    assert timeline.next_event()
    assert seen(timeline) == here
    runs = timeline.moment.runs
    assert timeline.previous_run()
    assert timeline.moment.runs in (runs, runs - 1)
    while timeline.previous_event():
        pass
    assert timeline.moment.entries == []
    assert timeline.moment.time == NOW


DAYS = st.lists(st.tuples(st.integers(0, 300), st.integers(1, 120)), min_size=1, max_size=10)


def a_day(on: Cluster, drawn: list[tuple[int, int]]) -> Timeline:
    jobs = tuple(
        job(number, "-t 1-2" if number % 4 == 0 else "-R y -l h_rt=100", submitted=NOW + at, runtime=length)
        for number, (at, length) in enumerate(drawn, 1)
    )
    return Timeline(on, State(now=NOW, jobs=jobs), Settings(until=NOW + 2000))


@given(DAYS, st.lists(st.integers(0, 2200), min_size=1, max_size=6))
def test_going_back_is_having_been_there(drawn: list[tuple[int, int]], times: list[int]) -> None:
    """State, records, feed and all that is still to come are those of a day that went there and no further."""
    moved = a_day(TWO_QUEUES, drawn)
    moved.play(None)
    for time in times:
        moved.go_to_time(NOW + time)
        fresh = a_day(TWO_QUEUES, drawn)
        fresh.go_to_time(NOW + time)
        assert seen(moved)[:-1] == seen(fresh)[:-1]
        assert moved.moment.time <= NOW + 2000


@given(DAYS, st.lists(st.integers(0, 40), min_size=1, max_size=6))
def test_places_can_be_gone_to_again(drawn: list[tuple[int, int]], steps: list[int]) -> None:
    timeline = a_day(TWO_HOSTS, drawn)
    known: list[tuple[object, ...]] = []
    places = []
    for number in steps:
        for _ in range(number):
            timeline.next_event()
        known.append(seen(timeline))
        places.append(timeline.place)
    for place, wanted in reversed(list(zip(places, known, strict=True))):
        timeline.go(place)
        assert seen(timeline) == wanted


def test_a_start_time_lies_ahead_again_after_going_back() -> None:
    """What the last run knew of a job whose time had come is of no use in the morning."""
    start = datetime.fromtimestamp(NOW + 100).strftime("%Y%m%d%H%M.%S")
    jobs = (
        job(1, submitted=NOW, runtime=300),
        job(2, f"-a {start}", submitted=NOW, runtime=9),
        job(3, submitted=NOW, runtime=20),
    )
    timeline = Timeline(ONE_SLOT, State(now=NOW, jobs=jobs))
    timeline.go_to_time(NOW + 200)
    timeline.go_to_time(NOW + 20)
    delete = Qdel((Target(1),), force=True)
    timeline.branch(ONE_SLOT, delete.apply(ONE_SLOT, timeline.moment.state).state)
    timeline.play(None)
    assert [(stretch.job, stretch.start - NOW) for stretch, _ in timeline.moment.stretches] == [
        (1, 0),
        (3, 30),
        (2, 100),
    ]


def test_what_an_edit_does_to_tasks_is_told_and_gives_their_slots_back() -> None:
    jobs = tuple(job(number, "-r y", submitted=NOW, runtime=100) for number in range(1, 5))
    timeline = Timeline(TWO_HOSTS, State(now=NOW, jobs=jobs), Settings(until=NOW + 1000))
    timeline.go_to_time(NOW + 30)
    at = timeline.moment
    state = at.state
    for line in ("qmod -rj 1", "qmod -f -rj 2", "qdel -f 3", "qmod -sj 4"):
        command = read_command(at.cluster, line, "root")
        assert command is not None
        state = command.apply(at.cluster, state).state
    timeline.branch(at.cluster, state, "some commands")
    entries = [(entry.time - NOW, entry.kind, entry.job) for entry in timeline.moment.entries[-5:]]
    assert entries == [
        (30, FeedKind.EDIT, None),
        (30, FeedKind.SENT_BACK, 1),
        (30, FeedKind.SENT_BACK, 2),
        (30, FeedKind.DELETED, 3),
        (30, FeedKind.SUSPENDED, 4),
    ]
    assert [stretch.job for stretch, end in timeline.moment.stretches if end is None] == [4]
    timeline.next_run()
    sample = timeline.moment.samples[-1]
    placed = [task for job in timeline.moment.state.jobs for task in job.tasks.values() if is_placed(task)]
    assert (sample.running, sample.slots[0]) == (len(placed), len(placed))


@given(DAYS, st.integers(0, 400))
def test_a_day_that_is_played_is_the_day_that_is_simulated(drawn: list[tuple[int, int]], stop: int) -> None:
    timeline = a_day(TWO_HOSTS, drawn)
    plain = timeline.simulator
    plain.run()
    timeline.go_to_time(NOW + stop)
    timeline.play(None)
    assert repr(timeline.simulator.records) == repr(plain.records)
    assert timeline.moment.runs == plain.runs
    ended = Counter((entry.job, entry.task) for entry in timeline.moment.entries if entry.kind is FeedKind.ENDED)
    assert ended == Counter(key for key, record in plain.records.items() if record.ended is not None)


def changed(moment: Moment) -> State:
    """The state of a moment without the first job that waits."""
    waiting = next((one.id for one in moment.state.jobs if not one.tasks), None)
    return replace(moment.state, jobs=tuple(one for one in moment.state.jobs if one.id != waiting))


@given(DAYS, st.integers(0, 300))
def test_another_way_leaves_the_first_one_alone(drawn: list[tuple[int, int]], stop: int) -> None:
    timeline = a_day(TWO_HOSTS, drawn)
    timeline.go_to_time(NOW + stop)
    before = timeline.place
    here = seen(timeline)
    wide = TWO_HOSTS.with_objects((queue("all.q", "h1 h2", 8, pe_list="mpi"),))
    start = timeline.branch(wide, changed(timeline.moment), "slots = 8")
    timeline.play(None)
    assert timeline.moment.entries[len(here[5])].kind is FeedKind.EDIT  # type: ignore[arg-type]
    assert timeline.moment.cluster is wide
    branched = seen(timeline)
    timeline.go(before)
    assert seen(timeline) == here
    timeline.go(start)
    timeline.play(None)
    assert seen(timeline) == branched


def test_a_budget_stops_in_between() -> None:
    timeline = a_day(ONE_SLOT, [(number, 5) for number in range(9)])
    assert not timeline.play(None, budget=0.0)
    before = timeline.moment
    assert timeline.play(None)
    assert before.entries != timeline.moment.entries
    assert before.entries == timeline.moment.entries[: len(before.entries)]


def test_what_runs_at_the_beginning_has_its_stretch() -> None:
    running = job(1, submitted=NOW - 50, runtime=60, tasks={1: Task("r", {"all.q@h1": 1}, NOW - 40)})
    timeline = Timeline(ONE_SLOT, State(now=NOW, jobs=(running,)))
    ((stretch, end),) = timeline.moment.stretches
    assert (stretch.start, stretch.places, end) == (NOW - 40, (("all.q@h1", 1),), None)
    timeline.play(None)
    ((_, end),) = timeline.moment.stretches
    assert end is not None
    assert end.time == NOW + 20


def test_a_day_is_over_when_all_jobs_are_although_calendars_go_on() -> None:
    """Played to its end it does not go on for ever, not even where a job can never start."""
    closed = {"calendar_name": "night", "year": "NONE", "week": "mon-sun=20-8=off"}
    calendar = config_object(Kind.CALENDAR, "night", closed)
    night = cluster(queue("all.q", "h1", 1, calendar="night"), calendar, scheduler(schedule_interval="0:0:15"))
    timeline = Timeline(night, State(now=NOW, jobs=(job(1, submitted=NOW, runtime=60),)))
    assert timeline.play(None)
    assert timeline.moment.is_over
    assert timeline.moment.state.jobs == ()
    stuck = Timeline(night, State(now=NOW, jobs=(job(1, "-q no.q", submitted=NOW, runtime=60),)))
    assert stuck.play(None)
    assert stuck.moment.is_over
    assert stuck.moment.time == NOW, "its end is not the day on which nobody expects anything any more"
    jobs = job(1, submitted=NOW, runtime=60), job(2, "-h", submitted=NOW, runtime=60)
    partly = Timeline(night, State(now=NOW, jobs=jobs))
    while not partly.play(None, 0.0):
        pass
    ends = [entry.time for entry in partly.moment.entries if entry.kind is FeedKind.ENDED]
    assert partly.moment.is_over
    assert 0 <= partly.moment.time - ends[-1] <= 15
    assert [len(one.tasks) for one in partly.moment.state.jobs] == [0], "the run after the end is made"
    partly.next_event()
    assert partly.moment.entries[-1].kind is FeedKind.CALENDAR
    assert partly.moment.is_over


@given(DAYS, st.integers(0, 300), st.booleans())
def test_the_log_tells_what_the_records_say(drawn: list[tuple[int, int]], fails: int, returns: bool) -> None:
    """Starts, places and ends, also where a host falls silent, a queue stands still, or somebody deletes a job."""
    jobs = tuple(
        job(number, "-t 1-3 -tc 2" if number % 4 == 0 else "-r y -l h_rt=90", submitted=NOW + at, runtime=length)
        for number, (at, length) in enumerate(drawn, 1)
    )
    settings = Settings(
        until=NOW + 4000,
        failures=(HostFailure("h1", NOW + fails, NOW + fails + 700 if returns else None),),
        commands=(TimedCommand(NOW + 100, Qdel((Target(1),))), TimedCommand(NOW + 120, Qdel((Target(4),)))),
    )
    timeline = Timeline(TWO_QUEUES, State(now=NOW, jobs=jobs), settings)
    timeline.play(None)
    records = timeline.simulator.records
    last = {(one.job, one.task): (one, end) for one, end in timeline.moment.stretches}
    assert {key for key, record in records.items() if record.started is not None} == set(last)
    for key, (stretch, end) in last.items():
        record = records[key]
        if record.ended is not None or (end is None) is (record.ended is None):
            assert (stretch.start, dict(stretch.places)) == (record.started, record.granted)
            assert (end.time if end is not None else None) == record.ended
    starts = Counter(
        entry.key for entry in timeline.moment.entries if entry.kind in (FeedKind.STARTED, FeedKind.BACKFILLED)
    )
    stretches = Counter((one.job, one.task) for one, _ in timeline.moment.stretches)
    assert starts == stretches
    used = {sample.slots[0] for sample in timeline.moment.samples}
    assert max(used, default=0) <= 6


def test_the_start_of_a_job_is_gone_to_back_and_on() -> None:
    jobs = tuple(job(number, submitted=NOW + number, runtime=30) for number in range(1, 5))
    timeline = Timeline(ONE_SLOT, State(now=NOW, jobs=jobs))
    assert timeline.go_to_start(3)
    third = timeline.place
    assert timeline.moment.entries[-1].job == 3
    assert timeline.go_to_start(1)
    assert timeline.moment.time < third.time
    assert timeline.go_to_start(3, budget=0.0) is True
    assert timeline.place == third
    assert timeline.go_to_start(4, budget=0.0) is False
    assert timeline.go_to_start(99) is None
    assert timeline.is_over


@given(st.integers(0, 10**9))
def test_a_sample_counts_what_has_its_slots(seed: int) -> None:
    """By the stretches of the log, which are those of the state, whatever commands and reservations have done."""
    timeline = Timeline(*drawn_values(seed))
    while timeline.next_run():
        moment = timeline.moment
        placed = [
            task
            for job in moment.state.jobs
            for task in job.tasks.values()
            if task.granted and "q" not in task.state and task.state != FINISHED
        ]
        sample = moment.samples[-1]
        assert sample.running == len(placed)
        assert sample.slots[0] == sum(sum(task.granted.values()) for task in placed)


def test_a_task_that_ended_before_the_day_is_not_told_again() -> None:
    ended = job(1, tasks={1: Task(FINISHED, {"all.q@h1": 1}, NOW - 60)}, submitted=NOW - 60, runtime=10)
    timeline = Timeline(ONE_SLOT, State(now=NOW, jobs=(ended,)))
    timeline.play(NOW + 100)
    assert told(timeline) == []
    assert timeline.moment.samples[0].running == 0
