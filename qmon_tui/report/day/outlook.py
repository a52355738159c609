"""What the day ahead brings, and what an edit changes of it, in one line."""

import re
from typing import Final

from qmon_tui.report.day.times import clock_at
from qmon_tui.report.spans import Line, Span, TextRole, fit, width
from qmon_tui.report.words import count
from qmon_tui.simulation import DayAheadSummary
from qmon_tui.values import clock

_SHORT: Final = re.compile(r" jobs? starts?(?= later| earlier)|(?<=never) starts?|, as far as it was simulated")
UNSAVED: Final = "Edits"
BRANCHED: Final = "This edit"


def outlook_line(outlook: DayAheadSummary, cells: int, edited: str = UNSAVED) -> Line:
    """`Edits: mean wait 0:12:00 → 0:09:00, 3 jobs start later, 5 earlier`; `edited` says what is compared."""
    spans = [Span(f" {'The day' if outlook.wait_before is None else edited}", TextRole.TITLE)]
    if not outlook.is_whole:
        spans.append(Span(f" until {clock_at(outlook.reached, outlook.beginning)}", TextRole.WAITING))
        spans.append(Span(", as far as it was simulated", TextRole.DIM))
    parts = _changed(outlook) if outlook.wait_before is not None else _expected(outlook)
    for number, part in enumerate(parts):
        spans.extend((Span(", " if number else ": "), *part))
    if width(spans) > cells:  # what is counted goes without saying where there is little room
        spans = [span._replace(text=_SHORT.sub("", span.text)) for span in spans]
    return fit(spans, cells)


def _expected(outlook: DayAheadSummary) -> list[Line]:
    if not outlook.jobs:
        return [(Span("no job is waiting or still to come"),)]
    parts: list[Line] = [
        (Span(f"{count(outlook.jobs - outlook.waiting, 'job starts', 'jobs start')}"),),
    ]
    if outlook.jobs > outlook.waiting:
        parts.append((Span(f"mean wait {clock(outlook.wait)}"),))
    if outlook.last_start is not None and outlook.is_whole:
        parts.append((Span(f"last start {clock_at(outlook.last_start, outlook.beginning)}"),))
    return [*parts, *_left_out(outlook)]


def _left_out(outlook: DayAheadSummary) -> list[Line]:
    """The jobs that do not start: the mean wait leaves them out."""
    if not outlook.waiting:
        return []
    never = "never starts" if outlook.waiting == 1 else "never start"
    words = never if outlook.is_whole else "not started by then"
    return [(Span(f"{outlook.waiting} {words}", TextRole.WARNING),)]


def _changed(outlook: DayAheadSummary) -> list[Line]:
    parts: list[Line] = []
    if outlook.added:
        parts.append((Span(f"{count(outlook.added, 'job')} more", TextRole.CHANGED),))
    if outlook.removed:
        parts.append((Span(f"{count(outlook.removed, 'job')} fewer", TextRole.CHANGED),))
    before, after = outlook.wait_before or 0.0, outlook.wait
    is_other = clock(before) != clock(after)
    if not (outlook.later or outlook.earlier or is_other):
        return [*parts, (Span("other starts unchanged" if parts else "no start changes", TextRole.DIM),)]
    if is_other:
        role = TextRole.MOVED_UP if after < before else TextRole.MOVED_DOWN
        parts.append((Span("mean wait "), Span(f"{clock(before)} → {clock(after)}", role)))
    else:
        parts.append((Span(f"mean wait {clock(after)} as before"),))
    verb = " job starts" if (outlook.later or outlook.earlier) == 1 else " jobs start"
    if outlook.later:
        parts.append((Span(f"{outlook.later}{verb} later", TextRole.MOVED_DOWN),))
    if outlook.earlier:
        words = "" if outlook.later else verb
        parts.append((Span(f"{outlook.earlier}{words} earlier", TextRole.MOVED_UP),))
    return [*parts, *_left_out(outlook)]
