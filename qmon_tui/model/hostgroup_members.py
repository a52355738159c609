"""How a hostgroup comes to its hosts: the way to each through nested groups, and the groups that add none."""

from collections.abc import Iterator
from enum import StrEnum
from typing import NamedTuple

from qmon_tui.model.cluster import Cluster
from qmon_tui.model.instances import defined_name, find_group, members
from qmon_tui.model.kinds import Kind
from qmon_tui.values import canonical, is_group


class MemberKind(StrEnum):
    """What a name in a hostgroup turned out to be."""

    HOST = "host"
    UNKNOWN = "unknown"
    """A hostgroup that does not exist."""
    CIRCLE = "circle"
    """A hostgroup that is reached through itself."""


class HostgroupMember(NamedTuple):
    """What one name of a hostgroup came to, and the groups that led to it, from the one that was asked for."""

    name: str
    path: tuple[str, ...]
    kind: MemberKind


def find_members(cluster: Cluster, name: str) -> tuple[HostgroupMember, ...]:
    """All hosts of a hostgroup with the first way to each, and the groups that add none; empty for no such group."""
    groups = cluster.objects(Kind.HOSTGROUP)
    top = find_group(cluster, name)
    if top is None:
        return ()
    seen = {top.name}
    all_members: list[HostgroupMember] = []
    # The way in as many dictionary keys: in order, and a circle is noticed at once however long it is.
    way = {top.name: None}

    def add_member(member: str, kind: MemberKind) -> None:
        all_members.append(HostgroupMember(member, tuple(way), kind))

    def listed(group: str) -> Iterator[str]:
        return (_as_kept(cluster, member) for member in members(groups[group]))

    # A stack instead of recursion: groups may be nested deeper than Python calls.
    stack = [listed(top.name)]
    while stack:
        member = next(stack[-1], None)
        if member is None:
            stack.pop()
            way.popitem()
            continue
        if member in way:
            add_member(member, MemberKind.CIRCLE)
        elif member in seen:
            continue
        elif not is_group(member):
            add_member(member, MemberKind.HOST)
        elif member not in groups:
            add_member(member, MemberKind.UNKNOWN)
        else:
            way[member] = None
            stack.append(listed(member))
        seen.add(member)
    return tuple(all_members)


def _as_kept(cluster: Cluster, member: str) -> str:
    """A host or hostgroup as it is called where it is kept, a group that does not exist as it is written."""
    return defined_name(cluster, member) if is_group(member) else canonical(member)
