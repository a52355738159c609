"""A scheduling run as the qmaster sees it: jobs let in before, orders carried out or refused after it."""

from dataclasses import dataclass, fields

from qmon_tui.model.cluster import Cluster
from qmon_tui.model.state import Job, State
from qmon_tui.scheduler.acceptance import refuse_starts
from qmon_tui.scheduler.collector import no_collection
from qmon_tui.scheduler.compiled.orphans import compile_with_orphans
from qmon_tui.scheduler.formulas import GRID_ENGINE, Formulas
from qmon_tui.scheduler.immediate import remove_immediate
from qmon_tui.scheduler.intake import take_in
from qmon_tui.scheduler.outcome import Outcome
from qmon_tui.scheduler.report import build_outcome
from qmon_tui.scheduler.run import SchedulingRun, Until, run_scheduler
from qmon_tui.scheduler.suspending.aftermath import Aftermath, aftermath


@dataclass(slots=True, kw_only=True)
class Run(SchedulingRun):
    """A finished run with what the qmaster has made of it."""

    rejected: list[tuple[Job, str]]
    aftermath: Aftermath


def schedule(cluster: Cluster, state: State, *, at: int | None = None, formulas: Formulas = GRID_ENGINE) -> Outcome:
    """One scheduling run: what would be decided now, or at another time (seconds since the epoch)."""
    with no_collection():
        return build_outcome(simulate(cluster, state, at=at, formulas=formulas))


def simulate(
    cluster: Cluster,
    state: State,
    *,
    at: int | None = None,
    formulas: Formulas = GRID_ENGINE,
    until: Until | None = None,
) -> Run:
    """The run itself, for those who want to look inside. Formulas other than the default are not Grid Engine's.

    With `until` it ends early.
    """
    compiled = compile_with_orphans(cluster, state)
    now = state.now if at is None else at
    intake = take_in(compiled, state, now)
    decided = run_scheduler(compiled, state, intake.jobs, now, formulas, until)
    starts, resources = decided.dispatch.starts, decided.resources
    refuse_starts(starts, resources, decided.availability, decided.ledger)
    removed = remove_immediate(decided.pending, starts, resources)
    after = aftermath(
        compiled, decided.states, resources, decided.jobs, starts, decided.relief, now, state.queue_states
    )
    return Run(
        **{one.name: getattr(decided, one.name) for one in fields(decided)},
        rejected=intake.rejected + removed,
        aftermath=after,
    )
