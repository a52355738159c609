"""Panel of a configuration: the values that apply to a host, and the configuration that sets each."""

from typing import TYPE_CHECKING

from qmon_tui.late import late_names

if TYPE_CHECKING:
    from qmon_tui.tui.configuration.effective_panel import EffectiveView as EffectiveView
else:
    __getattr__ = late_names(__name__, __file__)
