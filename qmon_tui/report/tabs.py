"""The titles of tables or charts in a line, for where there is room for one of them."""

from enum import StrEnum
from typing import TypeVar

from qmon_tui.report.spans import Line, Span, TextRole, fit

Tab = TypeVar("Tab", bound=StrEnum)


def tab_line(chosen: StrEnum, cells: int) -> Line:
    """Return the titles of all members, the chosen one marked."""
    spans = [Span(" ")]
    for tab in type(chosen):
        is_chosen = tab is chosen
        spans.append(Span(f"[{tab}]" if is_chosen else f" {tab} ", TextRole.ACCENT if is_chosen else TextRole.DIM))
        spans.append(Span(" "))
    return fit(spans, cells)


def tab_at(tabs: type[Tab], cell: int) -> Tab | None:
    """Return the member whose title is at a cell of that line."""
    start = 1
    for tab in tabs:
        if start <= cell < start + len(tab) + 2:
            return tab
        start += len(tab) + 3
    return None
