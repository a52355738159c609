"""What the form of the scheduler shows besides its fields: what the policies come to, and who has shares."""

from typing import TYPE_CHECKING

from qmon_tui.late import late_names

if TYPE_CHECKING:
    from qmon_tui.tui.policy.actions import POLICY_ACTIONS, SHARES_ACTIONS
    from qmon_tui.tui.policy.policy_panels import PolicyView, SharesView
else:
    __getattr__ = late_names(
        __name__,
        {
            "actions": ("POLICY_ACTIONS", "SHARES_ACTIONS"),
            "policy_panels": ("PolicyView", "SharesView"),
        },
    )

__all__ = ["POLICY_ACTIONS", "SHARES_ACTIONS", "PolicyView", "SharesView"]
