"""The page of sweeps: the same days under many policies."""

from typing import TYPE_CHECKING

from qmon_tui.late import late_names

if TYPE_CHECKING:
    from qmon_tui.tui.sweep.actions import SWEEP_ACTIONS as SWEEP_ACTIONS
    from qmon_tui.tui.sweep.view import SweepView as SweepView
else:
    __getattr__ = late_names(__name__, __file__, modules=True)
