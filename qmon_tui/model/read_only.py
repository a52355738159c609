"""Read-only mappings can be pickled, so that clusters, states and outcomes can be sent to other processes."""

import copyreg
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TypeVar

K = TypeVar("K")
V = TypeVar("V")


def read_only(mapping: Mapping[K, V]) -> MappingProxyType[K, V]:
    """Return a read-only view of a mapping. Pickles call this, because they cannot find the type by its name."""
    return MappingProxyType(mapping)


def _reduced(
    proxy: MappingProxyType[K, V],
) -> tuple[Callable[[Mapping[K, V]], MappingProxyType[K, V]], tuple[dict[K, V]]]:
    return read_only, (dict(proxy),)


copyreg.pickle(MappingProxyType, _reduced)
