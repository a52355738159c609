"""The start of a run with reservations: bookings of tasks in resource diagrams.

Source: reservation.md#resource-diagrams.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Final

from qmon_tui.model import messages
from qmon_tui.scheduler.dispatch.main_loop import Dispatch
from qmon_tui.scheduler.dispatch.reservation_dispatch import ReservationDispatch, ReservationState
from qmon_tui.scheduler.jobs import RunJob
from qmon_tui.scheduler.matching import Checker, FastChecker, Resources, StaticChecks
from qmon_tui.scheduler.parallel import HostList
from qmon_tui.scheduler.placement import QueueList, SequentialSearch
from qmon_tui.scheduler.quotas import QuotaUsage, subject_of
from qmon_tui.scheduler.reservation import (
    QUEUE_END,
    ArResources,
    EarliestChecker,
    JobMessages,
    RankedQueueList,
    ResourceDiagrams,
    ScheduleState,
    TaskAllocation,
    TimedChecker,
    TimedCounter,
    TimedParallelSearch,
    TimedSearches,
    TimedSequentialSearch,
    TimeWindow,
    ar_searches,
    started_duration,
)
from qmon_tui.scheduler.suspension import Availability
from qmon_tui.values import Calendar, CalendarState

NO_RESERVATIONS: Final[Mapping[str, ArResources]] = MappingProxyType({})


def initial_diagrams(
    resources: Resources,
    availability: Availability,
    jobs: Iterable[RunJob],
    now: int,
    advance: Mapping[str, ArResources] = NO_RESERVATIONS,
    quota_usage: QuotaUsage | None = None,
    *,
    schedules: bool | None = None,
) -> ResourceDiagrams:
    """Return the diagrams before the first placement. Jobs in an advance reservation are booked on its own levels.

    `advance`: number of an advance reservation, as text -> its resources. `schedules`: True if jobs may get
    reservations; None: if max_reservation allows them.
    """
    policy = resources.compiled.policy
    schedules = policy.max_reservation > 0 if schedules is None else schedules
    numbers = range(len(resources.instances))
    visible = frozenset(number for number in numbers if availability.is_planned_for(number))
    diagrams = ResourceDiagrams(resources.compiled.attributes, resources, schedules, visible, quota_usage)
    jobs = list(jobs)
    for reserved in advance.values():
        diagrams.claim(ar_allocation(reserved))
    diagrams.visible = visible if availability.plans_for_any else frozenset()
    for kind in (ScheduleState.RUNNING, ScheduleState.SUSPENDED):
        for run_job in jobs:
            tasks = run_job.split.booked_running if kind is ScheduleState.RUNNING else run_job.split.booked_suspended
            for task in tasks:
                allocation = hoped(started_allocation(run_job, task, kind, resources), now, policy.schedule_interval)
                own = advance.get(run_job.job.request.advance_reservation or "")
                if own is None:
                    diagrams.book(allocation)
                else:
                    diagrams.book_in(own.levels, allocation)
    close_by_calendars(diagrams, now)
    diagrams.visible = visible
    return diagrams


def _closed(calendar: Calendar, now: int) -> Iterator[tuple[int, int]]:
    """Yield (start, end) in which a calendar closes queues, in seconds since the epoch.

    The scheduler looks ahead only to the calendar's present state and the one after it.
    """
    start, before = now, None
    for _ in range(2):
        state = calendar.state_at(start)
        if state is before:
            return  # the calendar stopped looking for a change
        end = calendar.expected_next_change(start)
        if state is not CalendarState.ON:
            yield start, end or QUEUE_END
        if end is None:
            return
        start, before = end, state


def close_by_calendars(diagrams: ResourceDiagrams, now: int) -> None:
    """Book all slots of the visible queue instances while their calendars close them."""
    resources = diagrams.resources
    closed: dict[str, tuple[tuple[int, int], ...]] = {}
    for number in sorted(diagrams.visible):
        profile = resources.instances[number].profile
        calendar = resources.compiled.calendars.get(profile.calendar or "")
        if profile.calendar is not None and calendar is not None:
            if profile.calendar not in closed:
                closed[profile.calendar] = tuple(_closed(calendar, now))
            diagrams.close(resources.queues[number], closed[profile.calendar], float(profile.slots))


def started_allocation(run_job: RunJob, number: int, kind: ScheduleState, resources: Resources) -> TaskAllocation:
    """Return the booking of a started task, from its start for its assumed run time."""
    task = run_job.job.tasks[number]
    environment = resources.environment_of(run_job.job, number)
    return TaskAllocation(
        kind=kind,
        job=run_job.id,
        task=number,
        demand=run_job.demand,
        grants=resources.grants_of(task),
        start=int(task.started or 0),
        duration=started_duration(run_job, number, resources),
        environment=environment,
        subject=subject_of(run_job, environment),
        slots=sum(task.granted.values()),
    )


def hoped(allocation: TaskAllocation, now: int, interval: int) -> TaskAllocation:
    """Return the allocation; if its end has passed, with an end one scheduling interval from now."""
    if allocation.end > now:
        return allocation
    return replace(allocation, duration=now - allocation.start + interval)


def ar_allocation(reserved: ArResources) -> TaskAllocation:
    """Return the booking of an advance reservation, from its start to its end."""
    reservation = reserved.reservation
    return TaskAllocation(
        kind=ScheduleState.RESERVING,
        job=reservation.id,
        task=1,
        demand=reserved.demand,
        grants=reserved.grants,
        start=reservation.start,
        duration=reservation.end - reservation.start,
        environment=reserved.environment,
        slots=sum(slots for _, slots in reserved.grants),
    )


def with_reservation_search(
    plain: Dispatch,
    checker: Checker,
    unranked: QueueList,
    jobs: Iterable[RunJob],
    loads: Sequence[float],
    now: int,
    advance: Mapping[str, ArResources] = NO_RESERVATIONS,
    diagrams: ResourceDiagrams | None = None,
) -> ReservationDispatch:
    """Return the loop `plain` with the searches of a run with reservations.

    `loads`: sort value of each host; `diagrams`: the diagrams before the first placement; None: compute them.
    """
    resources, availability, policy = plain.resources, plain.availability, plain.policy
    seq_nos = [instance.profile.seq_no for instance in resources.instances]
    order = RankedQueueList(seq_nos, resources.host_of, loads, policy.sort_by_seqno, availability.usable)
    if diagrams is None:
        diagrams = initial_diagrams(resources, availability, jobs, now, advance, plain.quota_usage)
    orphaned = frozenset(resources.instances[number].name for number in availability.orphaned)
    announced = {messages.message(messages.NOT_AVAILABLE, name) for name in orphaned}
    window, job_messages = TimeWindow(now), JobMessages(announced)
    rules = StaticChecks(resources.compiled, orphaned=orphaned, announce=availability.messages.append)
    parts = (checker.attributes, checker.adjustments, checker.slots, diagrams, window)
    earliest = EarliestChecker(*parts)
    timed = TimedChecker(*parts)
    search = SequentialSearch(
        resources.compiled, resources, timed, unranked, quota_usage=plain.quota_usage, rules=rules
    )
    context = replace(plain.parallel.context, counter=TimedCounter(timed, diagrams, window), order=order, rules=rules)
    parallel = TimedParallelSearch(
        context,
        plain.parallel.environments,
        search.violations,
        plain.parallel.ranges,
        HostList(context, loads),
        diagrams,
        window,
        job_messages,
        plain.quota_usage,
    )
    parallel.fast_checker = checker if isinstance(checker, FastChecker) else None
    some_time = SequentialSearch(
        resources.compiled, resources, earliest, unranked, quota_usage=plain.quota_usage, rules=rules
    )
    sequential = TimedSequentialSearch(resources, order, search, some_time, earliest, job_messages)
    parallel.later_slots = sequential.times
    searches = TimedSearches(sequential, parallel, parallel)
    reservation_state = ReservationState(
        diagrams=diagrams,
        window=window,
        order=order,
        searches=searches,
        job_messages=job_messages,
        waitable=list(availability.waitable),
        known={(messages.FULL, number) for number in availability.waitable if resources.is_full(number)},
        ar_searches={
            name: ar_searches(ar_resources, resources.compiled, searches, availability.messages.append)
            for name, ar_resources in advance.items()
        },
    )
    return ReservationDispatch(
        policy=policy,
        resources=resources,
        availability=availability,
        order=order,
        search=search,
        parallel=parallel,
        formula=plain.formula,
        scheduling_info=plain.scheduling_info,
        alarms=plain.alarms,
        quota_usage=plain.quota_usage,
        tasks_of=plain.tasks_of,
        reservation_state=reservation_state,
    )
