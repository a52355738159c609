"""The grammar of a calendar's year and week lists, and the weekdays that 8.1.9 reads from a list.

The qmaster joins ranges that overlap or adjoin, and makes mistakes: of two adjoining single weekdays it loses the later
(`fri,sat` is Friday only), while `fri-sat` and `sat,sun` are what they look like. The rule below was found
by asking a real qmaster; it holds for every list that names each weekday once, and for most others.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from string import ascii_letters
from typing import Final, TypeVar

from qmon_tui.values.calendar import DAY, CalendarState, Date, WeekEntry, YearEntry
from qmon_tui.values.lists import is_none

Span = tuple[int, int | None]
"""First and last weekday, 0 for Sunday; the last is None for a single weekday."""

_SATURDAY = 6


def weekdays_of(spans: Iterable[Span]) -> frozenset[int]:
    """Return the weekdays that 8.1.9 reads from a list; a range may cross the end of the week."""
    waiting = _unrolled(spans)
    joined: list[Span] = []
    while waiting:
        span, waiting = _joined(waiting[0], waiting[1:])
        joined.append(span)
    return frozenset(day for first, last in joined for day in range(first, _last((first, last)) + 1))


def _unrolled(spans: Iterable[Span]) -> list[Span]:
    """Split ranges that cross the end of the week: the part from Sunday stays in place, the other ends the list."""
    beginnings: list[Span] = []
    endings: list[Span] = []
    for first, last in spans:
        if last is not None and first > last:
            beginnings.append((0, last))
            endings.append((first, _SATURDAY))
        else:
            beginnings.append((first, last))
    return beginnings + endings


def _joined(span: Span, others: list[Span]) -> tuple[Span, list[Span]]:
    """Return a span merged with all spans that overlap or adjoin it, and the remaining spans.

    Adjoining spans are compared with the end that the span had at first; a single weekday has no end to move.
    """
    end, single = _last(span), span[1] is None
    rest: list[Span] = []
    for other in others:
        start, stop = other[0], _last(other)
        if span[0] <= start <= _last(span) or start == end + 1:
            if stop > end:
                span = (span[0], other[1] if single else stop)
        elif start <= span[0] <= stop or stop + 1 == span[0]:
            if single:
                span = (start, None if other[1] is None else max(_last(span), stop))
            else:
                span = (start, stop if stop > end else span[1])
        else:
            rest.append(other)
    return span, rest


def _last(span: Span) -> int:
    return span[0] if span[1] is None else span[1]


_WORD: Final = re.compile(r"[0-9]+|[A-Za-z_][A-Za-z0-9_]*|.", re.DOTALL)
_NAME_STARTS: Final = ascii_letters + "_"
_BLANKS: Final = re.compile(r"[ \t]+")
_LONGEST_NUMBER: Final = 9
"""Maximum digits of a number; more digits are refused, and the message quotes only the first."""
_SHORTEST_NAME: Final = 3
"""Minimum letters of an abbreviation; a word in full may be shorter."""

_WEEKDAYS: Final = ("sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday")
_MONTHS: Final = (
    *("january", "february", "march", "april", "may", "june"),
    *("july", "august", "september", "october", "november", "december"),
)
_STATES: Final = tuple(CalendarState)
_Entry = TypeVar("_Entry")
_Item = TypeVar("_Item")
_NO_PART: Final = 'got "=" without daytime_range/state'


def parse_year(text: str) -> tuple[YearEntry, ...]:
    """Parse a `year` list; empty for NONE. Raises ValueError with the qmaster's reason, which may be empty."""
    return _entries(text, _year_entry, 'unrecognized string "{}"')


def parse_week(text: str) -> tuple[WeekEntry, ...]:
    """Parse a `week` list; empty for NONE. Raises ValueError with the qmaster's reason."""
    return _entries(text, _week_entry, "unrecognized token at end")


@dataclass(slots=True)
class _Reader:
    words: list[str]
    position: int = 0

    @property
    def word(self) -> str:
        """The next word; empty at the end."""
        return self.words[self.position] if self.position < len(self.words) else ""

    @property
    def shown(self) -> str:
        """The next word as an error message quotes it; at the end, the last word."""
        word = self.word or self.words[-1]
        return word[0] if word.isascii() and word.isdigit() and len(word) > _LONGEST_NUMBER else word

    @property
    def is_number(self) -> bool:
        return self.word.isascii() and self.word.isdigit() and len(self.word) <= _LONGEST_NUMBER

    @property
    def is_name(self) -> bool:
        return self.word[:1] in _NAME_STARTS and bool(self.word)

    def take(self) -> str:
        word = self.word
        self.position += 1
        return word

    def skip(self, word: str) -> bool:
        """Pass over a word if it is the next one."""
        if self.word != word:
            return False
        self.position += 1
        return True


def _entries(text: str, read: Callable[[_Reader], _Entry], surplus: str) -> tuple[_Entry, ...]:
    text = _BLANKS.sub(" ", text).strip(" ")
    if is_none(text):
        return ()
    reader = _Reader(_WORD.findall(text))
    entries = [read(reader)]
    while reader.skip(" "):
        entries.append(read(reader))
    if reader.word:
        raise ValueError(surplus.format(reader.word))
    return tuple(entries)


def _year_entry(reader: _Reader) -> YearEntry:
    dates = _list(reader, _date_range) if reader.is_number else ()
    times, state = _parts(reader, optional=bool(dates))
    return YearEntry(dates, times, state)


def _week_entry(reader: _Reader) -> WeekEntry:
    weekdays: frozenset[int] = frozenset()
    if reader.is_name and _abbreviated(reader.word, _STATES) is None:
        weekdays = weekdays_of(_list(reader, _weekday_range))
    times, state = _parts(reader, optional=bool(weekdays))
    return WeekEntry(weekdays, times, state)


def _parts(reader: _Reader, *, optional: bool) -> tuple[tuple[tuple[int, int], ...], CalendarState]:
    """Return the daytimes and the state; with `optional` (after days) an equals sign must introduce them."""
    if optional and not reader.skip("="):
        return ((0, DAY),), CalendarState.OFF
    if not reader.is_number:
        return ((0, DAY),), _state(reader)
    ranges = _list(reader, _daytime_range)
    times = tuple(sorted(time for pair in ranges for time in pair))
    return times, _state(reader) if reader.skip("=") else CalendarState.OFF


def _list(reader: _Reader, read: Callable[[_Reader], _Item]) -> tuple[_Item, ...]:
    items = [read(reader)]
    while reader.skip(","):
        items.append(read(reader))
    return tuple(items)


def _state(reader: _Reader) -> CalendarState:
    if not reader.is_name:
        raise ValueError(_NO_PART)
    index = _abbreviated(reader.word, _STATES)
    if index is None:
        raise ValueError(f'"{reader.word}" is not a state specifier')
    reader.take()
    return _STATES[index]


def _weekday_range(reader: _Reader) -> Span:
    first = _weekday(reader)
    if not reader.skip("-"):
        return first, None
    last = _weekday(reader)
    if first == last:
        raise ValueError("found useless weekday range")
    return first, last


def _weekday(reader: _Reader) -> int:
    if not reader.is_name:
        raise ValueError("expected string for weekday")
    index = _abbreviated(reader.word, _WEEKDAYS)
    if index is None:
        raise ValueError(f'"{reader.word}" is not a weekday')
    reader.take()
    return index


def _date_range(reader: _Reader) -> tuple[Date, Date]:
    first = _date(reader)
    if not reader.skip("-"):
        return first, first
    last = _date(reader)
    if last < first:
        raise ValueError("first yearday in range must be before second yearday")
    return first, last


def _date(reader: _Reader) -> Date:
    day = _number(reader, "day", 1, 31)
    _dot(reader, "day")
    month = _month(reader)
    _dot(reader, "month")
    return _number(reader, "year", 1970, 2037), month, day


def _month(reader: _Reader) -> int:
    if not reader.is_name:
        return _number(reader, "month", 1, 12)
    index = _abbreviated(reader.word, _MONTHS)
    if index is None:
        raise ValueError("")
    reader.take()
    return index + 1


def _dot(reader: _Reader, after: str) -> None:
    if not reader.skip("."):
        raise ValueError(f'missing "." after {after}')


def _daytime_range(reader: _Reader) -> tuple[tuple[int, int], ...]:
    """Return (begin, end) in seconds since midnight; over midnight, two ranges of the same day."""
    begin = _daytime(reader)
    if not reader.skip("-"):
        raise ValueError("missing '-' in daytime range")
    end = _daytime(reader)
    if begin == end:
        raise ValueError("range begin is equal to end - use 0-24 instead")
    return ((begin, end),) if begin < end else ((0, end), (begin, DAY))


def _daytime(reader: _Reader) -> int:
    """Return seconds since midnight."""
    hours = _number(reader, "hour specification", 0, 24)
    minutes = _number(reader, "minute specification", 0, 59) if reader.skip(":") else 0
    seconds = _number(reader, "seconds specification", 0, 59) if reader.skip(":") else 0
    daytime = 3600 * hours + 60 * minutes + seconds
    if daytime > DAY:
        raise ValueError("daytimes may not be beyond 24:00")
    return daytime


def _number(reader: _Reader, what: str, least: int, most: int) -> int:
    if not reader.is_number:
        raise ValueError(f'"{reader.shown}" is not a {what}')
    if not least <= int(reader.word) <= most:
        raise ValueError(f'"{reader.word}" outside of range {least}-{most} of {what}')
    return int(reader.take())


def _abbreviated(word: str, names: tuple[str, ...]) -> int | None:
    """Return the index of the name that a word is or abbreviates, in any case; None for no name."""
    word = word.lower()
    for place, name in enumerate(names):
        if word == name or (len(word) >= _SHORTEST_NAME and name.startswith(word)):
            return place
    return None
