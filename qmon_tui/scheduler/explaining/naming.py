"""Which hosts a task calls by name: with -q, with -masterq, or by asking for a hostname.

What a task says of cluster queues needs no look at each queue instance: those of one queue share it.
"""

from collections.abc import Collection, Hashable, Mapping, Sequence

from qmon_tui.scheduler.matching.relops import holds_for_strings
from qmon_tui.scheduler.requests import Demand

_HOSTNAME = "hostname"


def hosts_as_called(
    demand: Demand, hosts: Sequence[str], groups: Mapping[str, Collection[str]], unclean: Collection[str]
) -> Sequence[Hashable] | None:
    """The same for hosts that the demand calls alike and that are unclean alike; None where it calls no host."""
    patterns = [one for one in (*demand.queues, *demand.master_queues) if one.host is not None or one.group is not None]
    requests = [one for one in demand.hard if one.attribute.name == _HOSTNAME]
    if not patterns and not requests and not unclean:
        return None
    return [
        (
            *(pattern.matches_host(host, groups) for pattern in patterns),
            *(holds_for_strings(one.attribute, one.text, host) for one in requests),
            host in unclean,
        )
        for host in hosts
    ]
