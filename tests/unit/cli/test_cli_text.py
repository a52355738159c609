import pytest
from hypothesis import given, strategies as st

from qmon_tui.cli import main
from qmon_tui.cli.answer import UNLIMITED, csv_line, paragraph, plain, table
from qmon_tui.report import count

words = st.text("abcdefgh@.,-", min_size=1, max_size=30)


def test_numbers_stand_to_the_right_and_words_to_the_left() -> None:
    assert table(("job", "name"), (("7", "a"), ("12", "long")), UNLIMITED, right=frozenset({"job"})) == [
        "job  name",
        "  7  a",
        " 12  long",
    ]


def test_the_last_column_is_wrapped_below_itself() -> None:
    assert table(("name", "place"), (("a", "all.q@node001, all.q@node002"), ("b", "")), 30) == [
        "name  place",
        "a     all.q@node001,",
        "      all.q@node002",
        "b",
    ]


def test_a_narrow_terminal_loses_columns_and_says_which() -> None:
    headers, rows = ("job", "nurg", "ppri", "place"), (("7", "0.50000", "0", "all.q@sim1"),)
    assert table(headers, rows, 24, droppable=("ppri", "nurg")) == [
        "job nurg    place",
        "7   0.50000 all.q@sim1",
        "(no room for ppri)",
    ]


def test_empty_columns_are_left_out() -> None:
    assert table(("job", "tasks", "place"), (("7", "", "here"),), UNLIMITED) == ["job  place", "7    here"]


@given(st.lists(st.tuples(words, words, words), min_size=1, max_size=5), st.integers(40, 120))
def test_no_line_of_a_table_is_wider_than_the_terminal(rows: list[tuple[str, str, str]], width: int) -> None:
    assert all(len(line) <= width for line in table(("one", "two", "three"), rows, width))


@given(st.lists(words, min_size=1, max_size=20), st.integers(40, 120))
def test_wrapping_loses_no_word_and_keeps_to_the_width(some: list[str], width: int) -> None:
    lines = paragraph(" ".join(some), width, first="  - ", rest="    ")
    assert " ".join(lines).removeprefix("  - ").split() == some
    assert all(len(line) <= width for line in lines)


def test_without_a_width_nothing_is_wrapped() -> None:
    assert paragraph("word " * 100 + "end", UNLIMITED, first="> ") == ["> " + "word " * 100 + "end"]


def test_an_empty_text_is_still_a_line() -> None:
    assert paragraph("", 80, first="  name  ") == ["  name"]


def test_what_a_file_holds_cannot_steer_the_terminal() -> None:
    assert plain("a\x1b[31mb\tc\x07") == "a?[31mb?c?"


def test_counts_have_their_noun() -> None:
    assert (count(1, "error"), count(2, "error"), count(2, "object differs", "objects differ")) == (
        "1 error",
        "2 errors",
        "2 objects differ",
    )


@pytest.mark.parametrize("command", [["check"], ["keys"], []])
def test_what_is_wrong_with_arguments_is_quoted_in_plain_text(
    command: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*command, ".", "b", "--\x1b]52;c;aGVsbG8=\x07\u200b"]) == 2
    said = capsys.readouterr().err
    assert "--?]52;c;aGVsbG8=??" in said
    assert all(line.isprintable() for line in said.split("\n"))


def test_no_cell_of_csv_is_a_formula() -> None:
    cells = ("=1+1", "+A1", "-A1", "@SUM(A1)", "\tx", "\rx", "-5", "+1e3", "a=1", -5, 0.5, "")
    assert csv_line(cells) == "'=1+1,'+A1,'-A1,'@SUM(A1),'\tx,\"'\rx\",-5,+1e3,a=1,-5,0.5,"
