from math import inf, nan

import pytest
from hypothesis import given, strategies as st

from qmon_tui.values.number import INFINITY, parse_number
from qmon_tui.values.printing import (
    format_double,
    format_number,
    format_qstat,
    humane_memory,
    humane_time,
    tickets_text,
    time_text,
    urgency_text,
)


@pytest.mark.parametrize(
    ("value", "type_name", "text"),
    [
        # matching.md#printing-of-values
        (1.5 * 2**30, "MEMORY", "1.500G"), (0, "MEMORY", "0.000"), (1023, "MEMORY", "1023.000"),
        (1024, "MEMORY", "1.000K"), (-2048, "MEMORY", "-2.000K"), (-5, "MEMORY", "5.000"), (2**40, "MEMORY", "1.000T"),
        (INFINITY, "MEMORY", "infinity"), (3600, "TIME", "01:00:00"), (3600.9, "TIME", "01:00:00"),
        (360000, "TIME", "100:00:00"), (-1, "TIME", "1193046:28:15"), (INFINITY, "TIME", "infinity"),
        (1, "INT", "1.000000"), (0, "INT", "0.000000"), (0.5, "DOUBLE", "0.500000"), (INFINITY, "INT", "infinity"),
        (1, "BOOL", "true"), (0, "BOOL", "false"), (-1, "BOOL", "false"),
    ],
)  # fmt: skip
def test_values_in_scheduler_messages(value: float, type_name: str, text: str) -> None:
    assert format_number(value, type_name) == text


@pytest.mark.parametrize(
    ("value", "type_name", "text"),
    [
        # captures/qstat.F.txt
        (4, "INT", "4"), (0, "BOOL", "0.000000"), (3.364258, "DOUBLE", "3.364258"), (300, "TIME", "00:05:00"),
        (22.938 * 2**30, "MEMORY", "22.938G"), (INFINITY, "TIME", "infinity"), (2.0**31, "INT", "integer_overflow"),
        (-1.9, "INT", "-1"), (INFINITY, "INT", "infinity"), (inf, "INT", "integer_overflow"),
    ],
)  # fmt: skip
def test_values_in_qstat(value: float, type_name: str, text: str) -> None:
    assert format_qstat(value, type_name) == text


@pytest.mark.parametrize(("value", "text"), [(2, "2.000000"), (inf, "inf"), (-inf, "-inf"), (1e-7, "0.000000")])
def test_doubles_have_six_decimals(value: float, text: str) -> None:
    assert format_double(value) == text


@given(st.floats() | st.integers(), st.sampled_from(["INT", "DOUBLE", "TIME", "MEMORY", "BOOL"]))
def test_printing_is_total(value: float, type_name: str) -> None:
    assert format_number(value, type_name)
    assert format_qstat(value, type_name)


@given(st.integers(min_value=-(10**7), max_value=10**7))
def test_a_time_is_read_back_as_it_was_printed(seconds: int) -> None:
    text = time_text(seconds)
    assert abs(parse_number(text.removeprefix("-"))) == abs(seconds)
    assert text.startswith("-") == (seconds < 0)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("2:05:00", "2 h 05 min"), ("7200", "2 h"), ("90", "1 min 30 s"), ("300", "5 min"), ("45", "45 s"),
        ("1:00:59", "1 h"), ("24:0:0", "1 d"), ("76:0:0", "3 d 04 h"), ("-90", "-1 min 30 s"), ("INFINITY", "no limit"),
        ("0", "0 s"), ("0.5", "0 s"), ("nope", None), ("nan", None), ("inf", None),
    ],
)  # fmt: skip
def test_times_for_people(text: str, said: str | None) -> None:
    assert humane_time(text) == said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("1.5G", "1.5 GiB"), ("1G", "1 GiB"), ("2048", "2 KiB"), ("512", "512 B"), ("1g", "953.67 MiB"), ("0", "0 B"),
        ("3T", "3 TiB"), ("-1M", "-1 MiB"), ("infinity", "no limit"), ("1X", None), ("nan", None),
    ],
)  # fmt: skip
def test_memory_for_people(text: str, said: str | None) -> None:
    assert humane_memory(text) == said


@pytest.mark.parametrize(
    ("value", "text"),
    # priority.md#columns-and-their-formats
    [(3601060, "3601060"), (99_999_999, "99999999"), (100_000_001, "1e+08"), (1950.76, "1951"), (-512, "-512")],
)
def test_urgencies_in_columns(value: float, text: str) -> None:
    assert urgency_text(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (83333.99, "83333"),
        (0.9, "0"),
        (500_000, "500000"),
        (inf, "inf"),
        (nan, "nan"),
        (10_000_003_500.0, "1410068908"),
        (2**31, "-2147483648"),
        (2**31 - 1, "2147483647"),
    ],
)
def test_tickets_in_columns(value: float, text: str) -> None:
    assert tickets_text(value) == text
