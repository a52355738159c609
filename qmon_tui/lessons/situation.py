"""A cluster at one moment of a lesson, and its run, findings, changes and simulated days, computed when first read."""

from dataclasses import replace
from functools import cached_property
from typing import Final

from qmon_tui.checks import check
from qmon_tui.explain import Explainer
from qmon_tui.incremental import RunChain
from qmon_tui.lessons.changes import Change, changes_between
from qmon_tui.lessons.data import LessonError
from qmon_tui.lessons.edits import ClusterState, find_job, job_label
from qmon_tui.model import Cluster, Finding, Job, JobOutcome, Outcome, State, at_beginning_of_day, queue_instances
from qmon_tui.scheduler.priority import FORMULAS, GRID_ENGINE
from qmon_tui.simulation import Settings, Simulator, TaskRecord
from qmon_tui.values import whole_number

MOST_RUNS: Final = 20_000
"""Maximum number of scheduling runs in a simulated period of a lesson; a week of a small cluster has fewer."""


class Day:
    """A simulated period of a cluster."""

    def __init__(self, simulator: Simulator, start: int) -> None:
        self.records: tuple[TaskRecord, ...] = tuple(simulator.records.values())
        self.start = start
        self.end = simulator.now
        run = simulator.last_run
        self.slots = run.total_slots if run is not None else 0


class Situation:
    """A cluster and its state; changes are relative to `start`, where the step began (None: this is the beginning)."""

    def __init__(
        self, cluster: Cluster, state: State, start: "Situation | None" = None, formulas: str = GRID_ENGINE.name
    ) -> None:
        self.cluster = cluster
        self.state = state
        self.start = start
        self.formulas = formulas
        self._days: dict[int | None, Day] = {}
        self._chain: RunChain = RunChain() if start is None else start._chain

    @property
    def place(self) -> ClusterState:
        """The cluster and its state as a tuple."""
        return ClusterState(self.cluster, self.state)

    def after(self, place: ClusterState) -> "Situation":
        """Return the situation after edits; this one if nothing has changed."""
        same = place.cluster is self.cluster and place.state is self.state
        return self if same else Situation(place.cluster, place.state, self.start or self, self.formulas)

    @cached_property
    def explainer(self) -> Explainer:
        return Explainer(self._chain.simulate(self.cluster, self.state, formulas=FORMULAS[self.formulas]))

    @property
    def outcome(self) -> Outcome:
        return self.explainer.outcome

    @cached_property
    def findings(self) -> tuple[Finding, ...]:
        return check(self.cluster, self.state)

    def job(self, name: str) -> Job:
        """Return a job by its name or number, also if a task is named (7.2). Raises LessonError."""
        return find_job(self.state, name.partition(".")[0] if _is_task(name) else name)

    def outcome_of(self, name: str) -> JobOutcome:
        """Return the run's result for a job. Raises LessonError."""
        job = self.job(name)
        outcome = self.outcome.job(job.id)
        if outcome is None:
            state = "not submitted yet" if job.is_to_come(self.state.now) else "finished"
            raise LessonError(f"job {name} is {state}")
        return outcome

    def label(self, number: int) -> str:
        """Return the name of a job as used in lessons."""
        job = next((job for job in self.state.jobs if job.id == number), None)
        return str(number) if job is None else job_label(self.state, job)

    @cached_property
    def changes(self) -> tuple[Change, ...]:
        """Differences from the beginning of the step."""
        return () if self.start is None else changes_between(self.start.place, self.place)

    @property
    def changed(self) -> tuple[str, ...]:
        """Paths that differ from the beginning of the step; a whole job, or an added or removed object, counts once."""
        return tuple(dict.fromkeys(change.item for change in self.changes))

    def day(self, seconds: int | None) -> Day:
        """Simulate `seconds` from now, or with None until no event is left. Raises LessonError."""
        if seconds not in self._days:
            self._days[seconds] = self._simulated(seconds)
        return self._days[seconds]

    def _simulated(self, seconds: int | None) -> Day:
        if self.formulas != GRID_ENGINE.name:
            raise LessonError(f"a simulated day knows no formulas {self.formulas}", hint="ask for a scheduling run")
        state = at_beginning_of_day(self.state)
        settings = Settings.of(self.cluster, state)
        if seconds is not None:
            settings = replace(settings, until=state.now + seconds)
        simulator = Simulator(self.cluster, state, settings)
        for _ in simulator.steps():
            if simulator.runs > MOST_RUNS:
                raise LessonError(f"the simulated time takes more than {MOST_RUNS} scheduling runs", hint="shorten it")
        return Day(simulator, state.now)


_MOST_TASKS: Final = 10_000
_MOST_INSTANCES: Final = 2_000


def too_large_words(situation: Situation) -> str:
    """Return a sentence if a student's cluster is so large that a run would take hours; else empty."""
    start = situation.start or situation
    tasks = [sum(len(job.task_ids) for job in of.state.jobs) for of in (start, situation)]
    instances = [len(queue_instances(of.cluster)) for of in (start, situation)]
    for words, (before, now), most in (("tasks", tasks, _MOST_TASKS), ("queue instances", instances, _MOST_INSTANCES)):
        if now > max(most, 4 * before):
            return f"The cluster has more than {most:,} {words}, too many for a lesson."
    return ""


def _is_task(name: str) -> bool:
    head, dot, tail = name.rpartition(".")
    return bool(dot) and whole_number(head) is not None and whole_number(tail) is not None
