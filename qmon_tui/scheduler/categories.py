"""Jobs with the same requests: what is found out for one of them in a run holds for all (dispatch.md section 5.1)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from qmon_tui.model.kinds import Kind
from qmon_tui.model.state import Job
from qmon_tui.scheduler.compiled.access import Access, Userset
from qmon_tui.scheduler.compiled.cluster import Compiled
from qmon_tui.scheduler.placement.memory import Memory
from qmon_tui.scheduler.quotas.references import named_projects, named_usersets, names_user
from qmon_tui.scheduler.requests import Demand
from qmon_tui.values.lists import BLANK, split_names


@dataclass(slots=True, eq=False)
class Category:
    """What a run remembers about all jobs of one kind."""

    demand: Demand
    kin: object = ()
    """What categories have in common for which no queue instance differs but in what it offers."""
    jobs: int = 0
    """Jobs of the category in the system, running ones included."""
    rejected: bool = False
    """None of its jobs is tried any more in this run."""
    reservation_rejected: bool = False
    """None of its jobs gets a reservation any more."""
    reasons: Sequence[str] = ()
    """What all its jobs are told that were still pending when it was rejected."""
    rejected_at: int = 0
    """When it was rejected: the number of dispatches before."""
    unsuitable: set[int] = field(default_factory=set)
    """Queue instances that need not be tried again, by number."""
    unsuitable_hosts: set[int] = field(default_factory=set)
    unsuitable_queues: set[str] = field(default_factory=set)
    clear_queues: set[str] = field(default_factory=set)
    """Cluster queues that passed the static check."""
    clear_hosts: set[int] = field(default_factory=set)
    skipped_instances: list[int] = field(default_factory=list)
    """Those that the scheduler itself remembers as unsuitable, in the order in which it found out."""
    skipped_hosts: list[int] = field(default_factory=list)
    memories: dict[str, Memory] = field(default_factory=dict)
    """For parallel jobs, by parallel environment."""

    def skipped(self) -> tuple[int, int]:
        """How many instances and hosts later jobs skip without a word; none where the category has one job only."""
        return (len(self.skipped_instances), len(self.skipped_hosts)) if self.jobs > 1 else (0, 0)


class CategoryBook:
    """The categories of one run."""

    def __init__(self, compiled: Compiled) -> None:
        usersets, projects = considered(compiled)
        self._usersets = usersets
        self._projects = projects
        self._compiled = compiled
        self._categories: dict[tuple[object, ...], Category] = {}
        self._kin: dict[object, object] = {}
        self._memberships: dict[tuple[str, str], tuple[str | None, ...]] = {}

    def category(self, job: Job, demand: Demand, project: str | None) -> Category:
        """The category of a job, which is not counted yet."""
        request = job.request
        kin = (
            self._membership(job.owner, job.group),
            tuple(sorted(request.hard_queues)),
            tuple(sorted(request.master_queues)),
            tuple((one.attribute.name, one.text) for one in demand.soft),
            request.pe,
            request.checkpoint,
            request.immediate,
            project if project in self._projects else None,
            request.advance_reservation,
        )
        key = (kin, tuple((one.attribute.name, one.text) for one in demand.hard))
        category = self._categories.get(key)
        if category is None:
            category = self._categories[key] = Category(demand, self._kin.setdefault(kin, kin))
        return category

    def _membership(self, user: str, group: str) -> tuple[str | None, ...]:
        """The user's name, where a quota is for this user, and the user sets that the user is in."""
        known = self._memberships.get((user, group))
        if known is None:
            quotas = self._compiled.quotas
            by_name = bool(quotas) and names_user(quotas, user, group, self._compiled.usersets)
            sets = (userset.name for userset in self._usersets if userset.contains(user, group))
            known = self._memberships[(user, group)] = (user if by_name else None, *sets)
        return known


def considered(compiled: Compiled) -> tuple[tuple[Userset, ...], frozenset[str]]:
    """The user sets and projects that some queue, host, PE or quota lists; only these tell jobs apart."""
    usersets = set(named_usersets(compiled.quotas, compiled.usersets))
    projects = set(named_projects(compiled.quotas, compiled.cluster.objects(Kind.PROJECT)))
    for access in _all_access(compiled):
        usersets.update(access.user_lists, access.xuser_lists)
        projects.update(access.projects, access.xprojects)
    return tuple(userset for name, userset in compiled.usersets.items() if name in usersets), frozenset(projects)


def _all_access(compiled: Compiled) -> Iterable[Access]:
    for queue in compiled.queues:
        alternatives = queue.alternatives
        for names in (*alternatives.user_lists, *alternatives.xuser_lists):
            yield Access(user_lists=names)
        for names in (*alternatives.projects, *alternatives.xprojects):
            yield Access(projects=names)
    for host in compiled.hosts.values():
        if not host.access.is_open:
            yield host.access
    for environment in compiled.cluster.objects(Kind.PE).values():
        yield Access(
            split_names(environment.text("user_lists"), BLANK), split_names(environment.text("xuser_lists"), BLANK)
        )
