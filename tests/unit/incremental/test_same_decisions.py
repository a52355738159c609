"""Which edits of hosts and queues leave the decisions of a finished run as they are: each bound of what is asked."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from qmon_tui.incremental.reused_run import reused_run
from qmon_tui.incremental.same_decisions import _amounts_wanted, decides_the_same, free_slots_with, other_totals
from qmon_tui.model import AdvanceReservation, Cluster, ConfigObject, Job, Kind, config_object
from qmon_tui.qmaster.scheduling import schedule, simulate
from qmon_tui.scheduler import SchedulerSession
from tests.unit.scheduler.building import (
    NOW,
    attribute,
    cluster,
    environment,
    host,
    job,
    project,
    queue,
    running,
    scheduler,
    state,
    userset,
)

ON = cluster(
    attribute("memory mem INT <= YES YES 0"), attribute("due due INT <= YES YES 2"),
    attribute("real real DOUBLE <= YES YES 0"), attribute("period period TIME <= YES YES 0"),
    attribute("once once INT <= YES JOB 0"), attribute("fixed fixed INT <= YES NO 0"),
    environment("mpi", slots=3), environment("smp", "$pe_slots", slots=2), project("p"), userset("u", "anna"),
    host("h1", "memory=9"), host("h2"), queue("a.q", "h1", 9, pe_list="mpi smp"), queue("b.q", "h2"),
)  # fmt: skip


def mem(total: object, name: str = "memory") -> ConfigObject:
    return host("h1", f"{name}={total}")


def a(slots: int | str = 9, hostlist: str = "h1", **fields: str) -> ConfigObject:
    return queue("a.q", hostlist, slots, **{"pe_list": "mpi smp", **fields})


def b(slots: int = 1, **fields: str) -> ConfigObject:
    return queue("b.q", "h2", slots, **fields)


def quota(limit: str) -> ConfigObject:
    return config_object(Kind.QUOTA, "few", {"name": "few", "enabled": "TRUE", "limit": limit})


def answer(before: Cluster, after: Cluster, jobs: Sequence[Job], **more: object) -> bool | None:
    """None where more than totals is another; where the run stands it is held against the plain one."""
    of = state(jobs, **more)
    run, compiled = simulate(before, of), SchedulerSession(after).compiled(of)
    others = other_totals(run, compiled)
    if others is None:
        return None
    stands = decides_the_same(run, others)
    reused = reused_run(run, compiled, others)
    assert (reused is not None) is stands
    if reused is not None:
        plain = simulate(after, of, fast=False)
        assert reused.free_slots == plain.free_slots
        levels, plain_levels = (
            [resources.global_level, *resources.hosts, *resources.queues]
            for resources in (reused.resources, plain.resources)
        )
        assert [(dict(level.configured), dict(level.used)) for level in levels] == [
            (dict(level.configured), dict(level.used)) for level in plain_levels
        ]
        assert [(start.run_job.id, start.task, start.grants) for start in reused.dispatch.starts] == [
            (start.run_job.id, start.task, start.grants) for start in plain.dispatch.starts
        ]
    return stands


WAITS = "-l fixed=1"
"""Nothing has that: such a job never starts."""


@pytest.mark.parametrize(
    ("before", "after", "options", "stands"),
    [
        (mem(6), mem(9), ["-l mem=5"], False),
        (mem(11), mem(99), ["-l mem=5"], True),
        (mem(99), mem(11), ["-l mem=5"], True),
        (mem(10), mem(99), ["-l mem=5"], False),
        (mem(99), mem(10), ["-l mem=5"], False),
        (mem(6), mem(9), [f"{WAITS},mem=5"], True),
        (mem(5), mem(9), [f"{WAITS},mem=5"], False),
        (mem(9), mem(5), [f"{WAITS},mem=5"], False),
        (mem(9), mem(6), [f"{WAITS},mem=5", f"{WAITS},mem=2"], True),
        (mem(9), mem(6), [f"{WAITS},mem=2", f"{WAITS},mem=6"], False),
        (mem(1), mem(2), [""], True),
        (mem(0), mem(2), [""], False),
        (mem(3, "due"), mem(9, "due"), [WAITS], True),
        (mem(2, "due"), mem(9, "due"), [WAITS], False),
        (mem(2, "due"), mem(9, "due"), [f"{WAITS},due=1"], True),
        (mem(1.5, "real"), mem(9, "real"), [f"{WAITS},real=1"], True),
        (mem(100, "period"), mem(900, "period"), [f"{WAITS},period=1"], False),
        (mem(100, "once"), mem(900, "once"), [f"{WAITS},once=1"], True),
        (mem(100, "fixed"), mem(900, "fixed"), [""], False),
        # The environment has three slots, and so many are asked for at most.
        (mem(7), mem(9), [f"{WAITS},mem=2 -pe mpi 1-9"], True),
        (mem(6), mem(9), [f"{WAITS},mem=2 -pe mpi 1-9"], False),
        (mem(5), mem(9), [f"{WAITS},mem=2 -pe mpi 1-2"], True),
        (mem(4), mem(9), [f"{WAITS},mem=2 -pe mpi 1-2"], False),
        (mem(5), mem(9), [f"{WAITS},mem=2 -pe mpi 1,3"], False),
        (mem(7), mem(9), [f"{WAITS},mem=2 -pe mpi 3,1"], True),
        (mem(6), mem(9), [f"{WAITS},mem=2 -pe mpi 3,1"], False),
        (mem(1), mem(9), [f"{WAITS} -pe mpi 3"], True),
        # As often as a total is divided by what a slot asks for, it is a number of slots.
        (mem(9), mem(2**31 - 2), [f"{WAITS},mem=1 -pe mpi 2"], True),
        (mem(9), mem(2**31 - 1), [f"{WAITS},mem=1 -pe mpi 2"], False),
        (mem(2**31 - 1), mem(9), [f"{WAITS},mem=1 -pe mpi 2"], False),
        (mem(9), mem(2**32 - 3), [f"{WAITS},mem=2 -pe mpi 2", f"{WAITS},mem=3 -pe mpi 2"], True),
        (mem(9), mem(2**32 - 2), [f"{WAITS},mem=3 -pe mpi 2", f"{WAITS},mem=2 -pe mpi 2"], False),
        (mem(9), mem(2**31 - 1), [f"{WAITS},mem=1"], True),
        (mem(9), mem("INFINITY"), [f"{WAITS},mem=1 -pe mpi 2"], True),
        (mem("INFINITY"), mem(9), [f"{WAITS},mem=1 -pe mpi 2"], True),
    ],
)  # fmt: skip
def test_there_has_to_be_more_than_anybody_asks_for(
    before: ConfigObject, after: ConfigObject, options: Sequence[str], stands: bool
) -> None:
    jobs = [job(number, line) for number, line in enumerate(options, 1)]
    assert answer(ON.with_objects([before]), ON.with_objects([after]), jobs) is stands


@pytest.mark.parametrize(
    ("slots", "then", "used", "options", "stands"),
    [
        (1, 2, 2, "", True),
        (2, 1, 2, "", True),
        (1, 3, 2, "", False),
        (3, 1, 2, "", False),
        (3, 4, 2, f"{WAITS}", False),
        (4, 5, 2, f"{WAITS}", True),
        (5, 4, 2, f"{WAITS}", True),
        # Tickets are worked out for one task more than there are free slots.
        (4, 5, 2, f"{WAITS} -t 1-12", True),
        (4, 5, 2, f"{WAITS} -t 1-13", False),
        (5, 4, 2, f"{WAITS} -t 1-12", True),
        (5, 4, 2, f"{WAITS} -t 1-13", False),
    ],
)
def test_other_slots_of_a_queue_instance(slots: int, then: int, used: int, options: str, stands: bool) -> None:
    jobs = [running(90, "b.q@h2", slots=used), job(1, options)]
    assert answer(ON.with_objects([b(slots)]), ON.with_objects([b(then)]), jobs) is stands


def test_a_queue_instance_that_takes_no_jobs_has_no_free_slots_either_way() -> None:
    jobs = [job(1, f"{WAITS} -t 1-40")]
    letters = {"b.q@h2": "d"}
    before, after = ON.with_objects([b(2)]), ON.with_objects([b(5)])
    assert answer(before, after, jobs, queue_states=letters) is True
    assert answer(before, after, jobs) is False
    of = state(jobs)
    run = simulate(before, of)
    others = other_totals(run, SchedulerSession(after).compiled(of))
    assert others is not None
    assert (run.free_slots, free_slots_with(run, others)) == (11, 14)


def test_one_that_the_run_itself_has_filled_was_not_full_before() -> None:
    jobs = [job(1, "-q b.q"), job(2, "-q b.q")]
    assert answer(ON.with_objects([b(2)]), ON.with_objects([b(1)]), jobs) is False


@pytest.mark.parametrize(
    ("other", "stands"),
    [
        ([], True),
        ([a(load_thresholds="memory=1")], False),
        ([a(load_thresholds="mem=1")], False),
        ([a(load_thresholds="real=1")], True),
        ([a(suspend_thresholds="mem=1")], False),
        ([b(load_thresholds="mem=1")], True),
        ([queue("c.q", "h1", load_thresholds="mem=1")], False),
        ([queue("c.q", "h2", load_thresholds="mem=1")], True),
        ([scheduler(load_formula="memory")], False),
        ([scheduler(load_formula="real")], True),
    ],
)
def test_nobody_may_read_how_much_there_is(other: Sequence[ConfigObject], stands: bool) -> None:
    on = ON.with_objects(other)
    assert answer(on.with_objects([mem(5)]), on.with_objects([mem(9)]), [job(1, WAITS)]) is stands


@pytest.mark.parametrize(
    ("where", "thresholds", "stands"), [("h1", "", False), ("global", "mem=1", False), ("global", "real=1", True)]
)
def test_what_is_reported_is_not_what_is_configured(where: str, thresholds: str, stands: bool) -> None:
    """The total of the global host is read by the queue instances of all hosts."""
    on = ON.with_objects([b(load_thresholds=thresholds or "NONE")])
    before, after = (on.with_objects([host(where, f"memory={total}")]) for total in (5, 9))
    loads = {} if thresholds else {"h1": {"memory": "7"}}
    assert answer(before, after, [job(1, WAITS)], loads=loads) is stands


def test_what_the_global_host_reports_is_for_all() -> None:
    before, after = ON.with_objects([mem(5)]), ON.with_objects([mem(9)])
    assert answer(before, after, [job(1, WAITS)], loads={"global": {"memory": "7"}}) is False
    assert answer(before, after, [job(1, WAITS)], loads={"h2": {"memory": "7"}}) is True


def test_slots_that_a_threshold_reads_tell_of_a_full_queue_instance_too() -> None:
    jobs = [running(90, "b.q@h2", slots=2), job(1)]
    fields = {"load_thresholds": "slots=1"}
    assert answer(ON.with_objects([b(1, **fields)]), ON.with_objects([b(2, **fields)]), jobs) is False


@pytest.mark.parametrize(
    ("other", "options", "stands"),
    [
        (b(), "", True),
        (b(), "-w w", False),
        (a(subordinate_list="b.q=1"), "", False),
        (scheduler(max_reservation=1), "", False),
        (scheduler(params="JC_FILTER=true"), "", False),
        (quota("limit hosts {*} to memory=9"), "", True),
        (quota("limit hosts {*} to memory=$num_proc*9"), "", False),
    ],
)
def test_nothing_else_may_look_at_totals(other: ConfigObject, options: str, stands: bool) -> None:
    on = ON.with_objects([other])
    jobs = [job(1, f"{WAITS} {options}")]
    assert answer(on.with_objects([mem(5)]), on.with_objects([mem(9)]), jobs) is stands


def test_what_is_reserved_or_left_over_looks_at_totals() -> None:
    before, after = ON.with_objects([mem(5)]), ON.with_objects([mem(9)])
    granted = AdvanceReservation(1, "anna", NOW + 10, NOW + 100, {"b.q@h2": 1}, submitted=NOW - 50)
    assert answer(before, after, [job(1, WAITS)], reservations=(granted,)) is False
    left_over = host("h3")
    before, after = (on.with_objects([left_over]) for on in (before, after))
    assert answer(before, after, [job(1, WAITS)]) is True
    assert answer(before, after, [running(90, "a.q@h3"), job(1, WAITS)]) is False


@pytest.mark.parametrize(
    ("before", "after", "stands"),
    [
        ([], [a(prolog="/x")], True),
        ([], [mem(8)], True),
        ([], [host("h1", "memory=9,real=1")], None),
        ([host("h1", "memory=9,real=9")], [host("h1", "real=9,memory=9")], None),
        ([], [host("h1", "memory=9", load_scaling="np_load_avg=2")], None),
        ([], [host("h1", "memory=8", load_scaling="np_load_avg=2")], None),
        ([], [host("h1", "memory=8", user_lists="u")], None),
        ([], [host("h3")], None),
        ([], [a(hostlist="h1 h2")], None),
        ([], [a(hostlist="h2")], None),
        ([], [a(seq_no="3")], None),
        ([], [a(10)], True),
        ([], [a(10, seq_no="3")], None),
        ([], [a(10, complex_values="real=1")], None),
        ([a(complex_values="real=2")], [a(complex_values="real=1")], None),
        ([], [a(10), b(2, seq_no="3")], None),
    ],
)  # fmt: skip
def test_all_but_totals_has_to_be_the_same(
    before: Sequence[ConfigObject], after: Sequence[ConfigObject], stands: bool | None
) -> None:
    assert answer(ON.with_objects(before), ON.with_objects([*before, *after]), [job(1, WAITS)]) is stands


def test_each_of_several_edits_counts() -> None:
    before = ON.with_objects([host("h2", "memory=9")])
    assert answer(before, ON.with_objects([host("h2", "memory=1")]), [job(1, "-l mem=5")]) is False
    like_before = host("h1", "memory=9", report_variables="cpu")
    assert answer(before, ON.with_objects([like_before, host("h2", "memory=1")]), [job(1, "-l mem=5")]) is False
    full = [running(90, "a.q@h1", slots=2), job(1, WAITS)]
    after = ON.with_objects([a(2), b(2)])
    assert answer(ON.with_objects([a(1)]), after, full) is False
    assert answer(ON.with_objects([a(1), b(2)]), after, full) is True


@pytest.mark.parametrize(
    ("changes", "most"),
    [
        ({}, 2),
        ({"amounts": {}}, 7),
        ({"amounts": {"memory": 0.0}}, 0),
        ({"amounts": {"memory": -1.0}}, None),
        ({"amounts": {"memory": float("nan")}}, None),
        ({"soft": "memory"}, None),
        ({"soft": "real"}, 2),
    ],
)
def test_amounts_that_a_later_complex_list_would_refuse(changes: dict[str, object], most: float | None) -> None:
    """Of what jobs asked for while the configuration was another one."""
    run = simulate(ON, state([job(1, "-l mem=2,fixed=1")]))
    demand = run.jobs[0].demand
    if "soft" in changes:
        attribute = run.compiled.attributes.by_name[str(changes["soft"])]
        changes = {"soft": (replace(demand.hard[0], attribute=attribute),)}
    run.jobs[0].demand = replace(demand, **changes)  # type: ignore[arg-type]
    wanted = _amounts_wanted(run, "memory", 7)
    assert (wanted and wanted.most) == most


def test_without_environments_no_parallel_task_asks_for_anything() -> None:
    run = simulate(ON, state([job(1, "-pe mpi 2 -l mem=2,fixed=1")]))
    run.compiled = replace(run.compiled, environments={})
    wanted = _amounts_wanted(run, "memory", 0)
    assert wanted is not None
    assert wanted.most == 0


def test_what_the_scheduler_does_not_read_leaves_no_totals() -> None:
    of = state([job(1, WAITS)])
    assert other_totals(simulate(ON, of), SchedulerSession(ON.with_objects([a(prolog="/x")])).compiled(of)) == []


def test_who_waits_for_slots_starts_where_there_are_more() -> None:
    """A table of answers alone would be kept by a run that never stands."""
    jobs = [running(90, "b.q@h2"), job(1, "-q b.q")]
    edited = ON.with_objects([b(2)])
    assert answer(ON, edited, jobs) is False
    assert schedule(edited, state(jobs)).jobs != schedule(ON, state(jobs)).jobs
