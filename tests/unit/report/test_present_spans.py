"""Lines of spans: widths are kept, nothing is lost when wrapping."""

import unicodedata

import pytest
from hypothesis import given, strategies as st
from rich.cells import cell_len

from qmon_tui.report.bars import shares, stacked_bar, usage_bar
from qmon_tui.report.day.charts import spark
from qmon_tui.report.day.shares import target_bar
from qmon_tui.report.spans import Span, TextRole, crop, fit, justify, left, plain, right, visible, width, wrap

TEXT = st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs", "Mn", "Me", "Cf", "Zl", "Zp")), max_size=40)


@given(TEXT, st.integers(0, 50))
def test_cropped_text_never_exceeds_its_cells(text: str, cells: int) -> None:
    assert cell_len(crop(text, cells)) <= cells


@given(TEXT, st.integers(1, 50))
def test_padded_text_has_exactly_its_cells(text: str, cells: int) -> None:
    assert cell_len(left(text, cells)) == cells
    assert cell_len(right(text, cells)) == cells


def test_negative_parts_never_make_the_others_longer_than_the_bar() -> None:
    assert sum(shares([-0.3, 0.2, 0.1], 1e-9, 30)) == 30
    assert width(stacked_bar([(-1.0, TextRole.TICKETS), (0.5, TextRole.POSIX)], 1e-9, 20)) == 20


def test_cropping_says_that_something_is_missing() -> None:
    assert crop("1,[node01=4]", 8) == "1,[node…"
    assert crop("1,[node01=4]", 12) == "1,[node01=4]"


@given(TEXT, st.integers(10, 50))
def test_wrapping_loses_no_letter(text: str, cells: int) -> None:
    lines = wrap(text, cells, first="· ", rest="  ")
    assert all(width(line) <= cells for line in lines)
    said = "".join(plain(line)[2:] for line in lines)
    assert "".join(said.split()) == "".join(text.split())


def test_a_word_longer_than_the_line_is_broken_not_cut() -> None:
    assert [plain(line) for line in wrap("abcdefghijklmnop", 10)] == ["abcdefghij", "klmnop"]


def test_fit_crops_the_span_at_the_edge() -> None:
    spans = (Span("prior ", TextRole.DIM), Span("0.60167"))
    assert fit(spans, 10) == (Span("prior ", TextRole.DIM), Span("0.6…"))


def test_justify_keeps_the_right_side_whole() -> None:
    line = justify((Span("qmon ▸ a very long cluster name"),), (Span("✗ 1"),), 20)
    assert plain(line) == "qmon ▸ a very l… ✗ 1"


def test_level_shows_the_least_use_and_never_more_than_all() -> None:
    drawn = [
        plain(usage_bar(used, of, 4, TextRole.RUNNING))
        for used, of in ((0, 100), (1, 10_000), (5, 10), (15, 10), (1, 0))
    ]
    assert drawn == ["────", "╸───", "━━──", "━━━━", "    "]


@given(st.lists(st.floats(0, 1), min_size=1, max_size=4), st.integers(1, 60))
def test_shares_fill_exactly_the_whole(values: list[float], cells: int) -> None:
    total = sum(values)
    if total > 0:
        assert sum(shares(values, total, cells)) == cells


NO_NUMBERS = (float("nan"), float("inf"), -float("inf"), 1e308)


@pytest.mark.parametrize("value", NO_NUMBERS)
@pytest.mark.parametrize("other", [*NO_NUMBERS, 0.5])
def test_bars_of_numbers_that_cannot_be_drawn_have_their_cells(value: float, other: float) -> None:
    assert sum(shares([value, other], value + other, 9)) in (0, 9)
    assert len(plain(stacked_bar([(value, TextRole.URGENCY), (other, TextRole.POSIX)], other, 9))) == 9
    assert len(plain(usage_bar(value, other, 9, TextRole.RUNNING))) == 9
    assert len(plain(target_bar(value, other, 9))) == 9
    assert len(spark([value, other, None], other)) == 3


def test_infinite_parts_leave_nothing_to_finite_ones() -> None:
    assert shares([float("inf"), 0.5], float("inf"), 9) == (9, 0)


def test_stacked_parts_differ_without_colour() -> None:
    line = stacked_bar([(0.5, TextRole.URGENCY), (0.25, TextRole.TICKETS), (0.25, TextRole.POSIX)], 1.0, 8)
    assert plain(line) == "━━━━╍╍──"


def test_nothing_that_is_obeyed_turns_the_text_or_is_unseen_is_left() -> None:
    unseen = [
        chr(code) for code in range(0x110000) if unicodedata.category(chr(code)) in ("Cc", "Cf", "Cs", "Zl", "Zp")
    ]
    # Signs of scripts that have a place of their own: numbers in Arabic and Kaithi, hieroglyphs, notes.
    drawn = {*map(chr, (*range(0x600, 0x606), 0x6DD, 0x70F, 0x890, 0x891, 0x8E2, 0x110BD, 0x110CD))}
    notation = {character for character in unseen if 0x13000 <= ord(character) < 0x1E000}
    for character in {*unseen} - drawn - notation:
        assert visible(f"a{character}b") == f"a{visible(character)}b"
        assert visible(character).isprintable(), hex(ord(character))
        assert visible(f"a{character}b", stand_in=False) == "ab"
    for told in "\u061c\u200b\u2060\ufff9\U000e0001\U000e0041":
        assert visible(told) == "?"


@pytest.mark.parametrize("cells", [1, 3, 4, 5, 9])
def test_what_a_terminal_would_obey_takes_the_cells_of_what_stands_for_it(cells: int) -> None:
    text = "h\x1b[2J"
    assert width([Span(text)]) == 5
    assert left(text, cells) == left("h␛[2J", cells)
    assert right(text, cells) == right("h␛[2J", cells)
    assert plain(fit([Span(text), Span("!")], cells)) == plain(fit([Span("h␛[2J"), Span("!")], cells))
