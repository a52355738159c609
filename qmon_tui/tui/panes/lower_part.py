"""The lower part of the live pane: what it shows, and the explanation of a job in an outcome."""

from dataclasses import dataclass
from enum import StrEnum

from qmon_tui.explain import Explanation
from qmon_tui.model import Outcome
from qmon_tui.workspace import JobKey


class LowerPart(StrEnum):
    """Content of the lower part on screens that are too low for both."""

    WHY = "why"
    INSTANCES = "instances"


@dataclass(frozen=True, slots=True)
class KnownExplanation:
    """Explanation of a job in an outcome; a text if it could not be explained."""

    key: JobKey
    outcome: Outcome
    explanation: Explanation | str
    searching: bool = False
    """True while more changes that would let it run are being tried."""
