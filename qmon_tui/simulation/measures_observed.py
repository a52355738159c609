"""Observations of a running simulation over time: used and free slots, waiting tasks, shares.

`Simulator.observe` adds them to a simulator. Only the started tasks of a run are read: a `LazyRun` computes all else.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from heapq import heappop, heappush
from itertools import islice
from typing import TYPE_CHECKING, Final

from qmon_tui.model import Cluster, Job
from qmon_tui.qmaster import RunFacts
from qmon_tui.qmaster.transition import LoadReported, TaskArrived, TaskEnded, UsageReported
from qmon_tui.scheduler import session_of
from qmon_tui.scheduler.configuration import CompiledCluster
from qmon_tui.simulation.execution import TaskKey
from qmon_tui.simulation.measures_series import StepSeries, product_area
from qmon_tui.simulation.measures_shares import KINDS, Names, entitled, jain, names_of
from qmon_tui.simulation.submissions import JobSubmitted
from qmon_tui.simulation.task_record import TaskRecord
from qmon_tui.values import parse_boolean, parse_number

if TYPE_CHECKING:
    from qmon_tui.simulation.simulator import Simulator

_SLOTS: Final = "slots"
_CHANGES_NOTHING: Final = (TaskArrived, LoadReported, UsageReported)
_WAITS_OTHERWISE: Final = frozenset("h")


@dataclass(frozen=True, slots=True)
class _Known:
    """A submitted job."""

    names: Names
    demand: Mapping[str, tuple[float, bool]]
    """Consumable besides slots -> amount, and True if it is for the job as a whole."""
    exclusive: frozenset[str]
    """Consumables used exclusively: taken once on each host, for any number of slots."""
    may_be_held: bool
    """True if the job may wait for something else than room: a hold, another job, a start time."""


@dataclass(frozen=True, slots=True)
class _Held:
    """A task that has slots."""

    restarts: int
    queues: Mapping[str, int]
    hosts: int


@dataclass(slots=True)
class Observations:
    """Observed step functions of time; `note` must be called after each event and run."""

    start: int
    last_change: int
    """Time at which a task last took or released slots, or jobs were last still to come."""
    used: StepSeries = field(default_factory=StepSeries)
    """Granted slots."""
    queues: dict[str, StepSeries] = field(default_factory=dict)
    """Cluster queue -> its granted slots."""
    total: StepSeries = field(default_factory=StepSeries)
    """The slots of all queue instances."""
    unusable: StepSeries = field(default_factory=StepSeries)
    """Free slots that no waiting task could use (measures.md#fragmentation)."""
    waiting: StepSeries = field(default_factory=StepSeries)
    """Number of waiting tasks."""
    oldest_wait: int = 0
    """Longest wait of a task that has started, in seconds."""
    resources: dict[str, StepSeries] = field(default_factory=dict)
    """Consumable besides slots -> used amount."""
    configured: dict[str, float] = field(default_factory=dict)
    """Consumable besides slots -> the largest configured amount."""
    received: dict[str, dict[str, StepSeries]] = field(default_factory=lambda: {kind: {} for kind in KINDS})
    """owner, project, department -> name -> slots in use."""
    entitled: dict[str, dict[str, StepSeries]] = field(default_factory=lambda: {kind: {} for kind in KINDS})
    """owner, project, department -> name -> entitled part, 0 to 1."""
    _jobs: dict[int, _Known] = field(default_factory=dict)
    _held: dict[TaskKey, _Held] = field(default_factory=dict)
    _pending: dict[TaskKey, None] = field(default_factory=dict)
    _by_time: list[tuple[int, TaskKey]] = field(default_factory=list)
    """Heap of (time of submission, task); tasks that no longer wait are removed late."""
    _active: dict[Names, int] = field(default_factory=dict)
    """Owner, project and department -> number of their unfinished tasks."""
    _seen: int = 0
    """Number of the simulator's records read so far."""
    _cluster: Cluster | None = None
    """The configuration observed last; None only before the first."""
    _shares_changed: bool = True

    @classmethod
    def of(cls, simulator: "Simulator") -> "Observations":
        """Return the observations of a simulation at its beginning."""
        observations = cls(simulator.now, simulator.now)
        observations._note_cluster(simulator)
        observations._note_new(simulator)
        return observations

    def note(self, happened: object, simulator: "Simulator") -> None:
        """Observe the simulator after an event or a run (`happened`)."""
        if simulator.coming:
            self.last_change = simulator.now
        if isinstance(happened, RunFacts):
            self._note_run(happened, simulator)
        elif isinstance(happened, TaskEnded):
            self._check((happened.job, happened.task), simulator)
        elif isinstance(happened, JobSubmitted):
            self._note_new(simulator)
        elif not isinstance(happened, _CHANGES_NOTHING):
            self._note_new(simulator)
            self._check_all(simulator)
        if simulator.cluster is not self._cluster:
            self._note_cluster(simulator)

    @property
    def _compiled(self) -> CompiledCluster:
        assert self._cluster is not None
        return session_of(self._cluster).configured

    def _note_cluster(self, simulator: "Simulator") -> None:
        """Note the configured slots of all queue instances and amounts of consumables."""
        self._cluster = simulator.cluster
        compiled = self._compiled
        self._shares_changed = True
        self.total.set(simulator.now, float(sum(instance.profile.slots for instance in compiled.instances)))
        sums: dict[str, float] = {}
        levels = [host.configured for host in compiled.hosts.values()]
        levels += [instance.profile.configured for instance in compiled.instances]
        for level in levels:
            for name, value in level.items():
                attribute = compiled.attributes.find(name)
                if name != _SLOTS and attribute is not None and attribute.is_consumable:
                    sums[name] = sums.get(name, 0.0) + value.number
        for name, amount in sums.items():
            self.configured[name] = max(self.configured.get(name, 0.0), float(amount))

    def _note_new(self, simulator: "Simulator") -> None:
        """Note the tasks that were submitted since the last call."""
        new = list(islice(reversed(simulator.records), len(simulator.records) - self._seen))
        self._seen = len(simulator.records)
        if not new:
            return
        numbers = {number for number, _ in new}
        jobs = {number: job for number in numbers if (job := simulator.find_job(number)) is not None}
        for number, job in jobs.items():
            self._jobs[number] = self._known(job)
        for key in reversed(new):
            record = simulator.records[key]
            if key[0] not in self._jobs:
                continue
            names = self._jobs[key[0]].names
            self._active[names] = self._active.get(names, 0) + 1
            self._shares_changed = True
            if record.started is not None and record.ended is None:
                self._take(key, record, simulator.now)
            else:
                self._wait(key, record)
        self.waiting.set(simulator.now, len(self._pending))

    def _known(self, job: Job) -> _Known:
        compiled = self._compiled
        demand: dict[str, tuple[float, bool]] = {}
        exclusive: set[str] = set()
        for name, attribute in compiled.attributes.by_name.items():
            if name not in self.configured or not attribute.default_amount:
                continue
            if attribute.exclusive:
                exclusive.add(name)
            else:
                demand[name] = attribute.default_amount, attribute.per_job
        for asked, text in job.request.hard:
            requested = compiled.attributes.find(asked)
            if requested is None or requested.name not in self.configured:
                continue
            if requested.exclusive:
                (exclusive.add if _is_wanted(text) else exclusive.discard)(requested.name)
            elif text is not None:
                try:
                    demand[requested.name] = parse_number(text), requested.per_job
                except ValueError:
                    continue
        request = job.request
        may_be_held = bool(request.hold or request.hold_jid or request.hold_jid_ad or request.start_time or job.tasks)
        return _Known(names_of(compiled, job), demand, frozenset(exclusive), may_be_held)

    def _wait(self, key: TaskKey, record: TaskRecord) -> None:
        self._pending[key] = None
        heappush(self._by_time, (record.submitted, key))

    def _note_run(self, run: RunFacts, simulator: "Simulator") -> None:
        now, records = simulator.now, simulator.records
        for key in run.started:
            if key in records and key not in self._held:
                self._take(key, records[key], now)
        self.waiting.set(now, len(self._pending))
        while self._by_time and self._by_time[0][1] not in self._pending:
            heappop(self._by_time)
        free = self.total.values[-1] - (self.used.values[-1] if self.used.values else 0.0)
        self.unusable.set(now, max(0.0, free) if self._anything_could_start(simulator) else 0.0)
        if self._shares_changed:
            self._note_shares(now)

    def _note_shares(self, now: int) -> None:
        self._shares_changed = False
        for kind, parts in entitled(self._compiled, self._active):
            known = self.entitled[kind]
            for name in (*(name for name in known if name not in parts), *parts):
                known.setdefault(name, StepSeries()).set(now, parts.get(name, 0.0))

    def _anything_could_start(self, simulator: "Simulator") -> bool:
        """True if a task waits that is not held, and neither for another job nor for its start time."""
        if any(not self._jobs[number].may_be_held for number, _ in islice(self._pending, 100)):
            return True
        jobs = {job.id: job for job in simulator.state.jobs} if self._pending else {}
        return any(_waits_for_room(jobs.get(number), task, simulator.now) for number, task in self._pending)

    def _take(self, key: TaskKey, record: TaskRecord, now: int) -> None:
        if not record.granted or record.ended is not None:
            return
        if self._pending.pop(key, self) is None:
            self.oldest_wait = max(self.oldest_wait, now - record.submitted)
        queues: dict[str, int] = {}
        for instance, slots in record.granted.items():
            queue = instance.partition("@")[0]
            queues[queue] = queues.get(queue, 0) + slots
        hosts = len({instance.rpartition("@")[2] for instance in record.granted})
        held = self._held[key] = _Held(record.restarts, queues, hosts)
        self._change(key, held, now, 1)

    def _check_all(self, simulator: "Simulator") -> None:
        """Check all tasks, after a command or a failure that may have changed any of them."""
        for key in tuple(self._held):
            self._check(key, simulator)
        if self._pending:
            there = {job.id for job in simulator.state.jobs}
            for key in [key for key in self._pending if key[0] not in there]:
                del self._pending[key]
                self._leave(key)
        self.waiting.set(simulator.now, len(self._pending))

    def _check(self, key: TaskKey, simulator: "Simulator") -> None:
        """Release the slots of a task if it has ended or was rescheduled."""
        held, record = self._held.get(key), simulator.records.get(key)
        if held is None or record is None or (record.ended is None and record.restarts == held.restarts):
            return
        del self._held[key]
        self._change(key, held, simulator.now, -1)
        if record.ended is None:
            self._wait(key, record)
        else:
            self._leave(key)

    def _leave(self, key: TaskKey) -> None:
        names = self._jobs[key[0]].names
        self._active[names] -= 1
        self._shares_changed = self._shares_changed or not self._active[names]

    def _change(self, key: TaskKey, held: _Held, now: int, sign: int) -> None:
        known, slots = self._jobs[key[0]], sign * sum(held.queues.values())
        self.last_change = now
        self.used.add(now, slots)
        for queue, number in held.queues.items():
            self.queues.setdefault(queue, StepSeries()).add(now, sign * number)
        for name, (amount, per_job) in known.demand.items():
            self.resources.setdefault(name, StepSeries()).add(now, amount * (sign if per_job else slots))
        for name in known.exclusive:
            self.resources.setdefault(name, StepSeries()).add(now, sign * held.hosts)
        for kind, name_of in zip(KINDS, known.names, strict=True):
            if name_of is not None:
                self.received[kind].setdefault(name_of, StepSeries()).add(now, slots)

    # Results ---------------------------------------------------------------------------------------------

    def measures(self, end: int) -> dict[str, object]:
        """Return the measures over time up to `end` (seconds since the epoch), ready for JSON."""
        start = self.start
        total, used = self.total.area(start, end), self.used.area(start, end)
        resources = {
            name: self.resources.get(name, StepSeries()).mean(start, end) / most
            for name, most in sorted(self.configured.items())
            if most and most != float("inf")
        }
        shares = {kind: parts for kind in KINDS if (parts := self._shares(kind, used, end))}
        fairness = {
            kind: index
            for kind, parts in shares.items()
            if (index := jain(part["received"] / part["entitled"] for part in parts.values() if part["entitled"]))
            is not None
        }
        return {
            # Slots may have been added or removed during the day, and tasks may have been rescheduled.
            "utilisation": used / total if total else 0.0,
            "fragmentation": self.unusable.area(start, end) / total if total else 0.0,
            "queue_length": {"mean": self.waiting.mean(start, end), "max": self.waiting.largest(start, end)},
            "oldest_wait": {"max": max([self.oldest_wait, *islice(self._waits(end), 1)])},
            "utilisation_by_queue": {
                name: series.area(start, end) / total if total else 0.0 for name, series in sorted(self.queues.items())
            },
            "utilisation_by_resource": resources,
            "shares": shares,
            "jain": fairness,
        }

    def _waits(self, end: int) -> Iterator[int]:
        """Yield the seconds for which each task that still waits has waited, longest first."""
        return (end - submitted for submitted, key in sorted(self._by_time) if key in self._pending)

    def _shares(self, kind: str, used: float, end: int) -> dict[str, dict[str, float]]:
        """Return name -> the parts (0 to 1) of all used slot-seconds that it received and was entitled to."""
        parts = {}
        for name in sorted({*self.received[kind], *self.entitled[kind]}):
            received = self.received[kind].get(name, StepSeries()).area(self.start, end)
            due = product_area(self.entitled[kind].get(name, StepSeries()), self.used, self.start, end)
            parts[name] = {
                "received": received / used if used else 0.0,
                "entitled": due / used if used else 0.0,
            }
        return parts


def _waits_for_room(job: Job | None, number: int, now: int) -> bool:
    if job is None:
        return False
    task = job.tasks.get(number)
    request = job.request
    is_held = not _WAITS_OTHERWISE.isdisjoint(task.state) if task is not None else bool(request.hold)
    waits_for_jobs = task is None and bool(request.hold_jid or request.hold_jid_ad)
    return not (is_held or waits_for_jobs or (request.start_time or 0) > now)


def _is_wanted(text: str | None) -> bool:
    """True if exclusive use is requested: `-l exclusive` without a value requests it."""
    try:
        return text is None or parse_boolean(text)
    except ValueError:
        return False
