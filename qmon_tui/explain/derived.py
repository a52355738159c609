"""A number with its arithmetic and that of its parts."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import fsum


@dataclass(frozen=True, slots=True)
class Derivation:
    """One number of a priority, calculated from its parts."""

    name: str
    """The name of the column or field: prior, nurg, ftckt, weight_user, …"""
    value: float
    arithmetic: str = ""
    """The calculation, such as `1000000 × 0.25/1 × 100/300 / 4`; empty for given values."""
    origin: str = ""
    """The source of the value: a field of the configuration, an option of a job, jobs that count."""
    parts: tuple["Derivation", ...] = ()


def number_text(value: float) -> str:
    """Format a number for arithmetic: exact if that is short."""
    if value == int(value) and abs(value) < 1e15:
        return str(int(value))
    short = f"{value:.6g}"
    return short if float(short) == value or abs(value) < 1e-4 else f"{value:.5f}" if abs(value) < 1e6 else f"{value:g}"


def given(name: str, value: float, origin: str = "") -> Derivation:
    """Return a number given by the configuration or a job."""
    return Derivation(name, value, "", origin)


def total(name: str, parts: Iterable[Derivation]) -> Derivation:
    """Return the sum of parts in their order; the arithmetic leaves out zeroes."""
    parts = tuple(parts)
    value = 0.0
    for part in parts:
        value += part.value
    counting: Sequence[Derivation] = [part for part in parts if part.value] or parts[:1]
    return Derivation(name, value, " + ".join(number_text(part.value) for part in counting) or "0", "", parts)


def sum_of(values: Iterable[float]) -> float:
    """Return the exact sum, independent of order."""
    return fsum(values)
