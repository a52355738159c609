"""What is said while jobs are tried, and when 8.1.9 says nothing.

Searches for reservations are meant to be silent. But one parallel environment's times searched are enough for the
scheduler to speak again, and where a reservation of one slot fails at the last moment it stays silent until then.
"""

from collections.abc import Collection


class JobMessages:
    """Takes the messages about one job."""

    __slots__ = ("_announced", "is_silent", "lines")

    def __init__(self, announced: Collection[str] = ()) -> None:
        """What is `announced` to all jobs is not noted for one of them."""
        self._announced = announced
        self.lines: list[str] = []
        self.is_silent = False

    def __call__(self, text: str) -> None:
        """Say something."""
        if not self.is_silent and text not in self._announced:
            self.lines.append(text)
