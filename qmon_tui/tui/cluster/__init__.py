"""The Cluster page: cluster queues, hosts and queue instances."""

from typing import TYPE_CHECKING

from qmon_tui.late import late_names

if TYPE_CHECKING:
    from qmon_tui.tui.cluster.actions import CLUSTER_ACTIONS as CLUSTER_ACTIONS
    from qmon_tui.tui.cluster.cluster_view_model import ListingKind as ListingKind
    from qmon_tui.tui.cluster.drain_dialogs import (
        ask_disable as ask_disable,
        ask_enable as ask_enable,
        toggle_disabled as toggle_disabled,
    )
    from qmon_tui.tui.cluster.prompts import (
        ask_reschedule as ask_reschedule,
        give_command as give_command,
        instance_letters as instance_letters,
    )
    from qmon_tui.tui.cluster.view import ClusterView as ClusterView
else:
    __getattr__ = late_names(__name__, __file__, modules=True)
