"""Runs in a row on one configuration: each comes out as if it were the only one."""

from qmon_tui.model.cluster import Cluster
from qmon_tui.model.jobs import Task
from qmon_tui.model.state import State
from qmon_tui.qmaster.run_jobs import collect_run_jobs
from qmon_tui.scheduler import SchedulerSession, SchedulingRun, session_of
from tests.unit.scheduler.building import NOW, cluster, host, job, queue, state

ON = cluster(host("h1"), queue("all.q", "h1", slots="2"))
GONE = Task("r", {"all.q@h2": 1}, NOW - 100)


def run_in(session: SchedulerSession, of: State, at: int = NOW) -> SchedulingRun:
    return session.run(of, collect_run_jobs(session, session.compiled(of), of, at).jobs, at)


def starts(run: SchedulingRun) -> list[int]:
    return [start.run_job.id for start in run.dispatch.starts]


def test_runs_in_a_row_do_not_depend_on_each_other() -> None:
    session = SchedulerSession(ON)
    full, empty = state([job(1), job(2), job(3)]), state([job(3)])
    assert [starts(run_in(session, of)) for of in (full, empty, full)] == [[1, 2], [3], [1, 2]]


def test_the_time_is_the_run_s() -> None:
    session, of = SchedulerSession(ON), state([job(1, "-a 203001010000")])
    assert starts(run_in(session, of)) == []
    assert starts(run_in(session, of, 2_000_000_000)) == [1]


def test_the_configuration_is_compiled_once() -> None:
    session = SchedulerSession(ON)
    assert session.compiled(state([job(1)])) is session.compiled(state([job(2)]))


def test_an_orphaned_instance_is_known_in_the_runs_that_need_it() -> None:
    on = ON.with_objects((host("h2"),))
    session = SchedulerSession(on)
    kept = state([job(1, tasks={1: GONE})])
    names = [sorted(session.compiled(of).orphans) for of in (state([job(1)]), kept, state([]), kept)]
    assert names == [[], ["all.q@h2"], [], ["all.q@h2"]]
    assert session.compiled(kept) is session.compiled(kept)


def test_a_host_list_that_begins_with_none_has_the_orphan_alone() -> None:
    """Whatever follows NONE in a list is not read (values.md#none)."""
    on = ON.with_objects((queue("all.q", "NONE h1"), host("h2")))
    session, of = SchedulerSession(on), state([job(1, tasks={1: GONE}), job(2)])
    assert [instance.name for instance in session.compiled(of).instances] == ["all.q@h2"]
    assert starts(run_in(session, of)) == []


def test_a_plain_session_remembers_nothing_and_decides_the_same() -> None:
    fast, plain = SchedulerSession(ON), SchedulerSession(ON, fast=False)
    of = state([job(1), job(2), job(3)])
    assert starts(run_in(fast, of)) == starts(run_in(plain, of))
    compiled = plain.compiled(of)
    assert plain.job_profiles(compiled) is not plain.job_profiles(compiled)
    assert fast.job_profiles(compiled) is fast.job_profiles(compiled)


def test_the_last_few_configurations_keep_their_sessions() -> None:
    first = session_of(ON)
    assert session_of(ON) is first
    for _ in range(4):
        session_of(Cluster().with_objects((host("h1"),)))
    assert session_of(ON) is not first
