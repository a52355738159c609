"""Old runs are taken apart piece by piece, beside the screen.

A run of ten thousand jobs is some hundred thousand objects. Whoever lets go of the last reference to it, often the
screen's thread, would free them all at once, which takes forty milliseconds in which no key is answered.
"""

import threading
from collections.abc import Iterable
from functools import cache
from queue import SimpleQueue
from weakref import finalize


def free_parts_after(owner: object, parts: Iterable[object]) -> None:
    """Keep the parts until nobody refers to the owner any more, then let go of them one by one in a thread."""
    finalize(owner, _queue().put, list(parts)).atexit = False


@cache
def _queue() -> "SimpleQueue[list[object]]":
    # This kind of queue may be given something in the middle of whatever a thread does just then.
    queue: SimpleQueue[list[object]] = SimpleQueue()
    threading.Thread(target=_free_parts, args=(queue,), name="remains", daemon=True).start()
    return queue


def _free_parts(queue: "SimpleQueue[list[object]]") -> None:
    while True:
        parts = queue.get()
        while parts:
            parts.pop()  # between two of them the screen can have its turn
