"""Sums of weighted attributes: the scheduler's load_formula and the dynamic limits of quotas.

Source: sched_conf(5), sge_resource_quota(5), quota-set.md#dynamic-limits and scheduler-configuration.md#load_formula.
"""

import re
from functools import lru_cache
from typing import NamedTuple

from qmon_tui.values import is_number

# Matches up to a sign that belongs to a number: the `1e` of 1e-3, or the `*` of x*-2.
_BEFORE_OWN_SIGN = re.compile(r"(?:(?<![^*+-])[0-9][0-9.]*[eE]|\*)\Z")


class Term(NamedTuple):
    """One summand: its sign, its attribute or number, and the factors that multiply it."""

    sign: int
    factor: str
    weights: tuple[str, ...]

    @property
    def attribute(self) -> str | None:
        """The attribute's name or shortcut; None if the term is a number."""
        return None if is_number(self.factor) else self.factor


@lru_cache(maxsize=1024)
def parse_formula(text: str) -> tuple[Term, ...]:
    """Parse `attr*weight+attr-number`; blanks and a $ before an attribute are dropped, empty terms skipped."""
    terms: list[Term] = []
    plain = "".join(text.split())
    start, sign = 0, 1
    for position in range(len(plain) + 1):
        is_last = position == len(plain)
        if not is_last and (plain[position] not in "+-" or _BEFORE_OWN_SIGN.search(plain, start, position)):
            continue
        if part := plain[start:position]:
            first, *weights = part.split("*")
            terms.append(Term(sign, first.removeprefix("$"), tuple(weights)))
        start = position + 1
        sign = 1 if is_last or plain[position] == "+" else -1
    return tuple(terms)


def formula_attributes(text: str) -> tuple[str, ...]:
    """Return the names or shortcuts of a formula's attributes, without duplicates."""
    return tuple(dict.fromkeys(term.attribute for term in parse_formula(text) if term.attribute))
