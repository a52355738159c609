"""The list of jobs in a YAML file, and what their tasks do at the moment."""

from collections.abc import Mapping as MappingType
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final

from qmon_tui.formats.qsub import parse_qsub
from qmon_tui.formats.state.job_times import JobTimes
from qmon_tui.formats.state.node_reader import NodeReader, read_granted, small_number
from qmon_tui.formats.state.usage import read_amounts
from qmon_tui.formats.yaml.nodes import Mapping, Node, Scalar, Sequence, resolve
from qmon_tui.model.cluster import Origin
from qmon_tui.model.jobs import NO_RESERVATION
from qmon_tui.model.state import HIGHEST_NUMBER, Amounts, Job, Task
from qmon_tui.values.hosts import canonical
from qmon_tui.values.lists import BLANK_OR_COMMA, split_names
from qmon_tui.values.number import INFINITY
from qmon_tui.values.number_ranges import parse_ranges

DEFAULT_GROUP: Final = "staff"
MOST_TASKS_LISTED: Final = 1_000_000

_GIVEN: Final = ("project", "department")
"""What a job got when it was submitted, where the configuration has changed since."""
CATEGORY_AR: Final = "category_ar"
"""The field with the advance reservation for which a job was put into its category."""
_JOB_KEYS: Final = (
    *("id", "owner", "group", "submitted", "qsub", "runtime", "tasks", "name", "changed", "reservation"),
    *_GIVEN,
    CATEGORY_AR,
)
WALLCLOCK_LIMIT: Final = "wallclock_limit"
"""The field with the run time for which a task was started, in seconds or without a limit."""
UNLIMITED: Final = "INFINITY"
SEEN: Final = "seen"
"""The field that says what the scheduler takes a task for, where that need not be what it does."""
SUSPENDED: Final = "suspended"
_TASK_KEYS: Final = (
    *("state", "granted", "started", "used", "pe", "hold", "unclean", "tickets", "changed"),
    *(WALLCLOCK_LIMIT, SEEN),
)
_TASK_LETTERS: Final = frozenset("dEhqrRsStTwxz")
_FINISHED: Final = "z"
"""The state of what has ended, which has no other besides."""
_HOLD_LETTERS: Final = "uos"
_REJECTED: Final = "rejected"
_PLACED: Final = frozenset("rtsSTd")

_Fields = MappingType[str, Node]


@dataclass(frozen=True, slots=True)
class _Draft:
    """A job whose times are not known yet, because they may be offsets from the first one's."""

    job: int
    owner: str
    submitted: str | None
    file: str
    node: Node
    fields: _Fields
    tasks: tuple[tuple[Scalar, _Fields], ...]


class JobReader:
    """Collects the jobs of all files; their times are known in the end."""

    def __init__(self, notes: NodeReader) -> None:
        self._notes = notes
        self._drafts: list[_Draft] = []
        self._places: dict[int, tuple[str, int]] = {}
        self._last = 0

    def take(self, node: Node) -> None:
        """Read one list of jobs."""
        body = resolve(node)
        if isinstance(body, Sequence):
            for item in body.items:
                self._job(item)
        elif not (isinstance(body, Scalar) and body.text in ("", "NONE")):
            self._notes.say("format.yaml.type", "jobs is a list, each job begins with a dash", node)

    def submission_texts(self) -> list[str | None]:
        """When the jobs were submitted, as written."""
        return [draft.submitted for draft in self._drafts]

    def finish(self, clock: JobTimes) -> tuple[Job, ...]:
        """All jobs; one without a time was submitted together with the one before it."""
        jobs = []
        before = clock.base
        for draft in self._drafts:
            self._notes.file = draft.file
            node = draft.fields.get("submitted")
            before = clock.read(self._notes, draft.submitted, node, draft.job, before)
            jobs.append(self._finished(draft, before, clock))
        return tuple(jobs)

    # -- while the files are read

    def _job(self, item: Node) -> None:
        body = resolve(item)
        if not isinstance(body, Mapping):
            self._notes.say("format.yaml.type", "a job is written as owner: ..., qsub: ...", item)
            return
        fields = self._notes.fields(body, _JOB_KEYS, "a job")
        job = self._identifier(fields.get("id"), item)
        if job is None:
            return
        owner = self._notes.word(fields.get("owner"))
        if not owner:
            self._notes.say("format.job", f"job {job} has no owner", item, job, "owner")
            return
        submitted = self._notes.word(fields.get("submitted")) or None
        tasks = self._tasks(job, fields.get("tasks"))
        self._drafts.append(_Draft(job, owner, submitted, self._notes.file, item, fields, tasks))

    def _identifier(self, node: Node | None, item: Node) -> int | None:
        text = self._notes.word(node)
        job = self._last + 1 if node is None else small_number(text, 7)
        if job is None or not 1 <= job <= HIGHEST_NUMBER:
            self._notes.say("format.job", f'"{text}" is no job number, write 1 to {HIGHEST_NUMBER}', node or item)
            return None
        if job in self._places:
            file, line = self._places[job]
            self._notes.say("format.duplicate", f"job {job} is written twice, also in {file} line {line}", item, job)
            return None
        self._last = job
        self._places[job] = (self._notes.file, item.line)
        return job

    def _tasks(self, job: int, node: Node | None) -> tuple[tuple[Scalar, _Fields], ...]:
        tasks: list[tuple[Scalar, _Fields]] = []
        for key, value in self._notes.pairs("tasks", "1: {state: r}", node) if node is not None else ():
            body = resolve(value)
            if isinstance(body, Mapping):
                tasks.append((key, self._notes.fields(body, _TASK_KEYS, "a task")))
            else:
                message = f"task {key.text} is written as {{state: ..., granted: ...}}"
                self._notes.say("format.yaml.type", message, value, job, "tasks")
        return tuple(tasks)

    # -- when the times are known

    def _finished(self, draft: _Draft, submitted: int, clock: JobTimes) -> Job:
        notes, fields = self._notes, draft.fields
        qsub = notes.word(fields.get("qsub"))
        # Only a date without a year needs to know when the job was submitted.
        dated = "-a" in qsub or "-dl" in qsub
        parsed = parse_qsub(qsub, now=submitted if dated else 0)
        for message in parsed.problems:
            notes.say("format.qsub", message, fields.get("qsub", draft.node), draft.job, "qsub")
        job = Job(
            id=draft.job,
            owner=draft.owner,
            submitted=submitted,
            request=parsed.request,
            name=notes.word(fields.get("name")) or parsed.name,
            group=notes.word(fields.get("group")) or DEFAULT_GROUP,
            runtime=self._runtime(draft, parsed.runtime),
            qsub=qsub,
            changed=self._changed(draft.fields, draft.job, submitted, clock),
            project=notes.word(fields.get("project")) or None,
            department=notes.word(fields.get("department")) or None,
            reservation_rejected=self._is_rejected(draft),
            category_ar=self._category_ar(draft),
            origin=Origin(draft.file, draft.node.line),
        )
        return replace(job, tasks=self._finished_tasks(draft, job, clock)) if draft.tasks else job

    def _changed(self, fields: _Fields, job: int, submitted: int, clock: JobTimes) -> float | None:
        node = fields.get("changed")
        text = self._notes.word(node)
        return clock.read_start(self._notes, text, node, job, submitted) if text else None

    def _is_rejected(self, draft: _Draft) -> bool:
        text = self._notes.word(draft.fields.get("reservation"))
        if text not in ("", _REJECTED):
            message = f'"{text}" is nothing that a reservation is, write {_REJECTED} where none is tried any more'
            self._notes.say("format.job", message, draft.fields["reservation"], draft.job, "reservation")
        return text == _REJECTED

    def _category_ar(self, draft: _Draft) -> str | None:
        text = self._notes.word(draft.fields.get(CATEGORY_AR))
        if text and small_number(text, 7) is None:
            message = f'"{text}" is no advance reservation, write its number, or {NO_RESERVATION} for none'
            self._notes.say("format.job", message, draft.fields[CATEGORY_AR], draft.job, CATEGORY_AR)
        return text or None

    def _runtime(self, draft: _Draft, otherwise: int) -> int:
        text = self._notes.word(draft.fields.get("runtime"))
        seconds = small_number(text, 11) if text else otherwise
        if seconds is None:
            message = f'"{text}" is no run time, write whole seconds'
            self._notes.say("format.job", message, draft.fields["runtime"], draft.job, "runtime")
        return otherwise if seconds is None else seconds

    def _finished_tasks(self, draft: _Draft, job: Job, clock: JobTimes) -> MappingType[int, Task]:
        tasks: dict[int, Task] = {}
        for key, fields in draft.tasks:
            task = self._task(job, key, fields, clock)
            for number in self._task_numbers(job, key):
                if number in tasks:
                    self._notes.say("format.duplicate", f"task {number} of job {job.id} is written twice", key, job.id)
                elif task is not None:
                    tasks[number] = task
        return MappingProxyType(dict(sorted(tasks.items())))

    def _task_numbers(self, job: Job, key: Scalar) -> list[int]:
        try:
            ranges = parse_ranges(key.text)
        except ValueError:
            message = f'"{key.text}" is no range of tasks, write 1, 2-5 or 1-9:2'
            self._notes.say("format.job", message, key, job.id, "tasks")
            return []
        known = job.task_ids
        listed = sum((last - first) // step + 1 for first, last, step in ranges)
        inside = all(known[0] <= first and last <= known[-1] for first, last, _ in ranges)
        if not inside or listed > MOST_TASKS_LISTED:
            message = f"job {job.id} has no tasks {key.text}, only {known[0]}-{known[-1]}"
            self._notes.say("format.job", message, key, job.id, "tasks")
            return []
        return [number for first, last, step in ranges for number in range(first, last + 1, step) if number in known]

    def _task(self, job: Job, key: Scalar, fields: _Fields, clock: JobTimes) -> Task | None:
        state = self._notes.word(fields.get("state"))
        if not _is_state(state):
            message = f'"{state}" is no state of a task, write letters of qstat such as qw, hqw, r, t, s, Eqw'
            self._notes.say("format.job", message, fields.get("state", key), job.id, "tasks")
            return None
        granted = read_granted(self._notes, fields.get("granted"), "format.job", job.id)
        if granted is None:
            return None
        placed = bool(_PLACED & set(state)) and "q" not in state
        if placed and not granted:
            message = f"a task in state {state} has a place: granted: {{all.q@sim1: 1}}"
            self._notes.say("format.job", message, key, job.id, "tasks")
            return None
        started = None
        if placed or "started" in fields:
            text = self._notes.word(fields.get("started")) or None
            started = clock.read_start(self._notes, text, fields.get("started"), job.id, job.submitted)
        used, tickets = self._amounts(fields, "used", "cpu: 60"), self._amounts(fields, "tickets", "tckts: 250")
        environment = self._notes.word(fields.get("pe")) or None
        hosts = split_names(self._notes.word(fields.get("unclean")), BLANK_OR_COMMA)
        unclean = tuple(canonical(name) for name in hosts)
        hold = self._hold(job, fields)
        changed = self._changed(fields, job.id, job.submitted, clock)
        return Task(
            state=state,
            granted=MappingProxyType(granted),
            started=started,
            used=used,
            environment=environment,
            hold=hold,
            unclean=unclean,
            tickets=tickets,
            changed=changed,
            wallclock_limit=self._limit(job, fields),
            seen_suspended=self._seen(job, fields),
        )

    def _seen(self, job: Job, fields: _Fields) -> bool:
        text = self._notes.word(fields.get(SEEN))
        if text not in ("", SUSPENDED):
            message = f'"{text}" is not what the scheduler can take a task for: write {SUSPENDED}, or leave it out'
            self._notes.say("format.job", message, fields[SEEN], job.id, "tasks")
        return text == SUSPENDED

    def _limit(self, job: Job, fields: _Fields) -> float | None:
        text = self._notes.word(fields.get(WALLCLOCK_LIMIT))
        seconds = INFINITY if text.upper() == UNLIMITED else small_number(text, 10)
        if text and seconds is None:
            message = f'"{text}" is no limit of the run time, write whole seconds or {UNLIMITED}'
            self._notes.say("format.job", message, fields[WALLCLOCK_LIMIT], job.id, "tasks")
        return seconds

    def _amounts(self, fields: _Fields, name: str, example: str) -> Amounts | None:
        if name not in fields:
            return None
        return read_amounts(self._notes, self._notes.pairs(name, example, fields[name]))

    def _hold(self, job: Job, fields: _Fields) -> str:
        letters = self._notes.word(fields.get("hold"))
        if set(letters) - set(_HOLD_LETTERS):
            message = f'"{letters}" is no hold, write letters of {_HOLD_LETTERS}'
            self._notes.say("format.job", message, fields["hold"], job.id, "tasks")
        return "".join(letter for letter in _HOLD_LETTERS if letter in letters)


def _is_state(text: str) -> bool:
    """Tell whether these are letters that a task can have together."""
    letters = set(text)
    is_once_each = len(letters) == len(text) > 0
    return text == _FINISHED or (is_once_each and letters <= _TASK_LETTERS - {_FINISHED})
