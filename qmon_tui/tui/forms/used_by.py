"""The last row of a form: the references to its object, as links."""

from collections.abc import Sequence
from typing import ClassVar

from rich.text import Text
from textual.binding import BindingType
from textual.geometry import Size
from textual.message import Message
from textual.widget import Widget

from qmon_tui.model import Reference
from qmon_tui.report import Line, Span, TextRole, fit, left, line, wrap
from qmon_tui.tui.base import local_bindings, role_styles, text_of
from qmon_tui.tui.forms.field_lines import LABEL_GAP, value_column

_MOST_LINES = 3
USED_BY = "used by"
"""The label of the row."""


def reference_words(reference: Reference) -> str:
    """Return the text for a reference: `queue all.q complex_values [node01]`."""
    place = f"{reference.kind} {reference.name}" if reference.kind.value != reference.name else reference.name
    return f"{place} {reference.field}" + (f" [{reference.key}]" if reference.key else "")


def used_by_lines(references: Sequence[Reference], cells: int, labels: int, *, focused: bool) -> tuple[Line, ...]:
    """Return the references grouped by field, on at most three lines."""
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
    """Return a text for each field and kind that refers: `complex_values of host gpu01, gpu02`."""
    groups: dict[tuple[str, str], list[str]] = {}
    for reference in references:
        name = reference.name + (f" [{reference.key}]" if reference.key else "")
        groups.setdefault((reference.field, reference.kind.value), []).append(name)
    return [f"{field} of {kind} {', '.join(names)}" for (field, kind), names in groups.items()]


class UsedBy(Widget):
    """Row with the references to the object; Enter or a click asks which one to go to."""

    DEFAULT_CSS = """
    UsedBy { height: auto; width: 1fr; }
    UsedBy:focus { background: $surface; }
    UsedBy:hover { background: $boost; }
    """
    BINDINGS: ClassVar[list[BindingType]] = local_bindings({
        "open": "open",
        "pick": "open",
    })  # fmt: skip

    class Opened(Message):
        """The user wants to go to one of the references."""

    def __init__(self) -> None:
        super().__init__()
        self.references: tuple[Reference, ...] = ()
        self._labels = 0

    def show(self, references: tuple[Reference, ...], labels: int) -> None:
        if (references, labels) != (self.references, self._labels):
            before = len(self._lines(self.size.width))
            self.references, self._labels = references, labels
            self.refresh(layout=len(self._lines(self.size.width)) != before)

    def _lines(self, cells: int) -> tuple[Line, ...]:
        return used_by_lines(self.references, cells, self._labels, focused=self.has_focus)

    def render(self) -> Text:
        return text_of(self._lines(self.size.width), role_styles(self.app))

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return len(self._lines(width))

    def on_focus(self) -> None:
        """Redraw the label, which shows the focus."""
        self.refresh()

    def on_blur(self) -> None:
        self.refresh()

    def on_click(self) -> None:
        self.action_open()

    def action_open(self) -> None:
        self.post_message(self.Opened())
