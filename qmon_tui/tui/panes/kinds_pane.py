"""The left pane: the pages, and the kinds of object below them."""

from collections.abc import Sequence

from qmon_tui.model import Kind
from qmon_tui.report import KindRow, KindRows, kind_rows
from qmon_tui.tui.base import LineTable
from qmon_tui.tui.keys import Page
from qmon_tui.workspace import Workspace


class KindsPane(LineTable):
    """List of kinds and pages. `LineTable.Moved` chooses one, `LineTable.Opened` opens it."""

    def __init__(self, workspace: Workspace, pages: Sequence[Page], *, id: str | None = None) -> None:  # noqa: A002
        is_live = workspace.reading.live is not None
        self._pages = tuple(page for page in pages if is_live or not page.for_running_clusters)
        rows = _rows(workspace, self._pages)
        super().__init__(rows, id=id)
        self._workspace = workspace
        self._kind = Kind.COMPLEX
        self.cursor = rows.find(self._kind) or 0
        self.border_title = "Cluster"

    def refresh_from(self) -> None:
        self.show(_rows(self._workspace, self._pages))

    @property
    def kind(self) -> Kind:
        """The kind under the cursor; on a page, the kind that was chosen last."""
        if isinstance(self.cursor_key, Kind):
            self._kind = self.cursor_key
        return self._kind

    @property
    def page(self) -> str:
        """The id of the place under the cursor; empty on a kind."""
        key = self.cursor_key
        return key if isinstance(key, str) and any(key == page.id for page in self._pages) else ""


def _rows(workspace: Workspace, pages: Sequence[Page]) -> KindRows:
    result = workspace.result
    findings = result.findings if result else workspace.reading.findings
    changes = workspace.changes()
    changed = {change.kind for change in changes}
    rows = [
        KindRow(page.id, page.title, page.count(workspace) if page.count else None, page.help, page.holds in changed)
        for page in pages
    ]
    return KindRows((*rows, *kind_rows(workspace.cluster, changes, findings)))
