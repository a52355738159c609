"""The terminal interface: application, screens, widgets, dialogs, themes and the key registry."""

from typing import TYPE_CHECKING

from qmon_tui.late import late_names

if not TYPE_CHECKING:
    __getattr__ = late_names(__name__, __file__, modules=True)
