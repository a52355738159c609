"""Tables give way when they are narrow: gaps first, then long texts, then columns of high rank."""

from hypothesis import given, strategies as st

from qmon_tui.report.grid_rows import BLANK, Cell, Column, GridRow, GridRows, fit_columns
from qmon_tui.report.spans import plain, width

NAME = Column("name", "Name", minimum=4)
TYPE = Column("type", "Type", rank=1)
URG = Column("urg", "Urg", "right", rank=2)


def test_all_columns_and_wide_gaps_where_there_is_room() -> None:
    fit = fit_columns((NAME, TYPE, URG), (10, 6, 4), 40)
    assert (fit.widths, fit.gap) == ((10, 6, 4), 2)


def test_gaps_are_halved_before_anything_is_lost() -> None:
    fit = fit_columns((NAME, TYPE, URG), (10, 6, 4), 22)
    assert (fit.widths, fit.gap) == ((10, 6, 4), 1)


def test_a_column_that_may_be_shortened_is_before_one_is_hidden() -> None:
    assert fit_columns((NAME, TYPE, URG), (10, 6, 4), 18).widths == (6, 6, 4)


def test_the_highest_rank_is_hidden_first_and_rank_0_never() -> None:
    assert fit_columns((NAME, TYPE, URG), (10, 6, 4), 13).widths == (6, 6, 0)
    assert fit_columns((NAME, TYPE, URG), (10, 6, 4), 5).widths == (5, 0, 0)
    assert fit_columns((Column("a", "A"),), (10,), 5).widths == (10,)


@given(st.lists(st.tuples(st.integers(1, 30), st.integers(0, 3), st.integers(0, 8)), max_size=6), st.integers(1, 90))
def test_what_is_shown_fits_unless_only_rank_0_is_left(shapes: list[tuple[int, int, int]], cells: int) -> None:
    columns = [Column(str(i), "", rank=rank, minimum=least) for i, (_, rank, least) in enumerate(shapes)]
    fit = fit_columns(columns, [wide for wide, _, _ in shapes], cells)
    shown = [i for i, wide in enumerate(fit.widths) if wide]
    total = sum(fit.widths) + fit.gap * max(len(shown) - 1, 0)
    assert total <= cells or all(columns[i].rank == 0 for i in shown)
    assert all(fit.widths[i] >= min(shapes[i][0], columns[i].minimum) for i in shown)
    assert {i for i, column in enumerate(columns) if column.rank == 0} <= set(shown)


def rows() -> GridRows:
    return GridRows(
        (NAME, URG),
        [
            GridRow("gpu", (Cell("gpu"), Cell("100")), (Cell("●"),)),
            GridRow("1,[a=4]", (Cell("1,[a=4]"), Cell("0")), (Cell(" "),)),
        ],
        sort=("urg", True),
    )


def test_a_row_is_found_by_its_key() -> None:
    assert rows().find("1,[a=4]") == 1
    assert rows().find("nothing") is None


def test_rows_are_drawn_literally_with_signs_before_and_numbers_to_the_right() -> None:
    assert plain(rows().line(0, 40)).rstrip() == "● gpu       100"
    assert plain(rows().line(1, 40)).rstrip() == "  1,[a=4]     0"


def test_the_sorted_column_is_marked_in_the_heading() -> None:
    head = rows().head(40)
    assert head is not None
    assert plain(head).split() == ["Name", "Urg▼"]


def test_a_click_on_a_heading_finds_its_column() -> None:
    table = rows()
    assert table.column_at(3, 40) == NAME
    assert table.column_at(13, 40) == URG
    assert table.column_at(39, 40) is None


@given(st.integers(5, 60))
def test_lines_are_never_wider_than_the_table(cells: int) -> None:
    table = GridRows((Column("a", "A", minimum=2), TYPE), [GridRow("k", (Cell("x" * 50), Cell("INT")))])
    assert width(table.line(0, cells)[:1]) <= cells


def test_what_is_cut_or_hidden_can_be_said_with_its_heading() -> None:
    columns = (Column("name", "name", minimum=6), Column("type", "type", rank=1), Column("bar", "", rank=2))
    rows = GridRows(columns, [GridRow("a", (Cell("a long name"), Cell("MEMORY"), Cell("━━━━")))])
    assert rows.unseen(0, 40) == ()
    assert rows.unseen(0, 14) == ("name a long name",), "a bar says nothing in words"
    assert rows.unseen(0, 9) == ("name a long name", "type MEMORY")


def test_what_the_table_itself_cuts_is_marked_and_can_be_said() -> None:
    columns = (Column("a", "first"), Column("b", "second"))
    rows = GridRows(columns, [GridRow("k", (Cell("wide text"), Cell("slots 1000"))), GridRow("l", (Cell("a"), BLANK))])
    assert plain(rows.line(0, 30)).rstrip() == " wide text  slots 1000"
    assert plain(rows.line(0, 21)).rstrip() == " wide text slots 1000"
    for cells in range(6, 21):
        assert plain(rows.line(0, cells)) == " wide text slots 1000"[: cells - 1] + "…"
        assert rows.unseen(0, cells)[-1] == "second slots 1000"
    assert plain(rows.line(1, 15)).rstrip() == " a", "blanks that are cut are nothing"
    assert rows.unseen(1, 15) == ()
    head = rows.head(15)
    assert head is not None
    assert plain(head) == " first     sec…"


def test_a_heading_is_never_cut_and_stands_over_rows_only() -> None:
    columns = (Column("name", "complex_values", minimum=3), Column("type", "type", rank=1))
    assert fit_columns(columns, (30, 6), 18).widths == (18, 0)
    assert GridRows(columns, ()).head(40) is None
