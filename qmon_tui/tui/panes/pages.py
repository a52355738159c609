"""The middle of the screen when a page is shown: views are made at the first visit and kept."""

from collections.abc import Sequence

from textual.containers import Vertical

from qmon_tui.tui.base import Ahead, PageView
from qmon_tui.tui.keys import Page
from qmon_tui.workspace import Workspace


class PagePane(Vertical):
    """One place at a time; those out of sight are not drawn again until they are shown."""

    def __init__(self, workspace: Workspace, pages: Sequence[Page], *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._workspace = workspace
        self._pages = {page.id: page for page in pages}
        self._views: dict[str, PageView] = {}
        self._ahead = Ahead()
        self.page = ""
        """The id of the place that is shown; empty while list and form are."""

    @property
    def view(self) -> PageView | None:
        return self._views.get(self.page)

    def show(self, page: str) -> None:
        """Show a place; empty: none."""
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
