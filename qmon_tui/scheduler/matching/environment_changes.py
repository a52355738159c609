"""Times at which PEs were changed: the scheduler's list of PEs is in the order of their latest change or start."""

from collections.abc import Iterable
from typing import Final

from qmon_tui.model import ENVIRONMENT, State

BEFORE_STARTS: Final = 0.5
"""Seconds to subtract so that an event in the second of a start sorts before that start."""


def changes_before_starts(environments: Iterable[str], state: State) -> dict[str, float]:
    """Return PE -> seconds since the epoch of its last change, made to sort before starts; without unknown ones."""
    keys = ((environment, ENVIRONMENT.format(environment)) for environment in environments)
    known = {environment: state.changed[key] for environment, key in keys if key in state.changed}
    if len(set(known.values())) < len(known):
        # PEs changed at the same time are ordered by the events that the scheduler gets.
        known = state.changes_of(ENVIRONMENT)
    return {environment: when - BEFORE_STARTS for environment, when in known.items()}
