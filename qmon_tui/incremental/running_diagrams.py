"""Running tasks as bookings over time, kept from run to run: ends are taken back, starts are added.

The rule is `initial_diagrams`. Amounts are whole numbers here (`is_exact`), and no running task has a duration of 0:
so the diagrams do not depend on the order of bookings.
"""

from heapq import heappop, heappush

from qmon_tui.incremental.known_jobs import KnownJob
from qmon_tui.incremental.latest_changes import TaskKey
from qmon_tui.scheduler.dispatch import close_by_calendars, hoped, started_allocation
from qmon_tui.scheduler.matching import Resources
from qmon_tui.scheduler.quotas import QuotaUsage
from qmon_tui.scheduler.reservation import ResourceDiagrams, ScheduleState, TaskAllocation
from qmon_tui.scheduler.suspension import Availability


class RunningDiagrams:
    """The resource diagrams of all running tasks."""

    def __init__(self, resources: Resources) -> None:
        compiled = resources.compiled
        # The quota usage is used only for the keys under which tasks count.
        quota_usage = (
            QuotaUsage(compiled.rule_matcher, resources, compiled.qmaster_rule_matcher)
            if compiled.rule_matcher is not None
            else None
        )
        self._resources = resources
        self._interval = compiled.policy.schedule_interval
        everywhere = frozenset(range(len(resources.instances)))
        self._booked = ResourceDiagrams(
            compiled.attributes, resources, True, everywhere, quota_usage, writes_lines=False
        )
        self._allocations: dict[TaskKey, TaskAllocation] = {}
        """Task -> its booking."""
        self._ends: list[tuple[int, TaskKey]] = []
        """Heap of (planned end in seconds since the epoch, task); tasks that ended early are still in it."""
        self._overdue: dict[TaskKey, TaskAllocation] = {}
        """Task that runs longer than planned -> its booking with the planned duration."""

    def book(self, known: KnownJob) -> None:
        """Book the running tasks of a job that are not booked yet."""
        for number in known.run_job.split.running:
            key = known.job.id, number
            if key not in self._allocations:
                allocation = started_allocation(known.run_job, number, ScheduleState.RUNNING, self._resources)
                self._book(key, allocation)
                heappush(self._ends, (allocation.end, key))

    def take_back(self, known: KnownJob) -> None:
        """Take back the bookings of all tasks of a job."""
        for number in known.run_job.split.running:
            key = known.job.id, number
            self._booked.take_back(self._allocations.pop(key))
            self._overdue.pop(key, None)

    def in_run(self, now: int, availability: Availability, quota_usage: QuotaUsage | None) -> ResourceDiagrams:
        """Return the diagrams before the first decision; what a run books in them does not change the base."""
        self._wait_for_overdue(now)
        booked, resources = self._booked, self._resources
        numbers = range(len(resources.instances))
        visible = frozenset(number for number in numbers if availability.is_planned_for(number))
        planned = ResourceDiagrams(
            booked.attributes, resources, True, visible, quota_usage, base=booked, writes_lines=False
        )
        if resources.compiled.calendars:
            planned.visible = visible if availability.plans_for_any else frozenset()
            close_by_calendars(planned, now)
            planned.visible = visible
        return planned

    def _wait_for_overdue(self, now: int) -> None:
        """Book tasks that run longer than planned again, with ends that the scheduler now expects."""
        while self._ends and self._ends[0][0] <= now:
            end, key = heappop(self._ends)
            allocation = self._allocations.get(key)
            if allocation is not None and key not in self._overdue and allocation.end == end:
                self._overdue[key] = allocation
        for key, allocation in self._overdue.items():
            self._booked.take_back(self._allocations[key])
            self._book(key, hoped(allocation, now, self._interval))

    def _book(self, key: TaskKey, allocation: TaskAllocation) -> None:
        self._allocations[key] = allocation
        self._booked.book(allocation)
