"""qstat's states of suspended tasks (lifecycle.md#letters-of-tasks)."""

SUBORDINATED, OVER_THRESHOLD = "S", "T"

_ORDER = "dESThRqrstwx"
_RUNNING, _HELD = "r", "h"
_NOT_RUNNING = frozenset("Sst")


def with_letters(state: str, added: str) -> str:
    """Return a task's state with letters of suspension added and without r."""
    letters = {*state, *added} - {_RUNNING}
    return "".join(letter for letter in _ORDER if letter in letters)


def with_hold(state: str) -> str:
    """Return the state with h, which qstat shows for a job with unfinished predecessors, even if the task runs."""
    return "".join(letter for letter in _ORDER if letter in {*state, _HELD})


def without_letters(state: str, removed: str) -> str:
    """Return a task's state with letters removed, and with r if nothing else suspends the task."""
    left = "".join(letter for letter in state if letter not in removed)
    return left if set(left) & _NOT_RUNNING else "".join(letter for letter in _ORDER if letter in left + _RUNNING)
