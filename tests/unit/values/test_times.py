import re
import time
from collections.abc import Iterator

import pytest
from hypothesis import given, strategies as st

from qmon_tui.values.times import (
    format_time,
    is_offset,
    parse_moment,
    parse_offset,
    parse_qsub_date,
    parse_time,
)
from tests.unit.values.recorded import refusal

NOON = 1795251600  # 2026-11-21T09:00:00Z
CLOCK_SET_BACK = 1792890000  # 2026-10-25T01:00:00Z, when 02:00 comes for the second time in central Europe


@pytest.fixture(autouse=True, scope="module")
def central_europe() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3")
        time.tzset()
        yield
    time.tzset()


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("2026-11-21T09:00:00Z", NOON), ("2026-11-21T10:00:00", NOON), ("2026-11-21 10:00", NOON),
        ("2026-11-21T04:00:00-05:00", NOON), ("2026-11-21T10:00:00.9", NOON), ("2026-11-21", NOON - 36000),
        ("2026-07-01T12:00:00", 1782900000),
    ],
)  # fmt: skip
def test_times_are_local_unless_they_say_otherwise(text: str, seconds: int) -> None:
    assert parse_time(text) == seconds


@pytest.mark.parametrize("text", ["", "now", "2026-13-01", "10:00", "+5m", "2026-11-21T25:00:00"])
def test_what_is_no_time_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(ValueError, match="2026-11-21T09:00:00"):
        parse_time(text)


def test_times_are_printed_in_local_time() -> None:
    assert format_time(NOON) == "2026-11-21T10:00:00"
    assert format_time(CLOCK_SET_BACK - 1800) == "2026-10-25T02:30:00"
    assert format_time(CLOCK_SET_BACK + 1800) == "2026-10-25T02:30:00+01:00"


@given(st.integers(min_value=0, max_value=2**31) | st.integers(CLOCK_SET_BACK - 9000, CLOCK_SET_BACK + 9000))
def test_a_time_is_read_back_as_it_was_printed(seconds: int) -> None:
    assert parse_time(format_time(seconds)) == seconds


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("+90s", 90), ("+90", 90), ("+5m", 300), ("+1h", 3600), ("+2d", 172800), ("+1:00:00", 3600), ("+1.5h", 5400)],
)
def test_offsets(text: str, seconds: int) -> None:
    assert is_offset(text)
    assert parse_offset(text) == seconds
    assert parse_moment(text, NOON) == NOON + seconds


def test_a_moment_may_be_a_time() -> None:
    assert parse_moment("2026-11-21T09:00:00Z", 5) == NOON


@pytest.mark.parametrize("text", ["", "5m", "+", "+5x", "+1:00", "+-1:0:0", "+inf:0:0", "+0:0:inf", "+0:0:nan", "+5 m"])
def test_what_is_no_offset_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(ValueError, match=r"\+90s"):
        parse_offset(text)


@pytest.mark.parametrize(
    "text",
    [
        "1899-12-30",
        "9999-12-01",
        "9000-01-02",
        "+999999999999999999999h",
        "+" + "9" * 400,
        "+400000d",
        "+99999999:00:00",
    ],
)
def test_what_could_not_be_printed_as_a_date_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"too (far|long)"):
        parse_moment(text, NOON)


@given(st.integers(0, 11_000), st.integers(0, 10**12), st.sampled_from("smhd"))
def test_a_moment_that_is_read_can_be_printed_also_less_an_offset(year: int, amount: int, unit: str) -> None:
    try:
        base, offset = parse_time(f"{year:04}-06-01"), parse_offset(f"+{amount}{unit}")
        moments = [base, base - offset, parse_moment(f"+{amount}{unit}", base)]
    except ValueError:
        return
    assert all(format_time(moment)[4] == "-" for moment in moments)


@pytest.mark.parametrize(
    ("text", "iso"),
    [
        # -a of the real qsub
        ("11211030", "2026-11-21T10:30:00"), ("202611211030", "2026-11-21T10:30:00"),
        ("2611211030", "2026-11-21T10:30:00"), ("11211030.15", "2026-11-21T10:30:15"),
        ("02301030", "2026-03-02T10:30:00"), ("6911211030", "2069-11-21T10:30:00"),
        ("7011211030", "1970-11-21T10:30:00"), ("1121xx30", "2026-11-21T00:30:00"),
    ],
)  # fmt: skip
def test_dates_as_the_real_qsub_reads_them(text: str, iso: str) -> None:
    assert parse_qsub_date(text, NOON) == parse_time(iso)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no date specified"),
        ("1121103", "Invalid format of date/hour-minute field."),
        ("11211030.1", "Invalid format of seconds field."),
        ("13211030", "Invalid month specification."),
        ("xx211030", "Invalid month specification."),
        ("11321030", "Invalid day specification."),
        ("11212430", "Invalid hour specification."),
        ("11211060", "Invalid minute specification."),
        ("11211030.60", "Invalid seconds specification."),
        ("196911211030", "Couldn't generate date from input. Perhaps a date before 1970 was specified."),
        ("000011211030", "Couldn't generate date from input. Perhaps a date before 1970 was specified."),
    ],
)
def test_refusals_of_the_real_qsub(text: str, message: str) -> None:
    assert refusal(lambda value: parse_qsub_date(value, NOON), text) == message


@given(st.text(alphabet="0123456789.-", max_size=16) | st.text())
def test_times_raise_nothing_but_value_errors(text: str) -> None:
    for parse in (parse_time, parse_offset, lambda value: parse_qsub_date(value, NOON)):
        refusal(parse, text)


@pytest.mark.parametrize("text", ["x" * 5000, "+" + "9" * 5000, "+" + "x" * 5000])
def test_a_sentence_quotes_the_beginning_of_a_long_text(text: str) -> None:
    with pytest.raises(ValueError, match=re.escape(f'"{text[:40]}…" is ')) as refused:
        parse_moment(text, 0)
    assert len(str(refused.value)) < 120
