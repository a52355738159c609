"""Renaming an object in the jobs and in what else is the state of a cluster: requests, places, loads, queue states."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TypeVar

from qmon_tui.formats import altered, qsub_line
from qmon_tui.model import DATED, Cluster, Job, JobReference, Kind, Request, State, jobs_naming
from qmon_tui.values import canonical, comparable, is_expression
from qmon_tui.workspace.document import Document
from qmon_tui.workspace.edits import Edit, object_words

T = TypeVar("T")
Rename = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class RenameInState(Edit):
    """Name an object anew wherever a job asks for it by its name or is in it; wildcards stay as they are."""

    kind: Kind
    name: str
    new: str

    @property
    def label(self) -> str:
        """What the edit does."""
        return f"rename {object_words(self.kind, self.name)} to {self.new} in jobs"

    def made(self, document: Document) -> Document:
        """The document in which no job names the old one."""
        state = renamed_in_state(document.cluster, document.state, self.kind, self.name, self.new)
        return document.with_state(state)


def jobs_to_update(cluster: Cluster, state: State, kind: Kind, name: str, new: str) -> tuple[JobReference, ...]:
    """The jobs that would be changed."""
    name = canonical(name) if kind is Kind.HOST else name
    uses = jobs_naming(cluster, state, kind, name)
    return tuple(use for use in uses if _job(use.job, kind, name, new) != use.job)


def renamed_in_state(cluster: Cluster, state: State, kind: Kind, name: str, new: str) -> State:
    """The state with an object renamed."""
    name = canonical(name) if kind is Kind.HOST else name
    changed = {use.job.id: _job(use.job, kind, name, new) for use in jobs_naming(cluster, state, kind, name)}
    if changed:
        state = replace(state, jobs=tuple(changed.get(job.id, job) for job in state.jobs))
    if kind is Kind.HOST:
        state = replace(state, loads=_keys(state.loads, lambda host: new if canonical(host) == name else host))
    if kind in (Kind.HOST, Kind.QUEUE):
        rename = _instance_of(kind, name, new)
        states, times = _keys(state.queue_states, rename), _keys(state.changed, rename)
        seen = frozenset(map(rename, state.seen_suspended))
        state = replace(state, queue_states=states, changed=times, seen_suspended=seen)
    if kind in DATED:
        old, fresh = DATED[kind].format(name), DATED[kind].format(new)
        state = replace(state, changed=_keys(state.changed, lambda key: fresh if key == old else key))
    return state


def _keys(mapping: Mapping[str, T], rename: Rename) -> Mapping[str, T]:
    spelled = {rename(key): value for key, value in mapping.items()}
    return mapping if list(spelled) == list(mapping) else MappingProxyType(spelled)


def _job(job: Job, kind: Kind, name: str, new: str) -> Job:
    request, qsub = _request(job.request, kind, name, new), job.qsub
    for part in _changed_options(job.request, request):
        qsub = altered(qsub, part)
    rename = _instance_of(kind, name, new) if kind in (Kind.HOST, Kind.QUEUE) else str
    environment: Rename = (lambda pe: new if pe == name else pe) if kind is Kind.PE else str
    tasks = {
        number: replace(
            task,
            granted=_keys(task.granted, rename),
            environment=environment(task.environment) if task.environment else task.environment,
        )
        for number, task in job.tasks.items()
    }
    owner = new if kind is Kind.USER and job.owner == name else job.owner
    return replace(job, request=request, qsub=qsub, owner=owner, tasks=MappingProxyType(tasks))


def _instance_of(kind: Kind, name: str, new: str) -> Rename:
    """Respells a queue, a queue domain or a queue instance."""

    def rename(text: str) -> str:
        queue, at, host = text.partition("@")
        if kind is Kind.QUEUE:
            return f"{new}{at}{host}" if queue == name else text
        same = at and comparable(host) == comparable(name)
        return f"{queue}@{new}" if same else text

    return rename


def _request(request: Request, kind: Kind, name: str, new: str) -> Request:
    def same(word: str | None) -> str | None:
        return new if word == name else word

    match kind:
        case Kind.COMPLEX:
            hard, soft = (
                tuple((new if asked == name else asked, value) for asked, value in requests)
                for requests in (request.hard, request.soft)
            )
            return replace(request, hard=hard, soft=soft)
        case Kind.QUEUE | Kind.HOST | Kind.HOSTGROUP:
            return _with_queues(request, kind, name, new)
        case Kind.PE if request.pe is not None and request.pe.name == name:
            return replace(request, pe=replace(request.pe, name=new))
        case Kind.CKPT:
            return replace(request, checkpoint=same(request.checkpoint))
        case Kind.PROJECT:
            return replace(request, project=same(request.project))
    return request


_NAMED_BY = {Kind.QUEUE: ("qname", "q"), Kind.HOST: ("hostname", "h"), Kind.HOSTGROUP: ()}


def _with_queues(request: Request, kind: Kind, name: str, new: str) -> Request:
    rename = _instance_of(kind, name, new)
    attributes = _NAMED_BY[kind]

    def value(asked: str, text: str | None) -> str | None:
        if asked not in attributes or text is None or is_expression(text):
            return text
        return new if (canonical(text) if kind is Kind.HOST else text) == name else text

    hard, soft = (
        tuple((asked, value(asked, text)) for asked, text in requests) for requests in (request.hard, request.soft)
    )
    return replace(
        request,
        hard=hard,
        soft=soft,
        hard_queues=tuple(map(rename, request.hard_queues)),
        soft_queues=tuple(map(rename, request.soft_queues)),
        master_queues=tuple(map(rename, request.master_queues)),
    )


def _changed_options(before: Request, after: Request) -> list[str]:
    """The options of qalter that make the one of the other."""
    fields = ("hard", "soft", "hard_queues", "soft_queues", "master_queues", "pe", "checkpoint", "project")
    return [
        qsub_line(replace(Request(), **{field: getattr(after, field)}))
        for field in fields
        if getattr(before, field) != getattr(after, field)
    ]
