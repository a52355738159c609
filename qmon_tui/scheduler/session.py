"""Successive runs on one configuration, sharing its compiled form."""

from collections.abc import Iterable, Sequence

from qmon_tui.model import Cluster, State, memoized
from qmon_tui.scheduler.configuration import CompiledCluster, compile_cluster
from qmon_tui.scheduler.jobs import Category, JobProfiles, PlainCategory, RunJob, job_profiles_of
from qmon_tui.scheduler.priority import GRID_ENGINE, Formulas
from qmon_tui.scheduler.scheduling_run import RunUntil, SchedulingRun, run_scheduler
from qmon_tui.scheduler.suspension import Orphans, compile_with_orphans, orphans_of


class SchedulerSession:
    """The scheduler for one configuration, with caches that change no decision; runs do not depend on each other.

    `fast` False applies every rule plainly, with only the caches of the real scheduler: tests compare both.
    """

    def __init__(self, cluster: Cluster, *, fast: bool = True) -> None:
        compiled = compile_cluster(cluster)
        self.cluster = cluster
        self.fast = fast
        self._without_orphans = compiled
        self._instances: frozenset[str] | None = None
        self._compiled: dict[Orphans, CompiledCluster] = {frozenset(): compiled}

    def compiled(self, state: State) -> CompiledCluster:
        """Return the compiled configuration, including the orphaned queue instances of a state (`orphans_of`)."""
        orphans = orphans_of(self._without_orphans, state.jobs, state.reservations, state.queue_states)
        if orphans not in self._compiled:
            self._compiled[orphans] = compile_with_orphans(self.cluster, orphans)
        return self._compiled[orphans]

    def has_instances(self, names: Iterable[str]) -> bool:
        """True if all names are configured queue instances (no orphans)."""
        if self._instances is None:
            self._instances = frozenset(instance.name for instance in self._without_orphans.instances)
        return self._instances.issuperset(names)

    @property
    def configured(self) -> CompiledCluster:
        """The compiled configuration without orphans."""
        return self._without_orphans

    def job_profiles(self, compiled: CompiledCluster) -> JobProfiles:
        """Return the profiles of jobs; to be called once per run."""
        return job_profiles_of(compiled) if self.fast else JobProfiles(compiled)

    @property
    def new_category(self) -> type[Category]:
        return Category if self.fast else PlainCategory

    def run(
        self,
        state: State,
        jobs: Sequence[RunJob],
        now: int,
        formulas: Formulas = GRID_ENGINE,
        until: RunUntil | None = None,
    ) -> SchedulingRun:
        """Make one run; see `run_scheduler`."""
        compiled = self.compiled(state)
        return run_scheduler(compiled, state, jobs, now, formulas, until, fast=self.fast)


@memoized(size=4)
def session_of(cluster: Cluster) -> SchedulerSession:
    """Return the cached session of a configuration, with `fast` rules."""
    return SchedulerSession(cluster)
