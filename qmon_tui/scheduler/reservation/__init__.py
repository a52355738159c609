"""Scheduling of future times: resource diagrams, backfilling, advance reservations."""

from qmon_tui.scheduler.reservation.ar_granted_pe import EXCLUDED as EXCLUDED, ar_requester as ar_requester
from qmon_tui.scheduler.reservation.ar_resources import (
    ArResources as ArResources,
    compile_reservations as compile_reservations,
    holding as holding,
    lasting as lasting,
    slots_reserved as slots_reserved,
)
from qmon_tui.scheduler.reservation.ar_searches import (
    ArSearches as ArSearches,
    ArStaticRules as ArStaticRules,
    ar_searches as ar_searches,
)
from qmon_tui.scheduler.reservation.durations import (
    TimeWindow as TimeWindow,
    duration_limit as duration_limit,
    pending_duration as pending_duration,
    requested_duration as requested_duration,
    started_duration as started_duration,
    wallclock_limit_of as wallclock_limit_of,
)
from qmon_tui.scheduler.reservation.job_messages import JobMessages as JobMessages
from qmon_tui.scheduler.reservation.ranked_queue_list import RankedQueueList as RankedQueueList
from qmon_tui.scheduler.reservation.resource_diagrams import (
    ResourceDiagrams as ResourceDiagrams,
    ScheduleLine as ScheduleLine,
    ScheduleState as ScheduleState,
    TaskAllocation as TaskAllocation,
)
from qmon_tui.scheduler.reservation.step_function import (
    QUEUE_END as QUEUE_END,
    StepFunction as StepFunction,
    until as until,
)
from qmon_tui.scheduler.reservation.timed_check import (
    EarliestChecker as EarliestChecker,
    TimedChecker as TimedChecker,
    TimedCounter as TimedCounter,
)
from qmon_tui.scheduler.reservation.timed_parallel import TimedParallelSearch as TimedParallelSearch
from qmon_tui.scheduler.reservation.timed_searches import TimedSearches as TimedSearches
from qmon_tui.scheduler.reservation.timed_sequential import TimedSequentialSearch as TimedSequentialSearch
