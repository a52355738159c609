"""Find loops in slot-wise preemption.

Source: queue.md#slot-wise-loops; tried on a real qmaster: it refuses to add a queue that is already in the
slot-wise tree, and a loop that escapes this check kills it.
"""

from collections.abc import Iterator, Mapping

from qmon_tui.checks.queue_read import instance_hosts, instance_values, read_field
from qmon_tui.checks.rules import RuleBook
from qmon_tui.model import Cluster, ConfigObject, Finding, Kind, memoized
from qmon_tui.values import Subordinates, is_none, parse_subordinates

_book = RuleBook(Kind.QUEUE, "queue.md#subordinate_list")

LOOP = _book.error("subordinates.loop", "Queues that preempt each other slot by slot form a tree on every host.")
SLOTWISE_REPEATED = _book.warning(
    "subordinates.tangled", "A queue stands once in a slot-wise tree; otherwise the order of changes decides."
)
MUTUAL_SUSPENSION = _book.warning(
    "subordinates.mutual",
    "Two queues do not suspend each other.",
    "queue_conf(5) subordinate_list, #mutual-subordination",
)

Edges = dict[str, dict[str, frozenset[str]]]
"""Queue -> queue that it subordinates -> hosts on which it does."""


def loop_errors(cluster: Cluster, obj: ConfigObject) -> Iterator[Finding]:
    """Yield an error for each subordinate that makes a loop, or that the qmaster refuses to add to the stored queue."""
    for queue in _loops(cluster, obj) | _refused_changes(cluster, obj):
        message = f'denied: adding "{queue}" to the subordinate_list of "{obj.name}" would create a loop in the '
        hint = "A qmaster that gets such a loop in a roundabout way dies of it and cannot be started again."
        yield LOOP.finding(obj, "subordinate_list", message + "slotwise preemption configuration!", hint)


def loop_warnings(cluster: Cluster, obj: ConfigObject) -> Iterator[Finding]:
    """Warn about subordinates that are twice in one tree, and queues that suspend each other."""
    if is_none(obj.text("subordinate_list")):
        return
    slotwise, queuewise = _edges_with(cluster, obj)
    own = slotwise.get(obj.name, {}) | queuewise.get(obj.name, {})
    others = {queue: edges for queue, edges in slotwise.items() if queue != obj.name}
    looping = _loops(cluster, obj)
    for queue, hosts in own.items():
        if queue not in looping and _in_tree(others, obj.name, queue, hosts):
            message = f'"{queue}" is in the same slot-wise tree as "{obj.name}" already'
            hint = "Whether the qmaster accepts this depends on the order in which the queues are changed."
            yield SLOTWISE_REPEATED.finding(obj, "subordinate_list", message, hint)
    for queue, hosts in queuewise.get(obj.name, {}).items():
        if hosts & queuewise.get(queue, {}).get(obj.name, frozenset()):
            message = f'"{obj.name}" and "{queue}" suspend each other'
            yield MUTUAL_SUSPENSION.finding(obj, "subordinate_list", message)


def _loops(cluster: Cluster, obj: ConfigObject) -> dict[str, None]:
    """Return the slot-wise subordinates (as keys) of a queue from which subordination leads back to the queue."""
    if is_none(obj.text("subordinate_list")):
        return {}
    slotwise, _ = _edges_with(cluster, obj)
    own = slotwise.get(obj.name, {})
    return {queue: None for queue, hosts in own.items() if _leads(slotwise, queue, obj.name, hosts)}


def _refused_changes(cluster: Cluster, obj: ConfigObject) -> dict[str, None]:
    """Return added subordinates (as keys) that are in the stored queue's slot-wise tree already."""
    stored = cluster.get(Kind.QUEUE, obj.name)
    if stored is None or stored.text("subordinate_list") == obj.text("subordinate_list"):
        return {}
    before, before_queuewise = _edges_with(cluster, stored)
    after, after_queuewise = _edges_with(cluster, obj)
    old = before.get(obj.name, {}) | before_queuewise.get(obj.name, {})
    new = after.get(obj.name, {}) | after_queuewise.get(obj.name, {})
    added = {queue: hosts - old.get(queue, frozenset()) for queue, hosts in new.items()}
    return {queue: None for queue, hosts in added.items() if _in_tree(before, obj.name, queue, hosts)}


def _leads(edges: Edges, start: str, goal: str, hosts: frozenset[str]) -> bool:
    """True if subordination leads from `start` to `goal` on one of the hosts."""
    ahead, seen = [(start, hosts)], set()
    while ahead:
        queue, common = ahead.pop()
        if not common or (queue, common) in seen:
            continue
        if queue == goal:
            return True
        seen.add((queue, common))
        ahead += [(child, common & edge_hosts) for child, edge_hosts in edges.get(queue, {}).items()]
    return False


def _in_tree(edges: Edges, queue: str, other: str, hosts: frozenset[str]) -> bool:
    """True if `other` is below a root of the queue's tree on one of the hosts."""
    superordinates: dict[str, list[tuple[str, frozenset[str]]]] = {}
    for parent, children in edges.items():
        for child, edge_hosts in children.items():
            superordinates.setdefault(child, []).append((parent, edge_hosts))
    ahead, seen = [(queue, hosts)], set()
    while ahead:
        member, common = ahead.pop()
        if not common or (member, common) in seen:
            continue
        seen.add((member, common))
        parents = [(parent, common & edge_hosts) for parent, edge_hosts in superordinates.get(member, ())]
        if not parents and _leads(edges, member, other, common):
            return True
        ahead += parents
    return False


def _edges_with(cluster: Cluster, obj: ConfigObject) -> tuple[Edges, Edges]:
    """Return slot-wise and queue-wise subordination in the cluster with this queue."""
    if cluster.get(Kind.QUEUE, obj.name) is not obj:
        cluster = cluster.with_object(obj)
    return _edges(cluster.objects(Kind.QUEUE), cluster.objects(Kind.HOSTGROUP))


@memoized(size=8)
def _edges(queues: Mapping[str, ConfigObject], hostgroups: Mapping[str, ConfigObject]) -> tuple[Edges, Edges]:
    cluster = Cluster(kinds={Kind.QUEUE: queues, Kind.HOSTGROUP: hostgroups})
    slotwise: dict[str, dict[str, frozenset[str]]] = {}
    queuewise: dict[str, dict[str, frozenset[str]]] = {}
    for queue in queues.values():
        if is_none(queue.text("subordinate_list")) or not _readable(queue):
            continue
        for (_, text), hosts in instance_values(cluster, queue, "subordinate_list").used.items():
            subordinates = parse_subordinates(text) if text else Subordinates()
            edges = (queuewise if subordinates.slots is None else slotwise).setdefault(queue.name, {})
            for subordinate in subordinates.queues:
                child = queues.get(subordinate.queue)
                if child is not None:
                    common = frozenset(hosts) & frozenset(instance_hosts(cluster, child))
                    edges[child.name] = edges.get(child.name, frozenset()) | common
    return slotwise, queuewise


def _readable(queue: ConfigObject) -> bool:
    return read_field("subordinate_list", queue.text("subordinate_list")).rule is None
