"""The dialogs of qsub and qalter, with the same form."""

import os
from typing import TYPE_CHECKING

from textual import on
from textual.app import ComposeResult
from textual.widgets import Input as TextInput, Static

from qmon_tui.model import Cluster, Job, State
from qmon_tui.qmaster import left, new_job, next_job
from qmon_tui.qmaster.commands import alter
from qmon_tui.report import Line
from qmon_tui.report.jobtable import NewJob, altered_job, form_fields, trial_lines
from qmon_tui.tui.base import QInput
from qmon_tui.tui.jobs.job_form import JobForm, OwnedForm
from qmon_tui.values import whole_number
from qmon_tui.workspace import JobTrial, admitted, commands, try_altered, try_job

if TYPE_CHECKING:
    from qmon_tui.tui.jobs.view import JobsView


_MOST_COPIES = 1000


class SubmitDialog(OwnedForm[tuple[Job, ...], JobTrial]):
    """Dialog of qsub; answers the job and its copies, or None."""

    def __init__(
        self,
        cluster: Cluster,
        state: State,
        number: int,
        owner: str,
        group: str,
        line: str,
        hides_why: str = "",
        *,
        is_live: bool = False,
    ) -> None:
        who = f"{owner}:{group}" if group != "staff" else owner
        super().__init__(f"Submit job {number}", "submit", form_fields(cluster), NewJob(line, line, state.now), who,
                         is_given=is_live)  # fmt: skip
        self._is_live = is_live
        self._cluster, self._state, self._number, self._hides_why = cluster, state, number, hides_why
        self._copies = QInput("1", select_on_focus=True, id="submit-copies")

    def beside_owner(self) -> ComposeResult:
        yield Static("copies ", classes="submit-label")
        yield self._copies

    @property
    def job(self) -> Job:
        """The job as it would be submitted."""
        return self._job(self._number)

    def _job(self, number: int) -> Job:
        owner, group = self.owner_and_group("nobody")
        return new_job(self._state, owner, self.line, group=group, number=number)

    @property
    def copies(self) -> int:
        """Number of jobs to submit; 0 if the typed number is invalid."""
        return whole_number(self._copies.value.strip(), 1, _MOST_COPIES) or 0

    def objection(self) -> str | None:
        """Return a problem of the copies or the line, or qsub's refusal; None without any."""
        if not self.copies:
            return f"Copies: a whole number from 1 to {_MOST_COPIES} is needed."
        return (_unread_script(self.job) if self._is_live else None) or admitted(self._cluster, self._state, self.job)

    @on(TextInput.Changed, "#submit-copies")
    def _copies_typed(self, event: TextInput.Changed) -> None:
        event.stop()
        self.changed()

    def trial(self) -> JobTrial:
        return try_job(self._cluster, self._state, self.job)

    def trial_lines(self, trial: JobTrial, cells: int) -> tuple[Line, ...]:
        return trial_lines(trial, cells, self.program, self._hides_why)

    def result(self) -> tuple[Job, ...]:
        """Return the job, then its copies, each with its number."""
        return tuple(self._job(self._number + count) for count in range(self.copies))


def ask_submit(view: "JobsView", pattern: Job | None) -> None:
    """Ask for a new job; with `pattern`, begin with its options."""
    workspace = view.workspace
    live = workspace.reading.live
    owner, group, line = (pattern.owner, pattern.group, pattern.qsub) if pattern else (_somebody(view), "staff", "")
    number = next_job(workspace.document.state)
    dialog = SubmitDialog(
        workspace.cluster,
        workspace.state,
        number,
        live.user if live is not None else owner,
        group,
        line or ("sleep 600" if live is None else "-b y sleep 600"),
        workspace.hides_why,
        is_live=live is not None,
    )

    def chosen(jobs: tuple[Job, ...]) -> None:
        view.edit(commands.submit_jobs(jobs))
        view.choose_submitted(jobs[0].id)

    dialog.ask(view.app, chosen)


def _unread_script(job: Job) -> str | None:
    """Return a refusal if the command is neither a program (-b y) nor an existing script; else None."""
    command = job.request.command
    if not command or ("-b", "y") in job.request.kept or os.path.exists(command[0]):
        return None
    return f"{command[0]} is no script here, which qsub would send: -b y runs a program."


def _somebody(view: "JobsView") -> str:
    """Return the owner of the job under the cursor, else of the last job, else `user`."""
    if view.row is not None:
        return view.row.job.owner
    jobs = view.workspace.state.jobs
    return jobs[-1].owner if jobs else "user"


class AlterDialog(JobForm[str, JobTrial]):
    """Dialog of qalter; answers the options, or None."""

    def __init__(self, cluster: Cluster, state: State, job: Job, hides_why: str = "") -> None:
        first = next(left(job), None)
        holds = job.own_holds(first) if first is not None else job.request.hold
        super().__init__(
            f"Alter job {job.id} {job.name} of {job.owner}",
            "alter",
            form_fields(cluster, altering=True),
            altered_job(job, holds, state.now),
        )
        self._cluster, self._state, self._number, self._hides_why = cluster, state, job.id, hides_why

    @property
    def is_begun(self) -> bool:
        return bool(self.line.strip())

    def objection(self) -> str | None:
        """Return the qmaster's refusal, or that nothing would change; None if the job would change."""
        if not self.line.strip():
            return "Nothing is changed yet."
        reply = alter(self._cluster, self._state, self._number, self.line)
        if reply.state is not self._state:
            return None
        return "; ".join(reply.reasons) or "That changes nothing."

    def trial(self) -> JobTrial:
        return try_altered(self._cluster, self._state, self._number, self.line)

    def trial_lines(self, trial: JobTrial, cells: int) -> tuple[Line, ...]:
        return trial_lines(trial, cells, self.program, self._hides_why)

    def result(self) -> str:
        return self.line.strip()
