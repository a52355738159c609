"""Values of queue fields on the hosts of a queue, memoized for all checks of a cluster.

Source: queue_conf(5) hostlist, queue.md#values-that-differ-per-host.
"""

from collections.abc import Mapping
from typing import NamedTuple

from qmon_tui.checks.queue_read import Value, read_field
from qmon_tui.model import Cluster, ConfigObject, Kind, hosts_of, memoized
from qmon_tui.values import canonical, is_group


class InstanceValues(NamedTuple):
    """Distribution of one queue field's values over the queue's hosts."""

    used: Mapping[Value, tuple[str, ...]]
    """Value -> hosts whose instances have it, in the order of the host list.

    If a field has settings but no default, which qconf refuses, hosts without a setting are left out.
    """
    ambiguous: Mapping[str, tuple[str, ...]]
    """Host -> hostgroups that all set the field; the host has the default and is in state c."""
    unused_hosts: tuple[str, ...]
    """Hosts that have a setting but no instance."""
    partial_groups: tuple[str, ...]
    """Hostgroups that have a setting, but hosts without an instance."""


def instance_hosts(cluster: Cluster, queue: ConfigObject) -> tuple[str, ...]:
    """Return the hosts of a queue's instances, in the order of its host list."""
    return _hosts(cluster.objects(Kind.HOSTGROUP), queue.text("hostlist"))


def instance_values(cluster: Cluster, queue: ConfigObject, field: str) -> InstanceValues:
    """Return which hosts use which value of a field; the field must be readable."""
    return _spread(cluster.objects(Kind.HOSTGROUP), queue.text("hostlist"), field, queue.text(field))


@memoized(size=1024)
def _hosts(hostgroups: Mapping[str, ConfigObject], hostlist: str) -> tuple[str, ...]:
    return hosts_of(Cluster(kinds={Kind.HOSTGROUP: hostgroups}), hostlist)


@memoized(size=4096)
def _spread(hostgroups: Mapping[str, ConfigObject], hostlist: str, field: str, text: str) -> InstanceValues:
    hosts = _hosts(hostgroups, hostlist)
    values = read_field(field, text).values
    if len(values) == 1 and values[0][0] is None:
        return InstanceValues({values[0]: hosts} if hosts else {}, {}, (), ())
    by_host = {canonical(key): (key, value) for key, value in values if key is not None and not is_group(key)}
    by_group = {
        key: (frozenset(_hosts(hostgroups, key)), value) for key, value in values if key is not None and is_group(key)
    }
    default = next((value for value in values if value[0] is None), None)
    used: dict[Value, list[str]] = {}
    ambiguous: dict[str, tuple[str, ...]] = {}
    for host in hosts:
        if host in by_host:
            used.setdefault(by_host[host], []).append(host)
            continue
        groups = tuple(key for key, (members, _) in by_group.items() if host in members)
        if len(groups) > 1:
            ambiguous[host] = groups
        value = (groups[0], by_group[groups[0]][1]) if len(groups) == 1 else default
        if value is not None:
            used.setdefault(value, []).append(host)
    known = frozenset(hosts)
    return InstanceValues(
        {value: tuple(places) for value, places in used.items()},
        ambiguous,
        tuple(key for host, (key, _) in by_host.items() if host not in known),
        tuple(key for key, (members, _) in by_group.items() if not members <= known),
    )
