"""The panels of a host group: "Resolved", the hosts that it stands for, and "Tree", the groups in it."""

from textual import on
from textual.app import ComposeResult

from qmon_tui.model import Kind, MemberKind, find_members
from qmon_tui.report import GROUP_COLUMNS, RESOLVED_COLUMNS, group_of, group_rows, resolved_rows
from qmon_tui.tui.base import Grid, JumpRequested, PanelView, TablePanel
from qmon_tui.workspace import Workspace


class GroupTreeView(TablePanel):
    """A row per group; Enter goes to it."""

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace, GROUP_COLUMNS)

    def refresh_from(self) -> None:
        if self.object_name is not None:
            self.fill(group_rows(self.workspace.cluster, self.object_name))
            self.draw_about()

    def opened(self, key: str) -> None:
        group = group_of(key)
        if group is not None and group in self.workspace.cluster.objects(Kind.HOSTGROUP):
            self.post_message(JumpRequested(Kind.HOSTGROUP, group))


class ResolvedView(PanelView):
    """A row per host; Enter goes to the host, `I` to the group that lists it."""

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        self._grid = Grid(RESOLVED_COLUMNS, empty="No hosts: the field hostlist names them.")

    def compose(self) -> ComposeResult:
        yield self._grid

    def refresh_from(self) -> None:
        if self.object_name is not None:
            self._grid.show_rows(resolved_rows(self.workspace.cluster, self.object_name))

    def focus(self, scroll_visible: bool = True, from_app_focus: bool = False) -> "ResolvedView":
        self._grid.focus(scroll_visible)
        return self

    @property
    def copied(self) -> str:
        return self._grid.chosen or ""

    @property
    def other_group(self) -> str | None:
        """The group that lists the host under the cursor; None if it is the shown group itself."""
        members = find_members(self.workspace.cluster, self.object_name or "")
        group = next((member.path[-1] for member in members if member.name == self._grid.chosen), self.object_name)
        return None if group == self.object_name else group

    @on(Grid.Opened)
    def _opened(self, event: Grid.Opened) -> None:
        event.stop()
        member = next(
            (m for m in find_members(self.workspace.cluster, self.object_name or "") if m.name == event.key), None
        )
        if member is not None and member.kind is MemberKind.HOST:
            self.post_message(JumpRequested(Kind.HOST, member.name))
