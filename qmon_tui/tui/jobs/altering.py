"""Altering a job: the form with what it has, and the options of qalter that lead to what it should have."""

from qmon_tui.model.cluster import Cluster
from qmon_tui.model.state import Job, State
from qmon_tui.simulation.commands import alter
from qmon_tui.simulation.commands.tasks import left
from qmon_tui.tui.jobs.job_form import JobForm
from qmon_tui.tui.present.jobtable.job_drafts import altered_job
from qmon_tui.tui.present.jobtable.job_form_fields import form_fields
from qmon_tui.tui.present.jobtable.job_trial import trial_lines
from qmon_tui.tui.present.spans import Line
from qmon_tui.workspace.verify import Trial, try_altered


class AlterDialog(JobForm[str, Trial]):
    """Answers the options, or None."""

    def __init__(self, cluster: Cluster, state: State, job: Job) -> None:
        first = next(left(job), None)
        holds = job.own_holds(first) if first is not None else job.request.hold
        super().__init__(
            f"Alter job {job.id} {job.name} of {job.owner}",
            "alter",
            form_fields(cluster, altering=True),
            altered_job(job, holds, state.now),
        )
        self._cluster, self._state, self._number = cluster, state, job.id

    @property
    def is_begun(self) -> bool:
        """Some option is given."""
        return bool(self.line.strip())

    def objection(self) -> str | None:
        """The qmaster's words where it changes nothing."""
        if not self.line.strip():
            return "Nothing is changed yet."
        reply = alter(self._cluster, self._state, self._number, self.line)
        if reply.state is not self._state:
            return None
        return "; ".join(reply.reasons) or "That changes nothing."

    def trial(self) -> Trial:
        """Run the engine with the job as it would be."""
        return try_altered(self._cluster, self._state, self._number, self.line)

    def trial_lines(self, trial: Trial, cells: int) -> tuple[Line, ...]:
        """What came of it."""
        return trial_lines(trial, cells, self.program)

    def result(self) -> str:
        """The options of qalter."""
        return self.line.strip()
