"""Simulated time, as `make bench` tells it; one case in a process of its own: `python -m tests.bench.simulations day`.

Beside each simulation the same trace goes through a bare loop: events from a heap, and the first host with a free slot.
That is about the least that a simulation can do, and the unit in which a loaded machine can tell how fast one is.
"""

import gc
import json
import random
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from heapq import heappop, heappush
from typing import Any

from qmon_tui.gc_pause import calm_collector, gc_paused
from qmon_tui.incremental import RunChain, state_after
from qmon_tui.model.cluster import Cluster
from qmon_tui.model.jobs import Job, Task
from qmon_tui.model.state import State
from qmon_tui.qmaster import simulate
from qmon_tui.simulation import Simulator, Timeline
from tests.bench.large import NOW, QUEUES, Size, job_of_kind, large_cluster

RUN_TIME = 3600
"""Mean run time of the jobs in seconds."""
LOAD = 1.02
"""How much work comes, in parts of all slots."""
STEPS = 20
CHANGES = 5
"""How many jobs end, and how many come, in a step in which little changes."""


@dataclass(frozen=True, slots=True)
class Trace:
    """Jobs that come one after the other, and the cluster for them."""

    title: str
    hosts: int
    jobs: int
    slots: int = 4
    """Of each of the two queue instances of a host."""
    seconds: int | None = None
    """How long they come; as long as it takes to bring the load where it is None."""


TRACES = {
    "day": Trace("a day of 1,000 jobs on 20 hosts", 20, 1000, 2, 86_400),
    "s": Trace("1,000 jobs on 100 hosts", 100, 1_000),
    "m": Trace("10,000 jobs on 100 hosts", 100, 10_000),
    "l": Trace("20,000 jobs on 1,000 hosts", 1000, 20_000),
    "xl": Trace("100,000 jobs on 1,000 hosts", 1000, 100_000),
}
TOLD = ("day", "m", "l")
WATCHED = ("day", "s")
GROWTH = (
    (100, 1_000), (100, 2_000), (100, 4_000), (100, 8_000), (50, 4_000), (200, 4_000), (400, 4_000), (800, 4_000),
)  # fmt: skip
"""Hosts and jobs."""


@dataclass(frozen=True, slots=True)
class Figures:
    """What one process found; seconds are CPU time, megabytes the peak of the whole process."""

    seconds: float
    bare_seconds: float
    jobs: int
    runs: int
    most: int
    """Jobs that were in the system at once."""
    megabytes: float

    @property
    def jobs_per_second(self) -> float:
        """Simulated jobs in a second of CPU time."""
        return self.jobs / self.seconds

    @property
    def times_bare(self) -> float:
        """How often the bare loop does the same in that time."""
        return self.seconds / self.bare_seconds


def cluster_of(trace: Trace) -> Cluster:
    """The cluster of the other cases, with fewer slots."""
    return large_cluster(Size(hosts=trace.hosts, slots=trace.slots))


def state_of(trace: Trace) -> State:
    """The jobs, by a Poisson process, with run times of a lognormal distribution; the same ones each time."""
    drawn = random.Random(7)
    slots = trace.hosts * trace.slots * len(QUEUES)
    kinds = [job_of_kind(number, number % 50) for number in range(50)]
    sizes = [len(job.task_ids) * (3 if job.request.pe else 1) for job in kinds]
    mean = RUN_TIME * sum(sizes) / len(sizes) / slots / LOAD if trace.seconds is None else trace.seconds / trace.jobs
    moment, jobs = float(NOW), list[Job]()
    for number in range(trace.jobs):
        moment += drawn.expovariate(1 / mean)
        run_time = min(10 * RUN_TIME, max(10, int(drawn.lognormvariate(7.5, 1.2))))
        kind = kinds[drawn.randrange(50)]
        jobs.append(
            replace(kind, id=number + 1, owner=f"user{number % 20:02d}", submitted=int(moment), runtime=run_time)
        )
    return State(now=NOW, jobs=tuple(jobs))


def bare_seconds(trace: Trace, state: State) -> float:
    """CPU seconds of a loop that only takes events from a heap and the first free slot of the first host."""
    start = time.process_time()
    events = [(job.submitted, 1, job.id) for job in state.jobs]
    left = {job.id: len(job.task_ids) for job in state.jobs}
    run_times = {job.id: job.runtime or 0 for job in state.jobs}
    free = [trace.slots * len(QUEUES)] * trace.hosts
    waiting: list[int] = []
    first = 0
    while events:
        moment, what, number = heappop(events)
        if what == 1:
            waiting += [number] * left[number]
        else:
            free[number] += 1
        while first < len(waiting):
            host = next((host for host, slots in enumerate(free) if slots), None)
            if host is None:
                break
            free[host] -= 1
            heappush(events, (moment + run_times[waiting[first]], 0, host))
            first += 1
    return time.process_time() - start


def measure(trace: Trace) -> Figures:
    """Measure a simulation in this process."""
    cluster, state = cluster_of(trace), state_of(trace)
    bare = min(bare_seconds(trace, state) for _ in range(3))
    simulate(cluster, State(now=NOW))
    most = 0
    start = time.process_time()
    simulator = Simulator(cluster, state)
    for _ in simulator.steps():
        most = max(most, len(simulator.state.jobs))
    seconds = time.process_time() - start
    assert all(record.ended is not None for record in simulator.records.values())
    megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return Figures(seconds, bare, len(state.jobs), simulator.runs, most, megabytes)


def measure_watched(trace: Trace) -> Figures:
    """The same day as Monitor goes through it, which notes all that happens and can go back to it; `bare` is `measure`.

    What is compiled and imported once is there for both.
    """
    cluster, state = cluster_of(trace), state_of(trace)
    Timeline(cluster, state).play(NOW + 3600)
    start = time.process_time()
    simulator = Simulator(cluster, state)
    simulator.run()
    middle = time.process_time()
    timeline = Timeline(cluster, state)
    timeline.play(None)
    seconds = time.process_time() - middle
    megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return Figures(seconds, middle - start, len(state.jobs), timeline.moment.runs, 0, megabytes)


@dataclass(frozen=True, slots=True)
class Step:
    """A step in which little changes."""

    run: float
    """CPU seconds of the run, and of nothing else."""
    after: float
    """The state after it."""
    plain: float
    """The same run of a session that knows nothing of the run before."""


def measure_step(waiting: int = 10_000, running: int = 2_600) -> Step:
    """Some jobs end and as many come where many wait and many run."""
    cluster = large_cluster(Size(slots=2))
    names = [f"{queue}@node{host:04d}" for queue, _ in QUEUES for host in range(1, 1001)]
    jobs = list[Job]()
    for number in range(running + waiting):
        job = replace(job_of_kind(number, number % 8), id=number + 1, submitted=NOW - 20_000 + number)
        if number < running:
            job = replace(job, tasks={1: Task("r", {names[number % 2000]: 1}, NOW - 5_000 + number / 1_000_000)})
        jobs.append(job)
    state = State(now=NOW, jobs=tuple(jobs))
    chain = RunChain()
    state = state_after(chain.next_run(cluster, state))
    runs, afters = list[float](), list[float]()
    for step in range(STEPS):
        ends = [job for job in state.jobs if any(task.granted for task in job.tasks.values())]
        gone = {job.id for job in ends[step : step + CHANGES]}
        new = [
            replace(job_of_kind(number, number), id=100_000 + step * CHANGES + number, submitted=state.now + 10)
            for number in range(CHANGES)
        ]
        state = replace(state, now=state.now + 15, jobs=(*(job for job in state.jobs if job.id not in gone), *new))
        with gc_paused():
            start = time.process_time()
            run = chain.next_run(cluster, state)
            runs.append(time.process_time() - start)
            start = time.process_time()
            state = state_after(run)
            afters.append(time.process_time() - start)
    fresh = _fresh_seconds(large_cluster(Size(slots=2)), state)
    return Step(sorted(runs)[STEPS // 2], sorted(afters)[STEPS // 2], fresh)


def _fresh_seconds(cluster: Cluster, state: State) -> float:
    simulate(cluster, State(now=NOW))
    start = time.process_time()
    simulate(cluster, state)
    return time.process_time() - start


def measured(name: str) -> Figures:
    """Measure a case in a fresh process."""
    return Figures(**_in_process(name))


def _in_process(*words: str) -> dict[str, Any]:
    command = [sys.executable, "-m", "tests.bench.simulations", *words]
    answer = subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout
    found: dict[str, Any] = json.loads(answer)
    return found


def print_simulations(tell: Callable[[str, float], None]) -> None:
    """A line for each trace, a step, and how the time grows with jobs and hosts."""
    print("\nsimulations, CPU seconds, each in a process of its own:")
    print(f"{'':37}{'seconds':>9}{'jobs/s':>8}{'ms/run':>8}{'most':>7}{'MB':>6}{'x bare':>8}")
    for name in TOLD:
        _print(TRACES[name].title, measured(name))
    for hosts, jobs in GROWTH:
        _print(f"{jobs:,} jobs on {hosts} hosts", Figures(**_in_process("growth", str(hosts), str(jobs))))
    print("bare: a loop of events and first free slots in plain Python, on the same trace\n")
    for name in WATCHED:
        watched = Figures(**_in_process("watched", name))
        title = f"{TRACES[name].title}, in Monitor"
        print(f"{title:48}{watched.seconds:6.2f} s{watched.times_bare:6.1f} times the simulation by itself")
    step = Step(**_in_process("step"))
    tell(f"a step: {CHANGES} end, {CHANGES} come, 10,000 wait", step.run)
    tell("  the state after it", step.after)
    tell("  the same run where nothing is known of others", step.plain)


def _print(title: str, figures: Figures) -> None:
    print(f"{title:37}{figures.seconds:9.2f}{figures.jobs_per_second:8.0f}", end="")
    print(f"{1000 * figures.seconds / figures.runs:8.1f}{figures.most:7}{figures.megabytes:6.0f}", end="")
    print(f"{figures.times_bare:8.1f}", flush=True)


def _main(words: list[str]) -> None:
    # The garbage collector is as `qmon-tui simulate` has it, or as the screen.
    if words[0] in ("watched", "step"):
        calm_collector()
    else:
        gc.disable()
    found: Figures | Step
    if words[0] == "step":
        found = measure_step()
    elif words[0] == "watched":
        found = measure_watched(TRACES[words[1]])
    elif words[0] == "growth":
        found = measure(Trace("", int(words[1]), int(words[2])))
    else:
        found = measure(TRACES[words[0]])
    print(json.dumps({name: getattr(found, name) for name in type(found).__slots__}))


if __name__ == "__main__":
    _main(sys.argv[1:])
