"""A finished scheduling run, as the qmaster sees it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from weakref import ref

from qmon_tui.model import Job, JobOutcome, LazySequence, Outcome
from qmon_tui.qmaster.states_after_run import StatesAfterRun
from qmon_tui.qmaster.suspended_numbers import SuspendedNumbers
from qmon_tui.scheduler import SchedulingRun

TaskKey = tuple[int, int]
"""Job and task."""


@dataclass(slots=True, kw_only=True, weakref_slot=True)
class Run(SchedulingRun):
    """A finished run with what the qmaster has made of it."""

    rejected: list[tuple[Job, str]]
    states_after_run: StatesAfterRun
    suspended_numbers: SuspendedNumbers
    jobs_told: ref[LazySequence[Any, JobOutcome]] | None = None
    """What was told of the jobs, by this run or by one that has come to the same, as long as somebody reads that."""
    told: ref[Outcome] | None = None
    """What was told of it, as long as somebody reads that."""

    @property
    def started(self) -> Sequence[TaskKey]:
        """The tasks that are started, in the order of the run; not those that the qmaster refuses to start."""
        return [(start.run_job.id, start.task) for start in self.dispatch.starts if not start.refused]

    @property
    def reserved(self) -> Sequence[TaskKey]:
        """The tasks for which there is a reservation."""
        return [(allocation.job, allocation.task) for allocation in self.dispatch.reserved]
