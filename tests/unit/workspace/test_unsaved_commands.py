"""All unsaved edits as lines for a shell."""

from pathlib import Path

from qmon_tui.model import StateKind
from qmon_tui.model.kinds import Kind
from qmon_tui.qmaster import InstanceCommand, Target
from qmon_tui.report import command_lines
from qmon_tui.sources import read_folder
from qmon_tui.workspace import Batch, SetField, Workspace
from qmon_tui.workspace.commands import unsaved_commands
from qmon_tui.workspace.state_edits import RemoveEntry
from tests.edits import alter_jobs, change_queue_instances, hold_jobs
from tests.tui.screen_harness import cluster_copy


def lines(workspace: Workspace) -> tuple[str, ...]:
    return command_lines(unsaved_commands(workspace.base_document, workspace.document, workspace.history.done))


def test_edits_of_the_configuration_come_first_and_commands_as_they_were_given(tmp_path: Path) -> None:
    workspace = Workspace(read_folder(cluster_copy("teaching", tmp_path)))
    job, other = (job.id for job in workspace.state.jobs[-2:])
    queue = next(iter(workspace.cluster.objects(Kind.QUEUE)))
    assert lines(workspace) == ()
    workspace.apply(hold_jobs([Target(job)], "u"))
    workspace.apply(SetField(Kind.QUEUE, queue, "slots", "3"))
    workspace.apply(alter_jobs([Target(other)], "-p -7"))
    instance = f"{queue}@sim1"
    workspace.apply(
        Batch("both", (change_queue_instances(InstanceCommand.DISABLE, [instance]), hold_jobs([Target(other)], "u")))
    )
    expected = (
        f"qconf -rattr queue slots 3 {queue}",
        f"qhold -h u {job}",
        f"qalter -p -7 {other}",
        f"qmod -d {instance}",
        f"qhold -h u {other}",
    )
    assert lines(workspace) == expected
    workspace.apply(RemoveEntry(StateKind.JOB, str(job)))
    (remark,) = lines(workspace)[len(expected) :]
    assert remark.startswith("# no command does this: ")
    workspace.undo()
    workspace.save()
    assert lines(workspace) == ()
    workspace.apply(hold_jobs([Target(job)], "s"))
    assert lines(workspace) == (f"qhold -h s {job}",)
