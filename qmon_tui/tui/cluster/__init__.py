"""The Cluster page: cluster queues, hosts and queue instances."""

from typing import TYPE_CHECKING

from qmon_tui.late import late_names

if TYPE_CHECKING:
    from qmon_tui.tui.cluster.actions import CLUSTER_ACTIONS as CLUSTER_ACTIONS
    from qmon_tui.tui.cluster.drain_dialogs import toggle_disabled as toggle_disabled
    from qmon_tui.tui.cluster.prompts import give_command as give_command
    from qmon_tui.tui.cluster.view import ClusterView as ClusterView
else:
    __getattr__ = late_names(__name__, __file__)
