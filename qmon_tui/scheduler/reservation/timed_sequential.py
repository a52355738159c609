"""The search for one slot that fits for the whole run time of a job, and for the earliest time.

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
    """The searches of one run. They mark queue instances, and 8.1.9 does not always clear the marks."""

    resources: Resources
    order: RankedQueueList
    now: SequentialSearch
    """The search with checks from now on."""
    some_time: SequentialSearch
    """The search with the checks of `earliest`."""
    earliest: EarliestChecker
    job_messages: JobMessages
    marks: set[int] = field(default_factory=set)
    """Queue instances that were found suitable."""
    times: dict[int, int] = field(default_factory=dict)
    """Queue instance -> time at which it was last found free.

    8.1.9 keeps `SlotCollection.later_slots` in the same field.
    """
    passes_over: bool = True
    """True if a reservation search skips instances that cannot be the earliest; False inside advance reservations."""

    fails_alone: bool = False
    """True if only this task failed, because an earlier run of it is not cleaned up on some host."""
    _is_found: bool = False
    """True if the last reservation search found queue instances, even if none is ever free."""

    def start(self, run_job: RunJob, say: Say | None) -> tuple[int, int | None]:
        """Return FITS, LATER or NEVER, and the queue instance."""
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
                    is_host = rejection.scope == HOST_SCOPE
                    (category.skipped_hosts if is_host else category.skipped_instances).append(
                        host if is_host else number
                    )
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
        """Return the queue instance with the earliest time, and that time; None if none is ever free."""
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
        everywhere = max(times, default=0)
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
            free = self.times[number] = max(everywhere, allowed, *times)
            bound = free if self.passes_over else None
            if attempt.slot_quota_attempt is not None:
                attempt.slot_quota_attempt.bound = bound
            if not is_soft:
                self.marks.add(number)
                if self.passes_over and everywhere >= max(allowed, *times):
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
        """Return the marked queue instance with the earliest time.

        Marks left by another job's search count, too, with their old time, or 0 for a job that was started immediately.
        An instance that is never free is taken only for a job with soft requests.
        """
        chosen: tuple[int, int] | None = None
        for number in self.order:
            time = self.times.get(number, 0)
            bound = (INFINITE + is_soft) if chosen is None else chosen[1]
            if number in self.marks and time < bound:
                chosen = number, time
        return chosen

    def wipe(self) -> None:
        """Clear the marks of all queue instances in the list, as parallel jobs do."""
        self.marks.difference_update(self.order)


def _tell(rejection: Rejection, say: Say | None) -> int:
    if say is not None:
        for text in rejection.messages:
            say(text)
    return LATER if rejection.later else NEVER
