"""The parts of the main screen around list and form: header, kinds, live schedule, footer."""

from typing import TYPE_CHECKING

from qmon_tui.late import late_names

if TYPE_CHECKING:
    from qmon_tui.tui.panes.banner import Banner
    from qmon_tui.tui.panes.kinds_pane import KindsPane
    from qmon_tui.tui.panes.live_pane import LivePane, LowerPart
    from qmon_tui.tui.panes.pages import PagePane
    from qmon_tui.tui.panes.welcome import Welcome
else:
    __getattr__ = late_names(
        __name__,
        {
            "banner": ("Banner",),
            "kinds_pane": ("KindsPane",),
            "live_pane": ("LivePane", "LowerPart"),
            "pages": ("PagePane",),
            "welcome": ("Welcome",),
        },
    )

__all__ = ["Banner", "KindsPane", "LivePane", "LowerPart", "PagePane", "Welcome"]
