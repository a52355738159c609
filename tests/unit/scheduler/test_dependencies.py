"""For which jobs a job waits, and what qsub and qalter say of them (lifecycle.md#dependencies)."""

from collections.abc import Mapping

import pytest

from qmon_tui.model import Job, State, Task
from qmon_tui.qmaster import without_absent_predecessors
from qmon_tui.qmaster.commands import alter
from qmon_tui.scheduler.jobs.dependencies import Dependencies
from tests.unit.scheduler.building import NOW, cluster, job, queue

JOBS = (
    job(1, "-N first"),
    job(2, "-N second", owner="bob"),
    job(3, "-N other"),
    job(5, "-N asking"),
    job(7, "-N first"),
    job(8, "-N fifth"),
)
ASKING = JOBS[3]


def dependencies(*jobs: Job) -> Dependencies:
    known = Dependencies()
    for one in jobs or JOBS:
        known.add(one)
    return known


@pytest.mark.parametrize(
    ("named", "settled"),
    [
        (("1", "2", "5", "4"), ("1", "2", "5", "4")),  # gone or itself: such a job cannot come any more
        (("6", "7", "9", "8x", "9x", "7x"), ("7", "8x", "7x")),
        (("other", "second", "nobody"), ("other", "second", "nobody")),
        (("first",), ("1", "7")),
        (("fi*",), ("1", "7", "8")),
        (("o*", "3"), ("o*", "3")),
        (("fifth",), ("8",)),
        (("asking",), ("asking",)),
    ],
)
def test_what_is_named_means_the_same_later(named: tuple[str, ...], settled: tuple[str, ...]) -> None:
    assert tuple(dependencies().settled(ASKING, named)) == settled


@pytest.mark.parametrize(
    ("named", "numbers"),
    [
        (("1", "2", "5", "7", "9"), [1, 2]),
        (("first", "second"), [1]),
        (("*", "3"), [1, 3, 3]),
        (("[fo]*",), [1, 3]),
        (("asking",), []),
        (("0", "3x", "4x"), [3]),
    ],
)
def test_predecessors_came_before(named: tuple[str, ...], numbers: list[int]) -> None:
    known = dependencies()
    for _ in range(2):
        assert [other.id for other in known.predecessors(ASKING, named)] == numbers


def test_a_number_that_came_later_counts_once_the_job_was_changed() -> None:
    later = (job(7, submitted=NOW + 10), job(8, submitted=NOW + 20))
    asking = job(5, "-hold_jid 7,8", changed=NOW + 10)
    known = dependencies(asking, *later)
    assert [other.id for other in known.predecessors(asking, ("7", "8"))] == [7]
    assert known.names(asking, later[0])
    assert not known.names(asking, later[1])


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ("-hold_jid 1,3", 0),
        ("-hold_jid 5", 1),
        ("-hold_jid 5.1", 2),
        ("-hold_jid_ad 1", 2),  # no array itself, and job 1 is none
        ("-t 1-4 -hold_jid_ad 1", 1),
        ("-t 1-4 -hold_jid_ad 4", 0),
        ("-t 1-4:2 -hold_jid_ad 4", 0),
        ("-t 1-5 -hold_jid_ad 4", 1),
        ("-t 2-4 -hold_jid_ad 4", 1),
    ],
)
def test_objections(options: str, said: int) -> None:
    asking = job(5, options)
    assert len(list(dependencies(*JOBS[:3], job(4, "-t 1-4"), asking).objections(asking))) == said


def test_a_circle_is_told_with_the_job_that_closes_it() -> None:
    jobs = (job(1, "-hold_jid 3", changed=NOW), job(2, "-hold_jid 1"), job(3, "-hold_jid 2"))
    assert "3" in (dependencies(*jobs).cycle(jobs[2]) or "")
    straight = (job(1), job(2, "-hold_jid 1"), job(3, "-hold_jid 1,2"), job(4, "-hold_jid 2,3"))
    assert dependencies(*straight).cycle(straight[3]) is None


def test_a_circle_of_others_is_theirs() -> None:
    jobs = (job(1, "-hold_jid 2", changed=NOW), job(2, "-hold_jid 1"), job(3, "-hold_jid 2"))
    known = dependencies(*jobs)
    assert known.cycle(jobs[2]) is None
    assert known.cycle(jobs[1]) is not None


def ended(*numbers: int) -> Mapping[int, Task]:
    return {number: Task("x") for number in numbers}


def test_a_job_waits_for_tasks_that_have_not_ended() -> None:
    asking = job(5, "-hold_jid 1")
    waits = [
        dependencies(job(1, "-t 1-3", tasks=tasks), asking).waits(asking)
        for tasks in ({}, ended(1, 2), {**ended(1, 2), 3: Task("r", {"a.q@h": 1})}, ended(1, 2, 3))
    ]
    assert waits == [True, True, True, False]


@pytest.mark.parametrize(
    ("before", "asks", "done", "held"),
    [
        ("1-4", "1-4", (1, 3), {2, 4}),
        ("1-6:2", "1-6", (1, 5), {3, 4}),
        ("1-6", "1-6:2", (1, 2, 3), {3, 5}),
        ("1-6:3", "1-6:2", (1,), {3, 5}),
        ("1-4", "1-4", (1, 2, 3, 4), set()),
        ("1-4", "1-4", (), {1, 2, 3, 4}),
    ],
)
def test_a_task_waits_for_those_that_cover_its_numbers(
    before: str, asks: str, done: tuple[int, ...], held: set[int]
) -> None:
    asking = job(5, f"-t {asks} -hold_jid_ad 1")
    assert dependencies(job(1, f"-t {before}", tasks=ended(*done)), asking).held_tasks(asking) == held


@pytest.mark.parametrize(
    ("options", "named"),
    [("-N new", [("1",), (), ("1",), ("pre*",)]), ("-p -5", [("pre*",), ("none*",), ("1",), ("pre*",)])],
)
def test_who_waits_for_a_job_by_a_pattern_has_its_number_once_it_is_renamed(
    options: str, named: list[tuple[str, ...]]
) -> None:
    waiting = (job(2, "-hold_jid pre*"), job(3, "-hold_jid none*"), job(4, "-hold_jid 1"))
    jobs = (job(1, "-N prepare"), *waiting, job(5, "-hold_jid pre*", "bob"))
    after = alter(cluster(queue("all.q", "h1")), State(now=NOW, jobs=jobs), 1, options).state
    assert [one.request.hold_jid for one in sorted(after.jobs, key=lambda one: one.id) if one.id != 1] == named


def test_a_job_of_a_workload_waits_for_nobody_who_comes_later_whatever_the_numbers() -> None:
    others = State(NOW, (job(1, "-N first"), job(7, "-N last")))
    asking = job(5, "-hold_jid 1,4,7,8,first -pe mpi 2")
    settled = without_absent_predecessors(others, asking)
    assert settled.request.hold_jid == ("1", "7", "first")
    assert settled.qsub == "-pe mpi 2 -hold_jid 1,7,first sleep 60"
    assert settled.request.pe == asking.request.pe
    assert without_absent_predecessors(others, job(5, "-hold_jid 4,8")).request.hold_jid == ()
    plain = job(6)
    assert without_absent_predecessors(others, plain) is plain
