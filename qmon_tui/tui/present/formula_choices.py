"""The formulas that can be chosen, and what is said of those that are not Grid Engine's."""

from collections.abc import Iterable

from qmon_tui.tui.present.spans import Line, Span, TextRole, wrap


def formula_lines(formulas: Iterable[tuple[str, str, bool]], now: str, cells: int) -> tuple[Line, ...]:
    """Name and words of each; `now` is the one in use, the flag tells Grid Engine's own."""
    lines: list[Line] = [
        *wrap(
            "Only the first is what a qmaster computes. The others are the ideas with which the study of Grid Engine's"
            " priorities ends, to be compared with it; the live pane says so as long as one is in use.",
            cells,
        ),
        (),
    ]
    for name, words, real in formulas:
        mark = "• " if name == now else "  "
        lines.append(
            (
                Span(mark, TextRole.ACCENT),
                Span(name, TextRole.STRONG),
                Span("" if real else "  not Grid Engine", TextRole.WARNING),
            )
        )
        lines.extend(wrap(words, cells, TextRole.DIM, first="    ", rest="    "))
    return tuple(lines)
