"""Moves of jobs by an edit: a mark for each job, and one line about all moves."""

from collections import Counter
from collections.abc import Callable, Mapping

from qmon_tui.report.spans import Line, Span, TextRole
from qmon_tui.report.words import clock, count, first_and_more
from qmon_tui.workspace import BaselineTime, JobKey, ScheduleChange, Since

STARTS = Span("●", TextRole.MOVED_UP)
STOPS = Span("○", TextRole.MOVED_DOWN)
ELSEWHERE = Span("⇄", TextRole.MOVED)
UP = Span("▲", TextRole.MOVED_UP)
DOWN = Span("▼", TextRole.MOVED_DOWN)

MARKS = (
    (UP, "moved up"),
    (DOWN, "moved down"),
    (STARTS, "now gets slots"),
    (STOPS, "no longer gets slots"),
    (ELSEWHERE, "runs elsewhere"),
)
"""The marks with their meanings, in the order of `moves_words`."""


def mark(move: ScheduleChange) -> Span | None:
    """Return the mark of a move; getting or losing slots outweighs a change of rank; None if nothing moved."""
    if move.starts:
        return STARTS
    if move.no_longer_starts:
        return STOPS
    if move.elsewhere:
        return ELSEWHERE
    if move.up:
        return UP if move.up > 0 else DOWN
    return None


def words(move: ScheduleChange) -> str:
    """Return a move in words: `now gets day.q@node04, 6th → 1st in the list`."""
    parts = []
    if move.starts:
        parts.append(f"now gets {first_and_more(move.granted_after)}")
    elif move.no_longer_starts:
        parts.append(f"no longer gets {first_and_more(move.granted_before)}")
    elif move.elsewhere:
        parts.append(f"{first_and_more(move.granted_after)} instead of {first_and_more(move.granted_before)}")
    if move.up:
        parts.append(f"{ordinal(move.rank_before)} → {ordinal(move.rank_after)} in the list")
    return ", ".join(parts)


def ordinal(number: int) -> str:
    """Return an ordinal number: `1st`, `2nd`, `11th`."""
    if number % 100 in (11, 12, 13):
        return f"{number}th"
    return f"{number}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(number % 10, 'th') }"


def since_words(moment: BaselineTime) -> str:
    """Return what the marks compare with: `since pinned 10:31`, `by the last change`."""
    if moment.since is Since.CHANGE:
        return "by the last change"
    return f"since {moment.since.value} {clock(moment.time)[:5]}"


def moves_words(moves: Mapping[JobKey, ScheduleChange], since: str) -> Line:
    """Return the number of jobs by mark: `▲ 1  ▼ 3  since pinned 10:31`."""
    marks = Counter(sign for _, sign in {(job, mark(move)) for (job, _), move in moves.items()})
    counted = [span for sign, _ in MARKS if marks[sign] for span in (sign, Span(f" {marks[sign]}  "))]
    return (*(counted or (Span("no moves ", TextRole.DIM),)), Span(since, TextRole.DIM))


def summary(names: Callable[[JobKey], str], moves: Mapping[JobKey, ScheduleChange]) -> Line:
    """Return the moves in one line, for screens without the live pane."""
    if not moves:
        return ()
    loudest, move = max(moves.items(), key=lambda item: (item[1].starts or item[1].no_longer_starts, abs(item[1].up)))
    more = len({job for job, _ in moves}) - 1
    also = f"  and {count(more, 'other')}" if more else ""
    return (mark(move) or ELSEWHERE, Span(f" {names(loudest)}: "), Span(words(move)), Span(also, TextRole.DIM))
