"""Actions of the Jobs page: each requests an edit; some ask a question first."""

from typing import TYPE_CHECKING

from qmon_tui import qmaster, workspace
from qmon_tui.model import StateKind
from qmon_tui.tui.jobs import column_dialogs, prompts, submit_and_alter
from qmon_tui.tui.keys import ActionSet, Pane

if TYPE_CHECKING:
    from collections.abc import Callable

    from qmon_tui.tui.jobs.view import JobsView

_HERE = (Pane.PAGE,)

JOB_ACTIONS: "ActionSet[JobsView]" = ActionSet("jobs")


def _named(view: "JobsView", act: "Callable[[], None]") -> None:
    """Call `act`, after a question if the filter hides marked jobs; do nothing without targets."""
    if view.hidden_marks:
        prompts.ask_hidden(view, act)
    elif view.targets:
        act()


@JOB_ACTIONS.action("add", "a", text="Submit a job", dangerous=True, footer=_HERE)
def _add(view: "JobsView") -> None:
    submit_and_alter.ask_submit(view, None)


@JOB_ACTIONS.action("edit", "e", text="Change the options of this job (qalter)", dangerous=True, footer=_HERE)
def _edit(view: "JobsView") -> None:
    _named(view, lambda: prompts.ask_options(view, view.targets))


@JOB_ACTIONS.action("clone", "c", text="Submit a copy of this job; its options can be edited first", dangerous=True)
def _clone(view: "JobsView") -> None:
    submit_and_alter.ask_submit(view, view.row.known if view.row else None)


@JOB_ACTIONS.action(
    "delete",
    "d",
    "delete",
    dangerous=True,
    footer=_HERE,
    text="Delete this job or the marked ones, after asking (qdel)",
)
def _delete(view: "JobsView") -> None:
    _named(view, lambda: prompts.ask_delete(view, view.workspace, view.targets))


@JOB_ACTIONS.action("revert", "x", text="Reset this job to the saved one", dangerous=True)
def _revert(view: "JobsView") -> None:
    row, workspace = view.row, view.workspace
    if row is not None and workspace.is_dirty(StateKind.JOB, str(row.job.id)):
        workspace.revert(StateKind.JOB, str(row.job.id))
    else:
        view.notify("This job has not changed since the last save.", severity="warning", markup=False)


@JOB_ACTIONS.action(
    "hold",
    "W",
    dangerous=True,
    footer=_HERE,
    text="Set or release holds: user, operator, system (qhold, qrls)",
)
def _hold(view: "JobsView") -> None:
    _named(view, lambda: prompts.ask_hold(view, view.targets))


@JOB_ACTIONS.action("priority", "P", text="Change the POSIX priority (qalter -p)", dangerous=True, footer=_HERE)
def _priority(view: "JobsView") -> None:
    _named(view, lambda: prompts.ask_number(view, prompts.PRIORITY, view.targets))


@JOB_ACTIONS.action("override", "ctrl+o", text="Change the override tickets (qalter -ot)", dangerous=True)
def _override(view: "JobsView") -> None:
    _named(view, lambda: prompts.ask_number(view, prompts.OVERRIDE_TICKETS, view.targets))


@JOB_ACTIONS.action(
    "share", "percent_sign", label="job share", text="Change the job share (qalter -js)", dangerous=True
)
def _share(view: "JobsView") -> None:
    _named(view, lambda: prompts.ask_number(view, prompts.JOB_SHARE, view.targets))


@JOB_ACTIONS.action(
    "suspend",
    "S",
    dangerous=True,
    text="Suspend or unsuspend this job (qmod -sj, -usj)",
)
def _suspend(view: "JobsView") -> None:
    """Unsuspend if all running tasks of the targets are suspended by hand, else suspend."""
    numbers = {target.job for target in view.targets}
    rows = [row for row in view.rows or () if row.job.id in numbers and not row.inside]
    placed = [task.state for row in rows for task in row.tasks if task.granted and task.state != "t"]
    command = qmaster.JobCommand
    _modify(view, command.UNSUSPEND if placed and all("s" in state for state in placed) else command.SUSPEND)


def _modify(view: "JobsView", command: "qmaster.JobCommand") -> None:
    _named(view, lambda: view.edit(workspace.CommandEdit(qmaster.QmodJobs(view.targets, command))))


@JOB_ACTIONS.action(
    "clear", "K", label="clear error", dangerous=True, text="Clear the error state of this job (qmod -cj)"
)
def _clear_error(view: "JobsView") -> None:
    _modify(view, qmaster.JobCommand.CLEAR_ERROR)


@JOB_ACTIONS.action(
    "again",
    "O",
    label="reschedule",
    dangerous=True,
    text="Reschedule a running job (qmod -rj, -f -rj)",
)
def _reschedule(view: "JobsView") -> None:
    _named(view, lambda: prompts.ask_reschedule(view, view.targets))


@JOB_ACTIONS.action(
    "clean",
    label="clean up",
    dangerous=True,
    text="Let rescheduled jobs start again on the hosts where they ran before",
)
def _clean_up(view: "JobsView") -> None:
    _named(view, lambda: view.edit(workspace.CommandEdit(qmaster.CleanUp(view.targets))))


@JOB_ACTIONS.action("tasks", "N", text="Limit commands to some tasks of this array")
def _tasks(view: "JobsView") -> None:
    if view.row is not None:
        prompts.ask_tasks(view, view.row)


@JOB_ACTIONS.action("mark", "m", "space", text="Mark this job: commands then apply to all marked ones")
def _mark(view: "JobsView") -> None:
    if view.row is not None:
        view.mark(view.marked ^ {view.row.job.id})
        view.next_row()


@JOB_ACTIONS.action("mark-all", "A", text="Mark all jobs that match the filter, or none")
def _mark_all(view: "JobsView") -> None:
    everything = frozenset(row.job.id for row in view.rows or ())
    view.mark(frozenset() if view.marked >= everything else everything)


@JOB_ACTIONS.action(
    "filter",
    "slash",
    text="Show only some jobs: owner=bela state=qw slots>4 -s r host=@rack words",
    footer=_HERE,
)
def _filter(view: "JobsView") -> None:
    view.start_filter()


@JOB_ACTIONS.action("order", "o", text="Sort by a column; choose it again to reverse the order")
def _order(view: "JobsView") -> None:
    column_dialogs.ask_order(view)


@JOB_ACTIONS.action("columns", "v", text="Choose the columns: those of qstat, -pri, -urg, -ext, or your own")
def _columns(view: "JobsView") -> None:
    column_dialogs.ask_columns(view)


@JOB_ACTIONS.action(
    "why", "w", footer=_HERE, text="Everything about this job: its priority term by term and why it waits"
)
def _why(view: "JobsView") -> None:
    view.announce(explain=True)
