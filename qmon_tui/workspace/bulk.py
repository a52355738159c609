"""Edits of many objects in one step: hosts of a node set, one field of several objects, deletion of all of them."""

from collections.abc import Sequence

from qmon_tui.checks import check_object, deletion_refusals
from qmon_tui.formats import expand_nodeset
from qmon_tui.model import Cluster, ConfigObject, Finding, Kind, ObjectKey, Reference, Severity, State
from qmon_tui.model.catalogue import spec
from qmon_tui.qmaster import QconfAttribute
from qmon_tui.qmaster.commands import DELETE, adding_option
from qmon_tui.values import join_names, split_names
from qmon_tui.workspace.difference import changes
from qmon_tui.workspace.document import Document, EditError
from qmon_tui.workspace.edits import AddObject, Batch, Edit, RemoveObject, SetField, object_words
from qmon_tui.workspace.rename_delete import ReferenceUpdate, delete_everywhere
from qmon_tui.workspace.state_edits import CommandEdit

_HOST_LISTS = (Kind.HOSTGROUP, Kind.QUEUE)
"""Kinds whose field hostlist names hosts."""


def named_objects(kind: Kind, text: str) -> tuple[str, ...]:
    """Return the names that a typed name stands for: of hosts a node set such as node[09-28] stands for several.

    Raises ValueError with a sentence if it looks like a node set and is none.
    """
    return expand_nodeset(text) if kind is Kind.HOST else (text,)


def host_lists(cluster: Cluster, host: str | None = None) -> tuple[ObjectKey, ...]:
    """Return the hostgroups and queues, of a host only those whose hostlist names it."""
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


def change_all(cluster: Cluster, kind: Kind, names: Sequence[str], field: str, text: str) -> Edit:
    """Return the edit that changes one field of several objects as `qconf -mattr`, -aattr, -dattr or -rattr does.

    In a list `-element` removes an element, `=list` replaces the list, and anything else adds an element or changes it.
    """
    option = adding_option(kind, field)
    if option is None or text.startswith("="):
        value = text.removeprefix("=") if option is not None else text
        label = f"set {field} of {len(names)} objects"
        return Batch(label, tuple(SetField(kind, name, field, value) for name in names))
    if text.startswith("-"):
        option, text = DELETE, text[1:]
    return CommandEdit(QconfAttribute(kind, names[0], field, text, option, tuple(names[1:])))


def refusal_of_all(
    cluster: Cluster, state: State, kind: Kind, names: Sequence[str], field: str, text: str
) -> str | None:
    """Return why one of the objects cannot be changed so, with its name; None if all can."""
    for name in names:
        edit = change_all(cluster, kind, [name], field, text)
        try:
            after = edit.made(Document(cluster, state)).cluster
        except EditError as error:
            return f"{name}: {error}"
        obj = after.objects(kind)[name]
        wrong = (finding for finding in check_object(after, obj, state) if finding.field == field)
        for finding in wrong:
            if finding.severity is Severity.ERROR and obj.text(field) != cluster.objects(kind)[name].text(field):
                return f"{name}: {finding.message}"
    return None


def delete_all(
    cluster: Cluster, state: State, kind: Kind, names: Sequence[str]
) -> tuple[ReferenceUpdate, tuple[Finding, ...]]:
    """Delete several objects and take their names out wherever that is possible, as one step.

    Returns also the qmaster's reasons for refusing a deletion even then.
    """
    edits: list[Edit] = []
    left: list[tuple[Reference, str]] = []
    refusals: list[Finding] = []
    before = cluster
    for name in names:
        deletion = delete_everywhere(cluster, kind, name)
        edits.append(deletion.edit)
        left += deletion.left
        refusals += deletion_refusals(deletion.cluster, kind, name, state)
        cluster = RemoveObject(kind, name).apply(deletion.cluster)
    gone = {(kind, name) for name in names}
    made = tuple(change for change in changes(before, cluster) if (change.kind, change.name) not in gone)
    label = f"delete {len(names)} objects"
    return ReferenceUpdate(Batch(label, tuple(edits)), made, cluster, tuple(left)), tuple(refusals)


def _hosts_of(cluster: Cluster, key: ObjectKey) -> tuple[str, ...]:
    kind, name = key
    return split_names(cluster.objects(kind)[name].text("hostlist"), spec(kind).by_name["hostlist"].separator)


def _with_hosts(cluster: Cluster, key: ObjectKey, names: Sequence[str]) -> str:
    present = _hosts_of(cluster, key)
    new = [name for name in names if name not in present]
    return join_names([*present, *new], spec(key[0]).by_name["hostlist"].separator)
