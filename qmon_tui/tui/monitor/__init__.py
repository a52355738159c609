"""The Monitor page: a simulated day that the user plays, stops and examines."""

from typing import TYPE_CHECKING

from qmon_tui.late import late_names

if TYPE_CHECKING:
    from qmon_tui.tui.monitor.actions import MONITOR_ACTIONS as MONITOR_ACTIONS
    from qmon_tui.tui.monitor.view import MonitorView as MonitorView
else:
    __getattr__ = late_names(__name__, __file__, modules=True)
