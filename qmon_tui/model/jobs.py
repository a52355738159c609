"""Jobs, their requests, the states of their tasks, and advance reservations."""

from collections.abc import Container, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from qmon_tui.model.cluster import Origin

Amounts = Mapping[str, float]
"""Kind of usage (cpu, mem, io, finished_jobs ...) -> amount; cpu in seconds, mem in gigabyte seconds."""


@dataclass(frozen=True, slots=True)
class TaskRange:
    """Task numbers of `-t first-last:step`; 1-1:1 for a plain job."""

    first: int = 1
    last: int = 1
    step: int = 1

    def __contains__(self, task: object) -> bool:
        return task in self.ids

    @property
    def ids(self) -> range:
        return range(self.first, self.last + 1, self.step)


FINISHED: Final = "z"
"""State of an ended task in `qstat -s z`; until a run has booked its usage, the task counts for -tc."""

GONE: Final = "gone"
"""State of a task that the qmaster has removed; qstat does not show it."""

TASK_LETTERS: Final = "dEhqrRsStTwxz"
"""The letters of a task's state (qstat(1))."""


def is_task_state(text: str) -> bool:
    """Return True if the text is a state: `gone`, `z`, or any other letters of `TASK_LETTERS`, each at most once."""
    letters = set(text)
    return text in (FINISHED, GONE) or (len(letters) == len(text) > 0 and letters <= set(TASK_LETTERS) - {FINISHED})


HOLD_LETTERS: Final = "uos"
"""Holds of a user, an operator and the system, in the order in which they are printed (qhold(1))."""


def sorted_holds(letters: Container[str]) -> str:
    """Return the letters of the holds u, o and s that are in `letters`, in this order."""
    return "".join(letter for letter in HOLD_LETTERS if letter in letters)


COLUMNS: Final = ("nurg", "npprior", "urg", "rrcontr", "wtcontr", "dlcontr", "share")
"""Columns of `qstat -urg -pri -ext` that a run calculates for a job; share is that of its plain pending tasks."""

_PLAIN = TaskRange().ids
_WAITING = frozenset("hqw")
"""State letters of a task that waits or is held, and has not run."""
SEQUENTIAL: Final = "NONE"
"""`Task.environment` of a task that runs without a parallel environment."""


class LaterNumbers(dict[str, float]):
    """Tickets kept from the start of a task, if any; this type marks that qstat's values are in `State.numbers`."""


@dataclass(frozen=True, slots=True)
class PeRequest:
    """Parallel request `-pe name ranges`; a range is (first, last, step) slots, with last 9999999 if it is open."""

    name: str
    ranges: tuple[tuple[int, int, int], ...]


@dataclass(frozen=True, slots=True)
class Request:
    """Options of qsub for a job; None or empty if not given. Names are as typed: the scheduler resolves shortcuts."""

    hard: tuple[tuple[str, str | None], ...] = ()
    """Hard -l requests in order; the value is None if only the name was given."""
    has_empty_list: bool = False
    """True if the last -l was empty (`-l ''`): messages then print an empty text instead of NONE."""
    soft: tuple[tuple[str, str | None], ...] = ()
    hard_queues: tuple[str, ...] = ()
    soft_queues: tuple[str, ...] = ()
    master_queues: tuple[str, ...] = ()
    pe: PeRequest | None = None
    priority: int = 0
    project: str | None = None
    account: str | None = None
    array: TaskRange | None = None
    """None for a plain job."""
    max_running_tasks: int = 0
    """Argument of -tc; 0 for no limit."""
    start_time: int | None = None
    """Argument of -a, seconds since the epoch; None if not given."""
    deadline: int | None = None
    """Argument of -dl, seconds since the epoch; None if not given."""
    hold: str = ""
    """Letters of -h: u, o, s; empty for none."""
    hold_jid: tuple[str, ...] = ()
    hold_jid_ad: tuple[str, ...] = ()
    job_share: int = 0
    """Argument of -js."""
    override_tickets: int = 0
    """Argument of -ot; only qalter sets it, but it is accepted here as part of a job's state."""
    reserve: bool = False
    rerun: str = ""
    """Argument of -r, y or n; empty if not given."""
    immediate: bool = False
    checkpoint: str | None = None
    checkpoint_when: str = ""
    """Argument of -c: some of the letters n s m x r, or an interval; empty if not given."""
    advance_reservation: str | None = None
    verify: str = ""
    """Letter of -w; empty if not given."""
    command: tuple[str, ...] = ()
    kept: tuple[tuple[str, str], ...] = ()
    """(option, argument) of each option that does not affect scheduling."""


@dataclass(frozen=True, slots=True)
class Task:
    """A task that is not plainly pending: `state` has its letters in qstat."""

    state: str
    granted: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))
    """Queue instance -> slots, the master queue first; for a pending task its former ones (see `unclean_hosts`)."""
    started: float | None = None
    """Seconds since the epoch, None if not started; the fraction orders tasks that started in the same second."""
    used: Amounts | None = None
    """Usage that is not yet booked for its user and project; None if there is none."""
    environment: str | None = None
    """The parallel environment of a running parallel task; None if unknown.

    `SEQUENTIAL` if it runs without one, although its job was later altered to request one.
    """
    hold: str = ""
    """The task's own holds (u o s); if it is held and has none, its job's holds count."""
    unclean: tuple[str, ...] = ()
    """Hosts on which earlier, rescheduled runs of the task are not cleaned up, the earliest first."""
    tickets: Amounts | None = None
    """Values of qstat's columns tckts, otckt, ftckt and stckt; None if unknown.

    In a parallel environment with control_slaves, columns keep their values from the task's start, and share keeps its
    value at each start that the qmaster refuses. A held, enrolled task keeps all; otherwise each run recalculates them.
    """
    changed: float | None = None
    """Time of the last suspension or resumption by a suspend threshold, qmod -sj or qmod -usj; seconds since the epoch.

    The change moved the task to the end of the scheduler's list of its job's tasks. None if there was none or unknown.
    """
    wallclock_limit: float | None = None
    """Wall clock limit set at the start, in seconds, `INFINITY` for none; None if job and queues determine it."""
    seen_suspended: bool = False
    """True if it was suspended when it was last sent to the scheduler, which counts it as suspended since."""
    start_failed: bool = False
    """True if the qmaster refused a start of the pending task, or its host failed; the task is then enrolled."""
    reason: str = ""
    """Reason of the error state E, in the words of `qstat -j`; empty if unknown."""

    @property
    def unclean_hosts(self) -> tuple[str, ...]:
        """Hosts that must be cleaned up before the pending task starts there.

        Each earlier run adds the host of its master queue; the last run's may also be in `granted`.
        """
        if not self.granted or "q" not in self.state:
            return self.unclean
        last = next(iter(self.granted)).rpartition("@")[2]
        return self.unclean if last in self.unclean else (*self.unclean, last)


NO_RESERVATION = "0"
"""Argument of `qalter -ar` for no advance reservation."""


@dataclass(frozen=True, slots=True)
class Job:
    """One job with all its tasks."""

    id: int
    owner: str
    submitted: int
    """Seconds since the epoch."""
    request: Request
    name: str
    group: str = "staff"
    tasks: Mapping[int, Task] = field(default_factory=lambda: MappingProxyType({}))
    """Task number -> task, for tasks that are not plainly pending; all other tasks of the array are `qw`."""
    runtime: int | None = None
    """Run time of each task in seconds; None if unknown."""
    qsub: str = ""
    """Options and command as written, from which `request` was read."""
    runtimes: Mapping[int, int] = field(default_factory=lambda: MappingProxyType({}))
    """Task number -> run time in seconds, for tasks that differ from `runtime`."""
    changed: float | None = None
    """Time of the last change by a command or by the end of a job in its -hold_jid; seconds since the epoch;
    the fraction orders changes in the same second.

    The change moved the job to the end of the scheduler's list. None if there was none, or it is unknown: qstat does
    not show it.
    """
    project: str | None = None
    """Default project assigned at submission, NONE for none; None if it is its user's present default project."""
    department: str | None = None
    """Department assigned at submission; None if it is its user's present department."""
    reservation_rejected: bool = False
    """True if an earlier run found no reservation for the job's category, so that none is tried again."""
    category_ar: str | None = None
    """Advance reservation of the job's category, 0 for none; None if it is the job's own.

    `qalter -ar` without other changes leaves the job in its category.
    """
    columns: Amounts | None = None
    """`COLUMNS` as qstat shows them, by name, unless `State.columns_of` knows newer ones; None if there are none.

    A start that the qmaster refuses leaves them unchanged.
    """
    origin: Origin | None = field(default=None, compare=False)

    @property
    def category_reservation(self) -> str | None:
        """The advance reservation that is part of the job's category; None for none."""
        if self.category_ar is None:
            return self.request.advance_reservation
        return None if self.category_ar == NO_RESERVATION else self.category_ar

    @property
    def task_ids(self) -> range:
        """All task numbers, those of finished tasks included."""
        array = self.request.array
        return array.ids if array is not None else _PLAIN

    @property
    def is_untouched(self) -> bool:
        """True if all tasks that the qmaster has are plainly pending."""
        return all(task.state == GONE for task in self.tasks.values())

    @property
    def has_begun(self) -> bool:
        """True if a task runs, has run, or is in error, so that it is not only waiting or held."""
        return any(
            task.state != GONE and (task.granted or not frozenset(task.state) <= _WAITING)
            for task in self.tasks.values()
        )

    @property
    def running_places(self) -> tuple[str, ...]:
        """The queue instances in which its tasks run or are suspended, each once."""
        places = (
            task.granted
            for task in self.tasks.values()
            if task.state not in (FINISHED, GONE, "x") and "q" not in task.state
        )
        return tuple(dict.fromkeys(name for granted in places for name in granted))

    def is_to_come(self, now: int) -> bool:
        """True if the job is submitted after `now`, in seconds since the epoch, so that it does not exist yet."""
        return self.submitted > now and not self.has_begun

    def runtime_of(self, number: int) -> int | None:
        """Return the run time of a task in seconds; None if it is not given."""
        return self.runtimes.get(number, self.runtime)

    def own_holds(self, number: int) -> str:
        """Return a task's holds u o s; waiting for other jobs (-hold_jid) is not one of them."""
        task = self.tasks.get(number)
        if task is None:
            return self.request.hold
        if "h" not in task.state:
            return ""
        waits = self.request.hold_jid or self.request.hold_jid_ad
        return task.hold or self.request.hold or ("" if waits else "u")


@dataclass(frozen=True, slots=True)
class AdvanceReservation:
    """An advance reservation made by qrsub(1): slots of queue instances kept for its jobs during a period."""

    id: int
    owner: str
    start: int
    """Seconds since the epoch."""
    end: int
    """Seconds since the epoch; the first second after it."""
    granted: Mapping[str, int]
    """Queue instance -> slots, the master queue first."""
    state: str = "w"
    """State in qrstat(1): w waits for its start, r runs, E error, W waits in error, X over, d deleted."""
    requests: tuple[tuple[str, str | None], ...] = ()
    """Hard -l requests, as typed; the value is None if only the name was given."""
    users: tuple[str, ...] = ()
    """Users who may use it, and usersets or groups after an @; if empty, everybody may."""
    environment: str | None = None
    """The parallel environment in which it was granted; None without one."""
    submitted: int | None = None
    """Time when it was granted, seconds since the epoch; None if unknown."""
    strict: bool = False
    """True with -he y: its jobs do not start while it is in error."""
    name: str = ""
    account: str = ""

    @property
    def is_over(self) -> bool:
        """True if it has ended or was deleted, so that nothing is reserved any more."""
        return self.state in ("X", "d")

    @property
    def granted_at(self) -> int:
        """Time when it was granted, seconds since the epoch; its start if unknown."""
        return self.start if self.submitted is None else self.submitted
