"""The panel "Shares" of the scheduler: the functional shares and override tickets of everybody who can have some."""

from collections.abc import Mapping

from qmon_tui.model.cluster import ConfigObject
from qmon_tui.model.kinds import Kind
from qmon_tui.tui.dialogs.name import AskName
from qmon_tui.tui.messages import FieldEdited
from qmon_tui.tui.policy.steps import stepped
from qmon_tui.tui.present.policy import SHARES_COLUMNS, shares_rows
from qmon_tui.tui.sharetree.choices import shares_problem
from qmon_tui.tui.table_panel import TablePanel
from qmon_tui.workspace.policy import holders
from qmon_tui.workspace.workspace import Workspace

_HEADING = "This is the sum: choose somebody."
_EMPTY = "Nobody can have shares: there are no users, projects and departments."


class SharesView(TablePanel):
    """A row per user, project and department."""

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace, SHARES_COLUMNS, empty=_EMPTY)
        self.deeds = {
            "shares.edit": lambda: self._edit("fshare"),
            "shares.more": lambda: self._step(1),
            "shares.less": lambda: self._step(-1),
            "shares.override": lambda: self._edit("oticket"),
        }

    def refresh_from(self) -> None:
        """List everybody with the tickets of the last run."""
        result = self.workspace.result
        self.grid.show_rows(shares_rows(holders(self.workspace.cluster, result.outcome if result else None)))

    @property
    def _holder(self) -> ConfigObject | None:
        kind, _, name = (self.grid.chosen or "=").partition(":")
        return None if kind.startswith("=") else self.workspace.cluster.get(Kind(kind), name)

    def refusals(self) -> Mapping[str, str]:
        """Sums follow from what everybody has."""
        return dict.fromkeys(self.deeds, _HEADING) if self._holder is None else {}

    def opened(self, key: str) -> None:
        """Edit the functional shares."""
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
