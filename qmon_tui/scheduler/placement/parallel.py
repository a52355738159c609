"""Where a parallel job fits: its parallel environment, the number of slots and the queue instances (dispatch.md 8)."""

from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass

from qmon_tui.model.state import PeAlg, PeRequest
from qmon_tui.scheduler import messages
from qmon_tui.scheduler.compiled.environments import Environment, matching_environments
from qmon_tui.scheduler.jobs import RunJob
from qmon_tui.scheduler.matching.access import Requester
from qmon_tui.scheduler.matching.room import NEVER, NOT_MASTER, NOT_NOW_MASTER, Say
from qmon_tui.scheduler.matching.static import Applicant
from qmon_tui.scheduler.placement.algorithm import RangeSearch
from qmon_tui.scheduler.placement.attempt import Assignment, Attempt
from qmon_tui.scheduler.placement.errand import Errand
from qmon_tui.scheduler.placement.host_list import HostList, Key
from qmon_tui.scheduler.placement.memory import NOTHING, Memory, Snapshot
from qmon_tui.scheduler.placement.offers import Offers
from qmon_tui.scheduler.placement.site import Site
from qmon_tui.scheduler.quick.parallel_lanes import ParallelLanes
from qmon_tui.scheduler.quick.twins import Twins
from qmon_tui.scheduler.quotas.ledger import Ledger, party_of
from qmon_tui.scheduler.quotas.purse import Means, Purse
from qmon_tui.scheduler.quotas.territory import Party

Violations = Callable[[int, Applicant], int]


@dataclass(frozen=True, slots=True)
class Before:
    """What a search can change without placing anything."""

    memories: Mapping[str, Snapshot]
    pe_alg: PeAlg
    unsorted: Sequence[int] | None
    """The list of queue instances, where the search may sort it."""


class ParallelSearch:
    """The search of one run."""

    def __init__(
        self,
        site: Site,
        environments: Mapping[str, Environment],
        violations: Violations,
        ranges: RangeSearch,
        hosts: HostList,
        ledger: Ledger | None = None,
        lanes: ParallelLanes | None = None,
        twins: Twins | None = None,
    ) -> None:
        self.site = site
        self.lanes = lanes
        self.twins = twins
        self.environments = environments
        self.violations = violations
        self.ranges = ranges
        self.result = NEVER
        """Whether the last job was found to fit now, later or never."""
        self.asks_for_later = False
        """It matters for the job whether it could start some time; see `Harvest.later`."""
        self.later_rooms: dict[int, int] | None = None
        """See `Harvest.later_rooms`; None where nobody ever asks."""
        self.uses_memory = True
        """The category's memory is for starts only."""
        self.tells_all = False
        """Every attempt says something, not only the first of a search: so it is in a verification."""
        self.has_looked = False
        """Hosts were looked at since somebody has set this back."""
        self.ledger = ledger
        self._means: dict[tuple[int, Party], Means | None] = {}
        self._masters: dict[int, int] = {}
        self.adjusts = True
        """See `Assignment.adjusts`, of the last job."""
        self.hosts = hosts
        self.silent_attempts: dict[Key, Offers] = {}
        """Those for the last job that have not put `hosts` into their order."""

    @property
    def has_marked(self) -> bool:
        """Tell whether the last job has marked any queue instance."""
        return bool(self._masters)

    def left_over(self) -> Set[int]:
        """Queue instances that the last job found in exclusive use.

        Their mark is the same as that of a queue instance in alarm, and is taken for it after the next start.
        """
        if not self._masters:
            return frozenset()
        marked = {number for number, master in self._masters.items() if master == NOT_NOW_MASTER}
        for number in marked:
            self._masters[number] = NOT_MASTER
        return marked

    def before(self, run_job: RunJob) -> Before:
        """What `reasons` needs to know of the moment before the search."""
        memories = run_job.category.memories
        return Before(
            {name: memory.snapshot() for name, memory in memories.items()},
            self.ranges.scores,
            None if self.site.order.is_sorted and not run_job.demand.is_soft else self.site.order.kept(),
        )

    def find(self, run_job: RunJob) -> Assignment | None:
        """The best assignment for the job's next task; None where there is none."""
        self.silent_attempts.clear()
        found = self.search(run_job, None)
        if found is not None:
            self.site.order.must_sort = run_job.demand.is_soft
            for key, offers in self.silent_attempts.items():
                self.hosts.note_attempt(key, offers)
        return found

    def reasons(self, run_job: RunJob, before: Before) -> list[str]:
        """All that a search says that has found nothing; it is made once more, from where it began."""
        for name, memory in run_job.category.memories.items():
            memory.restore(before.memories.get(name, NOTHING))
        self.ranges.scores = before.pe_alg
        if run_job.demand.is_soft and before.unsorted is not None:
            self.site.order.leave(before.unsorted)
        said: list[str] = []
        self.hosts.catch_up()
        self.search(run_job, said.append, before.unsorted)
        return said

    def errand(
        self,
        run_job: RunJob,
        environment: Environment,
        slots: int,
        say: Say | None = None,
        *,
        learns: bool = True,
        adjusts: bool = True,
        asks_for_later: bool = False,
    ) -> Errand:
        """What an attempt goes by."""
        category = run_job.category
        applicant = self.applicant(run_job, environment.name, slots)
        return Errand(
            site=self.site,
            applicant=applicant,
            environment=environment,
            rule=environment.per_host(slots),
            memory=self.memory(run_job, environment),
            remembers=category.jobs > 1 and self.uses_memory,
            masters=self._masters,
            soft=(lambda number: self.violations(number, applicant)) if run_job.demand.is_soft else None,
            purse=self._purse(run_job, environment.name, asks_for_later),
            say=say,
            learns=learns,
            adjusts=adjusts,
        )

    def memory(self, run_job: RunJob, environment: Environment) -> Memory:
        """What is remembered of jobs of this kind in an environment."""
        memories = run_job.category.memories
        memory = memories.get(environment.name)
        if memory is None:
            memory = memories[environment.name] = Memory()
        return memory

    def _purse(self, run_job: RunJob, environment: str, asks_for_later: bool) -> Purse | None:
        """The quotas of one attempt; None where none is for the job."""
        party = party_of(run_job, environment) if self.ledger is not None else None
        if self.ledger is None or party is None:
            return None
        key = (id(run_job.demand), party)
        if key not in self._means:
            account = self.ledger.account(party)
            self._means[key] = Means(account, run_job.demand, self.site.counter) if account.is_limited else None
        means = self._means[key]
        return None if means is None else Purse(means, asks_for_later)

    def search(self, run_job: RunJob, say: Say | None, unsorted: Sequence[int] | None = None) -> Assignment | None:
        """The best assignment, with what is said on the way to it."""
        request = run_job.job.request.pe
        assert request is not None
        self._masters = {}
        self.result = NEVER
        best: Assignment | None = None
        environments = self.candidates(request)
        for environment in environments:
            adjusts = best is None or best.adjusts
            attempt = Attempt(self, run_job, environment, request, say, unsorted, adjusts=adjusts)
            found = attempt.highest(0 if best is None else best.slots)
            unsorted = attempt.unsorted
            self.result = min(self.result, attempt.result)
            if found is None:
                if say is not None:
                    say(messages.message(messages.PE_SLOTS, environment.name, str(attempt.offered % 2**32)))
            elif best is None or found.slots > best.slots or found.violations < best.violations:
                best = found
        if not environments and say is not None:
            say(messages.message(messages.NO_PE))
        self.adjusts = best is None or best.adjusts
        return best

    def candidates(self, request: PeRequest) -> list[Environment]:
        """The parallel environments that a job may run in, in the order in which they are tried."""
        return list(matching_environments(request.name, self.environments))

    def applicant(self, run_job: RunJob, environment: str, slots: int) -> Applicant:
        """A job as the static checks see it."""
        job = run_job.job
        requester = Requester(job.owner, job.group, run_job.project)
        return Applicant(job.request, run_job.demand, requester, environment, slots, run_job.unclean)

    def is_barred(self, run_job: RunJob, environment: Environment) -> bool:
        """Tell whether the lists of a parallel environment keep a job's owner out."""
        job = run_job.job
        return not environment.access.permits(job.owner, job.group, self.site.compiled.usersets)

    def speak(self) -> None:
        """The numbers of slots have been tried: what comes next is said, whatever it was before."""

    def slots_of(self, environment: Environment) -> tuple[int, int]:
        """The free slots of a parallel environment, now and in the end."""
        used = self.site.resources.environment_slots.get(environment.name, 0)
        return environment.slots - used, environment.slots
