"""What is booked, kept from run to run: what ends is taken back, and what starts is added.

The rules are `InitialState.before_dispatch` and `listed_instances_and_hosts`. Amounts are whole numbers here
(`is_exact`), so that it does not matter in which order they are added up.
"""

from collections.abc import Iterable, Mapping

from qmon_tui.model import HOST, State
from qmon_tui.qmaster.next_run.known_jobs import KnownJob
from qmon_tui.qmaster.next_run.prerequisites import Beyond
from qmon_tui.scheduler.configuration import CompiledCluster
from qmon_tui.scheduler.dispatch import LONG_AGO, InitialState, Moment, before_starts
from qmon_tui.scheduler.jobs import Demand, RunJob
from qmon_tui.scheduler.matching import Adjustments, Grants, Resources, StartOrder, Thresholds
from qmon_tui.scheduler.suspension import Availability

_TaskKey = tuple[int, int]
_OrderKey = tuple[int, int, Moment, int]


class Bookings:
    """The resources of a configuration, with all that runs."""

    def __init__(self, compiled: CompiledCluster) -> None:
        self.compiled = compiled
        self._adjustments = Adjustments.of(compiled.policy.load_adjustments)
        self._thresholds = Thresholds(compiled.attributes, self._adjustments)
        self.resources = Resources(compiled, State(), self._adjustments)
        if not self.resources.has_steady_loads:
            raise Beyond
        self._states = [""] * len(compiled.instances)
        self._closed = self._in_alarm()
        self._open = {number for number in range(len(compiled.instances)) if self._is_open(number)}
        self._placed: dict[int, dict[_TaskKey, Moment]] = {}
        """Queue instance -> its tasks and since when they are there."""
        self._on_host: dict[int, dict[_TaskKey, Moment]] = {}
        """Host -> the tasks that use something of what it counts."""
        self._parallel: dict[_TaskKey, tuple[str, int, float]] = {}
        """Task in a parallel environment -> that, its slots, when it was started."""

    def _in_alarm(self) -> frozenset[int]:
        """The queue instances that their load thresholds close, as they do for ever where no load is reported."""
        attributes, resources = self.compiled.attributes, self.resources
        numbers = set[int]()
        for number in resources.with_load_thresholds:
            limits = resources.instances[number].profile.load_thresholds
            for name, _ in limits:
                attribute = attributes.find(name)
                if attribute is None or attribute.is_consumable:
                    raise Beyond
            if self._thresholds.alarm(limits, *resources.levels_of(number)) is not None:
                numbers.add(number)
        return frozenset(numbers)

    def _is_open(self, number: int) -> bool:
        return number not in self._closed and not self.resources.is_full(number)

    def add(self, known: KnownJob) -> None:
        """Book what the tasks of a job use, as `debit_started` does."""
        resources = self.resources
        for number in known.run_job.split.running:
            task = known.job.tasks[number]
            grants = resources.grants_of(task)
            if len(grants) != len(task.granted):
                raise Beyond
            resources.debit(known.run_job.demand, grants)
            environment = resources.environment_of(known.job, number)
            if environment is not None:
                self._parallel[known.job.id, number] = environment, sum(task.granted.values()), task.started or 0
            self._note(known.job.id, number, known.run_job.demand, grants, task.started or 0)

    def take_back(self, known: KnownJob) -> None:
        """Nothing of a job runs any more."""
        resources = self.resources
        for number in known.run_job.split.running:
            grants = resources.grants_of(known.job.tasks[number])
            resources.credit(known.run_job.demand, grants)
            self._forget((known.job.id, number), grants)

    def note_start(self, start: StartOrder, at: float) -> None:
        """What a run has started is booked already."""
        job = start.run_job.id
        if start.environment is not None:
            self._parallel[job, start.task] = start.environment, sum(slots for _, slots in start.grants), at
        self._note(job, start.task, start.run_job.demand, start.grants, at)

    def _note(self, job: int, task: int, demand: Demand, grants: Grants, started: float) -> None:
        resources, key = self.resources, (job, task)
        for position, (instance, _) in enumerate(grants):
            moment = (started, 0, position)
            self._placed.setdefault(instance, {})[key] = moment
            host = resources.host_of[instance]
            if resources.books_on(host, demand, master=position == 0):
                known = self._on_host.setdefault(host, {})
                known[key] = max(moment, known.get(key, moment))
            if not self._is_open(instance):
                self._open.discard(instance)

    def _forget(self, key: _TaskKey, grants: Grants) -> None:
        self._parallel.pop(key, None)
        for instance, _ in grants:
            self._placed.get(instance, {}).pop(key, None)
            self._on_host.get(self.resources.host_of[instance], {}).pop(key, None)
            if self._is_open(instance):
                self._open.add(instance)

    def is_same(self, before: KnownJob, after: KnownJob) -> bool:
        """Tell whether a job uses the same as before."""
        tasks = before.job.tasks
        return (
            before.run_job.demand is after.run_job.demand
            and before.run_job.split.running == after.run_job.split.running
            and all(
                tasks[number].granted is task.granted
                and tasks[number].started == task.started
                and tasks[number].environment == task.environment
                for number in after.run_job.split.running
                for task in (after.job.tasks[number],)
            )
        )

    @property
    def has_room(self) -> bool:
        """Tell whether any queue instance has a free slot."""
        return bool(self._open)

    def initial_state(self, state: State, started: list[RunJob], *, parallel: bool) -> InitialState:
        """What a run begins with; `parallel` where it looks at hosts and parallel environments, too."""
        resources = self.resources
        resources.forget_run(state)
        usable = self._usable(state.changed)
        if parallel:
            resources.hosts_in_order = self._hosts_in_order(state)
            for environment, slots, when in sorted(self._parallel.values(), key=lambda entry: entry[2]):
                resources.debit_environment(environment, slots, when)
        availability = Availability(resources, self._states, self._thresholds, (), usable=usable)
        return InitialState(resources, self._adjustments, self._thresholds, availability, None, started)

    def _usable(self, changed: Mapping[str, float]) -> list[int]:
        """The open queue instances in the order of the scheduler's list."""
        resources = self.resources
        ranges = resources.instances_in
        ranks = {
            name: rank for rank, name in enumerate(sorted(ranges, key=lambda name: changed.get(name, -float("inf"))))
        }
        keys: list[_OrderKey] = []
        for number in self._open:
            instance = resources.instances[number]
            moments = self._moments(self._placed.get(number), changed.get(instance.name))
            keys.append((ranks[instance.queue], bool(moments), max(moments, default=LONG_AGO), number))
        keys.sort()
        return [key[3] for key in keys]

    def _hosts_in_order(self, state: State) -> list[int]:
        resources = self.resources
        changed = state.changes_of(HOST)
        latest = {
            number: max(moments)
            for number, name in enumerate(resources.host_names)
            if (moments := self._moments(self._on_host.get(number), changed.get(name)))
        }
        return sorted(range(len(resources.hosts)), key=lambda host: latest.get(host, LONG_AGO))

    def _moments(self, placed: Mapping[_TaskKey, Moment] | None, changed: float | None) -> list[Moment]:
        moments = list(placed.values()) if placed else []
        if changed is not None:
            moments.append(before_starts(changed))
        return moments

    def add_all(self, jobs: Iterable[KnownJob]) -> None:
        """Book what many use."""
        for known in jobs:
            if known.run_job.split.running:
                self.add(known)
