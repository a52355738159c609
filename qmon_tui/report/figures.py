"""Figures of the current state beside those after the next scheduling run: `2 → 17`."""

from qmon_tui.report.spans import Line, Span, TextRole, left, right, width
from qmon_tui.workspace import Figures

ARROW = " → "


def shown_figure(figures: Figures, now: str, after: str, arrow: str = ARROW) -> str:
    """Return the text of a figure, given its texts before and after the next run: `2`, `17` or `2 → 17`."""
    if figures is Figures.NEXT:
        return after
    return now if figures is Figures.NOW or now == after else f"{now}{arrow}{after}".strip()


def figure_cell(figures: Figures, now: Span, after: Span, cells: int, *, at_right: bool = False) -> Line:
    """Return the spans of a figure padded or cropped to `cells`, each part in its own role."""
    whole = shown_figure(figures, now.text, after.text)
    shown = after if figures is Figures.NEXT else now
    parts: Line = (Span(whole, shown.role),)
    if whole != shown.text:
        arrow = ARROW if now.text and after.text else ARROW.rstrip() if now.text else ARROW.lstrip()
        parts = (now, Span(arrow, TextRole.DIM), after)
    if (spare := cells - width(parts)) < 0:
        return (Span((right if at_right else left)(whole, cells), shown.role),)
    blanks = Span(" " * spare)
    return (blanks, *parts) if at_right else (*parts, blanks)


def title_words(figures: Figures) -> str:
    """Return the words that a title adds: which figures are shown."""
    return f"  {figures}"
