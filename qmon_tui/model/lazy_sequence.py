"""Sequences whose members are made when they are first read, since a screen shows forty of ten thousand jobs."""

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Generic, TypeVar, overload

S = TypeVar("S")
T = TypeVar("T")


class _LazyMembers(Sequence[T]):
    """Sequence that is equal to any sequence with equal members, and is pickled as the tuple of its members.

    The sources of the members are not pickled, and must not change.
    """

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and len(self) == len(other) and all(map(_equal, self, other))

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[object, tuple[tuple[T, ...]]]:
        return tuple, (tuple(self),)

    def __repr__(self) -> str:
        return repr(tuple(self))


class LazySequence(_LazyMembers[T], Generic[S, T]):
    """Sequence with one member per source; `make` is called once, when the member is first read."""

    def __init__(
        self, sources: Sequence[S], make: Callable[[S], T], number_of: Callable[[S], int] | None = None
    ) -> None:
        """`number_of` returns the member's number from its source, for `numbered`."""
        self._sources = sources
        self._number_of = number_of
        self._places: dict[int, int] = {}
        self._make = make
        self._made: list[T | None] = [None] * len(sources)

    def numbered(self, number: int) -> T | None:
        """Return the member with a number, without making others; None if there is none."""
        if self._number_of is not None and not self._places:
            self._places = {self._number_of(source): place for place, source in enumerate(self._sources)}
        place = self._places.get(number)
        return None if place is None else self[place]

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


class _Deferred(Generic[S]):
    """Collection that `make` returns; `make` is called when a member is first read."""

    def __init__(self, make: Callable[[], S]) -> None:
        self._make = make
        self._made: S | None = None

    def _all(self) -> S:
        if self._made is None:
            self._made = self._make()
        return self._made


class DeferredSequence(_Deferred[Sequence[T]], _LazyMembers[T]):
    """Sequence that `make` returns; `make` is called when a member or the length is first read."""

    def __len__(self) -> int:
        return len(self._all())

    @overload
    def __getitem__(self, index: int) -> T: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[T]: ...

    def __getitem__(self, index: int | slice) -> T | Sequence[T]:
        return self._all()[index]


class DeferredSet(_Deferred[frozenset[T]], Collection[T]):
    """Set that `make` returns; `make` is called when the set is first read."""

    def __contains__(self, member: object) -> bool:
        return member in self._all()

    def __iter__(self) -> Iterator[T]:
        return iter(self._all())

    def __len__(self) -> int:
        return len(self._all())

    def __reduce__(self) -> tuple[object, tuple[frozenset[T]]]:
        """Return a plain frozenset for pickling; `make` is not pickled."""
        return frozenset, (self._all(),)


def _equal(member: object, other: object) -> bool:
    return member == other
