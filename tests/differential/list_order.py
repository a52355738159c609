"""In which order equal queue instances are taken after commands: in the real system, and in ours after its own.

Each session ends with jobs that fill what is free, one slot each: the order in which instances fill up is that of the
list. `run` lets the scheduler run before that. Recorded anew by `python -m tests.differential.list_order`.
"""

import json
import shlex
import sys
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from types import MappingProxyType
from typing import Final

from qmon_tui.formats.folder_reader import read_texts
from qmon_tui.formats.layout import Layout
from qmon_tui.model.jobs import Job, Task
from qmon_tui.model.state import State
from qmon_tui.qmaster.commands import give_back, new_job, reserve, submit
from qmon_tui.qmaster.scheduling import schedule
from qmon_tui.sources import read_folder
from tests.differential.commanding import Ours
from tests.differential.loading import load
from tests.differential.observing import observe
from tests.differential.qmaster import Qmaster, QmasterError, running_qmaster
from tests.differential.session_player import run_scheduler

RECORDED: Final = Path(__file__).parent.parent / "data" / "recorded" / "list_order.json"
CLUSTER: Final = """\
queues:
  a.q: {hostlist: sim1 sim2 sim3 sim4 sim5, slots: 2, load_thresholds: NONE, pe_list: mpi, rerun: TRUE}
  b.q: {hostlist: sim1 sim2 sim3, slots: 2, load_thresholds: NONE, rerun: TRUE}
pes:
  mpi: {slots: 99, allocation_rule: $round_robin}
"""
FREE: Final = 16
_NOW: Final = 1_800_000_000
_RUN_SECONDS: Final = 10
_RUNS: Final = ("qsub -q a.q@sim2 sleep 999", "qsub -q a.q@sim3 sleep 999", "run")
_PARALLEL: Final = ("qsub -pe mpi 3 sleep 999", "run")

SESSIONS: Final[Mapping[str, tuple[str, ...]]] = {
    "nothing": (),
    "disabled and enabled": ("qmod -d a.q@sim2", "qmod -e a.q@sim2"),
    "enabled already": ("qmod -e a.q@sim2",),
    "suspended and resumed": ("qmod -sq b.q@sim1", "qmod -usq b.q@sim1"),
    "no error to clear": ("qmod -cq a.q@sim2",),
    "a whole queue": ("qmod -d a.q@sim4", "qmod -d a.q", "qmod -e a.q@sim2", "qmod -e a.q"),
    "one of them twice": ("qmod -d a.q@sim2", "qmod -d a.q@sim3", "qmod -d a.q@sim2", "qmod -e a.q@sim[23]"),
    "a host": ("qmod -d *@sim1", "qmod -e *@sim1"),
    "what runs": _RUNS,
    "resumed after starts": (*_RUNS, "qmod -sq a.q@sim2", "qmod -usq a.q@sim2"),
    "jobs suspended": (*_RUNS, "qmod -sj 1", "qmod -usj 1"),
    "a job deleted by force": (*_RUNS, "qdel -f 1"),
    "a job sent back": (*_RUNS, "qmod -rj 1", "qhold 1"),
    "a job sent back by force": (*_RUNS, "qmod -f -rj 2", "qhold 2", "qmod -f -rj 1", "qhold 1"),
    "all in an instance sent back": (*_RUNS, "qmod -rq a.q@sim2", "qhold 1"),
    "a parallel job deleted by force": (*_PARALLEL, "qmod -d a.q@sim4", "qmod -e a.q@sim4", "qdel -f 1"),
    "a parallel job sent back": (*_PARALLEL, "qmod -d a.q@sim4", "qmod -e a.q@sim4", "qmod -rj 1", "qhold 1"),
    "reserved": ("qrsub -d 3600 -q a.q@sim2",),
    "reserved and given back": ("qrsub -d 3600 -q a.q@sim2", "qrdel 1"),
    "given back later": ("qrsub -d 3600 -q a.q@sim2", "qrsub -d 3600 -q a.q@sim3", "qrdel 1"),
    "reserved, disabled": (
        *("qrsub -d 3600 -q a.q@sim2", "qrsub -d 3600 -q a.q@sim3"),
        *("qmod -d a.q@sim2", "qmod -e a.q@sim2"),
    ),
}
"""What a session does; -> the commands, all by root, before the order is looked at."""

Places = list[str]
"""Where one job after the other went; "" where none is left."""


def record(qmaster: Qmaster, lines: Iterable[str]) -> Places:
    """The order in the real system."""
    with TemporaryDirectory() as folder:
        Path(folder, "cluster.yaml").write_text(CLUSTER)
        cluster = read_folder(folder).cluster
    qmaster.restart()
    load(qmaster, cluster)
    for line in lines:
        if line == "run":
            run_scheduler(qmaster)
            continue
        program, *words = shlex.split(line)
        answer = qmaster.run(program, *(("-b", "y") if program == "qsub" else ()), *words)
        if answer.status:
            raise QmasterError(f"{line}: {answer.text}")
    numbers = [int(qmaster.must("qsub", "-terse", "-b", "y", "sleep", "999")) for _ in range(FREE)]
    run_scheduler(qmaster)
    rows = {job.id: job.rows[0] for job in observe(qmaster).jobs}
    return [next(iter(rows[number].granted), "") for number in numbers]


def ours(lines: Iterable[str]) -> Places:
    """The order after our own commands."""
    contents = read_texts(Layout.YAML, "sessions", {"cluster.yaml": CLUSTER})
    session = Ours(contents.cluster, replace(contents.state, now=_NOW))
    for line in lines:
        program, *words = shlex.split(line)
        if line == "run":
            session.state = _after_a_run(session)
        elif program == "qrsub":
            session.state = reserve(session.cluster, session.state, "root", shlex.join(words)).state
        elif program == "qrdel":
            session.state = give_back(session.cluster, session.state, int(words[0])).state
        else:
            session.state = session.command("root", line).state
    numbers = []
    for _ in range(FREE):
        job = new_job(session.state, "root", "sleep 999")
        session.state = submit(session.cluster, session.state, job).state
        numbers.append(job.id)
    found = {job.id: job for job in schedule(session.cluster, session.state).jobs}
    return [next((name for task in found[number].tasks for name in task.granted), "") for number in numbers]


def _after_a_run(session: Ours) -> State:
    """The state some time after a run, in which what it started runs."""
    found = {job.id: job for job in schedule(session.cluster, session.state).jobs}

    def placed(job: Job) -> Job:
        running = {
            task.task: Task("r", granted=task.granted, started=session.state.now)
            for task in found[job.id].tasks
            if task.granted and task.task not in job.tasks
        }
        return replace(job, tasks=MappingProxyType({**job.tasks, **running}))

    jobs = tuple(map(placed, session.state.jobs))
    return replace(session.state, jobs=jobs, now=session.state.now + _RUN_SECONDS)


def recorded() -> Mapping[str, Places]:
    """The orders as they were recorded."""
    return dict(json.loads(RECORDED.read_text()))


def main() -> int:
    """Record all sessions anew."""
    with running_qmaster() as qmaster:
        found = {name: record(qmaster, lines) for name, lines in SESSIONS.items()}
    RECORDED.write_text(json.dumps(found, indent=0, sort_keys=True) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
