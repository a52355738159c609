"""Panel of an execution host: its values in the last run."""

from typing import TYPE_CHECKING

from qmon_tui.late import late_names

if TYPE_CHECKING:
    from qmon_tui.tui.hosts.actions import VALUES_ACTIONS as VALUES_ACTIONS
    from qmon_tui.tui.hosts.host_values_panel import ValuesView as ValuesView
else:
    __getattr__ = late_names(__name__, __file__)
