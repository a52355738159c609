"""As whom the qmaster looks for a place for an advance reservation (reservation.md#advance-reservations)."""

from collections.abc import Iterable
from typing import Final

from qmon_tui.scheduler.configuration import ANYBODY

EXCLUDED: Final = "!"
"""Before the name of a user who may not use it."""
_QMASTER_GROUP: Final = "root"


def ar_requester(owner: str, users: Iterable[str]) -> tuple[str, str]:
    """User and group: all users of -u at once, else the owner, for whose group the qmaster takes its own."""
    names_somebody = any(not name.startswith(EXCLUDED) for name in users)
    return (ANYBODY, ANYBODY) if names_somebody else (owner, _QMASTER_GROUP)
