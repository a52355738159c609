"""Rows that stay in sight after an action, although the filter would hide them now."""

from collections.abc import Hashable, Iterable


class KeptRows:
    """The rows that a filter has shown since it was typed; the time of the cluster moves on without them."""

    def __init__(self) -> None:
        self._shown: frozenset[Hashable] = frozenset()
        self._of: Hashable = None

    def of(self, *filter_and_time: Hashable) -> frozenset[Hashable]:
        """Return the keys of the rows to show whatever the filter says; none after another filter or time."""
        if filter_and_time != self._of:
            self._shown, self._of = frozenset(), filter_and_time
        return self._shown

    def keep(self, keys: Iterable[Hashable]) -> None:
        self._shown |= frozenset(keys)
