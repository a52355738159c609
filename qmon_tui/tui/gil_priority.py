"""Interpreter lock priority for the thread of the screen over those that compute.

A thread that waits for the lock asks for it after the switch interval, which it reads when the wait begins. So the
interval is long while the screen works, and short while it waits for a key or for the lock.
"""

import selectors
import sys
from typing import Final

_WORKING: Final = 0.01
"""Switch interval in seconds while the screen works; most answers to a key take less."""
_WAITING: Final = 0.0001
"""Switch interval in seconds while the screen waits: an answer to a key waits about a dozen times."""


class ScreenFirstSelector(selectors.DefaultSelector):
    """Selector of the screen's event loop."""

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        """Wait for an event; then lengthen the switch interval."""
        sys.setswitchinterval(_WAITING)
        try:
            return super().select(timeout)
        finally:
            sys.setswitchinterval(_WORKING)
