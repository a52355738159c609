"""The main screen as its actions and dialogs use it: its panes, jumps, live run and files."""

from abc import abstractmethod
from functools import cached_property
from typing import TYPE_CHECKING

from qmon_tui import applying
from qmon_tui.model import Finding, Kind
from qmon_tui.tui.keys import ActionContext, BoundActions, KeyRegistry
from qmon_tui.tui.screens import autosave, cluster_writing, live_run
from qmon_tui.tui.screens.folder_watch import FolderWatch
from qmon_tui.tui.screens.navigation import Navigation
from qmon_tui.tui.screens.pane_screen import PaneScreen

if TYPE_CHECKING:
    from qmon_tui.workspace import Edit


class ActionScreen(PaneScreen):
    """A screen whose actions have keys, move between objects and pages, run the scheduler, and save."""

    registry: KeyRegistry
    actions: BoundActions
    """Actions of every pane and page."""
    navigation: Navigation
    folder_watch: FolderWatch

    @cached_property
    def running(self) -> "live_run.LiveRun":
        return live_run.LiveRun(self)

    @cached_property
    def autosave(self) -> "autosave.Autosave":
        """Worker that keeps unsaved edits on disk; the first frame does not wait for it."""
        return autosave.Autosave(self)

    @cached_property
    def cluster_writing(self) -> "cluster_writing.ClusterWriting":
        return cluster_writing.ClusterWriting(self, self.folder_watch)

    def run_immediately(self, edit: "Edit") -> bool:
        if not self.cluster_writing.is_permitted:
            return False
        asked = applying.immediate(edit)
        if asked is not None:
            self.cluster_writing.run(asked)
        return asked is not None

    @abstractmethod
    def action_context(self) -> ActionContext:
        """Return the facts that decide which actions are possible."""

    @abstractmethod
    def do(self, action_id: str) -> None:
        """Run an action of the registry, or show why it is impossible now."""

    def go_to_page(self, page: str, chosen: str | None = None) -> None:
        self.navigation.to_page(page, chosen)

    def go_to(self, kind: Kind, name: str | None = None, field: str | None = None) -> None:
        """Show a kind, one of its objects, or a field of that object."""
        self.navigation.to(kind, name, field)

    def go_to_finding(self, finding: Finding) -> None:
        self.navigation.to_finding(finding)
