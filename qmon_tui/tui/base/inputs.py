"""One-line input without a frame, the same wherever something is typed."""

from typing import ClassVar

from textual import events
from textual.binding import BindingType
from textual.widgets import Input
from textual.widgets.input import Selection

from qmon_tui.tui.base.bindings import local_bindings


class QInput(Input):
    """An input of one line: no border, quiet surface; Esc is left to the widget that opened it."""

    DEFAULT_CSS = """
    QInput, QInput:focus {
        height: 1;
        border: none;
        padding: 0 1;
        background: $panel;
        color: $foreground;
    }
    """

    def __init__(
        self,
        value: str = "",
        *,
        placeholder: str = "",
        select_on_focus: bool = False,
        id: str | None = None,  # noqa: A002
        classes: str | None = None,
    ) -> None:
        super().__init__(
            value,
            placeholder=placeholder,
            select_on_focus=select_on_focus,
            compact=True,
            id=id,
            classes=classes,
        )

    def select_all(self) -> None:
        self.selection = Selection(0, len(self.value))


class FilterInput(QInput):
    """An input that narrows a table below it, whose cursor its arrows move by the screen's `action_step`.

    Of a pasted text it takes all lines, with blanks between them.
    """

    BINDINGS: ClassVar[list[BindingType]] = local_bindings({
        "typing.up": "screen.step(-1)",
        "typing.down": "screen.step(1)",
        "typing.page-up": "screen.step(-10)",
        "typing.page-down": "screen.step(10)",
    })  # fmt: skip

    def _on_paste(self, event: events.Paste) -> None:
        event.prevent_default().stop()
        self.replace(" ".join(event.text.split()), *self.selection)
