"""What stands still when it is sent counts as suspended until it is sent again, and a file says so."""

from qmon_tui.formats.folder_reader import read_texts
from qmon_tui.formats.layout import Layout
from qmon_tui.formats.state.state_writer import state_text
from qmon_tui.model.cluster import Cluster
from qmon_tui.model.state import State
from qmon_tui.qmaster.commands import InstanceCommand, JobCommand, Target, alter, modify
from qmon_tui.qmaster.commands.holds import hold
from qmon_tui.qmaster.scheduling import schedule
from tests.unit.qmaster import small_clusters

CLUSTER = """\
hosts: {n1: {}}
queues: {a.q: {hostlist: n1, slots: "3", load_thresholds: NONE}}
users: {anna: {fshare: "100"}, bela: {fshare: "100"}}
scheduler: {weight_tickets_functional: "1000", weight_waiting_time: "0"}
"""
JOBS = """\
now: 2026-11-22T12:00:10+00:00
jobs:
- {id: 1, owner: anna, submitted: "+0", tasks: {1: {state: r, granted: {a.q@n1: 1}}}}
- {id: 2, owner: bela, submitted: "+0", tasks: {1: {state: r, granted: {a.q@n1: 1}}}}
"""


def read(jobs: str) -> tuple[Cluster, State]:
    return small_clusters.read(CLUSTER, jobs)


def with_queue(cluster: Cluster, state: State, command: InstanceCommand) -> State:
    return small_clusters.with_queue(cluster, state, command, "a.q")


def seen(state: State) -> list[int]:
    return [job.id for job in state.jobs if job.tasks[1].seen_suspended]


def functional(cluster: Cluster, state: State) -> list[float]:
    """What qstat shows of both jobs as functional tickets."""
    return [job.ftckt for job in sorted(schedule(cluster, state).jobs)]


def test_what_is_altered_while_it_stands_still_is_taken_for_suspended_until_it_is_altered_again() -> None:
    cluster, state = read(JOBS)
    state = with_queue(cluster, state, InstanceCommand.SUSPEND)
    assert seen(state) == []
    state = alter(cluster, state, 1, "-l h_rt=600").state
    state = with_queue(cluster, state, InstanceCommand.UNSUSPEND)
    assert seen(state) == [1]
    # The other one is the only task that counts as running, and gets all tickets.
    assert functional(cluster, state) == [0.0, 1000.0]
    assert functional(*read(state_text(state))) == [0.0, 1000.0]
    state = alter(cluster, state, 1, "-l h_rt=700").state
    assert seen(state) == []
    assert functional(cluster, state) == [500.0, 500.0]


def test_holds_and_orders_for_the_job_itself_are_sent_as_well() -> None:
    cluster, state = read(JOBS)
    state = with_queue(cluster, state, InstanceCommand.SUSPEND)
    state = hold(cluster, state, Target(1)).state
    state = modify(cluster, state, JobCommand.SUSPEND, Target(2)).state
    state = modify(cluster, state, JobCommand.UNSUSPEND, Target(2)).state
    assert seen(state) == [1, 2]
    state = with_queue(cluster, state, InstanceCommand.UNSUSPEND)
    state = modify(cluster, state, JobCommand.SUSPEND, Target(2)).state
    assert seen(state) == [1]


def test_anything_else_that_is_seen_is_an_error_with_its_place() -> None:
    jobs = JOBS.replace("granted: {a.q@n1: 1}", "granted: {a.q@n1: 1}, seen: running", 1)
    contents = read_texts(Layout.YAML, "seen", {"jobs.yaml": jobs})
    assert [(finding.line, finding.message) for finding in contents.findings] == [
        (3, '"running" is not how the scheduler can see a task: write suspended, or leave it out')
    ]
