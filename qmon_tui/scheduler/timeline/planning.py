"""The beginning of a run with reservations: what the tasks that are there use, and until when (dispatch.md 9.1)."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from qmon_tui.scheduler.available import Availability
from qmon_tui.scheduler.compiled.policy import Policy
from qmon_tui.scheduler.jobs import RunJob
from qmon_tui.scheduler.matching.check import Checker
from qmon_tui.scheduler.placement.sequential import Search
from qmon_tui.scheduler.placement.site import Site
from qmon_tui.scheduler.resources import Resources
from qmon_tui.scheduler.timeline.check import EarliestChecker, TimedChecker
from qmon_tui.scheduler.timeline.diagrams import Diagrams, Kind, Plan
from qmon_tui.scheduler.timeline.durations import of_started
from qmon_tui.scheduler.timeline.loop import Plans
from qmon_tui.scheduler.timeline.parallel import ParallelPlans
from qmon_tui.scheduler.timeline.ranks import HostRanks
from qmon_tui.scheduler.timeline.room import TimedCounter
from qmon_tui.scheduler.timeline.sequential import SequentialPlans
from qmon_tui.scheduler.timeline.steps import until
from qmon_tui.scheduler.timeline.window import Window


def diagrams_of(resources: Resources, availability: Availability, jobs: Iterable[RunJob], now: int) -> Diagrams:
    """The diagrams before anything is decided."""
    policy = resources.compiled.policy
    numbers = range(len(resources.instances))
    visible = frozenset(number for number in numbers if availability.has_future(number))
    diagrams = Diagrams(resources.compiled.attributes, resources, policy.max_reservation > 0, visible)
    jobs = list(jobs)
    for kind in (Kind.RUNNING, Kind.SUSPENDED):
        for run_job in jobs:
            tasks = run_job.split.running if kind is Kind.RUNNING else run_job.split.suspended
            for task in tasks:
                diagrams.book(_plan(run_job, task, kind, resources, policy, now))
    return diagrams


def _plan(run_job: RunJob, number: int, kind: Kind, resources: Resources, policy: Policy, now: int) -> Plan:
    """What a running or suspended task has; one that should be over is hoped to be at the end of the next interval."""
    task = run_job.job.tasks[number]
    numbers = resources.instance_numbers
    grants = [(numbers[name], slots) for name, slots in task.granted.items() if name in numbers]
    profiles = (resources.instances[instance].profile for instance, _ in grants)
    start = int(task.started or 0)
    duration = of_started(run_job.demand, profiles, policy.default_duration, policy.duration_offset)
    if until(start, duration) <= now:
        duration = now - start + policy.schedule_interval
    request = run_job.job.request.pe
    return Plan(
        kind=kind,
        job=run_job.id,
        task=number,
        demand=run_job.demand,
        grants=grants,
        start=start,
        duration=duration,
        environment=resources.environment_of(request.name, grants) if request is not None else None,
        slots=sum(task.granted.values()),
    )


def plans_for(
    diagrams: Diagrams, site: Site, checker: Checker, loads: Sequence[float], aside: Iterable[int], now: int
) -> Plans:
    """The searches of a run with reservations."""
    window, waiting = Window(now), list(aside)
    resources, order = site.resources, site.order
    parts = (checker.attributes, checker.adjustments, checker.slots, diagrams, window)
    timed, earliest = TimedChecker(*parts), EarliestChecker(*parts)
    plain = Search(site.compiled, resources, checker, order)
    return Plans(
        diagrams=diagrams,
        window=window,
        sequential=SequentialPlans(
            resources,
            order,
            Search(site.compiled, resources, timed, order),
            Search(site.compiled, resources, earliest, order),
            earliest,
        ),
        parallel=ParallelPlans(
            replace(site, counter=TimedCounter(checker, diagrams, window)),
            resources.environments_in_order(),
            plain.violations,
            site.compiled.policy.range_algorithm,
            diagrams,
            window,
        ),
        ranks=HostRanks(loads),
        aside=waiting,
        known={number for number in waiting if resources.is_full(number)},
    )
