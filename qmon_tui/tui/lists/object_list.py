"""The table of all objects of one kind, with filter, sorting and marks."""

from functools import cached_property
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.markup import escape

from qmon_tui.model import Kind
from qmon_tui.model.catalogue import spec
from qmon_tui.report import BLANK, Column, title_words, visible
from qmon_tui.tui.base import Grid, KeptRows, ObjectChosen, OpenRequested, QInput, ViewSettings, key_of, local_bindings
from qmon_tui.tui.lists.object_columns import list_columns, without_empty_spares
from qmon_tui.tui.lists.object_rows import MARKED, filtered, list_context, object_rows, ordered
from qmon_tui.workspace import Workspace, listed_objects

_FRAME = 3
"""Lines of the list besides its rows: the title, the headings, and the one where a filter is typed."""


_WITH_FIGURES = frozenset({Kind.QUEUE, Kind.HOST, Kind.QUOTA})
"""Kinds whose list or form shows used amounts."""


class ObjectList(Vertical):
    """All objects of a kind. Posts `ObjectChosen` and `OpenRequested`."""

    DEFAULT_CSS = """
    ObjectList {
        Grid { height: 1fr; }
        QInput { display: none; height: 1; border: none; padding: 0 1; background: $surface; }
        &.-filtering QInput { display: block; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = local_bindings({
        "sort-next": "sort(1)",
        "sort-before": "sort(-1)",
        "sort-reverse": "reverse",
    })  # fmt: skip

    def __init__(
        self,
        workspace: Workspace,
        kind: Kind = Kind.COMPLEX,
        *,
        id: str | None = None,  # noqa: A002
    ) -> None:
        super().__init__(id=id)
        self._workspace = workspace
        self.kind = kind
        self._view_settings = ViewSettings(workspace)
        self._filters: dict[Kind, str] = {}
        self._chosen: dict[Kind, str] = {}
        self._marked: dict[Kind, frozenset[str]] = {}
        self._shown: list[Column] = []
        self._kept_rows = KeptRows()
        self._problem = ""
        self._grid = Grid()

    def compose(self) -> ComposeResult:
        yield self._grid

    async def mount_deferred(self) -> None:
        """Mount the filter's input below the table, after the first frame; it is visible while it is used."""
        await self.mount(self._input)

    @cached_property
    def _input(self) -> QInput:
        return QInput(placeholder="state=E host=@rack complex_values=gpu load>2 node[09-28] words !words")

    def on_mount(self) -> None:
        self._fill()

    @property
    def selected(self) -> str | None:
        return self._grid.chosen

    @property
    def marked(self) -> tuple[str, ...]:
        """The names of the marked objects of this kind, in the order of the files."""
        marks = self._marked.get(self.kind, frozenset())
        return tuple(name for name in listed_objects(self._workspace.cluster, self.kind) if name in marks)

    @property
    def hidden_marks(self) -> tuple[str, ...]:
        """The marked objects that the filter hides."""
        shown = {row.key for row in self._grid.grid_rows.rows}
        return tuple(name for name in self.marked if name not in shown)

    def mark(self) -> None:
        """Mark or unmark the object under the cursor, and go to the next row."""
        if self.selected is not None:
            self._marked[self.kind] = self._marked.get(self.kind, frozenset()) ^ {self.selected}
            self._fill()
            self._grid.action_move(1)

    def mark_all(self) -> None:
        """Mark all visible rows; unmark them if all are marked already."""
        shown = frozenset(row.key for row in self._grid.grid_rows.rows)
        marks = self._marked.get(self.kind, frozenset())
        self._marked[self.kind] = marks - shown if marks >= shown else marks | shown
        self._fill()

    def unmark(self) -> bool:
        """Remove all marks; False if there were none."""
        had = bool(self.marked)
        self._marked.pop(self.kind, None)
        self._fill()
        return had

    @property
    def filter(self) -> str:
        """The filter of this kind; each kind keeps its own."""
        if self.kind not in self._filters:
            self._filters[self.kind] = self._view_settings.get(f"filter {self.kind}")
        return self._filters[self.kind]

    def show(self, kind: Kind) -> None:
        """List another kind; its filter, order and cursor are as they were left."""
        if kind is not self.kind:
            self.kind = kind
            self._close_filter()
        self._fill()

    def refresh_from(self) -> None:
        self._fill()

    def select(self, name: str) -> bool:
        """Put the cursor on an object, and drop a filter that hides it; False if there is no such object."""
        if name not in listed_objects(self._workspace.cluster, self.kind):
            return False
        # Set now: the list may be filled again before the table posts that its cursor has moved.
        self._chosen[self.kind] = name
        if not self._grid.move_to(name):
            self.set_filter("")
        return self.selected == name

    def set_filter(self, text: str) -> None:
        """Show only the rows that a filter accepts (`report/row_filter.py`)."""
        self._filters[self.kind] = text
        self._fill()

    def focus(self, scroll_visible: bool = True, from_app_focus: bool = False) -> "ObjectList":
        self._grid.focus(scroll_visible)
        return self

    def _fill(self) -> None:
        kind, cluster = self.kind, self._workspace.cluster
        declared = list_columns(kind)
        context = list_context(self._workspace, kind)
        rows = object_rows(listed_objects(cluster, kind).values(), declared, context)
        total = len(rows)
        columns, rows = without_empty_spares(declared, rows)
        self._shown = [column.column for column in columns]
        if self.filter:
            kept = self._kept_rows.of(kind, self.filter, self._workspace.state.now)
            rows, self._problem = filtered(rows, self.filter, kind, context, self._shown, kept)
            if not self.has_class("-filtering"):
                self._kept_rows.keep(row.key for row in rows)
        keys = [column.key for column in self._shown]
        marked = set(self.marked)
        if marked:
            rows = [row._replace(signs=(MARKED if row.key in marked else BLANK, *row.signs)) for row in rows]
        sorting = self._sorting
        if sorting and sorting[0] in keys:
            rows = ordered(rows, keys.index(sorting[0]), descending=sorting[1])
        wanted = self._chosen.get(kind)
        with self.prevent(Grid.Moved):
            self._grid.show_rows(rows, columns=self._shown, sort=sorting, empty=self._empty_text(total))
            if wanted is not None:
                self._grid.move_to(wanted)
            elif rows:
                # The first time that a kind is shown, the cursor is on the first row.
                self._grid.move_to(rows[0].key)
        self._show_title(len(rows), total)
        # The height of all rows, including hidden ones: so the form below does not move while filtering.
        self.styles.max_height = max(total, 1) + _FRAME
        if self.selected != wanted:
            self._announce()

    def _empty_text(self, total: int) -> str:
        title = spec(self.kind).title.lower()
        if total:
            verb = "match" if title.endswith("s") else "matches"
            return f"No {title} {verb} {self.filter} — {key_of(self, 'back')} shows all."
        return f"No {title} yet — {key_of(self, 'add')} adds one."

    def _show_title(self, shown: int, total: int) -> None:
        title = spec(self.kind).title
        counts = f"{shown} of {total}" if self.filter else str(total)
        problem = f"  ✗ {self._problem}" if self.filter and self._problem else ""
        filtered_by = f"  /{self.filter}{problem}" if self.filter else ""
        hidden = f", {len(self.hidden_marks)} hidden" if self.hidden_marks else ""
        marked = f"  ✓ {len(self.marked)} marked{hidden}" if self.marked else ""
        figures = title_words(self._workspace.figures) if self.kind in _WITH_FIGURES else ""
        self.border_title = escape(visible(f"{title}  {counts}{marked}{filtered_by}{figures}"))

    def _announce(self) -> None:
        if self.selected is not None:
            self._chosen[self.kind] = self.selected
        self.post_message(ObjectChosen(self.kind, self.selected))

    @on(Grid.Moved)
    def _moved(self, event: Grid.Moved) -> None:
        event.stop()
        self._announce()

    @on(Grid.Opened)
    def _opened(self, event: Grid.Opened) -> None:
        event.stop()
        self.post_message(OpenRequested(self.kind, str(event.key)))

    @on(Grid.HeadPressed)
    def _head_pressed(self, event: Grid.HeadPressed) -> None:
        event.stop()
        self._sort_by(event.column)

    @property
    def _sorting(self) -> tuple[str, bool] | None:
        """The sort column of this kind, and True for descending; None for the order of the files."""
        column, _, direction = self._view_settings.get(f"order {self.kind}").partition(" ")
        return (column, direction == "down") if column else None

    def _sort(self, order: tuple[str, bool] | None) -> None:
        self._view_settings.keep(f"order {self.kind}", f"{order[0]} {'down' if order[1] else 'up'}" if order else "")
        self._fill()

    def _sort_by(self, key: str) -> None:
        """Sort by a column: ascending, the second time descending, the third time in the order of the files."""
        now = self._sorting
        self._sort(None if now == (key, True) else (key, now == (key, False)))

    def action_sort(self, by: int) -> None:
        """Sort ascending by the column `by` places to the right of the sort column."""
        keys = [column.key for column in self._shown]
        now = self._sorting
        edge = 0 if by > 0 else -1
        place = keys.index(now[0]) + by if now and now[0] in keys else edge
        self._sort((keys[place % len(keys)], False))

    def action_reverse(self) -> None:
        key, descending = self._sorting or ("name", False)
        self._sort((key, not descending))

    def action_filter(self) -> None:
        self.add_class("-filtering")
        with self._input.prevent(QInput.Changed):
            self._input.value = self.filter
        self._input.focus()

    def action_clear_filter(self) -> None:
        """Close the filter's line and show all rows again."""
        self._close_filter()
        if self.filter:
            self.set_filter("")
        self._keep_filter()
        self._grid.focus()

    def _close_filter(self) -> None:
        if self.has_class("-filtering"):
            self.remove_class("-filtering")
            if self._input.has_focus:
                self._grid.focus()

    @on(QInput.Changed)
    def _filter_typed(self, event: QInput.Changed) -> None:
        event.stop()
        self.set_filter(event.value)

    @on(QInput.Submitted)
    def _filter_kept(self, event: QInput.Submitted) -> None:
        event.stop()
        self._close_filter()
        self._keep_filter()

    def _keep_filter(self) -> None:
        self._view_settings.keep(f"filter {self.kind}", self.filter)
