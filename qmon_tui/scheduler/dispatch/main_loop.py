"""The main loop over the pending jobs in order of priority (dispatch.md#main-loop)."""

from bisect import insort
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, field

from qmon_tui.model import messages
from qmon_tui.scheduler.configuration import SchedConf
from qmon_tui.scheduler.dispatch.consumable_alarms import ConsumableAlarms
from qmon_tui.scheduler.dispatch.scheduling_info import SchedulingInfo
from qmon_tui.scheduler.jobs import RunJob
from qmon_tui.scheduler.matching import SLOTS, Grants, Resources, StartOrder
from qmon_tui.scheduler.parallel import ParallelSearch
from qmon_tui.scheduler.placement import QueueList, QueueOrder, SequentialSearch
from qmon_tui.scheduler.priority import WeightedSum
from qmon_tui.scheduler.quotas import QuotaUsage, subject_of
from qmon_tui.scheduler.reservation import ScheduleLine, TaskAllocation
from qmon_tui.scheduler.suspension import Availability, newly_reached

_NONE: frozenset[int] = frozenset()


@dataclass(slots=True)
class Dispatch:
    """The main loop of one run and its results: the orders to start tasks, and the messages for qstat -j."""

    policy: SchedConf
    resources: Resources
    availability: Availability
    order: QueueList
    search: SequentialSearch
    parallel: ParallelSearch
    formula: WeightedSum
    scheduling_info: SchedulingInfo
    alarms: ConsumableAlarms | None
    quota_usage: QuotaUsage | None = None
    """Quota counters; None without quotas."""
    starts: list[StartOrder] = field(default_factory=list)
    wants_reasons: bool = True
    """True if reasons for not starting are wanted (and schedd_job_info enables them)."""
    tasks_of: dict[str, int] = field(default_factory=dict)
    """User -> running and suspended tasks, including those started in this run."""
    _waiting: list[RunJob] = field(default_factory=list)
    _upcoming: Iterator[RunJob] = field(default_factory=lambda: iter(()))
    """The jobs after `_waiting`, sorted one by one on demand; empty if `_waiting` has all jobs."""
    _position: int = 0
    """Index of the next job in `_waiting`."""
    _were_put_back: list[RunJob] = field(default_factory=list)
    """Jobs that were sorted in again for their next task, in order; a job occurs once for each time."""

    def run(self, pending: Sequence[RunJob], end: "RunEnd | None" = None) -> None:
        """Try the sorted pending jobs until no queue instance or job is left, or `end` is reached."""
        self._waiting = list(pending)
        self._run(end)

    def run_in_turn(self, upcoming: Iterator[RunJob]) -> None:
        """Try the pending jobs; `upcoming` yields them in order of priority, sorted on demand."""
        if self.policy.maxujobs:
            self.run(list(upcoming))
            return
        self._upcoming = upcoming
        self._run(None)

    def _take_next(self) -> bool:
        """Move the next job from `_upcoming` to `_waiting`; return False if none is left."""
        run_job = next(self._upcoming, None)
        if run_job is None:
            return False
        self._waiting.append(run_job)
        return True

    def _run(self, end: "RunEnd | None") -> None:
        order, maxujobs = self.order, self.policy.maxujobs
        for owner in list(self.tasks_of):
            self._check_user(owner)
        while self._position < len(self._waiting) or self._take_next():
            run_job = self._waiting[self._position]
            if end is not None and end.is_reached(run_job):
                break
            self._position += 1
            if run_job.not_simulated or run_job.category.rejected:
                continue
            placed = self._try(run_job)
            if placed is None:
                continue
            self._start(run_job, *placed)
            has_more = run_job.next_task < len(run_job.queue)
            if has_more:
                # While the last task is booked, the job itself still counts as pending.
                self._position -= 1
            if maxujobs:
                self._check_user(run_job.job.owner)
            if not len(order):
                break
            if has_more and run_job.excluded_at is None and self._set_next_priority(run_job):
                self._put_back(run_job)

    def _put_back(self, run_job: RunJob) -> None:
        """Sort the current job into `_waiting` again, by the priority of its next task; mostly it stays in place."""
        self._were_put_back.append(run_job)
        waiting, after = self._waiting, self._position + 1
        if after == len(waiting):
            self._take_next()
        if not self.resources.fast or (after < len(waiting) and waiting[after].sort_key() < run_job.sort_key()):
            del waiting[self._position]
            while waiting and waiting[-1].sort_key() < run_job.sort_key() and self._take_next():
                pass
            insort(waiting, run_job, lo=self._position, key=RunJob.sort_key)

    def _try(self, run_job: RunJob) -> tuple[Grants, str | None] | None:
        """Return the grants and PE of the job's next task; None, with its category rejected, if it fits nowhere."""
        texts: Sequence[str] = ()
        if run_job.job.request.pe is None:
            instance = self.search.find_by_shortcut(run_job)
            if instance is not None:
                return ((instance, 1),), None
            seen = self.search.before(run_job)
            instance = self.search.find(run_job)
            if instance is not None:
                return ((instance, 1),), None
            if self.policy.job_info and self.wants_reasons:
                texts = self.search.reasons(run_job, seen)
        else:
            before = self.parallel.before(run_job)
            self.parallel.has_visited_hosts = False
            assignment = self.parallel.find(run_job)
            self.order.note_ranks(has_visited_hosts=self.parallel.has_visited_hosts)
            if assignment is not None:
                self.resources.debit_environment(assignment.environment, assignment.slots)
                return assignment.grants, assignment.environment
            # The search for messages marks hosts in exclusive use.
            if self.policy.job_info and (self.wants_reasons or self.resources.compiled.attributes.has_exclusive):
                texts = self.parallel.reasons(run_job, before)
        run_job.category.rejected = True
        run_job.category.rejected_at = len(self.starts)
        run_job.category.rejected_with = run_job.id
        self.scheduling_info.reject(run_job, texts)
        return None

    def _start(self, run_job: RunJob, grants: Grants, environment: str | None) -> None:
        """Order the start of the job's next task, book it, and remove queue instances that cannot take more."""
        subject = subject_of(run_job, environment) if self.quota_usage is not None else None
        if self.quota_usage is not None and subject is not None:
            self.quota_usage.debit(subject, run_job.demand, grants)
        task = run_job.queue[run_job.next_task]
        run_job.next_task += 1
        if run_job.template is not None:
            # A task beyond max_pending_tasks_per_job has no tickets of its own: it gets those of the job's first one.
            run_job.tickets.setdefault(task, run_job.template)
        self.starts.append(StartOrder(run_job, task, grants, subject, environment))
        self.scheduling_info.forget()
        resources, demand = self.resources, run_job.demand
        loads_change = not resources.has_steady_loads
        master = True
        for instance, slots in grants:
            # 8.1.9 calculates the host's load before it books the next grants on the global host.
            host = resources.debit_grant(demand, instance, slots, master=master)
            if loads_change:
                self._update_host(host, slots)
            else:
                self.parallel.hosts.note_start(host)
            master = False
        owner = run_job.job.owner
        self.tasks_of[owner] = self.tasks_of.get(owner, 0) + 1
        self._drop_queues(run_job, grants)

    def _update_host(self, host: int, slots: int) -> None:
        """Count the started task in the host's load, and update its queue instances in the list."""
        resources = self.resources
        if self.policy.load_adjustment_decay and self.policy.load_adjustments:
            resources.hosts[host].correction += 100 * slots
        load = resources.host_load(host)
        self.order.set_load(resources.instances_of[host], load)
        self.parallel.hosts.note_start(host, load)

    def _drop_queues(self, run_job: RunJob, grants: Grants) -> None:
        """Remove queue instances that this start suspended, filled up or put into alarm."""
        resources, alarms = self.resources, self.alarms
        instances = [instance for instance, _ in grants]
        # Only load thresholds read `listed`.
        listed = self.order.in_order(instances) if resources.with_load_thresholds else ()
        if resources.compiled.subordination is not None:
            self._drop_suspended(self._suspend(grants))
        self._drop_full(instances)
        tagged = alarms.check(run_job.demand, grants) if alarms is not None else _NONE
        if not (tagged or resources.with_load_thresholds or self.parallel.has_marked):
            return
        if self.policy.load_adjustments and (run_job.job.request.pe is None or self.parallel.adjusts):
            self._drop_overloaded(listed, tagged)

    def _suspend(self, grants: Grants) -> list[int]:
        """Mark the listed queue instances that these grants suspend as suspended, and return them.

        The scheduler treats slot-wise subordinates like queue-wise ones without a threshold
        (suspension.md#subordination-during-a-run). It ignores instances in `known_suspended`.
        """
        compiled = self.resources.compiled
        used = self.resources.slots_used
        ties = [tie for number, slots in grants for tie in newly_reached(compiled, number, used(number) - slots, slots)]
        known_suspended = self.availability.known_suspended
        reached = dict.fromkeys(tie.instance for tie in ties if tie.instance not in known_suspended)
        suspended = [instance for instance in reached if instance in self.order]
        self.availability.suspended.update(suspended)
        return suspended

    def _drop_suspended(self, instances: Sequence[int]) -> None:
        for instance in self.order.in_order(instances):
            self.availability.drop(instance, messages.SUSPENDED)
            self._remove(instance)

    def _drop_full(self, instances: Sequence[int]) -> None:
        """Remove full queue instances from the list; suspended ones were removed before."""
        queues, totals = self.resources.queues, self.resources.totals
        full = [instance for instance in instances if queues[instance].used[SLOTS] >= totals[instance]]
        for instance in self.order.in_order(full) if full else ():
            if instance not in self.availability.suspended:
                self.availability.drop(instance, messages.FULL)
                self._remove(instance)

    def _drop_overloaded(self, instances: Sequence[int], tagged: Set[int]) -> None:
        """Remove from the list the tagged queue instances, and those in load alarm on the hosts of `instances`.

        If load adjustments change values of the global host, load alarms are checked on all hosts.
        """
        resources = self.resources
        if not self.policy.load_adjustments:
            return
        tagged = tagged | self.parallel.found_in_exclusive_use()
        limited = resources.with_load_thresholds
        if not tagged and not limited:
            return
        hosts = {resources.host_of[instance] for instance in instances}
        touched = {number for host in hosts for number in resources.instances_of[host] if number in limited}
        on_all_hosts = self._has_global_correction()
        for number in list(self.order) if on_all_hosts else self.order.in_order(tagged | touched):
            if number in tagged or self.availability.is_overloaded(number, with_consumables=False):
                self._remove(number)

    def _has_global_correction(self) -> bool:
        """True if load adjustments change a load value of the global host."""
        loads = self.resources.global_level.loads
        return bool(self.policy.load_adjustment_decay) and any(name in loads for name in self.policy.load_adjustments)

    def _remove(self, instance: int) -> None:
        self.order.remove(instance)
        self.resources.note_change(self.resources.host_of[instance])
        if self.alarms is not None:
            self.alarms.forget(instance)

    def take_over(self, before: "Dispatch") -> None:
        """Take over the results of a finished loop whose configuration leads to the same decisions."""
        self.starts, self.tasks_of, self.scheduling_info = before.starts, before.tasks_of, before.scheduling_info
        assert isinstance(self.order, QueueOrder)
        assert isinstance(before.order, QueueOrder)
        self.order.take_over(before.order)
        self.parallel.take_over(before.parallel)

    def start_next_task(self, run_job: RunJob) -> Grants | None:
        """Start a job's next task now, before jobs of higher priority; return its grants, None if it fits nowhere.

        For questions about a finished run: the run cannot be continued afterwards.
        """
        placed = self._try(run_job)
        if placed is None:
            return None
        self._start(run_job, *placed)
        return placed[0]

    def prepare_checks(self, run_job: RunJob) -> None:
        """Prepare the checks for queries about this job."""

    @property
    def reserved(self) -> Sequence[TaskAllocation]:
        """The reservations made in this run, in order; none without reservation scheduling."""
        return ()

    @property
    def schedule_lines(self) -> Sequence[ScheduleLine]:
        """All bookings in resource diagrams, in order, as in the file `schedule`; none without reservations."""
        return ()

    def _check_user(self, owner: str) -> None:
        """Exclude a user's pending jobs if maxujobs is reached; jobs that were sorted in again are reported last."""
        limit = self.policy.maxujobs
        if not limit or self.tasks_of.get(owner, 0) < limit:
            return
        waiting = self._waiting[self._position :]
        own = [run_job for run_job in waiting if run_job.job.owner == owner]
        latest = {run_job.id: position for position, run_job in enumerate(self._were_put_back)}
        for run_job in sorted(own, key=lambda job: latest.get(job.id, -1)):
            run_job.excluded_at = len(self.starts)
            self.scheduling_info.exclude(run_job.id, owner, at_first=not self.starts)
        self._waiting[self._position :] = [run_job for run_job in waiting if run_job.job.owner != owner]

    def _set_next_priority(self, run_job: RunJob) -> bool:
        """Give the job the priority of its next task; return False if that has no tickets: the job keeps its place."""
        task = run_job.queue[run_job.next_task]
        tickets = run_job.tickets.get(task)
        if tickets is None:
            return False
        if run_job.next_task < len(run_job.split.enrolled):
            run_job.prior = tickets.prior
        else:
            self.formula.set_for_next_task(run_job, task)
        return True


@dataclass(frozen=True, slots=True)
class RunEnd:
    """The early end of a run made to decide about one task; later decisions cannot change the result."""

    run_job: RunJob
    task: int
    before: bool
    """True if the run ends before the task is tried, False if after it was decided."""

    def is_reached(self, following: RunJob) -> bool:
        """True if the run can end before the job `following` is tried."""
        run_job = self.run_job
        if run_job.category.rejected or run_job.excluded_at is not None:
            return True
        queue, started = run_job.queue, run_job.next_task
        is_next = self.before and following is run_job and queue[started] == self.task
        return is_next or self.task in queue[:started]
