"""The titles of the charts, for where there is room for one of them."""

from enum import StrEnum

from qmon_tui.report.spans import Line, Span, TextRole, fit


class Chart(StrEnum):
    """The charts of the monitor."""

    GANTT = "Gantt"
    EVENTS = "Events"
    USE = "Use"
    SHARES = "Shares"
    ALARMS = "Alarms"


def tab_line(chosen: Chart, cells: int) -> Line:
    """The titles, the chosen one marked."""
    spans = [Span(" ")]
    for chart in Chart:
        is_chosen = chart is chosen
        spans.append(Span(f"[{chart}]" if is_chosen else f" {chart} ", TextRole.ACCENT if is_chosen else TextRole.DIM))
        spans.append(Span(" "))
    return fit(spans, cells)


def tab_at(cell: int) -> Chart | None:
    """The chart whose title is at a cell of that line."""
    start = 1
    for chart in Chart:
        if start <= cell < start + len(chart) + 2:
            return chart
        start += len(chart) + 3
    return None
