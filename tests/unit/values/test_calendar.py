"""Calendars: what the qmaster takes, and when it closes queues, as recorded from a real one."""

import os
import time
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta

import pytest

from qmon_tui.values.calendar import Calendar, CalendarState, Period
from qmon_tui.values.calendar_grammar import parse_week, parse_year
from tests.unit.values.recorded import recorded, refusal

LETTERS = {CalendarState.ON: "", CalendarState.OFF: "D", CalendarState.SUSPENDED: "C"}
HOUR = 3600
SATURDAY = datetime(2026, 11, 21, tzinfo=UTC).timestamp()


def _in_zone(zone: str) -> Iterator[None]:
    before = os.environ.get("TZ")
    os.environ["TZ"] = zone
    time.tzset()
    yield
    if before is None:
        del os.environ["TZ"]
    else:
        os.environ["TZ"] = before
    time.tzset()


@pytest.fixture(autouse=True)
def _universal_time() -> Iterator[None]:
    yield from _in_zone("UTC")


@pytest.fixture
def _central_europe() -> Iterator[None]:
    yield from _in_zone("CET-1CEST,M3.5.0,M10.5.0/3")


@pytest.mark.parametrize(("text", "stored", "reason"), recorded("calendar_year"))
def test_year_lists_recorded_from_the_qmaster(text: str, stored: str | None, reason: str | None) -> None:
    assert _refusal_of_year(text) == reason
    assert (stored is None) == (reason is not None)


@pytest.mark.parametrize(("text", "stored", "reason"), recorded("calendar_week"))
def test_week_lists_recorded_from_the_qmaster(text: str, stored: str | None, reason: str | None) -> None:
    assert refusal(parse_week, text) == reason
    assert (stored is None) == (reason is not None)


@pytest.mark.parametrize(("text", "weekdays"), recorded("calendar_weekdays"))
def test_weekdays_recorded_from_the_qmaster(text: str, weekdays: list[int]) -> None:
    assert sorted(parse_week(text)[0].weekdays) == weekdays


@pytest.mark.parametrize(("moment", "year", "week", "letter"), recorded("calendar_states"))
def test_states_recorded_from_the_qmaster(moment: str, year: str, week: str, letter: str) -> None:
    now = datetime.fromisoformat(moment).timestamp()
    assert LETTERS[_calendar(year, week).state_at(now)] == letter


@pytest.mark.parametrize(("moment", "year", "week", "letter"), recorded("calendar_states")[::10])
def test_the_next_change_is_the_first_moment_with_another_state(moment: str, year: str, week: str, letter: str) -> None:
    calendar, now = _calendar(year, week), int(datetime.fromisoformat(moment).timestamp())
    change = calendar.next_change(now)
    before = calendar.state_at(now)
    if change is None:
        assert all(calendar.state_at(now + hours * HOUR) is before for hours in range(0, 24 * 15, 5))
    else:
        assert calendar.state_at(change) is not before
        step = max(1, (change - now) // 500)
        assert all(calendar.state_at(moment) is before for moment in (*range(now, change, step), change - 1))


def test_periods_in_which_queues_are_closed() -> None:
    working_hours = _calendar("NONE", "mon-fri=8-18=off sat-sun=suspended")
    periods = list(working_hours.closed(SATURDAY + 12 * HOUR, SATURDAY + 4 * 24 * HOUR))
    monday = int(SATURDAY) + 48 * HOUR
    assert periods == [
        Period(int(SATURDAY) + 12 * HOUR, monday, CalendarState.SUSPENDED),
        Period(monday + 8 * HOUR, monday + 18 * HOUR, CalendarState.OFF),
        Period(monday + 32 * HOUR, monday + 42 * HOUR, CalendarState.OFF),
    ]


def test_a_period_ends_with_the_time_asked_for() -> None:
    always = _calendar("NONE", "off")
    assert list(always.closed(1000, 2000)) == [Period(1000, 2000, CalendarState.OFF)]
    assert always.next_change(1000) is None
    assert list(Calendar().closed(0, 10**9)) == []


def test_a_date_years_away_is_found() -> None:
    once = _calendar("24.12.2036=10-12", "NONE")
    assert once.next_change(SATURDAY) == datetime(2036, 12, 24, 10, tzinfo=UTC).timestamp()


def test_years_in_which_nothing_changes_are_not_looked_at_day_by_day(monkeypatch: pytest.MonkeyPatch) -> None:
    looked_at: list[date] = []
    bounds = Calendar._bounds

    def counted(calendar: Calendar, day: date) -> list[int]:
        looked_at.append(day)
        return bounds(calendar, day)

    monkeypatch.setattr(Calendar, "_bounds", counted)
    far = Calendar(year=parse_year("3.1.2030-30.4.2035=on"), week=parse_week("mon-sun=off"))
    periods = [(datetime.fromtimestamp(one.start, UTC).year, one.state) for one in far.closed(SATURDAY, 2**32)]
    assert periods == [(2026, CalendarState.OFF), (2035, CalendarState.OFF)]
    assert len(looked_at) < 60


@pytest.mark.usefixtures("_central_europe")
def test_the_clock_is_local_and_is_set_forward() -> None:
    at_night = _calendar("NONE", "sun=1-4")
    day = datetime(2026, 3, 29, tzinfo=UTC).timestamp()
    assert list(at_night.closed(day - 6 * HOUR, day + 12 * HOUR)) == [
        Period(int(day), int(day) + 2 * HOUR, CalendarState.OFF)
    ]


def _refusal_of_year(text: str) -> str | None:
    """The reason, which is empty where a month is unknown."""
    try:
        parse_year(text)
    except ValueError as error:
        return str(error)
    return None


def _calendar(year: str, week: str) -> Calendar:
    return Calendar(parse_year(year), parse_week(week))


@pytest.mark.parametrize(
    ("week", "now", "end"),
    [
        # Recorded: reservations of a real scheduler at these times began there.
        ("mon-sun=0-13=off", "2026-11-21 16:21", "2027-01-22 13:00"),
        ("mon-sun=0-23=off", "2026-11-21 16:30", "2027-01-21 23:00"),
        ("mon-sun=off", "2026-11-21 16:21", None),
        ("mon-sun=8-13=off", "2026-11-21 16:21", "2026-11-22 08:00"),
    ],
)
def test_daytimes_that_never_stop_are_believed_in_for_two_months(week: str, now: str, end: str | None) -> None:
    assert _foreseen(week, now) == (None if end is None else _moment(end))


@pytest.mark.parametrize(
    ("week", "now", "end"),
    [
        # Recorded: reservations of a real scheduler on Sunday, 2026-11-22, began there, None at the end of time.
        ("mon-fri=off", "2026-11-23 00:00", "2026-11-28 00:00"),
        ("mon-fri=off thu=off", "2026-11-23 00:00", None),
        ("thu=0-9=off mon-fri=off", "2026-11-23 00:00", "2026-11-28 00:00"),
        ("mon-thu=off fri=off", "2026-11-23 00:00", "2026-11-28 00:00"),
        ("mon=off tue=0-9=off", "2026-11-23 00:00", "2026-11-24 09:00"),
        ("mon=off mon=3-9=off", "2026-11-23 00:00", None),
        ("mon=0-12=off mon=10-20=off", "2026-11-23 00:00", "2026-11-23 20:00"),
        ("mon-wed=off wed-fri=off", "2026-11-23 00:00", "2026-11-28 00:00"),
        ("mon-fri=8-18=off sat=off", "2026-11-23 08:00", "2026-11-23 18:00"),
        ("mon-fri=off sat=0-9=suspended", "2026-11-23 00:00", "2026-11-28 00:00"),
        ("sun=suspended mon-fri=off thu=off", "2026-11-23 00:00", "2026-11-29 00:00"),
        ("sun-tue=off mon=off", "2026-11-22 10:14", None),
        ("sun-tue=off wed=off", "2026-11-22 10:14", "2026-11-26 00:00"),
    ],
)
def test_ends_are_passed_over_where_entries_of_one_state_overlap(week: str, now: str, end: str | None) -> None:
    assert _foreseen(week, now) == (None if end is None else _moment(end))


SUNDAY = "2026-11-22 17:11"


@pytest.mark.parametrize(
    ("week", "end"),
    [
        # Recorded: reservations of a real scheduler on that Sunday began there, None at the end of time.
        ("mon-sun=0-12=suspended", "2027-01-23 12:00"),
        ("mon-sun=0-20=suspended", "2027-01-22 20:00"),
        ("mon-sun=0-12=suspended mon-sun=12-18=off", "2026-12-23 12:00"),
        ("mon-sun=12-18=off mon-sun=0-12=suspended", "2026-12-23 12:00"),
        ("mon-sun=0-12=suspended mon-sun=12-18=suspended", "2027-01-22 18:00"),
        ("mon-sun=20-22=suspended mon-sun=0-20=suspended", "2026-12-22 22:00"),
        ("mon-sun=0-18=suspended mon-sun=18-20=off mon-sun=20-22=suspended", "2026-12-12 20:00"),
        ("mon-sun=0-12=suspended mon-sun=14-18=suspended", None),
        ("mon-sun=0-12=suspended mon-sun=off", "2027-01-23 12:00"),
        ("mon-sun=suspended mon-sun=0-12=off", "2027-01-23 12:00"),
        ("mon-sun=11-10=off mon-sun=17-16=off", "2026-12-13 10:00"),
    ],
)
def test_the_ends_of_all_daytimes_are_looked_at_62_times(week: str, end: str | None) -> None:
    assert _foreseen(week, SUNDAY) == (None if end is None else _moment(end))


@pytest.mark.parametrize(
    ("year", "week", "changes"),
    [
        # Recorded: where jobs of a real scheduler on that Sunday were reserved for, or started at once.
        ("23.11.2026=0-12=off", "NONE", (None,)),
        ("23.11.2026,25.11.2026=0-12=off", "NONE", (None,)),
        ("23.11.2026=1-12=off", "NONE", ("2026-11-23 01:00", "2026-11-23 12:00")),
        ("23.11.2026=off", "NONE", ("2026-11-23 00:00", "2026-11-24 00:00")),
        ("23.11.2026=0-12,14-16=off", "NONE", ("2026-11-23 14:00", "2026-11-23 16:00")),
        ("23.11.2026=22-3=off", "NONE", ("2026-11-23 22:00", "2026-11-24 00:00")),
        ("23.11.2026=0-12=on", "mon-sun=suspended", (None,)),
        ("23.11.2026=20-8=off 24.11.2026=off", "NONE", ("2026-11-23 20:00", "2026-11-25 00:00")),
        ("23.11.2026=0-22=on 22.11.2026-23.11.2026=0-12=suspended", "NONE", ("2026-11-23 12:00",)),
    ],
)
def test_a_date_whose_daytimes_begin_with_it_is_not_seen_coming(
    year: str, week: str, changes: tuple[str | None, ...]
) -> None:
    calendar, moment = Calendar(parse_year(year), parse_week(week)), _moment(SUNDAY)
    for expected in changes:
        end = calendar.expected_next_change(moment)
        assert end == (None if expected is None else _moment(expected))
        moment = end or moment


@pytest.mark.parametrize(
    ("week", "days"),
    [
        # Recorded on that Sunday: a date so many days ahead kept jobs without a time limit out, the next did not.
        ("mon-sun=17-6=on", 20),
        ("mon-sun=9-8=on", 20),
        ("mon-sun=8-9=on", 30),
        ("mon-sun=8-9,12-13=on", 15),
        ("mon-sun=0-8=on", 60),
        ("mon-fri=8-9=on sat=on", 35),
        ("mon-sun=22-8=on wed=9-10=on", 18),
    ],
)
def test_dates_are_seen_behind_sixty_looks(week: str, days: int) -> None:
    now = "2026-11-22 23:10"
    for ahead, is_seen in ((days, True), (days + 1, False)):
        day = date(2026, 11, 22) + timedelta(days=ahead)
        calendar = _calendar(f"{day.day}.{day.month}.{day.year}", week)
        assert calendar.expected_next_change(_moment(now)) == (_moment(f"{day} 00:00") if is_seen else None)


@pytest.mark.parametrize(
    ("year", "week", "opens"),
    [
        # Recorded: reservations of a real scheduler began there.
        ("24.10.2026-2.1.2027=off", "mon-sun=5-19=on", "2027-01-03 00:00"),
        ("23.11.2026-3.3.2027=off", "wed=4-3=off sat-sun=11-10=suspended", "2027-03-04 00:00"),
        ("2.6.2021-2.1.2027=0-17=suspended", "mon-fri=6-20=on mon-sun=22-21=off", "2027-01-02 21:00"),
        ("2.6.2021-2.1.2027=suspended", "mon-sun=16-15=suspended", "2027-01-03 15:00"),
        ("22.11.2026-28.12.2027=suspended", "mon-fri=suspended", "2028-01-01 00:00"),
        ("1.1.2020-31.12.2037=suspended", "mon-sun=19-18=off", "2038-01-01 18:00"),
        ("2.6.2021-19.8.2029=off 23.11.2026-2.1.2027=15-17=suspended", "wed=off", "2029-08-20 00:00"),
        ("22.11.2026-19.8.2029=off 22.11.2026-23.11.2026=8-24=off", "wed=7-12=on wed=11-10=off", "2029-08-20 00:00"),
    ],
)
def test_no_look_at_the_week_counts_while_dates_are_in_force(year: str, week: str, opens: str) -> None:
    calendar = _calendar(year, week)
    moment: float | None = _moment("2026-11-23 00:55")
    while moment is not None and calendar.state_at(moment) is not CalendarState.ON:
        moment = calendar.expected_next_change(moment)
    assert moment == _moment(opens)


@pytest.mark.parametrize("week", ["on", "mon-sun=0-24=on", "NONE"])
def test_nothing_hides_a_date_behind_days_that_never_end(week: str) -> None:
    assert _calendar("24.12.2030", week).expected_next_change(_moment(SUNDAY)) == _moment("2030-12-24 00:00")


def _foreseen(week: str, now: str) -> int | None:
    return Calendar(week=parse_week(week)).expected_next_change(_moment(now))


def _moment(text: str) -> float:
    return datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp()
