"""The pages Compare and Sweep: the same days under several policies, or under all combinations of some values."""

from typing import TYPE_CHECKING

from qmon_tui.late import late_names

if TYPE_CHECKING:
    from qmon_tui.tui.compare.actions import COMPARE_ACTIONS as COMPARE_ACTIONS, SWEEP_ACTIONS as SWEEP_ACTIONS
    from qmon_tui.tui.compare.compare_view import CompareView as CompareView
    from qmon_tui.tui.compare.sweep_view import SweepView as SweepView
else:
    __getattr__ = late_names(__name__, __file__, modules=True)
