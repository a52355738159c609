"""Edits of many objects in one step: hosts of a node set, and one field of several objects."""

from collections.abc import Sequence

from qmon_tui.checks import check_object
from qmon_tui.formats import expand_nodeset
from qmon_tui.model import Cluster, ConfigObject, Kind, ObjectKey, Severity
from qmon_tui.model.catalogue import spec
from qmon_tui.qmaster import QconfAttribute
from qmon_tui.qmaster.commands import ADD, DELETE, adding_option
from qmon_tui.values import join_names, split_names
from qmon_tui.workspace.document import Document, EditError
from qmon_tui.workspace.edits import AddObject, Batch, Edit, SetField, object_words

_HOST_LISTS = (Kind.HOSTGROUP, Kind.QUEUE)
"""Kinds whose field hostlist names hosts."""


def named_objects(kind: Kind, text: str) -> tuple[str, ...]:
    """Return the names that a typed name means: a node set such as node[09-28] means several hosts.

    Raises ValueError with a sentence if the text looks like a node set but is invalid.
    """
    return expand_nodeset(text) if kind is Kind.HOST else (text,)


def host_lists(cluster: Cluster, host: str | None = None) -> tuple[ObjectKey, ...]:
    """Return the hostgroups and queues; with `host` only those whose hostlist names it."""
    keys = [(kind, name) for kind in _HOST_LISTS for name in cluster.objects(kind)]
    return tuple(key for key in keys if host is None or host in _hosts_of(cluster, key))


def add_all(
    cluster: Cluster,
    text: str,
    objects: Sequence[ConfigObject],
    pattern: ConfigObject | None,
    lists: Sequence[ObjectKey],
) -> Edit:
    """Return the edit that adds objects, copies of `pattern` if there is one, and appends them to these host lists.

    `text` is the name that was typed, for the label.
    """
    added = [AddObject(obj, pattern) for obj in objects]
    if len(added) == 1 and not lists:
        return added[0]
    names = [obj.name for obj in objects]
    listed = [SetField(kind, name, "hostlist", _with_hosts(cluster, (kind, name), names)) for kind, name in lists]
    where = ", ".join(name for _, name in lists)
    label = f"add {object_words(objects[0].kind, text)}" + (f" to {where}" if where else "")
    return Batch(label, (*added, *listed))


def change_all(document: Document, kind: Kind, names: Sequence[str], field: str, text: str) -> Edit:
    """Return the edit that changes one field of several objects as `qconf -mattr`, -aattr, -dattr or -rattr does.

    In a list `-element` removes an element, `=list` replaces the list, and anything else adds an element or changes it.
    Objects that have the element already, or lack the one to remove, stay as they are. Raises EditError with a reason
    and the object if one is refused, or if none would change. Objects with equal texts are judged together.
    """
    objects = document.cluster.objects(kind)
    texts: dict[str, str] = {}
    for name in names:
        before = objects[name].text(field)
        if before not in texts:
            texts[before] = _changed_text(document, objects[name], field, text)
    edits = [SetField(kind, name, field, after) for name in names
             if (after := texts[before := objects[name].text(field)]) != before]  # fmt: skip
    if not edits:
        raise EditError(f"This changes none of them: {names[0]} has {field} {objects[names[0]].text(field)}.")
    return Batch(f"change {field} of {len(edits)} objects", tuple(edits))


def _changed_text(document: Document, obj: ConfigObject, field: str, text: str) -> str:
    """Return the text of the field after the change; raises EditError if the qmaster would refuse it."""
    option = adding_option(obj.kind, field)
    if option is None or text.startswith("="):
        changed = obj.with_value(field, text.removeprefix("=") if option is not None else text)
        after = document.cluster.with_object(changed)
        for finding in check_object(after, changed, document.state):
            if finding.field == field and finding.severity is Severity.ERROR:
                raise EditError(f"{obj.name}: {finding.message}")
        return changed.text(field)
    if text.startswith("-"):
        option, text = DELETE, text[1:]
    before, given = obj.text(field), _element_names(text)
    present = given & _element_names(before)
    if (option == DELETE and not present) or (option == ADD and present == given):
        return before
    reply = QconfAttribute(obj.kind, obj.name, field, text, option).apply(document.cluster, document.state)
    if reply.cluster is None:
        raise EditError(f"{obj.name}: {' '.join(reply.messages)}")
    return reply.cluster.objects(obj.kind)[obj.name].text(field)


def _element_names(text: str) -> frozenset[str]:
    """Return the names in a list of names or of name=value, whatever separates them."""
    return frozenset(word.partition("=")[0] for word in text.replace(",", " ").split())


def _hosts_of(cluster: Cluster, key: ObjectKey) -> tuple[str, ...]:
    kind, name = key
    return split_names(cluster.objects(kind)[name].text("hostlist"), spec(kind).by_name["hostlist"].separator)


def _with_hosts(cluster: Cluster, key: ObjectKey, names: Sequence[str]) -> str:
    present = _hosts_of(cluster, key)
    new = [name for name in names if name not in present]
    return join_names([*present, *new], spec(key[0]).by_name["hostlist"].separator)
