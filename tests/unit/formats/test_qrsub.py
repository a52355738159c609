"""The options of qrsub: when a reservation is to be, and what is said of a line that is wrong."""

import pytest

from qmon_tui.formats.qrsub import parse_qrsub
from qmon_tui.values import parse_time

NOW = parse_time("2025-11-24T16:00:00")
DECEMBER = parse_time("2025-12-01T00:00:00") - NOW
MISSING = 'missing value for "end time or duration" in advance reservation request'


@pytest.mark.parametrize(
    ("line", "start", "duration", "problems"),
    [
        ("-d 3600", 0, 3600, ()),
        ("-d 1:00:00", 0, 3600, ()),
        ("-d 1.9", 0, 1, ()),
        ("-a 202512010000 -d 3600", DECEMBER, 3600, ()),
        ("-e 202512010000", 0, DECEMBER, ()),
        ("-e 202512010000 -d 60", DECEMBER - 60, 60, ()),
        ("-a 202512010000 -e 202512010001", DECEMBER, 60, ()),
        ("-a 202512010000 -e 202512010001 -d 60", DECEMBER, 60, ()),
        (
            "-a 202512010000 -e 202512010001 -d 61",
            DECEMBER,
            60,
            ("difference between end and start time does not correspond to duration",),
        ),
        ("-a 202512010000 -e 202512010000", DECEMBER, 0, ("start time is later than end time",)),
        ("-a 202512010000 -e 202511300000", DECEMBER, -86400, ("start time is later than end time",)),
        ("-a 202511241600 -d 60", 0, 60, ()),
        ("-a 202511241559.59 -d 60", -1, 60, ("start time is in the past",)),
        ("-e 202511241601 -d 61", -1, 61, ("start time is in the past",)),
        ("-e 99 -d 60", 0, 60, ("-e 99: Invalid format of date/hour-minute field.",)),
        ("", 0, 0, (MISSING,)),
        ("-d 0", 0, 0, (MISSING,)),
        ("-d -5", 0, 2**32 - 1 - NOW, ()),
        ("-d 4294967396", 0, 100, ()),
        *((f"-d {text}", 0, 0, (MISSING,)) for text in ("inf", "nan", "1e400", "1e19", "4294967296")),
        ("-d x", 0, 0, ("-d x: write seconds, or hours:minutes:seconds", MISSING)),
        ("-d infinity", 0, 0, ("-d infinity: write seconds, or hours:minutes:seconds", MISSING)),
    ],
)
def test_when_it_is_to_be(line: str, start: int, duration: int, problems: tuple[str, ...]) -> None:
    parsed = parse_qrsub(line, now=NOW)
    assert (parsed.start - NOW, parsed.duration, parsed.problems) == (start, duration, problems)


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ("-w e", ""),
        ("-w v", ""),
        ("x", ""),
        ("x y", "error: invalid option argument"),
        ("-w x", 'qrsub: invalid option argument "-w x"'),
        ("-w", "qrsub: -w option must have argument"),
        ("-he", "qrsub: -he option must have argument"),
        ("-now maybe", 'qrsub: invalid option argument "-now maybe"'),
        ("-N a/b", "qrsub: argument to -N option must not contain /"),
        ("-zz", 'qrsub: invalid option argument "-zz"'),
        ("-p 3", 'error: invalid option argument "-p"'),
        ("-p 3 -t 1-2", 'error: invalid option argument "-p"'),
        ("-p 3 -zz", 'qrsub: invalid option argument "-zz"'),
        ("-l", "-l needs name=value"),
    ],
)
def test_what_is_said_of_a_wrong_option(options: str, problem: str) -> None:
    parsed = parse_qrsub(f"-d 60 {options}", now=NOW)
    assert parsed.problems == ((problem,) if problem else ())
    assert parsed.only_verifies is (options == "-w v")


def test_who_may_use_it_and_what_it_asks_for() -> None:
    parsed = parse_qrsub("-d 60 -u a,,@b -he y -N n -l a=1 -pe mpi 2", now=NOW)
    assert (parsed.users, parsed.strict, parsed.name) == (("a", "@b"), True, "n")
    assert (parsed.request.hard, parsed.request.pe is not None) == ((("a", "1"),), True)
    plain = parse_qrsub("-d 60 -he no", now=NOW)
    assert (plain.users, plain.strict, plain.name) == ((), False, "")
