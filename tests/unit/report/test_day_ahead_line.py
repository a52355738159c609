"""The line about the day ahead."""

import pytest

from qmon_tui.report import plain
from qmon_tui.report.day import day_ahead_line
from qmon_tui.report.day.charts import amount
from qmon_tui.simulation import DayAheadSummary

NOON = 1795432400


@pytest.mark.parametrize(
    ("outlook", "expected"),
    [
        (DayAheadSummary(NOON, NOON, True, 0, 0.0, 0, None), "The day: no job is waiting or still to come"),
        (DayAheadSummary(NOON, NOON, True, 1, 60.0, 1, None), "The day: 0 jobs start, 1 never starts"),
        (
            DayAheadSummary(NOON, NOON, True, 7, 60.0, 0, None, starting=220),
            "The day: 220 tasks of 7 jobs start, mean wait 0:01:00",
        ),
        (
            DayAheadSummary(NOON, NOON, True, 2, 60.0, 1, None, starting=3),
            "The day: 3 tasks of 1 job start, mean wait 0:01:00, 1 never starts",
        ),
        (DayAheadSummary(NOON, NOON, True, 9, 720.0, 0, None, 720.0), "Edits: no start changes"),
        (
            DayAheadSummary(NOON, NOON, True, 9, 720.0, 0, None, 720.0, added=1),
            "Edits: 1 job more, other starts unchanged",
        ),
        (
            DayAheadSummary(NOON, NOON, True, 9, 540.0, 0, None, 720.0, earlier=5, later=1),
            "Edits: mean wait 0:12:00 → 0:09:00, 1 job starts later, 5 earlier",
        ),
        (
            DayAheadSummary(NOON, NOON, True, 9, 540.0, 4, None, 720.0, earlier=5, later=1),
            "Edits: mean wait 0:12:00 → 0:09:00, 1 job starts later, 5 earlier, 4 never start",
        ),
        (
            DayAheadSummary(NOON, NOON, True, 9, 720.0, 0, None, 720.0, earlier=2, removed=1),
            "Edits: 1 job fewer, mean wait 0:12:00 as before, 2 jobs start earlier",
        ),
    ],
)
def test_in_words(outlook: DayAheadSummary, expected: str) -> None:
    assert plain(day_ahead_line(outlook, 100)).strip() == expected


def test_in_little_room() -> None:
    found = DayAheadSummary(NOON, NOON, True, 9, 48120.0, 0, None, 48840.0, earlier=4, later=1)
    assert (
        plain(day_ahead_line(found, 80)).strip()
        == "Edits: mean wait 13:34:00 → 13:22:00, 1 job starts later, 4 earlier"
    )
    assert plain(day_ahead_line(found, 58)).strip() == "Edits: mean wait 13:34:00 → 13:22:00, 1 later, 4 earlier"


def test_as_far_as_it_was_simulated() -> None:
    line = plain(day_ahead_line(DayAheadSummary(NOON, NOON + 60, False, 2, 60.0, 1, NOON + 30), 120))
    assert ", as far as it was simulated: 1 job starts, mean wait 0:01:00" in line
    assert "1 still waits" in line


def test_amounts_have_no_powers_of_ten() -> None:
    assert [amount(1010 * 2**30), amount(1.5 * 2**40), amount(212 * 2**30)] == ["1010G", "1.5T", "212G"]
