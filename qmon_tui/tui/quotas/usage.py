"""The panel "Usage" of a quota set: what is used of each limit, as qquota shows it."""

from qmon_tui.model.kinds import Kind
from qmon_tui.model.quota_rules import rules_of
from qmon_tui.scheduler.compiled.parsing import boolean
from qmon_tui.tui.present.quotas import QUOTA_USAGE_COLUMNS, quota_usage_rows
from qmon_tui.tui.table_panel import TablePanel
from qmon_tui.workspace.workspace import Workspace

_DISABLED = "The set is disabled: nothing is counted. 0 in the tab Rules enables it."


class UsageView(TablePanel):
    """A row per counter of each limit, the fullest first."""

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace, QUOTA_USAGE_COLUMNS)

    def refresh_from(self) -> None:
        """List what the last run left in use."""
        one = self.workspace.cluster.get(Kind.QUOTA, self.object_name or "")
        result = self.workspace.result
        if one is None or result is None or result.outcome is None:
            return
        enabled = boolean(one.text("enabled"))
        uses = result.outcome.quotas or ()
        rows = quota_usage_rows(rules_of(one.text("limit")), one.name, uses) if enabled else []
        self.grid.show_rows(rows, empty=_DISABLED)
        self.draw_about()
