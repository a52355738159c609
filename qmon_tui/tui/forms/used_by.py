"""The last row of a form: which other objects refer to this one, and the way to them."""

from typing import ClassVar

from rich.text import Text
from textual.binding import BindingType
from textual.geometry import Size
from textual.message import Message
from textual.widget import Widget

from qmon_tui.model.references import Reference
from qmon_tui.tui.base.bindings import local_bindings
from qmon_tui.tui.base.lines import text_of
from qmon_tui.tui.forms.referring import used_by_lines
from qmon_tui.tui.present.spans import Line
from qmon_tui.tui.themes import looks


class UsedBy(Widget):
    """Says who refers to the object; Enter or a click asks which of them to go to."""

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
        """Show other references."""
        if (references, labels) != (self.references, self._labels):
            self.references, self._labels = references, labels
            self.refresh(layout=True)

    def _lines(self, cells: int) -> tuple[Line, ...]:
        return used_by_lines(self.references, cells, self._labels, focused=self.has_focus)

    def render(self) -> Text:
        """The references as lines."""
        return text_of(self._lines(self.size.width), looks(self.app))

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """As many lines as there are."""
        return len(self._lines(width))

    def on_focus(self) -> None:
        """The label shows the focus."""
        self.refresh()

    def on_blur(self) -> None:
        """And that it went."""
        self.refresh()

    def on_click(self) -> None:
        """As Enter."""
        self.action_open()

    def action_open(self) -> None:
        """Ask which reference to go to."""
        self.post_message(self.Opened())
