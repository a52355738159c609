"""Findings: problems that checks and readers report about a cluster."""

from enum import StrEnum
from typing import NamedTuple


class Severity(StrEnum):
    """How bad a finding is: an error is refused by the qmaster, a warning is accepted but unwanted."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


class Finding(NamedTuple):
    """One problem at one place: in the qmaster's words if it has some, and a hint how to correct it."""

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
