"""Time ahead: resource diagrams, backfilling, advance reservations."""

from qmon_tui.scheduler.reservation.ar_granted_pe import EXCLUDED, ar_requester
from qmon_tui.scheduler.reservation.ar_resources import (
    ArResources,
    compile_reservations,
    holding,
    lasting,
    slots_reserved,
)
from qmon_tui.scheduler.reservation.ar_searches import ArSearches, ArStaticRules, ar_searches
from qmon_tui.scheduler.reservation.durations import (
    TimeWindow,
    duration_limit,
    pending_duration,
    requested_duration,
    started_duration,
)
from qmon_tui.scheduler.reservation.job_messages import JobMessages
from qmon_tui.scheduler.reservation.ranked_queue_list import RankedQueueList
from qmon_tui.scheduler.reservation.resource_diagrams import (
    ResourceDiagrams,
    ScheduleLine,
    ScheduleState,
    TaskAllocation,
)
from qmon_tui.scheduler.reservation.step_function import QUEUE_END, StepFunction, until
from qmon_tui.scheduler.reservation.timed_check import EarliestChecker, TimedChecker, TimedCounter
from qmon_tui.scheduler.reservation.timed_parallel import TimedParallelSearch
from qmon_tui.scheduler.reservation.timed_searches import TimedSearches
from qmon_tui.scheduler.reservation.timed_sequential import TimedSequentialSearch

__all__ = [
    "EXCLUDED",
    "QUEUE_END",
    "ArResources",
    "ArSearches",
    "ArStaticRules",
    "EarliestChecker",
    "JobMessages",
    "RankedQueueList",
    "ResourceDiagrams",
    "ScheduleLine",
    "ScheduleState",
    "StepFunction",
    "TaskAllocation",
    "TimeWindow",
    "TimedChecker",
    "TimedCounter",
    "TimedParallelSearch",
    "TimedSearches",
    "TimedSequentialSearch",
    "ar_requester",
    "ar_searches",
    "compile_reservations",
    "duration_limit",
    "holding",
    "lasting",
    "pending_duration",
    "requested_duration",
    "slots_reserved",
    "started_duration",
    "until",
]
