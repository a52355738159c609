"""What taking over a complex table from a file would change; no Textual here.

Source: validation/complex.md section 7: additions, modifications and deletions are independent, and a refused deletion
does not stop the others.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from qmon_tui.checks import check_object, deletion_refusals
from qmon_tui.model.cluster import Cluster, ConfigObject
from qmon_tui.model.findings import Finding, Severity
from qmon_tui.model.kinds import Kind
from qmon_tui.tui.present.change_lines import change_lines
from qmon_tui.tui.present.spans import Line, Span, TextRole, wrap
from qmon_tui.workspace.difference import ObjectChange, What, differences
from qmon_tui.workspace.edits import ReplaceKind


@dataclass(frozen=True, slots=True)
class ComplexLoad:
    """All entries as they would be, how that differs from now, and what the qmaster would say to it."""

    objects: tuple[ConfigObject, ...]
    changes: tuple[ObjectChange, ...]
    kept: tuple[Finding, ...]
    """Entries that the file leaves out but whose deletion is refused: they stay."""
    findings: tuple[Finding, ...]
    """Errors and warnings about the entries that are added or changed."""


def complex_load(cluster: Cluster, entries: Sequence[ConfigObject]) -> ComplexLoad:
    """Compare the entries of a file with those of the cluster."""
    named = {entry.name for entry in entries}
    present = cluster.objects(Kind.COMPLEX)
    refusals = {
        name: refused
        for name in present
        if name not in named
        and (refused := [f for f in deletion_refusals(cluster, Kind.COMPLEX, name) if f.severity is Severity.ERROR])
    }
    objects = (*(present[name] for name in refusals), *entries)
    after = ReplaceKind(Kind.COMPLEX, objects).apply(cluster)
    changes = differences(cluster, after)
    findings = [
        finding
        for change in changes
        if change.what is not What.REMOVED and isinstance(change.after, ConfigObject)
        for finding in check_object(after, change.after)
        if finding.severity is not Severity.INFO
    ]
    return ComplexLoad(objects, changes, tuple(refused[0] for refused in refusals.values()), tuple(findings))


def load_lines(load: ComplexLoad, cells: int) -> tuple[Line, ...]:
    """The difference to show before it is taken over."""
    lines: list[Line] = []
    if load.kept:
        lines += wrap(f"{len(load.kept)} entries are not in the file but stay, since they cannot be deleted:", cells)
        for finding in load.kept[:3]:
            lines += wrap(finding.message, cells, TextRole.DIM, first="  ", rest="  ")
        if len(load.kept) > 3:
            lines.append((Span(f"  and {len(load.kept) - 3} more", TextRole.DIM),))
        lines.append(())
    for finding in load.findings:
        error = finding.severity is Severity.ERROR
        sign, role = ("✗ ", TextRole.ERROR) if error else ("! ", TextRole.WARNING)
        lines += wrap(f"{finding.name}: {finding.message}", cells, role, first=sign, rest="  ")
    if load.findings:
        lines.append(())
    return (*lines, *change_lines(load.changes, cells))
