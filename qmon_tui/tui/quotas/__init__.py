"""What the form of a quota set shows besides its fields: its rules, what is used of them, and a hit test."""

from typing import TYPE_CHECKING

from qmon_tui.late import late_names

if TYPE_CHECKING:
    from qmon_tui.tui.quotas.actions import HIT_TEST_ACTIONS, RULES_ACTIONS
    from qmon_tui.tui.quotas.hit_test_panel import HitTestView
    from qmon_tui.tui.quotas.quota_panels import RulesView, UsageView
else:
    __getattr__ = late_names(
        __name__,
        {
            "actions": ("HIT_TEST_ACTIONS", "RULES_ACTIONS"),
            "hit_test_panel": ("HitTestView",),
            "quota_panels": ("RulesView", "UsageView"),
        },
    )

__all__ = ["HIT_TEST_ACTIONS", "RULES_ACTIONS", "HitTestView", "RulesView", "UsageView"]
