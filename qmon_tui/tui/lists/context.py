"""What a list shows about its objects beside their fields, gathered from the workspace."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from qmon_tui.model.cluster import Cluster
from qmon_tui.model.findings import Finding, Severity
from qmon_tui.model.kinds import Kind
from qmon_tui.tui.lists.columns import HostUse, ListContext, QueueUse
from qmon_tui.workspace.workspace import Workspace

if TYPE_CHECKING:
    from qmon_tui.scheduler.outcome import Outcome

_RANK = {Severity.ERROR: 0, Severity.WARNING: 1, Severity.INFO: 2}


def list_context(workspace: Workspace, kind: Kind) -> ListContext:
    """Marks, references and the last run's figures for the objects of one kind: before the first run, none."""
    result = workspace.result
    return ListContext(
        workspace.cluster,
        worst=worst_findings(result.findings, kind) if result else {},
        dirty=frozenset(change.name for change in workspace.changes() if change.kind is kind),
        used_by=used_by_counts(workspace.cluster, kind) if result and kind is Kind.COMPLEX else {},
        queues=queue_use(result.outcome) if result and result.outcome and kind is Kind.QUEUE else {},
        hosts=host_use(result.outcome, workspace.state.loads)
        if result and result.outcome and kind is Kind.HOST
        else {},
    )


def worst_findings(findings: Iterable[Finding], kind: Kind) -> Mapping[str, Severity]:
    """Object name -> the worst severity found about it; notes are no mark."""
    worst: dict[str, Severity] = {}
    for finding in findings:
        if finding.kind == kind and finding.severity is not Severity.INFO:
            before = worst.get(finding.name, Severity.INFO)
            worst[finding.name] = min(before, finding.severity, key=_RANK.__getitem__)
    return worst


def queue_use(outcome: "Outcome") -> Mapping[str, QueueUse]:
    """Cluster queue -> slots used and total, and how many of its instances are in which state."""
    used: dict[str, int] = {}
    total: dict[str, int] = {}
    states: dict[str, dict[str, int]] = {}
    for instance in outcome.queue_instances:
        queue = instance.name.partition("@")[0]
        used[queue] = used.get(queue, 0) + instance.used
        total[queue] = total.get(queue, 0) + instance.total
        counts = states.setdefault(queue, {})
        counts[instance.state] = counts.get(instance.state, 0) + 1
    return {queue: QueueUse(used[queue], total[queue], states[queue]) for queue in used}


def host_use(outcome: "Outcome", loads: Mapping[str, Mapping[str, str]]) -> Mapping[str, HostUse]:
    """Host -> slots used and total on it, and its reported load."""
    slots: dict[str, tuple[int, int]] = {}
    for instance in outcome.queue_instances:
        host = instance.name.partition("@")[2]
        used, total = slots.get(host, (0, 0))
        slots[host] = (used + instance.used, total + instance.total)
    hosts = dict.fromkeys((*slots, *loads))
    return {host: HostUse(*slots.get(host, (0, 0)), loads.get(host, {}).get("np_load_avg", "")) for host in hosts}


def used_by_counts(cluster: Cluster, kind: Kind) -> Mapping[str, int]:
    """Object name -> how many places in other objects name it."""
    from qmon_tui.model.references import references_to  # late: the first frame shows none of it

    return {name: len(references_to(cluster, kind, name)) for name in cluster.objects(kind)}
