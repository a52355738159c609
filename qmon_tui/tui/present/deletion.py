"""What speaks against deleting an object: who uses it, and what the qmaster would say."""

from collections.abc import Sequence

from qmon_tui.model.findings import Finding
from qmon_tui.model.references import Reference
from qmon_tui.tui.present.spans import Idea, Line, Span, wrap
from qmon_tui.tui.present.words import count


def deletion_lines(
    words: str, refusals: Sequence[Finding], references: Sequence[Reference], cells: int
) -> tuple[Line, ...]:
    """The refusals in the qmaster's words, then each reference with its field."""
    lines: list[Line] = []
    for finding in refusals:
        lines.extend(wrap(finding.message, cells, Idea.ERROR, first="✗ ", rest="  "))
        if finding.hint:
            lines.extend(wrap(finding.hint, cells, Idea.ADDED, first="→ ", rest="  "))
    if references:
        lines.append((Span(f"Used by {count(len(references), 'place')}:", Idea.TITLE),))
        for reference in references:
            where = f" for {reference.key}" if reference.key else ""
            lines.extend(
                wrap(f"{reference.kind} {reference.name}: {reference.field}{where}", cells, first="· ", rest="  ")
            )
    elif not refusals:
        lines.extend(wrap(f"Nothing refers to {words}. Undo brings it back.", cells))
    return tuple(lines)
