"""Cross-references: from a name to the object it means, and from an object to the objects and jobs that name it."""

from collections.abc import Iterator
from dataclasses import dataclass

from qmon_tui.model import (
    Cluster,
    ConfigObject,
    Job,
    Kind,
    ObjectKey,
    State,
    complex_index,
    defined_name,
    jobs_naming,
    looked_up,
    names_of_job,
    references_of,
    references_to,
)
from qmon_tui.values import canonical
from qmon_tui.workspace.edits import object_words


@dataclass(frozen=True, slots=True)
class LinkTarget:
    """Somewhere to go: an object, a field of it, or a job."""

    words: str
    """The object or job as a list shows it."""
    note: str
    """Where it is named: a field, or an option and its word; empty if `words` say it."""
    kind: Kind | None = None
    name: str = ""
    field: str | None = None
    job: int | None = None


def definitions(cluster: Cluster, obj: ConfigObject, field: str | None) -> tuple[LinkTarget, ...]:
    """Return the existing objects that an object (or its `field`) refers to, deduplicated, in field order."""
    targets: dict[ObjectKey, LinkTarget] = {}
    for target, reference in references_of(obj):
        known = _known(cluster, target)
        if known is not None and field in (None, reference.field) and known not in targets:
            where = f"{reference.field} [{reference.key}]" if reference.key else reference.field
            targets[known] = _place(known, where)
    return tuple(targets.values())


def definitions_of_job(cluster: Cluster, job: Job) -> tuple[LinkTarget, ...]:
    """Return the existing objects that a job refers to: requests, owner, project and queues."""
    targets: dict[ObjectKey, LinkTarget] = {}
    for target, where in names_of_job(job):
        known = _known(cluster, target)
        if known is not None and known not in targets:
            targets[known] = _place(known, where)
    return tuple(targets.values())


def uses(cluster: Cluster, state: State, kind: Kind, name: str) -> tuple[LinkTarget, ...]:
    """Return the objects, in the order of kinds, and then the jobs that name an object."""
    return (*_objects_naming(cluster, kind, name), *_jobs_naming(cluster, state, kind, name))


def uses_of_job(state: State, job: Job) -> tuple[LinkTarget, ...]:
    """Return the jobs that wait for this job to end (-hold_jid, -hold_jid_ad)."""
    words = {str(job.id), job.name}
    return tuple(
        LinkTarget(_job_words(other), f"{option} {word}", job=other.id)
        for other in state.jobs
        for option, names in (("-hold_jid", other.request.hold_jid), ("-hold_jid_ad", other.request.hold_jid_ad))
        for word in names
        if word in words and other.id != job.id and (word.isdigit() or other.owner == job.owner)
    )


def _objects_naming(cluster: Cluster, kind: Kind, name: str) -> Iterator[LinkTarget]:
    for reference in references_to(cluster, kind, name):
        where = f"{reference.field} [{reference.key}]" if reference.key else reference.field
        words = f"{object_words(reference.kind, reference.name)}: {where}"
        note = reference.word if reference.word != looked_up(kind, name) else ""
        yield LinkTarget(words, note, reference.kind, reference.name, reference.field)


def _jobs_naming(cluster: Cluster, state: State, kind: Kind, name: str) -> Iterator[LinkTarget]:
    for use in jobs_naming(cluster, state, kind, name):
        yield LinkTarget(_job_words(use.job), use.where, job=use.job.id)


def _job_words(job: Job) -> str:
    return f"job {job.id} {job.name} of {job.owner}"


def _place(target: ObjectKey, note: str) -> LinkTarget:
    kind, name = target
    return LinkTarget(object_words(kind, name), note, kind, name)


def _known(cluster: Cluster, target: ObjectKey) -> ObjectKey | None:
    """Return the existing object of a name: attributes also by shortcut, hosts in any case; None if none exists."""
    kind, name = target
    if kind is Kind.COMPLEX:
        name = complex_index(cluster).names.get(name, name)
    elif kind is Kind.HOST and cluster.get(kind, name) is None:
        name = next((known for known in cluster.objects(kind) if canonical(known) == name), name)
    elif kind is Kind.HOSTGROUP:
        name = defined_name(cluster, name)
    return (kind, name) if cluster.get(kind, name) is not None else None
