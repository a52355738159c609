"""Findings as table rows and as paragraphs: sign, severity, place, message and how to fix it."""

from collections.abc import Sequence

from qmon_tui.model import Finding, Severity
from qmon_tui.report.spans import Line, Span, TextRole, fit, left, wrap
from qmon_tui.report.table_rows import ListRows, contains, longest

SIGNS = {
    Severity.ERROR: Span("✗", TextRole.ERROR),
    Severity.WARNING: Span("!", TextRole.WARNING),
    Severity.INFO: Span("·", TextRole.DIM),
}
_ORDER = {Severity.ERROR: 0, Severity.WARNING: 1, Severity.INFO: 2}


def place(finding: Finding) -> str:
    """Return the place: `queue all.q slots`, or file and line if it is about no object."""
    name = finding.name if finding.name != finding.kind else ""  # a kind with one object gives it its own name
    return " ".join(part for part in (finding.kind, name, finding.field) if part) or location(finding)


def location(finding: Finding) -> str:
    """Return file, line and column; empty if it was not read from a file."""
    if not finding.file:
        return ""
    column = f":{finding.column}" if finding.column else ""
    return f"{finding.file}:{finding.line}{column}" if finding.line else finding.file


class FindingRows(ListRows[Finding]):
    """Findings as rows, errors first, in the order of the cluster within one severity."""

    def __init__(self, findings: Sequence[Finding]) -> None:
        super().__init__(sorted(findings, key=lambda finding: _ORDER[finding.severity]))
        self._place = longest([place(finding) for finding in findings], 12, 34)

    def line(self, index: int, cells: int) -> Line:
        finding = self.items[index]
        where = min(self._place, max(12, cells // 3))
        return fit(
            (
                SIGNS[finding.severity],
                Span(f" {left(place(finding), where)}  ", TextRole.STRONG),
                Span(finding.message),
            ),
            cells,
        )

    def text(self, index: int) -> str:
        finding = self.items[index]
        return " ".join(filter(None, (finding.severity, place(finding), finding.message, location(finding))))

    def containing(self, words: str) -> "FindingRows":
        """Return only the rows whose text contains all of the words."""
        return FindingRows([finding for i, finding in enumerate(self.items) if contains(self.text(i), words)])


def finding_lines(finding: Finding, cells: int) -> tuple[Line, ...]:
    """Return all lines about one finding."""
    sign = SIGNS[finding.severity]
    lines: list[Line] = [(sign, Span(f" {finding.severity}", sign.role), Span(f"  {place(finding)}", TextRole.STRONG))]
    lines.extend(wrap(finding.message, cells))
    if finding.hint:
        lines.extend(wrap(finding.hint, cells, TextRole.ADDED, first="→ ", rest="  "))
    where = location(finding)
    lines.extend(wrap("   ".join(filter(None, (where, f"rule {finding.rule}"))), cells, TextRole.DIM))
    return tuple(lines)


_MARGIN_SIGNS = {
    Severity.ERROR: Span("✗ ", TextRole.ERROR),
    Severity.WARNING: Span("! ", TextRole.WARNING),
    Severity.INFO: Span("i ", TextRole.DIM),
}


def field_finding_lines(finding: Finding, cells: int, indent: int) -> tuple[Line, ...]:
    """Return a finding in the qmaster's words, and below it how to fix it."""
    role = TextRole.ERROR if finding.severity is Severity.ERROR else TextRole.PLAIN
    lead = " " * indent
    lines: list[Line] = []
    for part in finding.message.split("\n"):
        lines += wrap(part, cells, role, first=f"{lead}  ", rest=f"{lead}  ")
    hints = wrap(finding.hint, cells, TextRole.DIM, first=f"{lead}  ", rest=f"{lead}  ") if finding.hint else ()
    first = lines[0] if lines else ()
    return ((Span(lead), _MARGIN_SIGNS[finding.severity], *first[1:]), *lines[1:], *hints)
