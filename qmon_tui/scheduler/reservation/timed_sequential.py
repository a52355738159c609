"""The search for one slot that fits for the whole run time of a job, now or at the earliest time.

Source: dispatch.md#search-for-one-slot and reservation.md#earliest-time-of-one-slot.
"""

from dataclasses import dataclass, field

from qmon_tui.model import messages
from qmon_tui.scheduler.jobs import RunJob
from qmon_tui.scheduler.matching import FITS, LATER, NEVER, Resources, Say
from qmon_tui.scheduler.placement import HOST_SCOPE, Attempt, Rejection, SequentialSearch
from qmon_tui.scheduler.reservation.job_messages import JobMessages
from qmon_tui.scheduler.reservation.ranked_queue_list import RankedQueueList
from qmon_tui.scheduler.reservation.timed_check import EarliestChecker
from qmon_tui.values import INFINITE


@dataclass(slots=True)
class TimedSequentialSearch:
    """The searches of one run. They mark suitable queue instances; as in 8.1.9, some marks remain for later jobs."""

    resources: Resources
    order: RankedQueueList
    now: SequentialSearch
    """The search for a start now."""
    some_time: SequentialSearch
    """The search at any time, with the checks of `earliest`."""
    earliest: EarliestChecker
    job_messages: JobMessages
    marks: set[int] = field(default_factory=set)
    """Queue instances found suitable by the last search that checked them."""
    times: dict[int, int] = field(default_factory=dict)
    """Queue instance -> time (seconds since the epoch) from which the last search found it free.

    8.1.9 uses the same field for `SlotCollection.later_slots`, so both share this dict.
    """
    passes_over: bool = True
    """True if a search for a reservation skips instances that are free later than the best; False for -ar jobs."""

    fails_alone: bool = False
    """True if the task failed for a reason of its own: a host is not cleaned up after an earlier run of it."""
    _is_found: bool = False
    """True if the last search for a reservation found a suitable queue instance, even if it is never free."""

    def start(self, run_job: RunJob, say: Say | None) -> tuple[int, int | None]:
        """Return FITS, LATER or NEVER for a start now, and the queue instance if it fits."""
        category = run_job.category
        attempt = Attempt(self.now.placement_request(run_job), slot_quota_attempt=self.now.slot_quota_attempt(run_job))
        self.fails_alone = False
        rejection = self.now.examine_global(attempt)
        if rejection is not None:
            return _tell(rejection, say), None
        shared = category.jobs > 1
        skipped = set(category.skipped_instances) if shared else set()
        attempt.bad_hosts.update(category.skipped_hosts if shared else ())
        best: int | None = None
        result = NEVER
        for number in list(self.order):
            self.marks.discard(number)
            host = self.resources.host_of[number]
            if number in skipped or host in attempt.worse_hosts or self.now.is_skipped(number, attempt):
                continue
            rejection = self.now.examine(number, attempt)
            if rejection is not None:
                result = min(result, _tell(rejection, say))
                self.fails_alone |= rejection.refusal is not None and rejection.refusal.number == messages.NOT_CLEAN
                if rejection.ends_search:
                    break
                if shared and rejection.remembered:
                    if rejection.scope == HOST_SCOPE:
                        category.skipped_hosts.append(host)
                    else:
                        category.skipped_instances.append(number)
                continue
            if host in attempt.worse_hosts:
                continue
            result = FITS
            violations = self.now.violations(number, attempt.placement_request) if run_job.demand.is_soft else 0
            if attempt.fewest is None or violations < attempt.fewest:
                best, attempt.fewest = number, violations
            if not violations:
                break
        if best is not None:
            self.marks.add(best)
        return result, best

    def reserve(self, run_job: RunJob) -> tuple[int, int] | None:
        """Return the queue instance where the job fits earliest, and that time; None if it fits at no time."""
        reserved = self._reserve(run_job)
        self.job_messages.is_silent = reserved is None and self._is_found
        return reserved

    def _reserve(self, run_job: RunJob) -> tuple[int, int] | None:
        is_soft = run_job.demand.is_soft
        self._is_found = False
        attempt = Attempt(
            self.some_time.placement_request(run_job), slot_quota_attempt=self.some_time.slot_quota_attempt(run_job)
        )
        times = self.earliest.times
        times.clear()
        if self.some_time.examine_global(attempt) is not None:
            return None
        free_globally = max(times, default=0)
        earliest: tuple[int, int] | None = None
        bound: int | None = None
        best: int | None = None
        for number in list(self.order):
            self.marks.discard(number)
            host = self.resources.host_of[number]
            if host in attempt.worse_hosts or self.some_time.is_skipped(number, attempt):
                continue
            times.clear()
            rejection = self.some_time.examine(number, attempt)
            if rejection is not None:
                if rejection.ends_search:
                    break
                continue
            if bound is not None and times[0] >= bound:
                attempt.worse_hosts.add(host)
                continue
            if bound is not None and times[1] >= bound:
                continue
            self._is_found = True
            allowed = 0 if attempt.slot_quota_attempt is None else attempt.slot_quota_attempt.time
            free = self.times[number] = max(free_globally, allowed, *times)
            bound = free if self.passes_over else None
            if attempt.slot_quota_attempt is not None:
                attempt.slot_quota_attempt.bound = bound
            if not is_soft:
                self.marks.add(number)
                if self.passes_over and free_globally >= max(allowed, *times):
                    break
                continue
            ranked = free, self.some_time.violations(number, attempt.placement_request)
            if earliest is None or ranked < earliest:
                if best is not None:
                    self.marks.discard(best)
                self.marks.add(number)
                best, earliest = number, ranked
        return self._first_marked(is_soft) if self._is_found else None

    def _first_marked(self, is_soft: bool) -> tuple[int, int] | None:
        """Return the first marked queue instance with the earliest time, and that time; None if there is none.

        Marks left by searches for other jobs count, too, with their old time, or 0 after a start without reservation.
        An instance that is never free (`INFINITE`) is taken only for a job with soft requests.
        """
        chosen: tuple[int, int] | None = None
        for number in self.order:
            time = self.times.get(number, 0)
            bound = (INFINITE + is_soft) if chosen is None else chosen[1]
            if number in self.marks and time < bound:
                chosen = number, time
        return chosen

    def wipe(self) -> None:
        """Clear the marks of all queue instances in the list; the search for a parallel job does this."""
        self.marks.difference_update(self.order)


def _tell(rejection: Rejection, say: Say | None) -> int:
    if say is not None:
        for text in rejection.messages:
            say(text)
    return LATER if rejection.later else NEVER
