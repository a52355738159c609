"""The keys of a YAML file that are no configuration: now, jobs, loads, states (and simulation)."""

from collections.abc import Callable, Iterable
from collections.abc import Mapping as MappingType
from dataclasses import dataclass, field
from difflib import get_close_matches
from types import MappingProxyType
from typing import Final

from qmon_tui.formats import nodeset
from qmon_tui.formats.problems import problem
from qmon_tui.formats.qsub import parse_qsub
from qmon_tui.formats.yaml.nodes import Mapping, Node, Scalar, Sequence, resolve
from qmon_tui.model.cluster import Origin
from qmon_tui.model.findings import Finding
from qmon_tui.model.state import Job, State, Task
from qmon_tui.values.hosts import canonical
from qmon_tui.values.ranges import parse_ranges
from qmon_tui.values.times import parse_offset, parse_time

DEFAULT_START: Final = "2026-01-01T08:00:00"
"""When the first job was submitted if nothing in the folder says a time, local time."""

HIGHEST_JOB: Final = 9_999_999
MOST_TASKS_LISTED: Final = 1_000_000

_JOB_KEYS: Final = ("id", "owner", "group", "submitted", "qsub", "runtime", "tasks", "name")
_TASK_KEYS: Final = ("state", "granted", "started")
_TASK_LETTERS: Final = frozenset("dEhqrRsStTwxz")
_QUEUE_LETTERS: Final = frozenset("aACDduESsco")
_PLACED: Final = frozenset("rtsSTd")

StateItem = tuple[str, Scalar, Node]


@dataclass(frozen=True, slots=True)
class StateParts:
    """The moving part of a cluster as it was read, with what is wrong with it."""

    state: State
    findings: tuple[Finding, ...]
    simulation: MappingType[str, str] = field(default_factory=lambda: MappingProxyType({}))


def read_state(items: Iterable[tuple[str, StateItem]]) -> StateParts:
    """The state from the keys of all files, each given with its file; keys may be spread over files."""
    reader = _StateReader()
    for file, (key, node, value) in items:
        reader.take(file, key, node, value)
    return reader.result()


@dataclass(slots=True)
class _Draft:
    """A job whose times are not known yet, because they may be offsets from the first one's."""

    job: int
    owner: str
    group: str
    submitted: str | None
    qsub: str
    runtime: str | None
    name: str | None
    tasks: list[tuple[str, Node, MappingType[str, Node]]]
    file: str
    node: Node
    nodes: MappingType[str, Node]


class _StateReader:
    def __init__(self) -> None:
        self._now: tuple[str, str, Node] | None = None
        self._drafts: list[_Draft] = []
        self._loads: dict[str, dict[str, str]] = {}
        self._states: dict[str, str] = {}
        self._simulation: dict[str, str] = {}
        self._findings: list[Finding] = []
        self._last_id = 0
        self._ids: dict[int, tuple[str, int]] = {}
        self._file = ""

    def take(self, file: str, key: str, node: Scalar, value: Node) -> None:
        """Read one top-level key."""
        self._file = file
        readers: dict[str, Callable[[Scalar, Node], None]] = {
            "now": self._take_now,
            "jobs": self._take_jobs,
            "loads": self._take_loads,
            "states": self._take_states,
            "simulation": self._take_simulation,
        }
        readers[key](node, value)

    # -- now, loads, states, simulation

    def _take_now(self, key: Scalar, node: Node) -> None:
        value = resolve(node)
        if not isinstance(value, Scalar) or not value.text:
            self._say("format.yaml.type", "now is a time such as 2026-11-21T09:00:00", node)
        elif self._now is not None:
            self._say("format.duplicate", f"now is written twice, also in {self._now[0]}", key)
        else:
            self._now = (self._file, value.text, node)

    def _take_loads(self, key: Scalar, node: Node) -> None:
        for name, value in self._pairs("loads", "sim1: {np_load_avg: 0.3}", node):
            try:
                hosts = nodeset.expand(name.text)
            except ValueError as error:
                self._say("format.nodeset", str(error), name)
                continue
            values = {k.text: v.text for k, v in self._scalars(f"the load values of {name.text}", value)}
            for host in map(canonical, hosts):
                if host in self._loads:
                    self._say("format.duplicate", f"the load values of {host} are written twice", name)
                else:
                    self._loads[host] = values

    def _take_states(self, key: Scalar, node: Node) -> None:
        for name, value in self._scalars("states", node):
            queue, _, host = name.text.partition("@")
            unknown = set(value.text) - _QUEUE_LETTERS
            if not queue or not host:
                self._say("format.load", f'"{name.text}" is no queue instance, write all.q@sim1', name)
                continue
            if unknown:
                letters = " ".join(sorted(unknown))
                self._say(
                    "format.load", f"a queue instance has no state {letters}, write letters of aACDduESsco", value
                )
                continue
            try:
                hosts = nodeset.expand(host)
            except ValueError as error:
                self._say("format.nodeset", str(error), name)
                continue
            for one in map(canonical, hosts):
                self._states[f"{queue}@{one}"] = value.text

    def _take_simulation(self, key: Scalar, node: Node) -> None:
        for name, value in self._pairs("simulation", "start_delay: 5", node):
            body = resolve(value)
            if isinstance(body, Scalar):
                self._simulation[name.text] = body.text

    # -- jobs

    def _take_jobs(self, key: Scalar, node: Node) -> None:
        body = resolve(node)
        if isinstance(body, Scalar) and body.text in ("", "NONE"):
            return
        if not isinstance(body, Sequence):
            self._say("format.yaml.type", "jobs is a list, each job begins with a dash", node)
            return
        for item in body.items:
            self._job(item)

    def _job(self, item: Node) -> None:
        body = resolve(item)
        if not isinstance(body, Mapping):
            self._say("format.yaml.type", "a job is owner: ..., qsub: ...", item)
            return
        nodes = self._fields(body, _JOB_KEYS, "a job")
        identifier = self._identifier(nodes.get("id"), item)
        if identifier is None:
            return
        if not self._word(nodes.get("owner")):
            self._say("format.job", f"job {identifier} has no owner", item, identifier, "owner")
            return
        self._drafts.append(
            _Draft(
                identifier,
                self._word(nodes.get("owner")),
                self._word(nodes.get("group")) or "staff",
                self._word(nodes.get("submitted")) or None,
                self._word(nodes.get("qsub")),
                self._word(nodes.get("runtime")) or None,
                self._word(nodes.get("name")) or None,
                self._tasks(identifier, nodes.get("tasks")),
                self._file,
                item,
                nodes,
            )
        )

    def _identifier(self, node: Node | None, item: Node) -> int | None:
        text = self._word(node)
        identifier = int(text) if text.isascii() and text.isdigit() and len(text) < 10 else -1
        if not text and node is None:
            identifier = self._last_id + 1
        if not 1 <= identifier <= HIGHEST_JOB:
            self._say("format.job", f'"{text}" is no job number, write 1 to {HIGHEST_JOB}', node or item)
            return None
        if identifier in self._ids:
            file, line = self._ids[identifier]
            self._say("format.duplicate", f"job {identifier} is written twice, also in {file} line {line}", item)
            return None
        self._last_id = identifier
        self._ids[identifier] = (self._file, item.line)
        return identifier

    def _tasks(self, job: int, node: Node | None) -> list[tuple[str, Node, MappingType[str, Node]]]:
        if node is None:
            return []
        found: list[tuple[str, Node, MappingType[str, Node]]] = []
        for key, value in self._pairs("tasks", "1: {state: r}", node):
            body = resolve(value)
            if isinstance(body, Mapping):
                found.append((key.text, key, self._fields(body, _TASK_KEYS, "a task")))
            else:
                self._say("format.yaml.type", f"task {key.text} is {{state: ..., granted: ...}}", value, job, "tasks")
        return found

    # -- the end: times, then jobs

    def result(self) -> StateParts:
        """The state; times that were left out are derived here."""
        base = self._base()
        jobs = []
        before = base
        for draft in self._drafts:
            self._file = draft.file
            submitted = self._time(draft.submitted, base, draft.nodes.get("submitted"), draft.job, before)
            before = submitted
            jobs.append(self._finish(draft, submitted, base))
        times = [job.submitted for job in jobs]
        times += [task.started for job in jobs for task in job.tasks.values() if task.started is not None]
        now = max(times, default=base)
        if self._now is not None:
            self._file, text, node = self._now
            now = self._time(text, base, node, None, now)
        loads = MappingProxyType({host: MappingProxyType(values) for host, values in self._loads.items()})
        state = State(now, tuple(jobs), loads, MappingProxyType(self._states))
        return StateParts(state, tuple(self._findings), MappingProxyType(self._simulation))

    def _base(self) -> int:
        """The time from which offsets count: the first job's, else `now` less the greatest offset, else a fixed one."""
        first = next((draft.submitted for draft in self._drafts if draft.submitted), None)
        if first is not None and (time := _absolute(first)) is not None:
            return time
        now = _absolute(self._now[1]) if self._now else None
        offsets = [offset for draft in self._drafts if (offset := _offset(draft.submitted or "")) is not None]
        return parse_time(DEFAULT_START) if now is None else now - max(offsets, default=0)

    def _time(self, text: str | None, base: int, node: Node | None, job: int | None, otherwise: int) -> int:
        if text is None:
            return otherwise
        offset = _offset(text)
        time = base + offset if offset is not None else _absolute(text)
        if time is None:
            message = f'"{text}" is no time, write 2026-11-21T09:00:00 or an offset such as +90s'
            self._say("format.time", message, node, job)
            return otherwise
        return time

    def _finish(self, draft: _Draft, submitted: int, base: int) -> Job:
        parsed = parse_qsub(draft.qsub, now=submitted if _has_date(draft.qsub) else 0)
        for message in parsed.problems:
            self._say("format.qsub", message, draft.nodes.get("qsub", draft.node), draft.job, "qsub")
        runtime = parsed.runtime
        if draft.runtime is not None:
            if draft.runtime.isascii() and draft.runtime.isdigit() and len(draft.runtime) < 12:
                runtime = int(draft.runtime)
            else:
                message = f'"{draft.runtime}" is no run time, write seconds'
                self._say("format.job", message, draft.nodes["runtime"], draft.job, "runtime")
        job = Job(
            id=draft.job,
            owner=draft.owner,
            submitted=submitted,
            request=parsed.request,
            name=draft.name or parsed.name,
            group=draft.group,
            runtime=runtime,
            qsub=draft.qsub,
            origin=Origin(draft.file, draft.node.line),
        )
        if not draft.tasks:
            return job
        tasks: dict[int, Task] = {}
        for text, node, fields in draft.tasks:
            task = self._task(draft.job, fields, node, submitted, base)
            for number in self._task_numbers(job, text, node):
                if number in tasks:
                    self._say("format.duplicate", f"task {number} of job {job.id} is written twice", node, job.id)
                elif task is not None:
                    tasks[number] = task
        return Job(
            job.id,
            job.owner,
            job.submitted,
            job.request,
            job.name,
            job.group,
            MappingProxyType(dict(sorted(tasks.items()))),
            job.runtime,
            job.qsub,
            job.origin,
        )

    def _task_numbers(self, job: Job, text: str, node: Node) -> list[int]:
        try:
            ranges = parse_ranges(text)
        except ValueError as error:
            self._say("format.job", str(error), node, job.id, "tasks")
            return []
        known = job.task_ids
        numbers: list[int] = []
        for first, last, step in ranges:
            wanted = range(max(first, 0), min(last, known.stop) + 1, step)
            if last > known[-1] or first < known[0] or len(wanted) > MOST_TASKS_LISTED:
                self._say("format.job", f"job {job.id} has no tasks {text}, only {known[0]}-{known[-1]}", node, job.id)
                return []
            numbers += [number for number in wanted if number in known]
        return numbers

    def _task(self, job: int, fields: MappingType[str, Node], node: Node, submitted: int, base: int) -> Task | None:
        state = self._word(fields.get("state"))
        if not state or set(state) - _TASK_LETTERS:
            message = f'"{state}" is no state of a task, write letters of qstat such as qw, hqw, r, t, s, Eqw'
            self._say("format.job", message, fields.get("state", node), job, "tasks")
            return None
        granted = self._granted(job, fields.get("granted"))
        placed = bool(_PLACED & set(state)) and "q" not in state
        if placed and not granted:
            self._say(
                "format.job", f"a task in state {state} has a place: granted: {{all.q@sim1: 1}}", node, job, "tasks"
            )
            return None
        started = None
        if "started" in fields or placed:
            text = self._word(fields.get("started")) or None
            started = self._time(text, base, fields.get("started"), job, submitted)
        return Task(state, MappingProxyType(granted), started)

    def _granted(self, job: int, node: Node | None) -> dict[str, int]:
        body = resolve(node) if node else None
        if body is None:
            return {}
        if isinstance(body, Scalar) and "@" in body.text:
            return {_instance(body.text): 1}
        granted: dict[str, int] = {}
        for key, value in self._scalars("granted", body):
            if "@" in key.text and value.text.isascii() and value.text.isdigit() and len(value.text) < 8:
                granted[_instance(key.text)] = int(value.text)
            else:
                self._say("format.job", "granted is a queue instance and its slots: all.q@sim1: 1", key, job, "tasks")
        return granted

    # -- small helpers

    def _pairs(self, what: str, example: str, node: Node) -> list[tuple[Scalar, Node]]:
        body = resolve(node)
        if isinstance(body, Scalar) and body.text in ("", "NONE"):
            return []
        if not isinstance(body, Mapping):
            self._say("format.yaml.type", f"{what} holds names and values, such as {example}", node)
            return []
        found = []
        for key, value in body.pairs:
            name = resolve(key)
            if isinstance(name, Scalar) and name.text:
                found.append((name, value))
            else:
                self._say("format.yaml.type", f"a name in {what} is one word", key)
        return found

    def _scalars(self, what: str, node: Node) -> list[tuple[Scalar, Scalar]]:
        found = []
        for key, value in self._pairs(what, "name: value", node):
            body = resolve(value)
            if isinstance(body, Scalar):
                found.append((key, body))
            else:
                self._say("format.yaml.type", f"{key.text} in {what} is one value", value)
        return found

    def _fields(self, body: Mapping, known: tuple[str, ...], what: str) -> dict[str, Node]:
        found: dict[str, Node] = {}
        for key, value in body.pairs:
            name = resolve(key)
            if not isinstance(name, Scalar) or name.text not in known:
                text = name.text if isinstance(name, Scalar) else "?"
                nearest = get_close_matches(text, known, 1)
                hint = f", did you mean {nearest[0]}?" if nearest else f"; known are {', '.join(known)}"
                self._say("format.job", f'{what} has no "{text}"{hint}', key)
            elif name.text in found:
                self._say("format.duplicate", f"{name.text} is written twice", key)
            else:
                found[name.text] = value
        return found

    def _word(self, node: Node | None) -> str:
        body = resolve(node) if node is not None else None
        if isinstance(body, Scalar):
            return body.text.strip()
        if body is not None and node is not None:
            self._say("format.yaml.type", "this is one value, not a list or mapping", node)
        return ""

    def _say(
        self, rule: str, message: str, node: Node | None, job: int | None = None, field_name: str | None = None
    ) -> None:
        line, column = (node.line, node.column) if node else (1, 1)
        name = str(job) if job is not None else ""
        self._findings.append(
            problem(rule, message, file=self._file, line=line, column=column, kind="job", name=name, field=field_name)
        )


def _instance(text: str) -> str:
    queue, _, host = text.partition("@")
    return f"{queue}@{canonical(host)}"


def _has_date(qsub: str) -> bool:
    return "-a" in qsub or "-dl" in qsub


def _offset(text: str) -> int | None:
    try:
        return parse_offset(text) if text.startswith("+") else None
    except ValueError:
        return None


def _absolute(text: str) -> int | None:
    try:
        return parse_time(text)
    except ValueError:
        return None
