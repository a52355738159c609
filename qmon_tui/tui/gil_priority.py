"""Interpreter lock priority for the thread of the screen over those that compute.

A thread that waits for the lock asks for it after the switch interval, which it reads when the wait begins. So the
interval is long while the screen works, and short while it waits for a key or for the lock.
"""

import selectors
import sys
from typing import Final

_WORKING: Final = 0.01
"""Seconds that others leave to the screen when it works; most answers to a key take less."""
_WAITING: Final = 0.0001
"""Seconds after which others make room for the screen: the answer to a key takes a dozen such turns."""


class ScreenFirstSelector(selectors.DefaultSelector):
    """Selector of the screen's event loop."""

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        """Wait for an event; then lengthen the switch interval."""
        sys.setswitchinterval(_WAITING)
        try:
            return super().select(timeout)
        finally:
            sys.setswitchinterval(_WORKING)
