"""Words of reasons that no run is needed for, and shapes of JSON of the smallest values."""

import pytest

from qmon_tui.explain import ReasonGroup, ReasonKind
from qmon_tui.model import CalendarClosing
from qmon_tui.report.reason_text import clock_time, closing_words, short_names, split_reasons
from qmon_tui.values import parse_time

NOON = parse_time("2026-01-01T12:00:00")


@pytest.mark.parametrize(
    ("names", "short"),
    [
        ([], ""),
        (["a1"], "a1"),
        (["a"], "a"),
        (["a1", "a2"], "a1–2"),
        (["q@n08", "q@n09", "q@n10"], "q@n08–10"),
        (["n9", "n10"], "n9, n10"),
        (["n1", "n3"], "n1, n3"),
        (["n2", "n1"], "n2, n1"),
        (["a1", "b2"], "a1, b2"),
        (["a", "a1", "a2", "b", "b7", "b8"], "a, a1–2, b, b7–8"),
        (["a1", "a1"], "a1, a1"),
    ],
)
def test_names_in_a_row_are_told_once(names: list[str], short: str) -> None:
    assert short_names(names) == short


@pytest.mark.parametrize(
    ("moment", "words"),
    [("2026-01-01T00:00:59", "00:00"), ("2026-01-01T23:59:59", "23:59"), ("2026-01-02T00:00:00", "2026-01-02 00:00")],
)
def test_a_time_of_another_day_has_its_date(moment: str, words: str) -> None:
    assert clock_time(parse_time(moment), NOON) == words


@pytest.mark.parametrize(
    ("suspends", "until", "words"),
    [
        (False, None, "calendar night disables it for good"),
        (True, None, "calendar night suspends it for good"),
        (False, NOON, "calendar night disables it until 2026-01-01T12:00:00"),
        (True, 0, "calendar night suspends it until 1970-01-01T00:00:00"),
    ],
)
def test_what_a_calendar_does(suspends: bool, until: int | None, words: str) -> None:
    assert closing_words(CalendarClosing("night", suspends=suspends, until=until)) == words


NEVER, NOT_NOW = (ReasonGroup(why, "host", why.value, ()) for why in (ReasonKind.NEVER, ReasonKind.BUSY))


@pytest.mark.parametrize(
    ("groups", "first", "behind"),
    [
        ((), (), ()),
        ((NEVER,), (NEVER,), ()),
        ((NOT_NOW,), (NOT_NOW,), ()),
        ((NEVER, NOT_NOW), (NOT_NOW,), (NEVER,)),
        ((NOT_NOW, NEVER, NEVER), (NOT_NOW,), (NEVER, NEVER)),
    ],
)
def test_what_never_takes_a_task_comes_last_unless_it_is_all(
    groups: tuple[ReasonGroup, ...], first: tuple[ReasonGroup, ...], behind: tuple[ReasonGroup, ...]
) -> None:
    assert split_reasons(groups) == (first, behind)
