"""How much runs gain in a simulation by what the last one has left: the same day by plain runs, in one process.

Ratios inside one process say the same on a quiet machine and on a loaded one: `python -m tests.bench.gains s day`.
"""

import subprocess
import sys
import time
from itertools import islice
from pathlib import Path
from typing import Final

from qmon_tui.incremental import RunChain
from qmon_tui.simulation import Scenario, Simulator, simulator
from qmon_tui.sources import read_folder
from tests.bench.reserving import RESERVING, reserving_cluster, reserving_state
from tests.bench.simulations import TRACES, cluster_of, state_of
from tests.unit.incremental.plain_chain import PlainChain

CONFIGS: Final = Path(__file__).resolve().parents[2] / "configs"
EXAMPLES: Final = ("campus", "genome", "racks", "day")
"""Clusters that come with the program; in the first three runs are plain ones, as queues suspend others there."""
_FIRST: Final = 20
"""Runs."""
TOLD: Final = ("s", "1000x20", "reserving-s", *EXAMPLES)


def beginning(name: str) -> Simulator:
    """A trace, or an example cluster, before its first run."""
    if name in EXAMPLES:
        reading = read_folder(CONFIGS / name)
        return Scenario(reading.cluster, reading.state).simulator()
    if name in RESERVING:
        trace = RESERVING[name]
        return Simulator(reserving_cluster(trace), reserving_state(trace))
    trace = TRACES["day" if name == "1000x20" else name]
    return Simulator(cluster_of(trace), state_of(trace))


def seconds_with(chain: type, name: str) -> tuple[float, int]:
    """CPU seconds of a simulation whose runs are made by such a chain, and how many runs there were."""
    setattr(simulator, "RunChain", chain)  # noqa: B010 - the simulator offers no other way
    there = beginning(name)
    start = time.process_time()
    there.run()
    return time.process_time() - start, there.runs


def measure(name: str) -> str:
    """A line: how long the day takes, and how often that goes into the same day by plain runs."""
    for _ in islice(beginning(name).steps(), _FIRST):
        pass  # what is loaded and made once is not counted
    quick, runs = seconds_with(RunChain, name)
    plain, _ = seconds_with(PlainChain, name)
    return f"{name:12}{runs:7} runs{1000 * quick / runs:8.2f} ms each{plain / quick:8.1f} x by plain runs"


def print_gains() -> None:
    """A line for each day, each in a process of its own."""
    print("\ndays by runs that take over what the last one has left, CPU:")
    for name in TOLD:
        subprocess.run([sys.executable, "-m", "tests.bench.gains", name], check=True)


if __name__ == "__main__":
    for word in sys.argv[1:]:
        print(measure(word), flush=True)
