"""`make demo`: the program on a private real qmaster with simulated hosts, the cluster of configs/site and its jobs.

Nothing of the machine is touched: the qmaster lives in namespaces of its own and ends with the program.
"""

import os
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from qmon_tui.formats.qconf.objects import write_object
from qmon_tui.model.kinds import Kind
from qmon_tui.sources import read_folder
from tests.differential.loading import load
from tests.differential.loads import report_loads, why_no_loads
from tests.differential.qmaster import Qmaster, QmasterError, running_qmaster
from tests.differential.session import Submission
from tests.differential.session_player import submit
from tests.differential.worlds import OpenWorld

SITE = Path(__file__).parents[2] / "configs" / "site"
WHAT_HELPS = (
    "make demo starts a private qmaster: it needs root, Debian's gridengine-master, gridengine-client and"
    " gridengine-exec, and the right to make namespaces (in a container --privileged)"
)


def prepare(qmaster: Qmaster, folder: Path = SITE, interval: str = "0:0:2", *, jobs: bool = True) -> None:
    """Load a cluster folder with its load values, submit its jobs, and let the scheduler run by itself."""
    reading = read_folder(folder)
    load(qmaster, reading.cluster)
    if reading.state.loads and why_no_loads() is None:
        report_loads(qmaster, reading.state.loads)
    for job in reading.state.jobs if jobs else ():
        submit(qmaster, Submission(job.owner, job.group, job.qsub))
    for name, letters in reading.state.queue_states.items():
        if "d" in letters:
            qmaster.run("qmod", "-d", name)
    scheduler = reading.cluster.single(Kind.SCHEDULER).with_values({"schedule_interval": interval})
    qmaster.must("qconf", "-Msconf", qmaster.file("scheduler", write_object(scheduler, single_line=True)))


def main(words: Sequence[str]) -> int:
    """Open the program on `qmaster:`, or run a command of it; returns the exit code."""
    try:
        with running_qmaster() as qmaster:
            if isinstance(qmaster.world, OpenWorld):
                raise QmasterError("this system permits no namespaces")
            prepare(qmaster)
            time.sleep(1)  # the first run of the scheduler
            return run_program(qmaster, words)
    except (QmasterError, OSError) as error:
        print(f"{error}.\n{WHAT_HELPS}.", file=sys.stderr)
        return 2


def run_program(qmaster: Qmaster, words: Sequence[str]) -> int:
    """Run the program in the qmaster's world, with this terminal."""
    environment = {name: text for name, text in os.environ.items() if not name.startswith("SGE_")}
    cell = {name: text for name, text in qmaster.environment().items() if name.startswith("SGE_")}
    program = [sys.executable, "-m", "qmon_tui", *(words or ["qmaster:"])]
    here = ("env", "-C", os.getcwd())  # another world begins at /
    return subprocess.run(
        [*qmaster.world.prefix(0, 0), *here, *program], env=environment | cell, check=False
    ).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
