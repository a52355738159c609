"""Measured trust on a busy private cluster: `python -m tests.differential.busy MINUTES [SECONDS [SEED]]`.

The cluster of configs/site with simulated hosts, its jobs and others like them that come all the time and end after
one to five minutes. It is read every SECONDS seconds as the screen reads it, and the starts between two readings are
compared with our run on the first one.
"""

import argparse
import random
import re
import sys
import time
from collections.abc import Callable

from qmon_tui.sources import read_folder
from qmon_tui.sources.qmaster_source import QmasterSource
from qmon_tui.workspace import Workspace, evaluate
from tests.differential.demo import SITE, prepare
from tests.differential.qmaster import Qmaster, running_qmaster
from tests.differential.session import Submission
from tests.differential.session_player import submit
from tests.differential.test_running_cluster import cell_of

INTERVAL = "0:0:15"
"""schedule_interval, as in configs/site."""
MOST_WAITING, MOST_AT_ONCE = 60, 8
_SLEEP = re.compile(r"sleep \d+")
_ALONE = re.compile(r"-hold_jid(_ad)? \S+|-a \S+|-dl \S+|-h ")


def submissions(seed: int) -> Callable[[], Submission]:
    """Return a function that draws a job like one of configs/site, which ends after one to five minutes."""
    random_numbers = random.Random(seed)
    jobs = read_folder(SITE).state.jobs

    def draw() -> Submission:
        job = random_numbers.choice(jobs)
        line = _SLEEP.sub(f"sleep {random_numbers.randint(60, 300)}", _ALONE.sub("", job.qsub))
        return Submission(job.owner, job.group, line)

    return draw


def measure(qmaster: Qmaster, minutes: float, seconds: float, seed: int) -> Workspace:
    """Play the busy cluster and print the trust of each minute; returns the workspace that has measured."""
    prepare(qmaster, interval=INTERVAL)
    draw, source = submissions(seed), QmasterSource(cell_of(qmaster))
    workspace = Workspace(source.read(), read_only=True)
    end = told = time.monotonic() + minutes * 60
    submitted = 0
    while time.monotonic() < end:
        workspace.accept(evaluate(workspace.snapshot()))
        until = time.monotonic() + seconds
        waiting = sum(not any(task.granted for task in job.tasks.values()) for job in workspace.state.jobs)
        for _ in range(min(MOST_AT_ONCE, max(0, MOST_WAITING - waiting))):
            submit(qmaster, draw())
            submitted += 1
        time.sleep(max(0.0, until - time.monotonic()))
        workspace.disk_changed(source.read(workspace.reading))
        if abs(time.monotonic() - told) > 60 and workspace.trust is not None:
            told = time.monotonic()
            share = f"{workspace.trust.right}/{workspace.trust.total}"
            print(f"{(end - told) / 60:.0f} min left: {submitted} submitted, {waiting} wait, {share}", flush=True)
    return workspace


def main(words: list[str]) -> None:
    """Measure, and print the share and the newest misses."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("minutes", type=float)
    parser.add_argument("seconds", type=float, nargs="?", default=15.0)
    parser.add_argument("seed", type=int, nargs="?", default=1)
    options = parser.parse_args(words)
    with running_qmaster() as qmaster:
        trust = measure(qmaster, options.minutes, options.seconds, options.seed).trust
    if trust is not None:
        print(f"placed {trust.right}/{trust.total}", *trust.misses, sep="\n")


if __name__ == "__main__":
    main(sys.argv[1:])
