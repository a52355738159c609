"""What the actions of the place of the jobs do: each posts an edit, those that need an answer ask first."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from qmon_tui.model.state import Job
from qmon_tui.model.state_entry import StateKind
from qmon_tui.qmaster import JobCommand
from qmon_tui.tui.base.messages import EditRequested
from qmon_tui.tui.jobs.number_options import JOB_SHARE, OVERRIDE_TICKETS, PRIORITY, NumberOption
from qmon_tui.workspace import commands
from qmon_tui.workspace.edits import Edit

if TYPE_CHECKING:
    from qmon_tui.tui.jobs.view import JobsView


class JobHandlers:
    """The actions by id."""

    def __init__(self, view: "JobsView") -> None:
        self._view = view
        self.by_id: Mapping[str, Callable[[], None]] = {
            "jobs.add": self._add,
            "jobs.edit": self._edit,
            "jobs.clone": self._clone,
            "jobs.delete": self._delete,
            "jobs.revert": self._revert,
            "jobs.hold": self._hold,
            "jobs.priority": lambda: self._number(PRIORITY),
            "jobs.override": lambda: self._number(OVERRIDE_TICKETS),
            "jobs.share": lambda: self._number(JOB_SHARE),
            "jobs.suspend": self._suspend,
            "jobs.clear": lambda: self._modify(JobCommand.CLEAR_ERROR),
            "jobs.again": self._reschedule,
            "jobs.tasks": self._tasks,
            "jobs.clean": self._clean_up,
            "jobs.mark": self._mark,
            "jobs.mark-all": self._mark_all,
            "jobs.filter": view.start_filter,
            "jobs.order": self._order,
            "jobs.columns": self._columns,
            "jobs.why": lambda: view.announce(explain=True),
        }

    def _make(self, edit: Edit) -> None:
        self._view.post_message(EditRequested(edit))

    def _modify(self, command: JobCommand) -> None:
        if self._view.targets:
            self._make(commands.modify_jobs(command, self._view.targets))

    def _clean_up(self) -> None:
        if self._view.targets:
            self._make(commands.clean_up_after(self._view.targets))

    def _suspend(self) -> None:
        """Resume where everything chosen is suspended by hand, else suspend."""
        view = self._view
        numbers = {target.job for target in view.targets}
        rows = [row for row in view.rows or () if row.job.id in numbers and not row.inside]
        placed = [task.state for row in rows for task in row.tasks if task.granted and task.state != "t"]
        resumes = bool(placed) and all("s" in state for state in placed)
        self._modify(JobCommand.UNSUSPEND if resumes else JobCommand.SUSPEND)

    def _revert(self) -> None:
        row, workspace = self._view.row, self._view.workspace
        if row is not None and workspace.is_dirty(StateKind.JOB, str(row.job.id)):
            workspace.revert(StateKind.JOB, str(row.job.id))
        else:
            self._view.notify("This job is as it was saved.", severity="warning", markup=False)

    def _mark(self) -> None:
        view = self._view
        if view.row is not None:
            view.mark(view.marked ^ {view.row.job.id})
            view.next_row()

    def _mark_all(self) -> None:
        view = self._view
        everything = frozenset(row.job.id for row in view.rows or ())
        view.mark(frozenset() if view.marked >= everything else everything)

    # Those that ask ---------------------------------------------------------------------------------------------

    def _hold(self) -> None:
        from qmon_tui.tui.jobs.prompts import ask_hold

        if targets := self._view.targets:
            ask_hold(self._view, targets, self._make)

    def _reschedule(self) -> None:
        from qmon_tui.tui.jobs.prompts import ask_reschedule

        if targets := self._view.targets:
            ask_reschedule(self._view, targets, self._make)

    def _tasks(self) -> None:
        from qmon_tui.tui.jobs.prompts import ask_tasks

        if self._view.row is not None:
            ask_tasks(self._view, self._view.row)

    def _number(self, asked: NumberOption) -> None:
        from qmon_tui.tui.jobs.prompts import ask_number

        if targets := self._view.targets:
            ask_number(self._view, asked, targets, self._make)

    def _delete(self) -> None:
        from qmon_tui.tui.jobs.prompts import ask_delete

        if targets := self._view.targets:
            ask_delete(self._view, targets, self._make)

    def _edit(self) -> None:
        from qmon_tui.tui.jobs.prompts import ask_options

        if targets := self._view.targets:
            ask_options(self._view, targets, self._make)

    def _order(self) -> None:
        from qmon_tui.tui.jobs.column_dialogs import ask_order

        ask_order(self._view)

    def _columns(self) -> None:
        from qmon_tui.tui.jobs.column_dialogs import ask_columns

        ask_columns(self._view)

    def _add(self) -> None:
        self._submit(None)

    def _clone(self) -> None:
        row = self._view.row
        self._submit(row.known if row else None)

    def _submit(self, pattern: Job | None) -> None:
        from qmon_tui.tui.jobs.submit_and_alter import ask_submit

        ask_submit(self._view, pattern, lambda job: self._make(commands.submit_job(job)))
