"""Timing of whole processes (their CPU time: elapsed time tells what else runs on the machine) and of first frames."""

import resource
import statistics
import subprocess
import sys
from collections.abc import Callable, Sequence

from tests.bench.terminal import Terminal

RUNS = 7


def median(measure: Callable[[], float], runs: int = RUNS) -> float:
    """The median of a few measurements, after one that does not count."""
    measure()
    return statistics.median(measure() for _ in range(runs))


def medians(*measures: Callable[[], float], runs: int = RUNS) -> list[float]:
    """The median of each, measured by turns: what else runs on the machine slows all of them down alike."""
    for measure in measures:
        measure()
    rounds = [[measure() for measure in measures] for _ in range(runs)]
    return [statistics.median(found) for found in zip(*rounds, strict=True)]


def process_seconds(arguments: Sequence[str]) -> float:
    """CPU time of one process from start to end."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def bare_python() -> float:
    """The unit that other figures are told in: a Python that does nothing."""
    return median(lambda: process_seconds([sys.executable, "-c", "pass"]))


def first_text_seconds(arguments: Sequence[str], text: bytes) -> float:
    """CPU time from start until `text` is on the terminal."""
    with Terminal(arguments) as terminal:
        terminal.wait_for(text)
        used = terminal.kill()
    assert used is not None
    return used.ru_utime + used.ru_stime
