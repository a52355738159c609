"""The panel "Tree" of a hostgroup: the groups in it, each with the hosts that it lists itself."""

from qmon_tui.model.kinds import Kind
from qmon_tui.tui.messages import JumpRequested
from qmon_tui.tui.present.hostgroups import GROUP_COLUMNS, group_of, group_rows
from qmon_tui.tui.table_panel import TablePanel
from qmon_tui.workspace.workspace import Workspace


class GroupTreeView(TablePanel):
    """A row per group; Enter goes to it."""

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace, GROUP_COLUMNS)

    def refresh_from(self) -> None:
        """Follow the groups anew."""
        if self.object_name is not None:
            self.grid.show_rows(group_rows(self.workspace.cluster, self.object_name))
            self.draw_about()

    def opened(self, key: str) -> None:
        """Go to the group."""
        group = group_of(key)
        if group is not None and group in self.workspace.cluster.objects(Kind.HOSTGROUP):
            self.post_message(JumpRequested(Kind.HOSTGROUP, group))
