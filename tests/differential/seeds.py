"""The clusters of configs/seeds on a real qmaster: what is in their folders is submitted there, and both are compared.

    python -m tests.differential.seeds [NAME]...

records what the real qmaster makes of them. Jobs that run are submitted first and started by a run of their own; what
else has to happen before the last run stands in `seed_sessions/NAME.txt` where that is not enough.
"""

import re
import shlex
import sys
from collections.abc import Iterator
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from typing import Final

from qmon_tui.model.jobs import Job, Task
from qmon_tui.model.outcome import Outcome
from qmon_tui.model.state import State
from qmon_tui.qmaster.scheduling import schedule
from qmon_tui.sources import read_folder
from tests.differential.comparing import Comparison, compare
from tests.differential.observing import Seen, SeenJob
from tests.differential.qmaster import running_qmaster
from tests.differential.recording import keep_runs, kept_runs
from tests.differential.running import real_runs
from tests.differential.runs import Run
from tests.differential.scenarios import Scenario

SEEDS: Final = Path(__file__).parents[2] / "configs" / "seeds"
SESSIONS: Final = Path(__file__).with_name("seed_sessions")
WAITS: Final = {"priority-waiting"}
"""Where waiting counts, so that a session of some seconds cannot show the folder's numbers."""
OPERATORS: Final = ("root", "admin")
"""Who may submit with -p above 0 here."""
_RAISED: Final = re.compile(r"-p ([1-9]\d*)\s*")
_OF_THE_MOMENT: Final = "jobs.yaml"
"""The file in which a seed has its jobs, load values and states."""


def seeds() -> list[str]:
    """The names of all seeds."""
    return sorted(folder.name for folder in SEEDS.iterdir() if folder.is_dir())


def seed_scenario(name: str) -> Scenario:
    """A seed as something that can be played; comments do not count, so that they may change."""
    files = {
        file.name: "".join(f"{line}\n" for line in file.read_text().splitlines() if not line.lstrip().startswith("#"))
        for file in sorted(SEEDS.joinpath(name).glob("*.yaml"))
        if file.name != _OF_THE_MOMENT
    }
    given = SESSIONS / f"{name}.txt"
    session = given.read_text() if given.exists() else "\n".join(session_of(read_folder(SEEDS / name).state))
    return Scenario(f"seed-{name}", files, session)


def in_order(state: State) -> list[Job]:
    """The jobs as they are submitted, without those that have ended: what runs first, by the time of its start."""
    started = {job.id: min(task.started or 0 for task in _placed(job)) for job in state.jobs if _placed(job)}
    there = [job for job in state.jobs if not job.tasks or any(task.state != "z" for task in job.tasks.values())]
    return sorted(there, key=lambda job: (job.id not in started, started.get(job.id, job.submitted)))


def our_outcome(name: str) -> Outcome:
    """What we make of the folder as it is."""
    reading = read_folder(SEEDS / name)
    assert not reading.findings, reading.findings
    return schedule(reading.cluster, reading.state)


def last_run(name: str) -> Run:
    """The run that was recorded last, with the folder's job numbers."""
    return renumbered(kept_runs(seed_scenario(name))[-1], read_folder(SEEDS / name).state)


def real_job(run: Run, number: int) -> SeenJob:
    """What qstat showed of a job."""
    return next(job for job in run.after.jobs if job.id == number)


def compared(name: str) -> Comparison:
    """All that the real qmaster showed after the last run, beside what we make of the folder as it is."""
    return compare(last_run(name), our_outcome(name))


def _placed(job: Job) -> list[Task]:
    return [task for task in job.tasks.values() if task.granted]


def session_of(state: State) -> Iterator[str]:
    """Lines that bring a state about: loads, what runs in the order of its starts, disabled queues, what waits."""
    for host, values in state.loads.items():
        yield f"root# load {host} {shlex.join(f'{name}={text}' for name, text in values.items())}"
    jobs = in_order(state)
    running = [job for job in jobs if _placed(job)]
    for _, together in groupby(running, lambda job: int(min(task.started or 0 for task in _placed(job)))):
        for job in together:
            yield from _submissions(job, jobs.index(job) + 1)
        yield "run"
        yield "root# wait 1"
    for instance, letters in state.queue_states.items():
        if "d" in letters:
            yield f"root# qmod -d {instance}"
    for number, job in enumerate(jobs[len(running) :], len(running) + 1):
        yield from _submissions(job, number)
    yield "run"


def _submissions(job: Job, number: int) -> Iterator[str]:
    """What an operator has raised is raised by one here too; what is held by command, by command."""
    raised = _RAISED.search(job.qsub)
    yield f"{job.owner}$ qsub {_RAISED.sub('', job.qsub) if raised and job.owner not in OPERATORS else job.qsub}"
    if raised and job.owner not in OPERATORS:
        yield f"root# qalter -p {raised[1]} {number}"
    if any(task.state == "hqw" for task in job.tasks.values()) and not job.request.hold:
        yield f"root# qhold {number}"


def renumbered(run: Run, state: State) -> Run:
    """A run of the session of a state, with that state's job numbers."""
    numbers = {n: job.id for n, job in enumerate(in_order(state), 1)}
    return replace(run, before=_renumbered(run.before, numbers), after=_renumbered(run.after, numbers))


def _renumbered(seen: Seen, numbers: dict[int, int]) -> Seen:
    jobs = [replace(job, id=numbers.get(job.id, job.id)) for job in seen.jobs]
    return replace(seen, jobs=sorted(jobs, key=lambda job: job.id))


def main(names: list[str]) -> None:
    """Record what is named, or all."""
    with running_qmaster() as qmaster:
        for name in names or seeds():
            scenario = seed_scenario(name)
            runs = real_runs(qmaster, scenario)
            keep_runs(scenario, runs)
            found = compared(name).mismatches
            print(f"{name}: {len(runs)} runs", *found, sep="\n  ", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
