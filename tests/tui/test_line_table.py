"""Tables that draw only what is in sight: ten thousand rows, the cursor follows its key."""

from collections.abc import Hashable

import pytest
from textual.app import App, ComposeResult

from qmon_tui.model.outcome import JobOutcome, TaskOutcome
from qmon_tui.report.live_jobs import LiveJobRow, LiveJobRows
from qmon_tui.report.spans import Line, Span, TextRole, wrap
from qmon_tui.tui.base.line_table import LineTable
from qmon_tui.tui.base.span_widgets import Lines
from qmon_tui.tui.base.themes import THEMES


def row(number: int) -> LiveJobRow:
    task = TaskOutcome(1, "qw", {}, {}, prior=1 / number)
    job = JobOutcome(
        id=number, name=f"job{number}", owner="[/usera]", project=None, department="", slots=1, prior=1 / number,
        nurg=0, npprior=0.5, ntckts=0, ppri=0, urg=0, rrcontr=0, wtcontr=0, dlcontr=0, tckts=0, ovrts=0, otckt=0,
        ftckt=0, stckt=0, share=0, tasks=(task,), rejected=None, reasons=(),
    )  # fmt: skip
    return LiveJobRow(job, task, 1, False)


ROWS = tuple(row(number) for number in range(1, 10_001))


class Shown(App[None]):
    CSS = "$cursor: blue; $cursor-blurred: gray; $hover: gray; LineTable { height: 1fr; } Lines { height: 5; }"

    def __init__(self) -> None:
        super().__init__()
        self.table = LineTable(LiveJobRows(ROWS), empty="nothing")
        self.lines = Lines(lambda cells: wrap("[/foo] 1,[node01=4] " * 30, cells, TextRole.ACCENT))
        self.moved: list[Hashable | None] = []

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return THEMES["dark"].variables

    def compose(self) -> ComposeResult:
        yield self.table
        yield self.lines

    def on_mount(self) -> None:
        for theme in THEMES.values():
            self.register_theme(theme)
        self.theme = "dark"
        self.table.focus()

    def on_line_table_moved(self, event: LineTable.Moved) -> None:
        self.moved.append(event.key)


async def test_a_jump_over_ten_thousand_rows_draws_a_screenful(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[int] = []
    draw = LiveJobRows.line

    def counted(rows: LiveJobRows, index: int, cells: int) -> Line:
        drawn.append(index)
        return draw(rows, index, cells)

    monkeypatch.setattr(LiveJobRows, "line", counted)
    async with Shown().run_test(size=(80, 24)) as pilot:
        table = pilot.app.query_one(LineTable)
        await pilot.pause()
        await pilot.press("G")
        await pilot.pause()
        assert table.cursor_key == (10_000, 1)
        assert table.scroll_offset.y > 9_000
        await pilot.press("g")
        await pilot.pause()
        assert table.scroll_offset.y == 0
    assert {0, 9_999} <= set(drawn)
    assert len(set(drawn)) < 3 * 24


async def test_the_cursor_follows_its_key_when_rows_change() -> None:
    async with Shown().run_test(size=(80, 24)) as pilot:
        app = pilot.app
        assert isinstance(app, Shown)
        await pilot.press("down", "down")
        assert app.moved == [(2, 1), (3, 1)]
        app.table.show(LiveJobRows(tuple(reversed(ROWS))))
        await pilot.pause()
        assert app.table.cursor_key == (3, 1)
        assert app.table.cursor == 9_997
        assert app.moved == [(2, 1), (3, 1)], "the same row: nothing has moved"
        app.table.show(LiveJobRows(ROWS[:2]))
        await pilot.pause()
        assert app.table.cursor_key == (2, 1), "its row is gone: the nearest place"
        app.table.show(LiveJobRows(()))
        await pilot.pause()
        assert app.table.cursor_key is None
        assert app.moved[-1] is None


async def test_mouse_and_keys_choose_and_open() -> None:
    async with Shown().run_test(size=(80, 24)) as pilot:
        app = pilot.app
        assert isinstance(app, Shown)
        assert await pilot.click(LineTable, offset=(10, 5))
        assert app.table.cursor_key == (5, 1), "line 0 is the heading"
        assert await pilot.click(LineTable, offset=(10, 0))
        assert app.table.cursor_key == (5, 1)
        await pilot.press("pagedown", "j", "k", "ctrl+u")
        assert app.table.cursor_key == (5, 1)


async def test_texts_are_shown_as_they_are() -> None:
    async with Shown().run_test(size=(80, 24)) as pilot:
        app = pilot.app
        assert isinstance(app, Shown)
        assert "[/usera]" in app.table.render_line(3).text
        assert "[/foo] 1,[node01=4]" in app.lines.text
        app.lines.focus()
        await pilot.pause()
        await pilot.press("end")
        await pilot.pause(0.05)
        assert app.lines.scroll_offset.y > 0
        app.lines.show(lambda _: ((Span("other"),),))
        assert app.lines.scroll_offset.y == 0
