"""What the actions of the place of the cluster do: commands to queue instances are edits that the view posts."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from qmon_tui.model import kinds
from qmon_tui.model.state_entry import StateKind
from qmon_tui.qmaster import InstanceCommand
from qmon_tui.tui.base.messages import EditRequested, JumpRequested
from qmon_tui.tui.cluster.cluster_view_model import ListingKind
from qmon_tui.workspace import commands

if TYPE_CHECKING:
    from qmon_tui.tui.cluster.view import ClusterView


class ClusterHandlers:
    """The actions by id."""

    def __init__(self, view: "ClusterView") -> None:
        self._view = view
        self.by_id: Mapping[str, Callable[[], None]] = {
            "cluster.listing": view.next_listing,
            "cluster.disable": lambda: self._toggle("d", InstanceCommand.DISABLE, InstanceCommand.ENABLE),
            "cluster.suspend": lambda: self._toggle("s", InstanceCommand.SUSPEND, InstanceCommand.UNSUSPEND),
            "cluster.clear": lambda: self._command(InstanceCommand.CLEAR_ERROR),
            "cluster.again": self._reschedule,
            "cluster.revert": self._revert,
            "cluster.mark": self._mark,
            "cluster.mark-all": self._mark_all,
            "cluster.filter": view.start_filter,
            "cluster.open": self.open,
            "cluster.why": view.explain,
        }

    def _states(self) -> dict[str, str]:
        """The letters of what a command is for, by queue instance."""
        model = self._view.model
        return {name: model.by_name[name].state for name in self._view.targets if model and name in model.by_name}

    def _toggle(self, letter: str, sets: InstanceCommand, takes: InstanceCommand) -> None:
        """Take the letter away where all of them have it, else set it."""
        states = self._states().values()
        self._command(takes if states and all(letter in state for state in states) else sets)

    def _command(self, command: InstanceCommand) -> None:
        view = self._view
        if view.model is not None and view.targets:
            view.post_message(EditRequested(commands.change_queue_instances(command, view.targets, self._states())))

    def _reschedule(self) -> None:
        from qmon_tui.tui.cluster.prompts import ask_reschedule

        view = self._view
        if view.targets:
            ask_reschedule(view, view.workspace, view.targets)

    def _revert(self) -> None:
        view = self._view
        changed = [name for name in view.targets if view.workspace.is_dirty(StateKind.INSTANCE, name)]
        for name in changed:
            view.workspace.revert(StateKind.INSTANCE, name)
        if not changed:
            view.notify("This is as it was saved.", severity="warning", markup=False)

    def _mark(self) -> None:
        view = self._view
        names = frozenset(view.instances)
        view.mark(view.marked - names if names <= view.marked else view.marked | names)
        view.next_row()

    def _mark_all(self) -> None:
        view = self._view
        if view.model is not None:
            rows = view.model.rows(ListingKind.INSTANCES, view.filter)
            everything = frozenset(str(rows.key(index)) for index in range(len(rows)))
            view.mark(frozenset() if view.marked >= everything else everything)

    def open(self) -> None:
        """Go to the form of the queue or host under the cursor."""
        view, key = self._view, self._view.cursor_key
        if key is None:
            return
        if view.listing is ListingKind.HOSTS or (view.listing is ListingKind.MAP and not view.instances):
            view.post_message(JumpRequested(kinds.Kind.HOST, key))
        elif view.instances or view.listing is ListingKind.QUEUES:
            queue = key if view.listing is ListingKind.QUEUES else view.instances[0].rpartition("@")[0]
            view.post_message(JumpRequested(kinds.Kind.QUEUE, queue))
