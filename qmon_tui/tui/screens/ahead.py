"""What the first action and the first look at a place need is loaded ahead, beside the screen.

Loaded with the key that asks for it, it would keep the screen busy for a tenth of a second.
"""

from importlib import import_module
from typing import Final

_NEEDED: Final = ("screens.deeds", "jobs.view", "cluster.view")


def load_ahead() -> None:
    """Load it; to be called in a thread, when there is nothing more urgent to do."""
    for name in _NEEDED:
        import_module(f"qmon_tui.tui.{name}")
