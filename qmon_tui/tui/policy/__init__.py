"""Panels of the scheduler configuration: the effect of the policies, and the holders of shares."""

from typing import TYPE_CHECKING

from qmon_tui.late import late_names

if TYPE_CHECKING:
    from qmon_tui.tui.policy.actions import POLICY_ACTIONS as POLICY_ACTIONS, SHARES_ACTIONS as SHARES_ACTIONS
    from qmon_tui.tui.policy.policy_panels import PolicyView as PolicyView, SharesView as SharesView
else:
    __getattr__ = late_names(__name__, __file__)
