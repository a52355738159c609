"""The live re-run: findings and scheduling outcome of one revision, computed off the screen's thread."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypeVar

from qmon_tui.model import Cluster, Finding, State
from qmon_tui.workspace.document import Document
from qmon_tui.workspace.events import GRID_ENGINE, ChangeOrigin
from qmon_tui.workspace.findings import findings_of
from qmon_tui.workspace.schedule_changes import JobKey, ScheduleChange, changes_of_schedule

if TYPE_CHECKING:
    from qmon_tui.explain import Explainer  # late: the first run imports it off the screen's thread
    from qmon_tui.model import Outcome
    from qmon_tui.qmaster import Simulate

T = TypeVar("T")


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
    """Findings of reading the files; they are the first ones of the result."""
    stale_files: tuple[str, ...] = ()
    """Broken files whose last good content is in the cluster."""
    formulas: str = GRID_ENGINE
    """The name of the formulas of the priorities."""
    before: "Outcome | None" = None
    """The outcome with which that of this run is compared."""
    simulate: "Simulate | None" = None
    """The function that made the last run, which knows it; None before the first run."""


@dataclass(frozen=True, slots=True)
class Result:
    """Result of checks and run. `seconds` is the wall time of both; `error` a sentence if one of them failed."""

    revision: int
    findings: tuple[Finding, ...]
    outcome: "Outcome | None"
    seconds: float
    origin: ChangeOrigin
    error: str | None = None
    stale: bool = False
    """The outcome is not that of what is on disk or in the form now, but the last good one."""
    stale_files: tuple[str, ...] = ()
    moves: Mapping[JobKey, ScheduleChange] = field(default_factory=dict)
    """Changes of the schedule since the outcome before."""
    explainer: "Explainer | None" = field(default=None, compare=False, repr=False)
    """Answers questions about the run whose outcome this is."""

    def with_last_good(self, last: "Result", baseline: "Outcome | None") -> "Result":
        """Return this failed result with the last outcome, which is stale; `baseline` is what moves compare with."""
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
