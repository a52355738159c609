"""The page Attention: a row for each message about what is broken, and the chosen one in full."""

from textual import on
from textual.app import ComposeResult

from qmon_tui.model import Kind, dated_place
from qmon_tui.report import Line, TextRole, attention, wrap
from qmon_tui.tui.base import JumpRequested, Lines, LineTable, PageRequested, TablePage
from qmon_tui.workspace import Workspace

_NOTHING = "Nothing needs attention: no queue instance, job, host or reservation is in error."
_PAGES = {
    attention.ConcernKind.INSTANCE: "cluster",
    attention.ConcernKind.DRAIN: "cluster",
    attention.ConcernKind.JOB: "jobs",
    attention.ConcernKind.RESERVATION: "reservations",
}
"""Kind of concern -> page that shows it; other concerns are shown in a form."""


class AttentionView(TablePage):
    """One row per message; Enter goes to the first item that it names."""

    DEFAULT_CSS = """
    AttentionView #attention-table { height: 1fr; }
    AttentionView #attention-detail { height: auto; max-height: 60%; border-top: solid $line; padding: 0 1; }
    """

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        self._concerns: tuple[attention.Concern, ...] = ()
        self._table = LineTable(attention.ConcernRows(), empty=_NOTHING, id="attention-table")
        self._detail = Lines(self._detail_lines, id="attention-detail")

    def compose(self) -> ComposeResult:
        yield self._table
        yield self._detail

    def on_mount(self) -> None:
        self._detail.can_focus = False
        self.border_title = "Attention"
        super().on_mount()

    @property
    def awaits_first_run(self) -> bool:
        return self.workspace.result is None

    def refresh_from(self) -> None:
        result, workspace = self.workspace.result, self.workspace
        if result is not None and result.outcome is not None:
            self._concerns = attention.concerns(workspace.cluster, workspace.state, result.outcome)
        self._table.show(attention.ConcernRows(self._concerns))
        self._detail.show(self._detail_lines)

    @property
    def chosen(self) -> attention.Concern | None:
        key = self._table.cursor_key
        return next((concern for concern in self._concerns if concern[:2] == key), None)

    @property
    def selected(self) -> str | None:
        return self.chosen.message if self.chosen else None

    @on(LineTable.Moved)
    def _moved(self, event: LineTable.Moved) -> None:
        event.stop()
        self._detail.show(self._detail_lines)

    @on(LineTable.Opened)
    def _opened(self, event: LineTable.Opened) -> None:
        event.stop()
        concern = self.chosen
        if concern is None:
            return
        page, name = _PAGES.get(concern.kind), concern.names[0]
        if page is not None:
            self.post_message(PageRequested(page, name.partition(".")[0] if page == "jobs" else name))
        elif concern.kind is attention.ConcernKind.EXCEPTION:
            kind, name, *_ = name.split("/")
            place = dated_place(concern.names[0]) if concern.names[0] in self.workspace.state.exceptions else None
            self.post_message(JumpRequested(Kind(kind), name, place.field if place is not None else None))
        elif concern.kind is attention.ConcernKind.HOST:
            self.post_message(JumpRequested(Kind.HOST, name))
        else:
            self.post_message(JumpRequested(Kind.HOST, "global", "complex_values"))

    def _detail_lines(self, cells: int) -> tuple[Line, ...]:
        concern = self.chosen
        if concern is None:
            return wrap(_NOTHING, cells, TextRole.DIM)
        return tuple(attention.concern_lines((concern,), attention.USUAL_LIMITS, cells))
