"""A calendar as a picture of the coming week, with the next changes in words."""

from datetime import datetime

import pytest

from qmon_tui.report.calendars import switch_lines, unusual_entry_lines, week_lines
from qmon_tui.report.spans import TextRole, plain, width
from qmon_tui.values.calendar import Calendar
from qmon_tui.values.calendar_grammar import parse_week, parse_year

MONDAY = datetime(2026, 3, 2, 9, 30).timestamp()


def calendar(week: str = "NONE", year: str = "NONE") -> Calendar:
    return Calendar(parse_year(year), parse_week(week))


def days(found: Calendar, cells: int = 100) -> list[str]:
    return [plain(line) for line in week_lines(found, MONDAY, MONDAY, cells)[1:8]]


def test_a_line_per_day_says_when_it_is_not_open() -> None:
    found = days(calendar("mon-fri=6-20=off sat=12-13:30=suspended", "4.3.2026=on"))
    assert [line.split("  ")[-1].strip() for line in found] == [
        "off 06:00-20:00", "off 06:00-20:00", "on", "off 06:00-20:00", "off 06:00-20:00", "suspended 12:00-13:30", "on",
    ]  # fmt: skip
    assert found[1].startswith("Tue 03 Mar ──────")
    # Two cells an hour: from 6 to 20 o'clock.
    assert found[1].count("█") == 28
    assert found[5].count("▒") == 3


def test_what_has_no_room_behind_a_day_goes_on_below_it() -> None:
    twice = calendar("sun=20-6=suspended")
    assert "suspended 00:00-06:00, 20:00-24:00" in plain(week_lines(twice, MONDAY, MONDAY, 76)[7])
    narrow = [plain(line).rstrip() for line in week_lines(twice, MONDAY, MONDAY, 58)[1:]]
    sunday = next(number for number, line in enumerate(narrow) if line.startswith("Sun"))
    assert narrow[sunday].endswith("suspended 00:00-06:00,")
    assert narrow[sunday + 1].strip() == "20:00-24:00"


def test_now_is_marked_on_its_day_alone() -> None:
    spanses = week_lines(calendar(), MONDAY, MONDAY, 100)
    marks = [[number for number, span in enumerate(line) if span.text == "┃"] for line in spanses]
    assert [len(mark) for mark in marks[1:8]] == [1, 0, 0, 0, 0, 0, 0]
    # The label, then two cells an hour: 9:30 is the 20th of them.
    assert marks[1] == [1 + 19]


@pytest.mark.parametrize("cells", [50, 60, 80, 140])
def test_the_picture_fits(cells: int) -> None:
    spanses = week_lines(calendar("mon-sun=1-2:30=off mon-sun=3-4=suspended"), MONDAY, MONDAY, cells)
    assert max(map(width, spanses)) <= max(cells, 60)


def test_the_next_changes() -> None:
    found = [plain(line).split() for line in switch_lines(calendar("mon-fri=6-20=off"), MONDAY, 2)]
    assert found == [
        ["now", "█", "off"],
        ["Mon", "02", "Mar", "2026", "20:00", "─", "on", "in", "10", "h", "30"],
        ["Tue", "03", "Mar", "2026", "06:00", "█", "off", "in", "20", "h", "30"],
    ]
    assert "stays so" in plain(switch_lines(calendar(), MONDAY)[1])


def test_what_8_1_9_reads_differently_is_told() -> None:
    (first, *_) = unusual_entry_lines(calendar("mon-fri=0-8=off"), MONDAY, 200)
    assert plain(first).startswith("! Mon 08:00: the list seems to say on, but 8.1.9 makes it off")
    assert first[1].role is TextRole.WARNING
    assert unusual_entry_lines(calendar("mon-fri=6-20=off"), MONDAY, 200) == ()
