"""qstat's states of suspended tasks (lifecycle.md#letters-of-tasks)."""

SUBORDINATED, OVER_THRESHOLD = "S", "T"

_ORDER = "dESThRqrstwx"
_RUNNING, _HELD = "r", "h"
_NOT_RUNNING = frozenset("Sst")


def with_letters(state: str, added: str) -> str:
    """Return a task's state with letters added; a suspended task is not shown as running."""
    letters = {*state, *added} - {_RUNNING}
    return "".join(letter for letter in _ORDER if letter in letters)


def with_hold(state: str) -> str:
    """Return the state of a task whose job has unfinished predecessors: with h even while it runs."""
    return "".join(letter for letter in _ORDER if letter in {*state, _HELD})


def without_letters(state: str, removed: str) -> str:
    """Return a task's state with letters removed; it runs if nothing else suspends it."""
    left = "".join(letter for letter in state if letter not in removed)
    return left if set(left) & _NOT_RUNNING else "".join(letter for letter in _ORDER if letter in left + _RUNNING)
