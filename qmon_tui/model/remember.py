"""Remembering what was computed from parts of a cluster that never change.

A `Cluster` shares the kinds that an edit does not touch with the cluster before it, so that the identity of such a
part is a cheap and safe key.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import Any, Generic, TypeVar

Result = TypeVar("Result")


class _Same:
    """A part compared by identity; it is kept alive, so that its identity is not used again."""

    __slots__ = ("part",)

    def __init__(self, part: object) -> None:
        self.part = part

    def __hash__(self) -> int:
        return id(self.part)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and other.part is self.part


class Remembered(Generic[Result]):
    """A function of parts that never change, which is computed once for the same parts and kept for the last few."""

    def __init__(self, compute: Callable[..., Result], size: int) -> None:
        self.compute = compute

        @lru_cache(maxsize=size)
        def kept(*keys: _Same | str) -> Result:
            return compute(*(key.part if isinstance(key, _Same) else key for key in keys))

        self._kept = kept

    def __call__(self, *parts: Any) -> Result:
        """The result for these parts, computed if they are not among the last ones."""
        return self._kept(*(part if isinstance(part, str) else _Same(part) for part in parts))


def remembered(size: int = 8) -> Callable[[Callable[..., Result]], Remembered[Result]]:
    """Decorate a pure function of parts that never change (texts are compared, all else goes by identity)."""

    def decorate(compute: Callable[..., Result]) -> Remembered[Result]:
        return Remembered(compute, size)

    return decorate
