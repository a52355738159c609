"""Visibility of the panes: by the width of the terminal, the focus, and the zoom."""

from textual.dom import DOMNode
from textual.screen import Screen
from textual.widget import Widget

from qmon_tui.tui.keys import Pane

NARROW = "-one"
"""The class of a screen that shows one pane."""
_TWO = 100
BREAKPOINTS = [(0, NARROW), (_TWO, "-two"), (140, "-three")]
"""Columns from which one, two, three panes are shown."""
HEIGHTS = [(0, "-low"), (34, "-mid"), (50, "-tall")]
"""Lines from which list and form are both shown in full, and from which job and queue instances are."""

_PANES = {"kinds": Pane.KINDS, "place": Pane.PAGE, "list": Pane.LIST, "form": Pane.FORM, "live": Pane.LIVE}
CLASS_AT = {pane: f"-at-{pane}" for pane in Pane}
"""The class of the screen while a pane has the focus."""


def pane_of(widget: DOMNode | None) -> Pane | None:
    """Return the pane that contains a widget; None if none does."""
    while widget is not None:
        if widget.id in _PANES:
            return _PANES[widget.id]
        widget = widget.parent
    return None


def is_narrow(screen: Screen[None]) -> bool:
    """Return True if one pane is shown at a time; works before the screen has its classes."""
    return screen.app.size.width < _TWO


def show_pane(screen: Screen[None], pane: Pane) -> None:
    """Show a pane; on narrow terminals it replaces the visible one."""
    # One update: each change computes the styles of everything on the screen again.
    screen.update_classes({name: other is pane for other, name in CLASS_AT.items()})


def focus_pane(screen: Screen[None], pane: Pane, widget: Widget) -> None:
    """Show a pane and focus its widget as soon as that is displayed.

    A hidden widget passes its focus on, perhaps after this widget got it: so the focus is removed first.
    """
    if screen.focused is not None and screen.has_class(NARROW) and pane_of(screen.focused) is not pane:
        screen.set_focus(None)
    show_pane(screen, pane)
    screen.call_after_refresh(widget.focus)
