"""A stretch of time on a real qmaster with simulated hosts, and the same in the simulator.

    python -m tests.differential.days [WORKLOAD]

The real one is looked at twice a second: its accounting holds no times of simulated tasks. What it decides depends on
when its scheduler runs by chance, so that times are compared with some play.
"""

import sys
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from statistics import mean, median
from xml.etree import ElementTree

from qmon_tui.formats.folder_reader import read_texts
from qmon_tui.formats.layout import Layout
from qmon_tui.formats.qconf.objects import write_object
from qmon_tui.formats.qsub import parse_qsub
from qmon_tui.model.cluster import Cluster
from qmon_tui.model.kinds import Kind
from qmon_tui.model.state import Job, State
from qmon_tui.simulation import Settings, Simulator
from tests.differential.clock import universal_time
from tests.differential.loading import load
from tests.differential.qmaster import Qmaster
from tests.differential.runs import Accepted
from tests.differential.session import Submission
from tests.differential.session_player import submit
from tests.differential.workloads import WORKLOADS, Workload

START_DELAY = 5
"""Seconds that simulated hosts take to confirm a start."""
_INTERVAL = 3
"""Seconds between two runs of the real scheduler."""
INTERVALS = {"schedule_interval": f"0:0:{_INTERVAL}", "flush_submit_sec": "1", "flush_finish_sec": "1"}
TaskKey = tuple[int, int]


@dataclass(slots=True)
class Day:
    """When tasks were submitted, started and ended, in seconds since the epoch, and their slots at their places."""

    submitted: dict[int, int] = field(default_factory=dict)
    started: dict[TaskKey, int] = field(default_factory=dict)
    ended: dict[TaskKey, float] = field(default_factory=dict)
    places: dict[TaskKey, Mapping[str, int]] = field(default_factory=dict)


def cluster_of(workload: Workload) -> Cluster:
    contents = read_texts(Layout.YAML, workload.name, {"cluster.yaml": workload.cluster})
    assert not contents.findings, contents.findings
    return contents.cluster


def real_day(qmaster: Qmaster, workload: Workload) -> Day:
    """Play a workload in its own time, and look until all is over."""
    qmaster.restart()
    cluster = cluster_of(workload)
    load(qmaster, cluster)
    scheduler = cluster.single(Kind.SCHEDULER).with_values(INTERVALS)
    qmaster.must("qconf", "-Msconf", qmaster.file("scheduler", write_object(scheduler, single_line=True)))
    day = Day()
    begin = time.time()
    waiting = list(workload.jobs)
    while True:
        while waiting and time.time() - begin >= waiting[0][0]:
            _, owner, qsub = waiting.pop(0)
            at = int(time.time())
            accepted = submit(qmaster, Submission(owner, "staff", qsub))
            assert isinstance(accepted, Accepted), accepted
            day.submitted[accepted.id] = at
        is_idle = not _look(qmaster, day)
        if is_idle and not waiting:
            return day
        time.sleep(0.4)


def _look(qmaster: Qmaster, day: Day) -> bool:
    """Note what qstat shows; tell whether there is anything."""
    listing = ElementTree.fromstring(qmaster.must("qstat", "-xml", "-u", "*", "-g", "t"))
    there: set[TaskKey] = set()
    places: dict[TaskKey, dict[str, int]] = {}
    for element in listing.iter("job_list"):
        number = int(element.findtext("JB_job_number") or 0)
        submitted = element.findtext("JB_submission_time")
        if submitted:
            day.submitted[number] = _moment(submitted)
        started, queue = element.findtext("JAT_start_time"), element.findtext("queue_name")
        if started and queue:
            key = number, int(element.findtext("tasks") or 1)
            there.add(key)
            day.started[key] = _moment(started)
            slots = int(element.findtext("slots") or 1)
            placed = places.setdefault(key, {})
            placed[queue] = placed.get(queue, 0) + slots
    day.places |= places
    now = time.time()
    for key in day.started.keys() - there - day.ended.keys():
        day.ended[key] = now
    return any(True for _ in listing.iter("job_list"))


def _moment(text: str) -> int:
    return int(time.mktime(time.strptime(text, "%Y-%m-%dT%H:%M:%S")))


def our_day(workload: Workload, real: Day) -> Day:
    """The same jobs, each submitted when the real one was."""
    first = min(real.submitted.values())
    jobs = tuple(_job(number, at, workload) for number, at in sorted(real.submitted.items()))
    cluster = cluster_of(workload)
    cluster = cluster.with_objects([cluster.single(Kind.SCHEDULER).with_values(INTERVALS)])
    simulator = Simulator(cluster, State(now=first - 1, jobs=jobs), Settings(start_delay=START_DELAY))
    simulator.run()
    day = Day(submitted=dict(real.submitted))
    for key, record in simulator.records.items():
        if record.started is not None:
            day.started[key], day.places[key] = record.started, record.granted
        if record.ended is not None:
            day.ended[key] = record.ended
    return day


def _job(number: int, at: int, workload: Workload) -> Job:
    _, owner, qsub = workload.jobs[number - 1]
    parsed = parse_qsub(qsub, now=at)
    return Job(
        id=number,
        owner=owner,
        submitted=at,
        request=parsed.request,
        name=parsed.name,
        runtime=parsed.runtime,
        qsub=qsub,
    )


def differences(real: Day, ours: Day) -> dict[str, float]:
    """How far the two are from each other; times in seconds."""
    same = real.started.keys() & ours.started.keys()
    apart = sorted(abs(real.started[key] - ours.started[key]) for key in same)
    waits = [mean(day.started[key] - day.submitted[key[0]] for key in same) for day in (real, ours)]
    spans = [max(day.ended.values()) - min(day.submitted.values()) for day in (real, ours)]
    return {
        "tasks": len(same),
        "missing": len(real.started.keys() ^ ours.started.keys()),
        "other slots": sum(sum(real.places[key].values()) != sum(ours.places[key].values()) for key in same),
        "order": _order(real, ours, same),
        "median start": median(apart),
        "p90 start": apart[max(0, -(-9 * len(apart) // 10) - 1)],
        "mean wait": abs(waits[0] - waits[1]),
        "makespan": abs(spans[0] - spans[1]),
    }


def _order(real: Day, ours: Day, keys: Iterable[TaskKey]) -> float:
    """The part of the pairs that start more than an interval apart in the real one and so, in that order, in ours."""
    listed = sorted(keys)
    pairs = [(one, other) for one in listed for other in listed if real.started[other] - real.started[one] > _INTERVAL]
    return mean(ours.started[one] <= ours.started[other] for one, other in pairs) if pairs else 1.0


def main(words: list[str]) -> int:
    chosen = [workload for workload in WORKLOADS if not words or workload.name in words]
    with universal_time(), Qmaster() as qmaster:
        for workload in chosen:
            real = real_day(qmaster, workload)
            found = differences(real, our_day(workload, real))
            print(f"{workload.name:14}", ", ".join(f"{name} {value:.3g}" for name, value in found.items()), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
