"""What checks and readers say about a cluster."""

from enum import StrEnum
from typing import NamedTuple


class Severity(StrEnum):
    """How bad a finding is: an error is refused by the qmaster, a warning is accepted but unwanted."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


class Finding(NamedTuple):
    """One statement about one place: what is wrong in the qmaster's words, and how to mend it."""

    rule: str
    severity: Severity
    kind: str
    name: str
    field: str | None
    message: str
    hint: str = ""
    file: str | None = None
    line: int | None = None
    column: int | None = None
