"""Where lines begin and end in a text."""

from qmon_tui.formats.text_changes import line_end, line_start


def test_lines_begin_and_end_at_line_ends_and_at_those_of_the_text() -> None:
    text = "\nab\ncd"
    assert [line_end(text, position) for position in range(6)] == [1, 4, 4, 4, 6, 6]
    assert [line_start(text, position) for position in range(6)] == [0, 1, 1, 1, 4, 4]
