"""Assignment of messages to jobs (messages.md#who-is-told-what).

Messages about a job are kept back while it is tried. A start drops them; if a category is rejected, all its jobs get
them. Messages still kept back at the end of the run go to all jobs of the first list in `_LISTS` (or excluded by
maxujobs) that contains the job, and are lost if none does.
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
"""Lists of tasks that take no part in the run, with their messages, in 8.1.9's order; maxujobs comes after them."""


@dataclass(slots=True)
class SchedulingInfo:
    """The messages of one run that belong to single jobs."""

    policy: SchedConf
    is_silent: bool = False
    """True if a reservation search has switched off messages (`JobMessages`)."""
    _kept_back: list[tuple[int, str]] = field(default_factory=list)
    """(job number, message)."""
    _of_lists: dict[int, list[str]] = field(default_factory=dict)
    """Job number -> its messages that do not come from its category."""
    _excluded: dict[int, tuple[int, int]] = field(default_factory=dict)
    """Job excluded by maxujobs -> sort key (index of the user, index of the job).

    The second is 0 for jobs excluded before the first start: they keep the order of the scheduler's list.
    """
    _users: dict[str, int] = field(default_factory=dict)
    """User -> index in the order in which users reached maxujobs."""
    _has_rejected: bool = False
    _alone: set[int] = field(default_factory=set)
    """Jobs that do not get the messages of their category."""

    def is_reported(self, job_id: int) -> bool:
        """True if schedd_job_info enables messages for the job."""
        ids = self.policy.job_info_ids
        if ids is None:
            return self.policy.job_info
        return any(first <= job_id <= last and (job_id - first) % step == 0 for first, last, step in ids)

    def exclude(self, job_id: int, owner: str, *, at_first: bool) -> None:
        """Record a pending job that maxujobs excludes, and keep back its message; `at_first`: before any start."""
        user = self._users.setdefault(owner, len(self._users))
        self._excluded[job_id] = (user, 0 if at_first else len(self._excluded))
        if self.is_reported(job_id) and not self.is_silent:
            self._kept_back.append((job_id, messages.message(messages.USER_LIMIT)))

    def forget(self) -> None:
        """Drop the kept messages after a start."""
        self._kept_back.clear()

    def reject(self, run_job: RunJob, texts: Sequence[str]) -> None:
        """Give the messages of a rejected category to its pending jobs, if schedd_job_info reports `run_job`."""
        self._has_rejected = True
        run_job.category.reasons = texts if self.is_reported(run_job.id) else ()
        # Kept messages belong to jobs that are no longer pending, so no job gets them.
        self._kept_back.clear()

    def hold_back(self, run_job: RunJob, texts: Sequence[str]) -> None:
        """Keep back messages about a job of a category that was rejected before."""
        if self.is_reported(run_job.id):
            self._kept_back.extend((run_job.id, text) for text in texts)

    def tell(self, run_job: RunJob, texts: Sequence[str]) -> None:
        """Give messages to one job that fits nowhere although others of its category may fit.

        If a category was rejected before, keep them back instead.
        """
        self._alone.add(run_job.id)
        if self._has_rejected:
            self.hold_back(run_job, texts)
        elif self.is_reported(run_job.id):
            self._of_lists.setdefault(run_job.id, []).extend(texts)

    def tell_category(self, pending: Sequence[RunJob]) -> None:
        """Give each kept message about a job in `pending` to all pending jobs of its category."""
        for about, text in self._kept_back:
            category = next((job.category for job in pending if job.id == about), None)
            for run_job in pending:
                if run_job.category is category:
                    self._of_lists.setdefault(run_job.id, []).append(text)

    def finish(self, jobs: Iterable[RunJob]) -> None:
        """Give each list of jobs that take no part its message, if schedd_job_info reports the list's first job."""
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
            texts = [text for about, text in self._kept_back if about in ids]
            for run_job in members:
                self._of_lists.setdefault(run_job.id, []).extend(texts)
            self._kept_back.clear()

    def of(self, run_job: RunJob) -> tuple[str, ...]:
        """Return all messages for one job: those of its rejected category, then its own."""
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
