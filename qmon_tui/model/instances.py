"""Queue instances: the hosts of host groups and cluster queues, and the value that a queue field has on one host.

Source: queue.md#values-that-differ-per-host, queue_conf(5) and hostgroup(5).
"""

from collections import deque
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Literal, NamedTuple

from qmon_tui.model.cluster import Cluster, ConfigObject
from qmon_tui.model.fields import Separator
from qmon_tui.model.kinds import Kind
from qmon_tui.model.memoize import memoized
from qmon_tui.values import Overrides, canonical, comparable, is_group, is_none, parse_overrides, split_names


class EffectiveValue(NamedTuple):
    """The value of a queue field on one host and where it comes from.

    `key` is the host or @hostgroup that set it, None for the default. An ambiguous value (the host is in several
    groups that set the field) is the default, and the queue instance is in state c.
    """

    text: str
    origin: Literal["default", "group", "host"]
    key: str | None = None
    ambiguous: bool = False
    candidates: tuple[str, ...] = ()
    """The groups that contradict each other where the value is ambiguous."""


def find_group(cluster: Cluster, name: str) -> ConfigObject | None:
    """A hostgroup by its name, of which the case does not count (tried with 8.1.9); None where there is no such."""
    groups = cluster.objects(Kind.HOSTGROUP)
    return groups.get(name) or groups.get(first_defined_name(cluster, name))


def first_defined_name(cluster: Cluster, name: str) -> str:
    """How a hostgroup is called where it is defined for the first time; the name itself where it is not."""
    return _spellings(cluster.objects(Kind.HOSTGROUP)).get(comparable(name), name)


def defined_name(cluster: Cluster, name: str) -> str:
    """How the hostgroup is called that a name means; the name itself where there is no such."""
    group = find_group(cluster, name)
    return group.name if group is not None else name


def members(group: ConfigObject) -> tuple[str, ...]:
    """The hosts and groups that a hostgroup lists itself."""
    return _names(group.text("hostlist"), Separator.BLANK)


def resolve_group(cluster: Cluster, name: str) -> tuple[str, ...]:
    """All hosts of a hostgroup, nested groups included, each once; unknown groups and cycles add nothing."""
    return tuple(_walk(cluster, (name,)))


def hosts_of(cluster: Cluster, hostlist: str, separator: Separator = Separator.BLANK_OR_COMMA) -> tuple[str, ...]:
    """All hosts of a hostlist's text, groups resolved, each once, in the qmaster's order.

    It takes the hosts of a list first, then those that its groups list themselves, then those of the groups in these.
    """
    return tuple(_walk(cluster, _names(hostlist, separator)))


def queue_hosts(cluster: Cluster, queue: ConfigObject) -> tuple[str, ...]:
    """The hosts on which a cluster queue has an instance."""
    return hosts_of(cluster, queue.text("hostlist"))


def queue_instances(cluster: Cluster) -> tuple[tuple[str, str], ...]:
    """(cluster queue, host) of every queue instance: queues in their order, hosts in the order of the hostlist."""
    return tuple(
        (queue.name, host) for queue in cluster.objects(Kind.QUEUE).values() for host in queue_hosts(cluster, queue)
    )


def groups_of(cluster: Cluster, host: str) -> frozenset[str]:
    """The hostgroups that contain a host, directly or through other groups, in the form in which they are compared."""
    return _membership(cluster.objects(Kind.HOSTGROUP))(host)


def effective_value(cluster: Cluster, queue: ConfigObject, field: str, host: str) -> EffectiveValue:
    """The value of one queue field on one host: host setting, else the one group setting, else the default."""
    return select_override(overrides_of(queue.text(field)), host, groups_of(cluster, host))


def select_override(overrides: Overrides, host: str, groups: frozenset[str]) -> EffectiveValue:
    """Choose among parsed overrides for a host that is in these groups."""
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
    """The parsed overrides of a field's text; a text that cannot be parsed counts as the default as a whole."""
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
    """Name of a hostgroup in the form in which it is compared -> the first that is written so."""
    return {comparable(name): name for name in reversed(tuple(groups))}


@memoized(size=4)
def _membership(groups: Mapping[str, ConfigObject]) -> Callable[[str], frozenset[str]]:
    """Host -> the hostgroups that contain it, in the form in which they are compared."""
    direct = {comparable(name): members(group) for name, group in reversed(tuple(groups.items()))}
    parents: dict[str, set[str]] = {}
    for group, names in direct.items():
        for name in names:
            parents.setdefault(comparable(name) if is_group(name) else canonical(name), set()).add(group)
    listing = {name: frozenset(above) for name, above in parents.items()}

    # Most hosts share their groups with many others.
    @lru_cache(maxsize=1024)
    def with_all_above(names: frozenset[str]) -> frozenset[str]:
        reached, waiting = set(names), list(names)
        while waiting:
            above = listing.get(waiting.pop(), frozenset()) - reached
            reached |= above
            waiting += above
        return frozenset(reached)

    return lambda host: with_all_above(listing.get(canonical(host), frozenset()))
