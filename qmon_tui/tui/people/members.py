"""The panel "Members" of a user set: who is in it, what they have, and what they do."""

from qmon_tui.model.kinds import Kind
from qmon_tui.tui.messages import JumpRequested
from qmon_tui.tui.present.users_and_projects import MEMBER_COLUMNS, member_rows
from qmon_tui.tui.table_panel import TablePanel
from qmon_tui.workspace.standing import members
from qmon_tui.workspace.workspace import Workspace


class MembersView(TablePanel):
    """A row per member; Enter goes to the user."""

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace, MEMBER_COLUMNS, empty="Nobody is in it.")

    def refresh_from(self) -> None:
        """List the members with what the last run made of their jobs."""
        result = self.workspace.result
        outcome = result.outcome if result else None
        if self.object_name is not None:
            self.grid.show_rows(member_rows(members(self.workspace.cluster, outcome, self.object_name)))
            self.draw_about()

    def opened(self, key: str) -> None:
        """Go to the user."""
        if self.workspace.cluster.get(Kind.USER, key) is not None:
            self.post_message(JumpRequested(Kind.USER, key))
