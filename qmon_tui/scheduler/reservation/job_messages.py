"""Messages collected while jobs are tried, with the silent phases of 8.1.9.

A search for a reservation sets `is_silent`, so that no messages are collected. As in 8.1.9, the end of the search in
one PE resets it; after a failed reservation of one slot, messages stay off until such a search.
"""

from collections.abc import Collection


class JobMessages:
    """The messages about one job, collected by calling this object."""

    __slots__ = ("_announced", "is_silent", "lines")

    def __init__(self, announced: Collection[str] = ()) -> None:
        """Messages in `announced` go to all jobs and are not collected."""
        self._announced = announced
        self.lines: list[str] = []
        self.is_silent = False

    def __call__(self, text: str) -> None:
        """Add a message unless silent."""
        if not self.is_silent and text not in self._announced:
            self.lines.append(text)
