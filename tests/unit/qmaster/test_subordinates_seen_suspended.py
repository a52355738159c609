"""A queue instance that stands still when it is sent counts its suspensions from there, and a file says so."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from qmon_tui.checks.check_cluster import check
from qmon_tui.explain import Explainer
from qmon_tui.formats.folder_reader import read_texts
from qmon_tui.formats.layout import Layout
from qmon_tui.formats.state.state_writer import state_text
from qmon_tui.model.cluster import Cluster
from qmon_tui.model.kinds import Kind
from qmon_tui.model.state import State
from qmon_tui.qmaster.commands import InstanceCommand, JobCommand, Target, instances_named, modify, new_job, submit
from qmon_tui.qmaster.commands.qdel import delete
from qmon_tui.qmaster.commands.qmod_queues import change_instances
from qmon_tui.qmaster.scheduling import schedule, simulate
from qmon_tui.qmaster.transition import TaskEnded, after_event, after_run
from qmon_tui.workspace.rename_delete import renamed_in_state
from tests.edits import delete_jobs
from tests.unit.qmaster import small_clusters

CLUSTER = """\
hosts: {n1: {}}
queues:
  high.q: {hostlist: n1, seq_no: "1", slots: "4", load_thresholds: NONE, subordinate_list: low.q=1}
  low.q: {hostlist: n1, seq_no: "2", slots: "4", load_thresholds: NONE}
scheduler: {queue_sort_method: seqno}
"""
JOBS = """\
now: 2026-11-22T12:00:10+00:00
jobs:
- {id: 1, owner: anna, submitted: "+0", tasks: {1: {state: r, granted: {high.q@n1: 1}}}}
- {id: 2, owner: anna, submitted: "+0", tasks: {1: {state: S, granted: {low.q@n1: 1}}}}
"""
WAITING = """\
- {id: 3, owner: anna, submitted: "+1", qsub: "-q high.q sleep 9"}
- {id: 4, owner: anna, submitted: "+1", qsub: "-q low.q sleep 9"}
"""


def read(jobs: str) -> tuple[Cluster, State]:
    return small_clusters.read(CLUSTER, jobs)


def sent(cluster: Cluster, state: State, command: InstanceCommand) -> State:
    return small_clusters.with_queue(cluster, state, command, "low.q")


def with_waiting(cluster: Cluster, state: State) -> State:
    for queue in ("high.q", "low.q"):
        state = submit(cluster, state, new_job(state, "anna", f"-q {queue} sleep 9")).state
    return state


def started(cluster: Cluster, state: State) -> list[int]:
    return [job.id for job in schedule(cluster, state).jobs if job.tasks[0].state == "t"]


def test_a_subordinate_that_is_sent_while_it_stands_still_takes_jobs_in_a_run_that_suspends_it() -> None:
    cluster, state = read(JOBS)
    state = sent(cluster, sent(cluster, state, InstanceCommand.DISABLE), InstanceCommand.ENABLE)
    assert state.seen_suspended == {"low.q@n1"}
    state = with_waiting(cluster, delete(cluster, state, Target(1), force=True).state)
    assert started(cluster, state) == [3, 4]
    assert started(*read(state_text(state))) == [3, 4]
    explained = Explainer(simulate(cluster, state)).explanation(4)
    assert explained is not None
    assert "does not notice that it is suspended again" in explained.groups[0].message
    # What is sent while it runs counts from zero again.
    state = sent(cluster, sent(cluster, state, InstanceCommand.DISABLE), InstanceCommand.ENABLE)
    assert state.seen_suspended == frozenset()
    assert started(cluster, state) == [3]


def test_a_start_sends_it_as_it_stands_then() -> None:
    cluster, state = read(JOBS)
    state = sent(cluster, sent(cluster, state, InstanceCommand.DISABLE), InstanceCommand.ENABLE)
    state = delete(cluster, state, Target(1), force=True).state
    alone = submit(cluster, state, new_job(state, "anna", "-q low.q sleep 9")).state
    assert after_run(simulate(cluster, alone)).seen_suspended == frozenset()
    both = with_waiting(cluster, state)
    assert after_run(simulate(cluster, both)).seen_suspended == {"low.q@n1"}
    unseen = with_waiting(cluster, replace(state, seen_suspended=frozenset()))
    assert after_run(simulate(cluster, unseen)).seen_suspended == frozenset()


def test_a_job_that_ends_there_has_it_sent_and_one_that_ends_elsewhere_lets_it_go_on() -> None:
    cluster, state = read(JOBS)
    state = delete(cluster, state, Target(2), force=True).state
    assert state.seen_suspended == {"low.q@n1"}
    _, state = read(JOBS)
    state = delete(cluster, replace(state, queue_states={"low.q@n1": "S"}), Target(1), force=True).state
    assert (state.seen_suspended, state.queue_states) == (frozenset(), {})
    assert [job.tasks[1].state for job in state.jobs] == ["z", "r"]


def test_jobs_that_are_deleted_together_let_it_go_on_as_well() -> None:
    second = "- {id: 5, owner: anna, submitted: +0, tasks: {1: {state: r, granted: {high.q@n1: 1}}}}\n"
    cluster, state = read(JOBS + second)
    after = delete_jobs([Target(1)], force=True).command.apply(cluster, state).state
    assert [(job.id, job.tasks[1].state) for job in after.jobs] == [(1, "z"), (2, "S"), (5, "r")]
    after = delete_jobs([Target(1), Target(5)], force=True).command.apply(cluster, state).state
    assert [(job.id, job.tasks[1].state) for job in after.jobs] == [(1, "z"), (2, "r"), (5, "z")]


def test_it_follows_its_queue_and_what_does_not_exist_is_found() -> None:
    cluster, state = read(f"seen: {{low.q@n1: suspended}}\n{JOBS}")
    assert renamed_in_state(cluster, state, Kind.QUEUE, "low.q", "new.q").seen_suspended == {"new.q@n1"}
    stranger = replace(state, seen_suspended=frozenset({"low.q@n2"}))
    assert [finding.message for finding in check(cluster, stranger) if "seen" in finding.message] == [
        'seen is given for "low.q@n2", which is not a queue instance'
    ]


def test_anything_else_that_is_seen_is_an_error_with_its_place() -> None:
    contents = read_texts(Layout.YAML, "seen", {"jobs.yaml": "seen:\n  low.q@n1: running\n  low.q: suspended\n"})
    assert [(finding.line, finding.message) for finding in contents.findings] == [
        (2, '"running" is not how the scheduler can see a queue instance: write suspended, or leave it out'),
        (3, '"low.q" is not a queue instance, write all.q@sim1'),
    ]


def test_what_only_a_run_to_come_would_suspend_is_not_sent_as_standing_still() -> None:
    cluster, state = read(JOBS.replace("high.q@n1", "low.q@n1").replace("state: S", "state: r"))
    shown = {"low.q@n1": "S"}
    names = instances_named(cluster, "low.q")
    after = change_instances(cluster, state, InstanceCommand.DISABLE, names, shown_states=shown).state
    assert after.seen_suspended == frozenset()


@pytest.mark.parametrize(
    "leaves",
    [
        lambda cluster, state: after_event(cluster, state, TaskEnded(1), at=state.now),
        lambda cluster, state: delete(cluster, state, Target(1), force=True).state,
        lambda cluster, state: modify(cluster, state, JobCommand.FORCE_RESCHEDULE, Target(1)).state,
    ],
    ids=["ended", "deleted", "sent back"],
)
def test_what_a_job_suspended_where_it_stands_itself_goes_on_before_it_is_sent(
    leaves: Callable[[Cluster, State], State],
) -> None:
    """So low.q counts from zero in the next run, in which job 3 suspends it before job 4 can start."""
    granted = "{state: S, granted: {high.q@n1: 1, low.q@n1: 1}}"
    cluster, state = read(
        JOBS.partition("- {id: 1")[0] + f"- {{id: 1, owner: anna, submitted: +0, tasks: {{1: {granted}}}}}\n"
    )
    state = leaves(cluster, replace(state, queue_states={"low.q@n1": "S"}))
    assert (state.seen_suspended, state.queue_states) == (frozenset(), {})
    waiting = with_waiting(cluster, state)
    assert 4 not in started(cluster, delete(cluster, waiting, Target(1)).state)
