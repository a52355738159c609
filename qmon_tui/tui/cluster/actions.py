"""What can be done in the place of the cluster."""

from qmon_tui.tui.keys.action import Action
from qmon_tui.tui.keys.action_context import Pane

_HERE = (Pane.PAGE,)

CLUSTER_ACTIONS = (
    Action("cluster.listing", ("t",), "listing", "Next: map, cluster queues, queue instances, hosts", footer=_HERE),
    Action("cluster.disable", ("X",), "disable", "Disable queue instances, or enable disabled ones (qmod -d, -e)",
           dangerous=True, footer=_HERE),
    Action("cluster.suspend", ("S",), "suspend", "Suspend queue instances, or resume those suspended (qmod -sq, -usq)",
           dangerous=True, footer=_HERE),
    Action("cluster.clear", ("K",), "clear error", "Take the error state from queue instances (qmod -cq)",
           dangerous=True, footer=_HERE),
    Action("cluster.again", ("O",), "send back", "Send what runs there back to be scheduled (qmod -rq, -f -rq)",
           dangerous=True),
    Action("cluster.revert", ("x",), "revert", "Set the state of this queue instance back to what was saved",
           dangerous=True),
    Action("cluster.mark", ("m", "space"), "mark", "Mark this queue instance, or all of this cluster queue or host"),
    Action("cluster.mark-all", ("A",), "mark all", "Mark all queue instances that the filter lets through, or none"),
    Action("cluster.filter", ("slash",), "filter", "Show only what contains these words", footer=_HERE),
    Action("cluster.open", ("e",), "edit", "Go to the form of this queue or host"),
    Action("cluster.why", ("w",), "why", "What each state letter means here, and what makes it", footer=_HERE),
)  # fmt: skip
