"""Numbers that qstat shows for tasks which the scheduler treats as suspended (priority.md#numbers-that-qstat-shows)."""

from collections.abc import Mapping
from dataclasses import replace

from qmon_tui.model import Amounts, State
from qmon_tui.qmaster.run_jobs import collect_run_jobs
from qmon_tui.scheduler import RunUntil, SchedulerSession
from qmon_tui.scheduler.jobs import RunJob, Tickets
from qmon_tui.scheduler.priority import Formulas

_NOTHING_IS_PLACED = RunUntil(job=0, task=0)
_PARTS = {
    "tckts": "total", "otckt": "override", "ftckt": "functional", "stckt": "share_tree",
    "prior": "prior", "ntckts": "ntckts", "share": "share",
}  # fmt: skip


def tickets_of(numbers: Amounts) -> Tickets:
    """Return tickets with the numbers of these columns, 0 for those that are missing."""
    return Tickets(**{part: numbers.get(column, 0.0) for column, part in _PARTS.items()})


class SuspendedNumbers:
    """The numbers of suspended tasks after a run, which calculates none for them: they keep their last ones.

    Unknown numbers are replaced by those that the tasks would have in this run if they ran.
    """

    def __init__(self, session: SchedulerSession, state: State, now: int, formulas: Formulas) -> None:
        self._session = session
        self._state = state
        self._now = now
        self._formulas = formulas
        self._while_running: Mapping[int, Mapping[int, Tickets]] | None = None

    def of(self, run_job: RunJob, number: int) -> Tickets | None:
        """Return the numbers that a task keeps; None if the scheduler does not treat it as suspended."""
        if number not in run_job.split.booked_suspended:
            return None
        known = self._state.numbers_of(run_job.id, number, run_job.job.tasks[number])
        if known and "tckts" in known:
            return tickets_of(known)
        if self._while_running is None:
            self._while_running = self._numbers_while_running()
        return self._while_running[run_job.id].get(number)

    def _numbers_while_running(self) -> Mapping[int, Mapping[int, Tickets]]:
        """Return job -> task -> numbers, for jobs with suspended tasks as if these ran; nothing is placed."""
        jobs = collect_run_jobs(self._session, self._session.compiled(self._state), self._state, self._now).jobs
        with_suspended = [run_job for run_job in jobs if run_job.split.suspended]
        for run_job in with_suspended:
            split = run_job.split
            run_job.split = replace(split, running=tuple(sorted((*split.running, *split.suspended))), suspended=())
        self._session.run(self._state, jobs, self._now, self._formulas, _NOTHING_IS_PLACED)
        return {run_job.id: run_job.tickets for run_job in with_suspended}
