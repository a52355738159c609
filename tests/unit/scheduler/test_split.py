"""Which tasks take part: holds, start times, dependencies, limits on tasks (dispatch.md#splitting-the-jobs)."""

from collections.abc import Mapping

import pytest

from qmon_tui.model.jobs import Job, Task
from qmon_tui.scheduler.jobs.split import TaskList, _first, is_enrolled, split_job, task_list_of
from tests.unit.scheduler.building import (
    NOW,
    cluster,
    configuration,
    job,
    places,
    queue,
    reasons,
    run,
    running,
    the_job,
)

MANY = queue("all.q", "h1", 50)
NOT_ALL = "not all array tasks may be started due to 'max_aj_instances'"


@pytest.mark.parametrize(
    ("state", "place"),
    [
        ("qw", TaskList.PENDING),
        ("hqw", TaskList.HOLD),
        ("Rq", TaskList.PENDING),
        ("hRwq", TaskList.HOLD),
        ("Eqw", TaskList.ERROR),
        ("Ehqw", TaskList.ERROR),
        ("t", TaskList.RUNNING),
        ("Rt", TaskList.RUNNING),
        ("r", TaskList.RUNNING),
        ("hr", TaskList.RUNNING),
        ("dr", TaskList.RUNNING),
        ("s", TaskList.SUSPENDED),
        ("S", TaskList.RUNNING),
        ("St", TaskList.RUNNING),
        ("T", TaskList.SUSPENDED),
        ("ds", TaskList.SUSPENDED),
        ("z", TaskList.FINISHED),
    ],
)
def test_places_of_states(state: str, place: TaskList) -> None:
    assert task_list_of(state) is place


@pytest.mark.parametrize(
    ("state", "enrolled"), [("qw", False), ("hqw", False), ("Rq", True), ("hRwq", True), ("Eqw", True), ("r", True)]
)
def test_only_tasks_with_a_history_are_enrolled(state: str, enrolled: bool) -> None:
    assert is_enrolled(Task(state)) is enrolled


def pending(array: Job, limit: int = 2000) -> list[int]:
    return list(split_job(array, False, frozenset(), NOW, limit).pending)


def test_tc_limits_running_tasks() -> None:
    busy = {1: Task("r", {"all.q@h1": 1}, 1), 2: Task("s", {"all.q@h1": 1}, 1), 3: Task("Eqw")}
    assert pending(job(1, "-t 1-9 -tc 5")) == [1, 2, 3, 4, 5]
    # Errors and suspended tasks count as well.
    assert pending(job(1, "-t 1-9 -tc 5", tasks=busy)) == [4, 5]
    assert pending(job(1, "-t 1-9 -tc 3", tasks=busy)) == []


@pytest.mark.parametrize(("tc", "limit", "expected"), [(0, 4, 4), (3, 4, 3), (5, 4, 4), (5, 0, 5), (0, 0, 0)])
def test_the_smaller_of_tc_and_max_aj_instances_counts(tc: int, limit: int, expected: int) -> None:
    assert len(pending(job(1, f"-t 1-9 -tc {tc}" if tc else "-t 1-9"), limit)) == expected


def test_zero_max_aj_instances_stops_even_plain_jobs() -> None:
    outcome = run(cluster(MANY, configuration(max_aj_instances=0)), job(1))
    assert places(outcome) == {}
    assert reasons(outcome, 1) == (NOT_ALL,)


# Section 2: limit 2 and ids 1-4,6-10: counting stops only inside the range in which the limit is reached.
def test_the_limit_forgets_the_ranges_that_follow() -> None:
    array = job(1, "-t 1-10 -tc 2", tasks={5: Task("hqw")})
    assert pending(array) == [1, 2, 6, 7, 8, 9, 10]


def test_the_limit_may_be_reached_with_the_last_of_a_range() -> None:
    assert pending(job(1, "-t 1-6 -tc 1", tasks={2: Task("hqw")})) == [1, 3, 4, 5, 6]
    assert pending(job(1, "-t 1-6 -tc 2", tasks={3: Task("hqw")})) == [1, 2, 4, 5, 6]


def test_the_limit_counts_steps_of_the_array_as_one_range() -> None:
    assert pending(job(1, "-t 1-10:3 -tc 2", tasks={1: Task("hqw")})) == [4, 7]


def test_held_tasks_of_an_array() -> None:
    array = job(1, "-t 1-4 -h", tasks={2: Task("qw")})
    outcome = run(cluster(MANY), array)
    assert [task.state for task in the_job(outcome, 1).tasks] == ["hqw", "t", "hqw", "hqw"]
    assert reasons(outcome, 1) == ("Job is in hold state",)


@pytest.mark.parametrize(
    ("options", "tasks", "text", "state"),
    [
        ("-h", {}, "Job is in hold state", "hqw"),
        ("-h o", {}, "Job is in hold state", "hqw"),
        ("-a 203001010000", {}, "execution time not reached", "qw"),
        ("", {1: Task("Eqw")}, "Job is in error state", "Eqw"),
        ("-hold_jid 1", {}, "job dropped because of job dependencies", "hqw"),
    ],
)
def test_what_is_said_of_jobs_that_take_no_part(options: str, tasks: Mapping[int, Task], text: str, state: str) -> None:
    outcome = run(cluster(MANY), running(1, "all.q@h1"), job(2, options, tasks=tasks))
    assert reasons(outcome, 2) == (text,)
    assert [task.state for task in the_job(outcome, 2).tasks] == [state]


def test_waiting_for_jobs_beats_waiting_for_time_unless_the_task_is_enrolled() -> None:
    first = running(1, "all.q@h1")
    options = "-hold_jid 1 -a 203001010000"
    outcome = run(cluster(MANY), first, job(2, options), job(3, options, tasks={1: Task("Rq")}))
    assert reasons(outcome, 2) == ("job dropped because of job dependencies",)
    assert reasons(outcome, 3) == ("execution time not reached",)


def waits(*jobs: Job) -> list[int]:
    outcome = run(cluster(MANY), *jobs)
    return [job_outcome.id for job_outcome in outcome.jobs if job_outcome.tasks and job_outcome.tasks[0].state == "hqw"]


def test_dependencies_by_number_and_by_name() -> None:
    one = running(1, "all.q@h1", "-N blast")
    others = [
        job(2, "-hold_jid 1", owner="bert"),
        job(3, "-hold_jid blast"),
        job(4, "-hold_jid blast", owner="bert"),
        job(5, "-hold_jid bl*|x"),
        job(6, "-hold_jid 99,nobody"),
        job(7, "-hold_jid 8"),
        job(8, "-hold_jid blast?"),
    ]
    assert waits(one, *others) == [2, 3, 5]


def test_finished_jobs_hold_nobody() -> None:
    done = job(1, tasks={1: Task("z")})
    half = job(2, "-t 1-2", tasks={1: Task("z")})
    assert waits(done, half, job(3, "-hold_jid 1"), job(4, "-hold_jid 2")) == [4]


def test_rejected_jobs_hold_nobody() -> None:
    assert waits(job(1, "-l nosuch=1"), job(2, "-hold_jid 1")) == []


# -hold_jid_ad: each task waits for the tasks that cover its numbers.
@pytest.mark.parametrize(
    ("first", "second", "finished", "held"),
    [
        ("1-4", "1-4", {1, 3}, [2, 4]),
        ("1-4", "1-4:2", {1, 2, 3}, [3]),
        ("1-4:2", "1-4", {1}, [3, 4]),
        ("1-6", "1-6:3", {4, 5, 6}, [1]),
    ],
)
def test_array_dependencies(first: str, second: str, finished: set[int], held: list[int]) -> None:
    before = job(1, f"-t {first} -h", tasks={number: Task("z") for number in finished})
    outcome = run(cluster(MANY), before, job(2, f"-t {second} -hold_jid_ad 1"))
    assert [task.task for task in the_job(outcome, 2).tasks if task.state == "hqw"] == held


@pytest.mark.parametrize(
    ("numbers", "count", "step", "first"),
    [
        ((1, 2, 3), 3, 1, (1, 2, 3)),
        ((1, 2, 3), 4, 1, (1, 2, 3)),
        ((1, 2, 3), 0, 1, ()),
        ((1, 2, 3), 2, 1, (1, 2)),
        # Counting stops only inside a range of consecutive numbers.
        ((1, 2, 3, 5, 6), 2, 1, (1, 2, 5, 6)),
        ((1, 2, 4, 5), 2, 1, (1, 2, 4, 5)),
        ((1, 4, 5, 6), 2, 1, (1, 4)),
        ((1, 3, 5, 7), 2, 2, (1, 3)),
        ((1, 3, 5, 9), 2, 2, (1, 3, 9)),
        ((1, 2, 3), 1, 2, (1, 2, 3)),
    ],
)
def test_the_first_tasks_that_a_limit_allows(
    numbers: tuple[int, ...], count: int, step: int, first: tuple[int, ...]
) -> None:
    assert _first(numbers, count, step) == first


@pytest.mark.parametrize(
    ("states", "noticed", "running", "suspended"),
    [
        ({1: "r"}, (), (1,), ()),
        ({1: "r"}, (1,), (), (1,)),
        ({1: "s"}, (), (), (1,)),
        ({1: "r", 2: "r"}, (2,), (1,), (2,)),
        ({1: "r", 2: "s"}, (1,), (), (1, 2)),
    ],
)
def test_what_is_known_to_stand_still_does_not_run(
    states: dict[int, str], noticed: tuple[int, ...], running: tuple[int, ...], suspended: tuple[int, ...]
) -> None:
    tasks = {number: Task(text, {"all.q@h1": 1}, NOW - 9) for number, text in states.items()}
    for options in ("", "-t 1-3"):
        if options or len(tasks) == 1:
            split = split_job(job(1, options, tasks=tasks), False, frozenset(), NOW, 0, frozenset(noticed))
            assert (split.running, split.suspended) == (running, suspended)
