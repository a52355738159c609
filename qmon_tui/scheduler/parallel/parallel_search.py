"""The search for a parallel job's PE, number of slots and queue instances.

Source: parallel.md#one-attempt.
"""

from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass

from qmon_tui.model import PeAlg, PeRequest, messages
from qmon_tui.scheduler.configuration import ParallelEnvironment, QuotaSubject, matching_environments
from qmon_tui.scheduler.jobs import EMPTY_SNAPSHOT, PeCache, RunJob, Snapshot
from qmon_tui.scheduler.matching import NEVER, NOT_MASTER, NOT_NOW_MASTER, PlacementRequest, Requester, Say
from qmon_tui.scheduler.parallel.available_slots import AvailableSlots
from qmon_tui.scheduler.parallel.failed_visits import EquivalentHosts
from qmon_tui.scheduler.parallel.host_list import HostList, Key
from qmon_tui.scheduler.parallel.parallel_fast_path import ParallelFastPath
from qmon_tui.scheduler.parallel.pe_attempt import PeAttempt, SearchContext
from qmon_tui.scheduler.parallel.pe_range_alg import RangeSearch
from qmon_tui.scheduler.parallel.pe_search import Assignment, PeSearch
from qmon_tui.scheduler.parallel.slot_collection import HostShortcut
from qmon_tui.scheduler.quotas import QuotaRequest, QuotaUsage, RemainingQuota, subject_of

Violations = Callable[[int, PlacementRequest], int]
"""Counts the soft requests of a job that a queue instance violates."""


@dataclass(frozen=True, slots=True)
class SearchSnapshot:
    """The state before a search, from which `ParallelSearch.reasons` repeats it."""

    pe_caches: Mapping[str, Snapshot]
    pe_alg: PeAlg
    unsorted: Sequence[int] | None
    """The order of queue instances; None if the search cannot change it."""


class ParallelSearch:
    """The search for parallel jobs in one run."""

    def __init__(
        self,
        context: SearchContext,
        environments: Mapping[str, ParallelEnvironment],
        violations: Violations,
        ranges: RangeSearch,
        hosts: HostList,
        quota_usage: QuotaUsage | None = None,
        shortcuts: ParallelFastPath | None = None,
        failed_visits: EquivalentHosts | None = None,
    ) -> None:
        self.context = context
        self.shortcuts = shortcuts
        self.failed_visits = failed_visits
        self.environments = environments
        self.violations = violations
        self.ranges = ranges
        self.result = NEVER
        """FITS, LATER or NEVER for the last job."""
        self.asks_for_later = False
        """True if a job that cannot start now is checked for a later start; see `SlotCollection.later`."""
        self.later_slots: dict[int, int] | None = None
        """See `SlotCollection.later_slots`; None without reservation scheduling."""
        self.uses_pe_cache = True
        """True if the search uses the category's cache, which only searches for starts do."""
        self.reports_all = False
        """True if each attempt reports messages (as with -w v), not only the first of a search."""
        self.has_visited_hosts = False
        """True if a search has visited hosts since this was set to False."""
        self.quota_usage = quota_usage
        self._quota_requests: dict[tuple[int, QuotaSubject], QuotaRequest | None] = {}
        self._masters: dict[int, int] = {}
        """`PeAttempt.masters` of the last job."""
        self.adjusts = True
        """`Assignment.adjusts` of the last job."""
        self.hosts = hosts
        self.silent_attempts: dict[Key, AvailableSlots] = {}
        """Attempts of the last job that `hosts` does not know of yet."""

    @property
    def has_marked(self) -> bool:
        """True if some queue instance is marked as unable to be the last job's master queue."""
        return bool(self._masters)

    def found_in_exclusive_use(self) -> Set[int]:
        """Return the queue instances that the last job found in exclusive use.

        8.1.9 marks them like instances in alarm, and removes them as such after the next start. Each is returned once.
        """
        if not self._masters:
            return frozenset()
        marked = {number for number, master in self._masters.items() if master == NOT_NOW_MASTER}
        for number in marked:
            self._masters[number] = NOT_MASTER
        return marked

    def take_over(self, before: "ParallelSearch") -> None:
        """Take over the state of `before`, a finished search under the same configuration."""
        self.ranges.scores, self.result, self.adjusts = before.ranges.scores, before.result, before.adjusts
        self._masters = before._masters
        self.hosts.take_over(before.hosts)

    def before(self, run_job: RunJob) -> SearchSnapshot:
        """Return the state that `reasons` restores; called before the search."""
        pe_caches = run_job.category.pe_caches
        return SearchSnapshot(
            {name: pe_cache.snapshot() for name, pe_cache in pe_caches.items()},
            self.ranges.scores,
            None if self.context.order.is_sorted and not run_job.demand.is_soft else self.context.order.current_order(),
        )

    def find(self, run_job: RunJob) -> Assignment | None:
        """Return the best assignment for the job's next task; None if it does not fit."""
        self.silent_attempts.clear()
        assignment = self.search(run_job, None)
        if assignment is not None:
            self.context.order.must_sort = run_job.demand.is_soft
            for key, available_slots in self.silent_attempts.items():
                self.hosts.note_attempt(key, available_slots)
        return assignment

    def reasons(self, run_job: RunJob, before: SearchSnapshot) -> list[str]:
        """Return the messages of a failed search by repeating it from the state `before`."""
        for name, pe_cache in run_job.category.pe_caches.items():
            pe_cache.restore(before.pe_caches.get(name, EMPTY_SNAPSHOT))
        self.ranges.scores = before.pe_alg
        if run_job.demand.is_soft and before.unsorted is not None:
            self.context.order.restore_order(before.unsorted)
        texts: list[str] = []
        self.hosts.catch_up()
        self.search(run_job, texts.append, before.unsorted)
        return texts

    def pe_attempt(
        self,
        run_job: RunJob,
        environment: ParallelEnvironment,
        slots: int,
        say: Say | None = None,
        *,
        learns: bool = True,
        adjusts: bool = True,
        asks_for_later: bool = False,
    ) -> PeAttempt:
        """Return the input of an attempt with this number of slots in one PE."""
        category = run_job.category
        placement_request = self.placement_request(run_job, environment.name, slots)
        return PeAttempt(
            context=self.context,
            placement_request=placement_request,
            environment=environment,
            rule=environment.per_host(slots),
            pe_cache=self.pe_cache(run_job, environment),
            remembers=category.jobs > 1 and self.uses_pe_cache,
            masters=self._masters,
            soft=(lambda number: self.violations(number, placement_request)) if run_job.demand.is_soft else None,
            remaining_quota=self._remaining_quota(run_job, environment.name, asks_for_later),
            say=say,
            learns=learns,
            adjusts=adjusts,
        )

    def pe_cache(self, run_job: RunJob, environment: ParallelEnvironment) -> PeCache:
        """Return the category's cache for a PE."""
        pe_caches = run_job.category.pe_caches
        pe_cache = pe_caches.get(environment.name)
        if pe_cache is None:
            pe_cache = pe_caches[environment.name] = run_job.category.new_pe_cache()
        return pe_cache

    def _remaining_quota(self, run_job: RunJob, environment: str, asks_for_later: bool) -> RemainingQuota | None:
        """Return the quotas of one attempt; None if no rule matches the job."""
        subject = subject_of(run_job, environment) if self.quota_usage is not None else None
        if self.quota_usage is None or subject is None:
            return None
        key = (id(run_job.demand), subject)
        if key not in self._quota_requests:
            subject_usage = self.quota_usage.subject_usage(subject)
            self._quota_requests[key] = (
                QuotaRequest(subject_usage, run_job.demand, self.context.counter) if subject_usage.is_limited else None
            )
        quota_request = self._quota_requests[key]
        return None if quota_request is None else RemainingQuota(quota_request, asks_for_later)

    def search(self, run_job: RunJob, say: Say | None, unsorted: Sequence[int] | None = None) -> Assignment | None:
        """Return the best assignment; None if none fits. Messages are passed to `say`."""
        request = run_job.job.request.pe
        assert request is not None
        self._masters = {}
        self.result = NEVER
        best: Assignment | None = None
        environments = self.candidates(request)
        for environment in environments:
            adjusts = best is None or best.adjusts
            violations = 0 if best is None else best.violations
            attempt = PeSearch(
                self, run_job, environment, request, say, unsorted, adjusts=adjusts, violations=violations
            )
            assignment = attempt.highest(0 if best is None else best.slots)
            unsorted = attempt.unsorted
            self.result = min(self.result, attempt.result)
            if assignment is None:
                if say is not None:
                    say(messages.message(messages.PE_SLOTS, environment.name, str(attempt.offered % 2**32)))
            elif best is None or assignment.slots > best.slots or assignment.violations < best.violations:
                best = assignment
        if not environments and say is not None:
            say(messages.message(messages.NO_PE))
        self.adjusts = best is None or best.adjusts
        return best

    def candidates(self, request: PeRequest) -> list[ParallelEnvironment]:
        """Return the PEs that the job may run in, in the order in which they are tried."""
        return list(matching_environments(request.name, self.environments))

    def placement_request(self, run_job: RunJob, environment: str, slots: int) -> PlacementRequest:
        """Return the job with one PE and number of slots, for the static checks."""
        job = run_job.job
        requester = Requester(job.owner, job.group, run_job.project)
        return PlacementRequest(job.request, run_job.demand, requester, environment, slots, run_job.unclean)

    def lacks_pe_access(self, run_job: RunJob, environment: ParallelEnvironment) -> bool:
        """True if the access lists of a PE deny the job's owner."""
        job = run_job.job
        return not environment.access.permits(job.owner, job.group, self.context.compiled.usersets)

    def end_silence(self) -> None:
        """Do nothing after all slot numbers were tried; a search for reservations reports messages again."""

    def timed_visits(self, _: PeAttempt) -> HostShortcut | None:
        """Return the cache of host slots at the attempt's time; None, as only a search for reservations has one."""
        return None

    def slots_of(self, environment: ParallelEnvironment) -> tuple[int, int]:
        """Return the free slots of a PE now, and once all running jobs have ended."""
        used = self.context.resources.environment_slots.get(environment.name, 0)
        return environment.slots - used, environment.slots
