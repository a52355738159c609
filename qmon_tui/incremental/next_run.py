"""The next run of a cluster: by what the last one has left where that is enough, else plainly."""

from typing import Final

from qmon_tui.incremental.incremental_scheduler import IncrementalScheduler
from qmon_tui.incremental.lazy_run import LazyRun
from qmon_tui.incremental.prerequisites import NotIncremental, follows_cluster, follows_state
from qmon_tui.model import Cluster, State
from qmon_tui.qmaster import RunFacts, simulate
from qmon_tui.qmaster.transition import after_run
from qmon_tui.scheduler import session_of

_LONGEST_REST: Final = 64


class _Backoff:
    """For some runs it is not tried again to follow them, because it has come to nothing."""

    def __init__(self, runs: int) -> None:
        self.runs = self.left = runs

    @property
    def is_over(self) -> bool:
        self.left -= 1
        return self.left < 0


def next_run(cluster: Cluster, state: State) -> RunFacts:
    """The run of `simulate`; where the last run of this configuration has left what it needs, that is not made again.

    What it has started, refused and reserved, and the state after it, are there at once.
    """
    session = session_of(cluster)
    left = session.take()
    rest = left if isinstance(left, _Backoff) else None
    if rest is not None and not rest.is_over:
        session.leave(rest)
        return simulate(cluster, state)
    try:
        if not isinstance(left, IncrementalScheduler) or left.now > state.now:
            # In an earlier moment start times lie ahead that had passed for the run that has left this.
            if not follows_cluster(session.configured):
                raise NotIncremental
            left = IncrementalScheduler(session, state)
        if not follows_state(state):
            raise NotIncremental
        run = left.next_run(state)
    except NotIncremental:
        session.leave(_Backoff(min(_LONGEST_REST, 2 * rest.runs if rest is not None else 1)))
        return simulate(cluster, state)
    session.leave(left)
    return run


def state_after(run: RunFacts) -> State:
    """Return the state after a run, see `after_run`."""
    return run.after if isinstance(run, LazyRun) else after_run(run.full())
