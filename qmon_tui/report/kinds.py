"""The left pane: pages, then kinds with number of objects, unsaved edits and worst finding."""

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass

from qmon_tui.model import Cluster, Finding, Kind, Severity, StateKind
from qmon_tui.model.catalogue import specs
from qmon_tui.report.findings import SIGNS
from qmon_tui.report.spans import Line, Span, TextRole, first_clauses, fit, left, right
from qmon_tui.report.table_rows import ListRows
from qmon_tui.workspace import ObjectChange, listed_objects

_SHORT: dict[str, str] = {Kind.PE: "Parallel env."}
"""Kind -> short title, if its title is too long for the pane."""
_TITLE = 20
_DIGITS = 4
_SHOWN_AT: dict[str, Kind] = {StateKind.LOADS: Kind.HOST, StateKind.DRAIN: Kind.HOST, StateKind.USAGE: Kind.SHARETREE}
"""Kind of state item -> the kind whose form edits it; other items have their own pages."""


@dataclass(frozen=True, slots=True)
class KindRow:
    """One kind or page. `count` is None for a kind with exactly one object, `worst` None without findings."""

    key: Kind | str
    """The kind, or the id of the page."""
    title: str
    count: int | None
    help: str
    changed: bool = False
    worst: Severity | None = None


def kind_rows(
    cluster: Cluster, changes: Iterable[ObjectChange] = (), findings: Iterable[Finding] = ()
) -> tuple[KindRow, ...]:
    """Return a row for each kind, in the catalogue's order."""
    changed = {_SHOWN_AT.get(change.kind, change.kind) for change in changes}
    worst = _worst(findings)
    return tuple(
        KindRow(
            kind,
            declared.title,
            None if declared.single else len(listed_objects(cluster, kind)),
            declared.help,
            kind in changed,
            worst.get(kind.value),
        )
        for kind, declared in specs().items()
    )


def _worst(findings: Iterable[Finding]) -> Mapping[str, Severity]:
    worst: dict[str, Severity] = {}
    for finding in findings:
        if finding.severity is Severity.ERROR or (finding.severity is Severity.WARNING and finding.kind not in worst):
            worst[finding.kind] = finding.severity
    return worst


class KindRows(ListRows[KindRow]):
    """The kinds as table rows."""

    def key(self, index: int) -> Hashable:
        return self.items[index].key

    def line(self, index: int, cells: int) -> Line:
        row = self.items[index]
        finding = SIGNS[row.worst] if row.worst else Span(" ")
        number = "" if row.count is None else str(row.count)
        # A long number shortens the title.
        digits = _DIGITS if len(number) <= _DIGITS else len(number) + 1
        title = left(_SHORT.get(row.key, row.title), max(4, min(_TITLE, cells - 6) + _DIGITS - digits))
        help_text = first_clauses(row.help, cells - _TITLE - _DIGITS - 5) if cells > _TITLE + 16 else ""
        return fit(
            (
                Span("●", TextRole.CHANGED) if row.changed else Span(" "),
                finding,
                Span(title, TextRole.PLAIN if row.count != 0 else TextRole.DIM),
                Span(right(number, digits), TextRole.DIM),
                # Only a wide pane has room for the help text.
                Span(f"   {help_text}", TextRole.DIM),
            ),
            cells,
        )

    def text(self, index: int) -> str:
        row = self.items[index]
        return f"{row.title} {'' if row.count is None else row.count}".strip()
