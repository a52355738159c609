"""The rules of edits that a running qmaster refuses for the sake of advance reservations."""

from typing import Final

from qmon_tui.checks.rules import RuleBook
from qmon_tui.model.kinds import Kind

_SUMMARY: Final = "An edit leaves to advance reservations what they were granted."
_KINDS: Final = (Kind.QUEUE, Kind.HOST, Kind.PE, Kind.CALENDAR, Kind.USERSET)
REFUSED_FOR_RESERVATIONS: Final = {kind: RuleBook(kind, "qrsub(1)").warning("promised", _SUMMARY) for kind in _KINDS}
"""Files may say it: it is only that it cannot be told to a qmaster that has the reservations."""
