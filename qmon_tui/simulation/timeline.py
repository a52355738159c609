"""Navigation in a simulated day: forwards, back to any earlier event, and to any branch.

Going back is exact, since a simulation is a function of its values: it is simulated again from the last checkpoint.
All times are seconds since the epoch.
"""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from time import perf_counter
from typing import Final, NamedTuple

from qmon_tui.gc_pause import gc_paused
from qmon_tui.model import Cluster, State
from qmon_tui.qmaster import RunFacts
from qmon_tui.scheduler import session_of
from qmon_tui.simulation.assumed_run_times import with_run_times
from qmon_tui.simulation.day_log import DayLog, FeedEntry, FeedKind, Plan, Sample, SlotInterval, SlotIntervalEnd
from qmon_tui.simulation.day_observer import log_of, note, note_edit, plans_of
from qmon_tui.simulation.settings import DEFAULT_SETTINGS, Settings
from qmon_tui.simulation.simulator import Simulator
from qmon_tui.simulation.submissions import expect, take_over

_QUIET: Final = 7 * 86400
"""Seconds without a change of any job after which none is expected, though calendars still switch."""
_CHECKPOINTS: Final = 48
"""Checkpoints kept for each branch; above that number every other one is dropped."""


class Place(NamedTuple):
    """Address of a moment: a branch, a position in it, and a time."""

    branch: int
    position: int
    """Number of events and scheduling runs before it."""
    time: int


@dataclass(frozen=True, slots=True)
class Moment:
    """Immutable snapshot of a simulated day; stays valid when the timeline moves."""

    place: Place
    cluster: Cluster
    state: State
    """The state; its `now` is the time of the moment."""
    plans: tuple[Plan, ...]
    """The reservations of the last run."""
    slots: Mapping[str, int]
    """Host -> slots of its queue instances."""
    runs: int
    beginning: int
    """Time at which the day begins."""
    reached: int
    """Time up to which this branch is known."""
    is_over: bool
    """True if no job changes after this moment."""
    error: str
    """The sentence, without its full stop, about a day whose clock does not advance; empty for any other day."""
    _log: DayLog = field(repr=False)
    _counts: tuple[int, int, int] = (0, 0, 0)

    @property
    def time(self) -> int:
        """Seconds since the epoch."""
        return self.place.time

    @property
    def entries(self) -> list[FeedEntry]:
        """The entries of the feed up to this moment."""
        return self._log.entries[: self._counts[0]]

    @property
    def samples(self) -> list[Sample]:
        """The samples of all runs up to this moment."""
        return self._log.samples[: self._counts[1]]

    @property
    def stretches(self) -> list[tuple[SlotInterval, SlotIntervalEnd | None]]:
        """Slots of tasks up to this moment, and their ends so far."""
        ends, position = self._log.ends, self.place.position
        with_ends = (
            (stretch, ends.get(number)) for number, stretch in enumerate(self._log.stretches[: self._counts[2]])
        )
        return [(stretch, end if end is not None and end.position <= position else None) for stretch, end in with_ends]


@dataclass(slots=True)
class _Checkpoint:
    position: int
    simulator: Simulator
    plans: tuple[Plan, ...]


@dataclass(slots=True)
class _Branch:
    """Course of the day from its beginning, or from an edit."""

    log: DayLog
    first: int
    """The position at which it begins."""
    checkpoints: list[_Checkpoint]
    reached: int
    """The position up to which its log goes."""
    reached_time: int
    over_at: int | None = None
    """Position after which no job changes, though calendars switch; None while it is unknown."""
    every: int = 8
    """Number of runs between two checkpoints."""
    since: int = 0
    """Number of runs since the last checkpoint."""


class Timeline:
    """A simulated day and the current moment in it. Not thread-safe; a `Moment` is."""

    def __init__(self, cluster: Cluster, state: State, settings: Settings = DEFAULT_SETTINGS) -> None:
        simulator = Simulator(cluster, state, settings)
        self.beginning = simulator.now
        self._simulator = simulator
        self._plans: tuple[Plan, ...] = ()
        self._time = simulator.now
        self._number = 0
        self._branches = [self._begin_branch(log_of(simulator))]

    # Current moment -----------------------------------------------------------------------------------------------

    @property
    def place(self) -> Place:
        """Address of the current moment."""
        return Place(self._number, self._position, self._time)

    @property
    def moment(self) -> Moment:
        branch, position = self._branches[self._number], self._position
        state = self._simulator.state
        known = (branch.log.entries, branch.log.samples, branch.log.stretches)
        counts = tuple(_count_up_to(entries, position) for entries in known)
        return Moment(
            self.place,
            self._simulator.cluster,
            state if state.now == self._time else replace(state, now=self._time),
            self._plans,
            _slots_by_host(self._simulator),
            self._simulator.runs,
            self.beginning,
            max(branch.reached_time, self._time),
            self.is_over,
            self._simulator.event_bound.error,
            branch.log,
            (counts[0], counts[1], counts[2]),
        )

    @property
    def simulator(self) -> Simulator:
        """A copy of the simulation as it is at this moment."""
        return self._simulator.copy()

    @property
    def is_over(self) -> bool:
        """True if no job changes after this moment."""
        simulator, over_at = self._simulator, self._branches[self._number].over_at
        if simulator.is_over or (over_at is not None and self._position >= over_at):
            return True
        if (
            simulator.coming
            or simulator.run_times.due is not None
            or any(given.at > simulator.now for given in simulator.settings.commands)
        ):
            return False
        return not simulator.state.jobs or self._is_quiet

    # Forwards ---------------------------------------------------------------------------------------------------

    def play(self, until: int | None, budget: float | None = None) -> bool:
        """Move forwards to a time (None: the end of the day) for at most `budget` seconds; True if it is reached.

        A day ends with the run after the last change of a job; that it was the last is known only days later.
        """
        end = None if budget is None else perf_counter() + budget
        while not (self.is_over if until is None else self._simulator.is_over):
            due = self._simulator.next_time
            if until is not None and (due is None or due > until):
                break
            self._advance()
            if end is not None and perf_counter() >= end:
                return False
        limit = self._simulator.settings.until
        branch = self._branches[self._number]
        if until is None and branch.over_at is None and self._simulator.state.jobs and self._is_quiet:
            last, _ = self._last_job_change
            after = branch.log.samples[_count_up_to(branch.log.samples, last) :]
            branch.over_at = after[0].position if after else last
            self.go(Place(self._number, branch.over_at, 0))
            self._time = self._simulator.now
        if until is not None:
            self._time = max(self._time, until if limit is None else min(until, max(limit, self._simulator.now)))
        return True

    def next_run(self) -> bool:
        """Move forwards over the next scheduling run; False if there is none."""
        while (happened := self._advance()) is not None:
            if isinstance(happened, RunFacts):
                return True
        return False

    def next_event(self) -> bool:
        """Move forwards to the next entry of the feed; False if there is none."""
        log = self._branches[self._number].log
        count = _count_up_to(log.entries, self._position)
        while self._advance() is not None:
            if len(log.entries) > count and log.entries[count].position <= self._position:
                return True
        return False

    # Back -------------------------------------------------------------------------------------------------------

    def go(self, place: Place) -> None:
        """Move to a place in any branch."""
        branch = self._branches[place.branch]
        if place.branch == self._number and place.position >= self._position and place.time >= self._time:
            position = self._position
        else:
            position = -1
        self._number = place.branch
        nearest = max(
            (checkpoint for checkpoint in branch.checkpoints if checkpoint.position <= place.position),
            key=lambda checkpoint: checkpoint.position,
        )
        if position < nearest.position:
            self._simulator, self._plans = nearest.simulator.copy(), nearest.plans
            self._time = self._simulator.now
        while self._position < place.position and self._advance() is not None:
            pass
        self._time = place.time

    def go_to_time(self, time: int, budget: float | None = None) -> bool:
        """Move to a time, back or forwards, as `play` does."""
        time = max(time, self.beginning)
        if time < self._time:
            branch = self._branches[self._number]
            earlier = [checkpoint for checkpoint in branch.checkpoints if checkpoint.simulator.now <= time]
            first = earlier[-1] if earlier else branch.checkpoints[0]
            self.go(Place(self._number, first.position, first.simulator.now))
        return self.play(time, budget)

    def go_to_start(self, job: int, budget: float | None = None) -> bool | None:
        """Move to the first start of a job; None if it does not start on this day, False after `budget` seconds."""
        end = None if budget is None else perf_counter() + budget
        entries = self._branches[self._number].log.entries
        looked_at = 0
        while True:
            for entry in entries[looked_at:]:
                if entry.job == job and entry.kind in (FeedKind.STARTED, FeedKind.BACKFILLED):
                    self.go(Place(self._number, entry.position, entry.time))
                    return True
            looked_at = len(entries)
            if self.is_over or self._advance() is None:
                return None
            if end is not None and perf_counter() >= end:
                return False

    def previous_event(self) -> bool:
        """Move back to the entry of the feed before the last one; False if there is none."""
        log = self._branches[self._number].log
        positions = sorted({entry.position for entry in log.entries if entry.position < self._position})
        return self._back_to(positions[-1] if positions else 0)

    def previous_run(self) -> bool:
        """Move back to the scheduling run before the last one; False if there is none."""
        log = self._branches[self._number].log
        positions = [sample.position for sample in log.samples if sample.position < self._position]
        return self._back_to(positions[-1] if positions else 0)

    def _back_to(self, position: int) -> bool:
        branch = self._branches[self._number]
        if position >= self._position or position < branch.checkpoints[0].position:
            return False
        self.go(Place(self._number, position, 0))
        self._time = self._simulator.now
        return True

    # Branches ---------------------------------------------------------------------------------------------------

    def branch(self, cluster: Cluster, state: State, label: str = "") -> Place:
        """Begin a branch at this moment with another cluster or state; return its first place.

        The former branch is kept. A scheduling run follows as after any change.
        """
        log = self._branches[self._number].log.up_to(self._position)
        simulator = self._simulator
        before = replace(simulator.state, now=self._time)
        state, _ = with_run_times(replace(state, now=self._time))
        simulator.now, simulator.state = self._time, expect(simulator, state)
        take_over(simulator, before, cluster if cluster is not simulator.cluster else None)
        note_edit(log, before, simulator, label)
        self._branches.append(self._begin_branch(log))
        self._number = len(self._branches) - 1
        return self.place

    # Inside -----------------------------------------------------------------------------------------------------

    @property
    def _last_job_change(self) -> tuple[int, int]:
        """Position and time of the last change of a job up to this moment."""
        branch = self._branches[self._number]
        entries = branch.log.entries
        for number in range(_count_up_to(entries, self._position) - 1, -1, -1):
            if entries[number].job is not None or entries[number].kind is FeedKind.EDIT:
                return entries[number].position, entries[number].time
        return branch.first, self.beginning

    @property
    def _is_quiet(self) -> bool:
        return not self._simulator.is_over and self._simulator.now - self._last_job_change[1] > _QUIET

    @property
    def _position(self) -> int:
        return self._simulator.events + self._simulator.runs

    def _begin_branch(self, log: DayLog) -> _Branch:
        position = self._position
        first = _Checkpoint(position, self._simulator.copy(), self._plans)
        return _Branch(log, position, [first], position, self._time)

    def _advance(self) -> object | None:
        with gc_paused():
            return self._advanced()

    def _advanced(self) -> object | None:
        simulator, branch = self._simulator, self._branches[self._number]
        before, plans = simulator.state, self._plans
        happened = simulator.advance()
        if happened is None:
            return None
        self._time = max(self._time, simulator.now)
        if isinstance(happened, RunFacts):
            self._plans = plans_of(happened)
        if self._position > branch.reached:
            note(branch.log, before, plans, simulator, happened)
            branch.reached, branch.reached_time = self._position, simulator.now
            if isinstance(happened, RunFacts):
                self._keep(branch)
        if isinstance(happened, RunFacts):
            simulator.last_run = None  # the largest part of the simulator; the log has all that is needed of it
        return happened

    def _keep(self, branch: _Branch) -> None:
        branch.since += 1
        if branch.since < branch.every:
            return
        branch.since = 0
        run, self._simulator.last_run = self._simulator.last_run, None
        branch.checkpoints.append(_Checkpoint(self._position, self._simulator.copy(), self._plans))
        self._simulator.last_run = run
        if len(branch.checkpoints) > _CHECKPOINTS:
            del branch.checkpoints[1::2]
            branch.every *= 2


def _count_up_to(noted: Sequence[FeedEntry | Sample | SlotInterval], position: int) -> int:
    """Return the number of log items, which are in order of position, up to a position."""
    return bisect_right(noted, position, key=lambda item: item.position)


def _slots_by_host(simulator: Simulator) -> Mapping[str, int]:
    slots: dict[str, int] = {}
    for instance in session_of(simulator.cluster).compiled(simulator.state).instances:
        slots[instance.host] = slots.get(instance.host, 0) + instance.profile.slots
    return slots
