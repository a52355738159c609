"""A cluster with more hosts, each like one that is there: in its queues and host groups, with its values."""

import re
from collections.abc import Iterator
from dataclasses import replace
from types import MappingProxyType

from qmon_tui.model import Cluster, ConfigObject, Kind, State
from qmon_tui.values import BLANK_OR_COMMA, canonical, split_names

_LISTS = {Kind.QUEUE: "hostlist", Kind.HOSTGROUP: "hostlist"}
_GLOBAL = "global"


def with_more_hosts(cluster: Cluster, state: State, count: int, like: str | None = None) -> tuple[Cluster, State]:
    """`count` hosts like the one named `like`, by default the last one. Raises ValueError with a sentence."""
    hosts = [name for name in cluster.objects(Kind.HOST) if name != _GLOBAL]
    if like is None and hosts:
        like = hosts[-1]
    like_host = next((name for name in hosts if like is not None and canonical(name) == canonical(like)), None)
    if like_host is None:
        raise ValueError(f"there is no host {like}" if like else "there is no host that they could be like")
    names = [name for name, _ in zip(_free_names(like_host, set(hosts)), range(count), strict=False)]
    if not names:
        return cluster, state
    model = cluster.objects(Kind.HOST)[like_host]
    changed = [replace(model.renamed(name), origin=None) for name in names]
    for kind in (Kind.QUEUE, Kind.HOSTGROUP):
        changed += [_with_hosts(obj, like_host, names) for obj in cluster.objects(kind).values()]
    loads = dict(state.loads)
    if like_host in loads:
        loads |= dict.fromkeys(names, loads[like_host])
    return cluster.with_objects(changed), replace(state, loads=MappingProxyType(loads))


def _free_names(like: str, taken: set[str]) -> Iterator[str]:
    """node06, node07 ... after node05."""
    match = re.search(r"([0-9]{1,9})(?=[^0-9]*$)", like)
    head, digits, tail = (like[: match.start()], match[0], like[match.end() :]) if match else (like, "0", "")
    number = int(digits)
    while True:
        number += 1
        name = f"{head}{number:0{len(digits)}}{tail}"
        if name not in taken:
            yield name


def _with_hosts(obj: ConfigObject, like: str, names: list[str]) -> ConfigObject:
    """Return the object with the new hosts beside `like` in host lists, and copies of its [host=value] settings."""
    values = {}
    for field, text in obj.values.items():
        if field == _LISTS[obj.kind]:
            members = split_names(text, BLANK_OR_COMMA)
            if any(canonical(member) == canonical(like) for member in members):
                values[field] = " ".join([*members, *names])
            continue
        own = re.search(rf"\[{re.escape(like)}=([^\]]*)\]", text)
        if own is not None:
            values[field] = ",".join([text, *(f"[{name}={own[1]}]" for name in names)])
    return obj.with_values(values) if values else obj
