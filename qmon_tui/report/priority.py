"""The priority of a job, term by term: weight times normalised value, as bars and words."""

from collections.abc import Iterator, Sequence

from qmon_tui.explain import Bound, Derivation, Explanation, PriorityTerm, number_text
from qmon_tui.report.bars import stacked_bar, stroke
from qmon_tui.report.reason_text import shown_words
from qmon_tui.report.spans import Line, Span, TextRole, wrap
from qmon_tui.values import tickets_words, urgency_text

_TERM_ROLES = {"urgency": TextRole.URGENCY, "tickets": TextRole.TICKETS, "POSIX priority": TextRole.POSIX}


def term_named(name: str) -> TextRole:
    """Return the role of urgency, tickets or POSIX priority; PLAIN for any other name."""
    return _TERM_ROLES.get(name, TextRole.PLAIN)


def term_role(term: PriorityTerm) -> TextRole:
    """Return the role of a term; PLAIN if it has none."""
    return term_named(term.name)


def number(value: float, term: PriorityTerm) -> str:
    """Return a raw value of a term as in qstat's columns; tickets are rounded if almost whole."""
    return tickets_words(value) if term_role(term) is TextRole.TICKETS else urgency_text(value)


def weight(value: float) -> str:
    """Return a weight without trailing zeros."""
    return f"{value:.6f}".rstrip("0").rstrip(".") if abs(value) < 1e6 else f"{value:g}"


def priority_lines(explanation: Explanation, cells: int, *, in_full: bool = False) -> tuple[Line, ...]:
    """Return the sum as a stacked bar, and a line for each term; `in_full` adds raw values and an explanation."""
    terms = explanation.terms
    if not terms:
        return ()
    total = max(explanation.prior, sum(term.value for term in terms), 1e-9)
    name = max(len(term.name) for term in terms)
    weights = [weight(term.weight) for term in terms]
    wide = max(len(text) for text in weights)
    bar_cells = max(0, min(40, cells - 16))
    lines: list[Line] = [
        (
            Span("prior ", TextRole.DIM),
            Span(f"{explanation.prior:.5f}", TextRole.STRONG),
            Span("  "),
            *stacked_bar([(term.value, term_role(term)) for term in terms], total, bar_cells),
        )
    ]
    if explanation.shown is not None:
        lines.extend(wrap(shown_words(explanation.shown), cells, TextRole.WARNING, rest="  "))
    for term, text in zip(terms, weights, strict=True):
        role = term_role(term)
        lines.append((
            Span(f"{stroke(role) * 2} ", role),
            Span(term.name.ljust(name), role),
            Span(f"  {_decimal(text, weights).ljust(wide)}", TextRole.PLAIN),
            Span(" × ", TextRole.DIM),
            Span(f"{term.normalised:.5f}"),
            Span(" = ", TextRole.DIM),
            Span(f"{term.value:.5f}", role),
        ))  # fmt: skip
        if in_full:
            lines.extend(_detail(term, cells))
    return tuple(lines)


def _decimal(text: str, all_of: Sequence[str]) -> str:
    """Return a weight padded so that the decimal points of all weights are aligned."""
    before = max(len(other.split(".")[0]) for other in all_of)
    after = max(len(other.partition(".")[2]) for other in all_of)
    whole, point, fraction = text.partition(".")
    return whole.rjust(before) + (point + fraction).ljust(after + (1 if after else 0))


def _scale_words(term: PriorityTerm, lowest: Bound, highest: Bound) -> str:
    """Return the lowest and highest value of the scale, each with its job."""
    return " … ".join(f"{number(end.value, term)} ({end.words})" for end in (lowest, highest))


def _detail(term: PriorityTerm, cells: int) -> tuple[Line, ...]:
    parts = " · ".join(f"{name} {number(value, term)}" for name, value in term.detail)
    lines: tuple[Line, ...] = ()
    if parts:
        lines += wrap(parts, cells, TextRole.PLAIN, first="    ", rest="    ")
    if term.lowest is not None and term.highest is not None:
        lines += wrap(_scale_words(term, term.lowest, term.highest), cells, TextRole.PLAIN, first="    ", rest="    ")
    if term.explanation:
        lines += wrap(term.explanation, cells, TextRole.DIM, first="    ", rest="    ")
    return lines


_NO_PART = "It takes no part in this run, so it has no priority."
_ROLES = {
    "prior": TextRole.STRONG,
    "nurg": TextRole.URGENCY,
    "urg": TextRole.URGENCY,
    "ntckts": TextRole.TICKETS,
    "tckts": TextRole.TICKETS,
    "npprior": TextRole.POSIX,
}


def derived_lines(derivation: Derivation | None, cells: int) -> tuple[Line, ...]:
    """Return a line for each number: arithmetic, and the configuration or rule that sets it; None: a sentence."""
    return wrap(_NO_PART, cells, TextRole.DIM) if derivation is None else tuple(_derived(derivation, "", cells))


def _derived(derivation: Derivation, margin: str, cells: int) -> Iterator[Line]:
    """Yield a number, and below it its parts."""
    name, words = derivation.name, number_text(derivation.value)
    if derivation.arithmetic not in ("", words):
        words = f"{words} = {derivation.arithmetic}"
    origin = f"  ({derivation.origin})" if derivation.origin else ""
    role = _ROLES.get(name, TextRole.PLAIN)
    whole = f"{name}  {words}{origin}"
    if len(margin) + len(whole) <= cells:
        yield (Span(f"{margin}{name}  ", role), Span(words), Span(origin, TextRole.DIM))
    else:
        yield from wrap(whole, cells, role, first=margin, rest=f"{margin}    ")
    for part in derivation.parts:
        yield from _derived(part, f"{margin}  ", cells)
