"""The line about the day ahead."""

import pytest

from qmon_tui.simulation import Outlook
from qmon_tui.tui.present import plain
from qmon_tui.tui.present.day import outlook_line

NOON = 1795432400


@pytest.mark.parametrize(
    ("outlook", "expected"),
    [
        (Outlook(NOON, NOON, True, 0, 0.0, 0, None), "The day: no job is waiting or still to come"),
        (Outlook(NOON, NOON, True, 1, 60.0, 1, None), "The day: 1 job to start, mean wait 1 m, 1 never starts"),
        (Outlook(NOON, NOON, True, 9, 720.0, 0, None, 720.0), "Edits: no start changes"),
        (Outlook(NOON, NOON, True, 9, 720.0, 0, None, 720.0, added=1), "Edits: 1 job more, other starts unchanged"),
        (
            Outlook(NOON, NOON, True, 9, 540.0, 0, None, 720.0, earlier=5, later=1),
            "Edits: mean wait 12 m → 9 m, 1 job starts later, 5 earlier",
        ),
        (
            Outlook(NOON, NOON, True, 9, 720.0, 0, None, 720.0, earlier=2, removed=1),
            "Edits: 1 job fewer, mean wait 12 m as before, 2 jobs start earlier",
        ),
    ],
)
def test_in_words(outlook: Outlook, expected: str) -> None:
    assert plain(outlook_line(outlook, 100)).strip() == expected


def test_as_far_as_it_was_simulated() -> None:
    line = plain(outlook_line(Outlook(NOON, NOON + 60, False, 2, 60.0, 1, NOON + 30), 120))
    assert ", as far as it was simulated: 2 jobs to start, mean wait 1 m" in line
    assert "1 not started by then" in line
