"""A number of a priority opened into its arithmetic, line by line, for screen and command line alike."""

from collections.abc import Iterator
from typing import NamedTuple

from qmon_tui.explain import Derivation, number_text


class DerivationLine(NamedTuple):
    """One number: how deep it stands, what it is made of, and what says so."""

    depth: int
    name: str
    words: str
    origin: str


def derivation_lines(derivation: Derivation, depth: int = 0) -> Iterator[DerivationLine]:
    """A number and below it what it is made of; what stands in the arithmetic already is told where it says more."""
    value = number_text(derivation.value)
    is_sum = derivation.arithmetic not in ("", value)
    words = f"{value} = {derivation.arithmetic}" if is_sum else value
    yield DerivationLine(depth, derivation.name, words, derivation.origin)
    for part in derivation.parts:
        yield from derivation_lines(part, depth + 1)
