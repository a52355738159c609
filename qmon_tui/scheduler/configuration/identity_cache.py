"""A memory of what was computed from immutable objects, recognised by identity and not by value."""

from collections import OrderedDict
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class IdentityCache(Generic[T]):
    """Remembers results per tuple of objects.

    Configuration objects are immutable and shared between the revisions of a cluster, so the same object means the
    same result, and an edit of one object computes only that object anew. Entries keep their objects alive, which
    makes ids unique; the oldest entries are dropped.
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._entries: OrderedDict[tuple[int, ...], tuple[tuple[object, ...], T]] = OrderedDict()

    def get(self, objects: tuple[object, ...], compute: Callable[[], T]) -> T:
        """The remembered result for these very objects, else the result of `compute`."""
        key = tuple(map(id, objects))
        entry = self._entries.get(key)
        if entry is None:
            entry = (objects, compute())
            self._entries[key] = entry
            while len(self._entries) > self._limit:
                try:
                    self._entries.popitem(last=False)
                except KeyError:  # another thread was quicker
                    break
        return entry[1]
