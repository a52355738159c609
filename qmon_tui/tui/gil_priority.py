"""Priority for the screen: its thread gets the interpreter lock before those that compute beside it.

Threads of Python take turns: who has it gives it away after an interval that whoever waits for it reads when the wait
begins. So the interval is long while the screen works, and short while it waits for a key or for its turn.
"""

import selectors
import sys
from typing import Final

_WORKING: Final = 0.01
"""Seconds that others leave to the screen when it works; most answers to a key take less."""
_WAITING: Final = 0.0001
"""Seconds after which others make room for the screen: the answer to a key takes a dozen such turns."""


class ScreenFirstSelector(selectors.DefaultSelector):
    """What the event loop of the screen waits with."""

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        """Wait for something to do, and have the others wait longer when it has come."""
        sys.setswitchinterval(_WAITING)
        try:
            return super().select(timeout)
        finally:
            sys.setswitchinterval(_WORKING)
