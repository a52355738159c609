"""Runs in a row on one configuration: what is the same for all of them is worked out once."""

from collections.abc import Iterable, Sequence

from qmon_tui.model import Cluster, State, memoized
from qmon_tui.scheduler.configuration import CompiledCluster, compile_cluster
from qmon_tui.scheduler.jobs import Category, JobProfiles, PlainCategory, RunJob, job_profiles_of
from qmon_tui.scheduler.priority import GRID_ENGINE, Formulas
from qmon_tui.scheduler.scheduling_run import RunUntil, SchedulingRun, run_scheduler
from qmon_tui.scheduler.suspension import Orphans, compile_with_orphans, orphans_of


class SchedulerSession:
    """The scheduler with one configuration. What it remembers changes no decision, and no run depends on another.

    A session that is not `fast` is the oracle of the fast paths: every rule is followed plainly, nothing is remembered
    from run to run, nor within a run of a category but what the real scheduler remembers.
    """

    def __init__(self, cluster: Cluster, *, fast: bool = True) -> None:
        compiled = compile_cluster(cluster)
        self.cluster = cluster
        self.fast = fast
        self._without_orphans = compiled
        self._instances: frozenset[str] | None = None
        self._compiled: dict[Orphans, CompiledCluster] = {frozenset(): compiled}

    def compiled(self, state: State) -> CompiledCluster:
        """The configuration, with the queue instances that only the jobs and reservations of a state keep alive."""
        orphans = orphans_of(self._without_orphans, state.jobs, state.reservations, state.queue_states)
        if orphans not in self._compiled:
            self._compiled[orphans] = compile_with_orphans(self.cluster, orphans)
        return self._compiled[orphans]

    def has_instances(self, names: Iterable[str]) -> bool:
        """True if these are queue instances of the configuration by itself."""
        if self._instances is None:
            self._instances = frozenset(instance.name for instance in self._without_orphans.instances)
        return self._instances.issuperset(names)

    @property
    def configured(self) -> CompiledCluster:
        """The configuration by itself."""
        return self._without_orphans

    def job_profiles(self, compiled: CompiledCluster) -> JobProfiles:
        """What is known of jobs with the same options; to be asked for once in a run."""
        return job_profiles_of(compiled) if self.fast else JobProfiles(compiled)

    @property
    def new_category(self) -> type[Category]:
        """What a run remembers of the jobs of one category."""
        return Category if self.fast else PlainCategory

    def run(
        self,
        state: State,
        jobs: Sequence[RunJob],
        now: int,
        formulas: Formulas = GRID_ENGINE,
        until: RunUntil | None = None,
    ) -> SchedulingRun:
        """One run, see `run_scheduler`: `jobs` are those that the qmaster has let in, `now` seconds since the epoch."""
        compiled = self.compiled(state)
        return run_scheduler(compiled, state, jobs, now, formulas, until, fast=self.fast)


@memoized(size=4)
def session_of(cluster: Cluster) -> SchedulerSession:
    """The fast session of a configuration, remembered for the last few."""
    return SchedulerSession(cluster)
