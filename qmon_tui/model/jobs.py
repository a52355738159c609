"""Jobs, what they ask for, the state of their tasks, and advance reservations."""

from collections.abc import Container, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from qmon_tui.model.cluster import Origin
from qmon_tui.model.state import Amounts


@dataclass(frozen=True, slots=True)
class TaskRange:
    """`-t first-last:step`; a plain job has 1-1:1."""

    first: int = 1
    last: int = 1
    step: int = 1

    def __contains__(self, task: object) -> bool:
        return task in self.ids

    @property
    def ids(self) -> range:
        """The task numbers."""
        return range(self.first, self.last + 1, self.step)


FINISHED: Final = "z"
"""The state of a task that has ended, as `qstat -s z` shows it until a run has booked its usage: it counts for -tc."""

GONE: Final = "gone"
"""The state of a task that the qmaster has no longer, of which qstat shows nothing."""

TASK_LETTERS: Final = "dEhqrRsStTwxz"
"""The letters of which the state of a task consists (qstat(1))."""


def is_task_state(text: str) -> bool:
    """Return True if the text is a state: `gone`, `z`, or any other letters of `TASK_LETTERS`, each at most once."""
    letters = set(text)
    return text in (FINISHED, GONE) or (len(letters) == len(text) > 0 and letters <= set(TASK_LETTERS) - {FINISHED})


HOLD_LETTERS: Final = "uos"
"""The holds of a user, an operator and the system, in the order in which they are written (qhold(1))."""


def sorted_holds(letters: Container[str]) -> str:
    """Those of the holds u, o and s that are among some letters."""
    return "".join(letter for letter in HOLD_LETTERS if letter in letters)


_PLAIN = TaskRange().ids
_WAITING = frozenset("hqw")
"""State letters of a task that waits or is held, and has not run."""
SEQUENTIAL: Final = "NONE"
"""What stands in place of the parallel environment of a task that has none."""


class LaterNumbers(dict[str, float]):
    """Stands for numbers of a task that `State.numbers` has; those that it keeps from its start are here."""


@dataclass(frozen=True, slots=True)
class PeRequest:
    """`-pe name ranges`; ranges are (first, last, step), last 9999999 where it is open."""

    name: str
    ranges: tuple[tuple[int, int, int], ...]


@dataclass(frozen=True, slots=True)
class Request:
    """What a job asked for with qsub options. Names are as typed: shortcuts are resolved by the scheduler."""

    hard: tuple[tuple[str, str | None], ...] = ()
    """Hard -l requests in order; the value is None where only the name was given."""
    has_empty_list: bool = False
    """An empty list was given last (`-l ''`): messages then print nothing, not that there is none."""
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
    """-tc, 0 for no limit."""
    start_time: int | None = None
    """-a, seconds since the epoch."""
    deadline: int | None = None
    """-dl, seconds since the epoch."""
    hold: str = ""
    """-h letters u o s; empty for none."""
    hold_jid: tuple[str, ...] = ()
    hold_jid_ad: tuple[str, ...] = ()
    job_share: int = 0
    """-js"""
    override_tickets: int = 0
    """-ot, settable by qalter only; accepted here to describe a job's state."""
    reserve: bool = False
    rerun: str = ""
    immediate: bool = False
    checkpoint: str | None = None
    checkpoint_when: str = ""
    """-c: some of the letters n s m x r, or an interval."""
    advance_reservation: str | None = None
    verify: str = ""
    command: tuple[str, ...] = ()
    kept: tuple[tuple[str, str], ...] = ()
    """Options without a meaning for scheduling, as (option, argument)."""


@dataclass(frozen=True, slots=True)
class Task:
    """A task that is no longer an untouched pending one: its qstat state letters, and where it runs since when."""

    state: str
    granted: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))
    """Queue instance -> slots, the master queue first. Of a pending task: where it ran before (see `unclean_hosts`)."""
    started: float | None = None
    """Seconds since the epoch; a fraction tells which of two tasks of one second was started first."""
    used: Amounts | None = None
    """What it has used and is not yet in the usage of its user and project; None for nothing new."""
    environment: str | None = None
    """The parallel environment that a parallel job runs in; None where that is not known.

    `SEQUENTIAL` where it has none, although its job asks for one since it was altered.
    """
    hold: str = ""
    """Letters u o s of its own; where it is held and has none, its job's count."""
    unclean: tuple[str, ...] = ()
    """Hosts where runs from which it was sent back are not cleaned up, the earliest first."""
    tickets: Amounts | None = None
    """The numbers of qstat's columns tckts, otckt, ftckt and stckt; None where they are not known.

    In a parallel environment with control_slaves they stay what they were when the task was started. Of a task that was
    sent back and is held, prior and ntckts stay what they were before. Those of all others are worked out again.
    """
    changed: float | None = None
    """When a suspend threshold, qmod -sj or qmod -usj made it stand still or go on last, in seconds since the epoch.

    With that it came to the end of the scheduler's list of its job's tasks. None where it was not, or nobody knows.
    """
    wallclock_limit: float | None = None
    """The seconds for which it was started, `INFINITY` for no limit; None where its job and queues tell them."""
    seen_suspended: bool = False
    """It stood still when it was last sent to the scheduler, which takes it for suspended since, whatever it does."""
    reason: str = ""
    """Why it is in error (state E), in the words of `qstat -j`; empty if that is not known."""

    @property
    def unclean_hosts(self) -> tuple[str, ...]:
        """The hosts on which a pending task does not start until they are cleaned up.

        Each run leaves the host of its master queue; that of the last one may also be told by `granted`.
        """
        if not self.granted or "q" not in self.state:
            return self.unclean
        last = next(iter(self.granted)).rpartition("@")[2]
        return self.unclean if last in self.unclean else (*self.unclean, last)


NO_RESERVATION = "0"
"""What `qalter -ar` calls a job without an advance reservation."""


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
    """Only tasks that are not plainly pending; all other ids of the array are `qw`."""
    runtime: int | None = None
    """Seconds that each task runs."""
    qsub: str = ""
    runtimes: Mapping[int, int] = field(default_factory=lambda: MappingProxyType({}))
    """Task -> seconds, of those that run for another time than `runtime`."""
    changed: float | None = None
    """When a command or the end of a job for which it has waited changed it last, in seconds since the epoch;
    a fraction tells the order in a second.

    With that it came to the end of the scheduler's list. None where it was not, or nobody knows: qstat does not tell.
    """
    project: str | None = None
    """The default project that it got when it was submitted, or NONE; None where that is the one of its user now."""
    department: str | None = None
    """The department that it got when it was submitted; None where that is the one in which its user is now."""
    reservation_rejected: bool = False
    """The scheduler has found in an earlier run that no job of this kind can get a reservation, and tries no more."""
    category_ar: str | None = None
    """The advance reservation, 0 for none, for which the scheduler has put the job into a category; None for its own.

    `qalter -ar` by itself leaves it in the category in which it was.
    """
    origin: Origin | None = field(default=None, compare=False)

    @property
    def category_reservation(self) -> str | None:
        """The advance reservation that tells its category from others; None for none."""
        if self.category_ar is None:
            return self.request.advance_reservation
        return None if self.category_ar == NO_RESERVATION else self.category_ar

    @property
    def task_ids(self) -> range:
        """All task numbers, finished ones included."""
        array = self.request.array
        return array.ids if array is not None else _PLAIN

    @property
    def is_untouched(self) -> bool:
        """True if all of its tasks just wait, but for those that are not there at all."""
        return all(task.state == GONE for task in self.tasks.values())

    @property
    def has_begun(self) -> bool:
        """True if a task is or was more than waiting or held: it runs, has run, or is in error."""
        return any(
            task.state != GONE and (task.granted or not frozenset(task.state) <= _WAITING)
            for task in self.tasks.values()
        )

    def is_to_come(self, now: int) -> bool:
        """True if the job is submitted after `now`, in seconds since the epoch, so that it does not exist yet."""
        return self.submitted > now and not self.has_begun

    def runtime_of(self, number: int) -> int | None:
        """How many seconds a task runs; None where nobody says it."""
        return self.runtimes.get(number, self.runtime)

    def own_holds(self, number: int) -> str:
        """The holds u o s of a task; what waits for other jobs has none of these by that."""
        task = self.tasks.get(number)
        if task is None:
            return self.request.hold
        if "h" not in task.state:
            return ""
        waits = self.request.hold_jid or self.request.hold_jid_ad
        return task.hold or self.request.hold or ("" if waits else "u")


@dataclass(frozen=True, slots=True)
class AdvanceReservation:
    """Something that qrsub(1) was granted: queue instances that are kept for certain jobs for some time."""

    id: int
    owner: str
    start: int
    """Seconds since the epoch."""
    end: int
    """Seconds since the epoch; the first moment after it."""
    granted: Mapping[str, int]
    """Queue instance -> slots, the master queue first."""
    state: str = "w"
    """As qrstat(1) shows it: w waits for its start, r runs, E error, W waits in error, X over, d deleted."""
    requests: tuple[tuple[str, str | None], ...] = ()
    """Hard -l requests, as typed; the value is None where only the name was given."""
    users: tuple[str, ...] = ()
    """Who may use it: users, and @ with the name of a userset or group; everybody where it is empty."""
    environment: str | None = None
    """The parallel environment in which it was granted."""
    submitted: int | None = None
    """When it was granted, seconds since the epoch; None where that is not known."""
    strict: bool = False
    """-he y: its jobs do not start while it is in error."""
    name: str = ""
    account: str = ""

    @property
    def is_over(self) -> bool:
        """True if nothing is kept any more."""
        return self.state in ("X", "d")

    @property
    def granted_at(self) -> int:
        """When it was granted, as far as that is known: not after its start."""
        return self.start if self.submitted is None else self.submitted
