"""Findings: problems that checks and readers report about a cluster."""

from enum import StrEnum
from typing import NamedTuple


class Severity(StrEnum):
    """How bad a finding is: an error is refused by the qmaster, a warning is accepted but unwanted."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


class Finding(NamedTuple):
    """One problem, in the qmaster's words if it has some; parts of its place are None if unknown."""

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
