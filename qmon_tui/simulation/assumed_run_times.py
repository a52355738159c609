"""Assumed run times of jobs for which none is given."""

from dataclasses import replace
from typing import Final

from qmon_tui.formats import simulated_runtime, sleep_runtime
from qmon_tui.model import Job, State
from qmon_tui.values import parse_number

ASSUMED: Final = 3600
"""Run time in seconds of a job about which nothing is known."""
_LONGEST: Final = 10 * 365 * 86400


def with_run_times(state: State) -> tuple[State, int]:
    """Return the state with a run time for each job, and the number of assumed run times: h_rt, else an hour.

    A command such as `sleep 600` gives the run time; on simulated hosts the first argument of any command does
    (lifecycle.md#run-time-of-a-simulated-job).
    """
    jobs, assumed = [], 0
    of_command = simulated_runtime if state.simulation.simulated_hosts else sleep_runtime
    for job in state.jobs:
        if job.runtime is None:
            seconds = of_command(job.request.command)
            assumed += seconds is None
            job = replace(job, runtime=_requested(job, state.now) if seconds is None else seconds)
        jobs.append(job)
    return replace(state, jobs=tuple(jobs)), assumed


def has_run_time(job: Job) -> bool:
    """True if the run time is given, as `runtime` or by a command such as `sleep 600`."""
    return job.runtime is not None or sleep_runtime(job.request.command) is not None


def _requested(job: Job, now: int) -> int:
    """Return the seconds of h_rt, else an hour; without h_rt a running job runs one hour more than so far."""
    for name, text in job.request.hard:
        if name == "h_rt" and text is not None:
            try:
                return max(1, int(min(parse_number(text), _LONGEST)))
            except ValueError:
                break
    ran = (now - int(task.started) for task in job.tasks.values() if task.started is not None and "q" not in task.state)
    return max(0, *ran, 0) + ASSUMED
