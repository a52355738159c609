"""Memory management during a run.

A run makes hundreds of thousands of objects and drops hardly any before its end, none of them in circles: looking for
garbage meanwhile takes a quarter of its time and finds nothing.
"""

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

MANY_JOBS: Final = 5000


def keep_out_of_collections(jobs: int) -> None:
    """After a run of many jobs: let no collection look through what is there, since that stops the whole program.

    The objects of a document and of a run go when nothing refers to them any more; none of them are in circles.
    """
    if jobs >= MANY_JOBS:
        gc.freeze()


@contextmanager
def no_collection() -> Iterator[None]:
    """Let the garbage collector rest; nested, or beside another thread that does so, the first to come wakes it up."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
