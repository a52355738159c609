"""A stretch of time on a real qmaster with simulated hosts, and the same in the simulator.

    python -m tests.differential.days [WORKLOAD]...
    python -m tests.differential.days --record [-j N] [WORKLOAD]...

The first compares what is recorded with the simulator and prints a table. With --record each workload is played three
times on a real qmaster before, N qmasters side by side. The real one is looked at twice a second: its accounting holds
no times of simulated tasks.
"""

import argparse
import multiprocessing
import shlex
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from statistics import mean
from typing import Final
from xml.etree import ElementTree

from qmon_tui.formats.folder_reader import read_texts
from qmon_tui.formats.layout import Layout
from qmon_tui.formats.qconf.objects import write_object
from qmon_tui.model.cluster import Cluster
from qmon_tui.model.kinds import Kind
from qmon_tui.model.state import State
from qmon_tui.qmaster import new_job, read_command
from qmon_tui.simulation import Settings, Simulator
from qmon_tui.simulation.settings import TimedCommand
from tests.differential.clock import universal_time
from tests.differential.day import Day, TaskKey
from tests.differential.day_differences import INTERVAL, beyond, differences, noise
from tests.differential.loading import load
from tests.differential.loads import Loads, report_loads
from tests.differential.qmaster import Qmaster, QmasterError
from tests.differential.recording import keep, kept
from tests.differential.runs import Accepted
from tests.differential.session import Submission
from tests.differential.session_player import submit
from tests.differential.workloads import ADMINISTRATOR, WORKLOADS, Workload

START_DELAY: Final = 5
"""Seconds that simulated hosts take to confirm a start."""
INTERVALS: Final = {"schedule_interval": f"0:0:{INTERVAL}", "flush_submit_sec": "1", "flush_finish_sec": "1"}
TIMES: Final = 3
"""How often each workload is recorded."""
_COMMAND: Final = "python -m tests.differential.days --record"
_BETWEEN_LOOKS: Final = 0.4
_LONGER: Final = 600
"""Seconds by which ours may end later; calendars never do."""
_GROUP: Final = "staff"


# -- the real one


def cluster_of(workload: Workload, begin: float = 0) -> Cluster:
    """The cluster of a day that begins then."""
    contents = read_texts(Layout.YAML, workload.name, {"cluster.yaml": workload.cluster_at(begin)})
    assert not contents.findings, contents.findings
    cluster = contents.cluster
    return cluster.with_objects([cluster.single(Kind.SCHEDULER).with_values(INTERVALS)])


def real_day(qmaster: Qmaster, workload: Workload) -> Day:
    """Play a workload in its own time, and look until all is over."""
    qmaster.restart()
    begin = int(time.time()) + (10 if workload.loads else 2)
    cluster = cluster_of(workload, begin)
    load(qmaster, cluster)
    if workload.loads:
        report_loads(qmaster, _loads(workload))
    scheduler = cluster.single(Kind.SCHEDULER)
    qmaster.must("qconf", "-Msconf", qmaster.file("scheduler", write_object(scheduler, single_line=True)))
    day = Day(begin)
    waiting = list(workload.jobs)
    while True:
        while waiting and time.time() - begin >= waiting[0][0]:
            _give(qmaster, day, *waiting.pop(0)[1:])
        is_idle = not _look(qmaster, day)
        if is_idle and not waiting:
            return day
        time.sleep(_BETWEEN_LOOKS)


def _loads(workload: Workload) -> Loads:
    loads: dict[str, dict[str, str]] = {}
    for host, name, text in workload.loads:
        loads.setdefault(host, {})[name] = text
    return loads


def _give(qmaster: Qmaster, day: Day, owner: str, line: str) -> None:
    at = int(time.time())
    if owner == ADMINISTRATOR:
        day.commands.append((at, line))
        # What it is about may have ended a moment before.
        qmaster.run(*shlex.split(line))
        return
    accepted = submit(qmaster, Submission(owner, _GROUP, line))
    assert isinstance(accepted, Accepted), accepted
    day.jobs[accepted.id] = at, owner, accepted.qsub


def _look(qmaster: Qmaster, day: Day) -> bool:
    """Note what qstat shows; tell whether there is anything."""
    listing = ElementTree.fromstring(qmaster.must("qstat", "-xml", "-u", "*", "-g", "t"))
    there: set[TaskKey] = set()
    places: dict[TaskKey, dict[str, int]] = {}
    for element in listing.iter("job_list"):
        number = int(element.findtext("JB_job_number") or 0)
        submitted = element.findtext("JB_submission_time")
        if submitted and number not in day.seen:
            # What is sent back shows another time afterwards.
            day.jobs[number] = _moment(submitted), *day.jobs[number][1:]
            day.seen.add(number)
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
    for key in there & day.ended.keys():
        del day.ended[key]
    for key in day.started.keys() - there - day.ended.keys():
        day.ended[key] = now
    return any(True for _ in listing.iter("job_list"))


def _moment(text: str) -> int:
    return int(time.mktime(time.strptime(text, "%Y-%m-%dT%H:%M:%S")))


# -- ours


def our_day(workload: Workload, real: Day, seed: int = 0) -> Day:
    """The same jobs and commands, each when the real one was."""
    cluster = cluster_of(workload, real.begin)
    jobs = tuple(
        new_job(State(now=at), owner, qsub, group=_GROUP, number=number)
        for number, (at, owner, qsub) in sorted(real.jobs.items())
    )
    settings = Settings(
        until=int(max(real.ended.values())) + _LONGER,
        start_delay=START_DELAY,
        simulated_hosts=True,
        commands=tuple(_commands(cluster, real)),
        seed=seed,
    )
    simulator = Simulator(cluster, State(now=real.first - 1, jobs=jobs, loads=_loads(workload)), settings)
    simulator.run()
    day = Day(real.begin, jobs=dict(real.jobs))
    for key, record in simulator.records.items():
        if record.started is not None:
            day.started[key], day.places[key] = record.started, record.granted
        if record.ended is not None:
            day.ended[key] = record.ended
    return day


def _commands(cluster: Cluster, real: Day) -> Iterator[TimedCommand]:
    for at, line in real.commands:
        command = read_command(cluster, line)
        assert command is not None, line
        yield TimedCommand(at, command)


# -- what is recorded


def recorded(workload: Workload) -> list[Day]:
    """The recordings; raises ValueError where they are of something else, FileNotFoundError where there are none."""
    data = kept(f"days-{workload.name}")
    if data["definition"] != _definition(workload):
        raise ValueError(f"{workload.name} has changed since it was recorded, record it again with: {_COMMAND}")
    return [Day.of(day) for day in data["days"]]


def _definition(workload: Workload) -> str:
    loads = (workload.loads,) if workload.loads else ()
    return sha256(repr((workload.cluster, workload.jobs, *loads)).encode()).hexdigest()


def _record(workloads: Sequence[Workload], qmasters: int) -> None:
    """Play every workload several times, and keep the days of each as soon as all are there."""
    days: dict[str, list[Day]] = {}
    with multiprocessing.get_context("fork").Pool(qmasters) as pool:
        several = [workload for workload in workloads for _ in range(TIMES)]
        for workload, day in pool.imap_unordered(_played, several, chunksize=1):
            if isinstance(day, str):
                print(f"{workload.name}: {day}", flush=True)
                continue
            found = days.setdefault(workload.name, [])
            found.append(day)
            if len(found) == TIMES:
                found.sort(key=lambda one: one.begin)
                keep(
                    f"days-{workload.name}",
                    {"definition": _definition(workload), "days": [one.data() for one in found]},
                )
                print(f"{workload.name} is recorded", flush=True)


def _played(workload: Workload) -> tuple[Workload, Day | str]:
    """A day, or what went wrong."""
    with universal_time(), Qmaster() as qmaster:
        try:
            return workload, real_day(qmaster, workload)
        except (AssertionError, QmasterError) as error:
            return workload, repr(error)


# -- the table

SEEDS: Final = range(20)
"""Seeds with which the simulator draws what is chance in the real system."""
_COLUMNS: Final = ("same start", "order", "median start", "p90 start", "mean wait", "owner's wait", "makespan")
_HIGH: Final = ("same start", "order")


def enclosed(real: Day, ours: Sequence[Day]) -> float:
    """Return the part of the tasks whose real start lies between the first and the last one of several days of ours."""
    starts = [{key: at - day.first for key, at in day.started.items()} for day in ours]
    inside = [
        min(day.get(key, at) for day in starts) <= at - real.first <= max(day.get(key, at) for day in starts)
        for key, at in real.started.items()
    ]
    return mean(inside)


def table(workloads: Iterable[Workload]) -> Iterator[str]:
    """Yield a row for each workload: differences of the recordings from the nearest day of ours, and from each other.

    Each is the largest of the three recordings; the nearest day is the one with the most tasks that start in the same
    second. The last columns are the least part of the starts that the days enclose, and the least number of seeds
    whose day passes.
    """
    yield f"| workload | tasks | {' | '.join(_COLUMNS)} | enclosed | seeds |"
    yield "|---|---|" + "---|" * (len(_COLUMNS) + 2)
    for workload in workloads:
        days = recorded(workload)
        spread = noise(days)
        nearest, parts, passing = [], [], []
        for real in days:
            ours = [our_day(workload, real, seed) for seed in SEEDS]
            found = [differences(real, day) for day in ours]
            nearest.append(max(found, key=lambda one: (one["same start"], one["order"])))
            parts.append(enclosed(real, ours))
            passing.append(sum(not beyond(one, spread) for one in found))
        worst = {name: (min if name in _HIGH else max)(one[name] for one in nearest) for name in nearest[0]}
        cells = [f"{worst[name]:.3g} ({spread[name]:.3g})" for name in _COLUMNS]
        yield (
            f"| `{workload.name}` | {worst['tasks']:.0f} | {' | '.join(cells)} | {min(parts):.2g} | {min(passing)} |"
        )


def main(words: list[str]) -> int:
    """Record some workloads or all where that is asked for, and print the table."""
    parser = argparse.ArgumentParser("python -m tests.differential.days")
    parser.add_argument("names", nargs="*")
    parser.add_argument("--record", action="store_true")
    parser.add_argument("-j", type=int, default=2, help="qmasters side by side")
    asked = parser.parse_args(words)
    chosen = [workload for workload in WORKLOADS if not asked.names or workload.name in asked.names]
    with universal_time():
        if asked.record:
            _record(chosen, asked.j)
        for line in table(chosen):
            print(line, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
