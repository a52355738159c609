"""Checking a cluster, one object, and whether an object may be deleted."""

from collections.abc import Callable, Iterator, Mapping

from qmon_tui.checks.complex_list import entry_findings, list_findings
from qmon_tui.checks.queues import queue_findings
from qmon_tui.model.cluster import Cluster, ConfigObject
from qmon_tui.model.findings import Finding
from qmon_tui.model.kinds import Kind
from qmon_tui.model.state import State

_CHECKS: Mapping[Kind, Callable[[Cluster, ConfigObject], Iterator[Finding]]] = {
    Kind.COMPLEX: entry_findings,
    Kind.QUEUE: queue_findings,
}


def check(cluster: Cluster, state: State | None = None) -> tuple[Finding, ...]:
    """Everything that is wrong with a cluster, in the order of kinds and objects; never raises."""
    found: list[Finding] = []
    for kind in Kind:
        if kind is Kind.COMPLEX:
            found += list_findings(cluster)
        elif kind in _CHECKS:
            for obj in cluster.objects(kind).values():
                found += _CHECKS[kind](cluster, obj)
    return tuple(found)


def check_object(cluster: Cluster, obj: ConfigObject) -> tuple[Finding, ...]:
    """Everything that is wrong with one object as a new one or as a change of the one of its name in the cluster.

    Errors come in the order in which the qmaster finds them: the first has the text with which it refuses.
    """
    checks = _CHECKS.get(obj.kind)
    return tuple(checks(cluster, obj)) if checks else ()
