"""The value of a queue field on every host, and its origin."""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType

from qmon_tui.model import Field, overrides_of
from qmon_tui.report import Cell, Column, GridRow, TextRole
from qmon_tui.tui.base import Grid, QLines, key_hints, local_bindings
from qmon_tui.tui.dialogs import Dialog
from qmon_tui.tui.forms.field_view import FormState, key_lines
from qmon_tui.tui.forms.scopes import InstanceValue, instance_values, scopes_of

_COLUMNS = (
    Column("host", "queue instance", minimum=12),
    Column("value", "value", minimum=8),
    Column("origin", "from", minimum=10),
)


class EffectiveDialog(Dialog[str]):
    """Table of host, value and origin. Answers the host whose values to edit, or None."""

    WIDE: ClassVar[bool] = True
    DEFAULT_CSS = """
    EffectiveDialog Grid { height: auto; max-height: 1fr; }
    EffectiveDialog QLines { margin-top: 1; }
    """
    BINDINGS: ClassVar[list[BindingType]] = local_bindings({"effective": "cancel", "dialog.close": "cancel"})
    FIRST_FOCUS = "Grid"

    def __init__(self, state: FormState, field: Field) -> None:
        super().__init__(f"{field.name} of {state.obj.name}, host by host")
        self._state, self._field = state, field
        self._grid = Grid(_COLUMNS, empty="The queue has no hosts: its hostlist is empty.")

    def body(self) -> ComposeResult:
        yield self._grid
        yield QLines(key_lines(key_hints(self, ("open", "set a value for that host"), ("dialog.leave", "close")), 60))

    def on_mount(self) -> None:
        super().on_mount()
        self._grid.show_rows(effective_rows(self._state, self._field))

    def on_line_table_opened(self, event: Grid.Opened) -> None:
        """Answer the host of the row."""
        self.dismiss(str(event.key))


def effective_rows(state: FormState, field: Field) -> list[GridRow]:
    """Return one row per instance of the queue, then the hosts and groups whose values no instance uses."""
    rows = [_row(state.obj.name, value) for value in instance_values(state.cluster, state.obj, field)]
    overrides = dict(overrides_of(state.obj.text(field.name)).keyed)
    for scope in scopes_of(state.cluster, state.obj):
        if scope.detached and scope.key in overrides:
            note = Cell("detached: parts of it are not in the hostlist", TextRole.WARNING)
            rows.append(
                GridRow(scope.key, (Cell(scope.key, TextRole.DIM), Cell(overrides[scope.key], TextRole.DIM), note))
            )
    return rows


def _row(queue: str, instance: InstanceValue) -> GridRow:
    own = instance.value.origin != "default"
    role = TextRole.WARNING if instance.value.ambiguous else TextRole.PLAIN if own else TextRole.DIM
    sign = Cell(
        "!" if instance.value.ambiguous else "◆" if own else " ", TextRole.WARNING if not own else TextRole.ACCENT
    )
    cells = (Cell(f"{queue}@{instance.host}"), Cell(instance.value.text, role), Cell(instance.origin, role))
    return GridRow(instance.host, cells, (sign,))
