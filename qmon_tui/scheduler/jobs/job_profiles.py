"""Profiles of jobs: the parsed properties that one user's jobs with the same options share.

The qmaster parses a job's options once, at submission. All configurations that lead to the same profiles share them;
all with the same complex attributes share the demands.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import count

from qmon_tui.model import Cluster, Job, Kind, Request, memoized
from qmon_tui.scheduler.configuration import (
    Access,
    AttributeTable,
    CompiledCluster,
    Entitlement,
    Userset,
    compile_cluster,
    filters_of_users,
    named_projects,
    named_usersets,
    names_user,
)
from qmon_tui.scheduler.jobs.resource_requests import Demand, compile_demand, requested_slots
from qmon_tui.values import BLANK, split_names

_MOST = 50_000
"""Maximum number of cached profiles and demands; above it the cache is cleared."""
_SIMILAR = 4
"""Number of different lists of queue instances for which profiles are cached."""


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class JobProfile:
    """Properties that one user's jobs with the same options share."""

    demand: Demand
    category: int
    """Number of the category (dispatch.md#job-categories)."""
    base_category: int
    """Number shared by categories that differ only in their hard requests (-l)."""
    project: str | None
    department: str
    not_simulated: tuple[str, ...]
    """Features that the jobs need but that are not simulated: such jobs stay pending; empty if there are none."""
    user_entitlement: Entitlement | None
    project_entitlement: Entitlement | None
    department_entitlement: Entitlement | None
    slots: int
    """The slot number used for urgency (urgency_slots)."""


class JobProfiles:
    """The profiles of jobs for one configuration."""

    def __init__(self, compiled: CompiledCluster) -> None:
        self._compiled = compiled
        self._usersets, self._projects = category_access(compiled)
        self._demands = _demands_of(compiled.attributes)
        self._job_profiles: dict[object, JobProfile] = {}
        self._numbers: dict[object, int] = {}
        self._next = count()
        self._memberships: dict[tuple[str, str], tuple[str | None, ...]] = {}

    @property
    def is_full(self) -> bool:
        """True if no more profiles should be added."""
        return len(self._job_profiles) >= _MOST

    def of(self, job: Job) -> JobProfile:
        request = job.request
        options = (
            request.hard,
            request.has_empty_list,
            request.soft,
            request.hard_queues,
            request.soft_queues,
            request.master_queues,
            request.pe,
            request.checkpoint,
            request.checkpoint_when,
            request.advance_reservation,
            job.category_ar,
            request.immediate,
            request.project,
            job.owner,
            job.group,
            job.project,
            job.department,
        )
        job_profile = self._job_profiles.get(options)
        if job_profile is None:
            job_profile = self._job_profiles[options] = self._new_job_profile(job)
        return job_profile

    def _new_job_profile(self, job: Job) -> JobProfile:
        compiled, request = self._compiled, job.request
        shares = compiled.shares
        demand = self._demand(request)
        project = shares.project_of(job)
        department = shares.department_of(job)
        base_category = self._base_category(job, demand, project)
        return JobProfile(
            demand=demand,
            category=self._number(
                (base_category, tuple([(request.attribute.name, request.text) for request in demand.hard]))
            ),
            base_category=base_category,
            project=project,
            department=department,
            not_simulated=tuple(
                f"half-life of {kind} below 42 seconds (halflife_decay_list)"
                for kind in compiled.policy.tickets.usage.senseless
            ),
            user_entitlement=shares.user(job.owner),
            project_entitlement=shares.projects.get(project) if project else None,
            department_entitlement=shares.departments.get(department),
            slots=requested_slots(request.pe, compiled.environments),
        )

    def _demand(self, request: Request) -> Demand:
        queues = (request.hard_queues, request.soft_queues, request.master_queues)
        key = (request.hard, request.has_empty_list, request.soft, *queues)
        demand = self._demands.get(key)
        if demand is None:
            demand = self._demands[key] = compile_demand(request, self._compiled.attributes)
        return demand

    def _base_category(self, job: Job, demand: Demand, project: str | None) -> int:
        request = job.request
        return self._number(
            (
                self._membership(job.owner, job.group),
                tuple(sorted(request.hard_queues)),
                tuple(sorted(request.master_queues)),
                tuple([(request.attribute.name, request.text) for request in demand.soft]),
                request.pe,
                request.checkpoint,
                request.immediate,
                project if project in self._projects else None,
                job.category_reservation,
            )
        )

    def _number(self, key: object) -> int:
        """Return the number of a key, the same for equal keys."""
        number = self._numbers.get(key)
        # Another thread may number the same key: `setdefault` keeps one number, and `count` gives none twice.
        return self._numbers.setdefault(key, next(self._next)) if number is None else number

    def _membership(self, user: str, group: str) -> tuple[str | None, ...]:
        """Return the user's name if a quota filter lists it (else None), then the usersets that contain the user."""
        known = self._memberships.get((user, group))
        if known is None:
            quotas = self._compiled.quotas
            by_name = bool(quotas) and names_user(quotas, user, group, self._compiled.usersets)
            sets = (userset.name for userset in self._usersets if userset.contains(user, group))
            known = self._memberships[(user, group)] = (user if by_name else None, *sets)
        return known


def _demands_of(attributes: AttributeTable) -> dict[object, Demand]:
    """Return the cache of demands for these complex attributes, cleared when full."""
    known = _demands(attributes)
    if len(known) >= _MOST:
        known.clear()
    return known


@memoized(size=4)
def _demands(_: AttributeTable) -> dict[object, Demand]:
    return {}


@memoized(size=4)
def _job_profiles_by_content(*_: object) -> dict[object, list[JobProfiles]]:
    return {}


def job_profiles_of(compiled: CompiledCluster) -> JobProfiles:
    """Return the cached profiles for a configuration."""
    latest = _same_job_profiles(compiled)
    if latest[0].is_full:
        latest[0] = JobProfiles(compiled)
    return latest[0]


@memoized(size=4)
def _same_job_profiles(compiled: CompiledCluster) -> list[JobProfiles]:
    """Return a list of one: the profiles shared by all configurations that lead to the same profiles."""
    objects = compiled.cluster.objects
    kinds = (Kind.PE, Kind.CKPT, Kind.USER, Kind.PROJECT, Kind.USERSET, Kind.HOSTGROUP)
    read = (compiled.attributes, compiled.configuration, *map(objects, kinds))
    known = _job_profiles_by_content(*read)
    names = (frozenset([instance.name for instance in compiled.instances]), frozenset(compiled.hosts))
    rules = filters_of_users(compiled.quotas)
    derived = (names, rules, *category_access(compiled), compiled.policy.tickets.usage.senseless)
    if derived not in known:
        if len(known) >= _SIMILAR:
            known.clear()
        known[derived] = [JobProfiles(compiled)]
    return known[derived]


def leaves_category(cluster: Cluster, others: Iterable[Job], before: Job, after: Job, *, is_sent: bool) -> bool:
    """True if qalter moves a job out of its category, so that the category's cached results do not hold for it.

    This includes the only job of a category whose tasks are all sent to the scheduler again (`is_sent`): 8.1.9 then
    deletes the category and creates it again.
    """
    job_profiles = job_profiles_of(compile_cluster(cluster))
    category = job_profiles.of(before).category
    if job_profiles.of(after).category != category:
        return True
    return is_sent and all(other.id == before.id or job_profiles.of(other).category != category for other in others)


def category_access(compiled: CompiledCluster) -> tuple[tuple[Userset, ...], frozenset[str]]:
    """Return the usersets and projects that a queue, host, PE or quota lists; only these distinguish categories."""
    usersets = set(named_usersets(compiled.quotas, compiled.usersets))
    projects = set(named_projects(compiled.quotas, compiled.cluster.objects(Kind.PROJECT)))
    for access in _all_access(compiled):
        usersets.update(access.user_lists, access.xuser_lists)
        projects.update(access.projects, access.xprojects)
    return tuple(userset for name, userset in compiled.usersets.items() if name in usersets), frozenset(projects)


def _all_access(compiled: CompiledCluster) -> Iterable[Access]:
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
