"""States of jobs in filters: words, qstat's letters, and the options of qstat that choose jobs."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from qmon_tui.report.row_filter import Groups, WordTest
from qmon_tui.report.words import REFUSED

STATES: Final[Mapping[str, Callable[[str], bool]]] = MappingProxyType(
    {
        "running": lambda state: any(letter in state for letter in "rt") and "q" not in state,
        "pending": lambda state: "q" in state,
        "suspended": lambda state: any(letter in state for letter in "sST"),
        "error": lambda state: "E" in state,
        "starting": lambda state: state == "t",
        "refused": lambda state: state == REFUSED,
    }
)
"""Words for states, besides qstat's letters."""
_PARTS: Final = frozenset("EhdsSTR")
"""Letters that are parts of states: one alone means every state with it."""
_QSTAT_STATES: Final = MappingProxyType(
    {
        **{"p": "state=pending", "r": "state=running", "s": "state=suspended", "h": "state=held"},
        **{f"h{letter}": f"hold={letter}" for letter in "uos"},
        **{"hj": "after=?*", "a": "job=*"},
    }
)
"""Values of qstat -s as terms of the filter."""


_LETTERS: Final = frozenset("hqwrtsSTRdEz")


def _is_state(word: str) -> bool:
    """True for letters of qstat: other words are conditions, such as `held`."""
    return word == REFUSED or _LETTERS.issuperset(word)


def job_state_test(value: str, _: Groups) -> WordTest | None:
    """Return the test of states of jobs: words, or a letter that may be anywhere in a state."""
    if value in _PARTS:
        return lambda word: value in word and _is_state(word)
    test = STATES.get(value)
    return None if test is None else lambda word: _is_state(word) and test(word)


def pending_state_test(value: str, groups: Groups) -> WordTest | None:
    """Return the test of states where no conditions are known: `waiting` and `held` are read from the letters."""
    if value == "held":
        return lambda word: "h" in word
    if value == "waiting":
        return lambda word: "q" in word and not set(word) & set("hE")
    return job_state_test(value, groups)


def _qstat_state(value: str) -> str:
    if value not in _QSTAT_STATES:
        raise ValueError(f"-s {value} is not a state of qstat that is known here: {', '.join(_QSTAT_STATES)}")
    return _QSTAT_STATES[value]


QSTAT_SWITCHES: Final[Mapping[str, Callable[[str], str]]] = MappingProxyType(
    {"-u": "owner=={}".format, "-s": _qstat_state, "-q": "queue=={}".format}
)
"""Option of qstat -> its value as a term of the filter."""
