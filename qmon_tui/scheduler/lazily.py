"""Sequences whose members are made when somebody reads them: of ten thousand jobs a screen shows forty."""

from collections.abc import Callable, Iterator, Sequence
from typing import Generic, TypeVar, overload

S = TypeVar("S")
T = TypeVar("T")


class Lazily(Sequence[T], Generic[S, T]):
    """As long as `sources`; each member is what `make` makes of its source, and is made once.

    It equals any sequence with equal members. What `make` reads must not change any more.
    """

    def __init__(self, sources: Sequence[S], make: Callable[[S], T]) -> None:
        self._sources = sources
        self._make = make
        self._made: list[T | None] = [None] * len(sources)

    def __len__(self) -> int:
        return len(self._sources)

    @overload
    def __getitem__(self, index: int) -> T: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[T]: ...

    def __getitem__(self, index: int | slice) -> T | Sequence[T]:
        if isinstance(index, slice):
            return tuple(self[position] for position in range(len(self))[index])
        made = self._made[index]
        if made is None:
            made = self._made[index] = self._make(self._sources[index])
        return made

    def __iter__(self) -> Iterator[T]:
        for position, made in enumerate(self._made):
            yield self[position] if made is None else made

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and len(self) == len(other) and all(map(_equal, self, other))

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return repr(tuple(self))


class Later(Sequence[T]):
    """What `make` makes, all of it once the first member or the length is asked for.

    It equals any sequence with equal members. What `make` reads must not change any more.
    """

    def __init__(self, make: Callable[[], Sequence[T]]) -> None:
        self._make = make
        self._made: Sequence[T] | None = None

    def _all(self) -> Sequence[T]:
        if self._made is None:
            self._made = self._make()
        return self._made

    def __len__(self) -> int:
        return len(self._all())

    @overload
    def __getitem__(self, index: int) -> T: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[T]: ...

    def __getitem__(self, index: int | slice) -> T | Sequence[T]:
        return self._all()[index]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and len(self) == len(other) and all(map(_equal, self, other))

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return repr(tuple(self))


def _equal(one: object, other: object) -> bool:
    return one == other
