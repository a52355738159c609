"""The choice of figures that pages show: of the current state, after the next scheduling run, or both."""

from enum import StrEnum


class Figures(StrEnum):
    """The figures that pages show; the value is what titles say."""

    CHANGES = "now → next run"
    """The current state, with the new value beside it where the next run changes it."""
    NEXT = "next run"
    """The state that the next scheduling run leaves."""
    NOW = "now"
    """The current state."""

    @property
    def next(self) -> "Figures":
        """The choice after this one."""
        order = tuple(Figures)
        return order[(order.index(self) + 1) % len(order)]
