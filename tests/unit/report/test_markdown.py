"""Markdown in lines: wrapped, with what is strong or code marked, and nothing that steers a terminal."""

from hypothesis import given, strategies as st
from rich.cells import cell_len

from qmon_tui.report import TextRole, markdown_lines, plain

TEXT = """\
# A heading
All tickets are **0**. You give `jobB4` one
override ticket.

- one, which is longer than a line of thirty cells has room for
- two
1. first

    prior = 0.5

```
code   as it is
```
[the study](http://example.org) ends it"""


def test_paragraphs_lists_and_code() -> None:
    assert [plain(line) for line in markdown_lines(TEXT, 30)] == [
        "A heading",
        "All tickets are 0. You give",
        "jobB4 one override ticket.",
        "",
        "• one, which is longer than a",
        "  line of thirty cells has",
        "  room for",
        "• two",
        "1. first",
        "",
        "  prior = 0.5",
        "",
        "  code   as it is",
        "the study ends it",
    ]


def test_what_is_strong_and_what_is_code() -> None:
    (line,) = markdown_lines("a **b c**d `e`", 40)
    roles = {span.text.strip(): span.role for span in line}
    assert (roles["b"], roles["c"], roles["e"]) == (TextRole.STRONG, TextRole.STRONG, TextRole.ACCENT)
    assert (roles["a"], roles["d"]) == (TextRole.PLAIN, TextRole.PLAIN)
    assert plain(line) == "a b cd e"
    (line,) = markdown_lines("the **`-p 64` of it**", 40)
    assert plain(line) == "the -p 64 of it"


def test_a_table_is_aligned() -> None:
    text = "| a `b` | |\n|---|---|\n| 1 | [x](y) \\| z |\nafter"
    assert [plain(line) for line in markdown_lines(text, 30)] == ["a b", "1    x \\| z", "after"]


@given(st.text(), st.integers(10, 80))
def test_any_text_fits(text: str, cells: int) -> None:
    for line in markdown_lines(text, cells):
        assert cell_len(plain(line)) <= cells + 8
