"""The area of a form that shows a panel instead of fields."""

from textual.containers import Vertical

from qmon_tui.model import Kind
from qmon_tui.tui.base import PanelView
from qmon_tui.tui.keys import Panel
from qmon_tui.workspace import Workspace


class PanelHost(Vertical):
    """Container of one panel at a time; views are made at the first visit and kept, and not redrawn while hidden."""

    DEFAULT_CSS = "PanelHost { height: 1fr; display: none; }"

    def __init__(self, workspace: Workspace) -> None:
        super().__init__()
        self._workspace = workspace
        self._views: dict[str, PanelView] = {}
        self._object = (Kind.COMPLEX, "")
        self.panel: Panel | None = None
        """The shown panel; None if fields are shown."""

    @property
    def view(self) -> PanelView | None:
        return self._views.get(self.panel.id) if self.panel else None

    def show(self, panel: Panel | None, kind: Kind, name: str) -> None:
        if panel is not self.panel:
            self.panel = panel
            self.display = panel is not None
            for known, view in self._views.items():
                view.display = panel is not None and known == panel.id
        if panel is None:
            return
        is_new = panel.id not in self._views
        if is_new:
            self._views[panel.id] = panel.view(self._workspace)
            self.mount(self._views[panel.id])
        self._object = (kind, name)
        view = self._views[panel.id]
        if is_new:
            # A view is composed when it is mounted; another object may be chosen before.
            self.call_after_refresh(lambda: view.show(*self._object) if self.view is view else None)
        else:
            view.show(kind, name)

    def focus(self, scroll_visible: bool = True, from_app_focus: bool = False) -> "PanelHost":
        """Give the focus to the panel that is shown, as soon as it is there."""
        if (view := self.view) is not None:
            self.call_after_refresh(view.focus, scroll_visible)
        return self
