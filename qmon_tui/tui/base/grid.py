"""A table of cells: columns give way when it is narrow, headings can be clicked, the cursor keeps its row."""

from collections.abc import Sequence
from dataclasses import dataclass

from textual import events
from textual.message import Message

from qmon_tui.tui.base.line_table import LineTable
from qmon_tui.tui.present import Column, GridRow, GridRows


class Grid(LineTable):
    """Rows under headings. Posts `Moved` and `Opened` as any table, and `HeadPressed`."""

    @dataclass
    class HeadPressed(Message):
        """A click on a column's heading."""

        grid: "Grid"
        column: str

        @property
        def control(self) -> "Grid":
            """The grid that posted this."""
            return self.grid

    def __init__(
        self,
        columns: Sequence[Column] = (),
        *,
        empty: str = "",
        show_head: bool = True,
        id: str | None = None,  # noqa: A002
    ) -> None:
        self.grid_rows = GridRows(columns, (), show_head=show_head)
        super().__init__(self.grid_rows, empty=empty, id=id)
        self._show_head = show_head

    @property
    def chosen(self) -> str | None:
        """The key of the row under the cursor."""
        key = self.cursor_key
        return key if isinstance(key, str) else None

    def show_rows(
        self,
        rows: Sequence[GridRow],
        *,
        columns: Sequence[Column] | None = None,
        sort: tuple[str, bool] | None = None,
        empty: str | None = None,
    ) -> None:
        """Replace the rows; the cursor stays on its key, or near where it was if that key is gone."""
        columns = self.grid_rows.columns if columns is None else columns
        self.grid_rows = GridRows(columns, rows, sort, show_head=self._show_head)
        self.show(self.grid_rows, empty=empty)

    async def _on_click(self, event: events.Click) -> None:
        offset = event.get_content_offset(self)
        if self._show_head and offset is not None and offset.y == 0:
            column = self.grid_rows.column_at(offset.x - 1, self.inner_width - 1)
            if column is not None:
                self.post_message(self.HeadPressed(self, column.key))
        else:
            await super()._on_click(event)
