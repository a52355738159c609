"""Garbage collection during runs.

A run makes hundreds of thousands of objects and drops hardly any before its end, none of them in cycles: collections
would take a quarter of its time and free nothing.
"""

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Final

MANY_OBJECTS: Final = 50_000
"""Number of new objects whose collection stops the whole program for 10 ms or more."""
GROWTH: Final = 200_000
"""Number by which the skipped objects may exceed twice `_skipped` before everything is collected."""
_skipped: Final[list[int]] = [0]
"""One item: the number of skipped objects after the last collection of everything."""
_LOCK: Final = Lock()
_pauses: Final[list[bool]] = []
"""One item per pause in progress, in any thread: True if the collector was enabled before the first of them."""


@contextmanager
def gc_paused() -> Iterator[None]:
    """Pause garbage collection; if calls are nested or in several threads, the last one enables it again.

    If many objects are left, later collections skip them: they are freed when nothing refers to them any more.
    """
    with _LOCK:
        _pauses.append(_pauses[0] if _pauses else gc.isenabled())
        gc.disable()
    try:
        yield
    finally:
        with _LOCK:
            was_enabled = _pauses.pop()
            if was_enabled and not _pauses:
                if gc.get_count()[0] >= MANY_OBJECTS:
                    _skip_all()
                gc.enable()


def _skip_all() -> None:
    """Make collections skip all existing objects.

    Cycles among skipped objects are never freed: as soon as the skipped ones have doubled, all are collected once.
    """
    gc.freeze()
    if gc.get_freeze_count() > 2 * _skipped[-1] + GROWTH:
        gc.unfreeze()
        gc.collect()
        gc.freeze()
        _skipped[:] = [gc.get_freeze_count()]


def collect_everything() -> None:
    """Free all cycles, also among the objects that collections skip; it takes a quarter of a second with many jobs.

    A program that reads a running cluster for hours drops thousands of cycles a minute, which no rare collection frees.
    """
    with _LOCK:
        if _pauses:
            return
        gc.unfreeze()
        gc.collect()
        gc.freeze()
        _skipped[:] = [gc.get_freeze_count()]


def calm_collector() -> None:
    """Enable rare garbage collections that skip all existing objects.

    Without skipping, each collection takes a quarter of a second with ten thousand jobs; with Python's default
    thresholds, a simulated day takes a fifth longer.
    """
    gc.enable()
    gc.freeze()
    _skipped[:] = [gc.get_freeze_count()]
    gc.set_threshold(MANY_OBJECTS, 20, 100)
