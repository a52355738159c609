"""Renaming and deleting an object together with the places that name it, each as one step of undo."""

from collections.abc import Mapping
from dataclasses import dataclass

from qmon_tui.model import (
    CannotRemoveName,
    Cluster,
    ConfigObject,
    Kind,
    Reference,
    Replacements,
    complex_index,
    overrides_of,
    references_to,
    target_of,
    with_replaced_names,
)
from qmon_tui.model.catalogue import spec
from qmon_tui.values import is_none
from qmon_tui.workspace.difference import ObjectChange, changes
from qmon_tui.workspace.edits import Batch, Edit, RemoveObject, RenameObject, SetFields, object_words

_ACCESS = {
    "user_lists": "everybody",
    "acl": "everybody",
    "projects": "jobs of every project and of none",
}
"""Lists that let everybody in once they are empty, and whom."""


@dataclass(frozen=True, slots=True)
class ReferenceUpdate:
    """What renaming or deleting does where the object is named."""

    edit: Edit
    """The renaming or deletion and all that follows from it, as one step."""
    changes: tuple[ObjectChange, ...]
    """The objects that follow, without the one it is about."""
    cluster: Cluster
    """The cluster after these changes, but with the object itself as it was."""
    left: tuple[tuple[Reference, str], ...] = ()
    """The references that cannot follow, and why not."""
    warnings: tuple[str, ...] = ()
    """What somebody should know before, as sentences."""


def rename_everywhere(cluster: Cluster, kind: Kind, name: str, new: str) -> ReferenceUpdate:
    """Give an object another name everywhere; an attribute that is named by its shortcut stays named so."""
    edits: list[Edit] = [RenameObject(kind, name, new)]
    if kind is Kind.HOST and cluster.get(Kind.CONFIGURATION, name) is not None:
        edits.append(RenameObject(Kind.CONFIGURATION, name, new))
    followed, left = _followed(cluster, kind, name, {target_of(kind, name): new})
    label = RenameObject(kind, name, new).label
    return _following(cluster, kind, name, label, [*followed, *edits], left)


def delete_everywhere(cluster: Cluster, kind: Kind, name: str) -> ReferenceUpdate:
    """Delete an object and take its name out wherever that is possible without changing what the rest means."""
    words = [name]
    entry = complex_index(cluster).entries.get(name) if kind is Kind.COMPLEX else None
    if entry is not None and complex_index(cluster).names.get(entry.shortcut) == name:
        words.append(entry.shortcut)
    followed, left = _followed(cluster, kind, name, {target_of(kind, word): None for word in words})
    return _following(cluster, kind, name, RemoveObject(kind, name).label, [*followed, RemoveObject(kind, name)], left)


def _following(
    cluster: Cluster, kind: Kind, name: str, label: str, edits: list[Edit], left: tuple[tuple[Reference, str], ...]
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
    cluster: Cluster, kind: Kind, name: str, names: Replacements
) -> tuple[list[Edit], tuple[tuple[Reference, str], ...]]:
    """For each object that refers to this one, the edit of its fields; and what cannot follow."""
    fields: dict[tuple[Kind, str], dict[str, str | None]] = {}
    left: list[tuple[Reference, str]] = []
    for reference in references_to(cluster, kind, name):
        user = cluster.get(reference.kind, reference.name)
        if user is None:
            continue
        if _means_another(cluster, kind, name, reference):
            left.append((reference, "it may mean another object of that name"))
            continue
        try:
            text = _text(user, reference.field, names)
        except CannotRemoveName as error:
            left.append((reference, str(error)))
            continue
        if text != user.text(reference.field):
            fields.setdefault((user.kind, user.name), {})[reference.field] = text
    edits: list[Edit] = [SetFields(owner, called, _in_order(owner, texts)) for (owner, called), texts in fields.items()]
    return edits, tuple(left)


def _text(user: ConfigObject, field: str, names: Replacements) -> str:
    return with_replaced_names(user.kind, spec(user.kind).by_name[field], user.text(field), names)


def _in_order(kind: Kind, texts: Mapping[str, str | None]) -> dict[str, str | None]:
    return {name: texts[name] for name in spec(kind).by_name if name in texts}


def _means_another(cluster: Cluster, kind: Kind, name: str, reference: Reference) -> bool:
    """A node of the share tree names a user or a project, and does not say which."""
    other = {Kind.USER: Kind.PROJECT, Kind.PROJECT: Kind.USER}.get(kind)
    return reference.kind is Kind.SHARETREE and other is not None and cluster.get(other, name) is not None


def _warnings(made: tuple[ObjectChange, ...]) -> list[str]:
    """Lists of whom something is for: empty, they let everybody in."""
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
