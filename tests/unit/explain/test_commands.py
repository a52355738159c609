"""The commands that ways out name: they do what is said, and the scheduler is sent what they send."""

from collections.abc import Iterator

import pytest

from qmon_tui.explain import Change
from qmon_tui.explain.edits import EditedCluster, instance_state, job_request, without_jobs
from qmon_tui.explain.explainer import explain
from qmon_tui.model.cluster import Cluster
from qmon_tui.model.jobs import AdvanceReservation, Job, Task
from qmon_tui.model.state import State
from qmon_tui.qmaster.scheduling import simulate
from qmon_tui.report import all_changes
from qmon_tui.report.reason_text import commands_of
from qmon_tui.workspace import edit_of_change
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
    state,
)

ONE = cluster(queue("all.q", "h1", 2))
LICENCE = "lic lic INT <= YES YES 0"


def offered(on: Cluster, before: State, number: int) -> list[Change]:
    """The first way out, with all that belongs to it."""
    return list(all_changes(explain(on, before, number).changes[0]))


def starts(on: Cluster, after: State) -> Iterator[int]:
    return (order.run_job.id for order in simulate(on, after).dispatch.starts)


def carried_out(on: Cluster, before: State, changes: list[Change]) -> State:
    """The state after our own commands."""
    for change in changes:
        order = edit_of_change(on, change)
        assert order is not None, change
        before = order.command.apply(on, before).state
    return before


@pytest.mark.parametrize(
    ("waiting", "command"),
    [
        (job(1, "-h"), "qalter -h U 1"),
        (job(1, "-h uo"), "qalter -h UO 1"),
        (job(1, tasks={1: Task("hqw", hold="os")}), "qrls -h os 1"),
        (job(1, "-t 1-2", tasks={1: Task("hqw", hold="u"), 2: Task("hqw", hold="u")}), "qrls -h u 1.1"),
        (job(1, tasks={1: Task("hqw")}), "qrls -h uos 1"),
        (job(1, "-a 203001010000"), "qalter -a 197001111346.40 1"),
    ],
)
def test_what_keeps_a_task_from_taking_part_is_ended_by_a_command(waiting: Job, command: str) -> None:
    before = State(now=NOW, jobs=(waiting,))
    changes = offered(ONE, before, 1)
    assert [change.command for change in changes] == [command]
    assert 1 in starts(ONE, carried_out(ONE, before, changes))


def test_a_task_that_was_held_still_has_to_be_cleaned_up_after() -> None:
    """Releasing it changes nothing else of it."""
    before = State(now=NOW, jobs=(job(1, tasks={1: Task("hRq", hold="u", unclean=("h1",))}),))
    changes = offered(ONE, before, 1)
    assert [change.description for change in changes] == [
        "release the hold of job 1",
        "wait until earlier runs of job 1 are cleaned up on h1",
    ]
    assert 1 in starts(ONE, carried_out(ONE, before, changes))


def test_each_state_of_a_queue_instance_has_a_command_of_its_own() -> None:
    before = state([job(1)], queue_states={"all.q@h1": "dsE"})
    changes = offered(ONE, before, 1)
    assert [change.command for change in changes] == ["qmod -e all.q@h1", "qmod -cq all.q@h1", "qmod -usq all.q@h1"]
    assert 1 in starts(ONE, carried_out(ONE, before, changes))


def test_another_environment_is_asked_for_with_the_same_slots() -> None:
    on = cluster(queue("all.q", "h1", 4, pe_list="smp"), environment("smp"), environment("mpi"))
    before = State(now=NOW, jobs=(job(1, "-pe mpi 2-3"),))
    commands = [change.command for change in explain(on, before, 1).changes]
    assert "qalter -pe smp 2-3 1" in commands


def moments(of: State) -> object:
    """When everything was sent to the scheduler last; what has ended is only there to be booked."""
    left = [one for one in of.jobs if not one.tasks or any(task.state != "z" for task in one.tasks.values())]
    return [(one.id, one.changed, one.category_ar) for one in left], dict(of.changed)


def test_what_is_tried_sends_what_our_commands_send() -> None:
    """It decides between equals who comes first."""
    jobs = (running(1, "all.q@h1"), job(2, "-hold_jid 1"), job(3))
    before = State(now=NOW, jobs=jobs, queue_states={"all.q@h1": "d"})
    start = EditedCluster(ONE, before)
    tried = [
        job_request(start, 2, "-hold_jid 0", "", "-hold_jid", "1", ""),
        job_request(start, 2, "-p -3", "", "-p", "0", "-3"),
        without_jobs(start, [1]),
        instance_state(start, "all.q@h1", "d"),
    ]
    for edited_cluster in tried:
        assert moments(edited_cluster.state) != moments(before)
        assert moments(edited_cluster.state) == moments(carried_out(ONE, before, [*edited_cluster.changes]))


HALF = {1: Task("r", {"all.q@h1": 1}, NOW - 10)}
"""The first task of an array runs."""


BOOKED = cluster(attribute(LICENCE), queue("all.q", "h1", 2), host("h1", "lic=1"))
CLOSED = cluster(project("p"), queue("all.q", "h1", 2, projects="p"))


@pytest.mark.parametrize(("on", "options"), [(BOOKED, "-l lic=2"), (CLOSED, "")])
def test_what_runs_keeps_is_not_offered_for_its_job(on: Cluster, options: str) -> None:
    """Of a job of which nothing runs it may be changed."""
    whole, half = (state([job(1, f"-t 1-2 {options}", tasks=tasks)]) for tasks in ({}, HALF))
    commands, later = ([change.command for change in explain(on, one, 1).changes] for one in (whole, half))
    assert any(one.startswith("qalter") for one in commands)
    assert later
    assert not any(one.startswith("qalter") for one in later)


def test_a_job_is_not_deleted_for_its_own_tasks() -> None:
    alone = "alone alone BOOL EXCL YES YES 0"
    on = cluster(attribute(alone), queue("all.q", "h1", 2), host("h1", "alone=TRUE"))
    half = job(1, "-t 1-2 -l alone=1", tasks=HALF)
    commands = [one.command for change in explain(on, state([half]), 1).changes for one in all_changes(change)]
    assert not any("qdel 1" in one or "qalter" in one for one in commands)


def test_of_an_array_too_a_task_has_to_be_cleaned_up_after() -> None:
    waiting = job(5, "-t 1-2", tasks={2: Task("Rq", {"all.q@h1": 1}, NOW - 10, unclean=("h1",))})
    first, *_ = explain(cluster(queue("all.q", "h1")), state([waiting]), 5, 2).changes
    assert (first.name, first.description) == ("5.2", "wait until earlier runs of job 5.2 are cleaned up on h1")


def test_an_edit_that_would_break_an_advance_reservation_is_not_offered() -> None:
    """8.1.9 lets nobody change the list of a queue instance that was granted with a pattern for an environment."""
    on = cluster(environment("mpi"), environment("smp"), queue("all.q", "h1", 4, pe_list="smp"))
    waiting = job(1, "-pe mpi 2")
    reservation = AdvanceReservation(1, "bela", NOW + 60, NOW + 120, {"all.q@h1": 1}, environment="*")
    edit = "qconf -rattr queue pe_list 'smp mpi' all.q"
    assert edit in [change.command for change in explain(on, state([waiting]), 1).changes]
    assert edit not in [
        change.command for change in explain(on, state([waiting], reservations=(reservation,)), 1).changes
    ]


def test_of_several_requests_of_one_job_the_command_with_all_of_them_is_told() -> None:
    attributes = attribute(LICENCE), attribute("io io INT <= YES YES 0")
    on = cluster(*attributes, queue("all.q", "h1", 9), host("h1", "lic=1,io=1"))
    changes = explain(on, state([job(2, "-l lic=2,io=3")]), 2).changes
    both = next(
        change
        for change in changes
        if len(all_changes(change)) == 2 and all(part.kind == "job" for part in all_changes(change))
    )
    assert [part.command for part in all_changes(both)] == ["qalter -l lic=2,io=1 2", "qalter -l lic=1,io=1 2"]
    assert commands_of(both) == ["qalter -l lic=1,io=1 2"]


def test_a_job_stays_let_in_when_its_error_is_cleared() -> None:
    """The qmaster looks at soft requests at the submission only; the attribute was made a consumable after that."""
    on = cluster(attribute(LICENCE), queue("all.q", "h1", 1))
    before = state((job(5, "-soft -l lic=2", tasks={1: Task("Eqw")}),))
    assert list(starts(on, carried_out(on, before, offered(on, before, 5)))) == [5]
