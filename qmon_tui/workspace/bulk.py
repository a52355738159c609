"""Edits of many objects in one step: hosts named as a node set, and the lists that name them."""

from collections.abc import Sequence

from qmon_tui.formats.nodeset import expand
from qmon_tui.model import Cluster, ConfigObject, Kind, ObjectKey
from qmon_tui.model.catalogue import spec
from qmon_tui.values import join_names, split_names
from qmon_tui.workspace.edits import AddObject, Batch, Edit, SetField, object_words

_HOST_LISTS = (Kind.HOSTGROUP, Kind.QUEUE)
"""Kinds whose field hostlist names hosts."""


def named_objects(kind: Kind, text: str) -> tuple[str, ...]:
    """Return the names that a typed name stands for: of hosts a node set such as node[09-28] stands for several.

    Raises ValueError with a sentence if it looks like a node set and is none.
    """
    return expand(text) if kind is Kind.HOST else (text,)


def host_lists(cluster: Cluster, host: str | None = None) -> tuple[ObjectKey, ...]:
    """Return the host groups and queues, of a host only those whose hostlist names it."""
    found = [(kind, name) for kind in _HOST_LISTS for name in cluster.objects(kind)]
    return tuple(key for key in found if host is None or host in _hosts_of(cluster, key))


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


def _hosts_of(cluster: Cluster, key: ObjectKey) -> tuple[str, ...]:
    kind, name = key
    return split_names(cluster.objects(kind)[name].text("hostlist"), spec(kind).by_name["hostlist"].separator)


def _with_hosts(cluster: Cluster, key: ObjectKey, names: Sequence[str]) -> str:
    present = _hosts_of(cluster, key)
    new = [name for name in names if name not in present]
    return join_names([*present, *new], spec(key[0]).by_name["hostlist"].separator)
