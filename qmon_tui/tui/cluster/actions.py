"""Actions of the Cluster page: commands to queue instances are edits that the view requests."""

from typing import TYPE_CHECKING

from qmon_tui import qmaster
from qmon_tui.model import StateKind
from qmon_tui.tui.cluster import drain_dialogs, prompts
from qmon_tui.tui.keys import ActionSet, Pane

if TYPE_CHECKING:
    from qmon_tui.tui.cluster.view import ClusterView

_HERE = (Pane.PAGE,)

CLUSTER_ACTIONS: "ActionSet[ClusterView]" = ActionSet("cluster")


@CLUSTER_ACTIONS.action("listing", "t", text="Next listing: map, cluster queues, queue instances, hosts", footer=_HERE)
def _listing(view: "ClusterView") -> None:
    view.next_listing()


@CLUSTER_ACTIONS.action(
    "disable",
    "X",
    dangerous=True,
    footer=_HERE,
    text="Disable queue instances for a reason, or enable them when it is over (qmod -d, -e)",
)
def _disable(view: "ClusterView") -> None:
    if view.targets:
        drain_dialogs.toggle_disabled(view, view.workspace, view.targets, view.edit, view.hidden_marks)


@CLUSTER_ACTIONS.action(
    "suspend",
    "S",
    dangerous=True,
    footer=_HERE,
    text="Suspend or unsuspend queue instances (qmod -sq, -usq)",
)
def _suspend(view: "ClusterView") -> None:
    states = view.states.values()
    are_suspended = bool(states) and all("s" in state for state in states)
    _command(view, qmaster.InstanceCommand.UNSUSPEND if are_suspended else qmaster.InstanceCommand.SUSPEND)


def _command(view: "ClusterView", command: "qmaster.InstanceCommand") -> None:
    if view.model is not None and view.targets:
        prompts.give_command(view, view.workspace, command, view.targets, view.edit, view.hidden_marks)


@CLUSTER_ACTIONS.action(
    "clear",
    "K",
    label="clear error",
    dangerous=True,
    footer=_HERE,
    text="Clear the error state of the queue instances that are in E (qmod -cq)",
)
def _clear_error(view: "ClusterView") -> None:
    _command(view, qmaster.InstanceCommand.CLEAR_ERROR)


@CLUSTER_ACTIONS.action(
    "again", "O", label="reschedule", dangerous=True, text="Reschedule the jobs that run there (qmod -rq, -f -rq)"
)
def _reschedule(view: "ClusterView") -> None:
    if view.targets:
        prompts.ask_reschedule(view, view.workspace, view.targets, view.hidden_marks)


@CLUSTER_ACTIONS.action("revert", "x", dangerous=True, text="Reset the state of this queue instance to the saved one")
def _revert(view: "ClusterView") -> None:
    changed = [name for name in view.targets if view.workspace.is_dirty(StateKind.INSTANCE, name)]
    for name in changed:
        view.workspace.revert(StateKind.INSTANCE, name)
    if not changed:
        view.notify("This has not changed since the last save.", severity="warning", markup=False)


@CLUSTER_ACTIONS.action("mark", "m", "space", text="Mark this queue instance, or all of this cluster queue or host")
def _mark(view: "ClusterView") -> None:
    names = frozenset(view.instances)
    view.mark(view.marked - names if names <= view.marked else view.marked | names)
    view.next_row()


@CLUSTER_ACTIONS.action("mark-all", "A", text="Mark all queue instances that match the filter, or none")
def _mark_all(view: "ClusterView") -> None:
    if view.model is not None:
        everything = view.filtered_instances
        view.mark(frozenset() if view.marked >= everything else everything)


@CLUSTER_ACTIONS.action(
    "filter",
    "slash",
    text="Show only some rows: state=E queue=all.q host=@rack load>20 words",
    footer=_HERE,
)
def _filter(view: "ClusterView") -> None:
    view.start_filter()


@CLUSTER_ACTIONS.action("open", "e", label="edit", text="Go to the form of this queue or host")
def _open(view: "ClusterView") -> None:
    view.open_form()


@CLUSTER_ACTIONS.action("why", "w", text="What each state letter here means, and its cause", footer=_HERE)
def _why(view: "ClusterView") -> None:
    view.explain()
