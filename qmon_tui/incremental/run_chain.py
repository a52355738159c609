"""Runs in sequence: each reuses jobs, bookings and order of the run before if it can, else it is a full run."""

from typing import Final

from qmon_tui.incremental.events_together import EventsTogether
from qmon_tui.incremental.incremental_scheduler import IncrementalScheduler
from qmon_tui.incremental.kept_jobs import KeptJobs, run_with
from qmon_tui.incremental.latest_moments import LatestMoments
from qmon_tui.incremental.latest_run import LatestRun
from qmon_tui.incremental.lazy_run import LazyRun
from qmon_tui.incremental.prerequisites import NotIncremental, follows_cluster, follows_state
from qmon_tui.model import Cluster, State, existing_at
from qmon_tui.qmaster import Run, RunFacts, carried_out, simulate
from qmon_tui.qmaster.transition import after_run
from qmon_tui.scheduler import RunUntil, SchedulerSession, session_of
from qmon_tui.scheduler.priority import GRID_ENGINE, Formulas

_LONGEST_BACKOFF: Final = 64
"""Most full runs before an incremental run is tried again."""


class RunChain:
    """The runs of one owner. Decisions equal those of `qmaster.simulate`, the state after a run that of `after_run`.

    `next_run` makes the runs of a day, `simulate` runs on one state while the cluster is edited. The first run of a
    new chain is slower.
    """

    def __init__(self) -> None:
        self._session: SchedulerSession | None = None
        """The scheduler session (one configuration) of the last run."""
        self._scheduler: IncrementalScheduler | None = None
        """The scheduler after the last run; None if that was a full run."""
        self._backoff = 0
        """Number of full runs after the last failure, doubled with each failure; 0 after a success."""
        self._full_runs = 0
        """Number of these full runs still to be made."""
        self._kept_jobs = KeptJobs()
        self._latest_run = LatestRun()
        self._latest_moments = LatestMoments()

    def next_run(self, cluster: Cluster, state: State) -> RunFacts:
        """Return the run on a state, with its decisions and the state after it; the rest may be computed on access.

        Not thread-safe.
        """
        session = session_of(cluster)
        if session is not self._session:
            self._session, self._scheduler, self._backoff, self._full_runs = session, None, 0, 0
        if self._full_runs:
            self._full_runs -= 1
            return simulate(cluster, state)
        # A scheduler that has failed cannot be used again, so it is kept only after a success.
        scheduler, self._scheduler = self._scheduler, None
        try:
            if scheduler is None or scheduler.now > state.now:
                # If time moved back, start times (-a) that had passed are in the future again.
                if not follows_cluster(session.configured):
                    raise NotIncremental
                scheduler = IncrementalScheduler(session, state, self._latest_moments)
            if not follows_state(state):
                raise NotIncremental
            run = scheduler.next_run(state)
        except NotIncremental:
            self._backoff = self._full_runs = min(_LONGEST_BACKOFF, 2 * self._backoff or 1)
            return simulate(cluster, state)
        self._scheduler, self._backoff = scheduler, 0
        return run

    def events_together(self, cluster: Cluster, state: State) -> EventsTogether:
        """Return an object that collects the events after a state until the next run."""
        return EventsTogether(cluster, state, self._latest_moments)

    def simulate(
        self,
        cluster: Cluster,
        state: State,
        *,
        at: int | None = None,
        formulas: Formulas = GRID_ENGINE,
        until: RunUntil | None = None,
    ) -> Run:
        """Return the run of `qmaster.simulate`; reuse jobs of the same state, and decisions that an edit leaves."""
        session, now = session_of(cluster), state.now if at is None else at
        state = existing_at(state, now)
        compiled = session.compiled(state)
        if until is None and (run := self._latest_run.again(compiled, state, now, formulas)) is not None:
            return run
        jobs = self._kept_jobs.of(session, compiled, state, now, formulas)
        decided = run_with(jobs, session, state, now, formulas, until)
        run = carried_out(session, decided, jobs.run_jobs.rejected, self.simulate)
        if until is None:
            self._latest_run.keep(run)
        return run


def state_after(run: RunFacts) -> State:
    """Return the state after a run, see `after_run`."""
    return run.after if isinstance(run, LazyRun) else after_run(run.full())
