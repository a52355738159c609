"""Build jobs piece by piece from the rows of a record: a row per queue instance, task or slot."""

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set as AbstractSet
from dataclasses import dataclass, field, replace
from functools import lru_cache
from math import gcd
from shlex import quote
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from qmon_tui.formats.qsub import qsub_line, sleep_runtime
from qmon_tui.model import FINISHED, GONE, Job, Request, State, Task, TaskRange, beginning_of_day, is_task_state
from qmon_tui.values import canonical, parse_ranges

MOST_TASKS: Final = 1_000_000
MOST_SLOTS: Final = 9_999_999
PLACED: Final = frozenset("rtsSTdx")
"""State letters of tasks that occupy a queue instance."""
UNKNOWN: Final = "unknown"
UNKNOWN_PLACE: Final = f"{UNKNOWN}@{UNKNOWN}"
"""Queue instance of running tasks whose place is unknown: no cluster has it, so they occupy no slots."""
_PLAIN: Final = "qw"
_HELD: Final = "hqw"
_GONE_TASK: Final = Task(GONE)
FIRST_TASK: Final = [1]
"""Task numbers of a job that is no array."""
_ONLY_FIRST: Final = frozenset(FIRST_TASK)
_NOTHING: Final[Mapping[int, Any]] = MappingProxyType({})
_ONLY_DETAILS: Final = (
    "account", "max_running_tasks", "start_time", "deadline", "hold_jid_ad", "job_share", "reserve", "rerun",
    "immediate", "checkpoint", "checkpoint_when", "advance_reservation", "command", "kept",
)  # fmt: skip
"""Fields of a request that `qstat -j` shows, but no listing."""


def instance_name(text: str) -> str:
    """Return the name of a queue instance with its host in canonical spelling; a queue without host unchanged."""
    queue, at, host = text.strip().partition("@")
    return f"{queue}{at}{canonical(host)}" if at else queue


@lru_cache(maxsize=256)
def read_task_state(text: str) -> str:
    """Return the letters of a state as 8.1.9 writes them; a finished task is z. Raises ValueError for other letters."""
    state = _FINISHED.get(text, text)
    if not is_task_state(state):
        raise ValueError(f'"{text[:40]}" is not a state of a task of 8.1.9: it is left out')
    return state


_FINISHED: Final = {"f": FINISHED}
"""Letters of the forks -> those of 8.1.9."""


def one_line(text: str) -> str:
    """Return a reason on one line, without control characters."""
    return " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())


def task_numbers(text: str) -> list[int]:
    """Return the tasks of `7`, `7,9` or `1-9:2`; task 1 for an empty text (no array). Raises ValueError."""
    if not text.strip():
        return [1]
    ranges = parse_ranges(text.strip(), open_end=False)
    if sum((last - first) // step + 1 for first, last, step in ranges) > MOST_TASKS:
        raise too_many_tasks(text)
    return [number for first, last, step in ranges for number in range(first, last + 1, step)]


def too_many_tasks(text: str) -> ValueError:
    """Return the error for an array with more tasks than any cluster accepts."""
    return ValueError(f'"{text}" are more than {MOST_TASKS} tasks')


@dataclass(slots=True)
class TaskBuilder:
    """A task in any state except plain qw; `started` is in seconds since the epoch, None if unknown."""

    state: str
    started: int | None = None
    file: str = ""
    """File that last reported where the task runs."""
    whole: dict[str, int] = field(default_factory=dict)
    """Queue instance -> slots, from rows that count them."""
    master: str = ""
    """The master's queue instance (here) and those of the slaves, from rows of one slot each."""
    slaves: dict[str, int] = field(default_factory=dict)
    reason: str = ""
    """Reason of its error state."""
    total: int = 0
    """All slots of a parallel job; 0 if unknown."""
    tickets: Mapping[str, float] | None = None
    """Column of qstat -ext -> tickets."""

    def begin(self, file: str) -> None:
        """Forget the places that another file reported."""
        if file != self.file:
            self.file = file
            self.whole, self.master, self.slaves = {}, "", {}

    @property
    def runs_nowhere(self) -> bool:
        """True if the task runs, but its queue instance is unknown."""
        return bool(PLACED & set(self.state)) and "q" not in self.state and not self.granted

    @property
    def granted(self) -> dict[str, int]:
        """Queue instance -> slots, the master queue first.

        With a row per slot, the master's row counts as a slot only if the environment has job_is_first_task.
        """
        if not self.master:
            return self.whole
        counts = not self.slaves or self.total != sum(self.slaves.values())
        slots = {self.master: 0} | self.slaves
        slots[self.master] += counts
        return {name: count for name, count in slots.items() if count}


class _Line(NamedTuple):
    """Options of qsub for a request, before and after the name of the job."""

    before: str
    behind: str

    def named(self, name: str) -> str:
        """Return the option line of a job with this name; without -N if the name is empty."""
        return " ".join(filter(None, (self.before, f"-N {quote(name)}" if name else "", self.behind)))


class Requests:
    """Shares equal requests among jobs."""

    def __init__(self) -> None:
        self._known: dict[tuple[tuple[str, Any], ...], tuple[Request, _Line]] = {}

    def of(self, fields: Mapping[str, Any]) -> tuple[Request, _Line]:
        """Return the request with these fields, and its option line."""
        key = tuple(fields.items())
        known = self._known.get(key)
        if known is None:
            request = Request(**fields)
            before = qsub_line(Request(kept=request.kept))
            line = _Line(before, qsub_line(replace(request, kept=())))
            known = self._known[key] = request, line
        return known


@dataclass(slots=True)
class JobBuilder:
    """Facts known so far about one job: `submitted` (seconds since the epoch), `runtime` (seconds); None if unknown."""

    id: int
    owner: str = ""
    name: str = ""
    group: str = "staff"
    file: str = ""
    line: int = 1
    """Line of its first record."""
    submitted: int | None = None
    runtime: int | None = None
    runtimes: dict[int, int] = field(default_factory=dict)
    """Task -> seconds, if the record has them per task."""
    request: dict[str, Any] = field(default_factory=dict)
    """Fields of Request."""
    slots: int = 1
    """Slots in the row of its pending tasks."""
    is_detailed: bool = False
    """True if the request comes from qstat -j, which is more complete than any listing."""
    is_error_guessed: bool = False
    """True if only the reason of an error indicates that tasks are in error."""
    is_array: bool = False
    tasks: dict[int, TaskBuilder] = field(default_factory=dict)
    pending: AbstractSet[int] = frozenset()
    """Tasks in state qw."""
    array: TaskRange | None = None
    """The whole array; None if the record does not show it."""
    assumed: Sequence[int] = ()
    """Tasks that details do not mention: pending, unless a listing names the job without them."""
    is_listed: bool = False
    """True if a listing names the job, and so all its remaining tasks."""
    holds: Mapping[int, str] | None = None
    """Held task -> letters of its holds, from `qstat -s`; None if the holds are unknown."""

    @property
    def is_timeless(self) -> bool:
        """True if neither the submission time nor a start time is known."""
        return self.submitted is None and all(task.started is None for task in self.tasks.values())

    @property
    def runs_unknown_time(self) -> bool:
        """True if a task runs and its run time is unknown."""
        runs = any(PLACED & set(task.state) and "q" not in task.state for task in self.tasks.values())
        return runs and self._runtime(self.request.get("command", ())) is None

    @property
    def without_queue(self) -> bool:
        """True if a task runs on a known host in an unknown queue."""
        places = (place for task in self.tasks.values() for place in task.granted)
        return any(place.startswith(f"{UNKNOWN}@") and place != UNKNOWN_PLACE for place in places)

    def task(self, number: int, state: str) -> TaskBuilder:
        return self.tasks.setdefault(number, TaskBuilder(state))

    @property
    def runs_nowhere(self) -> bool:
        """True if a task runs, but no queue instance is known for it."""
        return any(task.runs_nowhere for task in self.tasks.values())

    def waits(self, tasks: Sequence[int]) -> None:
        """Add tasks in state qw; jobs with only task 1 share one set."""
        if isinstance(self.pending, set):
            self.pending.update(tasks)
        elif self.pending or tasks != FIRST_TASK:
            self.pending = {*self.pending, *tasks}
        else:
            self.pending = _ONLY_FIRST

    def listed_waiting(self, number: int) -> bool:
        """True if a listing shows the task as pending."""
        task = self.tasks.get(number)
        return number in self.pending or (task is not None and "q" in task.state)

    def take_assumed(self) -> None:
        """Add the tasks that details do not name as waiting, unless a listing names the job."""
        if self.assumed and not self.is_listed:
            self.waits([number for number in self.assumed if number not in self.tasks])

    def take_known(self, job: Job) -> None:
        """Add facts that only the details of the same job in an earlier reading show."""
        if self.owner not in ("", job.owner) or self.is_detailed:
            return
        self.is_detailed, self.group, self.array = True, job.group, job.request.array
        if self.submitted is None:  # a pending row has a newer one after qmod -rj
            self.submitted = job.submitted
        self.request.update((name, getattr(job.request, name)) for name in _ONLY_DETAILS)
        if self.array is not None:
            self.is_array = True
        for number, task in self.tasks.items():
            before = job.tasks.get(number)
            is_same_start = before is not None and before.started == task.started and "q" not in task.state
            if before is not None and is_same_start and before.granted and UNKNOWN_PLACE not in before.granted:
                # A listing has only the master queue of a parallel job.
                task.whole, task.master, task.slaves = dict(before.granted), "", {}

    def settle(self) -> None:
        """Put tasks that run at unknown places into the unknown queue instance, with the fewest possible slots."""
        environment = self.request.get("pe")
        slots = environment.ranges[0][0] if environment is not None else self.slots
        for task in self.tasks.values():
            if task.runs_nowhere:
                task.whole = {UNKNOWN_PLACE: max(1, slots)}

    def job(self, submitted: int, requests: "Requests | None" = None) -> Job:
        """Build the job; `submitted` counts if its own submission time is unknown; `requests` are shared among jobs."""
        array = self._array()
        hold = self._common_hold()
        request, line = (requests or Requests()).of(
            {**self.request, **({"hold": hold} if hold else {}), "array": array}
        )
        tasks = self._tasks(array, hold)
        return Job(
            id=self.id,
            owner=self.owner or "unknown",
            submitted=self.submitted if self.submitted is not None else submitted,
            request=request,
            name=self.name or "STDIN",
            group=self.group,
            tasks=MappingProxyType(dict(sorted(tasks.items()))) if tasks else _NOTHING,
            runtime=self._runtime(request.command),
            qsub=line.named(self.name),
            runtimes=MappingProxyType(self._deviating_run_times()) if self.runtimes else _NOTHING,
        )

    def _runtime(self, command: tuple[str, ...]) -> int | None:
        """Return the run time in seconds, from the record or from `sleep 600`; None if unknown."""
        return self.runtime if self.runtime is not None else sleep_runtime(command)

    def _deviating_run_times(self) -> dict[int, int]:
        if not self.is_array:
            return {}
        return {task: seconds for task, seconds in sorted(self.runtimes.items()) if seconds != self.runtime}

    def _array(self) -> TaskRange | None:
        """Return the smallest array with all known tasks (ended ones leave no trace); None for no array."""
        if self.array is not None:
            return self.array
        if not self.is_array:
            return None
        numbers = sorted({*self.tasks, *self.pending}) or [1]
        step = gcd(*(number - numbers[0] for number in numbers))
        return TaskRange(numbers[0], numbers[-1], step or 1)

    @property
    def is_held(self) -> bool:
        """True if all waiting tasks are held for an unknown reason; a user hold is assumed then."""
        if not self.tasks or self.pending:
            return False
        waiting = [task.state for task in self.tasks.values() if "q" in task.state]
        return (
            bool(waiting)
            and not any(map(self.request.get, ("hold", "hold_jid", "hold_jid_ad")))
            and all(state == _HELD for state in waiting)
        )

    def _common_hold(self) -> str:
        """Return the letters of the holds that all waiting tasks have; empty if they have none or differ."""
        if self.holds is None:
            return "u" if self.is_held else ""
        if self.pending:
            return ""
        letters = {self.holds.get(number, "") for number, task in self.tasks.items() if "q" in task.state}
        return letters.pop() if len(letters) == 1 else ""

    def _tasks(self, array: TaskRange | None, hold: str) -> dict[int, Task]:
        tasks: dict[int, Task] = {}
        numbers: Iterable[int] = array.ids if array is not None else (1,)
        if array is not None and len(array.ids) > MOST_TASKS:  # no list of removed tasks for so large an array
            numbers = self.tasks
        waits_for_others = self.request.get("hold_jid") or self.request.get("hold_jid_ad")
        for number in numbers:
            draft = self.tasks.get(number)
            if draft is None:
                if number not in self.pending and array is not None:
                    tasks[number] = _GONE_TASK
                continue
            own_hold = "" if hold or self.holds is None else self.holds.get(number, "")
            if draft.state != _PLAIN and not (draft.state == _HELD and (hold or (waits_for_others and not own_hold))):
                tasks[number] = Task(
                    draft.state,
                    MappingProxyType(draft.granted),
                    draft.started,
                    tickets=draft.tickets or None,
                    reason=draft.reason,
                    hold=own_hold,
                )
        return tasks


@dataclass(slots=True)
class JobBuilders:
    """The builders of all jobs of a record."""

    by_id: dict[int, JobBuilder] = field(default_factory=dict)

    def of(self, job: int, file: str = "", line: int = 1) -> JobBuilder:
        """Return the builder of a job; a new one gets this file and line."""
        draft = self.by_id.get(job)
        if draft is None:
            draft = self.by_id[job] = JobBuilder(job, file=file, line=line)
        return draft

    def state(self, **others: Any) -> State:
        """Return the state with all jobs, ascending; its time is the newest in the record."""
        drafts = sorted(self.by_id.values(), key=lambda draft: draft.id)
        now = max(self._moments(drafts), default=0)
        requests = Requests()
        jobs = tuple(draft.job(_submission_fallback(draft, now), requests) for draft in drafts)
        return State(now=now, jobs=jobs, **others)

    def state_of_work(self) -> State:
        """Return the state of finished jobs, all pending: a simulated day begins with the first submission."""
        state = self.state()
        return replace(state, beginning=beginning_of_day(state))

    @property
    def places(self) -> Mapping[int, tuple[str, int]]:
        """Job -> file and line of its first record."""
        return MappingProxyType({job: (draft.file, draft.line) for job, draft in self.by_id.items()})

    def _moments(self, drafts: Iterable[JobBuilder]) -> Iterator[int]:
        for draft in drafts:
            if draft.submitted is not None:
                yield draft.submitted
            yield from (task.started for task in draft.tasks.values() if task.started is not None)


def _submission_fallback(draft: JobBuilder, now: int) -> int:
    """Return a submission time for a job without one: its first start (rows of running jobs), else `now`."""
    return min((task.started for task in draft.tasks.values() if task.started is not None), default=now)
