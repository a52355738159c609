"""Queue instances, the hosts and nested groups of hostgroups, and the value of a queue field on one host.

Source: queue.md#values-that-differ-per-host, queue_conf(5) and hostgroup(5).
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from enum import StrEnum
from functools import lru_cache
from typing import Literal, NamedTuple

from qmon_tui.model.cluster import Cluster, ConfigObject
from qmon_tui.model.fields import Separator
from qmon_tui.model.kinds import Kind
from qmon_tui.model.memoize import memoized
from qmon_tui.values import Overrides, canonical, comparable, is_group, is_none, parse_overrides, split_names


class EffectiveValue(NamedTuple):
    """The value of a queue field on one host and where it comes from.

    `key` is the host or @hostgroup that sets it, None for the default. If several groups of the host set the field,
    the value is ambiguous: the default counts, and the queue instance is in state c.
    """

    text: str
    origin: Literal["default", "group", "host"]
    key: str | None = None
    ambiguous: bool = False
    candidates: tuple[str, ...] = ()
    """The groups that set the field, if the value is ambiguous."""


def find_group(cluster: Cluster, name: str) -> ConfigObject | None:
    """Return the hostgroup of this name, whose case does not count (tried with 8.1.9); None if there is none."""
    groups = cluster.objects(Kind.HOSTGROUP)
    return groups.get(name) or groups.get(first_defined_name(cluster, name))


def first_defined_name(cluster: Cluster, name: str) -> str:
    """Return the spelling of the hostgroup's first definition; the name itself if there is none."""
    return _spellings(cluster.objects(Kind.HOSTGROUP)).get(comparable(name), name)


def defined_name(cluster: Cluster, name: str) -> str:
    """Return the defined spelling of a hostgroup's name; the name itself if there is no such group."""
    group = find_group(cluster, name)
    return group.name if group is not None else name


def members(group: ConfigObject) -> tuple[str, ...]:
    """Return the hosts and groups in the hostgroup's own list, nested groups not resolved."""
    return _names(group.text("hostlist"), Separator.BLANK)


def resolve_group(cluster: Cluster, name: str) -> tuple[str, ...]:
    """Return all hosts of a hostgroup, nested ones resolved, without duplicates; unknown groups and cycles add none."""
    return tuple(_walk(cluster, (name,)))


def hosts_of(cluster: Cluster, hostlist: str, separator: Separator = Separator.BLANK_OR_COMMA) -> tuple[str, ...]:
    """Return all hosts of a hostlist's text, groups resolved, without duplicates, in the qmaster's order.

    Breadth first: the hosts in the list itself, then the hosts in its groups' lists, then in nested groups' lists.
    """
    return tuple(_walk(cluster, _names(hostlist, separator)))


def queue_hosts(cluster: Cluster, queue: ConfigObject) -> tuple[str, ...]:
    """Return the hosts on which a cluster queue has an instance."""
    return hosts_of(cluster, queue.text("hostlist"))


def queue_instances(cluster: Cluster) -> tuple[tuple[str, str], ...]:
    """Return (cluster queue, host) of every queue instance, in the order of the queues and of their hosts."""
    return tuple(
        (queue.name, host) for queue in cluster.objects(Kind.QUEUE).values() for host in queue_hosts(cluster, queue)
    )


def instances_of(cluster: Cluster, kind: Kind, names: Iterable[str]) -> tuple[str, ...]:
    """Return the queue instances of hosts, hostgroups or queues."""
    named = frozenset(names)
    if kind is Kind.HOSTGROUP:
        named = frozenset(host for name in named for host in resolve_group(cluster, name))
    if kind is Kind.HOST:
        named = frozenset(map(canonical, named))
    instances = queue_instances(cluster)
    return tuple(f"{queue}@{host}" for queue, host in instances if (queue if kind is Kind.QUEUE else host) in named)


def groups_of(cluster: Cluster, host: str) -> frozenset[str]:
    """Return the hostgroups that contain a host, directly or nested, as `comparable` names."""
    return _membership(cluster.objects(Kind.HOSTGROUP))(host)


def effective_value(cluster: Cluster, queue: ConfigObject, field: str, host: str) -> EffectiveValue:
    """Return a queue field's value on a host: that of the host, else of its only group with one, else the default."""
    return select_override(overrides_of(queue.text(field)), host, groups_of(cluster, host))


def select_override(overrides: Overrides, host: str, groups: frozenset[str]) -> EffectiveValue:
    """Return the value for a host that is in these groups."""
    default = overrides.default or ""
    if not overrides.keyed:
        return EffectiveValue(default, "default")
    wanted = canonical(host)
    matching: list[tuple[str, str]] = []
    for key, text in overrides.keyed:
        if is_group(key):
            if comparable(key) in groups:
                matching.append((key, text))
        elif canonical(key) == wanted:
            return EffectiveValue(text, "host", key)
    if len(matching) == 1:
        return EffectiveValue(matching[0][1], "group", matching[0][0])
    if matching:
        return EffectiveValue(default, "default", None, True, tuple(key for key, _ in matching))
    return EffectiveValue(default, "default")


@lru_cache(maxsize=4096)
def overrides_of(text: str) -> Overrides:
    """Parse the overrides of a field's text; a text that cannot be parsed is the default value."""
    if "[" not in text:
        return Overrides(text, ())
    try:
        return parse_overrides(text)
    except ValueError:
        return Overrides(text, ())


def _names(text: str, separator: Separator) -> tuple[str, ...]:
    return () if is_none(text) else split_names(text, separator)


def _walk(cluster: Cluster, names: Iterable[str]) -> Iterable[str]:
    hosts: dict[str, None] = {}
    waiting = deque([names])
    met: set[str] = set()
    while waiting:
        for name in waiting.popleft():
            if not is_group(name):
                hosts[canonical(name)] = None
                continue
            group = find_group(cluster, name)
            if group is not None and group.name not in met:
                met.add(group.name)
                waiting.append(members(group))
    return hosts


@memoized(size=4)
def _spellings(groups: Mapping[str, ConfigObject]) -> Mapping[str, str]:
    """Return `comparable` name of a hostgroup -> its first spelling."""
    return {comparable(name): name for name in reversed(tuple(groups))}


@memoized(size=4)
def _membership(groups: Mapping[str, ConfigObject]) -> Callable[[str], frozenset[str]]:
    """Return a function: host -> `comparable` names of the hostgroups that contain it."""
    direct = {comparable(name): members(group) for name, group in reversed(tuple(groups.items()))}
    parents: dict[str, set[str]] = {}
    for group, names in direct.items():
        for name in names:
            parents.setdefault(comparable(name) if is_group(name) else canonical(name), set()).add(group)
    listing = {name: frozenset(above) for name, above in parents.items()}

    # Cached, because many hosts are in the same groups.
    @lru_cache(maxsize=1024)
    def with_all_above(names: frozenset[str]) -> frozenset[str]:
        reached, waiting = set(names), list(names)
        while waiting:
            above = listing.get(waiting.pop(), frozenset()) - reached
            reached |= above
            waiting += above
        return frozenset(reached)

    return lambda host: with_all_above(listing.get(canonical(host), frozenset()))


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
    # Groups from the top to the current one; a dictionary keeps their order and makes the search for cycles fast.
    path = {top.name: None}

    def add_member(member: str, kind: MemberKind) -> None:
        all_members.append(HostgroupMember(member, tuple(path), kind))

    def listed(group: str) -> Iterator[str]:
        return (_stored_name(cluster, member) for member in members(groups[group]))

    # A stack instead of recursion: groups may be nested deeper than Python calls.
    stack = [listed(top.name)]
    while stack:
        member = next(stack[-1], None)
        if member is None:
            stack.pop()
            path.popitem()
            continue
        if member in path:
            add_member(member, MemberKind.CIRCLE)
        elif member in seen:
            continue
        elif not is_group(member):
            add_member(member, MemberKind.HOST)
        elif member not in groups:
            add_member(member, MemberKind.UNKNOWN)
        else:
            path[member] = None
            stack.append(listed(member))
        seen.add(member)
    return tuple(all_members)


def _stored_name(cluster: Cluster, member: str) -> str:
    """Return the name under which a host or hostgroup is stored; an unknown group's name is unchanged."""
    return defined_name(cluster, member) if is_group(member) else canonical(member)
