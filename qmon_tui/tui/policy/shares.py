"""The panel "Shares" of the scheduler: the functional shares and override tickets of everybody who can have some."""

from collections.abc import Mapping

from textual import on
from textual.app import ComposeResult

from qmon_tui.model.cluster import ConfigObject
from qmon_tui.model.kinds import Kind
from qmon_tui.tui.base.grid import Grid
from qmon_tui.tui.dialogs.name import AskName
from qmon_tui.tui.messages import FieldEdited
from qmon_tui.tui.panes.table import LineTable
from qmon_tui.tui.policy.steps import stepped
from qmon_tui.tui.present.policy import SHARES_COLUMNS, shares_rows
from qmon_tui.tui.sharetree.choices import shares_problem
from qmon_tui.tui.views import PanelView
from qmon_tui.workspace.policy import holders
from qmon_tui.workspace.workspace import Workspace

_HEADING = "This is the sum: choose somebody."
_EMPTY = "Nobody can have shares: there are no users, projects and departments."


class SharesView(PanelView):
    """A row per user, project and department."""

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        self.deeds = {
            "shares.edit": lambda: self._edit("fshare"),
            "shares.more": lambda: self._step(1),
            "shares.less": lambda: self._step(-1),
            "shares.override": lambda: self._edit("oticket"),
        }
        self._grid = Grid(SHARES_COLUMNS, empty=_EMPTY)

    def compose(self) -> ComposeResult:
        """The table."""
        yield self._grid

    def refresh_from(self) -> None:
        """List everybody with the tickets of the last run."""
        result = self.workspace.result
        self._grid.show_rows(shares_rows(holders(self.workspace.cluster, result.outcome if result else None)))

    @property
    def _holder(self) -> ConfigObject | None:
        kind, _, name = (self._grid.chosen or "=").partition(":")
        return None if kind.startswith("=") else self.workspace.cluster.get(Kind(kind), name)

    def refusals(self) -> Mapping[str, str]:
        """Sums follow from what everybody has."""
        return dict.fromkeys(self.deeds, _HEADING) if self._holder is None else {}

    def focus(self, scroll_visible: bool = True, from_app_focus: bool = False) -> "SharesView":
        """Give the focus to the table."""
        self._grid.focus(scroll_visible)
        return self

    @property
    def copied(self) -> str:
        """The row under the cursor."""
        return self._grid.cursor_text

    @on(LineTable.Opened)
    def _opened(self, event: LineTable.Opened) -> None:
        event.stop()
        if not self.workspace.read_only:
            self._edit("fshare")

    def _edit(self, field: str) -> None:
        holder = self._holder
        if holder is None:
            return
        obj = holder

        def keep(text: str | None) -> None:
            if text is not None:
                self.post_message(FieldEdited(obj.kind, obj.name, field, text))

        what = "Functional shares" if field == "fshare" else "Override tickets"
        self.app.push_screen(AskName(f"{what} of {obj.name}", "A whole number.", shares_problem, obj.text(field)), keep)

    def _step(self, by: int) -> None:
        holder = self._holder
        text = stepped(holder.text("fshare"), by) if holder is not None else None
        if holder is not None and text is not None:
            self.post_message(FieldEdited(holder.kind, holder.name, "fshare", text, typing=True))
