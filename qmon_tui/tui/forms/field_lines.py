"""A row of a form as lines of text, cut and wrapped to its width; no Textual here."""

from collections.abc import Iterable
from itertools import zip_longest

from qmon_tui.model import Severity
from qmon_tui.report import Line, Span, TextRole, crop, field_finding_lines, fit, left, line, width, wrap
from qmon_tui.tui.forms.editors import Editor
from qmon_tui.tui.forms.field_view import FieldView

MARGIN = 3
"""Cells of cursor, edit mark and blank."""
LABEL_GAP = 2
LONG_VALUE = 4
"""Lines that a long value may take in the row that has the focus."""
MANY_LINES = 12
"""Most lines shown of a value with several: rules of a quota set, nodes of a share tree."""
ROOMY = 44
"""Findings are indented like the value if that leaves this many cells, else less."""


def label_width(names: Iterable[str], cells: int) -> int:
    """Return the width of the labels of a tab, in cells; a narrow form crops long ones."""
    return min(max((len(name) for name in names), default=0), max(cells * 2 // 5, 8))


def value_column(labels: int) -> int:
    """Return the cell in which values begin."""
    return MARGIN + labels + LABEL_GAP


def row_lines(view: FieldView, cells: int, labels: int, *, focused: bool, editing: bool = False) -> tuple[Line, ...]:
    """Return the lines of a row: label, value and notes, then findings. While editing, the value is left blank."""
    indent = value_column(labels)
    room = max(cells - indent, 10)
    label_role = TextRole.ACCENT if focused else TextRole.DIM if view.locked else TextRole.PLAIN
    head = line(
        Span("▸" if focused else " ", TextRole.ACCENT),
        Span("●" if view.edited else " ", TextRole.CHANGED),
        " ",
        Span(left(view.field.name, labels), label_role),
        " " * LABEL_GAP,
    )
    shown = () if editing else _value(view)
    notes = _notes(view)
    texts = "".join(span.text for span in shown)
    lines: list[Line] = []
    if "\n" in view.value and not editing:
        texts_of = view.value.split("\n")
        role = shown[0].role
        for number, text in enumerate(texts_of[:MANY_LINES]):
            lines.append((*(head if not number else (Span(" " * indent),)), Span(crop(text, room), role)))
        if len(texts_of) > MANY_LINES:
            lines.append((Span(" " * indent), Span(f"and {len(texts_of) - MANY_LINES} more lines", TextRole.DIM)))
    elif focused and not editing and width(shown) > room:
        first, *rest = wrap(texts, room, shown[0].role)[:LONG_VALUE]
        lines = [(*head, *first), *((Span(" " * indent), *more) for more in rest)]
        if notes:
            lines.append(fit((Span(" " * indent), *notes), cells))
    else:
        keep = min(width(notes) + 2, room // 2) if notes else 0
        value = fit(shown, max(room - keep, 4))
        pad = left("", editing_width(cells, labels)) if editing else ""
        lines = [fit((*head, *value, Span(pad), *((Span("  "), *notes) if notes else ())), cells)]
    return (*lines, *_remarks(view, cells, indent))


def editing_width(cells: int, labels: int) -> int:
    """Return the cells of the input in a row; the rest is for the hint about the typed text."""
    room = max(cells - value_column(labels), 10)
    return max(room - min(room // 3, 24), 10)


def _value(view: FieldView) -> Line:
    role = TextRole.STRONG if view.overriding else TextRole.PLAIN if view.given else TextRole.DIM
    text = view.value
    if view.locked:
        return (Span(text or "-", TextRole.DIM),)
    if view.editor in (Editor.CHOICE, Editor.FLAGS):
        return (Span("‹", TextRole.DIM), Span(text, role), Span("›", TextRole.DIM))
    return (Span(text or "-", role if text else TextRole.DIM),)


def _notes(view: FieldView) -> Line:
    notes: list[Span] = []
    if view.hint:
        notes.append(Span(view.hint, TextRole.DIM))
    if view.origin:
        words = "default value" if view.origin == "default" else f"same as for {view.origin}"
        notes.append(Span(words, TextRole.DIM))
    if view.ambiguous:
        notes.append(Span("ambiguous", TextRole.WARNING))
    if view.overriding:
        notes.append(Span("◆", TextRole.ACCENT))
    if view.overrides:
        notes.append(Span(f"◆ {view.overrides}", TextRole.ACCENT))
    spaced: list[Span] = []
    for note in notes:
        spaced += [Span("  "), note] if spaced else [note]
    return tuple(spaced)


def _remarks(view: FieldView, cells: int, indent: int) -> tuple[Line, ...]:
    if cells - indent < ROOMY:
        indent = MARGIN + 2
    remarks = [text for finding in view.findings for text in field_finding_lines(finding, cells, indent)]
    if view.stored is not None and view.worst is not Severity.ERROR:
        stored = crop(_stored_words(view.value, view.stored), max(cells - indent - 2, 10))
        remarks.append(line(" " * indent, Span("→ ", TextRole.DIM), Span(stored, TextRole.DIM)))
    return tuple(remarks)


def _stored_words(text: str, stored: str) -> str:
    """Return how the qmaster would store a value; of a value with several lines, the first line that it changes."""
    lines, kept = text.split("\n"), stored.split("\n")
    if len(kept) == 1:
        return f"will be stored as {stored}"
    changed = [pair for pair in zip_longest(lines, kept, fillvalue="") if pair[0] != pair[1]]
    before, after = changed[0]
    others = f", and {len(changed) - 1} other lines rewritten" if len(changed) > 1 else ""
    return f"{before} will be stored as {after}{others}"
