"""A widget that shows lines of text whose parts carry ideas; user text in them is never markup."""

from collections.abc import Mapping, Sequence

from rich.style import Style
from rich.text import Text
from textual.widgets import Static

from qmon_tui.tui.base.themes import role_styles
from qmon_tui.tui.present import Line, TextRole, visible


class QLines(Static):
    """Some lines of text, drawn in the looks of the current theme."""

    DEFAULT_CSS = "QLines { height: auto; }"

    def __init__(
        self,
        lines: Sequence[Line] = (),
        *,
        id: str | None = None,  # noqa: A002
        classes: str | None = None,
    ) -> None:
        super().__init__(markup=False, id=id, classes=classes)
        self._lines = tuple(lines)

    def on_mount(self) -> None:
        """Draw, and draw again when the theme changes."""
        self.watch(self.app, "theme", self._redraw)

    def show(self, lines: Sequence[Line]) -> None:
        """Show other lines."""
        if tuple(lines) != self._lines:
            self._lines = tuple(lines)
            if self.is_attached:
                self._redraw()

    def _redraw(self) -> None:
        self.update(text_of(self._lines, role_styles(self.app)))


def text_of(lines: Sequence[Line], styles: Mapping[TextRole, Style]) -> Text:
    """The lines as Rich draws them."""
    text = Text(no_wrap=True, end="")
    for number, line in enumerate(lines):
        if number:
            text.append("\n")
        for span in line:
            text.append(visible(span.text), styles[span.role])
    return text
