"""What is kept from run to run of what is booked is what each run books for itself."""

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace

import pytest

from qmon_tui.incremental.bookings import Bookings
from qmon_tui.incremental.known_jobs import KnownJob, KnownJobs
from qmon_tui.incremental.prerequisites import NotIncremental
from qmon_tui.model import HOST, Job, State, Task
from qmon_tui.scheduler import SchedulerSession
from qmon_tui.scheduler.dispatch import InitialState
from qmon_tui.scheduler.matching import StartOrder
from qmon_tui.scheduler.priority import GRID_ENGINE
from tests.unit.scheduler.building import NOW, attribute, cluster, environment, host, job, project, queue, scheduler

ON = cluster(
    attribute("lic lic INT <= YES YES 0"), attribute("disk disk INT <= YES JOB 0"),
    environment("mpi"), environment("smp"), *(host(f"h{number}", "lic=9,disk=9") for number in (1, 2, 3)),
    queue("a.q", "h1 h2 h3", 3, pe_list="mpi smp"), queue("b.q", "h1 h2", 1),
)  # fmt: skip
SESSION = SchedulerSession(ON)
A1, A2, A3, B1, B2 = "a.q@h1", "a.q@h2", "a.q@h3", "b.q@h1", "b.q@h2"
RUNNING: Mapping[int, Sequence[tuple[str, dict[str, int]]]] = {
    1: [("-l lic=2", {A1: 1})],
    2: [("-l lic=2", {A1: 1}), ("", {A2: 1}), ("-l lic=1", {B2: 1})],
    3: [("-pe mpi 3 -l lic=1", {A2: 1, A1: 2}), ("-l lic=1", {A3: 1})],
    4: [("-pe mpi 3 -l disk=1", {A2: 1, A1: 2}), ("-l lic=1", {A3: 1})],
    5: [("-pe mpi 3 -l disk=1", {A1: 1, A2: 2}), ("-pe smp 2", {A1: 2}), ("-pe mpi 1", {A3: 1})],
    6: [("", {A1: 1}), ("", {A1: 1}), ("", {A1: 1}), ("", {B1: 1})],
    7: [("-pe mpi 3", {A1: 3}), ("-pe mpi 2", {A3: 2})],
    8: [("-pe mpi 2", {A1: 2}), ("-pe smp 1", {A1: 1}), ("-pe smp 1", {A3: 1}), ("-pe mpi 2", {A2: 2})],
}


def running(number: int, options: str, granted: Mapping[str, int]) -> Job:
    environment = options.split()[1] if options.startswith("-pe") else None
    return job(number, options, tasks={1: Task("r", granted, NOW - 90 + number, environment=environment)})


def known_jobs(state: State) -> list[KnownJob]:
    return KnownJobs(SESSION, SESSION.configured).take_over(state).added


def booked(initial_state: InitialState) -> object:
    """All that a run goes by: what is in use, and the lists of hosts, queue instances and environments."""
    resources = initial_state.resources
    levels = [resources.global_level, *resources.hosts, *resources.queues]
    return (
        [dict(level.used) for level in levels],
        [resources.host_names[number] for number in resources.hosts_in_order],
        [resources.instances[number].name for number in initial_state.availability.usable],
        dict(resources.environment_slots),
        list(resources.environments_in_order()),
    )


def start_of(known: KnownJob) -> StartOrder:
    """The order by which a run would have started its only task."""
    granted = known.job.tasks[1].granted
    numbers = {instance.name: number for number, instance in enumerate(SESSION.configured.instances)}
    grants = tuple((numbers[name], slots) for name, slots in granted.items())
    return StartOrder(known.run_job, 1, grants, None, known.job.tasks[1].environment)


@pytest.mark.parametrize("as_started", [False, True])
@pytest.mark.parametrize("case", RUNNING)
def test_what_comes_and_what_is_started_is_booked_until_it_ends(case: int, as_started: bool) -> None:
    jobs = tuple(running(number, *placed) for number, placed in enumerate(RUNNING[case], 1))
    known = known_jobs(State(now=NOW, jobs=jobs))
    bookings = Bookings(SESSION.configured, {})
    for count, one in enumerate(known, 1):
        if as_started:
            order = start_of(one)
            bookings.resources.debit(one.run_job.demand, order.grants)
            bookings.note_start(order, one.job.tasks[1].started or 0)
        else:
            bookings.add(one)
        assert_by_the_rule(bookings, State(now=NOW, jobs=jobs[:count]))
    for gone, one in enumerate(known, 1):
        bookings.take_back(one)
        assert_by_the_rule(bookings, State(now=NOW, jobs=jobs[gone:]))


def assert_by_the_rule(bookings: Bookings, state: State) -> None:
    run_jobs = [known.run_job for known in known_jobs(state)]
    compiled = SESSION.configured
    letters = [""] * len(compiled.instances)
    rule = InitialState.before_dispatch(compiled, state, letters, run_jobs, NOW, GRID_ENGINE)
    assert booked(bookings.initial_state(state, run_jobs, [], parallel=True)) == booked(rule)


@pytest.mark.parametrize(
    ("changes", "same"),
    [({}, True), ({"started": NOW}, False), ({"granted": {A2: 1}}, False), ({"environment": "smp"}, False)],
)
def test_a_job_uses_the_same_only_where_its_tasks_run_as_they_did(changes: dict[str, object], same: bool) -> None:
    before = running(1, "-l lic=1", {A1: 1})
    after = replace(before, tasks={1: replace(before.tasks[1], **changes)})  # type: ignore[arg-type]
    jobs = KnownJobs(SESSION, SESSION.configured)
    (one,) = jobs.take_over(State(now=NOW, jobs=(before,))).added
    ((_, other),) = jobs.take_over(State(now=NOW, jobs=(after,))).changed
    assert Bookings(SESSION.configured, {}).is_same(one, other) is same


def test_only_loads_after_loads_leave_the_rules_as_they_are() -> None:
    loads = {"h1": {"np_load_avg": "0.5"}}
    assert [
        Bookings(SESSION.configured, before).take_loads(after)
        for before, after in (({}, loads), (loads, {}), (loads, {"h2": {"np_load_avg": "1"}}))
    ] == [False, False, True]


@pytest.mark.parametrize("reserves", [0, 1])
@pytest.mark.parametrize("load", ["1", "3"])
@pytest.mark.parametrize(
    "thresholds",
    [{}, {"load_thresholds": "np_load_avg=2"}, {"suspend_thresholds": "np_load_avg=2"}, {"load_thresholds": "disk=8"}],
)
def test_who_takes_jobs_and_who_may_later(reserves: int, load: str, thresholds: Mapping[str, str]) -> None:
    """With letters, full queue instances, and loads over thresholds; what was changed last comes last."""
    on = ON.with_objects(
        [scheduler(max_reservation=reserves), queue("a.q", "h1 h2 h3", 3, pe_list="mpi", **thresholds)]
    )
    session = SchedulerSession(on)
    compiled, loads = session.configured, {"h3": {"np_load_avg": load}}
    full = running(1, "-pe mpi 3", {A2: 3})
    plain = State(now=NOW, jobs=(full,), loads=loads)
    bookings = Bookings(compiled, loads)
    (known,) = KnownJobs(session, compiled).take_over(plain).added
    bookings.add(known)
    for letters, changed in (
        ({}, {A1: NOW - 5.0, HOST.format("h1"): NOW - 3.0}),
        ({B1: "d", A1: "d"}, {A3: NOW - 4.0, HOST.format("h2"): NOW - 2.0}),
        ({B1: "d"}, {B2: NOW - 1.0}),
    ):
        state = replace(plain, queue_states=letters, changed=changed)
        bookings.take_letters(state)
        initial_state = bookings.initial_state(state, [known.run_job], [], parallel=True)
        rule = InitialState.before_dispatch(compiled, state, bookings.states, [known.run_job], NOW, GRID_ENGINE)
        assert booked(initial_state) == booked(rule)
        assert [shown for shown in bookings.states if shown] == list(letters.values())
        if reserves:
            assert [*initial_state.availability.waitable] == [*rule.availability.waitable]
    assert bookings.is_timeless is (bookings.known_checks is not None) is ("disk=8" not in thresholds.values())


@pytest.mark.parametrize(
    ("changes", "same"),
    [({"name": "x"}, True), ({"owner": "bela"}, False), ({"group": "g"}, False), ({"project": "p"}, False)],
)
def test_a_job_counts_for_the_same_only_where_its_people_are_the_same(changes: dict[str, str], same: bool) -> None:
    on = ON.with_objects([scheduler(max_reservation=1), project("p")])
    session = SchedulerSession(on)
    before = running(1, "-l lic=1", {A1: 1})
    jobs = KnownJobs(session, session.configured)
    (one,) = jobs.take_over(State(now=NOW, jobs=(before,))).added
    ((_, other),) = jobs.take_over(State(now=NOW, jobs=(replace(before, **changes),))).changed  # type: ignore[arg-type]
    assert Bookings(session.configured, {}).is_same(one, other) is same


@pytest.mark.parametrize(
    ("load", "letters", "where", "nsuspend", "follows"),
    [
        ("1", {}, A3, "1", True),
        ("3", {}, A3, "1", False),
        ("3", {}, A3, "0", True),
        ("3", {}, A1, "1", True),
        ("3", {}, None, "1", True),
        ("3", {A3: "d"}, A3, "1", False),
        ("3", {A3: "au"}, A3, "1", True),
    ],
)
def test_tasks_that_suspend_thresholds_halt_are_not_followed(
    load: str, letters: Mapping[str, str], where: str | None, nsuspend: str, follows: bool
) -> None:
    limits = {"suspend_thresholds": "np_load_avg=2", "nsuspend": nsuspend}
    session = SchedulerSession(ON.with_objects([queue("a.q", "h1 h2 h3", 3, **limits)]))
    jobs = (running(1, "", {where: 1}),) if where else ()
    high = {"h1": {"np_load_avg": "1"}, "h3": {"np_load_avg": load}}
    state = State(now=NOW, jobs=jobs, loads=high, queue_states=letters)
    bookings = Bookings(session.configured, {"h3": {"np_load_avg": "1"}})
    for known in KnownJobs(session, session.configured).take_over(state).added:
        bookings.add(known)
    assert bookings.take_loads(high)
    bookings.take_letters(state)
    with nullcontext() if follows else pytest.raises(NotIncremental):
        bookings.check_thresholds(state, [])


def test_other_loads_close_and_open_queue_instances() -> None:
    session = SchedulerSession(ON.with_objects([queue("a.q", "h3", 3, load_thresholds="np_load_avg=2")]))
    loads = [{"h3": {"np_load_avg": text}} for text in ("1", "3", "1")]
    bookings, usable = Bookings(session.configured, loads[0]), []
    for load in loads:
        bookings.take_loads(load)
        initial_state = bookings.initial_state(State(now=NOW, loads=load), [], [], parallel=False)
        usable.append(len(initial_state.availability.usable))
    assert usable == [3, 2, 3]
