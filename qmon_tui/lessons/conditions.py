"""Checks of conditions: whether each holds, with a sentence that shows the value and why not."""

from collections.abc import Callable, Mapping, Sequence
from math import isfinite
from typing import Final, NamedTuple

from qmon_tui.lessons.changes import others, path_words
from qmon_tui.lessons.data import LessonError, quoted
from qmon_tui.lessons.lesson import AnswerKind, Condition, Quantity
from qmon_tui.lessons.quantities import NONE, QUANTITIES, Value, is_time, value_of, words_of
from qmon_tui.lessons.situation import Situation
from qmon_tui.values import decimal_number, humane_time

FIVE_DECIMALS: Final = 0.000005
"""The default tolerance of numbers: half of the last decimal that qstat prints."""
COMPARISONS: Final = ("is", "is_not", "above", "below", "at_least", "at_most", "says")
_ORDERED: Final[Mapping[str, tuple[str, Callable[[float, float], bool]]]] = {
    "above": ("more than", lambda value, bound: value > bound),
    "below": ("less than", lambda value, bound: value < bound),
    "at_least": ("at least", lambda value, bound: value >= bound),
    "at_most": ("at most", lambda value, bound: value <= bound),
}
_YES: Final = frozenset({"yes", "y", "true"})
_NO: Final = frozenset({"no", "n", "false"})


class Holding(NamedTuple):
    """The result of a condition: whether it holds, and a sentence that says so or why not."""

    holds: bool
    words: str


def value_text(value: Value) -> str:
    """Return a value as users read it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return number_words(value)
    return ", ".join(value) if isinstance(value, tuple) else value


def shown_value(quantity: Quantity, value: Value) -> str:
    """Return a value as users read it: seconds in hours, minutes, …; an empty text as `NONE`."""
    if isinstance(value, float) and is_time(quantity):
        return humane_time(f"{value}") or number_words(value)
    return value_text(value) or NONE


def number_words(value: float) -> str:
    """Return a number with five decimals, or without any if it is whole."""
    return f"{value:.0f}" if value == int(value) and abs(value) < 1e15 else f"{value:.5f}"


def holding(condition: Condition, situation: Situation) -> Holding:
    """Check a condition; if its value cannot be computed, as for a job that is gone, it does not hold."""
    try:
        value = value_of(situation, condition.quantity)
    except LessonError as error:
        return Holding(False, _sentence(error.message))
    failed = [words for words, holds in _compared_parts(condition, value) if not holds]
    what = _sentence(words_of(condition.quantity))[:-1]
    if condition.quantity.name == "changes_only" and not value:
        changed = ", ".join(map(path_words, others(situation.changes, condition.quantity.argument)[:5]))
        return Holding(not failed, f"{what}: {'no' if failed else 'yes'}, {changed} changed.")
    is_sentence = QUANTITIES[condition.quantity.name].kind is AnswerKind.CHOICE
    value_shown = quoted(shown_value(condition.quantity, value))
    shown = f"{what}: {value_shown}" if is_sentence else f"{what} is {value_shown}"
    should = f"; it should be {' and '.join(failed)}" if failed else ""
    return Holding(not failed, f"{shown}{should}.")


def _compared_parts(condition: Condition, value: Value) -> list[tuple[str, bool]]:
    """Return each comparison in words, and whether it holds."""
    quantity = condition.quantity
    if not condition.comparisons:
        if QUANTITIES[quantity.name].kind is AnswerKind.ORDER:
            return [(", ".join(quantity.argument), value == quantity.argument)]
        return [("yes", value is True)]
    return [_compared(name, words, value, condition) for name, words in condition.comparisons.items()]


def _compared(name: str, words: Sequence[str], value: Value, condition: Condition) -> tuple[str, bool]:
    text = ", ".join(words)
    bound_words = (humane_time(text) if is_time(condition.quantity) else None) or text
    if name == "says":
        return f'a text with "{text}"', _folded(text) in _folded(value_text(value))
    if name in ("is", "is_not"):
        same = equals(value, words, condition.within, QUANTITIES[condition.quantity.name].kind)
        return (bound_words, same) if name == "is" else (f"a value other than {bound_words}", not same)
    lead, compare = _ORDERED[name]
    bound = number_of(text)
    return f"{lead} {bound_words}", isinstance(value, float) and bound is not None and compare(value, bound)


def equals(value: Value, words: Sequence[str], within: float | None, kind: AnswerKind) -> bool:
    """Return True if `words` state the value; numbers within a tolerance (None: five decimals), places in any order."""
    text = ", ".join(words)
    if isinstance(value, bool):
        return yes_or_no(text) is value
    if isinstance(value, float):
        number = number_of(text)
        # A number exactly at the tolerance counts as equal, whatever the rounding.
        return number is not None and abs(number - value) <= (FIVE_DECIMALS if within is None else within) * (1 + 1e-9)
    if isinstance(value, tuple):
        names = tuple(words)
        return names == value if kind is AnswerKind.ORDER else sorted(names) == sorted(value)
    return _folded(text) == _folded(value)


def number_of(text: str) -> float | None:
    """Return the number in a text such as 0.5, 0,5 or 2/3; None if the text is no finite number."""
    top, slash, bottom = text.strip().partition("/")
    above = decimal_number(_with_decimal_point(top.strip()))
    below = decimal_number(_with_decimal_point(bottom.strip())) if slash else 1.0
    if above is None or not below:
        return None
    number = above / below
    return number if isfinite(number) else None


def _with_decimal_point(text: str) -> str:
    return text.replace(",", ".") if text.count(",") == 1 and "." not in text else text


def yes_or_no(text: str) -> bool | None:
    """Return True for yes, False for no; None if the text is neither."""
    word = text.strip().casefold()
    if word in _YES:
        return True
    return False if word in _NO else None


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())


def _sentence(text: str) -> str:
    """Return the text with a full stop, and a capital unless it begins with a name or column."""
    begins = text.split(" ", 1)[0]
    lead = text[:1].upper() + text[1:] if begins in _WORDS else text
    return lead if lead.endswith(".") else f"{lead}."


_WORDS: Final = frozenset({"the", "there", "nothing", "it", "a", "job"})
