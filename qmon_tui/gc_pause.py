"""Garbage collection during runs.

A run makes hundreds of thousands of objects and drops hardly any before its end, none of them in cycles: collections
would take a quarter of its time and free nothing.
"""

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

MANY_OBJECTS: Final = 50_000
"""Number of new objects that a collection would need 10 ms or more for, while the whole program stops."""


@contextmanager
def gc_paused() -> Iterator[None]:
    """Pause garbage collection; if calls are nested or in several threads, the first one enables it again.

    If many objects are left, later collections skip them: they are freed when nothing refers to them any more.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            if gc.get_count()[0] >= MANY_OBJECTS:
                gc.freeze()
            gc.enable()


def calm_collector() -> None:
    """Enable rare garbage collections that skip all existing objects.

    With ten thousand jobs each collection took a quarter of a second; with Python's defaults a simulated day takes a
    fifth longer.
    """
    gc.enable()
    gc.freeze()
    gc.set_threshold(MANY_OBJECTS, 20, 100)
