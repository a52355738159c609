"""The left pane with pages and kinds of object, and the middle pane that makes and keeps the views of pages."""

from collections.abc import Sequence

from textual.containers import Vertical

from qmon_tui.model import Kind
from qmon_tui.report import KindRow, KindRows, kind_rows
from qmon_tui.tui.base import Ahead, LineTable, PageView
from qmon_tui.tui.keys import Page
from qmon_tui.workspace import Workspace


class PagePane(Vertical):
    """Container of one page at a time; hidden pages are drawn again only when they are shown."""

    def __init__(self, workspace: Workspace, pages: Sequence[Page], *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._workspace = workspace
        self._pages = {page.id: page for page in pages}
        self._views: dict[str, PageView] = {}
        self._ahead = Ahead()
        self.page = ""
        """The id of the shown page; empty while list and form are shown."""

    @property
    def view(self) -> PageView | None:
        return self._views.get(self.page)

    def show(self, page: str) -> None:
        """Show the page with this id; empty for none."""
        if page == self.page:
            return
        before, self.page = self.view, page
        for known, view in self._views.items():
            view.display = known == page
        if before is not None:
            before.put_away()
        if page and page not in self._views:
            view = self._views[page] = self._pages[page].view(self._workspace)
            view.show_ahead(self._ahead)
            self.mount(view)
        else:
            self.refresh_from()

    def refresh_from(self) -> None:
        if self.view is not None and self.view.is_mounted:
            self.view.refresh_from()

            self.view.show_ahead(self._ahead)

    def show_ahead(self, ahead: Ahead) -> None:
        """Show the summary of the day ahead; hidden pages get it when they are shown."""
        self._ahead = ahead
        if self.view is not None and self.view.is_mounted:
            self.view.show_ahead(ahead)

    def focus(self, scroll_visible: bool = True, from_app_focus: bool = False) -> "PagePane":
        if self.view is not None:
            self.view.focus(scroll_visible)
        return self


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
        """The id of the page under the cursor; empty on a kind."""
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
