"""The same clusters in a real qmaster: its decisions against ours, and what its scheduler thread takes for them.

`make bench REAL=1` (or REAL=abd for these cases). Loading a thousand hosts and submitting ten thousand jobs takes
minutes, so that it is not part of `make bench`. The hosts are simulated and report no load.
"""

import re
import shlex
import time
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

from qmon_tui.model.cluster import Cluster
from qmon_tui.model.jobs import Job
from qmon_tui.model.kinds import Kind
from qmon_tui.model.state import State
from qmon_tui.qmaster.scheduling import schedule
from qmon_tui.values.times import parse_time
from tests.bench.cases import CASES
from tests.bench.large import large_cluster, large_state
from tests.differential import qmaster as qmasters, session_player
from tests.differential.clock import universal_time
from tests.differential.loading import load
from tests.differential.qmaster import Qmaster, running_qmaster, why_unavailable

PATIENCE = 900.0
"""Seconds that one command, or one run of the scheduler, may take here."""
BATCH = 100
"""Jobs that one shell submits."""
_PROFILE = re.compile(r"PROF: scheduled in ([\d.]+) \(u ")
"""The wall time of a run of the scheduler thread; the CPU time behind it is that of the whole qmaster."""

Placements = Mapping[tuple[int, int], Mapping[str, int]]
"""(job, task) -> queue instance -> slots."""


@dataclass(frozen=True, slots=True)
class Duel:
    """One run on both sides."""

    real: float
    """Seconds of the real scheduler's run on the wall clock."""
    ours: float
    """Seconds of our run on the wall clock, with nothing known before."""
    placed: int
    different: int


def print_duels(letters: str) -> None:
    """Measure the cases and print a line each."""
    reason = why_unavailable()
    if reason:
        print(f"no comparison with a real qmaster: {reason}")
        return
    for letter in letters:
        duel = compare_with_real(letter)
        print(
            f"({letter}) {CASES[letter].title:33} seconds: real scheduler {duel.real:6.2f},"
            f" ours {duel.ours:5.2f}, {duel.real / duel.ours:5.1f} x; {duel.placed} tasks started,"
            f" {duel.different} differ",
            flush=True,
        )


def compare_with_real(letter: str) -> Duel:
    """Load a case into a real qmaster, let it run once, and run the same here."""
    size = CASES[letter].size
    cluster, state = large_cluster(size), large_state(size)
    qmasters.COMMAND_SECONDS = session_player.RUN_SECONDS = PATIENCE
    with universal_time(), running_qmaster() as qmaster:
        _load(qmaster, cluster)
        _submit(qmaster, state)
        jobs = tuple(_as_submitted(qmaster, state))
        at = session_player.run_scheduler(qmaster)
        real = float(_PROFILE.findall(qmaster.log())[-1])
        theirs = _placements(qmaster)
    start = time.perf_counter()
    outcome = schedule(cluster, replace(state, now=at, jobs=jobs))
    ours = time.perf_counter() - start
    placed = {(job.id, task.task): task.granted for job in outcome.jobs for task in job.tasks if task.granted}
    different = sum(placed.get(key) != theirs.get(key) for key in placed.keys() | theirs.keys())
    return Duel(real, ours, len(theirs), different)


def _load(qmaster: Qmaster, cluster: Cluster) -> None:
    """The hosts come with the queues, and get their resources all at once."""
    hosts = [name for name in cluster.objects(Kind.HOST) if name != "global"]
    values = cluster.objects(Kind.HOST)[hosts[0]].text("complex_values")
    bare = cluster
    for name in hosts:
        bare = bare.without(Kind.HOST, name)
    load(qmaster, bare)
    qmaster.must("qconf", "-rattr", "exechost", "complex_values", values, *hosts)


def _submit(qmaster: Qmaster, state: State) -> None:
    """Batches of one owner's jobs, some at a time."""
    by_owner: dict[str, list[Job]] = {}
    for job in state.jobs:
        by_owner.setdefault(job.owner, []).append(job)
        qmaster.world.names.user(job.owner, "staff")
    batches = [
        (owner, jobs[first : first + BATCH])
        for first in range(0, max(map(len, by_owner.values())), BATCH)
        for owner, jobs in by_owner.items()
    ]

    def submit(batch: tuple[str, list[Job]]) -> None:
        owner, jobs = batch
        lines = [f"qsub -terse -b y -N j{job.id} {shlex.join(shlex.split(job.qsub))} >/dev/null" for job in jobs]
        qmaster.run_as(owner, "staff", "sh", "-c", "\n".join(lines))

    with ThreadPoolExecutor(4) as pool:
        tuple(pool.map(submit, batches))


def _as_submitted(qmaster: Qmaster, state: State) -> Iterator[Job]:
    """Our jobs with the numbers and times that the real qmaster gave them."""
    known = {f"j{job.id}": job for job in state.jobs}
    for line in _listing(qmaster):
        job = known[_text(line, "JB_name")]
        submitted = parse_time(_text(line, "JB_submission_time"))
        yield replace(job, id=int(_text(line, "JB_job_number")), submitted=int(submitted))


def _placements(qmaster: Qmaster) -> Placements:
    """Where the tasks are: there is a line for each slot."""
    found: dict[tuple[int, int], dict[str, int]] = {}
    for line in _listing(qmaster):
        instance = _text(line, "queue_name")
        if instance:
            granted = found.setdefault((int(_text(line, "JB_job_number")), int(_text(line, "tasks") or 1)), {})
            granted[instance] = granted.get(instance, 0) + 1
    return found


def _listing(qmaster: Qmaster) -> list[ElementTree.Element]:
    return list(ElementTree.fromstring(qmaster.must("qstat", "-xml", "-u", "*", "-g", "t")).iter("job_list"))


def _text(line: ElementTree.Element, tag: str) -> str:
    return (line.findtext(tag) or "").strip()
