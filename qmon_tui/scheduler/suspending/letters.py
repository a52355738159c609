"""qstat's letters of a task that is made to stand still (lifecycle.md section 1.1)."""

SUBORDINATED, OVER_THRESHOLD = "S", "T"

_ORDER = "dESThRqrstwx"
_RUNNING = "r"
_STANDING = frozenset("Sst")


def with_letters(state: str, added: str) -> str:
    """A task's state with more letters; what stands still is not shown as running."""
    letters = {*state, *added} - {_RUNNING}
    return "".join(letter for letter in _ORDER if letter in letters)


def resumed(state: str) -> str:
    """The state of a task that is no longer over a threshold; it runs unless something else keeps it."""
    left = state.replace(OVER_THRESHOLD, "")
    return left if set(left) & _STANDING else "".join(letter for letter in _ORDER if letter in left + _RUNNING)
