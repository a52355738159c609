"""The parts of the main screen around list and form: header, kinds, live schedule, footer."""

from typing import TYPE_CHECKING

from qmon_tui.late import late_names

if TYPE_CHECKING:
    from qmon_tui.tui.panes.banner import Banner as Banner, Welcome as Welcome
    from qmon_tui.tui.panes.live_pane import LivePane as LivePane
    from qmon_tui.tui.panes.lower_part import LowerPart as LowerPart
    from qmon_tui.tui.panes.pages import KindsPane as KindsPane, PagePane as PagePane
else:
    __getattr__ = late_names(__name__, __file__, modules=True)
