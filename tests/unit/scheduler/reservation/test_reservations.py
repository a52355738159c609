"""Reservations and backfilling on clusters small enough to see why (reservation.md#who-gets-a-reservation)."""

import pytest

from qmon_tui.model.cluster import Cluster
from qmon_tui.model.jobs import Job, Task
from qmon_tui.model.outcome import Outcome, TaskOutcome
from qmon_tui.qmaster import simulate
from qmon_tui.scheduler import RunUntil
from qmon_tui.values.times import INFINITE
from tests.unit.scheduler.building import (
    NOW,
    attribute,
    cluster,
    environment,
    host,
    job,
    places,
    queue,
    reasons,
    run,
    scheduler,
    state,
    user,
)

OFFSET = 60
"""Seconds that the scheduler adds to each run time."""


def site(**policy: object) -> Cluster:
    """Two hosts with one slot each, and reservations."""
    return cluster(
        queue("all.q", "h1 h2", 1, pe_list="mpi"),
        environment("mpi"),
        scheduler(**{"max_reservation": 3, "default_duration": "1:0:0", "schedd_job_info": "true", **policy}),
    )


def busy(number: int, host: str, seconds: int | None) -> Job:
    """A job that has just been started, for so long or for nobody knows how long."""
    limit = "" if seconds is None else f"-l h_rt={seconds}"
    return job(number, limit, tasks={1: Task("r", {f"all.q@{host}": 1}, NOW)})


def first_task(outcome: Outcome, number: int) -> TaskOutcome:
    job_outcome = outcome.job(number)
    assert job_outcome is not None
    return job_outcome.tasks[0]


def test_a_job_gets_the_first_time_at_which_it_fits() -> None:
    outcome = run(site(), busy(1, "h1", 900), busy(2, "h2", 600), job(3, "-R y -l h_rt=100"))
    task = first_task(outcome, 3)
    assert task.state == "qw"
    assert task.reserved == {"all.q@h2": 1}
    assert task.reserved_from == NOW + 600 + OFFSET
    assert task.reserved_until == NOW + 600 + OFFSET + 100 + OFFSET


def test_what_ends_before_a_reservation_starts_and_what_does_not_waits() -> None:
    parallel = job(2, "-R y -pe mpi 2 -l h_rt=100")
    for limit, starts in ((600, True), (601, False)):
        outcome = run(site(), busy(1, "h1", 600), parallel, job(3, f"-l h_rt={limit}"))
        assert first_task(outcome, 2).reserved == {"all.q@h1": 1, "all.q@h2": 1}
        assert (3 in places(outcome)) is starts
    late = outcome.job(3)
    assert late is not None
    assert any(reason.endswith(" due to a reservation") for reason in late.reasons)


def test_a_job_without_a_limit_is_taken_to_run_for_default_duration() -> None:
    parallel = job(2, "-R y -pe mpi 2 -l h_rt=100")
    for duration, starts in (("0:5:0", True), ("1:0:0", False), ("INFINITY", False)):
        outcome = run(site(default_duration=duration), busy(1, "h1", 600), parallel, job(3))
        assert (3 in places(outcome)) is starts


def test_nothing_can_be_reserved_where_a_job_may_run_for_ever() -> None:
    on = site(default_duration="INFINITY")
    outcome = run(on, busy(1, "h1", None), busy(2, "h2", None), job(3, "-R y"))
    assert first_task(outcome, 3).reserved == {}
    waiting = outcome.job(3)
    assert waiting is not None
    assert waiting.reservation_rejected


def test_a_kind_of_job_that_was_refused_a_reservation_gets_none_any_more() -> None:
    refused = job(3, "-R y -l h_rt=100", reservation_rejected=True)
    outcome = run(site(), busy(1, "h1", 900), busy(2, "h2", 600), refused)
    assert first_task(outcome, 3).reserved == {}


def test_max_reservation_counts_tasks() -> None:
    array = job(3, "-R y -t 1-5 -l h_rt=100 -q all.q")
    on = site().with_object(queue("other.q", "h3", 1))
    outcome = run(on, busy(1, "h1", 900), busy(2, "h2", 600), array)
    job_outcome = outcome.job(3)
    assert job_outcome is not None
    assert [task.task for task in job_outcome.tasks if task.reserved] == [1, 2, 3]
    # What is free first is taken first, one after the other.
    ends = [task.reserved_from for task in job_outcome.tasks if task.reserved_from is not None]
    assert ends == [NOW + 660, NOW + 820, NOW + 960]


def test_where_all_is_full_only_the_head_of_the_list_gets_a_reservation() -> None:
    outcome = run(site(), busy(1, "h1", 900), busy(2, "h2", 600), job(3, "-R y"), job(4, "-R y -l h_rt=100"))
    assert first_task(outcome, 3).reserved
    assert not first_task(outcome, 4).reserved


def test_the_timeline_says_all_that_is_used_and_will_be() -> None:
    outcome = run(site(), busy(1, "h1", 600), job(2, "-R y -pe mpi 2 -l h_rt=INFINITY"))
    lines = [(use.job, use.kind, use.start - NOW, use.end, use.level, use.name, use.amount) for use in outcome.timeline]
    assert lines == [
        (1, "RUNNING", 0, NOW + 660, "Q", "all.q@h1", 1.0),
        (2, "RESERVING", 660, INFINITE, "P", "mpi", 2.0),
        (2, "RESERVING", 660, INFINITE, "Q", "all.q@h2", 1.0),
        (2, "RESERVING", 660, INFINITE, "Q", "all.q@h1", 1.0),
    ]


def test_without_max_reservation_there_is_no_timeline() -> None:
    outcome = run(site(max_reservation=0), busy(1, "h1", 600), job(2, "-R y -pe mpi 2"), job(3))
    assert outcome.timeline == ()
    assert 3 in places(outcome)


def test_what_was_found_unsuitable_for_one_job_is_not_told_to_the_next_of_its_kind() -> None:
    """The first of the two learns of h2 for both, and starts elsewhere."""
    on = cluster(
        attribute("sort so STRING == YES NO NONE"),
        host("h1", "sort=x"),
        host("h2", "sort=y"),
        host("h3"),
        queue("all.q", "h1 h2 h3", 1, seq_no="2,[h2=1]"),
        scheduler(max_reservation=3, default_duration="1:0:0", schedd_job_info="true", queue_sort_method="seqno"),
    )
    outcome = run(on, job(1, "-R y -q *@h3"), job(2, "-l sort=x"), job(3, "-l sort=x"))
    assert places(outcome) == {1: "all.q@h3", 2: "all.q@h1"}
    assert reasons(outcome, 3) == ()


ONE, LONG, BOTH = "-R y -q all.q -l h_rt=100", "-R y -q all.q -l h_rt=200", "-R y -pe mpi 2 -q all.q -l h_rt=100"


@pytest.mark.parametrize(
    ("most", "busy_hosts", "options", "planned"),
    [
        (3, 2, [ONE], {3: [660]}),
        (3, 2, ["-q all.q -l h_rt=100"], {}),
        (3, 2, [f"{ONE} -now y"], {}),
        (1, 2, [f"{ONE} -t 1-4"], {3: [660]}),
        (2, 2, [f"{ONE} -t 1-4"], {3: [660, 820]}),
        (9, 2, [f"{ONE} -t 1-4"], {3: [660, 820, 960, 980]}),
        (9, 2, [f"{ONE} -t 1-2"], {3: [660, 820]}),
        # The first task starts on the free host.
        (1, 1, [f"{ONE} -t 1-4"], {3: [160]}),
        (2, 1, [f"{ONE} -t 1-4"], {3: [160, 320]}),
        (9, 1, [f"{ONE} -t 1-4"], {3: [160, 320, 480]}),
        (9, 1, [f"{ONE} -t 1-2"], {3: [160]}),
        # Parallel jobs are tried first, as their slots make them more urgent.
        (1, 2, [ONE, ONE, ONE[4:], LONG, BOTH], {7: [960]}),
        (2, 2, [ONE, ONE, ONE[4:], LONG, BOTH], {3: [1120], 7: [960]}),
        (3, 2, [ONE, ONE, ONE[4:], LONG, BOTH], {3: [1120], 4: [1120], 7: [960]}),
        (9, 2, [ONE, ONE, ONE[4:], LONG, BOTH], {3: [1120], 4: [1120], 6: [1280], 7: [960]}),
        (1, 2, [BOTH, ONE, BOTH], {3: [960]}),
        (2, 2, [BOTH, ONE, BOTH], {3: [960], 5: [1120]}),
        (9, 2, [BOTH.replace("mpi 2", "mpi 3"), ONE], {4: [660]}),
        (9, 2, [f"{BOTH} -t 1-3", ONE, BOTH], {3: [960, 1120, 1280], 4: [1600], 5: [1440]}),
    ],
)
def test_who_gets_a_reservation_and_for_when(
    most: int, busy_hosts: int, options: list[str], planned: dict[int, list[int]]
) -> None:
    on = site(max_reservation=most).with_object(queue("other.q", "h3", 1))
    jobs = [busy(1, "h1", 900), busy(2, "h2", 600)][:busy_hosts]
    outcome = run(on, *jobs, *(job(number, text) for number, text in enumerate(options, 3)))
    times = {
        job_outcome.id: [int(task.reserved_from - NOW) for task in job_outcome.tasks if task.reserved_from is not None]
        for job_outcome in outcome.jobs
    }
    assert {number: moments for number, moments in times.items() if moments} == planned


@pytest.mark.parametrize(
    ("most", "busy_hosts", "last", "passed", "queue_of_tasks", "tasks"),
    [
        (1, 1, 4, (), (1, 2, 3, 4), [2]),
        (1, 2, 4, (), (1, 2, 3, 4), [1]),
        (2, 1, 4, (2,), (1, 3, 4), [2, 3]),
        (2, 2, 4, (1,), (2, 3, 4), [1, 2]),
        (3, 2, 4, (1, 2), (3, 4), [1, 2, 3]),
        (9, 1, 4, (2, 3), (1, 4), [2, 3, 4]),
        (9, 2, 4, (1, 2, 3), (4,), [1, 2, 3, 4]),
        (9, 2, 1, (), (1,), [1]),
    ],
)
def test_tasks_with_a_reservation_give_way_to_the_next_where_that_may_get_one(
    most: int, busy_hosts: int, last: int, passed: tuple[int, ...], queue_of_tasks: tuple[int, ...], tasks: list[int]
) -> None:
    on = site(max_reservation=most).with_object(queue("other.q", "h3", 1))
    there = [busy(1, "h1", 900), busy(2, "h2", 600)][:busy_hosts]
    made = simulate(on, state([*there, job(3, f"{ONE} -t 1-{last}")]))
    run_job = next(each for each in made.jobs if each.id == 3)
    assert (run_job.passed, tuple(run_job.queue)) == (passed, queue_of_tasks)
    assert [(each.job, each.task) for each in made.dispatch.reserved] == [(3, task) for task in tasks]


def test_a_task_that_is_started_whatever_its_turn_has_to_fit_for_its_own_time() -> None:
    """In front of a reservation that begins after 660 seconds, which takes 100 itself."""
    jobs = [busy(1, "h1", 600), job(2, BOTH), job(3, "-l h_rt=601"), job(4, "-l h_rt=600")]
    made = simulate(site(), state(jobs), until=RunUntil(3, 1, before=True))
    assert [each.job for each in made.dispatch.reserved] == [2]
    asked = {each.id: each for each in made.jobs}
    assert made.dispatch.start_next_task(asked[3]) is None
    assert made.dispatch.start_next_task(asked[4]) is not None


SHARED = {"weight_tickets_functional": 1000, "weight_ticket": 10}
ARRAYS = (("-t 1-4", "anna"), ("-t 1-4", "bob"), ("", "anna"))
PARALLEL = (("-pe mpi 2", "anna"), ("", "bob"), ("-pe mpi 2", "bob"), ("-pe mpi 1", "anna"), ("-pe mpi 1", "bob"))


@pytest.mark.parametrize(
    ("policy", "slots", "options", "started"),
    [
        (SHARED, 3, ARRAYS, "1.1 2.1 1.2 2.2 1.3 2.3"),
        ({**SHARED, "maxujobs": 2}, 3, ARRAYS, "1.1 2.1 1.2 2.2"),
        ({"maxujobs": 1}, 3, ARRAYS, "1.1 2.1"),
        ({}, 3, ARRAYS, "1.1 1.2 1.3 1.4 2.1 2.2"),
        ({}, 2, PARALLEL, "1.1 2.1 4.1"),
        ({"job_load_adjustments": "np_load_avg=0.50"}, 4, PARALLEL, "1.1 2.1 4.1"),
        ({"job_load_adjustments": "np_load_avg=0.50"}, 2, (*ARRAYS, *PARALLEL), "4.1 1.1 1.2"),
    ],
)
def test_where_nobody_asks_for_a_reservation_the_same_starts(
    policy: dict[str, object], slots: int, options: tuple[tuple[str, str], ...], started: str
) -> None:
    jobs = state(
        [job(number, text, owner) for number, (text, owner) in enumerate(options, 1)],
        loads={"h1": {"np_load_avg": "0.2"}, "h2": {"np_load_avg": "0.1"}},
    )
    runs = []
    for most in (0, 3):
        on = cluster(
            queue("all.q", "h1 h2", slots, pe_list="mpi"), environment("mpi", slots=3), user("anna", fshare=100),
            user("bob", fshare=100), scheduler(max_reservation=most, **policy),
        )  # fmt: skip
        starts = simulate(on, jobs).dispatch.starts
        runs.append([(start.run_job.id, start.task, start.grants) for start in starts])
    assert runs[0] == runs[1]
    assert " ".join(f"{number}.{task}" for number, task, _ in runs[0]) == started
