"""When parallel environments were changed, which decides their order together with what is started in them."""

from collections.abc import Iterable
from typing import Final

from qmon_tui.model import ENVIRONMENT, State

BEFORE_STARTS: Final = 0.5
"""So much earlier, in seconds, is what happened in the second of a start, before it."""


def changes_before_starts(environments: Iterable[str], state: State) -> dict[str, float]:
    """Parallel environment -> when it was changed last, if that is known."""
    keys = ((environment, ENVIRONMENT.format(environment)) for environment in environments)
    known = {environment: state.changed[key] for environment, key in keys if key in state.changed}
    if len(set(known.values())) < len(known):
        # Of those that were changed at the same time the first is the one that is told first.
        known = state.changes_of(ENVIRONMENT)
    return {environment: when - BEFORE_STARTS for environment, when in known.items()}
