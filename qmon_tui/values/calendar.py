"""The times at which a calendar closes or suspends queues (calendar_conf(5), suspension.md#state-at-a-moment).

The year entries that cover a moment decide; if none covers it, the week entries that do. Of several states `on` wins
over `suspended`, and `suspended` over `off`. If no entry covers the moment, queues are open. Days and daytimes are in
the local time zone.
"""

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from enum import StrEnum
from itertools import islice
from typing import Final

DAY: Final = 24 * 60 * 60

Date = tuple[int, int, int]
"""Year, month and day as written: the 31st of February comes after its 28th and before March."""

_WEEK: Final = 8
"""Days after which a calendar without dates has shown all its changes, changes of the clock included."""

_AROUND_DATE: Final = timedelta(days=7)
"""Margin around a first or last date; large enough for dates that are in no month."""

_AT_MIDNIGHT: Final = 1
"""Seconds after midnight that still count as midnight."""

_MOST_STEPS: Final = 62
"""Steps after which 8.1.9 gives up the search for the next change."""

_MOST_STEPS_OF_DATES: Final = 60
"""Steps after which 8.1.9 gives up in calendars with dates."""


class CalendarState(StrEnum):
    """Effect of a calendar on queues, in order of precedence."""

    ON = "on"
    SUSPENDED = "suspended"
    OFF = "off"


@dataclass(frozen=True, slots=True)
class YearEntry:
    """`DAY[-DAY]{,DAY[-DAY]}[=DAYTIMES][=STATE]`; `times` are (start, end) in seconds since midnight."""

    dates: tuple[tuple[Date, Date], ...]
    """First and last day of each range; empty for every day."""
    times: tuple[tuple[int, int], ...]
    state: CalendarState

    def covers(self, day: Date, weekday: int) -> bool:
        """True if the entry's dates include the day."""
        return not self.dates or any(first <= day <= last for first, last in self.dates)

    @property
    def start_is_unexpected(self) -> bool:
        """True for dates with daytimes that begin with midnight; whole days are foreseen."""
        first, last = self.times[0]
        return first <= _AT_MIDNIGHT and last < DAY

    def starts_before_its_days(self, day: Date) -> bool:
        """True if 8.1.9 applies the entry to the time before it.

        It does so for consecutive dates with a single range of daytimes that begins, but does not end, at midnight.
        """
        return (
            len(self.times) == 1
            and self.times[0][0] == 0
            and self.times[0][1] < DAY
            and any(day < first and self._is_continued(first, last) for first, last in self.dates)
        )

    def _is_continued(self, first: Date, last: Date) -> bool:
        return first < last or _day_after(last) in {start for start, _ in self.dates}


def _day_after(day: Date) -> Date | None:
    """Return the next day; None after a date that does not exist."""
    try:
        following = date(*day) + timedelta(days=1)
    except ValueError:
        return None
    return following.year, following.month, following.day


@dataclass(frozen=True, slots=True)
class WeekEntry:
    """`WDAY[-WDAY]{,WDAY[-WDAY]}[=DAYTIMES][=STATE]`; `times` are (start, end) in seconds since midnight."""

    weekdays: frozenset[int]
    """0 is Sunday; empty for every day."""
    times: tuple[tuple[int, int], ...]
    state: CalendarState

    def covers(self, day: Date, weekday: int) -> bool:
        """True if the entry's weekdays include the weekday."""
        return not self.weekdays or weekday in self.weekdays

    @property
    def start_is_unexpected(self) -> bool:
        """Always False: weekly entries recur, so 8.1.9 foresees the start."""
        return False

    def starts_before_its_days(self, day: Date) -> bool:
        """Always False: weekdays recur, so no time lies before them."""
        return False


CalendarEntry = YearEntry | WeekEntry
"""One entry of either list."""


@dataclass(frozen=True, slots=True)
class Period:
    """A time in which queues are not open, in seconds since the epoch."""

    start: int
    end: int
    state: CalendarState


@dataclass(frozen=True, slots=True)
class Calendar:
    """The year list and the week list of a calendar."""

    year: tuple[YearEntry, ...] = ()
    week: tuple[WeekEntry, ...] = ()

    @property
    def _entries(self) -> tuple[CalendarEntry, ...]:
        return (*self.year, *self.week)

    def state_at(self, moment: float) -> CalendarState:
        """Return the effect at a moment, in seconds since the epoch."""
        return self._state(moment, _is_in_force)

    def written_at(self, moment: float) -> CalendarState:
        """Return the effect at a moment as calendar_conf(5) describes it; 8.1.9 sometimes differs."""
        return self._state(moment, _is_written)

    def _state(self, moment: float, applies: Callable[[CalendarEntry, date, int], bool]) -> CalendarState:
        day, daytime = _day_and_time(moment)
        for entries in (self.year, self.week):
            states = {entry.state for entry in entries if applies(entry, day, daytime)}
            if states:
                return next(state for state in CalendarState if state in states)
        return CalendarState.ON

    def next_change(self, moment: float) -> int | None:
        """Return when the state first changes after a moment (seconds since the epoch); None for never."""
        return next((start for start, _ in self._changes(moment)), None)

    def expected_next_change(self, moment: float) -> int | None:
        """Return when 8.1.9 believes that the state of a moment ends (seconds since the epoch); None for never.

        Daytimes that are always in force end each day, and the search is bounded. If an entry of the week begins before
        another of the same state has ended, 8.1.9 searches behind that end, and may find a later change or none. It
        misses daytimes that begin with a single date, and dates that lie too many daytimes of the week ahead.
        """
        change = self._next_foreseen(moment) if self.year else self.next_change(moment)
        if change is not None and self.year:
            return change if self._is_reached(change, int(moment)) else None
        if change is not None and len({entry.state for entry in self.week}) == len(self.week):
            return change
        state, end = self.state_at(moment), self._next_evaluation(int(moment))
        for _ in range(_MOST_STEPS - 1):
            if end is None or self.state_at(end + 1) is not state:
                return end
            end = self._next_evaluation(end + 1)
        return end

    def _next_foreseen(self, moment: float) -> int | None:
        """Return the first change of state after a moment that 8.1.9 foresees; None without any."""
        state, last, days_after_last = self.state_at(moment), self._last_date(), 0
        for day in self._days(moment):
            for mark in self._bounds(day):
                if mark > moment and self.state_at(mark) is not state and self._is_foreseen(mark):
                    return mark
            days_after_last += (day.year, day.month, day.day) > last
            if days_after_last > _WEEK:
                break
        return None

    def _is_reached(self, mark: int, moment: int) -> bool:
        """True if 8.1.9, stepping through ends and beginnings of entries, reaches `mark` before it gives up.

        While dates are in force, it does not look at the week.
        """
        for _ in range(_MOST_STEPS_OF_DATES):
            day_and_time = _day_and_time(moment)
            entries = self.year if any(_is_in_force(entry, *day_and_time) for entry in self.year) else self._entries
            ahead = [end for entry in entries if (end := self._next_bound(entry, moment, set())[0]) is not None]
            moment = min(ahead, default=mark)
            if moment >= mark:
                return True
        return False

    def _is_foreseen(self, mark: int) -> bool:
        before, now = _day_and_time(mark - 1), _day_and_time(mark)
        return any(
            _is_in_force(entry, *now) is not _is_in_force(entry, *before)
            for entry in self._entries
            if not (entry.start_is_unexpected and now[1] <= _AT_MIDNIGHT and _is_in_force(entry, *now))
        )

    def _next_evaluation(self, moment: int) -> int | None:
        """Return when 8.1.9 evaluates the week next: an entry's end or beginning, not in overlaps; None for never."""
        earliest: int | None = None
        states: set[CalendarState] = set()
        passed: set[int] = set()
        places = range(len(self.week))
        ahead = deque(places)
        while ahead:
            place = ahead.popleft()
            mark, next_states = self._next_bound(self.week[place], moment, states)
            if earliest is not None and mark is not None and mark <= earliest and next_states == states:
                if place in passed:
                    return None
                passed.add(place)
                moment, earliest = earliest + 1, None
                ahead = deque((*places[place:], *places))
            elif next_states != states and (earliest is None or (mark is not None and mark < earliest)):
                earliest = mark
        return earliest

    def _next_bound(
        self, entry: CalendarEntry, moment: int, states: set[CalendarState]
    ) -> tuple[int | None, set[CalendarState]]:
        """Return when an entry next ends or begins, and the states then; adds its present state to `states`."""
        is_active = _is_in_force(entry, *_day_and_time(moment))
        if is_active:
            states.add(entry.state)
            end = _end_of_daytime(entry, moment)
            if end is not None:
                return end, set()
        marks = (mark for day in islice(self._days(moment), _WEEK + 1) for mark in self._bounds(day) if mark > moment)
        limit = next((mark for mark in marks if _is_in_force(entry, *_day_and_time(mark)) is not is_active), None)
        return limit, set() if is_active or limit is None else {entry.state}

    def closed(self, start: float, end: float) -> Iterator[Period]:
        """Yield the periods from `start` to `end` (exclusive) in which queues are not open, cut off at both."""
        state, since = self.state_at(start), int(start)
        for change, following in self._changes(start):
            if change >= end:
                break
            if state is not CalendarState.ON:
                yield Period(since, change, state)
            state, since = following, change
        if state is not CalendarState.ON and since < end:
            yield Period(since, int(end), state)

    def _changes(self, moment: float) -> Iterator[tuple[int, CalendarState]]:
        """Yield each change after a moment with the state that follows; endless if the calendar names weekdays."""
        state, last, ends = self.state_at(moment), self._last_date(), self._ends_of_dates
        unchanged = 0
        day = datetime.fromtimestamp(moment).date()
        while day.year < date.max.year:
            unchanged += 1
            for change in self._bounds(day):
                following = self.state_at(change) if change > moment else state
                if following is not state:
                    state, unchanged = following, 0
                    yield change, state
            following_day = day + timedelta(days=1)
            if unchanged > _WEEK:
                if (day.year, day.month, day.day) > last:
                    return
                # After a week without a change only the beginning or end of a date can change the state.
                ahead = (end for end in ends if end + _AROUND_DATE > day)
                following_day = max(following_day, next(ahead, following_day))
            day = following_day

    def _days(self, moment: float) -> Iterator[date]:
        day = datetime.fromtimestamp(moment).date()
        while day.year < date.max.year:
            yield day
            day += timedelta(days=1)

    @property
    def _ends_of_dates(self) -> list[date]:
        """Days shortly before each first and last date, ascending."""
        written = {end for entry in self.year for dates in entry.dates for end in dates}
        return sorted(date(year, month, min(day, 28)) - timedelta(days=2) for year, month, day in written)

    def _last_date(self) -> Date:
        return max((last for entry in self.year for _, last in entry.dates), default=(0, 0, 0))

    def _bounds(self, day: date) -> list[int]:
        """Return the moments of a day at which an entry may begin or end (seconds since the epoch, ascending)."""
        marks = {0, *(mark for entry in self._entries for times in entry.times for mark in times)}
        midnight = datetime(day.year, day.month, day.day)
        return sorted({int((midnight + timedelta(seconds=mark)).timestamp()) for mark in marks})


def _day_and_time(moment: float) -> tuple[date, int]:
    """Return the local day of a moment, and its seconds since midnight as clocks show them."""
    local = datetime.fromtimestamp(moment)
    return local.date(), 3600 * local.hour + 60 * local.minute + local.second


def _end_of_daytime(entry: CalendarEntry, moment: float) -> int | None:
    """Return when the daytime of a moment ends, or the next one if it continues over midnight; None for whole days."""
    if entry.times == ((0, DAY),):
        return None
    day, daytime = _day_and_time(moment)
    end = next((end for start, end in entry.times if start <= daytime < end), DAY + entry.times[0][1])
    midnight = datetime.combine(day, time())
    return int((midnight + timedelta(seconds=end)).timestamp())


def _is_written(entry: CalendarEntry, day: date, daytime: int) -> bool:
    covered = entry.covers((day.year, day.month, day.day), day.isoweekday() % 7)
    return covered and any(start <= daytime < end for start, end in entry.times)


def _is_in_force(entry: CalendarEntry, day: date, daytime: int) -> bool:
    """Return True if 8.1.9 applies an entry at a daytime (seconds since midnight) of a day.

    Daytimes that begin at midnight begin earlier in 8.1.9, with the last daytime's end on the day before, if the entry
    covers that day too: `mon-fri=0-8` is in force from Monday 0:00 to Friday 8:00 without a break.
    """
    date_fields = (day.year, day.month, day.day)
    if not entry.covers(date_fields, day.isoweekday() % 7):
        return entry.starts_before_its_days(date_fields)
    if any(start <= daytime < end for start, end in entry.times) or entry.starts_before_its_days(date_fields):
        return True
    if entry.times[0][0] > _AT_MIDNIGHT or daytime < entry.times[-1][1]:
        return False
    tomorrow = day + timedelta(days=1)
    return entry.covers((tomorrow.year, tomorrow.month, tomorrow.day), tomorrow.isoweekday() % 7)
