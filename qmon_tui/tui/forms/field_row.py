"""One field of a form: a drawn line, with an input only while it is being edited."""

from dataclasses import dataclass
from typing import ClassVar

from rich.text import Text
from textual import events
from textual.binding import BindingType
from textual.geometry import Size
from textual.message import Message
from textual.widget import Widget

from qmon_tui.model import Severity, ValueType
from qmon_tui.report import Line
from qmon_tui.tui.base import QInput, local_bindings, role_styles, text_of
from qmon_tui.tui.forms.editors import TYPED
from qmon_tui.tui.forms.field_lines import editing_width, row_lines, value_column
from qmon_tui.tui.forms.field_view import FieldView
from qmon_tui.tui.keys import COMMAND_CHARACTERS

# The first typed character replaces these short values; longer ones are edited.
_REPLACED = {ValueType.UNSIGNED, ValueType.NUMBER, ValueType.DOUBLE, ValueType.TIME, ValueType.MEMORY}
_REPLACED_FIELDS = {"default", "priority"}


class RowInput(QInput):
    """The input of a row; leaves the row's keys to the row."""

    BINDINGS: ClassVar[list[BindingType]] = local_bindings({
        "typing.up": "leave(-1)",
        "typing.down": "leave(1)",
        "typing.next": "leave(1)",
        "typing.before": "leave(-1)",
        "typing.drop": "give_up",
        "typing.helper": "help_me",
    })  # fmt: skip

    def action_leave(self, by: int) -> None:
        self.row.finish(by)

    def action_give_up(self) -> None:
        self.row.give_up()

    def action_help_me(self) -> None:
        self.row.action_request("pick")

    async def action_submit(self) -> None:
        self.row.finish(0)

    @property
    def row(self) -> "FieldRow":
        assert isinstance(self.parent, FieldRow)
        return self.parent

    def on_blur(self) -> None:
        """Keep the text, however the input loses the focus."""
        if self.parent is not None:
            self.row.finish(None)


class FieldRow(Widget):
    """Label, value, notes and findings of one field. Posts requests of the user; the form carries them out."""

    DEFAULT_CSS = """
    FieldRow {
        height: auto;
        width: 1fr;
        layers: base above;
        &:focus, &:focus-within { background: $surface; }
        &:hover { background: $boost; }
        RowInput, RowInput:focus { layer: above; padding: 0; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = local_bindings({
        "open": "request('edit')",
        "pick": "request('pick')",
        "edit-text": "request('edit_text')",
        "reset": "request('reset')",
        "effective": "request('effective')",
        "spread": "request('spread')",
    })  # fmt: skip

    @dataclass
    class Requested(Message):
        """The user wants something for a field: edit, pick, edit_text, reset, effective, spread."""

        row: "FieldRow"
        what: str
        text: str = ""
        """The character that began the edit; empty if a key did."""

    @dataclass
    class Typed(Message):
        """The text of the input has changed."""

        row: "FieldRow"
        text: str

    @dataclass
    class Finished(Message):
        """Editing ended; `text` is None if cancelled. The focus goes `move` rows down; None leaves it alone."""

        row: "FieldRow"
        text: str | None
        move: int | None

    def __init__(self) -> None:
        super().__init__()
        self.view: FieldView | None = None
        self._labels = 0
        self._input: RowInput | None = None

    @property
    def editing(self) -> bool:
        """True if an input is open in this row."""
        return self._input is not None

    def show(self, view: FieldView, labels: int) -> None:
        """Show a new state of the field, or another field; `labels` is the width of the labels in cells."""
        if (view, labels) == (self.view, self._labels):
            return
        before = self._height()
        self.view, self._labels = view, labels
        is_resized = self._height() != before
        self.refresh(layout=is_resized)
        if is_resized and self.has_focus_within:
            # A finding must be visible while the user types.
            self.call_after_refresh(self.scroll_visible, animate=False)

    def edit(self, text: str, *, begun: bool = False) -> None:
        """Open the input with a text; `begun` is True if the user has typed this text."""
        if self._input is not None or self.view is None:
            return
        field = self.view.field
        replaced = field.type in _REPLACED or field.name in _REPLACED_FIELDS or bool(field.choices)
        self._input = RowInput(text, select_on_focus=replaced and not begun)
        self._place_input()
        self.mount(self._input)
        self._input.focus()
        self.refresh(layout=True)

    def finish(self, move: int | None) -> None:
        """Close the input and post its text; then move the focus by `move` rows, or leave it alone for None.

        An invalid new name stays in the input, with the finding below it.
        """
        if move is not None and self._is_wrong_name:
            self.app.bell()
            return
        text = self.close(refocus=move is not None)
        if text is not None:
            self.post_message(self.Finished(self, text, move))

    @property
    def _is_wrong_name(self) -> bool:
        view = self.view
        return view is not None and view.field.type is ValueType.NAME and view.edited and view.worst is Severity.ERROR

    def give_up(self) -> None:
        if self.close(refocus=True) is not None:
            self.post_message(self.Finished(self, None, 0))

    def close(self, *, refocus: bool = False) -> str | None:
        """Close the input and return its text; None if none was open."""
        closing, self._input = self._input, None
        if closing is None:
            return None
        if refocus:
            self.focus()
        closing.remove()
        self.refresh(layout=True)
        return closing.value

    def _lines(self, cells: int) -> tuple[Line, ...]:
        if self.view is None:
            return ()
        focused = self.has_focus or self.editing
        return row_lines(self.view, cells, self._labels, focused=focused, editing=self.editing)

    def _height(self) -> int:
        return len(self._lines(self.size.width or 60)) if self.is_attached else 0

    def render(self) -> Text:
        return text_of(self._lines(self.size.width), role_styles(self.app))

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return len(self._lines(width))

    def _place_input(self) -> None:
        if self._input is not None:
            cells = self.size.width
            self._input.styles.margin = (0, 0, 0, value_column(self._labels))
            self._input.styles.width = editing_width(cells, self._labels)

    def on_resize(self) -> None:
        self._place_input()

    def on_focus(self) -> None:
        """Show a long value in full while the row has the focus."""
        self.refresh(layout=True)

    def on_blur(self) -> None:
        """Show the value in one line again."""
        self.refresh(layout=True)

    def on_input_changed(self, event: QInput.Changed) -> None:
        event.stop()
        if self._input is not None:
            self.post_message(self.Typed(self, event.value))

    @property
    def is_typed(self) -> bool:
        """True if the value is typed in this row: then a character typed on it begins the edit."""
        view = self.view
        return view is not None and not view.locked and not self.editing and view.editor in TYPED

    def check_consume_key(self, key: str, character: str | None = None) -> bool:
        """Return True if a key begins the edit instead of being a command."""
        is_text = character is not None and character.isprintable() and character not in COMMAND_CHARACTERS
        return self.is_typed and is_text

    def on_key(self, event: events.Key) -> None:
        """Begin the edit with the character typed on the row."""
        if self.check_consume_key(event.key, event.character):
            event.stop()
            self.post_message(self.Requested(self, "type", event.character or ""))

    def on_click(self, event: events.Click) -> None:
        """Focus the row; a click on the value also edits it."""
        if self._input is None and self.view is not None:
            self.can_focus = True
            self.focus()
            if event.x >= value_column(self._labels) - 1 and event.y == 0:
                self.action_request("edit")

    def action_request(self, what: str) -> None:
        self.post_message(self.Requested(self, what))
