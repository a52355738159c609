"""The order of the scheduler's lists of jobs, queue instances and hosts: that of their latest changes."""

from collections.abc import Mapping
from typing import Any

import pytest

from qmon_tui.model import AdvanceReservation, Job, State, Task
from qmon_tui.qmaster.run_jobs import collect_run_jobs
from qmon_tui.scheduler import session_of
from qmon_tui.scheduler.dispatch import in_list_order
from qmon_tui.scheduler.dispatch.list_order import listed_instances_and_hosts
from qmon_tui.scheduler.matching import NO_ADJUSTMENTS, Resources
from tests.unit.scheduler.building import NOW, attribute, cluster, environment, host, job, queue

ON = cluster(
    attribute("lic lic INT <= YES YES 0"), attribute("disk disk INT <= YES JOB 0"), environment("mpi"),
    *(host(f"h{number}", "lic=9,disk=9") for number in (1, 2, 3)), host("h4"),
    queue("a.q", "h1 h2 h3 h4", 9, pe_list="mpi"), queue("b.q", "h1 h2", 9),
)  # fmt: skip
A1, A2, A3, A4, B1, B2 = "a.q@h1", "a.q@h2", "a.q@h3", "a.q@h4", "b.q@h1", "b.q@h2"


def placed(number: int, options: str, granted: Mapping[str, int], started: float, state: str = "r") -> Job:
    used = "mpi" if "-pe" in options else None
    return job(number, options, tasks={1: Task(state, granted, started, environment=used)})


def lists(*jobs: Job, **more: Any) -> tuple[list[str], list[str]]:
    """Queue instances and hosts; jobs are given in the order of their priority."""
    state = State(now=NOW, jobs=jobs, **more)
    session = session_of(ON)
    run_jobs = {run_job.id: run_job for run_job in collect_run_jobs(session, session.compiled(state), state, NOW).jobs}
    resources = Resources(session.compiled(state), state, NO_ADJUSTMENTS)
    instances, hosts = listed_instances_and_hosts(resources, state, [run_jobs[job.id] for job in jobs])
    names = [instance.name for instance in resources.instances]
    return [names[number] for number in instances], [resources.host_names[number] for number in hosts]


ALL = [A1, A2, A3, A4, B1, B2]


@pytest.mark.parametrize(
    ("options", "granted", "instances", "hosts"),
    [
        ("", {A1: 1}, [A2, A3, A4, A1, B1, B2], "1234"),
        ("-l lic=1", {A1: 1}, [A2, A3, A4, A1, B1, B2], "2341"),
        ("-l lic=1", {A4: 1}, [A1, A2, A3, A4, B1, B2], "1234"),
        ("-l disk=1", {B1: 1}, [A1, A2, A3, A4, B2, B1], "2341"),
        ("-pe mpi 3 -l lic=1", {A2: 1, A1: 2}, [A3, A4, A2, A1, B1, B2], "3421"),
        # What counts per job is booked on the host of the master queue only.
        ("-pe mpi 3 -l disk=1", {A2: 1, A1: 2}, [A3, A4, A2, A1, B1, B2], "1342"),
        ("-pe mpi 3 -l disk=1", {A1: 1, A2: 2}, [A3, A4, A1, A2, B1, B2], "2341"),
    ],
)
def test_a_start_moves_its_queue_instances_and_the_hosts_that_count_it(
    options: str, granted: dict[str, int], instances: list[str], hosts: str
) -> None:
    told = lists(placed(1, options, granted, NOW - 50))
    assert told == (instances, [f"h{number}" for number in hosts])
    assert lists(placed(1, options, granted, NOW - 50, "s")) == told


@pytest.mark.parametrize(
    ("first", "second", "hosts"),
    [(NOW - 50, NOW - 40, "3412"), (NOW - 40, NOW - 50, "3421"), (NOW - 50, NOW - 50, "3412"), (None, 1, "3412")],
)
def test_the_latest_start_counts_and_in_one_moment_the_job_of_lower_priority(
    first: float | None, second: float | None, hosts: str
) -> None:
    jobs = (
        placed(1, "-l lic=1", {A1: 1}, first),  # type: ignore[arg-type]
        placed(2, "-l lic=1", {A2: 1}, second),  # type: ignore[arg-type]
        placed(3, "-l lic=1", {A1: 1}, 0),
    )
    assert lists(*jobs[:2])[1] == [f"h{number}" for number in hosts]
    assert lists(*jobs)[1] == [f"h{number}" for number in hosts]


@pytest.mark.parametrize(
    ("changed", "instances", "hosts"),
    [
        ({A1: NOW - 51}, [A3, A4, A1, A2, B1, B2], "1342"),
        ({A1: NOW - 49}, [A3, A4, A2, A1, B1, B2], "1342"),
        # A change comes before all starts of its second.
        ({A1: NOW - 49.5}, [A3, A4, A1, A2, B1, B2], "1342"),
        ({"b.q": NOW}, [A1, A3, A4, A2, B1, B2], "1342"),
        ({"a.q": NOW}, [B1, B2, A1, A3, A4, A2], "1342"),
        ({"a.q": NOW, "b.q": NOW - 1}, [B1, B2, A1, A3, A4, A2], "1342"),
        ({"hosts/h1": NOW}, [A1, A3, A4, A2, B1, B2], "3421"),
        ({"hosts/h1": NOW - 60, "hosts/nowhere": NOW}, [A1, A3, A4, A2, B1, B2], "3412"),
    ],
)
def test_changes_move_queue_instances_cluster_queues_and_hosts(
    changed: dict[str, float], instances: list[str], hosts: str
) -> None:
    started = placed(1, "-l lic=1", {A2: 1}, NOW - 49.9)
    assert lists(started, changed=changed) == (instances, [f"h{number}" for number in hosts])


def test_what_was_granted_in_advance_in_the_second_of_a_start_came_before_it() -> None:
    held = [
        AdvanceReservation(number, "anna", NOW + 10, NOW + 100, granted, submitted=NOW - 50)
        for number, granted in ((2, {A3: 1}), (1, {A4: 1, A2: 1}))
    ]
    started = placed(1, "-l lic=1", {A1: 1}, NOW - 50)
    assert lists(started, reservations=tuple(held)) == ([A4, A2, A3, A1, B1, B2], ["h4", "h2", "h3", "h1"])


def test_an_instance_that_was_taken_out_comes_last_unless_it_is_known_when() -> None:
    orphan, later = placed(1, "", {"b.q@h3": 1}, NOW - 90), placed(2, "", {B1: 1}, NOW - 50)
    assert lists(orphan, later)[0] == [A1, A2, A3, A4, B2, B1, "b.q@h3"]
    assert lists(orphan, later, changed={"b.q@h3": NOW - 60})[0] == [A1, A2, A3, A4, B2, "b.q@h3", B1]


@pytest.mark.parametrize(
    ("submitted", "changed", "started", "comes_last"),
    [
        (NOW - 60, None, None, 2),
        (NOW - 40, None, None, 1),
        (NOW - 60, NOW - 40, None, 1),
        (NOW - 40, NOW - 60, None, 1),
        (NOW - 60, None, NOW - 40, 1),
        (NOW - 60, None, NOW - 55, 2),
        # Within a second changes come before starts.
        (NOW - 60, None, NOW - 50, 1),
        (NOW - 60, NOW - 50, NOW - 50, 1),
        (NOW - 60, NOW - 40, NOW - 55, 1),
        (NOW - 60, NOW - 50, None, 2),
    ],
)
def test_jobs_go_by_what_happened_to_them_last(
    submitted: int, changed: int | None, started: int | None, comes_last: int
) -> None:
    tasks = {} if started is None else {1: Task("r", {A1: 1}, started)}
    state = State(now=NOW, jobs=(job(1, submitted=submitted, changed=changed, tasks=tasks), job(2, submitted=NOW - 50)))
    session = session_of(ON)
    run_jobs = collect_run_jobs(session, session.compiled(state), state, NOW).jobs
    assert in_list_order(run_jobs, session.configured.policy)[-1].id == comes_last


@pytest.mark.parametrize(
    ("first", "second", "order"),
    [
        # Numbers of jobs tell nothing where nothing else does.
        ((NOW - 50, None), (NOW - 50, None), [1, 2]),
        ((NOW - 50, 0.2), (NOW - 50, 0.3), [2, 1]),
        ((NOW - 50, 0.3), (NOW - 50, 0.2), [1, 2]),
        ((NOW - 50, 0.2), (NOW - 51, 0.3), [2, 1]),
        ((NOW - 49.9, 0.3), (NOW - 49.8, 0.4), [1, 2]),
    ],
)
def test_starts_of_one_second_go_by_the_priorities_that_were_shown(
    first: tuple[float, float | None], second: tuple[float, float | None], order: list[int]
) -> None:
    jobs = [
        job(number, tasks={1: Task("r", {A1: 1}, started, tickets=None if prior is None else {"prior": prior})})
        for number, (started, prior) in enumerate((first, second), 1)
    ]
    state = State(now=NOW, jobs=tuple(jobs))
    session = session_of(ON)
    run_jobs = collect_run_jobs(session, session.compiled(state), state, NOW).jobs
    assert [run_job.id for run_job in in_list_order(run_jobs, session.configured.policy)] == order
