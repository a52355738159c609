"""Many scenarios on several qmasters side by side, a process each."""

import multiprocessing
import traceback
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from multiprocessing.queues import Queue
from pathlib import Path

from tests.differential.families import families
from tests.differential.qmaster import Qmaster
from tests.differential.running import Verdict, judge, real_runs
from tests.differential.scenarios import write_scenario


@dataclass(frozen=True, slots=True)
class Task:
    """One number of a family."""

    family: str
    number: int


@dataclass(frozen=True, slots=True)
class Played:
    """What came of a task."""

    task: Task
    folder: Path
    """Where the scenario and its differing runs are; only there if something went wrong."""
    verdict: Verdict | None
    """None where it could not be played."""
    failure: str = ""


def play_all(tasks: Sequence[Task], leave_in: Path, processes: int) -> Iterator[Played]:
    """Play the tasks; each result as soon as it is there."""
    context = multiprocessing.get_context("fork")
    waiting: Queue[Task | None] = context.Queue()
    done: Queue[Played] = context.Queue()
    workers = [context.Process(target=_work, args=(waiting, done, leave_in)) for _ in range(min(processes, len(tasks)))]
    for worker in workers:
        worker.start()
    try:
        for task in (*tasks, *(None for _ in workers)):
            waiting.put(task)
        for _ in tasks:
            yield done.get()
    finally:
        for worker in workers:
            worker.join(1)
            worker.terminate()


def _work(waiting: "Queue[Task | None]", done: "Queue[Played]", leave_in: Path) -> None:
    with Qmaster() as qmaster:
        while (task := waiting.get()) is not None:
            done.put(_played(qmaster, task, leave_in))


def _played(qmaster: Qmaster, task: Task, leave_in: Path) -> Played:
    scenario = families()[task.family].scenario(task.number)
    folder = leave_in / scenario.name
    try:
        verdict = judge(real_runs(qmaster, scenario), scenario.files, folder)
    except Exception as error:  # the next scenario starts afresh whatever happened in this one
        write_scenario(folder, scenario)
        short = traceback.format_exception_only(error)[-1].strip()
        folder.joinpath("failure.txt").write_text(traceback.format_exc())
        return Played(task, folder, None, short)
    if verdict.complaint:
        write_scenario(folder, scenario)
    return Played(task, folder, verdict)
