"""Tabs and hosts side by side: all of them in sight where possible, never the chosen one out of it."""

from hypothesis import given, strategies as st

from qmon_tui.model.catalogue import spec
from qmon_tui.model.kinds import Kind
from qmon_tui.report.spans import Span, TextRole
from qmon_tui.tui.forms.field_view import SHORT_TITLES
from qmon_tui.tui.forms.strip import Item, arrange, gravest_mark


def items(*titles: str) -> list[Item]:
    return [Item(title, title, short=title[:2]) for title in titles]


def test_one_line_where_they_fit() -> None:
    arranged = arrange(items("one", "two", "three"), 0, 4, 40, 2)
    assert [(placed.title, placed.row, placed.start) for placed in arranged.placed] == [
        ("one", 0, 4),
        ("two", 0, 9),
        ("three", 0, 14),
    ]


def test_short_titles_before_a_second_line() -> None:
    arranged = arrange(items("first", "second", "third"), 0, 0, 14, 2)
    assert [placed.title for placed in arranged.placed] == ["fi", "se", "th"]
    assert arranged.height == 1


def test_two_lines_before_anything_is_out_of_sight() -> None:
    titles = ("first", "second", "third", "fourth")
    arranged = arrange([Item(t, t) for t in titles], 0, 0, 14, 2)
    assert (arranged.height, arranged.before, arranged.after) == (2, (), ())


def test_otherwise_the_line_moves_to_the_chosen_one() -> None:
    arranged = arrange([Item(str(n), f"name{n}") for n in range(9)], 8, 0, 20, 1)
    assert arranged.placed[-1].item.key == "8"
    assert arranged.before
    assert not arranged.after


def test_the_gravest_mark_out_of_sight_is_told() -> None:
    marked = [
        Item("a", "a", (Span(" !", TextRole.WARNING),)),
        Item("b", "b", (Span(" ✗", TextRole.ERROR), Span(" ●", TextRole.CHANGED))),
    ]
    assert gravest_mark(marked) == Span("✗", TextRole.ERROR)
    assert gravest_mark(marked[:1]) == Span("!", TextRole.WARNING)
    assert gravest_mark([]) == Span(" ", TextRole.DIM)


@given(st.lists(st.integers(1, 24), min_size=1, max_size=14), st.data())
def test_the_chosen_one_is_always_in_sight_and_nothing_overlaps(lengths: list[int], data: st.DataObject) -> None:
    cells = data.draw(st.integers(30, 120))
    chosen = data.draw(st.integers(0, len(lengths) - 1))
    arranged = arrange([Item(str(n), "x" * length) for n, length in enumerate(lengths)], chosen, 4, cells, 2)
    shown = [one.item.key for one in arranged.placed]
    assert str(chosen) in shown
    assert len(shown) + len(arranged.before) + len(arranged.after) == len(lengths)
    for placed, following in zip(arranged.placed, arranged.placed[1:], strict=False):
        assert following.row > placed.row or following.start > placed.end


def test_all_tabs_of_a_queue_are_in_sight_on_one_line_of_80_columns_and_on_two_of_a_third_of_the_screen() -> None:
    tabs = [Item(group, group, short=SHORT_TITLES.get(group, "")) for group in spec(Kind.QUEUE).groups]
    assert len(arrange(tabs, 0, 0, 55, 2).placed) == 11
    assert len(arrange(tabs, 0, 0, 78, 1).placed) == 11
