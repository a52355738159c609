"""What the first action and the first look at a place need is loaded ahead, beside the screen.

Loaded with the key that asks for it, it would keep the screen busy for a tenth of a second.
"""

from importlib import import_module
from typing import Final

_MODULES: Final = ("screens.handlers", "jobs.view", "cluster.view")


def preload_modules() -> None:
    """Load it; to be called in a thread, when there is nothing more urgent to do."""
    for name in _MODULES:
        import_module(f"qmon_tui.tui.{name}")
