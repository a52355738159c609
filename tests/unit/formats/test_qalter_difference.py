"""The options of qalter that lead from one line to another, and lines merged option by option."""

import pytest

from qmon_tui.formats.qalter_difference import holds_after, merged_lines, qalter_options


@pytest.mark.parametrize(
    ("before", "after", "options", "lasting"),
    [
        ("-l a=1 -p 3 x", "-l a=1 -p 3 x", "", ()),
        ("-l a=1 -p 3 x", "-l a=2 -p 3 x", "-l a=2", ()),
        ("-l a=1 -N j -p 3 x", "-l a=1 -p 4 -N j x", "-p 4", ()),
        ("-l a=1 x", "x", "-l ''", ()),
        ("-soft -l a=1 x", "x", "-soft -l ''", ()),
        ("-soft -l a=1 -hard -p 1 x", "x", "-soft -l '' -hard -p 0", ()),
        ("-soft -q c -hard -p 1 x", "-soft -q d -hard -p 2 x", "-soft -q d -hard -p 2", ()),
        ("-q a x", "-q b -soft -q c x", "-q b -soft -q c", ()),
        ("-soft -p 1 x", "-p 1 x", "", ()),
        ("-hold_jid 1 x", "x", "-hold_jid 0", ()),
        ("-h n -R n x", "x", "", ()),
        ("x", "-h x", "-h u", ()),
        ("-h u x", "-h os x", "-h os", ()),
        ("-h us x", "-h s x", "-h U", ()),
        ("-h uo x", "x", "-h UO", ()),
        ("-h u -p 1 x", "-h uu -p 1 x", "-h n", ()),
        ("-ac a=1,b=2 x", "x", "-dc a,b", ()),
        ("-ac a=1 x", "-ac 'b=2 3' x", "-sc 'b=2 3'", ()),
        ("-ac a=1 x", "-ac a=1 -ac b=2 x", "-sc a=1,b=2", ()),
        ("-cwd x", "-wd /a x", "-wd /a", ()),
        ("-wd /a x", "-cwd x", "-cwd", ()),
        ("-v A x", "-V x", "-V", ()),
        ("-cwd x", "x", "", ("-cwd",)),
        ("-v A -M me -p 1 x", "x", "-p 0", ("-v", "-M")),
        ("-t 1-3 -p 1 x", "-t 1-4 -p 2 x", "-p 2", ("-t",)),
        ("-p 1 x", "-p 2 y", "-p 2", ("command",)),
    ],
)
def test_what_qalter_is_given(before: str, after: str, options: str, lasting: tuple[str, ...]) -> None:
    difference = qalter_options(before, after)
    assert (difference.options, difference.lasting) == (options, lasting)


@pytest.mark.parametrize(
    ("base", "mine", "theirs", "merged"),
    [
        ("-p 1 x", "-p 2 x", "-p 1 x", "-p 2 x"),
        ("-p 1 x", "-p 1 x", "-p 2 x", "-p 2 x"),
        ("-p 1 x", "-p 2 x", "-p 2 x", "-p 2 x"),
        ("-p 1 x", "-p 2 x", "-p 3 x", None),
        ("-p 1 x", "x", "-p 3 x", None),
        ("-p 1 x", "x", "-p 1 y", "y"),
        ("x", "y", "z", None),
        ("-p 1 -N a x", "-N a -p 1 y", "-p 1 -N b x", "-p 1 -N b y"),
        ("x", "-R y x", "-p 1 x", "-p 1 -R y x"),
        ("x", "-h n x", "x", "-h n x"),
        ("x", "-ac a=1 x", "-dc b x", None),
        ("-soft -l a x", "-soft -l b -hard -l c x", "-soft -l a x", "-soft -l b -hard -l c x"),
        ("-soft -q a -hard x", "-q b x", "-soft -q a x", "-q b x"),
    ],
)
def test_lines_are_merged_option_by_option(base: str, mine: str, theirs: str, merged: str | None) -> None:
    assert merged_lines(base, mine, theirs) == merged


@pytest.mark.parametrize(
    ("holds", "letters", "after"),
    [("us", "n", ""), ("uo", "U", "o"), ("", "su", "us"), ("s", "OS", ""), ("so", "u", "uos"), ("u", "", "u")],
)
def test_small_letters_set_holds_and_capitals_take_them_away(holds: str, letters: str, after: str) -> None:
    assert holds_after(holds, letters) == after
