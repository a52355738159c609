"""qstat's letters of a task that is made to stand still (lifecycle.md section 1.1)."""

SUBORDINATED, OVER_THRESHOLD = "S", "T"

_ORDER = "dESThRqrstwx"
_RUNNING = "r"


def with_letters(state: str, added: str) -> str:
    """A task's state with more letters; what stands still is not shown as running."""
    letters = {*state, *added} - {_RUNNING}
    return "".join(letter for letter in _ORDER if letter in letters)
