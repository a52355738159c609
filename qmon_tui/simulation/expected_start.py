"""Forecasts of the start of a waiting task: the day is simulated up to it.

No jobs are submitted but those of the state, and a job without a known run time ends only at its limits.
Source: lifecycle.md#events-between-runs.
"""

from collections.abc import Iterable
from dataclasses import replace

from qmon_tui.explain import ExpectedStart, Explainer
from qmon_tui.gc_pause import gc_paused
from qmon_tui.model import State
from qmon_tui.qmaster import Run, RunFacts
from qmon_tui.qmaster.transition import CalendarSwitched, ReservationBegan, ReservationEnded, TaskEnded
from qmon_tui.scheduler import session_of
from qmon_tui.scheduler.priority import GRID_ENGINE
from qmon_tui.simulation.execution import is_placed
from qmon_tui.simulation.settings import Settings
from qmon_tui.simulation.simulator import Simulator
from qmon_tui.simulation.submissions import StartTimeReached
from qmon_tui.values import CalendarState

_MOST_RUNS, _LEAST_RUNS, _WORK = 200, 4, 60_000
"""Bounds on the number of runs, and the total size of all runs: a large cluster gets fewer runs."""
_ENDLESS = 100 * 365 * 86_400
"""The run time of a job without a known one, in seconds."""
_LONGEST = 80 * 365 * 86_400
"""How far a forecast looks ahead, in seconds."""
_NAMED = 2
_SUSPENDED = frozenset("sST")


@gc_paused()
def expected_start(explainer: Explainer, job: int, task: int | None = None) -> ExpectedStart | None:
    """Return the time at which a waiting task would start and run, and the events that it waits for; None if unknown.

    For a task suspended at its start this is the time when it is resumed. None with other formulas than Grid Engine's.
    """
    run = explainer.run
    waiting = explainer.task_that_may_wait(job, task)
    if waiting is None or run.formula.formulas is not GRID_ENGINE:
        return None
    state = _with_run_times(run)
    cluster = run.compiled.cluster
    simulator = Simulator(cluster, state, replace(Settings.of(cluster, state), until=run.now + _LONGEST))
    size = len(run.jobs) + 5 * len(run.resources.instances)
    most = max(_LEAST_RUNS, min(_MOST_RUNS, _WORK // (size + 1)))
    words: list[str] = []
    after = ""
    has_started = False
    while simulator.runs < most:
        words += _words(simulator, job)
        happened = simulator.advance()
        if happened is None:
            return None
        if has_started or isinstance(happened, RunFacts):
            after, words = _joined(words) or after, []
        if isinstance(happened, RunFacts):
            has_started |= (job, waiting) in happened.started
        if has_started and is_running(simulator, job, waiting):
            return ExpectedStart(simulator.now, after) if after else None
    return None


def is_running(simulator: Simulator, job: int, task: int) -> bool:
    """True if a task has its slots and is not suspended."""
    known = simulator.find_job(job)
    known_task = known.tasks.get(task) if known is not None else None
    return known_task is not None and is_placed(known_task) and _SUSPENDED.isdisjoint(known_task.state)


def _with_run_times(run: Run) -> State:
    """Return the state of a run; a job without a known run time has no end but its limits."""
    jobs = (job if job.runtime is not None else replace(job, runtime=_ENDLESS) for job in run.state.jobs)
    return replace(run.state, now=run.now, jobs=tuple(jobs))


def _words(simulator: Simulator, job: int) -> list[str]:
    """Return the next event in words; empty for a run and for events that free nothing."""
    event = None if simulator.is_run_next else simulator.queue.next
    at = simulator.queue.next_time or simulator.now
    match event:
        case TaskEnded(number, task):
            return [_end_words(simulator, number, task, at)]
        case CalendarSwitched(name):
            calendar = session_of(simulator.cluster).compiled(simulator.state).calendars[name]
            return [f"calendar {name} {'opens' if calendar.state_at(at) is CalendarState.ON else 'closes'}"]
        case ReservationBegan(number):
            return [f"advance reservation {number} has begun"]
        case ReservationEnded(number):
            return [f"advance reservation {number} has ended"]
        case StartTimeReached(number) if number == job:
            return ["its start time (-a) has come"]
    return []


def _end_words(simulator: Simulator, number: int, task: int, at: int) -> str:
    job = simulator.find_job(number)
    assert job is not None
    known = job.tasks[task]
    is_limited = known.wallclock_limit is not None and at >= int((known.started or 0) + known.wallclock_limit)
    by = "qdel" if "d" in known.state else "h_rt" if is_limited else "its run time"
    return f"job {number if job.request.array is None else f'{number}.{task}'} has ended ({by})"


def _joined(words: Iterable[str]) -> str:
    """Return the events before a run as one text; empty if there are none."""
    named = list(dict.fromkeys(words))
    more = f" and {len(named) - _NAMED} more" if len(named) > _NAMED else ""
    return ", ".join(named[:_NAMED]) + more
