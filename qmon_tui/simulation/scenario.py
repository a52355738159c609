"""Input and result of one simulation, as values that can be sent to another process."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from operator import itemgetter
from typing import Final

from qmon_tui.formats.records import Recorded
from qmon_tui.model import Cluster, State
from qmon_tui.qmaster import RunFacts
from qmon_tui.simulation.execution import TaskKey, is_placed
from qmon_tui.simulation.measures import STARVED_AFTER, measures, recorded_wait
from qmon_tui.simulation.measures_charts import charts
from qmon_tui.simulation.policy_edits import PolicyEdit, Subject, apply_edits
from qmon_tui.simulation.settings import Settings
from qmon_tui.simulation.simulator import Simulator
from qmon_tui.simulation.task_record import TaskRecord
from qmon_tui.simulation.workload import Work, total_slots, work_of_day

CHART: Final = 120
"""Number of equal parts of a day in its charts."""
_COPIES: Final = 24
"""Copies of the simulator kept along a day; above that number every other one is dropped."""
LONGEST_WAIT: Final = 7 * 86400
"""Seconds without a start or end of a task after which a day without `until` is over: a calendar that opens once a
week has opened by then."""


@dataclass(frozen=True, slots=True)
class Scenario:
    """A cluster, its work and policy edits, and the day to simulate; equal scenarios have equal days."""

    cluster: Cluster
    state: State
    until: int | None = None
    """End of the day, seconds since the epoch; None for the end in the state's plan."""
    length: int | None = None
    """Length of the day in seconds, instead of `until`: a trace may move its beginning."""
    start_delay: int | None = None
    """Seconds from the dispatch of a task to its arrival at the host; None for the delay in the state's plan."""
    seed: int = 0
    """Seed of the generated work."""
    edits: tuple[PolicyEdit, ...] = ()
    trace: Recorded | None = None
    """The content of the file that the workload names."""
    starved_after: int = STARVED_AFTER
    """Seconds of waiting after which a task counts as starved."""
    home: Cluster | None = None
    """The cluster with the users and load of generated work; None for `cluster`."""
    keeps_copies: bool = False
    """True if the day keeps copies of the simulator, from which `runs_at` continues."""

    def work(self) -> Work:
        """Return the state with all jobs to simulate, before any edit."""
        return work_of_day(self.home or self.cluster, self.state, self.seed, self.trace)

    def simulator(self, work: Work | None = None) -> Simulator:
        """Return the simulator at the beginning of the day, after the edits. Raises EditError if one cannot be made."""
        # The work is made before anything is edited: it is the same under all policies.
        state = (work or self.work()).state
        subject = apply_edits(Subject(self.cluster, state), self.edits)
        state = subject.state
        settings = Settings.of(subject.cluster, state)
        until = self.until if self.length is None else state.now + self.length
        if until is not None:
            settings = replace(settings, until=until)
        if self.start_delay is not None:
            settings = replace(settings, start_delay=self.start_delay)
        return Simulator(subject.cluster, state, settings)


def planned_length(state: State, asked: int | None) -> int | None:
    """Return the seconds of a day: `asked`, else from the state's plan; None: until no event is left."""
    until = state.simulation.until
    return asked if asked is not None or until is None else max(0, until - state.now)


@dataclass(frozen=True, slots=True)
class Day:
    """Result of a scenario; times are seconds since the epoch."""

    start: int
    end: int
    records: tuple[TaskRecord, ...]
    measures: Mapping[str, object]
    runs: int
    events: int
    refused: tuple[int, ...]
    """Numbers of the refused jobs."""
    charts: Mapping[str, Sequence[float]] = field(default_factory=dict)
    """Name of a chart -> means over `CHART` equal parts of the day."""
    copies: tuple[Simulator, ...] = field(default=(), repr=False, compare=False)
    """Copies of the simulator, each right before a scheduling run; empty unless the scenario keeps them."""

    def record(self, key: TaskKey) -> TaskRecord | None:
        """Return the record of one task; None if there is no such task."""
        return next((record for record in self.records if (record.job, record.task) == key), None)


class _Copies:
    """Copies of a day's simulator, each right before a scheduling run, at equal distances in runs."""

    def __init__(self) -> None:
        self.kept: list[Simulator] = []
        self._every = 8
        self._next = 8

    def note(self, simulator: Simulator) -> None:
        """Copy the simulator if enough runs have been made since the last copy and the next step is a run."""
        if simulator.runs < self._next or not simulator.is_run_next:
            return
        copied = simulator.copy()
        copied.observations = copied.last_run = None
        self.kept.append(copied)
        if len(self.kept) > _COPIES:
            del self.kept[::2]
            self._every *= 2
        self._next = simulator.runs + self._every


def simulated(scenario: Scenario, look: Callable[[], None] | None = None) -> Day:
    """Simulate a day to its end. `look` is called after every step; an exception in it ends the simulation.

    Raises EditError if an edit is not possible, EndlessDay if the clock does not advance.
    """
    work = scenario.work()
    simulator = scenario.simulator(work)
    start = simulator.now
    simulator.observe()
    seen = simulator.observations
    assert seen is not None
    copies = _Copies()
    while not is_over(simulator, seen.last_change):
        if scenario.keeps_copies:
            copies.note(simulator)
        simulator.advance()
        if look is not None:
            look()
    if simulator.settings.until is not None:
        simulator.run()
    simulator.event_bound.check()
    slots = total_slots(simulator.cluster, simulator.state)
    records = tuple(simulator.records.values())
    end = end_of_day(simulator)
    numbers = {**measures(records, start, end, slots, scenario.starved_after), **seen.measures(end),
               **recorded_wait(records, work.recorded)}  # fmt: skip
    return Day(
        start,
        end,
        records,
        numbers,
        simulator.runs,
        simulator.events,
        tuple(simulator.refused),
        charts(seen, end, CHART),
        tuple(copies.kept),
    )


def measures_of(scenario: Scenario) -> Mapping[str, object]:
    """Return only the measures of the day, which are less to send to another process than the day."""
    return simulated(scenario).measures


def is_over(simulator: Simulator, last_change: int) -> bool:
    """Return True if a day is over: at its end, else if all jobs have ended or the remaining ones seem to never start.

    Calendar switches never end a day. `last_change` is the time of the last start or end of a task.
    """
    if simulator.is_over:
        return True
    if simulator.settings.until is not None:
        return False
    waits = bool(simulator.state.jobs or simulator.coming)
    return not waits or (not simulator.coming and simulator.now > last_change + LONGEST_WAIT)


def end_of_day(simulator: Simulator) -> int:
    """Return the time up to which a day is measured, observed up to now.

    If the remaining jobs never start while calendars switch, this is the last submission, start or end: the time after
    it says nothing about the use of the cluster.
    """
    seen = simulator.observations
    if seen is None or simulator.next_time is None or not is_over(simulator, seen.last_change):
        return simulator.now
    left = [task for job in simulator.state.jobs for task in job.tasks.values()]
    has_begun = any(is_placed(task) for task in left)
    is_in_vain = simulator.settings.until is None and simulator.state.jobs and not has_begun
    return seen.last_change if is_in_vain else simulator.now


def runs_at(
    scenario: Scenario, asked: Iterable[tuple[int, TaskKey]], copies: Sequence[Simulator] = ()
) -> dict[tuple[int, TaskKey], RunFacts]:
    """Return (time, task) -> the run of that second that starts the task, else the last one in it that starts any task.

    In a second without starts it is the last run up to then; a time before the first run has none. `copies` are
    `Day.copies` of this scenario.
    """
    simulator: Simulator | None = None
    runs: dict[tuple[int, TaskKey], RunFacts] = {}
    for time, pairs in groupby(sorted(set(asked)), key=itemgetter(0)):
        earlier = [copy for copy in copies if copy.next_time is not None and copy.next_time < time]
        if earlier and (simulator is None or simulator.now < earlier[-1].now):
            simulator = earlier[-1].copy()
        simulator = simulator or scenario.simulator()
        starting: list[RunFacts] = []
        while (due := simulator.next_time) is not None and due <= time and not simulator.is_over:
            happened = simulator.advance()
            if isinstance(happened, RunFacts) and happened.started and simulator.now == time:
                starting.append(happened)
        for pair in pairs:
            run = next((run for run in starting if pair[1] in run.started), [simulator.last_run, *starting][-1])
            if run is not None:
                runs[pair] = run
    return runs


def flat(numbers: Mapping[str, object], prefix: str = "") -> dict[str, float]:
    """Return dotted name -> number, for all numbers: `wait.p95`, `by.owner.rosa.wait.mean`."""
    named: dict[str, float] = {}
    for name, value in numbers.items():
        if isinstance(value, Mapping):
            named |= flat(value, f"{prefix}{name}.")
        elif isinstance(value, int | float) and not isinstance(value, bool):
            named[f"{prefix}{name}"] = float(value)
    return named
