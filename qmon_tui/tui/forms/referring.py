"""Who refers to an object, in words; no Textual here."""

from collections.abc import Sequence

from qmon_tui.model.references import Reference
from qmon_tui.tui.forms.drawing import LABEL_GAP, value_column
from qmon_tui.tui.present.spans import Line, Span, TextRole, fit, left, line, wrap

_MOST_LINES = 3
USED_BY = "used by"
"""The label of the row."""


def words_of(reference: Reference) -> str:
    """Where a reference stands: `queue all.q complex_values [node01]`."""
    place = f"{reference.kind} {reference.name}" if reference.kind.value != reference.name else reference.name
    return f"{place} {reference.field}" + (f" [{reference.key}]" if reference.key else "")


def used_by_lines(references: Sequence[Reference], cells: int, labels: int, *, focused: bool) -> tuple[Line, ...]:
    """The references of each field together, as far as three lines go."""
    indent = value_column(labels)
    room = max(cells - indent, 10)
    rows = [text for group in _grouped(references) for text in wrap(group, room, TextRole.DIM, rest="  ")]
    if len(rows) > _MOST_LINES:
        shown = " ".join(span.text for row in rows[:_MOST_LINES] for span in row)
        hidden = len(references) - sum(f" {reference.name}" in shown for reference in references)
        more = f"and {max(hidden, 1)} more"
        rows[_MOST_LINES - 1 :] = [(*fit(rows[_MOST_LINES - 1], room - len(more) - 1), Span(f" {more}", TextRole.DIM))]
    label = Span(left(USED_BY, labels), TextRole.ACCENT if focused else TextRole.PLAIN)
    head = line(Span("▸" if focused else " ", TextRole.ACCENT), "  ", label, " " * LABEL_GAP)
    first, *others = rows or [()]
    return ((*head, *first), *((Span(" " * indent), *row) for row in others))


def _grouped(references: Sequence[Reference]) -> list[str]:
    """`complex_values of host gpu01, gpu02`: who refers with the same field, in a line."""
    groups: dict[tuple[str, str], list[str]] = {}
    for reference in references:
        name = reference.name + (f" [{reference.key}]" if reference.key else "")
        groups.setdefault((reference.field, reference.kind.value), []).append(name)
    return [f"{field} of {kind} {', '.join(names)}" for (field, kind), names in groups.items()]
