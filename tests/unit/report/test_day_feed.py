"""The feed of a day in words."""

import pytest

from qmon_tui.report import plain
from qmon_tui.report.day import FeedRows, feed_words, lasting, parse_day_time
from qmon_tui.simulation import FeedEntry, FeedKind
from tests.unit.scheduler.building import NOW


def entry(kind: FeedKind, **more: object) -> FeedEntry:
    return FeedEntry(1, NOW, kind, 507, 1, "glacier", "lena", (("day.q@node05", 10),), **more)  # type: ignore[arg-type]


def test_a_backfilled_start_is_told_with_what_it_goes_before() -> None:
    words = feed_words(entry(FeedKind.BACKFILLED, seconds=840, limit=3600, other=506, spare=60))
    assert words == "507 glacier starts on node05 ×10: done 1 m before 506's reservation"
    assert feed_words(entry(FeedKind.BACKFILLED, other=506)).endswith("backfilled beside 506's reservation")
    assert feed_words(entry(FeedKind.STARTED, seconds=840)) == "507 glacier starts on node05 ×10 after 14 m"


def test_an_end_says_how_long_it_ran() -> None:
    assert feed_words(entry(FeedKind.ENDED, seconds=2580, limit=7200)).endswith("ran 43 m of 2 h asked")
    assert feed_words(entry(FeedKind.ENDED, seconds=60, limit=60)).endswith("ran 1 m of 1 m asked")
    stopped = entry(FeedKind.ENDED, seconds=60, limit=60, text="limit")
    assert feed_words(stopped).endswith("stopped at its limit of 1 m")
    assert feed_words(entry(FeedKind.ENDED, seconds=60)).endswith("ran 1 m")


def test_a_reservation_that_moves_says_from_when_to_when() -> None:
    moved = feed_words(entry(FeedKind.RESERVED, seconds=NOW + 600, before=NOW + 1200))
    assert moved.startswith("507 glacier: its reservation moves ")
    assert "→" in moved
    assert "gets a reservation from" in feed_words(entry(FeedKind.RESERVED, seconds=NOW + 600))


def test_every_kind_has_a_sentence_and_a_sign() -> None:
    rows = FeedRows([entry(kind) for kind in FeedKind], NOW)
    for number in range(len(rows)):
        assert len(plain(rows.line(number, 200)).split()) >= 3


def test_tasks_of_one_array_to_which_the_same_happens_are_one_row() -> None:
    tasks = [
        FeedEntry(number, NOW, FeedKind.STARTED, 7, number, "sweep", "uma", ((f"all.q@h{number % 2}", 1),), 5)
        for number in (1, 2, 3, 5)
    ]
    rows = FeedRows([*tasks, FeedEntry(9, NOW + 5, FeedKind.ENDED, 7, 1, "sweep", "uma", (), 5)], NOW, frozenset({7}))
    assert len(rows) == 2
    assert "7.1-3,5 sweep starts on h1, h0 ×4" in rows.text(1)
    assert rows.key(0) == 1
    assert rows.find(0) == 1
    assert rows.entry(0) is not None


def test_lengths_have_two_units() -> None:
    assert [lasting(one) for one in (0, 59, 60, 61, 3600, 4320, 90061)] == [
        "0 s", "59 s", "1 m", "1 m 1 s", "1 h", "1 h 12 m", "1 d 1 h",
    ]  # fmt: skip


def test_times_of_the_day() -> None:
    assert parse_day_time("+30m", NOW, NOW) == NOW + 1800
    assert parse_day_time("-10m", NOW, NOW - 3600) == NOW - 600
    for text, words in (("-10m", "begins at"), ("25:00", "time of day"), ("x", "is not a time")):
        with pytest.raises(ValueError, match=words):
            parse_day_time(text, NOW, NOW)
