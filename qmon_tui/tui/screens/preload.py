"""Import of modules that the first action and the first look at a page need, in a thread.

Imported with the key that needs them, they would block the screen for a tenth of a second.
"""

from importlib import import_module
from typing import Final

_MODULES: Final = (
    "screens.action_dialogs",
    "screens.copy_selection",
    "screens.object_prompts",
    "screens.reference_navigation",
    "screens.saving",
    "lists.complex_files",
    "lists.object_files",
    "jobs.view",
    "cluster.view",
)


def preload_modules() -> None:
    """Load it; to be called in a thread, when there is nothing more urgent to do."""
    for name in _MODULES:
        import_module(f"qmon_tui.tui.{name}")
