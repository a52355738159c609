"""Dialogs that pick names by a few letters: one name, or several carried from available to referenced."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.widgets import Input

from qmon_tui.report import Cell, Column, GridRow, TextRole
from qmon_tui.tui.base import FilterInput, Grid, LineTable, key_hints, key_of, local_bindings
from qmon_tui.tui.dialogs import Dialog
from qmon_tui.tui.forms.dialogs.value_dialog import Check, ValueDialog
from qmon_tui.tui.forms.name_matching import best_matches


@dataclass(frozen=True, slots=True)
class Pick:
    """A name to pick, and a note about it."""

    name: str
    note: str = ""


class PickOne(Dialog[str]):
    """Answers a name, or None. With `free`, any other text is an answer too.

    `meant` explains a text that is more than a name, one line for each part; then the text itself is the answer. It
    returns None for a plain name, and a sentence for an invalid text.
    """

    DEFAULT_CSS = """
    PickOne Grid { height: auto; margin-top: 1; }
    """
    FIRST_FOCUS = "FilterInput"

    def __init__(
        self,
        title: str,
        picks: Sequence[Pick],
        value: str = "",
        *,
        free: bool = False,
        meant: Callable[[str], Sequence[Pick] | str | None] = lambda _: None,
        placeholder: str = "",
    ) -> None:
        super().__init__(title)
        self._meant = meant
        self._placeholder = placeholder or "type a few letters" + (", or another name" if free else "")
        self._as_typed: str | None = None
        """A valid text that is more than a name; None if a row is the answer."""
        self._picks = {pick.name: pick for pick in picks}
        self._value = value
        self._free = free
        self._grid = Grid((Column("name", ""), Column("note", "", minimum=10)), show_head=False)
        self._grid.lit, self._grid.can_focus = True, False

    def body(self) -> ComposeResult:
        yield FilterInput(placeholder=self._placeholder)
        yield self._grid

    def on_mount(self) -> None:
        """Show all names, the cursor on the present one."""
        super().on_mount()
        self._fill("")
        self._grid.move_to(self._value)

    def on_resize(self, event: events.Resize) -> None:
        """Give the names the height that the other parts leave."""
        self._grid.styles.max_height = max(3, min(16, event.size.height - 8))

    def _fill(self, typed: str) -> None:
        meant = self._meant(typed)
        self._as_typed = None if meant is None or isinstance(meant, str) else typed
        if meant is not None:
            parts = () if isinstance(meant, str) else meant
            rows = [
                GridRow(str(number), (Cell(pick.name), Cell(pick.note, TextRole.DIM)), (Cell("+", TextRole.ACCENT),))
                for number, pick in enumerate(parts)
            ]
            self._grid.show_rows(rows, empty=meant if isinstance(meant, str) else "")
            return
        names = best_matches(self._picks, typed)
        rows = [
            GridRow(name, (Cell(name), Cell(self._picks[name].note, TextRole.DIM)), (self._sign(name),))
            for name in names
        ]
        if self._free and typed and typed not in self._picks:
            rows.append(GridRow(typed, (Cell(typed), Cell("as typed", TextRole.DIM)), (Cell("+", TextRole.ACCENT),)))
        self._grid.show_rows(rows, empty="No match: delete a letter.")
        if typed and rows:
            self._grid.move_to(rows[0].key)

    def _sign(self, name: str) -> Cell:
        return Cell("•" if name == self._value else " ", TextRole.ACCENT)

    def action_step(self, by: int) -> None:
        self._grid.action_move(by)

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        self._fill(event.value.strip())

    @on(Input.Submitted)
    @on(LineTable.Opened)
    def _accept(self) -> None:
        answer = self._grid.chosen if self._as_typed is None else self._as_typed
        if answer is not None:
            self.dismiss(answer)


class PickInput(FilterInput):
    """Input that filters both lists; blanks and arrows act on the lists, as no name contains them."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *local_bindings({
            "dialog.left": "screen.side",
            "dialog.right": "screen.side",
            "typing.next": "screen.side",
            "typing.before": "screen.side",
            "dialog.earlier": "screen.shift(-1)",
            "dialog.later": "screen.shift(1)",
        }),
        *local_bindings({"dialog.tick": "screen.carry", "dialog.all": "screen.carry_all"}, priority=True),
    ]  # fmt: skip


class PickMany(ValueDialog):
    """Answers the names as the field's text. Space carries a name over to the other side."""

    DEFAULT_CSS = """
    PickMany Horizontal { margin-top: 1; }
    PickMany Grid { width: 1fr; }
    PickMany #available { margin-right: 2; }
    """
    FIRST_FOCUS = "QInput"

    def __init__(
        self,
        title: str,
        picks: Sequence[Pick],
        chosen: Sequence[str],
        join: Callable[[Sequence[str]], str],
        check: Check,
        *,
        free: bool,
        sides: tuple[str, str] = ("available", "referenced"),
    ) -> None:
        self._notes = {pick.name: pick.note for pick in picks}
        self._chosen = list(chosen)
        self._join = join
        self._free = free
        self._sides = sides
        self._on_right = False
        super().__init__(title, check)
        self._left = Grid(_columns(sides[0]), id="available")
        self._right = Grid(_columns(sides[1]), id="referenced")
        self._left.can_focus = self._right.can_focus = False
        self._both = Horizontal(self._left, self._right)
        self._input = PickInput(placeholder="type a few letters" + (", or another name" if free else ""))

    def keys(self) -> tuple[str, ...]:
        return (
            "type to narrow",
            *key_hints(self, ("dialog.tick", "carries over"), ("dialog.all", "all")),
            f"{key_of(self, 'dialog.left')}{key_of(self, 'dialog.right')} side",
            f"{key_of(self, 'dialog.earlier')} {key_of(self, 'dialog.later')} order",
            *super().keys(),
        )

    def done(self) -> str:
        """Return the label of Enter, which also takes the name under the cursor or as typed."""
        return super().done() if self._pending is None else f"take {self._pending} and keep"

    def problem(self) -> str:
        """Return a problem if the typed text matches no name; empty if it matches one."""
        typed = self._typed_name
        fits = self._pending is not None or self._left.chosen is not None or self._right.chosen is not None
        return "" if fits or not typed else f"“{typed}” matches no name: delete a letter"

    @property
    def _typed_name(self) -> str:
        return self._input.value.strip()

    @property
    def _pending(self) -> str | None:
        """Name under the cursor, or else the typed one unless it is referenced already; None if nothing is typed."""
        typed = self._typed_name
        if not typed:
            return None
        if not self._on_right:
            return str(self._left.chosen) if self._left.chosen is not None else None
        return typed if self._free and typed not in self._chosen else None

    @property
    def text(self) -> str:
        return self._join(self._chosen)

    def content(self) -> ComposeResult:
        yield self._input
        yield self._both

    def on_mount(self) -> None:
        """Show all names; begin on the left unless all names are referenced."""
        self._on_right = all(name in self._chosen for name in self._notes)
        self._fill()
        super().on_mount()

    def on_resize(self, event: events.Resize) -> None:
        self._both.styles.height = max(3, min(12, event.size.height - 14))

    def _fill(self) -> None:
        self._left.lit, self._right.lit = not self._on_right, self._on_right
        typed = self._typed_name
        available = best_matches((name for name in self._notes if name not in self._chosen), typed)
        referenced = best_matches(self._chosen, typed) if typed else self._chosen
        rows = [GridRow(name, (Cell(name), Cell(self._notes[name], TextRole.DIM)), (Cell(" "),)) for name in available]
        if self._free and typed and typed not in self._notes and typed not in self._chosen:
            rows.append(GridRow(typed, (Cell(typed), Cell("as typed", TextRole.DIM)), (Cell("+", TextRole.ACCENT),)))
        fits = f" fits “{typed}”" if typed else ""
        self._left.show_rows(
            rows,
            columns=_columns(self._sides[0], not self._on_right),
            empty=f"{self._sides[0]}: none{fits}",
        )
        self._right.show_rows(
            [self._referenced(name) for name in referenced],
            columns=_columns(self._sides[1], self._on_right),
            empty=f"{self._sides[1]}: none{fits or ' yet'}",
        )

    def _referenced(self, name: str) -> GridRow:
        if name in self._notes or self._free:
            return GridRow(
                name, (Cell(name, TextRole.STRONG), Cell(self._notes.get(name, ""), TextRole.DIM)), (Cell(" "),)
            )
        return GridRow(name, (Cell(name), Cell("does not exist", TextRole.ERROR)), (Cell("✗", TextRole.ERROR),))

    @property
    def _side(self) -> Grid:
        return self._right if self._on_right else self._left

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        self._fill()
        if self._side.chosen is None:
            self._on_right = not self._on_right and bool(self._right.chosen)
            self._fill()
        self.preview()

    @on(LineTable.Opened)
    def _opened(self, event: Grid.Opened) -> None:
        event.stop()
        self._on_right = event.control is self._right
        self.action_carry()

    def action_accept(self) -> None:
        """Add the name under the cursor or as typed, then answer."""
        if (name := self._pending) is not None:
            self._chosen.append(name)
        super().action_accept()

    def action_step(self, by: int) -> None:
        self._side.action_move(by)
        self.preview()

    def action_side(self) -> None:
        self._on_right = not self._on_right
        self._fill()
        self.preview()

    def action_carry(self) -> None:
        name = self._side.chosen
        if name is None:
            return
        if self._on_right:
            self._chosen.remove(name)
        else:
            self._chosen.append(name)
        if self._input.value:
            self._input.value = ""
        self._fill()
        self.preview()

    def action_carry_all(self) -> None:
        """Carry all visible names of this side over to the other."""
        names = [row.key for row in self._side.grid_rows.rows]
        if self._on_right:
            self._chosen = [name for name in self._chosen if name not in names]
        else:
            self._chosen += names
        self._on_right = not self._on_right
        self._input.value = ""
        self._fill()
        self.preview()

    def action_shift(self, by: int) -> None:
        """Move a referenced name up or down in its list."""
        name = self._right.chosen
        if self._on_right and name is not None:
            place = self._chosen.index(name)
            self._chosen.insert(max(0, place + by), self._chosen.pop(place))
            self._fill()
            self.preview()


def _columns(title: str, active: bool = False) -> tuple[Column, ...]:
    return (Column("name", f"{'▸ ' if active else ''}{title}", minimum=8), Column("note", "", minimum=4, rank=1))
