"""How a comparison reads: units, better and worse, what cannot be told from nothing, and room for four policies."""

from dataclasses import replace

import pytest

from qmon_tui.report import TextRole, plain, tab_at, tab_line
from qmon_tui.report.comparison import (
    CompareTable,
    PolicyHead,
    comparison_rows,
    head_lines,
    story,
)
from qmon_tui.report.comparison.rows import difference_span, value_words
from qmon_tui.simulation import Compared, Comparison, Day, Interval, PolicyDelta


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("wait.mean", 4320.0, "1:12:00"),
        ("by.owner.ada.wait.p95", 59.6, "0:01:00"),
        ("utilisation", 0.8312, "83.1 %"),
        ("slowdown.median", 2.5, "2.500"),
        ("ended", 12.0, "12"),
        ("wait.mean", None, "-"),
    ],
)
def test_values_have_their_unit(name: str, value: float | None, words: str) -> None:
    assert value_words(name, value) == words


def differing(name: str, difference: Interval | None) -> Compared:
    return Compared(name, (10000.0, 10000.0 + (difference.mean if difference is not None else 0.0)), (difference,))


@pytest.mark.parametrize(
    ("name", "mean", "low", "high", "words", "role"),
    [
        ("wait.mean", -600.0, -660.0, -540.0, "▼ -0:10:00 ± 0:01:00", TextRole.MOVED_UP),
        ("wait.mean", 600.0, 540.0, 660.0, "▲ +0:10:00 ± 0:01:00", TextRole.MOVED_DOWN),
        ("utilisation", 0.1, 0.05, 0.15, "▲ +10.0 % ± 5.0 %", TextRole.MOVED),
        ("wait.mean", -600.0, -1300.0, 100.0, "no difference", TextRole.DIM),
        ("tasks", 3.0, 2.0, 4.0, "▲ +3 ± 1", TextRole.MOVED),
        ("jain.owner", -0.0004, -0.0004, -0.0004, "hardly any", TextRole.DIM),
        ("utilisation", 0.0004, 0.0004, 0.0004, "hardly any", TextRole.DIM),
        ("wait.mean", 0.4, 0.4, 0.4, "hardly any", TextRole.DIM),
    ],
)
def test_a_difference_is_better_worse_or_none_that_can_be_told(
    name: str, mean: float, low: float, high: float, words: str, role: TextRole
) -> None:
    span = difference_span(name, differing(name, Interval(mean, low, high, 5)), 1)
    assert (span.text, span.role) == (words, role)


def test_one_day_has_no_bounds() -> None:
    infinite = float("inf")
    span = difference_span("wait.mean", differing("wait.mean", Interval(-60.0, -infinite, infinite, 1)), 1)
    assert (span.text, span.role) == ("▼ -0:01:00", TextRole.MOVED), "one seed is neither better nor worse"
    none = differing("wait.mean", Interval(0.0, -infinite, infinite, 1))
    assert difference_span("wait.mean", none, 1).text == "no difference"
    assert difference_span("wait.mean", differing("wait.mean", None), 1).text == ""


def comparison(policies: int) -> Comparison:
    others = policies - 1
    wait = Compared("wait.mean", (600.0, *(540.0,) * others), (Interval(-60.0, -70.0, -50.0, 3),) * others)
    ada = Compared("by.owner.ada.wait.mean", wait.values, wait.differences)
    count = Compared("wait.count", (8.0,) * policies, (None,) * others)
    day = Day(0, 10, (), {}, 1, 1, ())
    against = tuple(PolicyDelta(f"p{number}", (ada,), (), (), 0, None) for number in range(1, policies))
    return Comparison(tuple(f"p{number}" for number in range(policies)), (0,), (count, wait, ada), against, (day,))


@pytest.mark.parametrize(("policies", "cells"), [(2, 79), (3, 79), (4, 79), (4, 119)])
def test_all_policies_have_room(policies: int, cells: int) -> None:
    rows = comparison_rows(comparison(policies), CompareTable.MEASURES)
    assert [rows.text(index).split("  ")[0] for index in range(len(rows))] == ["mean wait"]
    head, line = rows.head(cells), rows.line(0, cells)
    assert head is not None
    assert plain(line).count("0:10:00") == 1
    assert plain(line).count("0:09:00") == policies - 1
    assert plain(line).count("▼") == policies - 1
    assert len(plain(line).rstrip()) <= cells
    for letter in "ABCD"[:policies]:
        assert letter in plain(head)


def test_users_are_listed_by_their_mean_wait() -> None:
    rows = comparison_rows(comparison(2), CompareTable.USERS)
    assert rows.text(0).startswith("ada  0:10:00  0:09:00  ▼ -0:01:00")


def test_what_a_mean_leaves_out_stands_below_it() -> None:
    base = comparison(2)
    left_out = [Compared(name, (464.0, 0.0), (None,)) for name in ("not_started", "by.owner.ada.not_started")]
    shown = replace(base, measures=(*base.measures, *left_out))
    measures = comparison_rows(shown, CompareTable.MEASURES)
    assert [measures.text(index) for index in range(len(measures))][1] == "  left out: not started  464  0  "
    users = comparison_rows(shown, CompareTable.USERS)
    assert [users.text(index) for index in range(len(users))][1:] == ["  left out: not started  464  0  "]


def test_titles_can_be_clicked_on() -> None:
    words = plain(tab_line(CompareTable.JOBS, 80))
    for table in CompareTable:
        assert tab_at(CompareTable, words.index(str(table))) is table
    assert tab_at(CompareTable, 79) is None


def test_the_head_says_how_days_are_compared() -> None:
    lines = [plain(line) for line in head_lines(PolicyHead(("as it is", "b=1"), 7200, 1, (1, 2), "", 3), 119)]
    assert lines[:2] == [" A  as it is", " B  b=1"]
    assert "one day, 2 h long" in lines[2]
    assert "simulated 1 of 2" in lines[2]
    assert "run time of 3 jobs assumed" in lines[2]
    problem = [plain(line) for line in head_lines(PolicyHead(("a",), None, 3, None, "No such field."), 119)]
    assert problem[-1] == " ✗ No such field."


def of_users(*changes: tuple[str, float | None, float | None], seeds: int = 1) -> Comparison:
    """A comparison in which users wait on average that many seconds, before and after; also of several seeds."""
    bounds = (float("-inf"), float("inf")) if seeds == 1 else (-1.0, 1.0)
    owners = tuple(
        Compared(name, (before, after), (
            None if before is None or after is None
            else Interval(after - before, after - before + bounds[0], after - before + bounds[1], seeds),
        ))
        for name, before, after in changes
    )  # fmt: skip
    fair = Compared("jain.owner", (0.6, 0.67), (Interval(0.07, 0.06, 0.08, 2),))
    day = Day(0, 10, (), {}, 1, 1, ())
    against = (PolicyDelta("b", owners, (), (), 1, None),)
    return Comparison(("a", "b"), tuple(range(seeds)), (fair,), against, (day,))


@pytest.mark.parametrize(
    ("changes", "seeds", "words"),
    [
        (
            [("heavy", 3600.0, 8400.0), ("light", 50000.0, 7820.0)], 1,
            "Mean wait: light 11 h 43 m less, heavy 1 h 20 m more; fairness 0.60 to 0.67.",
        ),
        ([("a", 60.0, 60.0)], 1, "No user waits longer or shorter; fairness 0.60 to 0.67."),
        ([("a", 60.0, 10.0)], 3, "Mean wait: a 50 s (± 1 s) less; fairness 0.60 to 0.67."),
        (
            [("astronomy", 90000.0, 3600.0), ("biology", 50000.0, 7820.0), ("chemistry", 3600.0, 8400.0)], 3,
            "Mean wait: astronomy 1 d less, biology 11 h 43 m less, chemistry 1 h 20 m more; fairness 0.60 to 0.67.",
        ),
        ([("a", None, 10.0), ("b", 7.0, None)], 1,
         "Mean wait: a starts only under B, b starts only under A; fairness 0.60 to 0.67."),
        (
            [(f"u{number}", 100.0, 10.0 * number) for number in range(30)], 1,
            "Mean wait: u0 1 m 40 s less, 9 other users less, u29 3 m 10 s more, 18 other users more; "
            "fairness 0.60 to 0.67.",
        ),
    ],
)  # fmt: skip
def test_the_story_begins_with_those_who_gain_and_lose(
    changes: list[tuple[str, float | None, float | None]], seeds: int, words: str
) -> None:
    first = next(story(of_users(*changes, seeds=seeds), 1))
    assert first == words
    assert len(first) <= 120
