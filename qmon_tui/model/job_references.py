"""Find the jobs that refer to an object: in a request, as owner, or by the queue instance in which they run."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from qmon_tui.model.cluster import Cluster
from qmon_tui.model.complex_entries import complex_index
from qmon_tui.model.jobs import SEQUENTIAL, Job, Request
from qmon_tui.model.kinds import Kind
from qmon_tui.model.references import looked_up
from qmon_tui.model.state import State
from qmon_tui.values import canonical, comparable, is_expression, matches

Named = tuple[str, str]
"""An option and a word in it, such as (-q, all.q)."""

_HOST_ATTRIBUTES = ("hostname", "h")
_QUEUE_ATTRIBUTES = ("qname", "q")


@dataclass(frozen=True, slots=True)
class JobReference:
    """One job that refers to an object."""

    job: Job
    where: str
    """The option with its word, `owner`, or `runs in all.q@node01`."""


def jobs_naming(cluster: Cluster, state: State, kind: Kind, name: str) -> tuple[JobReference, ...]:
    """Return the jobs that refer to an object, by name or matching wildcard, in the order of the state."""
    read = _NAMES.get(kind)
    if read is None:
        return ()
    words = {looked_up(kind, name)}
    entry = complex_index(cluster).entries.get(name) if kind is Kind.COMPLEX else None
    if entry is not None:
        words.add(entry.shortcut)
    references: list[JobReference] = []
    for job in state.jobs:
        where = next((where for where, word in read(job) if _fits(word, words, name)), None)
        if where is not None:
            references.append(JobReference(job, where))
    return tuple(references)


def _fits(word: str, words: set[str], name: str) -> bool:
    return word in words or (is_expression(word) and matches("STRING", word, name))


def queue_names(request: Request) -> Iterator[Named]:
    """Yield (option, text) for all queues, queue domains and instances that a job requests, as typed."""
    for option, names in (
        ("-q", request.hard_queues), ("-soft -q", request.soft_queues), ("-masterq", request.master_queues),
    ):  # fmt: skip
        yield from ((option, name) for name in names)


def _requests(job: Job) -> Iterator[tuple[str, str, str | None]]:
    """Yield (option, attribute, value) of each request."""
    for option, requests in (("-l", job.request.hard), ("-soft -l", job.request.soft)):
        for name, value in requests:
            yield (f"{option} {name}" if value is None else f"{option} {name}={value}"), name, value


def _values(job: Job, attributes: tuple[str, ...]) -> Iterator[Named]:
    return ((where, value) for where, name, value in _requests(job) if name in attributes and value)


def _instances(job: Job) -> Iterable[str]:
    return dict.fromkeys(instance for task in job.tasks.values() for instance in task.granted)


def _queues(job: Job) -> Iterator[Named]:
    yield from ((f"{option} {name}", name.partition("@")[0]) for option, name in queue_names(job.request))
    yield from _values(job, _QUEUE_ATTRIBUTES)
    yield from ((f"runs in {instance}", instance.partition("@")[0]) for instance in _instances(job))


def _hosts(job: Job) -> Iterator[Named]:
    for option, name in queue_names(job.request):
        _, at, host = name.partition("@")
        if at and not host.startswith("@"):
            yield f"{option} {name}", canonical(host)
    yield from ((where, canonical(host)) for where, host in _values(job, _HOST_ATTRIBUTES))
    yield from ((f"runs in {instance}", canonical(instance.partition("@")[2])) for instance in _instances(job))


def _groups(job: Job) -> Iterator[Named]:
    for option, name in queue_names(job.request):
        host = name.partition("@")[2]
        if host.startswith("@"):
            yield f"{option} {name}", comparable(host)


def _environments(job: Job) -> Iterator[Named]:
    if job.request.pe is not None:
        yield f"-pe {job.request.pe.name}", job.request.pe.name
    names = (task.environment for task in job.tasks.values() if task.environment not in (None, SEQUENTIAL))
    yield from ((f"runs with {name}", name) for name in names if name)


def _option(option: str, read: Callable[[Job], str | None]) -> Callable[[Job], Iterator[Named]]:
    def named(job: Job) -> Iterator[Named]:
        word = read(job)
        if word:
            yield (f"{option} {word}" if option.startswith("-") else option), word

    return named


_NAMES: Mapping[Kind, Callable[[Job], Iterator[Named]]] = {
    Kind.COMPLEX: lambda job: ((where, name) for where, name, _ in _requests(job)),
    Kind.QUEUE: _queues,
    Kind.HOST: _hosts,
    Kind.HOSTGROUP: _groups,
    Kind.PE: _environments,
    Kind.CKPT: _option("-ckpt", lambda job: job.request.checkpoint),
    Kind.PROJECT: _option("-P", lambda job: job.request.project),
    Kind.USER: _option("owner", lambda job: job.owner),
}


def names_of_job(job: Job) -> Iterator[tuple[tuple[Kind, str], str]]:
    """Yield ((kind, name), option) for every object that a job names; patterns are left out."""
    for kind, read in _NAMES.items():
        for where, word in read(job):
            if not is_expression(word):
                yield (kind, word), where
