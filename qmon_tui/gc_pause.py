"""Memory management during a run.

A run makes hundreds of thousands of objects and drops hardly any before its end, none of them in circles: looking for
garbage meanwhile takes a quarter of its time and finds nothing.
"""

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

MANY_OBJECTS: Final = 50_000
"""What a collection would stop the whole program for, ten milliseconds and more."""


@contextmanager
def gc_paused() -> Iterator[None]:
    """Let the garbage collector rest; nested, or beside another thread that does so, the first to come wakes it up.

    What is left of many objects is kept out of all later collections: it goes when nothing refers to it any more.
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
    """Let the garbage collector work, but seldom, and not walk over what there is already, which stays.

    On ten thousand jobs that, and each run again, took a quarter of a second each time; a simulated day takes a fifth
    longer with the collector as Python has it.
    """
    gc.enable()
    gc.freeze()
    gc.set_threshold(MANY_OBJECTS, 20, 100)
