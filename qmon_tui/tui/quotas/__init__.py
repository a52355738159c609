"""Panels of a resource quota set: its rules, their usage, and the rules that match a job."""

from typing import TYPE_CHECKING

from qmon_tui.late import late_names

if TYPE_CHECKING:
    from qmon_tui.tui.quotas.actions import HIT_TEST_ACTIONS as HIT_TEST_ACTIONS, RULES_ACTIONS as RULES_ACTIONS
    from qmon_tui.tui.quotas.hit_test_panel import HitTestView as HitTestView
    from qmon_tui.tui.quotas.quota_panels import RulesView as RulesView, UsageView as UsageView
else:
    __getattr__ = late_names(__name__, __file__, modules=True)
