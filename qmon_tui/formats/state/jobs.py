"""Read the lists of jobs, with their tasks, and of advance reservations (qrsub(1)) from a YAML file.

reservations:
- id: 1
  owner: anna
  start: 2026-11-21T09:00:00
  end: 2026-11-21T10:00:00
  granted: {all.q@sim1: 2}
  state: r
  requests: lic=1
  users: anna bert @staff
  pe: mpi
  submitted: 2026-11-21T08:59:00
  strict: true

The catalogue of state and docs/cluster-folder.md describe each field.
"""

from collections.abc import Mapping as MappingType
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final

from qmon_tui.formats.qsub import parse_qsub
from qmon_tui.formats.state.field_values import read_values
from qmon_tui.formats.state.node_reader import MOST_TASKS_LISTED, ItemReading, JobTimes, NodeReader
from qmon_tui.formats.yaml import Mapping, Node, Scalar, Sequence, resolve
from qmon_tui.model import HIGHEST_NUMBER, AdvanceReservation, Job, Origin, Task
from qmon_tui.model.catalogue.state import JOB, RESERVATION, STATE, TASK, TASKS
from qmon_tui.values import format_ranges, parse_ranges, whole_number

_PLACED: Final = frozenset("rtsSTd")
"""State letters of a task that occupies queue instances, unless it is pending (q)."""
_RULE: Final = "format.reservation"
_NEEDED: Final = tuple(field.name for field in RESERVATION.fields if field.needed)

_Fields = MappingType[str, Node]


@dataclass(frozen=True, slots=True)
class _Draft:
    """A job whose times are still unread: they may be offsets from the first job's submission."""

    job: int
    owner: str
    submitted: str | None
    file: str
    node: Node
    fields: _Fields
    tasks: tuple[tuple[Scalar, _Fields], ...]


class JobReader:
    """Collects the jobs of all files; `finish` parses their times when all files are read."""

    def __init__(self, notes: NodeReader) -> None:
        self._notes = notes
        self._drafts: list[_Draft] = []
        self._places: dict[int, tuple[str, int]] = {}
        self._last = 0

    def take(self, node: Node) -> None:
        body = resolve(node)
        if isinstance(body, Sequence):
            for item in body.items:
                self._job(item)
        elif not (isinstance(body, Scalar) and body.text in ("", "NONE")):
            self._notes.say("format.yaml.type", "jobs is a list, each job begins with a dash", node)

    def submission_texts(self) -> list[str | None]:
        """Return the submission time of each job as written; None for a job without one."""
        return [draft.submitted for draft in self._drafts]

    def finish(self, clock: JobTimes) -> tuple[Job, ...]:
        """Return all jobs; a job without a time has the submission time of the job before it."""
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
        fields = self._notes.fields(body, JOB.names, "a job")
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
        """Return the number of a job, by default the next one; None if it is wrong or taken, which is reported."""
        text = self._notes.word(node)
        job = self._last + 1 if node is None else whole_number(text, 1, HIGHEST_NUMBER)
        if job is None or job > HIGHEST_NUMBER:
            self._notes.say("format.job", JOB.by_name["id"].wrong.format(text=text), node or item)
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
                tasks.append((key, self._notes.fields(body, TASK.names, "a task")))
            else:
                message = f"task {key.text} is written as {{state: ..., granted: ...}}"
                self._notes.say("format.yaml.type", message, value, job, "tasks")
        return tuple(tasks)

    # -- when the times are known

    def _finished(self, draft: _Draft, submitted: int, clock: JobTimes) -> Job:
        notes, fields = self._notes, draft.fields
        qsub = notes.word(fields.get("qsub"))
        # Only dates (-a, -dl), which may lack the year, depend on the submission time.
        dated = "-a" in qsub or "-dl" in qsub
        parsed = parse_qsub(qsub, now=submitted if dated else 0)
        for message in parsed.problems:
            notes.say("format.qsub", message, fields.get("qsub", draft.node), draft.job, "qsub")
        reading = ItemReading(notes, clock, "format.job", submitted, draft.job)
        from_qsub = {"name": parsed.name, "runtime": parsed.runtime, **(read_values(reading, JOB, draft.fields) or {})}
        job = Job(
            id=draft.job,
            submitted=submitted,
            request=parsed.request,
            qsub=qsub,
            origin=Origin(draft.file, draft.node.line),
            **from_qsub,
        )
        if job.runtimes and not {*job.runtimes} <= {*job.task_ids}:
            other = format_ranges({*job.runtimes} - {*job.task_ids})
            notes.say("format.job", f"job {job.id} has no tasks {other}", fields["runtimes"], job.id, "runtimes")
        return replace(job, tasks=self._finished_tasks(draft, job, clock)) if draft.tasks else job

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
            message = f'"{key.text}" is not a range of tasks, write 1, 2-5 or 1-9:2'
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
        reading = ItemReading(self._notes, clock, "format.job", job.submitted, job.id, TASKS)
        if STATE not in fields:
            reading.say(TASK.by_name[STATE], "", key)
            return None
        values = read_values(reading, TASK, fields)
        if values is None:
            return None
        task = Task(**values)
        placed = bool(_PLACED & set(task.state)) and "q" not in task.state
        if placed and not task.granted:
            message = f"a task in state {task.state} has a place: granted: {{all.q@sim1: 1}}"
            self._notes.say("format.job", message, key, job.id, TASKS)
            return None
        if task.started is None and (placed or "started" in fields):
            return replace(task, started=job.submitted)
        return task


class ReservationReader:
    """Collects the advance reservations of all files; `finish` parses their times when all files are read."""

    def __init__(self, notes: NodeReader) -> None:
        self._notes = notes
        self._drafts: dict[int, tuple[str, _Fields]] = {}
        """Number -> file and fields; the times in them may be offsets from the first job's."""

    def take(self, node: Node) -> None:
        body = resolve(node)
        if isinstance(body, Sequence):
            for item in body.items:
                self._take_reservation(item)
        elif not (isinstance(body, Scalar) and body.text in ("", "NONE")):
            self._notes.say("format.yaml.type", "reservations is a list, each one begins with a dash", node)

    def finish(self, clock: JobTimes, now: int | None = None) -> tuple[AdvanceReservation, ...]:
        """Return all, by number; one without a state is r if it has begun by `now`, else (also without `now`) w."""
        reservations = (self._finished(number, clock, now) for number in sorted(self._drafts))
        return tuple(reservation for reservation in reservations if reservation is not None)

    def _take_reservation(self, item: Node) -> None:
        notes, body = self._notes, resolve(item)
        if not isinstance(body, Mapping):
            notes.say("format.yaml.type", "a reservation is written as id: ..., owner: ..., granted: ...", item)
            return
        fields = notes.fields(body, RESERVATION.names, "an advance reservation", _RULE)
        missing = [key for key in _NEEDED if not (key in fields if key == "granted" else notes.word(fields.get(key)))]
        if missing:
            notes.say(_RULE, f"an advance reservation needs {', '.join(missing)}", item)
            return
        number = whole_number(notes.word(fields["id"]), 1, HIGHEST_NUMBER)
        if number is None:
            notes.say(_RULE, f'"{notes.word(fields["id"])}" is not the number of a reservation', fields["id"])
            return
        if number in self._drafts:
            notes.say("format.duplicate", f"advance reservation {number} is written twice", item)
            return
        self._drafts[number] = (notes.file, fields)

    def _finished(self, number: int, clock: JobTimes, now: int | None) -> AdvanceReservation | None:
        notes = self._notes
        notes.file, fields = self._drafts[number]
        values = read_values(ItemReading(notes, clock, _RULE, clock.base), RESERVATION, fields)
        if values is None:
            return None
        started = now is not None and values["start"] <= now
        reservation = AdvanceReservation(id=number, **{STATE: "r" if started else "w", **values})
        if reservation.end <= reservation.start:
            notes.say(_RULE, f"advance reservation {number} ends before it has begun", fields["end"])
            return None
        return reservation
