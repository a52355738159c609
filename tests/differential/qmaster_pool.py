"""Many scenarios on several qmasters side by side, a process each."""

import multiprocessing
import tempfile
import traceback
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from multiprocessing.queues import Queue
from pathlib import Path
from typing import Self

from tests.differential.clock import universal_time
from tests.differential.qmaster import Qmaster
from tests.differential.running import Verdict, judge, real_runs
from tests.differential.runs import Run
from tests.differential.scenarios import Scenario, write_scenario


@dataclass(frozen=True, slots=True)
class PlayedScenario:
    """What came of a scenario."""

    scenario: Scenario
    folder: Path
    """Where the scenario and its differing runs are; only there if something went wrong."""
    verdict: Verdict | None
    """None where it could not be played."""
    failure: str = ""


class QmasterPool:
    """Processes with a qmaster each, to which scenarios are given. Use as a context manager."""

    def __init__(self, processes: int, leave_in: Path | None = None, judged: "Judge | None" = None) -> None:
        """`leave_in` gets a folder for each scenario that differs; a new temporary folder by default."""
        self.leave_in = leave_in or Path(tempfile.mkdtemp(prefix="differential-"))
        self._judged = judged or _judged
        context = multiprocessing.get_context("fork")
        self.processes = processes
        self._waiting: Queue[Scenario | None] = context.Queue()
        self._done: Queue[PlayedScenario] = context.Queue()
        self._workers = [context.Process(target=self._work) for _ in range(processes)]

    def __enter__(self) -> Self:
        for worker in self._workers:
            worker.start()
        return self

    def __exit__(self, *_: object) -> None:
        for _worker in self._workers:
            self._waiting.put(None)
        for worker in self._workers:
            worker.join(1)
            worker.terminate()

    def play(self, scenarios: Iterable[Scenario]) -> Iterator[PlayedScenario]:
        """Play them all; each result as soon as it is there."""
        count = 0
        for count, scenario in enumerate(scenarios, 1):  # noqa: B007
            self._waiting.put(scenario)
        for _ in range(count):
            yield self._done.get()

    def _work(self) -> None:
        with Qmaster() as qmaster, universal_time():
            while (given := self._waiting.get()) is not None:
                self._done.put(_played(qmaster, given, self.leave_in, self._judged))


Judge = Callable[[list[Run], Scenario, Path], Verdict]
"""Compares the real runs of a scenario with ours, and leaves in a folder what differs."""


def _judged(runs: list[Run], scenario: Scenario, leave_in: Path) -> Verdict:
    return judge(runs, scenario.files, leave_in)


def _played(qmaster: Qmaster, scenario: Scenario, leave_in: Path, judged: Judge) -> PlayedScenario:
    folder = leave_in / scenario.name
    try:
        verdict = judged(real_runs(qmaster, scenario), scenario, folder)
    except Exception as error:  # the next scenario starts afresh whatever happened in this one
        write_scenario(folder, scenario)
        folder.joinpath("failure.txt").write_text(traceback.format_exc())
        return PlayedScenario(scenario, folder, None, traceback.format_exception_only(error)[-1].strip())
    if verdict.complaint:
        write_scenario(folder, scenario)
    return PlayedScenario(scenario, folder, verdict)
