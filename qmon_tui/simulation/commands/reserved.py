"""What becomes of advance reservations when their queue instances are stopped or come back."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Final

from qmon_tui.model.state import AdvanceReservation, State

_STOPPED: Final = frozenset("dsESCDuco")
_WRONG: Final = {"r": "E", "w": "W"}
_RIGHT: Final = {wrong: right for right, wrong in _WRONG.items()}


def in_error(one: AdvanceReservation, states: Mapping[str, str]) -> AdvanceReservation:
    """The reservation with the state that it has while its queue instances have these letters.

    It is in error as long as one of them is disabled, suspended, in error or unknown (tried with 8.1.9).
    """
    stopped = any(_STOPPED & set(states.get(name, "")) for name in one.granted)
    state = (_WRONG if stopped else _RIGHT).get(one.state, one.state)
    return one if state == one.state else replace(one, state=state)


def with_reservations(state: State, names: Iterable[str]) -> State:
    """The state after these queue instances have changed theirs."""
    changed = set(names)
    found = tuple(
        one if changed.isdisjoint(one.granted) else in_error(one, state.queue_states) for one in state.reservations
    )
    return state if found == state.reservations else replace(state, reservations=found)
