"""Functions of immutable parts of a cluster, memoized by the identity of their arguments.

A `Cluster` shares the kinds that an edit does not touch with the cluster before it, so that the identity of such a
part is a cheap and safe key.
"""

from collections import OrderedDict
from collections.abc import Callable
from typing import Any, Generic, ParamSpec, TypeVar

Parts = ParamSpec("Parts")
Result = TypeVar("Result")


class Memoized(Generic[Parts, Result]):
    """A function of immutable arguments that keeps the results of the last `size` calls with different arguments."""

    def __init__(self, compute: Callable[Parts, Result], size: int) -> None:
        self.compute = compute
        self._size = size
        self._kept: OrderedDict[tuple[int | str, ...], tuple[Result, tuple[Any, ...]]] = OrderedDict()
        """Texts and identities -> (result, arguments); arguments are kept so that identities stay unique."""

    def __call__(self, *parts: Parts.args, **nothing: Parts.kwargs) -> Result:
        """Return the result for these arguments, computed unless it is kept."""
        assert not nothing, "parts have no names"
        key = tuple([part if isinstance(part, str) else id(part) for part in parts])
        kept = self._kept
        try:
            kept.move_to_end(key)
            return kept[key][0]
        except KeyError:  # never computed, or just forgotten by another thread
            pass
        result = self.compute(*parts, **nothing)
        kept[key] = (result, parts)
        if len(kept) > self._size:
            kept.popitem(last=False)
        return result


def memoized(size: int = 8) -> Callable[[Callable[Parts, Result]], Memoized[Parts, Result]]:
    """Decorate a pure function of immutable arguments (texts are compared by value, all else by identity)."""

    def decorate(compute: Callable[Parts, Result]) -> Memoized[Parts, Result]:
        return Memoized(compute, size)

    return decorate
