"""When jobs and queue instances came to the end of the scheduler's lists, which no command shows."""

import re
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from qmon_tui.formats.qsub import parse_qsub
from qmon_tui.model.state import ENVIRONMENT, HOST, QUOTA_SET
from tests.differential.observing import (
    Seen,
    held_by_tasks,
    pending_tasks,
    predecessors,
    standing_instances,
    standing_tasks,
)
from tests.differential.qmaster import Answer, Qmaster
from tests.differential.session import Edit

_MODIFIED: Final = re.compile(
    "modified (?!account|mail |std|output merge|shell list|working directory|environment|context)"
)
"""What a command says of a job that is sent anew to the scheduler."""
_SETS: Final = re.compile(
    r"sets (?P<what>override tickets|scheduling priority|job share|job advance reservation) of .* to (?P<value>-?\d+)"
)
"""What it says of one that is only sent where the value is another one."""
_OF_TASKS: Final = "override tickets"
"""With the others only the job is sent, and not its tasks."""
_RESERVATION: Final = "job advance reservation"
"""By this alone the scheduler does not put the job into another category."""
_CHANGED_STATE: Final = re.compile('changed state of "([^"]+@[^"]+)"')
_SUSPENDED: Final = re.compile(r" - (?:un)?suspended job-array task (?P<job>\d+)\.(?P<task>\d+)")
_SUSPENDED_JOB: Final = re.compile(r" - (?:un)?suspended job (?P<job>\d+)")
_QUEUE, _HOST, _GROUP = ("queue", "queues"), ("exechost", "hosts"), ("hostgroup", "hostgroups")
_STATE: Final = 5
"""Where in a line of qstat -f the state stands, if there is one."""
_CALENDAR: Final = "calendars"
"""A change of it has all queue instances sent anew that keep it, even where none opens or closes."""
_KEEPS: Final = re.compile(r"(?m)^calendar +(\S+)$")
_USERSET: Final = "usersets"
"""A change of it, whatever it changes, has all queue instances sent anew that let in or turn away who is in it."""
_LISTS: Final = re.compile(r"(?m)^x?user_lists +(.+)$")
_GLOBAL: Final = "global"
"""The host at which all queue instances look: a change of it has all of them sent anew."""
_BOOKED_ANEW: Final = ("complexes", "consumable")
"""The field of an attribute with which everything is booked once more, wherever it is offered."""
_LISTED: Final = {
    **dict.fromkeys(_QUEUE, "{}"),
    **dict.fromkeys(_HOST, HOST),
    **dict.fromkeys(("pe", "pes"), ENVIRONMENT),
    "quotas": QUOTA_SET,
}
"""Kind -> how it is called that an object of it came to the end of its list."""
_TOLD_TO_QUEUES: Final = frozenset(
    ("load_scaling", "usage_scaling", "user_lists", "xuser_lists", "projects", "xprojects")
)
"""Fields of a host whose change also changes its queue instances, for the qmaster."""
_JOB_NUMBER, _TASK_NUMBER = 5, 35
"""Fields of a line of the accounting file."""
_STEP: Final = 1e-4
"""Between two things that happened within a second; what happens to one task's queue instances lies in between."""

Ended = tuple[int, int, float]
"""Job, task, and when it ended or was taken from its place."""


@dataclass(slots=True)
class Changes:
    """Those of one session."""

    waits: bool
    """Some job waits for others."""
    jobs: dict[int, float] = field(default_factory=dict)
    """The latest change of jobs of which it has to be known."""
    instances: dict[str, float] = field(default_factory=dict)
    """Cluster queue, queue instance or host -> when it was changed by a command, or by its load."""
    tasks: dict[tuple[int, int], float] = field(default_factory=dict)
    """(job, task) -> when a command last sent it to the scheduler; of jobs that are no arrays not each is known."""
    told: tuple[int, ...] = ()
    """Jobs that were sent with all their tasks between the last two runs."""
    categories: dict[int, str] = field(default_factory=dict)
    """Job -> the advance reservation, 0 for none, that it had when it was put into its category."""
    watches: bool = False
    """Some queue instance may stand still because of another one."""
    sent: dict[str, bool] = field(default_factory=dict)
    """Queue instances that were sent as a whole since the last run, and whether another one had suspended them."""
    standing: set[tuple[int, int]] = field(default_factory=set)
    """(job, task) of what stood still with its queue instance when it was last sent."""
    _still: frozenset[str] = frozenset()
    """The queue instances that stood still because of others when that was looked at last."""
    _told: dict[int, float] = field(default_factory=dict)
    """Job -> when all its tasks were sent with it since the last run."""
    _sent: set[tuple[int, int | None]] = field(default_factory=set)
    """(job, task) that the order at hand has had sent; with all its tasks where none is named."""
    _second: int = 0
    _in_second: int = 0
    _accounted: int = 0
    """Lines of the accounting file that were read."""
    _waiting: Mapping[int, frozenset[int]] = field(default_factory=dict)
    _held: frozenset[tuple[int, int]] = frozenset()
    """(job, task) of what waits for a task of another array."""
    _released: set[tuple[int, int]] = field(default_factory=set)
    """(job, the job for which it waits no longer) since the last run."""
    _values: dict[tuple[int, str], str] = field(default_factory=dict)
    """What was set last of a job."""

    def note_said(self, job: int, text: str, *, of_holds: bool) -> None:
        """A command has said this of a job; what is said of holds does not matter."""
        is_told = sent = _MODIFIED.search(text) is not None or of_holds
        for found in _SETS.finditer(text):
            key = (job, found["what"])
            before = self._values.get(key, "0").replace("None", "0")
            is_other = before != found["value"]
            self._values[key] = found["value"]
            if is_other and found["what"] == _RESERVATION:
                self.categories.setdefault(job, before)
                if self.categories[job] == found["value"]:
                    del self.categories[job]
            sent |= is_other
            is_told |= is_other and found["what"] == _OF_TASKS
        if sent:
            self.note(job)
        if is_told:
            self.categories.pop(job, None)
            self._told[job] = self.jobs[job]
            self._sent.add((job, None))

    def note(self, job: int) -> None:
        """A job is changed now."""
        self.jobs[job] = self._now()

    def started(self, jobs: Iterable[int]) -> None:
        """A run has started tasks of these, which has the jobs sent anew."""
        for job in jobs:
            self.categories.pop(job, None)

    def removed(self, ended: Iterable[Ended], at: int) -> None:
        """A run has removed the jobs that had ended before it, which changes those that had waited for them again."""
        gone = {job for job, _, _ in ended}
        for job in sorted({job for job, predecessor in self._released if predecessor in gone}):
            self.jobs[job] = self._stamp(at)
        self._released.clear()

    def note_submission(self, job: int, qsub: str) -> None:
        """A job comes now, which has to be known where another one was changed in the same second."""
        request = parse_qsub(qsub).request
        self._values |= {
            (job, "override tickets"): str(request.override_tickets),
            (job, "scheduling priority"): str(request.priority),
            (job, "job share"): str(request.job_share),
            (job, "job advance reservation"): str(request.advance_reservation),
        }
        if any(int(known) == int(time.time()) for known in self.jobs.values()):
            self.note(job)

    def sent_tasks(self, running: Iterable[tuple[int, int]]) -> tuple[tuple[int, int, float], ...]:
        """(job, task) of what was sent to the scheduler as it is, and when that was last; it keeps its order then."""
        self.told = tuple(self._told)
        for job, when in self._told.items():
            there = sorted((task for task in running if task[0] == job), key=lambda task: self.tasks.get(task, 0))
            for place, task in enumerate(there, 1):
                self.tasks[task] = max(self.tasks.get(task, 0), round(when + place * _STEP / 100, 6))
        self._told.clear()
        return tuple((*task, when) for task, when in self.tasks.items())

    def note_words(self, said: str) -> None:
        """A command said this, perhaps of queue instances or tasks."""
        self.instances |= {name: self._now() for name in _CHANGED_STATE.findall(said)}
        tasks = [(int(job), int(task)) for job, task in _SUSPENDED.findall(said)]
        self.tasks |= {task: self._now() for task in tasks}
        self._sent |= {*tasks, *((int(job), None) for job in _SUSPENDED_JOB.findall(said))}

    def note_sent(self, qmaster: Qmaster) -> None:
        """After an order: look how what it has had sent stands."""
        if not self._sent:
            return
        sent = {job for job, task in self._sent if task is None}
        standing = standing_tasks(qmaster)
        self.standing = {one for one in self.standing if one[0] not in sent and one not in self._sent}
        self.standing |= {one for one in standing if one[0] in sent or one in self._sent}
        self._sent.clear()

    def look(self, qmaster: Qmaster, before: Mapping[str, float]) -> None:
        """Note which queue instances stand still, and so of those that have changed since `before`."""
        if self.watches:
            self._still = standing_instances(qmaster)
            changed = [name for name, when in self.instances.items() if "@" in name and before.get(name) != when]
            self.sent |= {name: name in self._still for name in changed}

    def looked(self, seen: Seen) -> None:
        """A run is over, and this was seen after it."""
        self.sent.clear()
        self._still = frozenset(instance.name for instance in seen.instances if "S" in instance.state)

    def _note_places(self, ended: Iterable[Ended], granted: Mapping[tuple[int, int], Iterable[str]]) -> None:
        """Queue instances are sent with the end of what had them; what it has suspended goes on after that."""
        if not self.watches:
            return
        over: set[str] = set()
        for job, task, _ in ended:
            names = tuple(granted.get((job, task), ()))
            self.sent |= {name: name in self._still and name.partition("@")[2] not in over for name in names}
            over |= {name.partition("@")[2] for name in names if name not in self._still}

    def edited(
        self, qmaster: Qmaster, edit: Edit, do: Callable[[], Answer], everything_in_order: Callable[[], Iterable[str]]
    ) -> Answer:
        """Do an edit; its queue goes to the end, and so do the instances that have other values than before.

        Where all are sent anew, they come in the qmaster's own order.
        """
        before = _values(qmaster, edit)
        answer = do()
        if answer.status:
            return answer
        when = self._now()
        after = _values(qmaster, edit)
        there = {*qmaster.run("qselect", "-q", "*").out.split()}
        names = [name for name in everything_in_order() if "@" not in name or name in there]
        self.instances |= {name: self._now() for name in names if _is_sent(qmaster, edit, name, before, after)}
        if edit.kind in _LISTED:
            self.instances[_LISTED[edit.kind].format(edit.name)] = when
        return answer

    def keep_order(self, there: Iterable[str], configured: Iterable[str]) -> None:
        """Queue instances keep the order in which they came, though the configuration names them in another one now."""
        as_configured = dict.fromkeys(configured)
        in_order = [name for name in there if name in as_configured]
        if in_order != [*as_configured]:
            for place, name in enumerate(in_order):
                self.instances.setdefault(name, place * _STEP)

    def reported(self, hosts: Iterable[str]) -> None:
        """Load values of some hosts were reported, all at once: an execd sorts them by the names of hosts."""
        self.instances |= {HOST.format(host): self._now() for host in sorted(hosts)}

    def ended(self, qmaster: Qmaster, granted: Mapping[tuple[int, int], Iterable[str]]) -> list[Ended]:
        """The tasks that have ended since this was asked last; the jobs that waited for them are changed by that.

        `granted` has the queue instances of each task.
        """
        ended = list(self._accounted_now(qmaster))
        self._note_places(ended, granted)
        if self.waits:
            self._release(predecessors(qmaster))
            self._release_tasks(qmaster)
        return ended

    def unaccounted(self, earlier: Seen, now: Seen, ended: Iterable[Ended]) -> list[Ended]:
        """What else has lost its place by now: killed jobs of environments with control_slaves may not be accounted."""
        known = {(job, task) for job, task, _ in ended} | now.placed
        return [(job, task, self._now()) for job, task in sorted(earlier.placed - known)]

    def _accounted_now(self, qmaster: Qmaster) -> Iterator[Ended]:
        file = qmaster.world.path("default/common/accounting")
        lines = [line for line in file.read_text().splitlines() if not line.startswith("#")] if file.exists() else []
        fresh, self._accounted = lines[self._accounted :], len(lines)
        for words in (line.split(":") for line in fresh):
            yield int(words[_JOB_NUMBER]), int(words[_TASK_NUMBER]) or 1, self._now()

    def _release(self, waiting: Mapping[int, frozenset[int]]) -> None:
        """Jobs wait for these others now: those that have waited for more are changed."""
        for job, waited in sorted(self._waiting.items()):
            gone = waited - waiting.get(job, waited)
            self._released |= {(job, predecessor) for predecessor in gone}
            if gone:
                self.note(job)
                self.categories.pop(job, None)
        self._waiting = waiting

    def _release_tasks(self, qmaster: Qmaster) -> None:
        """Jobs of which some task no longer waits for one of another array are changed by that."""
        held = held_by_tasks(qmaster)
        released = self._held - held
        if released:
            for job in sorted({job for job, _ in released & pending_tasks(qmaster)}):
                self.note(job)
        self._held = held

    def _now(self) -> float:
        return self._stamp(int(time.time()))

    def _stamp(self, second: int) -> float:
        self._in_second = self._in_second + 1 if second == self._second else 1
        self._second = second
        return second + self._in_second * _STEP


def of_instances(
    ended: Iterable[Ended], granted: Mapping[tuple[int, int], Iterable[str]]
) -> Iterator[tuple[str, float]]:
    """(queue instance, time) for all that tasks had until they ended."""
    for job, task, when in ended:
        for place, name in enumerate(granted.get((job, task), ())):
            yield name, when + place / 1_000_000


def _is_sent(qmaster: Qmaster, edit: Edit, name: str, before: Mapping[str, str], after: Mapping[str, str]) -> bool:
    """Tell whether an edit has a queue instance or host sent anew, the host that is edited aside."""
    if (edit.kind in _HOST and edit.name == _GLOBAL) or (edit.kind, edit.field) == _BOOKED_ANEW:
        return True
    if edit.kind == _CALENDAR and "@" in name:
        calendar = _KEEPS.search(qmaster.run("qconf", "-sq", name).out)
        return calendar is not None and calendar[1] == edit.name
    if edit.kind == _USERSET and "@" in name:
        lists = _LISTS.findall(qmaster.run("qconf", "-sq", name).out)
        return any(edit.name in re.split("[ ,]+", text) for text in lists)
    # A whole host is given with all its fields.
    everything = edit.kind == _HOST[1] or (edit.kind in _HOST and edit.field in _TOLD_TO_QUEUES)
    return name in after and (everything or before.get(name) != after[name])


def _values(qmaster: Qmaster, edit: Edit) -> dict[str, str]:
    """Queue instance -> its configuration and whether it has one, for those that an edit may change."""
    patterns = {**dict.fromkeys(_QUEUE, f"{edit.name}@*"), **dict.fromkeys(_HOST, f"*@{edit.name}")}
    pattern = patterns.get(edit.kind, "*@*" if edit.kind in _GROUP else None)
    names = qmaster.run("qselect", "-q", pattern).out.split() if pattern else ()
    lines = [line.split() for line in qmaster.run("qstat", "-f").out.splitlines() if "@" in line] if names else ()
    orphaned = {words[0] for words in lines if "o" in "".join(words[_STATE:])}
    return {name: f"{name in orphaned} {qmaster.run('qconf', '-sq', name).out}" for name in names}
