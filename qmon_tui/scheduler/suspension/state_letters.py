"""qstat's letters of a task that is made to stand still (lifecycle.md#letters-of-tasks)."""

SUBORDINATED, OVER_THRESHOLD = "S", "T"

_ORDER = "dESThRqrstwx"
_RUNNING, _HELD = "r", "h"
_STANDING = frozenset("Sst")


def with_letters(state: str, added: str) -> str:
    """A task's state with more letters; what stands still is not shown as running."""
    letters = {*state, *added} - {_RUNNING}
    return "".join(letter for letter in _ORDER if letter in letters)


def with_hold(state: str) -> str:
    """The state of a task of a job that waits for others, which is shown with an h even where it runs."""
    return "".join(letter for letter in _ORDER if letter in {*state, _HELD})


def without_letters(state: str, removed: str) -> str:
    """A task's state with fewer letters; it runs unless something else keeps it."""
    left = "".join(letter for letter in state if letter not in removed)
    return left if set(left) & _STANDING else "".join(letter for letter in _ORDER if letter in left + _RUNNING)
