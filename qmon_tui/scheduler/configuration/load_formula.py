"""The load formula that hosts are sorted by (dispatch.md#load-formula)."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from qmon_tui.values import double_prefix

ERROR_LOAD = 9999.0
"""The value for a host that does not have an attribute of the formula, so that it sorts last."""

_OPERATORS = "*/&|^"
_UINT32 = 0xFFFFFFFF

Lookup = Callable[[str], float | None]
"""Returns the value of an attribute on a host; None if the host does not have it."""


@dataclass(frozen=True, slots=True)
class Term:
    """`first`, or `first OP second`; a factor is a number or the name of an attribute."""

    negative: bool
    """True if the term is subtracted."""
    first: float | str
    operator: str = ""
    second: float | str = 0.0


@dataclass(frozen=True, slots=True)
class LoadFormula:
    """A parsed load formula; if it has a syntax error, it is not `valid` and has no terms."""

    terms: tuple[Term, ...]
    valid: bool = True

    @classmethod
    def parse(cls, text: str) -> "LoadFormula":
        """Parse a formula without blanks: split it at + and -, which bind weakest."""
        terms: list[Term] = []
        negative = text.startswith("-")
        for match in re.finditer(r"([^+-]+)([+-]?)", text):
            term = _term(match[1], negative)
            if term is None:
                return cls((), False)
            terms.append(term)
            negative = match[2] != "+"
        return cls(tuple(terms))

    def evaluate(self, lookup: Lookup) -> float:
        """Return the value of the formula on one host; `ERROR_LOAD` if it cannot be calculated."""
        if not self.valid:
            return ERROR_LOAD
        load = 0.0
        for position, term in enumerate(self.terms):
            first = _factor(term.first, lookup)
            second = _factor(term.second, lookup)
            if first is None or second is None:
                return ERROR_LOAD
            value = _apply(term.operator, first, second)
            if position == 0:
                load = 0.0 - value if term.negative else value
            else:
                load = load - value if term.negative else load + value
        return load

    @property
    def names(self) -> frozenset[str]:
        """The names of the attributes that the formula reads."""
        factors = (factor for term in self.terms for factor in (term.first, term.second))
        return frozenset(factor for factor in factors if isinstance(factor, str))


def _term(text: str, negative: bool) -> Term | None:
    """Parse one term; None if it has a syntax error."""
    first, rest = _split_factor(text)
    if not rest:
        return Term(negative, first)
    if rest[0] not in _OPERATORS:
        return None
    second, _ = _split_factor(rest[1:])
    return Term(negative, first, rest[0], second)


def _split_factor(text: str) -> tuple[float | str, str]:
    """Return a leading number, else a name up to the next operator (without a leading `$`), and the remaining text."""
    number = double_prefix(text)
    if number is not None:
        return number[0], text[number[1] :]
    end = next((index for index, sign in enumerate(text) if sign in _OPERATORS), len(text))
    return text[:end].removeprefix("$"), text[end:]


def _factor(factor: float | str, lookup: Lookup) -> float | None:
    return lookup(factor) if isinstance(factor, str) else factor


def _apply(operator: str, first: float, second: float) -> float:
    if operator == "*":
        return first * second
    if operator == "/":
        return first / second if second else ERROR_LOAD
    if operator in ("&", "|", "^"):
        left, right = int(first) & _UINT32, int(second) & _UINT32
        results = {"&": left & right, "|": left | right, "^": left ^ right}
        return float(results[operator])
    return first
