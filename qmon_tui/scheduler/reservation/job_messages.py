"""Messages collected while jobs are tried, with the silent phases of 8.1.9.

A search for a reservation sets `is_silent`: it collects no messages. As in 8.1.9, searching the times of one PE ends
this; after a failed reservation of one slot it lasts until such a search.
"""

from collections.abc import Collection


class JobMessages:
    """Collects the messages of one job."""

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
