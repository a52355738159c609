"""The panel "Values" of an execution host: what is configured, in use and reported of each attribute."""

from qmon_tui.model.kinds import Kind
from qmon_tui.scheduler.host_report import host_values
from qmon_tui.tui.messages import JumpRequested
from qmon_tui.tui.present.host_values import VALUE_COLUMNS, value_rows
from qmon_tui.tui.table_panel import TablePanel
from qmon_tui.workspace.workspace import Workspace


class ValuesView(TablePanel):
    """A row per attribute; Enter goes to the attribute."""

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace, VALUE_COLUMNS, empty="The host has no complex_values, and reports nothing.")

    def refresh_from(self) -> None:
        """List the values that the last run left."""
        result = self.workspace.result
        if self.object_name is not None and result is not None and result.explainer is not None:
            self.grid.show_rows(value_rows(host_values(result.explainer.run, self.object_name)))
            self.draw_about()

    def opened(self, key: str) -> None:
        """Go to the attribute."""
        self.post_message(JumpRequested(Kind.COMPLEX, key))
