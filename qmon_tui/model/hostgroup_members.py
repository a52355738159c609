"""Members of a hostgroup, each with the chain of nested groups that leads to it."""

from collections.abc import Iterator
from enum import StrEnum
from typing import NamedTuple

from qmon_tui.model.cluster import Cluster
from qmon_tui.model.instances import defined_name, find_group, members
from qmon_tui.model.kinds import Kind
from qmon_tui.values import canonical, is_group


class MemberKind(StrEnum):
    """The kind of object that a name in a hostgroup refers to."""

    HOST = "host"
    UNKNOWN = "unknown"
    """A hostgroup that does not exist."""
    CIRCLE = "circle"
    """A hostgroup that contains itself, directly or through others."""


class HostgroupMember(NamedTuple):
    """One member, and the groups that lead to it, outermost first."""

    name: str
    path: tuple[str, ...]
    kind: MemberKind


def find_members(cluster: Cluster, name: str) -> tuple[HostgroupMember, ...]:
    """Return all hosts of a hostgroup with the first path to each, and unknown and cyclic groups.

    Empty if there is no such hostgroup.
    """
    groups = cluster.objects(Kind.HOSTGROUP)
    top = find_group(cluster, name)
    if top is None:
        return ()
    seen = {top.name}
    all_members: list[HostgroupMember] = []
    # Keys of a dictionary keep the order and make the search for cycles fast.
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
    """Return the name under which a host or hostgroup is kept; an unknown group's name is unchanged."""
    return defined_name(cluster, member) if is_group(member) else canonical(member)
