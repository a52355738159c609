"""Who is told what: how messages find their way to jobs (messages.md#who-is-told-what).

What is said about a job while it is tried is kept back. If the job starts, it is forgotten; if its category is
rejected, all jobs of the category get it. What is still kept back at the end goes to the first list of jobs that take
no part, if it was said of one of them, and is lost otherwise.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from qmon_tui.model import messages
from qmon_tui.scheduler.configuration import SchedConf
from qmon_tui.scheduler.jobs import RunJob, TaskList

_LISTS = (
    (TaskList.ERROR, messages.ERROR_STATE),
    (TaskList.HOLD, messages.HOLD_STATE),
    (TaskList.WAITING_FOR_TIME, messages.START_TIME),
    (TaskList.WAITING_FOR_JOBS, messages.DEPENDENCIES),
    (TaskList.OVER_TASK_LIMIT, messages.TASK_LIMIT),
)
"""What is said at the end of a run about tasks that took no part, in this order; then comes maxujobs."""


@dataclass(slots=True)
class SchedulingInfo:
    """The messages of one run that belong to single jobs."""

    policy: SchedConf
    is_silent: bool = False
    """Nothing is said at all: a search for a reservation has left the scheduler so (`JobMessages`)."""
    _kept_back: list[tuple[int, str]] = field(default_factory=list)
    """Whom it was said of, and what."""
    _of_lists: dict[int, list[str]] = field(default_factory=dict)
    _excluded: dict[int, tuple[int, int]] = field(default_factory=dict)
    """Job over the limit of its user -> its place: users in the order in which it was reached, each with their jobs.

    At the beginning of a run these are still in the order of the list, later in that of their priorities.
    """
    _users: dict[str, int] = field(default_factory=dict)
    """Their places."""
    _has_rejected: bool = False
    _alone: set[int] = field(default_factory=set)
    """Jobs that are not told what is said of their category."""

    def is_reported(self, job_id: int) -> bool:
        """True if schedd_job_info lets messages about a job be made."""
        ids = self.policy.job_info_ids
        if ids is None:
            return self.policy.job_info
        return any(first <= job_id <= last and (job_id - first) % step == 0 for first, last, step in ids)

    def exclude(self, job_id: int, owner: str, *, at_first: bool) -> None:
        """A user's limit is reached: say so of one of the pending jobs that are left out."""
        user = self._users.setdefault(owner, len(self._users))
        self._excluded[job_id] = (user, 0 if at_first else len(self._excluded))
        if self.is_reported(job_id) and not self.is_silent:
            self._kept_back.append((job_id, messages.message(messages.USER_LIMIT)))

    def forget(self) -> None:
        """A job has started: nothing that was kept back is true of it."""
        self._kept_back.clear()

    def reject(self, run_job: RunJob, said: Sequence[str]) -> None:
        """A category is rejected: all its pending jobs get what was said about the first, if that is reported."""
        self._has_rejected = True
        run_job.category.reasons = said if self.is_reported(run_job.id) else ()
        # What was kept back belongs to jobs that are no longer pending, and finds nobody.
        self._kept_back.clear()

    def hold_back(self, run_job: RunJob, said: Sequence[str]) -> None:
        """What is found out about a category that was rejected before waits until another one is rejected."""
        if self.is_reported(run_job.id):
            self._kept_back.extend((run_job.id, text) for text in said)

    def tell(self, run_job: RunJob, said: Sequence[str]) -> None:
        """One job fits nowhere, while others of its category may: it is told, unless a category was rejected before."""
        self._alone.add(run_job.id)
        if self._has_rejected:
            self.hold_back(run_job, said)
        elif self.is_reported(run_job.id):
            self._of_lists.setdefault(run_job.id, []).extend(said)

    def tell_category(self, pending: Sequence[RunJob]) -> None:
        """What was kept back about a job that is still pending is said of all pending jobs of its category."""
        for about, text in self._kept_back:
            category = next((job.category for job in pending if job.id == about), None)
            for run_job in pending:
                if run_job.category is category:
                    self._of_lists.setdefault(run_job.id, []).append(text)

    def finish(self, jobs: Iterable[RunJob]) -> None:
        """Say of each list of jobs that take no part why; the first job of the list must be reported."""
        jobs = [run_job for run_job in jobs if not run_job.filtered]
        aside = [run_job for run_job in jobs if run_job.split.others]
        lists: list[tuple[list[RunJob], int]] = [
            ([run_job for run_job in aside if run_job.split.others.get(task_list)], number)
            for task_list, number in _LISTS
        ]
        excluded = [run_job for run_job in jobs if run_job.excluded_at is not None]
        excluded.sort(key=lambda run_job: self._excluded[run_job.id])
        lists.append((excluded, messages.USER_LIMIT))
        for members, number in lists:
            if not members:
                continue
            if self.is_reported(members[0].id) and not self.is_silent:
                self._kept_back.append((members[0].id, messages.message(number)))
            ids = {run_job.id for run_job in members}
            said = [text for about, text in self._kept_back if about in ids]
            for run_job in members:
                self._of_lists.setdefault(run_job.id, []).extend(said)
            self._kept_back.clear()

    def of(self, run_job: RunJob) -> tuple[str, ...]:
        """All lines for one job, in the order in which they were made."""
        category = run_job.category
        if not category.rejected:
            return tuple(self._of_lists.get(run_job.id, ()))
        excluded_at = run_job.excluded_at
        was_pending = (
            run_job.remaining
            and run_job.id not in self._alone
            and (excluded_at is None or category.rejected_at < excluded_at)
        )
        of_category = category.reasons if was_pending else ()
        return (*of_category, *self._of_lists.get(run_job.id, ()))
