"""The live re-run: findings and outcome of one revision, what an edit moved, and how many starts it predicted right."""

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final, TypeVar

from qmon_tui.model import Cluster, Finding, State
from qmon_tui.workspace.document import Document
from qmon_tui.workspace.events import GRID_ENGINE, ChangeOrigin
from qmon_tui.workspace.findings import findings_of

if TYPE_CHECKING:
    from qmon_tui.explain import Explainer  # late: the first run imports it off the screen's thread
    from qmon_tui.model import JobOutcome, Outcome, TaskOutcome
    from qmon_tui.qmaster import Simulate

_MOST_MISSES: Final = 20
T = TypeVar("T")
JobKey = tuple[int, int]
"""Job and task."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Input of a background run; it shares nothing with the thread that edits."""

    revision: int
    cluster: Cluster
    state: State
    saved: Document
    """Cluster and state without the edits that are not saved."""
    origin: ChangeOrigin
    read_findings: tuple[Finding, ...] = ()
    """Findings of reading the files; the result begins with them."""
    stale_files: tuple[str, ...] = ()
    """Broken files whose last good content is in the cluster."""
    formulas: str = GRID_ENGINE
    """Name of the formulas by which priorities are computed."""
    before: "Outcome | None" = None
    """The baseline with which this run's outcome is compared; None if there is none."""
    simulate: "Simulate | None" = None
    """The function that made the last run, with its caches; None before the first run."""


@dataclass(frozen=True, slots=True)
class ScheduleChange:
    """Ranks and slots of one task in two runs. Ranks count from 1 among the jobs that both runs try to start; else 0.

    `granted_…`: queue instance -> slots.
    """

    rank_before: int
    rank_after: int
    granted_before: Mapping[str, int]
    granted_after: Mapping[str, int]

    @property
    def up(self) -> int:
        """Ranks gained in the order; negative if lost."""
        return self.rank_before - self.rank_after

    @property
    def starts(self) -> bool:
        """True if it has slots now and had none before."""
        return bool(self.granted_after) and not self.granted_before

    @property
    def no_longer_starts(self) -> bool:
        """True if it had slots before and has none now."""
        return bool(self.granted_before) and not self.granted_after

    @property
    def elsewhere(self) -> bool:
        """True if it has slots in both runs, but different ones."""
        return bool(self.granted_before and self.granted_after) and self.granted_before != self.granted_after


@dataclass(frozen=True, slots=True)
class Result:
    """Result of checks and run. `seconds`: wall time of both; `error`: a sentence if one failed, else None."""

    revision: int
    findings: tuple[Finding, ...]
    outcome: "Outcome | None"
    seconds: float
    origin: ChangeOrigin
    error: str | None = None
    stale: bool = False
    """True if the outcome is the last good one, not that of the present files or document."""
    stale_files: tuple[str, ...] = ()
    moves: Mapping[JobKey, ScheduleChange] = field(default_factory=dict)
    """Changes of the schedule since `Snapshot.before`."""
    explainer: "Explainer | None" = field(default=None, compare=False, repr=False)
    """Answers questions about the run whose outcome this is."""

    def with_last_good(self, last: "Result", baseline: "Outcome | None") -> "Result":
        """Return this failed result with the outcome of `last`, marked stale; moves compare with `baseline`."""
        moves = changes_of_schedule(baseline, last.outcome) if last.outcome is not None else {}
        return replace(self, outcome=last.outcome, explainer=last.explainer, moves=moves, stale=True)


def evaluate(snapshot: Snapshot) -> Result:
    """Check and schedule one snapshot. Never raises: a failure of checks or engine becomes `error`."""
    started = time.perf_counter()
    findings, check_error = _guarded("check", _check, snapshot)
    explainer, run_error = _guarded("scheduling run", _schedule, snapshot)
    outcome = explainer.outcome if explainer is not None else None
    return Result(
        revision=snapshot.revision,
        findings=(*snapshot.read_findings, *(findings or ())),
        outcome=outcome,
        seconds=time.perf_counter() - started,
        origin=snapshot.origin,
        error=" ".join(filter(None, (check_error, run_error))) or None,
        stale=bool(snapshot.stale_files),
        stale_files=snapshot.stale_files,
        moves=changes_of_schedule(snapshot.before, outcome) if outcome is not None else {},
        explainer=explainer,
    )


def _check(snapshot: Snapshot) -> tuple[Finding, ...]:
    return findings_of(snapshot.cluster, snapshot.state, snapshot.saved)


# The engine is imported by the first run, off the screen's thread: the first frame does not wait for it.
def _schedule(snapshot: Snapshot) -> "Explainer":
    from qmon_tui.explain import Explainer
    from qmon_tui.incremental import RunChain
    from qmon_tui.scheduler.priority import FORMULAS

    simulate = snapshot.simulate or RunChain().simulate
    explainer = Explainer(simulate(snapshot.cluster, snapshot.state, formulas=FORMULAS[snapshot.formulas]))
    explainer.outcome  # noqa: B018 - computed here, so that drawing need not wait
    return explainer


def _guarded(what: str, compute: Callable[[Snapshot], T], snapshot: Snapshot) -> tuple[T | None, str | None]:
    try:
        return compute(snapshot), None
    except Exception as error:
        return None, f"The {what} failed, please report it: {type(error).__name__}: {error}."


def changes_of_schedule(before: "Outcome | None", after: "Outcome") -> Mapping[JobKey, ScheduleChange]:
    """Return the tasks of both runs whose rank or slots differ; empty if `before` is None."""
    if before is None or before.jobs is after.jobs:
        return {}
    known = {job.id: job for job in before.jobs}
    tried = [job.id for job in after.jobs if _is_tried(job)]
    both = {job.id for job in before.jobs if _is_tried(job)}.intersection(tried)
    old_ranks = {job.id: rank for rank, job in enumerate((job for job in before.jobs if job.id in both), start=1)}
    ranks = {number: rank for rank, number in enumerate((number for number in tried if number in both), start=1)}
    moves: dict[JobKey, ScheduleChange] = {}
    for job in after.jobs:
        if (old := known.get(job.id)) is None:
            continue
        old_rank, rank = old_ranks.get(job.id, 0), ranks.get(job.id, 0)
        for old_task, task in _of_both(old, job):
            if rank != old_rank or task.granted != old_task.granted:
                moves[job.id, task.task] = ScheduleChange(old_rank, rank, old_task.granted, task.granted)
    return moves


def _is_tried(job: "JobOutcome") -> bool:
    """Return True if the run tries to start a task of the job: running or held tasks have no rank."""
    return any(task.pending == "waiting" for task in job.tasks)


def _of_both(before: "JobOutcome", after: "JobOutcome") -> "Iterable[tuple[TaskOutcome, TaskOutcome]]":
    """Return the tasks that a job has in both runs, as pairs."""
    if [task.task for task in before.tasks] == [task.task for task in after.tasks]:
        return zip(before.tasks, after.tasks, strict=True)
    known = {task.task: task for task in before.tasks}
    return [(known[task.task], task) for task in after.tasks if task.task in known]


@dataclass(frozen=True, slots=True)
class Trust:
    """How many starts on a running cluster our run predicted, since it was opened; only tasks seen waiting count."""

    right: int = 0
    """Starts on exactly the queue instances of our run."""
    total: int = 0
    """All such starts."""
    misses: tuple[str, ...] = ()
    """The newest starts elsewhere, a sentence each."""

    def after(self, outcome: "Outcome", before: State, now: State) -> "Trust":
        """Return the trust with the starts between two readings; `outcome` is our run on the first one."""
        known = {(job.id, job.owner): job for job in before.jobs}
        right, total, misses = self.right, self.total, list(self.misses)
        for job in now.jobs:
            earlier = known.get((job.id, job.owner))
            if earlier is None:
                continue
            for number, task in job.tasks.items():
                waited = earlier.tasks.get(number)
                if not task.granted or "q" in task.state or (waited is not None and "q" not in waited.state):
                    continue
                run = outcome.job(job.id)
                ours = next((entry.granted for entry in run.tasks if entry.task == number), {}) if run else {}
                total += 1
                if set(ours) == set(task.granted):
                    right += 1
                else:
                    where = ", ".join(ours) or "nowhere"
                    misses.append(f"{job.id}.{number} started on {', '.join(task.granted)}, our run placed it {where}")
        return Trust(right, total, tuple(misses[-_MOST_MISSES:]))


def after_reading(trust: Trust | None, result: Result | None, revision: int, before: State, now: State) -> Trust | None:
    """Return the trust with the starts between two readings; unchanged without a result of this revision."""
    if result is None or result.outcome is None or result.revision != revision:
        return trust
    return (trust or Trust()).after(result.outcome, before, now)
