"""A later moment of the cluster: what a simulation has made of it by then."""

from dataclasses import replace

from qmon_tui.cli.answer import InputError
from qmon_tui.cli.simulation_run import refuse_endless
from qmon_tui.model import Cluster, State
from qmon_tui.report import count
from qmon_tui.simulation import Settings, Simulator
from qmon_tui.values import format_time


def at_moment(cluster: Cluster, state: State, at: int, job: int) -> tuple[Cluster, State, tuple[str, ...]]:
    """Cluster and state at another time, and a note of how it came there: what is later is simulated up to then.

    All jobs have run times. What happens in that very second has happened; a scheduling run that is due then has not
    been made. Raises InputError where the job is not there at that time.
    """
    if at <= state.now:
        _refuse_what_is_to_come(state, at, job)
        return cluster, replace(state, now=at), ()
    simulator = Simulator(cluster, state, replace(Settings.of(cluster, state), until=at))
    while not simulator.is_over and not (simulator.next_time == at and simulator.is_run_next):
        simulator.advance()
    refuse_endless(simulator)
    _refuse_what_is_not_there(simulator, state, at, job)
    note = f"Simulated from {format_time(state.now)} on: {count(simulator.runs, 'scheduling run')} before this one."
    return simulator.cluster, replace(simulator.state, now=at), (note,)


def _refuse_what_is_to_come(state: State, at: int, number: int) -> None:
    """Raise InputError if a job is submitted after `at`."""
    job = next(job for job in state.jobs if job.id == number)
    if job.is_to_come(at):
        when = format_time(job.submitted)
        raise InputError(f"At {format_time(at)} job {number} has not been submitted yet: it comes at {when}.")


def _refuse_what_is_not_there(simulator: Simulator, state: State, at: int, number: int) -> None:
    if any(job.id == number for job in simulator.state.jobs):
        return
    if number in simulator.refused:
        raise InputError(f"At {format_time(at)} there is no job {number}: {' '.join(simulator.refused[number])}")
    ends = [
        record.ended for (job, _), record in simulator.records.items() if job == number and record.ended is not None
    ]
    if ends:
        raise InputError(f"At {format_time(at)} job {number} is over: it ended at {format_time(max(ends))}.")
    _refuse_what_is_to_come(state, at, number)
