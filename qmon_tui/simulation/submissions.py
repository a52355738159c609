"""Submissions of jobs, and commands given to the qmaster at a time."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from operator import is_
from typing import TYPE_CHECKING

from qmon_tui.model import GONE, Cluster, Job, State, renewed
from qmon_tui.qmaster import Command, submit, with_wallclock_limits, without_absent_predecessors
from qmon_tui.simulation.event_queue import SimulationEvent
from qmon_tui.simulation.execution import TaskKey, is_placed
from qmon_tui.simulation.planning import plan_calendars, plan_reservations
from qmon_tui.simulation.run_times import Cause

if TYPE_CHECKING:
    from qmon_tui.simulation.simulator import Simulator


@dataclass(frozen=True, slots=True, eq=False)
class JobSubmitted(SimulationEvent):
    """A job is submitted."""

    job: Job

    def apply(self, simulator: "Simulator") -> None:
        """Admit the job, or record why the qmaster refuses it."""
        job, now = self.job, simulator.now
        if simulator.together.comes(job, now):
            simulator.coming -= 1
            self._enter(job, simulator)
            return
        state = renewed(simulator.state, now=now)
        reply = submit(simulator.cluster, state, without_absent_predecessors(state, job))
        simulator.state = reply.state
        simulator.coming -= 1
        if any(known.id == job.id for known in reply.state.jobs[-1:]):
            self._enter(reply.state.jobs[-1], simulator)
        else:
            simulator.refused[job.id] = reply.messages

    def _enter(self, job: Job, simulator: "Simulator") -> None:
        simulator.take_in(job)
        simulator.run_times.note(Cause.JOB_SUBMITTED, simulator.now)
        simulator.users.note_submission(simulator, job.owner)


@dataclass(frozen=True, slots=True)
class StartTimeReached(SimulationEvent):
    """The start time (-a) of a job is reached; the next run sees it."""

    job: int

    def apply(self, simulator: "Simulator") -> None:
        """Plan a run with the interval, as load reports of real hosts would."""
        if not simulator.settings.simulated_hosts:
            simulator.run_times.note(Cause.OTHER, simulator.now)


@dataclass(frozen=True, slots=True, eq=False)
class CommandGiven(SimulationEvent):
    """A command is given to the qmaster."""

    command: Command

    def apply(self, simulator: "Simulator") -> None:
        """Apply the command, with its consequences for jobs and configuration."""
        before = replace(simulator.state, now=simulator.now)
        reply = self.command.apply(simulator.cluster, before)
        simulator.state = reply.state
        simulator.replies.append((simulator.now, self.command.line, reply.messages))
        if reply.changes(before):
            take_over(simulator, before, reply.cluster)


def expect(simulator: "Simulator", state: State) -> State:
    """Plan the jobs of a state that are submitted later, in their order, and return the state without them.

    Its running tasks get the run time limits of their jobs and queue instances, like tasks that start later.
    """
    coming = [job for job in state.jobs if job.is_to_come(state.now)]
    simulator.coming += len(coming)
    for job in sorted(coming, key=lambda job: (job.submitted, job.id)):
        simulator.queue.plan(job.submitted, JobSubmitted(job))
    later = {job.id for job in coming}
    there = (job for job in state.jobs if job.id not in later)
    jobs = tuple(with_wallclock_limits(simulator.cluster, there))
    return state if all(map(is_, jobs, state.jobs)) and not coming else replace(state, jobs=jobs)


def take_over(simulator: "Simulator", before: State, cluster: Cluster | None) -> None:
    """Update the simulator after a change of its state from outside, and of the cluster unless that is None.

    `before` is the state before it; new jobs are admitted, tasks without their slots end or wait again.
    """
    known, left = ({job.id for job in state.jobs} for state in (before, simulator.state))
    for job in simulator.state.jobs:
        if job.id not in known:
            simulator.take_in(job)
            simulator.users.note_submission(simulator, job.owner)
    if cluster is not None:
        simulator.cluster = cluster
        simulator.note_configuration()
        plan_calendars(simulator)
    simulator.follow(before)
    note_deletions(simulator, before)
    plan_reservations(simulator)
    has_ended = bool(known - left or set(_placed(before)) - set(_placed(simulator.state)))
    for cause, applies in (
        (Cause.CONFIGURATION_CHANGED, cluster is not None),
        (Cause.JOB_SUBMITTED, bool(left - known)),
        (Cause.TASK_ENDED, has_ended),
        (Cause.OTHER, True),
    ):
        if applies:
            simulator.run_times.note(cause, simulator.now)


def note_deletions(simulator: "Simulator", before: State) -> None:
    """Record as deleted the tasks that waited in `before` and no longer exist."""
    known = {job.id: job for job in simulator.state.jobs}
    for job in before.jobs:
        after = known.get(job.id)
        if after is job:
            continue
        for number in job.task_ids:
            task = job.tasks.get(number)
            waits = task is None or "q" in task.state
            if waits and (after is None or (number in after.tasks and after.tasks[number].state == GONE)):
                record = simulator.records.get((job.id, number))
                if record is not None:
                    record.deleted = simulator.now


def _placed(state: State) -> Iterator[TaskKey]:
    return ((job.id, number) for job in state.jobs for number, task in job.tasks.items() if is_placed(task))
