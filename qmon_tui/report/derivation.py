"""The priority of a job as arithmetic: each number with what it is made of below it, down to the configuration."""

from collections.abc import Iterator
from typing import NamedTuple

from qmon_tui.explain import Derivation, number_text
from qmon_tui.report.spans import Line, Span, TextRole, wrap

_NO_PART = "It takes no part in this run, so it has no priority."
_ROLES = {
    "prior": TextRole.STRONG,
    "nurg": TextRole.URGENCY,
    "urg": TextRole.URGENCY,
    "ntckts": TextRole.TICKETS,
    "tckts": TextRole.TICKETS,
    "npprior": TextRole.POSIX,
}


class DerivationLine(NamedTuple):
    """One number: its depth, its arithmetic, and the source of that."""

    depth: int
    name: str
    words: str
    origin: str


def derivation_lines(derivation: Derivation, depth: int = 0) -> Iterator[DerivationLine]:
    """Yield a number, and below it its parts."""
    value = number_text(derivation.value)
    is_sum = derivation.arithmetic not in ("", value)
    words = f"{value} = {derivation.arithmetic}" if is_sum else value
    yield DerivationLine(depth, derivation.name, words, derivation.origin)
    for part in derivation.parts:
        yield from derivation_lines(part, depth + 1)


def derived_lines(derivation: Derivation | None, cells: int) -> tuple[Line, ...]:
    """Return a line for each number with its arithmetic; behind it, dimmed, the configuration or rule that sets it."""
    if derivation is None:
        return wrap(_NO_PART, cells, TextRole.DIM)
    lines: list[Line] = []
    for line in derivation_lines(derivation):
        margin = "  " * line.depth
        origin = f"  ({line.origin})" if line.origin else ""
        role = _ROLES.get(line.name, TextRole.PLAIN)
        whole = f"{line.name}  {line.words}{origin}"
        if len(margin) + len(whole) <= cells:
            named = (Span(f"{margin}{line.name}  ", role), Span(line.words), Span(origin, TextRole.DIM))
            lines.append(named)
        else:
            lines.extend(wrap(whole, cells, role, first=margin, rest=f"{margin}    "))
    return tuple(lines)
