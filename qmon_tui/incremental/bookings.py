"""Booked resources, kept from run to run: ended tasks are taken back, started tasks are added.

The rules are `InitialState.before_dispatch` and `listed_instances_and_hosts`. Amounts are whole numbers here
(`is_exact`), so that it does not matter in which order they are added up.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Set

from qmon_tui.incremental.instance_states import InstanceStates
from qmon_tui.incremental.known_jobs import KnownJob
from qmon_tui.incremental.latest_changes import LatestChanges, TaskKey, listed_hosts, listed_instances
from qmon_tui.incremental.latest_moments import newly_dated
from qmon_tui.incremental.prerequisites import NotIncremental
from qmon_tui.incremental.running_diagrams import RunningDiagrams
from qmon_tui.model import HOST, State
from qmon_tui.qmaster import Consumables, counted_levels, sums_of
from qmon_tui.scheduler.configuration import CompiledCluster
from qmon_tui.scheduler.dispatch import InitialState
from qmon_tui.scheduler.jobs import Demand, RunJob
from qmon_tui.scheduler.matching import SLOTS, Adjustments, FastChecker, Grants, Resources, StartOrder, Thresholds
from qmon_tui.scheduler.placement import KnownChecks
from qmon_tui.scheduler.quotas import QuotaUsage
from qmon_tui.scheduler.reservation import ResourceDiagrams
from qmon_tui.scheduler.suspension import LEFT_OUT, Availability, left_out


class Bookings:
    """The resources of a configuration with the bookings of all running tasks."""

    def __init__(self, compiled: CompiledCluster, loads: Mapping[str, Mapping[str, str]]) -> None:
        self.compiled = compiled
        self.loads = loads
        self._adjustments = Adjustments.of(compiled.policy.load_adjustments)
        self._thresholds = Thresholds(compiled.attributes, self._adjustments)
        self.resources = Resources(compiled, State(loads=loads), self._adjustments)
        self.letters = InstanceStates(compiled)
        self.states = self.letters.letters
        """The states (qstat's letters) of all queue instances, by instance number."""
        slots = compiled.attributes.by_name.get(SLOTS)
        checker = FastChecker(compiled.attributes, self._adjustments, slots)
        # While the known checks are in use, queue instances with a state are not looked at.
        self._initial_states = self.states
        self._known_checks = KnownChecks(self.resources, checker, self._initial_states)
        instances, subordination = compiled.instances, compiled.subordination
        numbers = subordination.subordinates() if subordination is not None else frozenset[int]()
        self.subordinates = frozenset(instances[number].name for number in numbers)
        """Names of the queue instances that others may suspend, as a whole or task by task."""
        self._suspending = [
            number
            for number, instance in enumerate(instances)
            if instance.profile.suspend_thresholds and instance.profile.nsuspend
        ]
        self._all_numbers = frozenset(range(len(compiled.instances)))
        self._counted = list(counted_levels(self.resources, compiled.attributes))
        self._find_open_instances()
        names = [instance.name for instance in compiled.instances]
        self._instance_changes = LatestChanges(names)
        self._host_changes = LatestChanges(self.resources.host_names)
        self._changed: Mapping[str, float] = {}
        """`State.changed` of the last run."""
        self._parallel: dict[TaskKey, tuple[str, int, float]] = {}
        """Parallel task -> its environment, its slots, its start in seconds since the epoch."""
        self.reserves = compiled.policy.max_reservation > 0
        """True if runs make reservations."""
        self._running_diagrams = RunningDiagrams(self.resources) if self.reserves else None

    def take_loads(self, loads: Mapping[str, Mapping[str, str]]) -> bool:
        """Replace the load values; False if that changes which rules apply."""
        if not (loads and self.loads):
            return False
        self.loads = loads
        self.resources.take_loads(loads)
        checker = FastChecker(self.compiled.attributes, self._adjustments, self.compiled.attributes.by_name.get(SLOTS))
        self._known_checks = KnownChecks(self.resources, checker, self._initial_states)
        self.resources.correct_again((), 0, frozenset())
        self._find_open_instances()
        return True

    def _find_open_instances(self) -> None:
        """Work out which queue instances are open with the present load values."""
        self._reports_consumables = self._has_reported_consumables()
        self.is_timeless = (
            self.resources.has_steady_loads and not self._reports_consumables and self._has_plain_instances()
        )
        """True if only their states and free slots decide which queue instances take jobs."""
        self._closed = self._in_alarm() if self.is_timeless else frozenset[int]()
        self._open = {number for number in self._all_numbers if self._is_open(number)}

    def _has_reported_consumables(self) -> bool:
        """True if a host reports a load value for a consumable: processes outside Grid Engine may use some of it."""
        resources = self.resources
        counted = {attribute.name for attribute in self.compiled.attributes.by_name.values() if attribute.is_consumable}
        return not all(counted.isdisjoint(level.loads) for level in (resources.global_level, *resources.hosts))

    def take_letters(self, state: State) -> None:
        """Compute the states of all queue instances from `state`, and which instances are open."""
        before = self.states
        self.letters.take_over(state, self.resources, lambda: self._instance_changes.has_tasks)
        self.states = self.letters.letters
        if self.states is before:
            return
        for number, (earlier, now) in enumerate(zip(before, self.states, strict=True)):
            if earlier != now:
                (self._open.add if self._is_open(number) else self._open.discard)(number)

    def check_thresholds(self, state: State, listed: Iterable[RunJob]) -> None:
        """Raise `NotIncremental` if a suspend threshold suspends tasks, which this class does not support."""
        limited = [number for number in self._suspending if LEFT_OUT.isdisjoint(self.states[number])]
        if not limited or not self.tasks_in(limited):
            return
        resources = self.resources
        if not resources.has_steady_loads:
            self._correct(state, listed)
        if any(self._is_in_suspend_alarm(number) and self.tasks_in((number,)) for number in limited):
            raise NotIncremental

    def _correct(self, state: State, listed: Iterable[RunJob]) -> None:
        running = [run_job for run_job in listed if run_job.split.running]
        self.resources.correct_again(running, state.now, left_out(self.compiled, self.states))

    def tasks_in(self, instances: Iterable[int]) -> set[TaskKey]:
        """Return the running and suspended tasks in some queue instances."""
        return {key for number in instances for key in self._instance_changes.tasks_of(number)}

    def _has_plain_instances(self) -> bool:
        """True if all queue instances have a plain profile and no load threshold on a consumable."""
        find = self.compiled.attributes.find
        for instance in self.compiled.instances:
            if not instance.profile.is_plain:
                return False
            attributes = [find(name) for name, _ in instance.profile.load_thresholds]
            if any(attribute is None or attribute.is_consumable for attribute in attributes):
                return False
        return True

    def _in_alarm(self) -> frozenset[int]:
        """Return the queue instances in load or suspend alarm (qstat's a and A), by number."""
        resources = self.resources
        limited = ((number, resources.instances[number].profile) for number in resources.with_load_thresholds)
        closed = {
            number
            for number, profile in limited
            if self._thresholds.alarm(profile.load_thresholds, *resources.levels_of(number)) is not None
        }
        return frozenset(closed.union(filter(self._is_in_suspend_alarm, range(len(resources.instances)))))

    def _is_in_suspend_alarm(self, number: int) -> bool:
        resources = self.resources
        limits = resources.instances[number].profile.suspend_thresholds
        if not limits:
            return False
        return self._thresholds.alarm(limits, *resources.levels_of(number), with_consumables=False) is not None

    def _is_open(self, number: int) -> bool:
        return number not in self._closed and not self.states[number] and not self.resources.is_full(number)

    def add(self, known: KnownJob) -> None:
        """Book what the tasks of a job use, as `debit_started` does."""
        resources = self.resources
        for number in known.run_job.split.running:
            task = known.job.tasks[number]
            grants = resources.grants_of(task)
            if len(grants) != len(task.granted):
                raise NotIncremental
            resources.debit(known.run_job.demand, grants)
            environment = resources.environment_of(known.job, number)
            if environment is not None:
                self._parallel[known.job.id, number] = environment, sum(task.granted.values()), task.started or 0
            self._note(known.job.id, number, known.run_job.demand, grants, task.started or 0)
        self.note_ends(known)

    def note_ends(self, known: KnownJob) -> None:
        """Note the expected ends of a job's running tasks; nothing to do if runs make no reservations."""
        if self._running_diagrams is not None:
            self._running_diagrams.book(known)

    def take_back(self, known: KnownJob) -> None:
        """Take back the bookings of all tasks of a job."""
        resources = self.resources
        if self._running_diagrams is not None:
            self._running_diagrams.take_back(known)
        for number in known.run_job.split.running:
            grants = resources.grants_of(known.job.tasks[number])
            resources.credit(known.run_job.demand, grants)
            self._forget((known.job.id, number), grants)

    def note_start(self, start: StartOrder, at: float) -> None:
        """Note a start that the run has already booked."""
        job = start.run_job.id
        if start.environment is not None:
            self._parallel[job, start.task] = start.environment, sum(slots for _, slots in start.grants), at
        self._note(job, start.task, start.run_job.demand, start.grants, at)

    def _note(self, job: int, task: int, demand: Demand, grants: Grants, started: float) -> None:
        resources, key = self.resources, (job, task)
        for position, (instance, _) in enumerate(grants):
            moment = (started, 0, position)
            self._instance_changes.note_task(instance, key, moment)
            self.letters.note(instance)
            host = resources.host_of[instance]
            if resources.books_on(host, demand, master=position == 0):
                self._host_changes.note_task(host, key, moment)
            if not self._is_open(instance):
                self._open.discard(instance)

    def _forget(self, key: TaskKey, grants: Grants) -> None:
        self._parallel.pop(key, None)
        for instance, _ in grants:
            self._instance_changes.forget_task(instance, key)
            self.letters.note(instance)
            self._host_changes.forget_task(self.resources.host_of[instance], key)
            if self._is_open(instance):
                self._open.add(instance)

    def is_same(self, before: KnownJob, after: KnownJob) -> bool:
        """True if a job's bookings are the same as before."""
        tasks = before.job.tasks
        if self.reserves and not _counts_for_same(before, after):
            return False
        return (
            before.run_job.demand is after.run_job.demand
            and before.run_job.split.running == after.run_job.split.running
            and all(
                tasks[number].granted is task.granted
                and tasks[number].started == task.started
                and tasks[number].environment == task.environment
                and tasks[number].wallclock_limit == task.wallclock_limit
                for number in after.run_job.split.running
                for task in (after.job.tasks[number],)
            )
        )

    def initial_state(
        self, state: State, listed: Iterable[RunJob], started: list[RunJob], *, parallel: bool
    ) -> InitialState:
        """Return the initial state of a run; with `parallel` also for parallel jobs (hosts, environments)."""
        resources = self.resources
        resources.forget_run(state)
        self._note_changes(state.changed)
        if parallel:
            resources.hosts_in_order = listed_hosts(self._host_changes)
            self._debit_environments()
        numbers = resources.instance_numbers
        known_suspended = frozenset(numbers[name] for name in state.seen_suspended if name in numbers)
        if self.is_timeless:
            availability = self._availability_by_slots(state.changed, known_suspended)
        else:
            self._correct(state, listed)
            in_order = self._listed(self._all_numbers, state.changed)
            availability = Availability(
                resources,
                self.states,
                self._thresholds,
                in_order,
                plans_ahead=self.reserves,
                known_suspended=known_suspended,
            )
        quota_usage = self._quota_usage(listed)
        return InitialState(resources, self._adjustments, self._thresholds, availability, quota_usage, started)

    def _listed(self, numbers: Set[int], changed: Mapping[str, float]) -> list[int]:
        return listed_instances(self._instance_changes, self.resources.instances_in, numbers, changed)

    def _availability_by_slots(self, changed: Mapping[str, float], known_suspended: Set[int]) -> Availability:
        """Return the availability if it depends only on states and free slots."""
        listed = self._listed(self._all_numbers if self.reserves else self._open, changed)
        usable = [number for number in listed if number in self._open] if self.reserves else listed
        availability = Availability(
            self.resources,
            self.states,
            self._thresholds,
            (),
            plans_ahead=self.reserves,
            known_suspended=known_suspended,
            usable=usable,
        )
        if self.reserves:
            availability.waitable += (
                number
                for number in listed
                if not (number in self._open or number in self._closed or self.states[number])
            )
        return availability

    def diagrams_for(self, initial_state: InitialState, now: int) -> ResourceDiagrams | None:
        """Return the bookings over time before the first decision; None if runs make no reservations."""
        if self._running_diagrams is None:
            return None
        return self._running_diagrams.in_run(now, initial_state.availability, initial_state.quota_usage)

    def _debit_environments(self) -> None:
        """Book the slots of each environment in one step, dated by its latest start."""
        total = Counter[str]()
        latest = dict[str, float]()
        for environment, slots, when in self._parallel.values():
            total[environment] += slots
            latest[environment] = max(when, latest.get(environment, when))
        for environment, when in latest.items():
            self.resources.debit_environment(environment, total[environment], when)

    def _quota_usage(self, listed: Iterable[RunJob]) -> QuotaUsage | None:
        """Return the quota usage of all running tasks; None without quotas. Their order does not matter here."""
        compiled = self.compiled
        if compiled.rule_matcher is None:
            return None
        quota_usage = QuotaUsage(compiled.rule_matcher, self.resources, compiled.qmaster_rule_matcher)
        quota_usage.debit_started([run_job for run_job in listed if run_job.split.running])
        return quota_usage

    def consumables(self, *, is_corrected: bool) -> Consumables | None:
        """Return `Run.consumables`; None if reported capacities were not corrected for this run."""
        return sums_of(self._counted) if is_corrected or not self._reports_consumables else None

    @property
    def known_checks(self) -> KnownChecks | None:
        """The results of checks in earlier runs that are still valid; None if time can change them."""
        return self._known_checks if self.is_timeless else None

    def _note_changes(self, changed: Mapping[str, float]) -> None:
        if changed is self._changed:
            return
        prefix = HOST.format("")
        for name, when in newly_dated(self._changed, changed):
            if name.startswith(prefix):
                self._host_changes.note_change(name.removeprefix(prefix), when)
            else:
                self._instance_changes.note_change(name, when)
        self._changed = changed


def _counts_for_same(before: KnownJob, after: KnownJob) -> bool:
    """True if a job's usage counts for the same owner, group, project and environment as before."""
    job_before, job_after = before.job, after.job
    return (
        before.run_job.project == after.run_job.project
        and (job_before.owner, job_before.group) == (job_after.owner, job_after.group)
        and job_before.request.pe == job_after.request.pe
    )
