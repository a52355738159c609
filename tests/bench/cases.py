"""The cases of `make bench`, and one of them measured in a process of its own: `python -m tests.bench.cases a`."""

import json
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from qmon_tui.explain import Explainer
from qmon_tui.gc_pause import gc_paused
from qmon_tui.incremental import RunChain
from qmon_tui.model.cluster import Cluster, ConfigObject
from qmon_tui.model.kinds import Kind
from qmon_tui.model.outcome import Outcome
from qmon_tui.model.state import State
from qmon_tui.qmaster.outcome_builder import build_outcome
from qmon_tui.qmaster.scheduling import schedule
from qmon_tui.workspace.evaluation import changes_of_schedule
from tests.bench.large import Size, large_cluster, large_state

RUNS = 5
ASKED = 50
"""How many jobs are explained, at least, where there are so many."""


@dataclass(frozen=True, slots=True)
class Case:
    """A cluster, and its title in the table."""

    title: str
    size: Size


SMALL = Size(hosts=50, jobs=500)
CASES = {
    "a": Case("50 kinds of jobs, all placed", Size()),
    "b": Case("10,000 kinds", Size(kinds=10_000)),
    "c": Case("as (a) with two quota sets", Size(quotas=True)),
    "d": Case("as (a), the cluster fills up", Size(slots=1)),
    "D": Case("as (a), the cluster is full", Size(full=True)),
    "e": Case("as (a), 5,000 hosts", Size(hosts=5000)),
    "l": Case("as (a), sorted by load", Size(loads=True)),
}


@dataclass(frozen=True, slots=True)
class Figures:
    """What one process found; seconds are CPU time, megabytes the peak of the whole process."""

    first: float
    """One run where nothing was known before, the configuration is parsed in it."""
    again: float
    """One run with all jobs read anew, in a process that knows the configuration and what such jobs ask for."""
    started: int
    megabytes: float
    rerun: dict[str, float]
    """After an edit: what was edited -> one run."""
    shown: float
    """After the run of such an edit: the numbers of all jobs, and what it has moved, for a screen that shows them."""
    why: float
    """One job explained, when the run is at hand."""
    change: float
    """The first change found that would let it run, tried out by running again."""


def measured(name: str) -> Figures:
    """Measure a case in a fresh process."""
    command = [sys.executable, "-m", "tests.bench.cases", name]
    return Figures(**json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout))


def measure(case: Case) -> Figures:
    """Measure a case in this process."""
    cluster, state = large_cluster(case.size), large_state(case.size)
    chain = RunChain()
    first, outcome = _timed(lambda: _run(chain, cluster, state))
    megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    again = statistics.median(_again(cluster, case.size) for _ in range(3))
    why, change = _why(Explainer(chain.simulate(cluster, state)), state)
    return Figures(
        first=first,
        again=again,
        started=sum(task.state == "t" for job in outcome.jobs for task in job.tasks),
        megabytes=megabytes,
        rerun={
            **{what: _rerun(chain, cluster, state, edit) for what, edit in EDITS.items()},
            "job": _rerun_of_jobs(chain, cluster, state),
        },
        shown=_shown(chain, cluster, state, outcome),
        why=why,
        change=change,
    )


def _again(cluster: Cluster, size: Size) -> float:
    state = large_state(size)
    return _timed(lambda: schedule(cluster, state))[0]


def _timed(compute: Callable[[], Outcome]) -> tuple[float, Outcome]:
    start = time.process_time()
    outcome = compute()
    return time.process_time() - start, outcome


def _run(chain: RunChain, cluster: Cluster, state: State) -> Outcome:
    with gc_paused():
        return build_outcome(chain.simulate(cluster, state))


def _rerun(
    chain: RunChain, cluster: Cluster, state: State, edit: Callable[[Cluster, int], Sequence[ConfigObject]]
) -> float:
    """Median CPU seconds of a run after an edit, each time another one, while a screen shows the run before."""
    seconds = list[float]()
    shown = _run(chain, cluster, state)
    for number in range(RUNS):
        cluster = cluster.with_objects(edit(cluster, number))
        taken, shown = _timed(lambda c=cluster: _run(chain, c, state))  # type: ignore[misc]
        seconds.append(taken)
    assert shown.jobs
    return statistics.median(seconds)


def _rerun_of_jobs(chain: RunChain, cluster: Cluster, state: State) -> float:
    """The same after edits of a waiting job's priority, each time another job."""
    seconds = list[float]()
    shown = _run(chain, cluster, state)
    for number in range(RUNS):
        jobs = list(state.jobs)
        job = jobs[-len(jobs) // 4 - number]
        jobs[-len(jobs) // 4 - number] = replace(job, request=replace(job.request, priority=-1 - number))
        state = replace(state, jobs=tuple(jobs))
        taken, shown = _timed(lambda s=state: _run(chain, cluster, s))  # type: ignore[misc]
        seconds.append(taken)
    assert shown.jobs
    return statistics.median(seconds)


def _shown(chain: RunChain, cluster: Cluster, state: State, before: Outcome) -> float:
    """Median CPU seconds of reading all that a run has decided, compared with the run before."""
    seconds = list[float]()
    for number in range(RUNS):
        list(before.jobs)
        after = _run(chain, cluster.with_objects(_weight(cluster, number)), state)
        with gc_paused():
            start = time.process_time()
            changes_of_schedule(before, after)
            seconds.append(time.process_time() - start)
        before = after
    return statistics.median(seconds)


def _why(explainer: Explainer, state: State) -> tuple[float, float]:
    """CPU seconds for explaining a job of a finished run, one that waits where there are any; and for one change.

    The jobs come from the whole list, so that all kinds and owners are among them.
    """
    waiting = [job.id for job in explainer.outcome.jobs if job.tasks and job.tasks[-1].state == "qw"]
    jobs = waiting or [job.id for job in state.jobs]
    asked = jobs[:: max(1, len(jobs) // ASKED)]
    seconds: list[float] = []
    for number in asked:
        start = time.process_time()
        explainer.explanation(number)
        seconds.append(time.process_time() - start)
    start = time.process_time()
    next(iter(explainer.changes(asked[0])), None)
    return statistics.median(seconds[1:]), time.process_time() - start


def _weight(cluster: Cluster, number: int) -> list[ConfigObject]:
    return [_with(cluster, Kind.SCHEDULER, "scheduler", "weight_urgency", f"0.{2 + number}")]


def _queue(cluster: Cluster, number: int) -> list[ConfigObject]:
    return [_with(cluster, Kind.QUEUE, "b.q", "slots", f"8,[node{500 + number:04d}=4]")]


def _prolog(cluster: Cluster, number: int) -> list[ConfigObject]:
    """What no scheduler reads."""
    return [_with(cluster, Kind.QUEUE, "b.q", "prolog", f"/opt/prolog{number}")]


def _host(cluster: Cluster, number: int) -> list[ConfigObject]:
    return [_with(cluster, Kind.HOST, f"node{500 + number:04d}", "complex_values", "mem=32G,scratch=400G")]


def _quota(cluster: Cluster, number: int) -> list[ConfigObject]:
    if not cluster.objects(Kind.QUOTA):
        return []
    return [_with(cluster, Kind.QUOTA, "per_queue", "limit", f"users {{*}} queues a.q to slots={301 + number}")]


def _with(cluster: Cluster, kind: Kind, name: str, field: str, text: str) -> ConfigObject:
    obj = cluster.get(kind, name)
    assert obj is not None
    return obj.with_values({field: text})


EDITS = {"weight": _weight, "queue": _queue, "host": _host, "quota": _quota, "prolog": _prolog}


if __name__ == "__main__":
    case = CASES[sys.argv[1]]
    if "--small" in sys.argv:
        case = replace(case, size=replace(case.size, hosts=SMALL.hosts, jobs=SMALL.jobs))
    figures = measure(case)
    print(json.dumps({name: getattr(figures, name) for name in Figures.__slots__}))
