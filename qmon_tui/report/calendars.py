"""A calendar as a chart of a week (a line per day, 1 to 4 cells per hour), and its next changes in words."""

from collections.abc import Iterator
from datetime import date, datetime, timedelta
from itertools import groupby

from qmon_tui.report.spans import Line, Span, TextRole, left, right, wrap
from qmon_tui.values import Calendar, CalendarEntry, CalendarState, Period

DAYS = 7
CHANGES = 8
_FILLS = {
    CalendarState.ON: ("─", TextRole.DIM),
    CalendarState.SUSPENDED: ("▒", TextRole.SUSPENDED),
    CalendarState.OFF: ("█", TextRole.HELD),
}
_LABEL = 11
_HOURS = 24
_MOMENT = 23
_WORDS = 24
"""Least width of the words after a day, in cells."""
_HOUR = 3600


def week_lines(calendar: Calendar, start: float, now: float, cells: int) -> tuple[Line, ...]:
    """Return the chart of seven days from the day of `start`, each with its closed periods in words, and a legend."""
    scale = next((scale for scale in (4, 2) if _LABEL + _HOURS * scale + _WORDS <= cells), 1)
    days = (line for day in _days(start) for line in _day_lines(calendar, day, now, scale, cells))
    return (_hours(scale), *days, (), _legend())


def _hours(scale: int) -> Line:
    step = 3 if scale > 1 else 6
    marks = "".join(left(str(hour), step * scale) for hour in range(0, _HOURS, step))
    return (Span(" " * _LABEL), Span(marks, TextRole.DIM), Span("24", TextRole.DIM))


def _legend() -> Line:
    spans: list[Span] = [Span(" " * _LABEL)]
    for state, (sign, role) in _FILLS.items():
        spans += [Span(sign * 2, role), Span(f" {state.value}   ")]
    return tuple(spans)


def _days(start: float) -> Iterator[date]:
    first = datetime.fromtimestamp(start).date()
    return (first + timedelta(days=number) for number in range(DAYS))


def _day_lines(calendar: Calendar, day: date, now: float, scale: int, cells: int) -> tuple[Line, ...]:
    """Return a day's line with its words; words that do not fit continue on more lines."""
    midnight = _seconds(day)
    today = datetime.fromtimestamp(now).date() == day
    periods = tuple(calendar.closed(midnight, _seconds(day + timedelta(days=1))))
    label = Span(left(day.strftime("%a %d %b"), _LABEL), TextRole.STRONG if today else TextRole.PLAIN)
    picture = _picture(periods, midnight, scale)
    if today:
        picture = _with_now_mark(picture, int((now - midnight) * scale / _HOUR))
    words = day_words(periods, midnight)
    room = cells - _LABEL - _HOURS * scale
    gap = 2 if room > _WORDS else 1
    first, *more = wrap(words, max(8, room - gap), TextRole.PLAIN if periods else TextRole.DIM)
    indent = Span(" " * (_LABEL + _HOURS * scale + gap))
    return ((label, *picture, Span(" " * gap), *first), *((indent, *line) for line in more))


def _seconds(day: date) -> int:
    return int(datetime(day.year, day.month, day.day).timestamp())


def _picture(periods: tuple[Period, ...], midnight: int, scale: int) -> Line:
    """Return the cells of a day; a cell with several states shows the one that closes most."""
    states = []
    for cell in range(_HOURS * scale):
        start = midnight + cell * _HOUR // scale
        end = start + _HOUR // scale
        calendar_states = {period.state for period in periods if period.start < end and period.end > start}
        states.append(max(calendar_states, key=list(CalendarState).index, default=CalendarState.ON))
    return tuple(Span(*_FILLS[state]) for state in states)


def _with_now_mark(picture: Line, cell: int) -> Line:
    if not 0 <= cell < len(picture):
        return picture
    return (*picture[:cell], Span("┃", TextRole.ACCENT), *picture[cell + 1 :])


def day_words(periods: tuple[Period, ...], midnight: int) -> str:
    """Return the closed periods of a day: `off 06:00-08:00, 18:00-20:00, suspended 22:00-24:00`; `on` without any."""
    if not periods:
        return "on"
    states = (
        (state, [_times(period, midnight) for period in same])
        for state, same in groupby(periods, lambda period: period.state)
    )
    return ", ".join(f"{state.value} {', '.join(times)}" for state, times in states)


def _times(period: Period, midnight: int) -> str:
    if period.end - period.start >= 23 * _HOUR:
        return "all day"
    return f"{_clock(period.start - midnight)}-{_clock(period.end - midnight)}"


def _clock(seconds: int) -> str:
    hours, rest = divmod(seconds, _HOUR)
    minutes, rest = divmod(rest, 60)
    return f"{hours:02}:{minutes:02}" + (f":{rest:02}" if rest else "")


def switch_lines(calendar: Calendar, now: float, count: int = CHANGES) -> tuple[Line, ...]:
    """Return a line for the state now, and one for each of the next `count` changes."""
    state = calendar.state_at(now)
    lines: list[Line] = [(Span(left("now", _MOMENT), TextRole.DIM), _state_span(state))]
    moment = now
    for _ in range(count):
        change = calendar.next_change(moment)
        if change is None:
            if moment == now:
                lines.append((Span("and it stays so: no later entry changes it", TextRole.DIM),))
            break
        moment = change
        when = datetime.fromtimestamp(change).strftime("%a %d %b %Y %H:%M")
        ahead = Span(right(f"in {_duration(change - now)}", 14), TextRole.DIM)
        lines.append((Span(left(when, _MOMENT)), _state_span(calendar.state_at(change)), ahead))
    return tuple(lines)


def _state_span(state: CalendarState) -> Span:
    sign, role = _FILLS[state]
    return Span(left(f"{sign} {state.value}", 12), TextRole.RUNNING if state is CalendarState.ON else role)


def _duration(seconds: float) -> str:
    days, rest = divmod(int(seconds), 24 * _HOUR)
    hours, rest = divmod(rest, _HOUR)
    if days:
        return f"{days} d {hours:02} h"
    return f"{hours} h {rest // 60:02}" if hours else f"{rest // 60} min"


def unusual_entry_lines(calendar: Calendar, start: float, cells: int) -> tuple[Line, ...]:
    """Return a warning for the first time this week at which 8.1.9 differs from the written list; empty if none."""
    entries: tuple[CalendarEntry, ...] = (*calendar.year, *calendar.week)
    for day in _days(start):
        midnight = _seconds(day)
        marks = {0, *(mark for entry in entries for times in entry.times for mark in times)}
        for mark in sorted(marks):
            moment = midnight + mark
            if mark < _HOURS * _HOUR and calendar.state_at(moment) is not calendar.written_at(moment):
                when = datetime.fromtimestamp(moment).strftime("%a %H:%M")
                text = (
                    f"{when}: the list seems to say {calendar.written_at(moment).value}, but 8.1.9 makes it "
                    f"{calendar.state_at(moment).value}: daytimes that begin at midnight begin with the last end of "
                    "the day before."
                )
                return wrap(text, cells, TextRole.WARNING, first="! ", rest="  ")
    return ()
