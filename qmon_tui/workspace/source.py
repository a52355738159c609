"""Where what is shown comes from: the last change, and the formulas of the priorities."""

from enum import StrEnum

GRID_ENGINE = "grid-engine"
"""The formulas that a qmaster computes by; all others are for comparison."""


class Source(StrEnum):
    """Where the last change came from."""

    FORM = "form"
    FILE = "file"
