"""The options of qsub (qsub(1)) and what they mean for a job."""

import re

import pytest

from qmon_tui.formats.qsub import NO_COMMAND, parse_qsub, simulated_runtime
from qmon_tui.formats.qsub_options import c_integer
from qmon_tui.model.jobs import PeRequest, TaskRange


def request(text: str):  # type: ignore[no-untyped-def]
    parsed = parse_qsub(text)
    assert parsed.problems == (), text
    return parsed.request


def test_the_example_of_the_design() -> None:
    parsed = parse_qsub("-N blast -l h_vmem=2G,gpu=1 -pe mpi 4-8 -p -10 -hold_jid 12 sleep 600")
    assert parsed.problems == ()
    assert (parsed.name, parsed.runtime) == ("blast", 600)
    asked = parsed.request
    assert asked.hard == (("h_vmem", "2G"), ("gpu", "1"))
    assert asked.pe == PeRequest("mpi", ((4, 8, 1),))
    assert asked.priority == -10
    assert asked.hold_jid == ("12",)
    assert asked.command == ("sleep", "600")


def test_hard_and_soft_hold_for_what_follows() -> None:
    asked = request("-l a=1 -soft -l b,c=x -q s.q -hard -l d=4 -q h.q,@x -q z.q -masterq m.q run")
    assert asked.hard == (("a", "1"), ("d", "4"))
    assert asked.soft == (("b", None), ("c", "x"))
    assert (asked.hard_queues, asked.soft_queues) == (("h.q", "@x", "z.q"), ("s.q",))
    assert asked.master_queues == ("m.q",)


def test_a_later_request_of_one_name_wins() -> None:
    """And comes where it was asked for last, as qstat -j shows it; within one -l it keeps its place."""
    assert request("-l a=1,b=2 -l a=3 x").hard == (("b", "2"), ("a", "3"))
    assert request("-l a=1,b=2,a=3 x").hard == (("a", "3"), ("b", "2"))
    assert request("-soft -l a=1,b=2 -hard -l b=5 -soft -l a=3 x").soft == (("b", "2"), ("a", "3"))


def test_predecessors_of_several_options_add_up() -> None:
    assert request("-hold_jid x,y -hold_jid y,z z").hold_jid == ("x", "y", "y", "z")


def test_clear_forgets_what_came_before() -> None:
    assert request("-N a -p -5 -soft -l a=1 -q b -clear -l b=2 z") == request("-l b=2 z")


@pytest.mark.parametrize(
    ("text", "field", "value"),
    [
        ("-P proj x", "project", "proj"),
        ("-A acct x", "account", "acct"),
        ("-t 2-10:4 x", "array", TaskRange(2, 10, 4)),
        ("-t 5 x", "array", TaskRange(5, 5, 1)),
        ("-t 1-9999999 x", "array", TaskRange(1, 9_999_999, 1)),
        ("-t 4294967294 x", "array", TaskRange(2**32 - 2, 2**32 - 2, 1)),
        ("-t 1-4294967294:430 x", "array", TaskRange(1, 2**32 - 2, 430)),
        ("-tc 3 x", "max_running_tasks", 3),
        ("-h x", "hold", "u"),
        ("-h os x", "hold", "os"),
        ("-h n x", "hold", ""),
        ("-h -h x", "hold", ""),
        ("-h -l h_rt=60 -h -h x", "hold", ""),
        ("-h -clear -h x", "hold", "u"),
        ("-hold_jid 3,lab* x", "hold_jid", ("3", "lab*")),
        ("-hold_jid_ad 4 x", "hold_jid_ad", ("4",)),
        ("-js 7 x", "job_share", 7),
        ("-ot 100 x", "override_tickets", 100),
        ("-R y x", "reserve", True),
        ("-R no x", "reserve", False),
        ("-r n x", "rerun", "n"),
        ("-now y x", "immediate", True),
        ("-ckpt k x", "checkpoint", "k"),
        ("-ar 5 x", "advance_reservation", "5"),
        ("-w e x", "verify", "e"),
        ("-pe 'mpi*' 4,8-16,20- x", "pe", PeRequest("mpi*", ((4, 4, 1), (8, 16, 1), (20, 9999999, 1)))),
        ("-cwd -V -notify -o 'a b' -e /e -j y -b y -S /bin/sh -v A=1 -m be -M me -i /dev/null x", "command", ("x",)),
        ("-binding linear:2 x", "command", ("x",)),
        ("-binding env linear:2 x", "command", ("x",)),
        ("x -l not=mine", "command", ("x", "-l", "not=mine")),
    ],
)
def test_options(text: str, field: str, value: object) -> None:
    assert getattr(request(text), field) == value


def test_options_without_a_meaning_for_scheduling_are_kept() -> None:
    asked = request("-o 'a b' -cwd -binding set linear:2 -j y x")
    assert asked.kept == (("-o", "a b"), ("-cwd", ""), ("-binding", "set linear:2"), ("-j", "y"))


@pytest.mark.parametrize(
    ("text", "name", "runtime"),
    [
        ("sleep 600", "sleep", 600),
        ("/opt/bin/run.sh 30 x", "run.sh", 30),
        ("run.sh", "run.sh", 3),
        ("run.sh 10m", "run.sh", 10),
        ("run.sh fast", "run.sh", 0),
        ("run.sh -5", "run.sh", 0),
        ("", NO_COMMAND, 3),
        ("-", NO_COMMAND, 3),
        ("-l a=1", NO_COMMAND, 3),
        ("qsub -N x sleep 9", "x", 9),
    ],
)
def test_name_and_run_time(text: str, name: str, runtime: int) -> None:
    """The rules of SIMULATE_EXECDS: lifecycle.md#run-time-of-a-simulated-job. Of other hosts only `sleep` tells it."""
    parsed = parse_qsub(text)
    assert (parsed.name, parsed.problems) == (name, ())
    assert simulated_runtime(parsed.request.command) == runtime
    assert parsed.runtime == (runtime if "sleep" in text else None)


def test_dates_without_a_year_are_in_the_year_of_submission() -> None:
    now = 1_772_000_000  # 2026-02-25
    dated = parse_qsub("-a 12241800 -dl 202701010000.30 x", now=now).request
    assert dated.start_time is not None
    assert dated.deadline is not None
    assert 0 < dated.start_time - now < 310 * 86400
    assert dated.deadline - dated.start_time == 7 * 86400 + 6 * 3600 + 30


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("-hold-jid 3 x", "no option -hold-jid, did you mean -hold_jid?"),
        ("-zzzzzz x", "no option -zzzzzz"),
        ("-pe mpi", "-pe needs a parallel environment and its slots"),
        ("-l", "-l needs name=value"),
        ("-p 2000 x", "between -1023 and 1024"),
        ("-p high x", "between -1023 and 1024"),
        ("-pe mpi UNDEFINED x", "4-8"),
        ("-pe mpi x y", "no decimal number"),
        ("-t 1-5,9 x", "first-last:step"),
        ("-t 0-5,9 x", "first-last:step"),
        ("-t 0-5 x", "first-last:step"),
        ("-t 1-10000000 x", "first-last:step"),
        ("-t 1-4294967294:429 x", "first-last:step"),
        ("-t 4294967295 x", "first-last:step"),
        ("-display :0 x", "no option -display"),
        ("-c z x", "write some of n, s, m, x and r, or a time"),
        ("-binding linear:a x", "write linear:AMOUNT"),
        ("-binding explicit:0,0:0,0 x", "twice"),
        ("-o sim1: x", "paths may not be empty"),
        ("/a/ x", "gives the job no name"),
        ("-t UNDEFINED x", "4-8"),
        ("-R maybe x", "write y or n"),
        ("-a 99 x", "Invalid format"),
        ("-l =3 x", "no name"),
        ("-q , x", "empty"),
        ("-N 'a x", "No closing quotation"),
    ],
)
def test_what_is_wrong_is_said(text: str, words: str) -> None:
    (problem,) = parse_qsub(text).problems
    assert words in problem


_REFUSED = """-b maybe|-j 1|-j ''|-shell maybe|-sync maybe|-w x|-w E|-w ''|-m b,e|-m BE|-m ''|-e ''|-i ''|-S ''|-o ,
-M ,|-v =1|-v ''|-v ,|-ac =1|-ac x,=1|-dc ''|-sc ''"""
_TAKEN = """-b Y|-j no|-j YES|-shell n|-sync y|-w e|-m beas|-m n|-S /bin/sh,|-M a@b@c|-M a,b|-v A=1,B|-v 1A=2|-v A=
-v A=1,,B=2|-ac x|-ac x=1,y|-dc x|-wd ''|-C ''"""


@pytest.mark.parametrize(
    ("line", "taken"),
    [(line, taken) for lines, taken in ((_REFUSED, False), (_TAKEN, True)) for line in re.split(r"[|\n]", lines)],
)
def test_what_real_qsub_took_of_options_without_a_meaning_for_the_scheduler(line: str, taken: bool) -> None:
    parsed = parse_qsub(f"{line} sleep 60")
    assert (not parsed.problems) is taken
    assert parsed.request.command == ("sleep", "60"), "what is wrong with one option does not hide the others"


@pytest.mark.parametrize(("name", "said"), [("''", "the name is empty"), ("a/b", "the name must not contain /")])
def test_what_is_wrong_with_a_name_is_told(name: str, said: str) -> None:
    problems = parse_qsub(f"-N {name} sleep 5").problems
    assert len(problems) == 1
    assert said in problems[0]


@pytest.mark.parametrize("line", ["-zz -p 3 x", "-hold-jid 3 -p 3 x"])
def test_what_comes_behind_an_unknown_option_is_read(line: str) -> None:
    parsed = parse_qsub(line)
    assert (parsed.request.priority, parsed.request.command, len(parsed.problems)) == (3, ("x",), 1)


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("0", 0),
        (" +5", 5),
        ("\t-5", -5),
        ("2147483647", 2**31 - 1),
        ("2147483648", -(2**31)),
        ("-2147483648", -(2**31)),
        ("-2147483649", 2**31 - 1),
        ("4294967295", -1),
        ("4294967297", 1),
        ("", None),
        ("5 ", None),
        ("1.5", None),
        ("0x1", None),
    ],
)
def test_whole_numbers_are_cut_to_32_bits(text: str, number: int | None) -> None:
    if number is None:
        with pytest.raises(ValueError, match="not a whole number"):
            c_integer(text)
    else:
        assert c_integer(text) == number


@pytest.mark.parametrize(
    ("option", "attribute", "taken", "refused"),
    [
        ("-p", "priority", {"-1023": -1023, "1024": 1024, "4294967296": 0}, ("-1024", "1025")),
        ("-tc", "max_running_tasks", {"0": 0, "2147483647": 2**31 - 1}, ("-1", "2147483648")),
        (
            "-js",
            "job_share",
            {
                "0": 0,
                "1.5": 1,
                "1k": 1000,
                "010": 8,
                "4294967296": 0,
                "1e10": 1410065408,
                "1e400": 0,
                "nan": 0,
                "1e19": 0,
                "INFINITY": 0,
            },
            ("-1", "x"),
        ),
        ("-ot", "override_tickets", {"0": 0, "4294967295": 2**32 - 1}, ("-1", "x")),
        ("-ar", "advance_reservation", {"0": None, "5": "5", "010": "8"}, ("-1", "x")),
        ("-c", "checkpoint_when", {"n": "n", "xrms": "xrms", "1": "1", "0:0:1": "0:0:1"}, ("y", "''", "0", "0:0:0")),
    ],
)
def test_numbers_have_their_bounds(
    option: str, attribute: str, taken: dict[str, object], refused: tuple[str, ...]
) -> None:
    assert {text: getattr(request(f"{option} {text} x"), attribute) for text in taken} == taken
    assert [len(parse_qsub(f"{option} {text} x").problems) for text in refused] == [1] * len(refused)


@pytest.mark.parametrize(
    ("binding", "said"),
    [
        ("linear", ""),
        ("linear:slots", ""),
        ("linear:2:0,1", ""),
        ("linear:2:0", "write linear"),
        ("striding:2:1", ""),
        ("striding:2", "write linear"),
        ("striding:2:1:0,0", ""),
        ("explicit:0,0", ""),
        ("explicit:0,0:0,1", ""),
        ("explicit:0,0:0,1:0,0", "twice"),
        ("explicit:0", "write linear"),
        ("pe linear:1", ""),
        ("core linear:1", None),
    ],
)
def test_bindings(binding: str, said: str | None) -> None:
    problems = parse_qsub(f"-binding {binding} x").problems
    if said:
        assert len(problems) == 1
        assert said in problems[0]
    else:
        assert bool(problems) is (said is None)
