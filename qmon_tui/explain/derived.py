"""A number with the arithmetic that it comes from, and that of its parts."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import fsum


@dataclass(frozen=True, slots=True)
class Derivation:
    """One number of a priority, worked out from its parts."""

    name: str
    """As the column or field is called: prior, nurg, ftckt, weight_user, …"""
    value: float
    arithmetic: str = ""
    """Numbers and signs, as in `1000000 × 0.25/1 × 100/300 / 4`; empty for what is given."""
    origin: str = ""
    """What says so: a field of the configuration, an option of a job, jobs that count."""
    parts: tuple["Derivation", ...] = ()


def number_text(value: float) -> str:
    """A number for arithmetic: exact where that is short."""
    if value == int(value) and abs(value) < 1e15:
        return str(int(value))
    short = f"{value:.6g}"
    return short if float(short) == value or abs(value) < 1e-4 else f"{value:.5f}" if abs(value) < 1e6 else f"{value:g}"


def given(name: str, value: float, origin: str = "") -> Derivation:
    """A number that the configuration or a job gives."""
    return Derivation(name, value, "", origin)


def total(name: str, parts: Iterable[Derivation], origin: str = "", *, start: float = 0.0) -> Derivation:
    """A sum of its parts, added up in their order; the arithmetic leaves out what is nothing."""
    parts = tuple(parts)
    value = start
    for part in parts:
        value += part.value
    counting: Sequence[Derivation] = [part for part in parts if part.value] or parts[:1]
    return Derivation(name, value, " + ".join(number_text(part.value) for part in counting) or "0", origin, parts)


def sum_of(values: Iterable[float]) -> float:
    """A sum whatever the order."""
    return fsum(values)
