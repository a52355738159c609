"""Queue instances that a word of a command line names: addresses of qmod, hosts, node sets, hostgroups, PE patterns."""

from collections.abc import Iterable, Iterator

from qmon_tui.formats import expand_nodeset, is_nodeset
from qmon_tui.model import Cluster, find_group
from qmon_tui.qmaster import instances_named
from qmon_tui.scheduler.configuration import compile_cluster, matching_environments


def addressed_instances(cluster: Cluster, word: str) -> Iterator[str]:
    """Yield the queue instances of one word: an address of qmod, a host, a node set or a hostgroup."""
    if not word:
        return
    queue, at, host = word.partition("@")
    if at and queue and is_nodeset(host):
        yield from (name for node in expand_nodeset(host) for name in instances_named(cluster, f"{queue}@{node}"))
    elif at and not queue:
        group = find_group(cluster, word)
        yield from instances_named(cluster, f"*@{group.name}") if group is not None else ()
    elif is_nodeset(word):
        yield from (name for node in expand_nodeset(word) for name in instances_named(cluster, f"*@{node}"))
    else:
        yield from instances_named(cluster, word) or instances_named(cluster, f"*@{word}")


def without_node_sets(words: Iterable[str]) -> Iterator[str]:
    """Yield words with the node sets of addresses expanded: qmod knows only patterns."""
    for word in words:
        queue, at, host = word.partition("@")
        if at and queue and is_nodeset(host):
            yield from (f"{queue}@{node}" for node in expand_nodeset(host))
        else:
            yield word


def instances_with_environment(cluster: Cluster, pattern: str) -> Iterator[str]:
    """Yield the queue instances with a matching PE; the cluster queue instead if all its instances have one."""
    compiled = compile_cluster(cluster)
    wanted = {environment.name for environment in matching_environments(pattern, compiled.environments)}
    for queue in compiled.queues:
        instances = [instance for instance in compiled.instances if instance.queue == queue.name]
        matching = [instance.name for instance in instances if not wanted.isdisjoint(instance.profile.pe_list)]
        yield from matching if len(matching) < len(instances) else [queue.name] * bool(instances)
