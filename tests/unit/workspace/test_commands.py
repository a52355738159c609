"""Lines of commands that an explanation offers, as edits."""

from dataclasses import replace

import pytest
from hypothesis import given, strategies as st

from qmon_tui.explain.explainer import explain
from qmon_tui.model.jobs import AdvanceReservation, Job, Task
from qmon_tui.model.state import State
from qmon_tui.qmaster.commands import JobCommand, Target, modify
from qmon_tui.qmaster.commands.qdel import delete
from qmon_tui.workspace import Document
from qmon_tui.workspace.commands import edit_of_change, edit_of_command, submit_jobs
from tests.edits import delete_jobs, modify_jobs, submit_job
from tests.unit.scheduler.building import NOW, cluster, job, queue, running

CLUSTER = cluster(queue("all.q", "h1", 2))
LATER = AdvanceReservation(7, "anna", NOW + 600, NOW + 1200, {"all.q@h1": 1}, state="w")
STATE = State(now=NOW, jobs=(job(1, "-ar 7"),), reservations=(LATER,))


def test_a_job_leaves_its_reservation_and_a_reservation_is_given_back() -> None:
    out = edit_of_command(CLUSTER, "qalter -ar 0 1")
    assert out is not None
    state = out.command.apply(CLUSTER, STATE).state
    assert state.jobs[0].request.advance_reservation is None
    back = edit_of_command(CLUSTER, "qrdel 7")
    assert back is not None
    assert back.command.apply(CLUSTER, state).state.reservations == ()


def test_jobs_that_are_to_end_are_gone_and_earlier_runs_are_cleaned_up() -> None:
    """An explanation offers both; here is no host that would do it by itself."""
    there = State(now=NOW, jobs=(running(1, "all.q@h1"), job(2, tasks={1: Task("Rq", unclean=("h1",))})))
    gone = edit_of_command(CLUSTER, "qdel 1")
    assert gone is not None
    after = gone.command.apply(CLUSTER, there).state.jobs
    assert [(one.id, [task.state for task in one.tasks.values()]) for one in after] == [(1, ["z"]), (2, ["Rq"])], (
        "the next run books what it has used"
    )
    offered = explain(CLUSTER, replace(there, jobs=there.jobs[1:]), 2).changes[0]
    cleaned = edit_of_change(CLUSTER, offered)
    assert cleaned is not None
    assert cleaned.command.apply(CLUSTER, there).state.jobs[1].tasks[1].unclean_hosts == ()


@pytest.mark.parametrize(
    "command", ["qrdel", "qrdel all", "qconf -rattr queue slots 1 all.q", "qmod -d nothing.q", "'"]
)
def test_what_is_none_of_these_commands_is_no_edit(command: str) -> None:
    assert edit_of_command(CLUSTER, command) is None


@given(st.data())
def test_jobs_among_subordinates_end_up_as_if_each_had_been_told_by_itself(data: st.DataObject) -> None:
    """Each command is given the jobs of the same hosts only."""
    subordinates = data.draw(st.sampled_from(("low.q=1", "slots=2(low.q:1:sr)", "slots=2(low.q:1:lr)")))
    on = cluster(queue("high.q", "h1 h2", 9, subordinate_list=subordinates), queue("low.q", "h1 h2", 9))
    places = st.sampled_from([f"{name}@{host}" for name in ("high.q", "low.q") for host in ("h1", "h2")])
    jobs = tuple(running(number, data.draw(places)) for number in range(1, 8))
    targets = [Target(number) for number in data.draw(st.permutations(range(1, 8)))[:4]]
    together, one_by_one = State(now=NOW, jobs=jobs), State(now=NOW, jobs=jobs)
    for command in data.draw(st.permutations((JobCommand.SUSPEND, JobCommand.UNSUSPEND, None))):
        order = delete_jobs(targets, force=True) if command is None else modify_jobs(command, targets)
        together = order.command.apply(on, together).state
        for target in targets:
            if command is None:
                one_by_one = delete(on, one_by_one, target, force=True).state
            else:
                one_by_one = modify(on, one_by_one, command, target).state
    assert states(together) == states(one_by_one)
    assert together.seen_suspended == one_by_one.seen_suspended


def states(state: State) -> dict[int, str]:
    return {one.id: one.tasks[1].state for one in state.jobs}


@pytest.mark.parametrize(
    ("command", "stands"), [("qmod -usj 2", {1: "r", 2: "r", 3: "S"}), ("qdel -f 1", {2: "r", 3: "r"})]
)
def test_in_a_slotwise_tree_tasks_stand_still_and_go_on_with_the_others(command: str, stands: dict[int, str]) -> None:
    """Two slots for both queues: job 3 is stopped by job 1, and goes on as soon as that has gone."""
    on = cluster(queue("high.q", "h1", 9, subordinate_list="slots=2(low.q:1:sr)"), queue("low.q", "h1", 9))
    first, second, third = running(1, "high.q@h1"), running(2, "high.q@h1"), running(3, "low.q@h1")
    before = State(now=NOW, jobs=(first, with_state(second, "s"), third))
    if command == "qdel -f 1":
        before = replace(before, jobs=(first, second, with_state(third, "S")))
    edit = edit_of_command(on, command)
    assert edit is not None
    after = edit.command.apply(on, before).state
    assert {one.id: one.tasks[1].state for one in after.jobs if one.tasks[1].state != "z"} == stands


def with_state(one: Job, letters: str) -> Job:
    return replace(one, tasks={1: replace(one.tasks[1], state=letters)})


@pytest.mark.parametrize(
    ("numbers", "label"), [([4], None), ([4, 5], "submit 2 jobs, 4 to 5"), ([4, 5, 8], "submit 3 jobs, 4 to 8")]
)
def test_jobs_that_are_submitted_together_are_one_step(numbers: list[int], label: str | None) -> None:
    jobs = [job(number) for number in numbers]
    edit = submit_jobs(jobs)
    assert edit.label == (label or submit_job(jobs[0]).label)
    after = edit.made(Document(CLUSTER, STATE)).state
    assert [one.id for one in after.jobs] == [1, *numbers]
