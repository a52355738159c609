"""The Learn page: the list of lessons, or a step of the open lesson."""

from typing import TYPE_CHECKING

from qmon_tui.late import late_names

if TYPE_CHECKING:
    from qmon_tui.tui.learn.actions import LEARN_ACTIONS as LEARN_ACTIONS
    from qmon_tui.tui.learn.view import LearnView as LearnView
else:
    __getattr__ = late_names(__name__, __file__, modules=True)
