"""Assignment of messages to jobs (messages.md#who-is-told-what).

Messages about a job that is tried are kept back. If the job starts, they are dropped; if its category is rejected, all
its jobs get them. Those still kept back at the end go to the first list of jobs that take no part that contains the
job, and are lost otherwise.
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
"""Messages at the end of a run for tasks that take no part, in this order; maxujobs follows."""


@dataclass(slots=True)
class SchedulingInfo:
    """The messages of one run that belong to single jobs."""

    policy: SchedConf
    is_silent: bool = False
    """True if no messages are made after a reservation search (`JobMessages`)."""
    _kept_back: list[tuple[int, str]] = field(default_factory=list)
    """(job number, message)."""
    _of_lists: dict[int, list[str]] = field(default_factory=dict)
    _excluded: dict[int, tuple[int, int]] = field(default_factory=dict)
    """Excluded job -> sort key: users in the order in which they reached maxujobs, each with their jobs.

    At the start of a run these are in the order of the list, later by priority.
    """
    _users: dict[str, int] = field(default_factory=dict)
    """User -> index."""
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
        """Keep back the maxujobs message for an excluded pending job."""
        user = self._users.setdefault(owner, len(self._users))
        self._excluded[job_id] = (user, 0 if at_first else len(self._excluded))
        if self.is_reported(job_id) and not self.is_silent:
            self._kept_back.append((job_id, messages.message(messages.USER_LIMIT)))

    def forget(self) -> None:
        """Drop the kept messages after a start."""
        self._kept_back.clear()

    def reject(self, run_job: RunJob, texts: Sequence[str]) -> None:
        """Give the messages of a rejected category to its pending jobs, if the first one is reported."""
        self._has_rejected = True
        run_job.category.reasons = texts if self.is_reported(run_job.id) else ()
        # Kept messages belong to jobs that are no longer pending, so no job gets them.
        self._kept_back.clear()

    def hold_back(self, run_job: RunJob, texts: Sequence[str]) -> None:
        """Keep back messages about a rejected category until a second category is rejected."""
        if self.is_reported(run_job.id):
            self._kept_back.extend((run_job.id, text) for text in texts)

    def tell(self, run_job: RunJob, texts: Sequence[str]) -> None:
        """Give messages to one job that fits nowhere while others of its category may; kept back after a rejection."""
        self._alone.add(run_job.id)
        if self._has_rejected:
            self.hold_back(run_job, texts)
        elif self.is_reported(run_job.id):
            self._of_lists.setdefault(run_job.id, []).extend(texts)

    def tell_category(self, pending: Sequence[RunJob]) -> None:
        """Give each kept message to all pending jobs of the category of its job, if that is pending."""
        for about, text in self._kept_back:
            category = next((job.category for job in pending if job.id == about), None)
            for run_job in pending:
                if run_job.category is category:
                    self._of_lists.setdefault(run_job.id, []).append(text)

    def finish(self, jobs: Iterable[RunJob]) -> None:
        """Give each list of jobs that take no part its message, if the list's first job is reported."""
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
        """Return all messages for one job, in order."""
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
