"""Objects as rows of a table, filtered, sorted and marked, with figures of the last run; no Textual here."""

from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from qmon_tui.model import Cluster, ConfigObject, Finding, Kind, Severity
from qmon_tui.report import BLANK, Cell, Column, GridRow, TextRole, natural_order, shown_figure
from qmon_tui.tui.lists.object_columns import HostUse, ListColumn, ListContext, QueueUse
from qmon_tui.tui.lists.object_filter import object_filter, object_filter_rows
from qmon_tui.workspace import Figures, Workspace, listed_objects

if TYPE_CHECKING:
    from qmon_tui.model import Outcome


SEVERITY_SIGNS = {
    Severity.ERROR: Cell("✗", TextRole.ERROR),
    Severity.WARNING: Cell("!", TextRole.WARNING),
    Severity.INFO: Cell("i", TextRole.DIM),
}
EDITED = Cell("●", TextRole.CHANGED)
MARKED = Cell("✓", TextRole.ACCENT)


def object_rows(objects: Iterable[ConfigObject], columns: Sequence[ListColumn], context: ListContext) -> list[GridRow]:
    """Return one row per object, in the given order."""
    return [
        GridRow(obj.name, tuple(column.cell(obj, context) for column in columns), _signs(obj.name, context))
        for obj in objects
    ]


def filtered(
    rows: Sequence[GridRow], text: str, kind: Kind, context: ListContext, columns: Sequence[Column],
    kept: Collection[Hashable] = (),
) -> tuple[list[GridRow], str]:  # fmt: skip
    """Return the rows that the filter accepts or that are in `kept`, and the problem of the filter if it has one."""
    keys = tuple(column.key for column in columns)
    row_filter = object_filter(text, context.cluster, kind, keys)
    if not row_filter:
        return list(rows), row_filter.problem
    objects = listed_objects(context.cluster, kind)
    candidates = object_filter_rows(context.cluster, objects, rows, keys, context.letters)
    accepted = [row for row in candidates if row.row.key in kept or row_filter.accepts(row)]
    return [row.row for row in accepted], row_filter.problem


def ordered(rows: Iterable[GridRow], index: int, *, descending: bool = False) -> list[GridRow]:
    """Sort rows by a column: numbers by value, before words; digits within words count as numbers."""
    return sorted(rows, key=lambda row: natural_order(row.cells[index].text), reverse=descending)


def _signs(name: str, context: ListContext) -> tuple[Cell, ...]:
    worst = context.worst.get(name)
    return (EDITED if name in context.dirty else BLANK, SEVERITY_SIGNS[worst] if worst else BLANK)


_RANK = {Severity.ERROR: 0, Severity.WARNING: 1, Severity.INFO: 2}


def list_context(workspace: Workspace, kind: Kind) -> ListContext:
    """Return the context of a kind's list: marks, references, and figures of the last run (empty before the first)."""
    result = workspace.result
    return ListContext(
        workspace.cluster,
        worst=worst_findings(result.findings, kind) if result else {},
        dirty=frozenset(change.name for change in workspace.changes() if change.kind is kind),
        used_by=used_by_counts(workspace.cluster, kind) if result and kind is Kind.COMPLEX else {},
        queues=queue_use(result.outcome, workspace.figures) if result and result.outcome and kind is Kind.QUEUE else {},
        hosts=host_use(result.outcome, workspace.state.loads, workspace.figures)
        if result and result.outcome and kind is Kind.HOST
        else {},
        drains=workspace.state.drains,
        letters={instance.name: instance.state for instance in result.outcome.instances_before}
        if result and result.outcome
        else {},
    )


def worst_findings(findings: Iterable[Finding], kind: Kind) -> Mapping[str, Severity]:
    """Return object name -> worst severity of its findings; INFO is left out."""
    worst: dict[str, Severity] = {}
    for finding in findings:
        if finding.kind == kind and finding.severity is not Severity.INFO:
            before = worst.get(finding.name, Severity.INFO)
            worst[finding.name] = min(before, finding.severity, key=_RANK.__getitem__)
    return worst


def queue_use(outcome: "Outcome", figures: Figures) -> Mapping[str, QueueUse]:
    """Return cluster queue -> slots used and total, and its number of instances per state."""
    states: dict[str, dict[str, int]] = {}
    for instance in outcome.queue_instances if figures is Figures.NEXT else outcome.instances_before:
        counts = states.setdefault(instance.name.partition("@")[0], {})
        counts[instance.state] = counts.get(instance.state, 0) + 1
    return {queue: QueueUse(*slots, states.get(queue, {})) for queue, slots in _slots(outcome, figures, 0).items()}


def host_use(outcome: "Outcome", loads: Mapping[str, Mapping[str, str]], figures: Figures) -> Mapping[str, HostUse]:
    """Return host -> its slots, used and total, and its reported load."""
    slots = _slots(outcome, figures, 2)
    hosts = dict.fromkeys((*slots, *loads))
    return {host: HostUse(*slots.get(host, ("0", 0)), loads.get(host, {}).get("np_load_avg", "")) for host in hosts}


def _slots(outcome: "Outcome", figures: Figures, part: int) -> Mapping[str, tuple[str, int]]:
    """Return queue (`part` 0 of `queue@host`) or host (2) -> used slots as shown, and total slots."""
    now, after, total = Counter[str](), Counter[str](), Counter[str]()
    for used, instances in ((now, outcome.instances_before), (after, outcome.queue_instances)):
        for instance in instances:
            used[instance.name.partition("@")[part]] += instance.used
    for instance in outcome.queue_instances:
        total[instance.name.partition("@")[part]] += instance.total
    return {name: (shown_figure(figures, str(now[name]), str(after[name])), total[name]) for name in total}


def used_by_counts(cluster: Cluster, kind: Kind) -> Mapping[str, int]:
    """Return object name -> number of references to it."""
    from qmon_tui.model import references_to  # late: the first frame shows none of it

    return {name: len(references_to(cluster, kind, name)) for name in cluster.objects(kind)}
