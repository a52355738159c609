"""Objects that the end of tasks changes: queue instances, hosts with bookings, quota sets and PEs."""

from collections.abc import Collection

from qmon_tui.model import ENVIRONMENT, HOST, QUOTA_SET, Cluster, Job, State, memoized, renewed
from qmon_tui.qmaster.scheduler_events import find_job
from qmon_tui.scheduler import session_of
from qmon_tui.scheduler.configuration import CompiledCluster
from qmon_tui.scheduler.jobs import job_profiles_of
from qmon_tui.scheduler.matching import Adjustments, Resources, started_jobs
from qmon_tui.scheduler.quotas import QuotaUsage, subject_of_job


def changed_by_end(cluster: Cluster, state: State, job: int, tasks: Collection[int]) -> list[str]:
    """Return the names (as in `State.changed`) of the objects that change when these tasks of a job end, in order.

    An object that several tasks change has its last position.
    """
    ending_job = find_job(state, job)
    if ending_job is None:
        return []
    session = session_of(cluster)
    alone = renewed(state, jobs=(ending_job,))
    is_configured = all(session.has_instances(task.granted) for task in ending_job.tasks.values())
    compiled = session.configured if is_configured else session.compiled(alone)
    return places_left(compiled, ending_job, tasks) if next(started_jobs(compiled, alone), None) is not None else []


def places_left(compiled: CompiledCluster, job: Job, tasks: Collection[int]) -> list[str]:
    """Return the names (as in `State.changed`) of the objects that change when these started tasks end.

    All their queue instances must be configured.
    """
    resources, quota_usage = _debited_resources(compiled)
    profile = job_profiles_of(compiled).of(job)
    demand = profile.demand
    names: list[str] = []
    for number in tasks:
        task = job.tasks[number]
        names += task.granted
        grants = resources.grants_of(task)
        hosts = [resources.host_of[instance] for instance, _ in grants]
        names += [
            HOST.format(resources.host_names[host])
            for place, host in enumerate(hosts)
            if resources.books_on(host, demand, master=place == 0)
        ]
        environment = resources.environment_of(job, number)
        if quota_usage is not None:
            subject = subject_of_job(job, profile.project, environment)
            counted = quota_usage.touched(subject, demand, grants) if subject is not None else {}
            names += [QUOTA_SET.format(name) for name, _ in sorted(counted.items(), key=lambda item: item[1])]
        if environment is not None:
            names.append(ENVIRONMENT.format(environment))
    return list(dict.fromkeys(reversed(names)))[::-1]


@memoized(size=2)
def _debited_resources(compiled: CompiledCluster) -> tuple[Resources, QuotaUsage | None]:
    """Return empty resources and quota counters."""
    resources = Resources(compiled, State(), Adjustments(), scales_loads=False)
    rule_matcher = compiled.qmaster_rule_matcher or compiled.rule_matcher
    return resources, None if compiled.rule_matcher is None or rule_matcher is None else QuotaUsage(
        rule_matcher, resources
    )
