"""The beginning of a run with reservations: what the tasks that are there use, and until when (dispatch.md 9.1)."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Final

from qmon_tui.scheduler import messages
from qmon_tui.scheduler.advance.reserved import Reserved
from qmon_tui.scheduler.advance.searches import quarters
from qmon_tui.scheduler.available import Availability
from qmon_tui.scheduler.dispatch import Dispatch
from qmon_tui.scheduler.jobs import RunJob
from qmon_tui.scheduler.matching.check import Checker
from qmon_tui.scheduler.matching.static import StaticRules
from qmon_tui.scheduler.placement.host_list import HostList
from qmon_tui.scheduler.placement.order import QueueOrder
from qmon_tui.scheduler.placement.sequential import Search
from qmon_tui.scheduler.quotas.ledger import Ledger, party_of
from qmon_tui.scheduler.resources import Resources
from qmon_tui.scheduler.timeline.check import EarliestChecker, TimedChecker
from qmon_tui.scheduler.timeline.diagrams import Diagrams, Kind, Plan
from qmon_tui.scheduler.timeline.durations import of_started
from qmon_tui.scheduler.timeline.loop import PlanningDispatch, Plans
from qmon_tui.scheduler.timeline.order import RankedOrder
from qmon_tui.scheduler.timeline.parallel import ParallelPlans
from qmon_tui.scheduler.timeline.room import TimedCounter
from qmon_tui.scheduler.timeline.searches import Searches
from qmon_tui.scheduler.timeline.sequential import SequentialPlans
from qmon_tui.scheduler.timeline.steps import QUEUE_END, until
from qmon_tui.scheduler.timeline.voice import Voice
from qmon_tui.scheduler.timeline.window import Window
from qmon_tui.values.calendar import Calendar, CalendarState

NO_RESERVATIONS: Final[Mapping[str, Reserved]] = MappingProxyType({})


def diagrams_of(
    resources: Resources,
    availability: Availability,
    jobs: Iterable[RunJob],
    now: int,
    advance: Mapping[str, Reserved] = NO_RESERVATIONS,
    ledger: Ledger | None = None,
    *,
    schedules: bool | None = None,
) -> Diagrams:
    """The diagrams before anything is decided. Jobs in an advance reservation are in what it claims.

    `schedules` tells whether reservations are made at all; without it, the configuration does.
    """
    policy = resources.compiled.policy
    schedules = policy.max_reservation > 0 if schedules is None else schedules
    numbers = range(len(resources.instances))
    visible = frozenset(number for number in numbers if availability.has_future(number))
    diagrams = Diagrams(resources.compiled.attributes, resources, schedules, visible, ledger)
    jobs = list(jobs)
    for reserved in advance.values():
        diagrams.claim(claim_of(reserved))
    diagrams.visible = visible if availability.knows_the_future else frozenset()
    for kind in (Kind.RUNNING, Kind.SUSPENDED):
        for run_job in jobs:
            tasks = run_job.split.booked_running if kind is Kind.RUNNING else run_job.split.booked_suspended
            for task in tasks:
                plan = _plan(run_job, task, kind, resources, now)
                own = advance.get(run_job.job.request.advance_reservation or "")
                if own is None:
                    diagrams.book(plan)
                else:
                    diagrams.book_in(own.levels, plan)
    closed: dict[str, tuple[tuple[int, int], ...]] = {}
    for number in sorted(diagrams.visible):
        profile = resources.instances[number].profile
        calendar = resources.compiled.calendars.get(profile.calendar or "")
        if profile.calendar is not None and calendar is not None:
            if profile.calendar not in closed:
                closed[profile.calendar] = tuple(_closed(calendar, now))
            diagrams.close(resources.queues[number], closed[profile.calendar], float(profile.slots))
    diagrams.visible = visible
    return diagrams


def _closed(calendar: Calendar, now: int) -> Iterator[tuple[int, int]]:
    """When a calendar closes queue instances: the scheduler knows what it does now and what it does next."""
    start, before = now, None
    for _ in range(2):
        state = calendar.state_at(start)
        if state is before:
            return  # it has given up looking for a change
        end = calendar.expected_next_change(start)
        if state is not CalendarState.ON:
            yield start, end or QUEUE_END
        if end is None:
            return
        start, before = end, state


def _plan(run_job: RunJob, number: int, kind: Kind, resources: Resources, now: int) -> Plan:
    """What a running or suspended task has; one that should be over is hoped to be at the end of the next interval."""
    task = run_job.job.tasks[number]
    start = int(task.started or 0)
    duration = of_started(run_job, number, resources)
    if until(start, duration) <= now:
        duration = now - start + resources.compiled.policy.schedule_interval
    environment = resources.environment_of(run_job.job, number)
    return Plan(
        kind=kind,
        job=run_job.id,
        task=number,
        demand=run_job.demand,
        grants=resources.grants_of(task),
        start=start,
        duration=duration,
        environment=environment,
        party=party_of(run_job, environment),
        slots=sum(task.granted.values()),
    )


def claim_of(reserved: Reserved) -> Plan:
    """What an advance reservation has, from its beginning to its end."""
    one = reserved.reservation
    return Plan(
        kind=Kind.RESERVING,
        job=one.id,
        task=1,
        demand=reserved.demand,
        grants=reserved.grants,
        start=one.start,
        duration=one.end - one.start,
        environment=reserved.environment,
        slots=sum(slots for _, slots in reserved.grants),
    )


def with_reservations(
    plain: Dispatch,
    checker: Checker,
    unranked: QueueOrder,
    jobs: Iterable[RunJob],
    loads: Sequence[float],
    now: int,
    advance: Mapping[str, Reserved] = NO_RESERVATIONS,
) -> PlanningDispatch:
    """The same loop over the same cluster, with the searches of a run in which there may be reservations."""
    resources, availability, policy = plain.resources, plain.availability, plain.policy
    seq_nos = [instance.profile.seq_no for instance in resources.instances]
    order = RankedOrder(seq_nos, resources.host_of, loads, policy.sort_by_seqno, availability.usable)
    diagrams = diagrams_of(resources, availability, jobs, now, advance, plain.ledger)
    orphaned = frozenset(resources.instances[number].name for number in availability.orphaned)
    announced = {messages.message(messages.NOT_AVAILABLE, name) for name in orphaned}
    window, voice = Window(now), Voice(announced)
    rules = StaticRules(resources.compiled, orphaned=orphaned, announce=availability.messages.append)
    parts = (checker.attributes, checker.adjustments, checker.slots, diagrams, window)
    earliest = EarliestChecker(*parts)
    timed = TimedChecker(*parts)
    search = Search(resources.compiled, resources, timed, unranked, ledger=plain.ledger, rules=rules)
    site = replace(plain.parallel.site, counter=TimedCounter(timed, diagrams, window), order=order, rules=rules)
    parallel = ParallelPlans(
        site,
        plain.parallel.environments,
        search.violations,
        plain.parallel.ranges,
        HostList(site, loads),
        diagrams,
        window,
        voice,
        plain.ledger,
    )
    some_time = Search(resources.compiled, resources, earliest, unranked, ledger=plain.ledger, rules=rules)
    sequential = SequentialPlans(resources, order, search, some_time, earliest, voice)
    parallel.later_rooms = sequential.times
    everybody = Searches(sequential, parallel, parallel)
    plans = Plans(
        diagrams=diagrams,
        window=window,
        order=order,
        searches=everybody,
        voice=voice,
        aside=list(availability.aside),
        known={(messages.FULL, number) for number in availability.aside if resources.is_full(number)},
        quarters={
            name: quarters(one, resources.compiled, everybody, availability.messages.append)
            for name, one in advance.items()
        },
    )
    return PlanningDispatch(
        policy=policy,
        resources=resources,
        availability=availability,
        order=order,
        search=search,
        parallel=parallel,
        formula=plain.formula,
        notes=plain.notes,
        alarms=plain.alarms,
        ledger=plain.ledger,
        tasks_of=plain.tasks_of,
        plans=plans,
    )
