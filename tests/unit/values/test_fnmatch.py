import pytest
from hypothesis import assume, example, given, strategies as st

from qmon_tui.values.fnmatch import compile_pattern
from tests.examples import examples
from tests.unit.values import libc

PIECES = [*"[]!^-:=.\\ab*?", "[:alpha:]", "[:z:]", "[=a=]", "[.b.]", "[:", "[.", "[=", ":]", "a-c", "[!", "[^a", "é"]
PATTERNS = st.lists(st.sampled_from(PIECES), max_size=7).map("".join)
TEXTS = st.text(alphabet="[]-:=.ab\\!^", max_size=4)


def accepts(pattern: str, text: str) -> bool:
    return compile_pattern(pattern).fullmatch(text) is not None


@pytest.mark.parametrize(
    ("pattern", "text", "expected"),
    [
        ("*", "", True), ("*", ".a/b\nc", True), ("?", "", False), ("a*c", "abbc", True), ("a*c", "abcd", False),
        ("\\*", "*", True), ("\\*", "a", False), ("a\\", "a\\", False), ("\\a", "a", True),
        ("[abc]", "b", True), ("[a-c]", "b", True), ("[!a-c]", "b", False), ("[^a-c]", "d", True),
        ("[]]", "]", True), ("[!]]", "a", True), ("[a-]", "-", True), ("[c-a]", "b", False), ("[\\]]", "]", True),
        ("[[:digit:]]x", "7x", True), ("[[:digit:]]x", "ax", False), ("[![:alpha:]]", "1", True),
        ("[[:nothing:]]", "n", False), ("[[=a=]]", "a", True), ("[[.-.]]", "-", True),
        ("lx2[4", "lx2[4", True), ("lx2[4", "lx24", False), ("6]-x86", "6]-x86", True), ("[", "[", True),
        ("[a*", "[abc", True), ("[!", "[!", True), ("[a\\", "[a\\", False), ("[a-", "[a-", False),
    ],
)  # fmt: skip
def test_patterns_and_what_they_match(pattern: str, text: str, expected: bool) -> None:
    assert accepts(pattern, text) == expected


@libc.needs_glibc
@examples(2000)
@given(PATTERNS, TEXTS)
@example("[a[:]", "a")
@example("[a[=b]", "a")
@example("[[:az]", "z")
def test_patterns_match_what_the_c_library_matches(pattern: str, text: str) -> None:
    # A range that ends in a class is nothing that anybody writes, and the only thing that is not followed.
    assume("-[:" not in pattern and "-[=" not in pattern)
    for candidate in (text, pattern.replace("*", "a")):
        if candidate.isascii():
            assert accepts(pattern, candidate) == libc.fnmatch(pattern, candidate)


@libc.needs_glibc
@examples(500)
@given(st.text(alphabet=st.characters(min_codepoint=32, max_codepoint=126), max_size=12), TEXTS)
def test_any_printable_pattern_matches_what_the_c_library_matches(pattern: str, text: str) -> None:
    assume("-[:" not in pattern and "-[=" not in pattern)
    for candidate in (text, pattern):
        assert accepts(pattern, candidate) == libc.fnmatch(pattern, candidate)


def test_many_stars_take_no_long_search() -> None:
    # A search that tries every split would not end in a lifetime.
    assert not accepts("*a" * 500 + "b", "a" * 1500)


@pytest.mark.parametrize(
    "pattern", ["[" * 2000, "[" * 1900 + "[=", "[" * 1900 + "\\]", "[a" * 900 + "]", "[[=" * 600 + "]", "[\\" * 900]
)
def test_brackets_of_nonsense_end_soon(pattern: str) -> None:
    """Each was a matter of minutes."""
    assert accepts(pattern, "lx-amd64") == libc.fnmatch(pattern, "lx-amd64")
