"""Measured trust on a busy private cluster: `python -m tests.differential.busy MINUTES [SECONDS [SEED]]`.

The cluster of configs/site with simulated hosts, and jobs like those of its folder that come all the time and end after
one to five minutes. It is read every SECONDS seconds as the screen reads it, and the starts between two readings are
compared with our run on the first one; those between each third reading with the run on the third one before.
"""

import argparse
import random
import re
import sys
import time
from collections.abc import Callable

from qmon_tui.model import Outcome, State
from qmon_tui.sources import read_folder
from qmon_tui.sources.qmaster_source import QmasterSource
from qmon_tui.workspace import Trust, Workspace, evaluate
from tests.differential.demo import SITE, prepare
from tests.differential.qmaster import Qmaster, running_qmaster
from tests.differential.session import Submission
from tests.differential.session_player import submit
from tests.differential.test_running_cluster import cell_of

INTERVAL = "0:0:15"
"""schedule_interval, as in configs/site."""
MOST_WAITING, MOST_AT_ONCE, RARE = 40, 6, 3
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


def measure(qmaster: Qmaster, minutes: float, seconds: float, seed: int) -> tuple[Trust, Trust]:
    """Play the busy cluster and print the shares of each minute; returns them for all readings, and each third."""
    prepare(qmaster, interval=INTERVAL, jobs=False)
    draw, source = submissions(seed), QmasterSource(cell_of(qmaster))
    workspace = Workspace(source.read(), read_only=True)
    rarely, earlier = Trust(), None
    begin = time.monotonic()
    submitted = readings = 0
    while (now := time.monotonic()) < begin + minutes * 60:
        workspace.accept(evaluate(workspace.snapshot()))
        if readings % RARE == 0:
            rarely, earlier = _third(workspace, rarely, earlier)
        waiting = sum(not any(task.granted for task in job.tasks.values()) for job in workspace.state.jobs)
        for _ in range(min(MOST_AT_ONCE, max(0, MOST_WAITING - waiting))):
            submit(qmaster, draw())
            submitted += 1
        time.sleep(max(0.0, now + seconds - time.monotonic()))
        workspace.disk_changed(source.read(workspace.reading))
        readings += 1
        if readings % round(60 / seconds) == 0:
            often = workspace.trust or Trust()
            shares = f"{often.right}/{often.total}, each third reading {rarely.right}/{rarely.total}"
            print(f"{(now - begin) / 60:3.0f} min: {submitted} submitted, {waiting} wait, {shares}", flush=True)
    return workspace.trust or Trust(), rarely


def _third(
    workspace: Workspace, trust: Trust, earlier: tuple[Outcome, State] | None
) -> tuple[Trust, tuple[Outcome, State] | None]:
    """Return the trust since the third reading before, and what the next one is compared with."""
    if earlier is not None:
        trust = trust.after(*earlier, workspace.state)
    outcome = workspace.result.outcome if workspace.result is not None else None
    return trust, (outcome, workspace.state) if outcome is not None else None


def main(words: list[str]) -> None:
    """Measure, and print the shares and the newest misses."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("minutes", type=float)
    parser.add_argument("seconds", type=float, nargs="?", default=5.0)
    parser.add_argument("seed", type=int, nargs="?", default=1)
    options = parser.parse_args(words)
    with running_qmaster() as qmaster:
        often, rarely = measure(qmaster, options.minutes, options.seconds, options.seed)
    for words_of_it, trust in (("each reading", often), ("each third reading", rarely)):
        print(f"{words_of_it}: placed {trust.right}/{trust.total}", *trust.misses, sep="\n")


if __name__ == "__main__":
    main(sys.argv[1:])
