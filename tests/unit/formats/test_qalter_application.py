"""Options changed as qalter changes them: what is given replaces what was there, the rest stays as it was typed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qmon_tui.formats.qalter_application import altered, options_given, with_command, without
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
    ],
)
def test_examples(line: str, options: str, after: str) -> None:
    assert altered(line, options) == after


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
