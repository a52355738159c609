"""Rules of edits that a running qmaster refuses because of granted advance reservations."""

from typing import Final

from qmon_tui.checks.rules import RuleBook
from qmon_tui.model import Kind

_SUMMARY: Final = "An edit leaves to advance reservations what they were granted."
_PAGES: Final = {
    Kind.QUEUE: "queue.md",
    Kind.HOST: "exec-host.md",
    Kind.PE: "pe.md",
    Kind.CALENDAR: "calendar.md",
    Kind.USERSET: "userset.md",
}
REFUSED_FOR_RESERVATIONS: Final = {
    kind: RuleBook(kind, f"qrsub(1), {page}#advance-reservations").warning("promised", _SUMMARY)
    for kind, page in _PAGES.items()
}
"""Kind -> rule. Only warnings: files may contain such an edit, but a qmaster with the reservations refuses it."""
