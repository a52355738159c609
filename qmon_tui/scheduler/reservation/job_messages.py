"""Messages collected while jobs are tried, with the silent phases of 8.1.9.

Searches for reservations should be silent. But searching the times of one PE ends the silence, and if a reservation of
one slot fails last, silence lasts until then.
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
