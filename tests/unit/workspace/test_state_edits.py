"""Jobs and queue instances are edited as objects are: undone, listed, reverted, saved, merged."""

import time
from dataclasses import replace
from pathlib import Path

import pytest

from qmon_tui.model.kinds import Kind
from qmon_tui.model.state import State
from qmon_tui.model.state_fields import StateKind
from qmon_tui.qmaster import (
    InstanceCommand,
    JobCommand,
    Qalter,
    Qdel,
    Qhold,
    QmodJobs,
    QmodQueues,
    Qsub,
    Target,
    new_job,
    next_job,
)
from qmon_tui.qmaster.commands import alter
from qmon_tui.qmaster.commands.holds import hold
from qmon_tui.sources import read_folder
from qmon_tui.values.times import parse_time
from qmon_tui.workspace import ChangeKind, Edit, EditedText, EditError, SetField, Side, Workspace, evaluate
from qmon_tui.workspace.commands import edit_of_command
from qmon_tui.workspace.state_edits import CommandEdit, SetEntry
from tests.edits import alter_jobs, delete_jobs, hold_jobs

CLUSTER = """\
hostgroups: {"@every": {hostlist: sim1 sim2}}
queues:
  all.q: {hostlist: "@every", slots: 2, load_thresholds: NONE}
"""
JOBS = """\
now: 2026-01-01T09:00:00
states:
  all.q@sim2: d  # repair
jobs:
- {id: 1, owner: anna, submitted: 2026-01-01T08:00:00, qsub: sleep 60, tasks: {1: {state: r, granted: all.q@sim1}}}
- {id: 2, owner: ben, submitted: 2026-01-01T08:10:00, qsub: -p -5 sleep 60}  # low
- {id: 3, owner: cora, submitted: 2026-01-01T08:20:00, qsub: -t 1-5 sleep 60}
"""

HOLD = CommandEdit(Qhold((Target(2),)))
SUSPEND = CommandEdit(QmodJobs((Target(1),), JobCommand.SUSPEND))
DELETE = CommandEdit(Qdel((Target(3),)))
LOWER = CommandEdit(Qalter((Target(2),), "-p -50"))
ENABLE = CommandEdit(QmodQueues(InstanceCommand.ENABLE, ("all.q@sim2",)))
SUBMIT = CommandEdit(Qsub(new_job(State(now=parse_time("2026-01-01T09:00:00")), "dora", "-N new sleep 5", number=4)))
EVERYTHING: tuple[Edit, ...] = (HOLD, SUSPEND, DELETE, LOWER, ENABLE, SUBMIT)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "cluster.yaml").write_text(CLUSTER)
    (tmp_path / "jobs.yaml").write_text(JOBS)
    return tmp_path


@pytest.fixture
def workspace(folder: Path) -> Workspace:
    return Workspace(read_folder(folder))


def states(state: State) -> dict[str, str]:
    return {f"{job.id}.{number}": task.state for job in state.jobs for number, task in job.tasks.items()}


def test_commands_are_steps_that_are_undone_and_done_again(workspace: Workspace) -> None:
    before = workspace.state
    for edit in EVERYTHING:
        assert workspace.apply(edit)
    after = workspace.state
    assert [job.id for job in after.jobs] == [1, 2, 4]
    assert (states(after)["1.1"], after.jobs[1].qsub, dict(after.queue_states)) == ("s", "-h u -p -50 sleep 60", {})
    assert [workspace.undo() for _ in EVERYTHING] == [edit.label for edit in reversed(EVERYTHING)]
    assert workspace.state == before
    assert not workspace.changes()
    while workspace.redo():
        pass
    assert workspace.state == after


def test_changes_of_the_state_stand_in_the_list_beside_those_of_objects(workspace: Workspace) -> None:
    workspace.apply(SetField(Kind.QUEUE, "all.q", "slots", "4"))
    for edit in EVERYTHING:
        workspace.apply(edit)
    assert [(change.kind, change.name, change.what) for change in workspace.changes()] == [
        (Kind.QUEUE, "all.q", ChangeKind.CHANGED),
        (StateKind.INSTANCE, "all.q@sim2", ChangeKind.CHANGED),
        (StateKind.JOB, "1", ChangeKind.CHANGED),
        (StateKind.JOB, "2", ChangeKind.CHANGED),
        (StateKind.JOB, "3", ChangeKind.REMOVED),
        (StateKind.JOB, "4", ChangeKind.ADDED),
    ]
    (enabled,) = (change.fields for change in workspace.changes() if change.name == "all.q@sim2")
    assert enabled == (("state", "d", None), ("changed", None, "2026-01-01T09:00:00.000001"))
    (job,) = (change for change in workspace.changes() if change.name == "2")
    qsub, changed = job.fields
    assert qsub == ("qsub", "-p -5 sleep 60", "-h u -p -50 sleep 60")
    assert changed == ("changed", None, "2026-01-01T09:00:00.000002"), (
        "it was altered and held, which puts it last twice"
    )
    assert workspace.is_dirty(StateKind.JOB, "2", "qsub")
    assert not workspace.is_dirty(StateKind.JOB, "2", "owner")


def test_a_number_is_not_given_twice(workspace: Workspace) -> None:
    workspace.apply(DELETE)
    assert next_job(workspace.state) == 4


def test_each_item_can_be_reverted_by_itself(workspace: Workspace) -> None:
    for edit in EVERYTHING:
        workspace.apply(edit)
    for kind, name in ((change.kind, change.name) for change in workspace.changes()):
        assert workspace.revert(kind, name)
    assert workspace.state == workspace.base_document.state
    assert [job.id for job in workspace.state.jobs] == [1, 2, 3]


def test_what_the_qmaster_refuses_is_an_error_in_its_words(workspace: Workspace) -> None:
    clear = CommandEdit(QmodJobs((Target(1),), JobCommand.CLEAR_ERROR))
    with pytest.raises(EditError, match="Job 1 is not in error state"):
        workspace.apply(clear)
    workspace.apply(HOLD)
    held = workspace.state.jobs[1]
    assert workspace.apply(HOLD), "what is held already is sent to the scheduler once more, which puts it last"
    assert workspace.state.jobs[1] == replace(held, changed=workspace.state.jobs[1].changed) != held


def test_what_the_qmaster_says_before_it_refuses_is_no_reason(workspace: Workspace) -> None:
    options = "-N other -a 203501010000 -N third -q nope"
    with pytest.raises(EditError) as refused:
        workspace.apply(alter_jobs([Target(3)], options))
    assert str(refused.value) == 'Job was rejected because job requests unknown queue "nope"'
    assert alter(workspace.cluster, workspace.state, 3, options).messages == (
        'qalter: warning: "-N" option has already been set, overriding previous setting',
        "modified start time of job 3",
        "modified job name of job 3",
        str(refused.value),
    )


def test_saving_writes_the_lines_concerned_and_nothing_else(workspace: Workspace, folder: Path) -> None:
    workspace.apply(SetField(Kind.QUEUE, "all.q", "slots", "4"))
    for edit in EVERYTHING:
        workspace.apply(edit)
    assert workspace.save() is None
    assert not workspace.changes()
    assert "slots: 4" in (folder / "cluster.yaml").read_text()
    assert (folder / "jobs.yaml").read_text().splitlines() == [
        "now: 2026-01-01T09:00:00",
        "states: {}  # repair",
        "jobs:",
        JOBS.splitlines()[4].replace("state: r", "state: s"),
        "- {id: 2, owner: ben, submitted: 2026-01-01T08:10:00, qsub: -h u -p -50 sleep 60,"
        " changed: 2026-01-01T09:00:00.000002}  # low",
        "- {id: 4, owner: dora, group: staff, submitted: 2026-01-01T09:00:00, qsub: -N new sleep 5,"
        " changed: 2026-01-01T09:00:00.000003}",
        "changed:",
        "  all.q@sim2: 2026-01-01T09:00:00.000001",
    ]
    assert read_folder(folder).state == workspace.state


def test_a_host_begins_to_report_a_load_and_reports_nothing_when_its_last_value_goes(
    workspace: Workspace, folder: Path
) -> None:
    workspace.apply(SetEntry(StateKind.LOADS, "sim1", (("np_load_avg", "0.5"),)))
    workspace.save()
    assert (folder / "jobs.yaml").read_text().endswith("loads:\n  sim1: {np_load_avg: 0.5}\n")
    workspace.apply(SetEntry(StateKind.LOADS, "sim1", (("np_load_avg", None),)))
    assert not workspace.state.loads
    workspace.save()
    assert not read_folder(folder).state.loads
    with pytest.raises(EditError, match="no job 77 any more"):
        workspace.apply(SetEntry(StateKind.JOB, "77", (("owner", "anna"),)))


def test_the_run_takes_the_edited_state(workspace: Workspace) -> None:
    workspace.accept(evaluate(workspace.snapshot()))
    assert workspace.result is not None
    assert workspace.result.outcome is not None
    waiting = [job.id for job in workspace.result.outcome.jobs if not any(task.granted for task in job.tasks)]
    workspace.apply(SUBMIT)
    workspace.apply(ENABLE)
    workspace.accept(evaluate(workspace.snapshot()))
    assert workspace.result.outcome is not None
    assert 4 in [job.id for job in workspace.result.outcome.jobs]
    started = [job.id for job in workspace.result.outcome.jobs if any(task.state == "t" for task in job.tasks)]
    assert set(started) & {*waiting, 3}


def change_on_disk(folder: Path, workspace: Workspace, old: str, new: str) -> None:
    text = (folder / "jobs.yaml").read_text()
    assert old in text
    (folder / "jobs.yaml").write_text(text.replace(old, new))
    workspace.disk_changed(read_folder(folder, workspace.reading))


def test_jobs_that_come_on_disk_merge_with_unsaved_commands(workspace: Workspace, folder: Path) -> None:
    workspace.apply(HOLD)
    change_on_disk(folder, workspace, "- {id: 3", "- {id: 7, owner: eve, qsub: sleep 1}\n- {id: 3")
    assert workspace.disk is not None
    assert [change.name for change in workspace.disk.objects] == ["7"]
    assert workspace.merge() == ()
    assert [job.id for job in workspace.state.jobs] == [1, 2, 7, 3]
    assert [change.name for change in workspace.changes()] == ["2"]
    assert workspace.save() is None
    assert "id: 7" in (folder / "jobs.yaml").read_text()


def test_one_job_changed_on_both_sides_is_decided_field_by_field(workspace: Workspace, folder: Path) -> None:
    workspace.apply(LOWER)
    change_on_disk(folder, workspace, "qsub: -p -5 sleep 60", "qsub: -p -7 sleep 60, group: physics")
    (conflict,) = workspace.merge()
    assert (conflict.label, conflict.mine, conflict.theirs) == ("qsub of job 2", "-p -50 sleep 60", "-p -7 sleep 60")
    assert workspace.state.jobs[1].group == "physics"
    workspace.resolve(conflict, Side.THEIRS)
    assert workspace.state.jobs[1].request.priority == -7
    assert [change.fields for change in workspace.changes()] == [(("changed", None, "2026-01-01T09:00:00.000001"),)]


def test_options_of_one_job_that_both_sides_changed_merge_where_they_are_not_the_same(
    workspace: Workspace, folder: Path
) -> None:
    workspace.apply(LOWER)
    change_on_disk(folder, workspace, "qsub: -p -5 sleep 60", 'qsub: "-N other -p -5 -l h_rt=60 sleep 60"')
    assert workspace.merge() == ()
    job = workspace.state.jobs[1]
    assert (job.request.priority, job.name, job.request.hard) == (-50, "other", (("h_rt", "60"),))
    assert [change.fields for change in workspace.changes()] == [
        (
            ("qsub", "-N other -p -5 -l h_rt=60 sleep 60", "-N other -p -50 -l h_rt=60 sleep 60"),
            ("changed", None, "2026-01-01T09:00:00.000001"),
        )
    ]
    assert workspace.save() is None
    assert "-N other -p -50 -l h_rt=60 sleep 60" in (folder / "jobs.yaml").read_text()


def test_of_two_changes_of_one_job_the_later_one_tells_its_place(workspace: Workspace, folder: Path) -> None:
    workspace.apply(LOWER)
    change_on_disk(folder, workspace, "qsub: -p -5 sleep 60", "qsub: -p -5 sleep 60, changed: 2026-01-01T08:30:00")
    assert workspace.merge() == ()
    assert workspace.state.jobs[1].changed == 1_767_258_000.000001
    change_on_disk(folder, workspace, "changed: 2026-01-01T08:30:00", "changed: 2026-01-01T09:30:00")
    assert workspace.merge() == ()
    assert workspace.state.jobs[1].changed == 1_767_259_800


def test_a_third_version_can_be_given_and_undone(workspace: Workspace, folder: Path) -> None:
    workspace.apply(LOWER)
    change_on_disk(folder, workspace, "qsub: -p -5 sleep 60", "qsub: -p -7 sleep 60")
    (conflict,) = workspace.merge()
    assert conflict.text_in(workspace.document) == "-p -50 sleep 60"
    workspace.resolve(conflict, EditedText("-p -20 sleep 60"))
    assert workspace.state.jobs[1].request.priority == -20
    assert not workspace.unresolved
    workspace.undo()
    assert workspace.state.jobs[1].request.priority == -50
    assert [conflict.label for conflict in workspace.unresolved] == ["qsub of job 2"]
    workspace.redo()
    assert workspace.save() is None
    assert "-p -20" in (folder / "jobs.yaml").read_text()


def test_a_job_deleted_here_and_changed_there_is_a_conflict_of_the_whole(workspace: Workspace, folder: Path) -> None:
    workspace.apply(DELETE)
    change_on_disk(folder, workspace, "qsub: -t 1-5 sleep 60", "qsub: -t 1-5 -p -1 sleep 60")
    (conflict,) = workspace.merge()
    assert (conflict.label, conflict.field, conflict.mine) == ("job 3", None, None)
    workspace.resolve(conflict, Side.THEIRS)
    assert [job.id for job in workspace.state.jobs] == [1, 2, 3]
    assert not workspace.unresolved


def test_edits_of_objects_do_not_wait_for_jobs_that_change_on_disk(workspace: Workspace, folder: Path) -> None:
    workspace.apply(SetField(Kind.QUEUE, "all.q", "slots", "4"))
    change_on_disk(folder, workspace, "-p -5", "-p -6")
    assert workspace.disk is None
    assert workspace.state.jobs[1].request.priority == -6
    assert workspace.is_dirty(Kind.QUEUE, "all.q")


def test_saving_is_refused_where_the_file_changed_meanwhile(workspace: Workspace, folder: Path) -> None:
    workspace.apply(HOLD)
    (folder / "jobs.yaml").write_text(JOBS.replace("owner: cora", "owner: carla"))
    change = workspace.save()
    assert change is not None
    assert change.pending
    assert "carla" in (folder / "jobs.yaml").read_text()
    assert "-h u" not in (folder / "jobs.yaml").read_text()


def test_a_job_in_a_broken_file_keeps_its_edit_and_waits_for_the_file(workspace: Workspace, folder: Path) -> None:
    workspace.apply(HOLD)
    (folder / "jobs.yaml").write_text("jobs: [")
    workspace.disk_changed(read_folder(folder, workspace.reading))
    assert [job.id for job in workspace.state.jobs] == [1, 2, 3]
    with pytest.raises(Exception, match=r"job 2 cannot be saved while jobs.yaml is broken"):
        workspace.save()
    (folder / "jobs.yaml").write_text(JOBS)
    workspace.disk_changed(read_folder(folder, workspace.reading))
    assert workspace.save() is None
    assert read_folder(folder).state.jobs[1].request.hold == "u"


def test_a_read_only_workspace_takes_no_commands(folder: Path) -> None:
    workspace = Workspace(read_folder(folder), read_only=True)
    with pytest.raises(Exception, match="read-only"):
        workspace.apply(HOLD)


def test_the_state_of_a_workspace_is_not_what_was_read_but_what_is_shown(workspace: Workspace) -> None:
    workspace.apply(replace(HOLD))
    assert workspace.state is workspace.document.state
    assert workspace.snapshot().state is workspace.state


@pytest.mark.parametrize(
    ("command", "job", "state"),
    [
        ("qalter -p -7 2", "-p -7 sleep 60", None),
        ("qhold -h o 2", "-p -5 -h o sleep 60", None),
        ("qmod -sj 1", None, "s"),
        ("qmod -d all.q@sim1", None, None),
    ],
)
def test_a_line_of_a_client_becomes_an_edit(
    workspace: Workspace, command: str, job: str | None, state: str | None
) -> None:
    order = edit_of_command(workspace.cluster, command)
    assert order is not None
    assert workspace.apply(order)
    assert job is None or workspace.state.jobs[1].qsub == job
    assert state is None or workspace.state.jobs[0].tasks[1].state == state


@pytest.mark.parametrize("command", ["", "qconf -aq x", "qalter -p 5 name", "qmod -d nope.q", "qmod -x all.q", "'"])
def test_other_lines_are_no_edit(workspace: Workspace, command: str) -> None:
    assert edit_of_command(workspace.cluster, command) is None


def test_many_jobs_are_changed_in_one_step_as_if_one_after_the_other(workspace: Workspace) -> None:
    targets = [Target(1), Target(2), Target(3, (2, 4)), Target(77)]
    one_by_one = workspace.state
    for target in targets:
        one_by_one = hold(workspace.cluster, one_by_one, target, "o").state
    assert workspace.apply(hold_jobs(targets, "o"))
    assert workspace.state.jobs == one_by_one.jobs
    assert workspace.undo() == "hold 4 jobs (o)"
    assert workspace.apply(delete_jobs([Target(2), Target(3)], force=False))
    assert [job.id for job in workspace.state.jobs] == [1]


def test_a_thousand_jobs_are_held_at_once(workspace: Workspace) -> None:
    state = workspace.state
    many = tuple(replace(state.jobs[1], id=number) for number in range(10, 3010))
    order = hold_jobs([Target(job.id) for job in many], "u")
    started = time.process_time()
    reply = order.command.apply(workspace.cluster, replace(state, jobs=many))
    assert {job.request.hold for job in reply.state.jobs} == {"u"}
    # Each job is looked at alone: so many jobs take no more than so many times as long as one.
    assert time.process_time() - started < 5
