"""Options changed as qalter changes them: what is given replaces what was there, the rest stays as it was typed."""

import pytest
from hypothesis import given, strategies as st

from qmon_tui.formats.qalter_application import (
    altered,
    only,
    options_given,
    overridden,
    with_command,
    with_years,
    without,
)
from qmon_tui.formats.qsub import parse_qsub

OPTIONS = (
    "-l a=1",
    "-l b",
    "-l 'c=x y'",
    "-soft -l a=2",
    "-q all.q",
    "-soft -q s.q -hard",
    "-pe mpi 4-8",
    "-p -5",
    "-N 'a b'",
    "-h",
    "-h o",
    "-hold_jid 1,2",
    "-t 1-9:2",
    "-R y",
    "-A acct",
    "-j y",
)
lines = st.lists(st.sampled_from(OPTIONS), max_size=6).map(lambda parts: " ".join([*parts, "-hard", "run.sh 60"]))
changes = st.lists(st.sampled_from(OPTIONS[:13]), min_size=1, max_size=3).map(" ".join)

_PLACES = {
    "-l": "hard", "-soft -l": "soft", "-q": "hard_queues", "-soft -q": "soft_queues", "-pe": "pe", "-p": "priority",
    "-h": "hold", "-hold_jid": "hold_jid", "-t": "array",
}  # fmt: skip


@pytest.mark.parametrize(
    ("line", "options", "after"),
    [
        ("-l a=1 -N x sleep 5", "-l b=2", "-N x -l b=2 sleep 5"),
        ("-l a=1 -soft -l c -hard -q q sleep 5", "-soft -l d", "-l a=1 -q q -soft -l d sleep 5"),
        ("-l a=1 sleep 5", "-l ''", "-l '' sleep 5"),
        ("sleep 5", "-l '' -p 1 -l ''", "-l '' -p 1 sleep 5"),
        ("-l '' sleep 5", "-l '' -l a=1", "-l a=1 sleep 5"),
        ("-soft -l a=1 -hard -l '' sleep 5", "-soft -l ''", "-l '' sleep 5"),
        ("-h u -p 3 sleep 5", "-h n", "-p 3 sleep 5"),
        ("-N 'a b'  -p   3 sleep  5", "-p 4", "-N 'a b' -p 4 sleep 5"),
        ("sleep 5", "-pe mpi 4", "-pe mpi 4 sleep 5"),
        ("-ac a=1 x", "-ac b=2", "-ac a=1,b=2 x"),
        ("-ac a=1 x", "-ac a=2", "-ac a=2 x"),
        ("-ac a=1,b=2 x", "-p 1 -dc a", "-p 1 -ac b=2 x"),
        ("-ac a=1 x", "-sc c=3", "-ac c=3 x"),
        ("-ac a=1 x", "-dc a", "x"),
        ("x", "-ac a=1,b=2 -dc b", "-ac a=1 x"),
        ("-ac a=1 -dc a -ac c=4 x", "-p 1", "-ac a=1 -dc a -ac c=4 -p 1 x"),
        ("x y", "-p 1 z", "-p 1 z"),
        ("-wd /a x", "-cwd", "-cwd x"),
        ("-V x", "-v A", "-v A x"),
        ("-hard -l a x", "-soft -l b", "-l a -soft -l b x"),
        ("-hold_jid 1 x", "-hold_jid 2 -hold_jid 0", "-hold_jid 2 x"),
        ("-p 1 x", "-p 2 -p 0", "x"),
        ("-P a x", "-P ''", "x"),
        ("/bin/qsub -N a -p 1 x", "-p 2", "-N a -p 2 x"),
        ("- -p 1", "-p 2", "-p 2 - -p 1"),
    ],
)
def test_examples(line: str, options: str, after: str) -> None:
    assert altered(line, options) == after


@pytest.mark.parametrize(
    ("option", "soft", "rest"),
    [
        ("-l", True, "-l a -p 1 -soft -q c -p 2 x"),
        ("-l", False, "-p 1 -soft -l b -q c -p 2 x"),
        ("-q", False, "-l a -p 1 -soft -l b -q c -p 2 x"),
        ("-p", False, "-l a -soft -l b -q c x"),
        ("-p", True, "-l a -soft -l b -q c x"),
    ],
)
def test_of_requests_and_queues_only_the_hard_or_the_soft_ones_are_taken_out(
    option: str, soft: bool, rest: str
) -> None:
    assert without("-l a -p 1 -soft -l b -q c -p 2 x", option, soft=soft) == rest


def test_options_are_called_by_their_hardness_and_told_where_they_replace_each_other() -> None:
    line = "-hard -l a -p 1 -soft -l b -l c -p 2 x"
    assert options_given(line) == ("-l", "-p", "-soft -l")
    assert only(line, {"-soft -l", "-p"}) == "-p 1 -soft -l b -l c -p 2"
    assert only(line, {"-l"}) == "-l a"
    assert overridden("-p 1 -p 2 -N a -N b -h -l a -l b -N c x") == ("-N", "-N")


@pytest.mark.parametrize(
    ("line", "after"),
    [
        ("-a 01021200 -p 1 x", "-a 202301021200.00 -p 1 x"),
        ("-p 1 -a 01021200.30 x", "-p 1 -a 202301021200.30 x"),
        ("-a .01021200 x", "-a 202301021200.00 x"),
        ("-dl 01021200 x", "-dl 202301021200.00 x"),
        ("-a 202401021200  x", "-a 202401021200  x"),
        ("-a 99999999  x", "-a 99999999  x"),
        ("-a 0102120  x", "-a 0102120  x"),
        ("-N 01021200  x", "-N 01021200  x"),
    ],
)
def test_dates_without_a_year_get_that_of_now(line: str, after: str) -> None:
    assert with_years(line, 1700000000) == after


@given(lines, changes)
def test_what_is_given_holds_and_everything_else_is_as_before(line: str, options: str) -> None:
    before, new, after = (parse_qsub(text) for text in (line, options, altered(line, options)))
    assert not after.problems
    given_here = {_PLACES.get(option, option) for option in options_given(options)}
    for field in (
        "hard",
        "soft",
        "hard_queues",
        "soft_queues",
        "pe",
        "priority",
        "hold",
        "hold_jid",
        "array",
        "reserve",
    ):
        source = new if field in given_here else before
        assert getattr(after.request, field) == getattr(source.request, field), field
    assert after.request.command == before.request.command
    assert after.name == (new if "-N" in given_here else before).name


@given(lines)
def test_taking_out_and_another_command(line: str) -> None:
    assert parse_qsub(without(line, "-l")).request.hard == ()
    assert parse_qsub(without(line, "-l")).request.soft == parse_qsub(line).request.soft
    assert parse_qsub(with_command(line, "other 7")).request.command == ("other", "7")
    assert parse_qsub(with_command(line, "other 7")).request.hard == parse_qsub(line).request.hard
