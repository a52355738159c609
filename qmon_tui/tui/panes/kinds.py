"""The left pane: the kinds of object."""

from qmon_tui.model.kinds import Kind
from qmon_tui.tui.panes.table import LineTable
from qmon_tui.tui.present.kinds import KindRows, kind_rows
from qmon_tui.workspace.workspace import Workspace


class KindsPane(LineTable):
    """What there is. `LineTable.Moved` chooses a kind, `LineTable.Opened` goes to its objects."""

    def __init__(self, workspace: Workspace, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(KindRows(kind_rows(workspace.cluster)), id=id)
        self._workspace = workspace
        self.border_title = "Cluster"

    def refresh_from(self) -> None:
        """Draw counts and marks again."""
        result = self._workspace.result
        findings = result.findings if result else self._workspace.reading.findings
        self.show(KindRows(kind_rows(self._workspace.cluster, self._workspace.changes(), findings)))

    @property
    def kind(self) -> Kind:
        """The kind under the cursor."""
        key = self.cursor_key
        return key if isinstance(key, Kind) else Kind.COMPLEX
