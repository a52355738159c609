"""Dialog for a filter of a quota rule: names that match, names that are excluded, and one limit for all or each."""

from collections.abc import Sequence
from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.widgets import Input

from qmon_tui.model import QuotaFilter, filter_text
from qmon_tui.report import BLANK, Cell, Column, GridRow, TextRole, filter_words
from qmon_tui.tui.base import FilterInput, Grid, LineTable, key_hints, local_bindings
from qmon_tui.tui.forms import best_matches
from qmon_tui.tui.forms.dialogs import Check, ValueDialog
from qmon_tui.tui.quotas.quota_rule_choices import Choice

_COLUMNS = (Column("name", "name", minimum=10), Column("means", "", minimum=8), Column("note", "", minimum=6, rank=1))
_COUNTS = (Cell("+", TextRole.RUNNING), Cell("counts", TextRole.RUNNING))
_LEFT_OUT = (Cell("!", TextRole.FAILED), Cell("left out", TextRole.FAILED))


class NameInput(FilterInput):
    """Narrows the names; blanks and arrows work on them, since no name contains them."""

    BINDINGS: ClassVar[list[BindingType]] = local_bindings({
        "dialog.tick": "screen.turn",
        "typing.next": "screen.braces",
        "dialog.switch": "screen.braces",
    }, priority=True)  # fmt: skip


class FilterDialog(ValueDialog):
    """Answers the filter's word, empty for no filter. Space makes a name count, leaves it out, or forgets it."""

    DEFAULT_CSS = """
    FilterDialog Grid { height: auto; margin-top: 1; }
    """
    FIRST_FOCUS = "QInput"

    def __init__(
        self, keyword: str, clause: QuotaFilter | None, choices: Sequence[Choice], check: Check, title: str
    ) -> None:
        self._keyword = keyword
        self._names = list(clause.names) if clause else []
        self._excluded = list(clause.excluded) if clause else []
        self._apart = clause.expanded if clause else False
        known = dict(choices)
        named = (*self._names, *self._excluded)
        self._notes = {name: known.get(name, "as typed") for name in (*named, *known)}
        super().__init__(title, check)
        self._grid = Grid(_COLUMNS, show_head=False, empty="No match: delete a letter.")
        self._grid.lit, self._grid.can_focus = True, False
        self._input = NameInput(placeholder="type a few letters, or another name or pattern")

    @property
    def text(self) -> str:
        """The word behind the keyword."""
        return filter_text(self._names, self._excluded, each=self._apart) or ""

    def hint(self) -> str:
        if not self.text:
            return "no filter: the rule applies to all"
        return filter_words(self._keyword, QuotaFilter(tuple(self._names), tuple(self._excluded), self._apart))

    def keys(self) -> tuple[str, ...]:
        other = "count together" if self._apart else "count each apart {}"
        turn = key_hints(self, ("dialog.tick", "counts, left out, neither"), ("dialog.switch", other))
        return (*turn, *super().keys())

    def content(self) -> ComposeResult:
        yield self._input
        yield self._grid

    def on_mount(self) -> None:
        """Show all names, those that the filter has first."""
        self._fill()
        super().on_mount()

    def on_resize(self, event: events.Resize) -> None:
        super().on_resize(event)
        self._grid.styles.max_height = max(3, min(14, event.size.height - 14))

    def _fill(self) -> None:
        typed = self._input.value.strip()
        names = best_matches(self._notes, typed)
        rows = [self._row(name) for name in names]
        if typed and typed not in self._notes:
            rows.append(GridRow(typed, (Cell(typed), BLANK, Cell("as typed", TextRole.DIM)), (BLANK,)))
        self._grid.show_rows(rows)
        if typed and rows and self._grid.chosen not in names:
            self._grid.move_to(rows[0].key)

    def _row(self, name: str) -> GridRow:
        sign, word = _COUNTS if name in self._names else _LEFT_OUT if name in self._excluded else (BLANK, BLANK)
        return GridRow(name, (Cell(name), word, Cell(self._notes[name], TextRole.DIM)), (sign,))

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        self._fill()

    @on(LineTable.Opened)
    def _opened(self, event: Grid.Opened) -> None:
        event.stop()
        self.action_turn()

    def action_step(self, by: int) -> None:
        self._grid.action_move(by)

    def action_turn(self) -> None:
        """A name that means nothing counts, one that counts is left out, one that is left out means nothing again."""
        name = self._grid.chosen
        if name is None:
            return
        self._notes.setdefault(name, "as typed")
        if name in self._names:
            self._names.remove(name)
            self._excluded.append(name)
        elif name in self._excluded:
            self._excluded.remove(name)
        else:
            self._names.append(name)
        self._fill()
        self.preview()

    def action_braces(self) -> None:
        """Count each on its own, or all together."""
        self._apart = not self._apart
        self.preview()
