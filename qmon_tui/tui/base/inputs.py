"""One-line inputs without a frame, used wherever something is typed."""

from typing import ClassVar

from textual import events
from textual.binding import BindingType
from textual.widgets import Input
from textual.widgets.input import Selection

from qmon_tui.tui.base.bindings import local_bindings


class QInput(Input):
    """An input of one line without a border; the widget that opened it handles Esc."""

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
    """An input that filters a table below it; its arrows move the table's cursor by the screen's `action_step`.

    The lines of a pasted text are joined with blanks.
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
