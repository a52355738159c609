"""Renaming and deleting an object together with the references to it, in the state too, each as one undo step."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from types import MappingProxyType
from typing import TypeVar

from qmon_tui.formats import altered, qsub_line
from qmon_tui.model import (
    DATED,
    CannotRemoveName,
    Cluster,
    Job,
    JobReference,
    Kind,
    Reference,
    Replacements,
    Request,
    State,
    complex_index,
    dated_place,
    jobs_naming,
    overrides_of,
    references_to,
    target_of,
    with_replaced_names,
)
from qmon_tui.model.catalogue import spec
from qmon_tui.values import canonical, comparable, is_expression, is_none
from qmon_tui.workspace.difference import ObjectChange, changes
from qmon_tui.workspace.document import Document
from qmon_tui.workspace.edits import Batch, Edit, RemoveObject, RenameObject, SetFields, object_words

_ACCESS = {
    "user_lists": "everybody",
    "acl": "everybody",
    "projects": "jobs of every project and of none",
}
"""Access list -> the users that it admits when it is empty."""


@dataclass(frozen=True, slots=True)
class ReferenceUpdate:
    """Consequences of a rename or deletion for references to the object."""

    edit: Edit
    """The rename or deletion and the updates of references, as one undo step."""
    changes: tuple[ObjectChange, ...]
    """Changes of the objects that refer to it."""
    cluster: Cluster
    """The cluster after `changes` alone: the renamed or deleted object is as before."""
    left: tuple[tuple[Reference, str], ...] = ()
    """References that cannot be updated, and why not."""
    warnings: tuple[str, ...] = ()
    """Warnings for the user, as sentences."""


def rename_everywhere(cluster: Cluster, kind: Kind, name: str, new: str) -> ReferenceUpdate:
    """Rename an object everywhere; references to an attribute by its shortcut stay."""
    return rename_all_everywhere(cluster, kind, {name: new})


def rename_all_everywhere(cluster: Cluster, kind: Kind, names: Mapping[str, str]) -> ReferenceUpdate:
    """Rename objects everywhere; `names`: old name -> new name."""
    edits: list[Edit] = [RenameObject(kind, name, new) for name, new in names.items()]
    with_configuration = cluster.objects(Kind.CONFIGURATION) if kind is Kind.HOST else {}
    edits += [RenameObject(Kind.CONFIGURATION, name, new) for name, new in names.items() if name in with_configuration]
    followed, left = _followed(cluster, kind, names, {target_of(kind, name): new for name, new in names.items()})
    label = edits[0].label if len(names) == 1 else f"rename {len(names)} objects"
    return _following(cluster, label, [*followed, *edits], left)


def delete_everywhere(cluster: Cluster, kind: Kind, *names: str) -> ReferenceUpdate:
    """Delete objects and remove their names wherever the rest keeps its meaning; others are in `left`."""
    words = list(names)
    for name in names if kind is Kind.COMPLEX else ():
        entry = complex_index(cluster).entries.get(name)
        if entry is not None and complex_index(cluster).names.get(entry.shortcut) == name:
            words.append(entry.shortcut)
    followed, left = _followed(cluster, kind, names, {target_of(kind, word): None for word in words})
    removals = [RemoveObject(kind, name) for name in names]
    label = removals[0].label if len(removals) == 1 else f"delete {len(removals)} objects"
    return _following(cluster, label, [*followed, *removals], left)


def _following(
    cluster: Cluster, label: str, edits: list[Edit], left: tuple[tuple[Reference, str], ...]
) -> ReferenceUpdate:
    followed = [edit for edit in edits if isinstance(edit, SetFields)]
    places = sum(len(edit.values) for edit in followed)
    if places:
        label += f" and follow {places} reference{'s' * (places > 1)}"
    after = cluster
    for edit in followed:
        after = edit.apply(after)
    made = changes(cluster, after)
    return ReferenceUpdate(Batch(label, tuple(edits)), made, after, left, tuple(_warnings(made)))


def _followed(
    cluster: Cluster, kind: Kind, names: Iterable[str], replacements: Replacements
) -> tuple[list[Edit], tuple[tuple[Reference, str], ...]]:
    """Return the edit of each object that refers to one of `names`, and the references that cannot be updated."""
    fields: dict[tuple[Kind, str], dict[str, str | None]] = {}
    left: list[tuple[Reference, str]] = []
    seen: set[tuple[Kind, str, str]] = set()
    uses = [(name, reference) for name in names for reference in references_to(cluster, kind, name)]
    for name, reference in uses:
        place = (reference.kind, reference.name, reference.field)
        if _means_another(cluster, kind, name, reference):
            left.append((reference, "it may mean another object of that name"))
        elif place not in seen:
            seen.add(place)
            user = cluster.objects(reference.kind)[reference.name]
            try:
                declared = spec(user.kind).by_name[reference.field]
                text = with_replaced_names(user.kind, declared, user.text(reference.field), replacements)
            except CannotRemoveName as error:
                left.append((reference, str(error)))
                continue
            if text != user.text(reference.field):
                fields.setdefault((user.kind, user.name), {})[reference.field] = text
    edits: list[Edit] = []
    for (owner, called), texts in fields.items():
        in_order = {field: texts[field] for field in spec(owner).by_name if field in texts}
        edits.append(SetFields(owner, called, in_order))
    return edits, tuple(left)


def _means_another(cluster: Cluster, kind: Kind, name: str, reference: Reference) -> bool:
    """Return True if a share tree node may mean another object: it names a user or a project, and both exist."""
    other = {Kind.USER: Kind.PROJECT, Kind.PROJECT: Kind.USER}.get(kind)
    return reference.kind is Kind.SHARETREE and other is not None and cluster.get(other, name) is not None


def _warnings(made: tuple[ObjectChange, ...]) -> list[str]:
    """Return warnings about access lists that the edit empties: they admit everyone."""
    return [
        f"{object_words(change.kind, change.name)}: an empty {field} lets in {_ACCESS[field]}"
        for change in made
        for field, before, after in change.fields
        if field in _ACCESS and _empty_scopes(after or "") - _empty_scopes(before or "")
    ]


def _empty_scopes(text: str) -> set[str | None]:
    overrides = overrides_of(text)
    scopes = ((None, overrides.default or ""), *overrides.keyed)
    return {key for key, value in scopes if is_none(value)}


T = TypeVar("T")
Rename = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class RenameInState(Edit):
    """Rename an object in all jobs that request it by name or run in it; wildcards stay as they are."""

    kind: Kind
    name: str
    new: str

    @property
    def label(self) -> str:
        return f"rename {object_words(self.kind, self.name)} to {self.new} in jobs"

    def made(self, document: Document) -> Document:
        """Return the document in which no job uses the old name."""
        state = renamed_in_state(document.cluster, document.state, self.kind, self.name, self.new)
        return document.with_state(state)


def jobs_to_update(cluster: Cluster, state: State, kind: Kind, name: str, new: str) -> tuple[JobReference, ...]:
    """Return the jobs that a rename would change, with the place of the name."""
    name = canonical(name) if kind is Kind.HOST else name
    uses = jobs_naming(cluster, state, kind, name)
    return tuple(use for use in uses if _renamed_job(use.job, kind, name, new) != use.job)


def renamed_in_state(cluster: Cluster, state: State, kind: Kind, name: str, new: str) -> State:
    """Return the state with an object renamed."""
    name = canonical(name) if kind is Kind.HOST else name
    changed = {use.job.id: _renamed_job(use.job, kind, name, new) for use in jobs_naming(cluster, state, kind, name)}
    if changed:
        state = replace(state, jobs=tuple(changed.get(job.id, job) for job in state.jobs))
    if kind is Kind.HOST:
        hosts: Rename = partial(_renamed_host, name, new)
        state = replace(state, loads=_renamed_keys(state.loads, hosts), drains=_renamed_keys(state.drains, hosts))
    if kind in (Kind.HOST, Kind.QUEUE):
        rename = _instance_of(kind, name, new)
        states, times = _renamed_keys(state.queue_states, rename), _renamed_keys(state.changed, rename)
        seen = frozenset(map(rename, state.seen_suspended))
        reasons = _renamed_keys(state.error_reasons, rename)
        drains = _renamed_keys(state.drains, lambda place: rename(place) if "@" in place else place)  # others are hosts
        state = replace(
            state, queue_states=states, changed=times, seen_suspended=seen, error_reasons=reasons, drains=drains
        )
    if state.exceptions:
        state = replace(state, exceptions=_renamed_keys(state.exceptions, partial(_renamed_place, kind, name, new)))
    if kind in DATED:
        old, fresh = DATED[kind].format(name), DATED[kind].format(new)
        state = replace(state, changed=_renamed_keys(state.changed, lambda key: fresh if key == old else key))
    return state


def _renamed_place(kind: Kind, name: str, new: str, text: str) -> str:
    """Return the place of an exception (`text`) after a rename; a user may be named as member of a userset."""
    place = dated_place(text)
    if place is None:
        return text
    if (place.kind, place.name) == (kind, name):
        place = place._replace(name=new)
    if place.member == name and kind is Kind.USER:
        place = place._replace(member=new)
    return place.text


def _renamed_host(name: str, new: str, host: str) -> str:
    return new if canonical(host) == name else host


def _renamed_keys(mapping: Mapping[str, T], rename: Rename) -> Mapping[str, T]:
    spelled = {rename(key): value for key, value in mapping.items()}
    return mapping if list(spelled) == list(mapping) else MappingProxyType(spelled)


def _renamed_job(job: Job, kind: Kind, name: str, new: str) -> Job:
    request, qsub = _renamed_request(job.request, kind, name, new), job.qsub
    for part in _changed_options(job.request, request):
        qsub = altered(qsub, part)
    rename = _instance_of(kind, name, new) if kind in (Kind.HOST, Kind.QUEUE) else str
    environment: Rename = (lambda pe: new if pe == name else pe) if kind is Kind.PE else str
    tasks = {
        number: replace(
            task,
            granted=_renamed_keys(task.granted, rename),
            environment=environment(task.environment) if task.environment else task.environment,
        )
        for number, task in job.tasks.items()
    }
    owner = new if kind is Kind.USER and job.owner == name else job.owner
    return replace(job, request=request, qsub=qsub, owner=owner, tasks=MappingProxyType(tasks))


def _instance_of(kind: Kind, name: str, new: str) -> Rename:
    """Return a function that renames a queue or host in a queue name, queue domain or queue instance."""

    def rename(text: str) -> str:
        queue, at, host = text.partition("@")
        if kind is Kind.QUEUE:
            return f"{new}{at}{host}" if queue == name else text
        same = at and comparable(host) == comparable(name)
        return f"{queue}@{new}" if same else text

    return rename


def _renamed_request(request: Request, kind: Kind, name: str, new: str) -> Request:
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
    """Return the qalter options that turn `before` into `after`."""
    fields = ("hard", "soft", "hard_queues", "soft_queues", "master_queues", "pe", "checkpoint", "project")
    return [
        qsub_line(replace(Request(), **{field: getattr(after, field)}))
        for field in fields
        if getattr(before, field) != getattr(after, field)
    ]
