"""All levels with their values in a run: capacities, bookings, load values."""

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import replace
from functools import cached_property

from qmon_tui.model import SEQUENTIAL, Job, State, Task
from qmon_tui.scheduler.configuration import (
    GLOBAL,
    CompiledCluster,
    LoadFormula,
    ParallelEnvironment,
    Value,
    likely_environment,
    number_or_none,
)
from qmon_tui.scheduler.jobs import Demand, RunJob
from qmon_tui.scheduler.matching.environment_changes import BEFORE_STARTS, changes_before_starts
from qmon_tui.scheduler.matching.level import (
    GLOBAL as GLOBAL_LAYER,
    HOST,
    NO_ADJUSTMENTS,
    QUEUE,
    SLOTS,
    Adjustments,
    Level,
    consumables,
    debit_level,
    debited_amounts,
    merged,
    with_capacity_correction,
)
from qmon_tui.values import c_integer_prefix, canonical

Levels = tuple[Level, Level, Level]
"""The global host, a host and a queue instance on it."""
Grants = Sequence[tuple[int, int]]
"""(queue instance number, slots), the master queue first."""

_PROCESSORS = "num_proc"


class Resources:
    """The levels of all hosts and queue instances, indexed by number."""

    def __init__(
        self,
        compiled: CompiledCluster,
        state: State,
        adjustments: Adjustments,
        *,
        scales_loads: bool = True,
        fast: bool = True,
    ) -> None:
        """`scales_loads`: the scheduler scales load values, the qmaster does not. `fast`: use cached lookups."""
        self.compiled = compiled
        self.fast = fast
        self._scales_loads = scales_loads
        self.adjustments = adjustments
        self._attributes = compiled.attributes
        self._reported = {canonical(host): values for host, values in state.loads.items()}
        self.uncorrected: dict[str, Mapping[str, Value]] = {}
        """Host with load values, or `global` -> configured values before capacity correction."""
        self.host_names = tuple(name for name in compiled.hosts if name != GLOBAL)
        self.host_numbers = {name: number for number, name in enumerate(self.host_names)}
        self.global_level = self._host_level(GLOBAL, GLOBAL_LAYER)
        self.hosts = [self._host_level(name, HOST) for name in self.host_names]
        self.instances = compiled.instances
        self.instance_numbers = {instance.name: number for number, instance in enumerate(self.instances)}
        self.host_of = [self.host_numbers[instance.host] for instance in self.instances]
        self.instances_of: list[list[int]] = [[] for _ in self.hosts]
        for number, host in enumerate(self.host_of):
            self.instances_of[host].append(number)
        self.queues = [
            Level(
                layer=QUEUE,
                name=instance.name,
                configured=instance.profile.configured,
                used=consumables(instance.profile.configured, self._attributes),
                fields=instance.fields,
            )
            for instance in self.instances
        ]
        self.totals = [instance.profile.slots for instance in self.instances]
        """The slots of each queue instance."""
        self.changed = state.changed
        self.with_load_thresholds = frozenset(
            number for number, instance in enumerate(self.instances) if instance.profile.load_thresholds or not fast
        )
        self.left_violations: dict[int, int] = {}
        """Queue instance -> soft requests it violates, of the last job with soft requests."""
        self.hosts_in_order: Sequence[int] = range(len(self.hosts))
        """Host numbers in the order of the scheduler's list."""
        self.changes_of_host = [0] * len(self.hosts)
        """Host number -> number of changes: bookings on the host, and removals of its queue instances."""
        self.changed_hosts: list[int] = []
        """The host number of each change, in order."""
        self.environment_slots: dict[str, int] = {}
        """PE -> slots in use."""
        self.environment_starts = changes_before_starts(self.compiled.environments, state)
        self._steady_loads: dict[int, float] = {}
        """Host number -> value of load_formula, if no start in this run can change it."""
        self._loads_by_values: dict[object, float] = {}
        """Values of the formula's attributes on a host -> value of load_formula."""
        self._formula = LoadFormula.parse(compiled.policy.load_formula)
        self.formula_names: Set[str] = self._formula.names
        """The attributes that the load formula reads."""
        self._adjusted = self._attributes_adjusted()
        """The formula's attributes with a load adjustment; None if starts may change values of the global host."""

    def _attributes_adjusted(self) -> Set[str] | None:
        adjusted = self.formula_names & self.adjustments.amounts.keys()
        steady = self.formula_names.isdisjoint(self.global_level.used) and adjusted.isdisjoint(self.global_level.loads)
        return adjusted if steady else None

    def _host_level(self, name: str, layer: str) -> Level:
        host = self.compiled.hosts[name]
        loads, processors = self._loads_and_processors(name)
        return Level(
            layer=layer,
            name=name,
            configured=host.configured,
            used=consumables(host.configured, self._attributes),
            loads=loads,
            processors=processors,
        )

    def _loads_and_processors(self, name: str) -> tuple[Mapping[str, Value], int]:
        scaling = self.compiled.hosts[name].scaling if self._scales_loads else {}
        scaled = {key: self._scaled(key, text, scaling) for key, text in self._reported.get(name, {}).items()}
        processors = c_integer_prefix(scaled[_PROCESSORS].text) if _PROCESSORS in scaled else 1
        return scaled, max(1, processors or 1)

    def take_loads(self, loads: Mapping[str, Mapping[str, str]]) -> None:
        """Replace the load values by newer reports; afterwards loads and capacities must be corrected again."""
        before = self._reported
        self._reported = {canonical(host): values for host, values in loads.items()}
        for level in (self.global_level, *self.hosts):
            if self._reported.get(level.name) is not before.get(level.name):
                level.loads, level.processors = self._loads_and_processors(level.name)
        self._adjusted = self._attributes_adjusted()
        for known in ("has_steady_loads", "all_steady_loads"):
            self.__dict__.pop(known, None)

    def _scaled(self, name: str, text: str, scaling: Mapping[str, float]) -> Value:
        """Return a load value, multiplied by its load_scaling factor and with three decimals if there is one."""
        attribute = self._attributes.find(name)
        amount = number_or_none(text) if attribute is not None and attribute.numeric else None
        factor = scaling.get(name)
        if amount is None or factor is None:
            return Value(text, amount or 0.0)
        scaled = f"{amount * factor:8.3f}"
        return Value(scaled, float(scaled))

    def books_on(self, host: int, demand: Demand, *, master: bool) -> bool:
        """True if a task on a host uses a consumable of the host itself."""
        return any(True for _ in debited_amounts(self.hosts[host], demand, self._attributes, master=master))

    @cached_property
    def instances_in(self) -> Mapping[str, range]:
        """Cluster queue -> numbers of its instances."""
        ranges: dict[str, range] = {}
        first = 0
        for queue in self.compiled.queues:
            ranges[queue.name] = range(first, first + len(queue.instances))
            first += len(queue.instances)
        return ranges

    def levels_of(self, number: int) -> Levels:
        return self.global_level, self.hosts[self.host_of[number]], self.queues[number]

    def levels_seen(self, number: int) -> tuple[Levels, ...]:
        """Return the levels of a queue instance as qstat sees them: before and, with load values, after correction.

        qstat ignores load adjustments and corrects capacities by the present use.
        """
        global_level, host, queue = self.levels_of(number)
        if not (global_level.loads or host.loads):
            return ((global_level, host, queue),)
        before = self._before_correction(global_level), self._before_correction(host), queue
        return before, (self._corrected(global_level), self._corrected(host), queue)

    def _before_correction(self, level: Level) -> Level:
        reported = self._reported.get(level.name, {})
        loads = {name: self._scaled(name, text, {}) for name, text in reported.items()}
        return replace(level, loads=loads, configured=self.uncorrected.get(level.name, level.configured))

    def _corrected(self, level: Level) -> Level:
        configured = self.uncorrected.get(level.name, level.configured)
        return replace(level, configured=with_capacity_correction(level, configured, self._attributes, NO_ADJUSTMENTS))

    def slots_used(self, number: int) -> int:
        return int(self.queues[number].used[SLOTS])

    def is_full(self, number: int) -> bool:
        return self.queues[number].used[SLOTS] >= self.totals[number]

    def debit(self, demand: Demand, grants: Grants) -> None:
        for position, (number, slots) in enumerate(grants):
            self.debit_grant(demand, number, slots, master=position == 0)

    def debit_grant(self, demand: Demand, number: int, slots: int, *, master: bool) -> int:
        """Book a task's slots in one queue instance on all levels; return its host number."""
        host = self.host_of[number]
        self.changes_of_host[host] += 1
        self.changed_hosts.append(host)
        for level in self.levels_of(number):
            debit_level(level, demand, slots, master, self._attributes)
        return host

    def note_change(self, host: int) -> None:
        """Record that cached results for a host may be outdated."""
        self.changes_of_host[host] += 1
        self.changed_hosts.append(host)

    def credit(self, demand: Demand, grants: Grants) -> None:
        """Release the bookings that `debit` made for a task."""
        master = True
        for number, slots in grants:
            for level in self.levels_of(number):
                debit_level(level, demand, slots, master, self._attributes, -1)
            master = False

    def debit_environment(self, name: str, slots: int, started: float | None = None) -> None:
        """Book a parallel job's slots in its PE; `started`: when its task started, if that was before this run."""
        self.environment_slots[name] = self.environment_slots.get(name, 0) + slots
        if started is not None:
            before = self.environment_starts.pop(name, started)
            self.environment_starts[name] = max(before, started)

    def forget_run(self, state: State) -> None:
        """Prepare for another run with the same bookings; PEs and the order of hosts are reset."""
        self.changed = state.changed
        self.left_violations = {}
        self.hosts_in_order = range(len(self.hosts))
        self.changed_hosts = []
        self.environment_slots = {}
        self.environment_starts = changes_before_starts(self.compiled.environments, state)

    def correct_again(self, running: Iterable[RunJob], now: int, left_out: frozenset[str]) -> None:
        """Correct loads and capacities for another run, undoing the last correction."""
        levels = (self.global_level, *self.hosts)
        for level in levels:
            level.correction = 0
            level.configured = self.uncorrected.get(level.name, level.configured)
        self.uncorrected = {}
        self._steady_loads, self._loads_by_values = {}, {}
        self.correct_loads(running, now, left_out)
        self.correct_capacities()

    def note_reserved(self, environment: str | None, granted_at: float) -> None:
        """Record when an advance reservation got slots of a PE; None: none. It sorts before starts in that second."""
        if environment is not None:
            before = self.environment_starts.get(environment, 0.0)
            self.environment_starts[environment] = max(before, granted_at - BEFORE_STARTS)

    def environments_in_order(self) -> dict[str, ParallelEnvironment]:
        """Return all PEs in the order of the scheduler's list: used ones last, by latest start or grant."""
        starts = self.environment_starts
        known = self.compiled.environments
        names = [name for name in known if name not in starts]
        used = [name for name in sorted(starts, key=starts.__getitem__) if name in known]
        return {name: known[name] for name in (*names, *used)}

    def grants_of(self, task: Task) -> Grants:
        """Return the grants of a started task, without queue instances that were removed."""
        numbers = self.instance_numbers
        return [(numbers[name], slots) for name, slots in task.granted.items() if name in numbers]

    def environment_of(self, job: Job, task: int) -> str | None:
        """Return the PE of a running task: the recorded one, else a guess.

        The task keeps the PE it was started with, even if qalter changes its job's -pe.
        """
        request, placed = job.request.pe, job.tasks[task]
        if placed.environment is not None:
            return None if placed.environment == SEQUENTIAL else placed.environment
        if request is None:
            return None
        numbers = [self.instance_numbers[name] for name in placed.granted if name in self.instance_numbers]
        lists = [self.instances[number].profile.pe_list for number in numbers]
        environment = likely_environment(request, sum(placed.granted.values()), lists, self.compiled.environments)
        return None if environment is None else environment.name

    def correct_loads(self, running: Iterable[RunJob], now: int, left_out: frozenset[str] = frozenset()) -> None:
        """Correct load values for recently started jobs (matching.md#load-correction).

        Slots do not count in queue instances that the scheduler's list leaves out (`left_out`), such as suspended ones.
        """
        decay = self.compiled.policy.load_adjustment_decay
        if decay <= 0:
            return
        for run_job in running:
            overall = 0.0
            for number in run_job.split.running:
                task = run_job.job.tasks[number]
                age = now - int(task.started) if task.started is not None else -1
                if not 0 <= age <= decay:
                    continue
                young = 1 - age / decay
                for name, slots in task.granted.items():
                    instance = self.instance_numbers.get(name)
                    if instance is None or name in left_out:
                        continue
                    overall += young
                    host = self.hosts[self.host_of[instance]]
                    host.correction = int(young * slots * 100 + host.correction)
            self.global_level.correction = int(overall * 100 + self.global_level.correction)

    def correct_capacities(self) -> None:
        """Reduce the totals of consumables by the use that load values report beyond the bookings."""
        for level in (self.global_level, *self.hosts):
            if level.loads:
                self.uncorrected[level.name] = level.configured
                level.configured = with_capacity_correction(level, level.configured, self._attributes, self.adjustments)

    def host_load(self, host: int) -> float:
        """Return the value of load_formula on a host (by number), by which its queue instances are sorted."""
        steady = self._steady_loads.get(host)
        if steady is not None:
            return steady
        if self._can_change(host):
            return self.formula_value(self._formula, host)
        level = self.hosts[host]
        values = [(level.loads.get(name), level.configured.get(name)) for name in self.formula_names]
        key = tuple(values)
        load = self._loads_by_values.get(key)
        if load is None:
            load = self._loads_by_values[key] = self.formula_value(self._formula, host)
        self._steady_loads[host] = load
        return load

    @cached_property
    def has_steady_loads(self) -> bool:
        """True if no start changes a load value or the value of load_formula."""
        levels = (self.global_level, *self.hosts)
        adjusted = self.adjustments.amounts if self.compiled.policy.load_adjustment_decay else {}
        if any(name in level.loads for level in levels if level.loads for name in adjusted):
            return False
        return not any(map(self._can_change, range(len(self.hosts))))

    @cached_property
    def all_steady_loads(self) -> Sequence[float]:
        """The values of the load formula on all hosts if no start changes them; else empty."""
        return [self.host_load(host) for host in range(len(self.hosts))] if self.has_steady_loads else ()

    @cached_property
    def seq_nos(self) -> Sequence[int]:
        return [instance.profile.seq_no for instance in self.instances]

    def _can_change(self, host: int) -> bool:
        """True if starts can change the value of load_formula on a host."""
        if self._adjusted is None or not self.fast:
            return True
        level = self.hosts[host]
        return not (self.formula_names.isdisjoint(level.used) and self._adjusted.isdisjoint(level.loads))

    def formula_value(self, formula: LoadFormula, host: int) -> float:
        """Return the value of a formula on a host."""
        level = self.hosts[host]

        def lookup(name: str) -> float | None:
            attribute = self._attributes.by_name.get(name)
            if attribute is None:
                return None
            value = merged(attribute, self.adjustments, self.global_level, level)
            return None if value is None else value.amount

        return formula.evaluate(lookup)
