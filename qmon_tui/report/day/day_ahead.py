"""One line that sums up the day ahead, or its changes by an edit."""

import re
from typing import Final

from qmon_tui.report.day.clock import clock_at
from qmon_tui.report.spans import Line, Span, TextRole, fit, width
from qmon_tui.report.words import count
from qmon_tui.simulation import DayAheadSummary
from qmon_tui.values import clock

_SHORT: Final = re.compile(r" jobs? starts?(?= later| earlier)|(?<=never) starts?|, as far as it was simulated")
UNSAVED: Final = "Edits"
BRANCHED: Final = "This edit"


def day_ahead_line(ahead: DayAheadSummary, cells: int, edited: str = UNSAVED) -> Line:
    """Return `Edits: mean wait 0:12:00 → 0:09:00, 3 jobs start later, 5 earlier`; `edited` names the edit."""
    spans = [Span(f" {'The day' if ahead.wait_before is None else edited}", TextRole.TITLE)]
    if not ahead.is_whole:
        spans.append(Span(f" until {clock_at(ahead.reached, ahead.beginning)}", TextRole.WAITING))
        spans.append(Span(", as far as it was simulated", TextRole.DIM))
    parts = _changed(ahead) if ahead.wait_before is not None else _expected(ahead)
    for number, part in enumerate(parts):
        spans.extend((Span(", " if number else ": "), *part))
    if width(spans) > cells:  # drop words that are clear from the context
        spans = [span._replace(text=_SHORT.sub("", span.text)) for span in spans]
    return fit(spans, cells)


def _expected(ahead: DayAheadSummary) -> list[Line]:
    if not ahead.jobs:
        return [(Span("no job is waiting or still to come"),)]
    jobs = ahead.jobs - ahead.waiting
    words = count(jobs, "job starts", "jobs start")
    if ahead.starting > jobs:
        words = f"{ahead.starting} tasks of {count(jobs, 'job')} start"
    parts: list[Line] = [(Span(words),)]
    if ahead.jobs > ahead.waiting:
        parts.append((Span(f"mean wait {clock(ahead.wait)}"),))
    if ahead.last_start is not None and ahead.is_whole:
        parts.append((Span(f"last start {clock_at(ahead.last_start, ahead.beginning)}"),))
    return [*parts, *_left_out(ahead)]


def _left_out(ahead: DayAheadSummary) -> list[Line]:
    """Return the number of jobs that do not start (not part of the mean wait); empty if all start."""
    if not ahead.waiting:
        return []
    never = "never starts" if ahead.waiting == 1 else "never start"
    words = never if ahead.is_whole else "still wait" if ahead.waiting > 1 else "still waits"
    return [(Span(f"{ahead.waiting} {words}", TextRole.WARNING),)]


def _changed(ahead: DayAheadSummary) -> list[Line]:
    parts: list[Line] = []
    if ahead.added:
        parts.append((Span(f"{count(ahead.added, 'job')} more", TextRole.CHANGED),))
    if ahead.removed:
        parts.append((Span(f"{count(ahead.removed, 'job')} fewer", TextRole.CHANGED),))
    before, after = ahead.wait_before or 0.0, ahead.wait
    is_other = clock(before) != clock(after)
    if not (ahead.later or ahead.earlier or is_other):
        return [*parts, (Span("other starts unchanged" if parts else "no start changes", TextRole.DIM),)]
    if is_other:
        role = TextRole.MOVED_UP if after < before else TextRole.MOVED_DOWN
        parts.append((Span("mean wait "), Span(f"{clock(before)} → {clock(after)}", role)))
    else:
        parts.append((Span(f"mean wait {clock(after)} as before"),))
    verb = " job starts" if (ahead.later or ahead.earlier) == 1 else " jobs start"
    if ahead.later:
        parts.append((Span(f"{ahead.later}{verb} later", TextRole.MOVED_DOWN),))
    if ahead.earlier:
        words = "" if ahead.later else verb
        parts.append((Span(f"{ahead.earlier}{words} earlier", TextRole.MOVED_UP),))
    return [*parts, *_left_out(ahead)]
