"""What the form of a configuration shows besides its fields: what holds on a host, and where that comes from."""

from typing import TYPE_CHECKING

from qmon_tui.late import late_names

if TYPE_CHECKING:
    from qmon_tui.tui.configuration.effective_panel import EffectiveView as EffectiveView
else:
    __getattr__ = late_names(__name__, __file__)
