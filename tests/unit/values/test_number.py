import re
from math import copysign, inf, isnan

import pytest
from hypothesis import example, given, strategies as st

from qmon_tui.values.c_library import constant_prefix, double_prefix, integer_prefix
from qmon_tui.values.number import (
    INFINITY,
    c_integer_prefix,
    decimal_number,
    is_number,
    need_whole_number,
    parse_boolean,
    parse_double,
    parse_number,
    parse_unsigned,
    whole_number,
)
from tests.examples import examples
from tests.unit.values import libc
from tests.unit.values.recorded import recorded, refusal

# Pieces of which numbers, and near misses, are made.
PIECES = ["0", "1", "7", "8", "9", "x", "X", "f", ".", "e", "E", "p", "P", "+", "-", " ", "\t", "inf", "nan", "true"]
PIECES += [":", "k", "K", "m", "M", "g", "G", "t", "T", ",", "/", "(", ")", "_", "INFINITY", "infinity"]
NUMBERISH = st.lists(st.sampled_from(PIECES), max_size=8).map("".join)

WORKED = [
    # values.md#numbers
    ("true", 1.0), ("FALSE", 0.0), ("Infinity", INFINITY),
    ("1:30:0", 5400.0), ("::30", 30.0), ("0:90:0", 5400.0), ("1:61:61", 7321.0), ("1.5:0:0", 5400.0),
    ("-1:0:0", -3600.0), ("::", 0.0), ("1::", 3600.0), ("1e1:0:0", 36000.0), ("0:0:1.5", 1.5), ("1:2:3 ", 3723.0),
    ("010", 8.0), ("00", 0.0), ("0x10", 16.0), ("0", 0.0), ("010K", 8192.0), ("0xffffffffff", 4294967295.0),
    ("0x100000001", 1.0), ("0x1.8", 1.5), ("0x1.8p1", 3.0), ("-0x10", -16.0),
    ("2K", 2048.0), ("2k", 2000.0), ("1m", 1e6), ("1M", 1048576.0), ("1g", 1e9), ("1G", 2.0**30), ("1t", 1e12),
    ("1T", 2.0**40), ("1.5G", 1.5 * 2**30), ("1,5", 1.0), ("1/2", 1.0), ("1K,x", 1024.0), (".5", 0.5), ("5.", 5.0),
    ("-3", -3.0), ("+3", 3.0), (" 3", 3.0), ("1e3", 1000.0), ("inf", inf), ("-INFINITY", -inf), ("1e999", inf),
]  # fmt: skip

NO_NUMBERS = [
    "", " ", "T", "yes", "NONE", "1:30", "1:2:3:4", "2147483648:0:0", "0:2147483648:0", "1:2:3x", " :0:0", "08", "0e0",
    "0xg", "0x1p3", "0b1", "1 ", "1 K", "1P", "1KB", "1h", "1;2", "1#", "1_000", "K", "-", ".", "--1", "1e", "infinit",
]  # fmt: skip


@pytest.mark.parametrize(("text", "value"), WORKED)
def test_numbers_of_the_grammar(text: str, value: float) -> None:
    assert parse_number(text) == value
    assert is_number(text)


@pytest.mark.parametrize("text", NO_NUMBERS)
def test_what_is_no_number_is_refused(text: str) -> None:
    assert not is_number(text)
    with pytest.raises(ValueError, match="error parsing value"):
        parse_number(text)


def test_nan_is_a_number() -> None:
    assert isnan(parse_number("nan"))
    assert isnan(parse_number("NaN(x)K"))


def test_the_word_infinity_can_be_refused_but_not_what_means_the_same() -> None:
    for text in ("infinity", "INFINITY", "Infinity"):
        with pytest.raises(ValueError, match="error parsing value"):
            parse_number(text, infinity=False)
    assert parse_number("inf", infinity=False) == inf
    assert parse_number("1e999", infinity=False) == inf


def test_any_minus_sign_is_refused_where_only_positive_numbers_are_taken() -> None:
    for text in ("-1", "1e-3", "0:0:-5"):
        with pytest.raises(ValueError, match="error parsing value"):
            parse_number(text, positive_only=True)
    assert parse_number("+1", positive_only=True) == 1.0


@pytest.mark.parametrize(("text", "kind"), recorded("number_defaults"))
def test_defaults_recorded_from_the_qmaster(text: str, kind: str) -> None:
    ours = "none" if not is_number(text) else "zero" if parse_number(text) == 0 else "value"
    assert ours == kind


@pytest.mark.parametrize(("text", "accepted"), recorded("number_fields"))
def test_queue_fields_recorded_from_the_qmaster(text: str, accepted: bool) -> None:
    assert is_number(text) == accepted


@pytest.mark.parametrize(("text", "seconds"), recorded("number_seconds"))
def test_values_recorded_from_the_qmaster(text: str, seconds: str | None) -> None:
    if seconds is None:
        assert not is_number(text)
    elif seconds.lower() == "infinity":
        assert parse_number(text) == INFINITY
    else:
        assert f"{parse_number(text):.0f}" == seconds


@given(NUMBERISH | st.text())
def test_the_number_parser_is_total(text: str) -> None:
    if is_number(text):
        assert isinstance(parse_number(text), float)
    else:
        with pytest.raises(ValueError, match="error parsing value"):
            parse_number(text)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_what_is_printed_is_read_back(value: float) -> None:
    assert parse_double(repr(value)) == value
    assert parse_number(repr(value)) == value


@libc.needs_glibc
@examples(2000)
@given(NUMBERISH)
@example("0x1p-1074")
@example("1.7976931348623159e308")
@example("nan(ab_1)x")
@example("0x.8p")
def test_doubles_are_read_like_strtod(text: str) -> None:
    value, end = libc.strtod(text)
    ours = double_prefix(text) or (0.0, 0)
    assert ours[1] == end
    assert isnan(ours[0]) if isnan(value) else ours[0] == value
    if ours[0] == 0:
        assert copysign(1, ours[0]) == copysign(1, value)


@libc.needs_glibc
@examples(1000)
@given(NUMBERISH)
@example("99999999999999999999")
@example("-99999999999999999999")
@example("0x")
@example("07777777777777777777777777")
def test_integers_are_read_like_strtol(text: str) -> None:
    assert (integer_prefix(text) or (0, 0)) == libc.strtol(text, 10)
    if text.startswith("0"):
        assert (constant_prefix(text) or (0, 0)) == libc.strtol(text, 0)


@pytest.mark.parametrize(("text", "stored", "message"), recorded("unsigned"))
def test_unsigned_recorded_from_the_qmaster(text: str, stored: str | None, message: str | None) -> None:
    if stored is not None:
        assert parse_unsigned(text) == int(stored)
    else:
        assert refusal(parse_unsigned, text) == message


def test_an_empty_unsigned_is_zero() -> None:
    assert parse_unsigned("") == 0


@pytest.mark.parametrize(("text", "stored", "message"), recorded("booleans"))
def test_booleans_recorded_from_the_qmaster(text: str, stored: str | None, message: str | None) -> None:
    if stored is not None:
        assert parse_boolean(text) == (stored == "TRUE")
    else:
        assert refusal(parse_boolean, text) == message


@pytest.mark.parametrize(
    ("text", "value"), [("2x", 2.0), ("1G", 1.0), ("inf", inf), ("-0.5 ", -0.5), ("0x10", 16.0), ("00x", 0.0)]
)
def test_doubles_end_where_the_number_ends(text: str, value: float) -> None:
    assert parse_double(text) == value


@pytest.mark.parametrize("text", ["x1", "0x", "-0X", "--1"])
def test_a_double_needs_a_number_in_front(text: str) -> None:
    with pytest.raises(ValueError, match=f'error parsing double value from string "{text}"'):
        parse_double(text)


def test_a_double_may_be_no_number() -> None:
    assert isnan(parse_double("nan"))


@pytest.mark.parametrize(
    ("text", "value"), [("5abc", 5), ("1.5", 1), ("+5", 5), ("-0", 0), ("abc", None), ("", None), (" 7", 7)]
)
def test_leading_integers(text: str, value: int | None) -> None:
    assert c_integer_prefix(text) == value


@pytest.mark.parametrize(
    ("text", "value"), [("9" * 5000, 2**63 - 1), ("-" + "9" * 5000, -(2**63)), ("0" * 5000, 0)], ids=["9", "-9", "0"]
)
def test_thousands_of_digits_saturate_like_any_long(text: str, value: int) -> None:
    assert c_integer_prefix(text) == value


WHOLE = [("0", 0), ("7", 7), ("007", 7), ("0" * 5000 + "12", 12), ("9223372036854775807", 2**63 - 1)]
NOT_WHOLE = [
    "",
    " 7",
    "7 ",
    "+7",
    "-7",
    "-+5",
    "--5",
    "²",
    "٣",
    "１",
    "7.0",
    "1e3",
    "1_0",
    "0x7",
    "9" * 4300,
    "1\n",
    "\0",
]


@pytest.mark.parametrize(("text", "value"), [*WHOLE, *((text, None) for text in NOT_WHOLE)])
def test_whole_numbers_of_records(text: str, value: int | None) -> None:
    assert whole_number(text) == value
    assert whole_number(text, -1) == value or text == "+7"


def test_a_sign_is_read_where_a_number_may_be_negative() -> None:
    signed = ["-5", "+5", "-0", "-1023", "1024", "-1024", "1025", "--5", "-+5", "+-5", "-", "-²", "- 5"]
    values = [whole_number(text, -1023, 1024) for text in signed]
    assert values == [-5, 5, 0, -1023, 1024, None, None, None, None, None, None, None, None]


@pytest.mark.parametrize(("text", "least", "most", "sentence"), [
    ("²", 0, 2**63 - 1, 'slots is "²", not a whole number from 0 on'),
    ("", 0, 9, "slots is missing"),
    ("0", 1, 9999999, 'slots is "0", not a whole number from 1 to 9999999'),
    ("9" * 4300, 1, 9, f'slots is "{"9" * 40}…", not a whole number from 1 to 9'),
])  # fmt: skip
def test_what_is_no_whole_number_is_told_in_a_sentence(text: str, least: int, most: int, sentence: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        need_whole_number("slots", text, least, most)


DECIMALS = [("1.5", 1.5), ("-2e3", -2000.0), (".5", 0.5), ("5.", 5.0), ("+1", 1.0), ("9" * 300, float("9" * 300))]
NO_DECIMALS = ["", ".", "1e400", "-1e400", "9" * 400, "inf", "nan", "²", "1_0", " 1", "1,5", "0x1", "--5", "e5"]


@pytest.mark.parametrize(("text", "value"), [*DECIMALS, *((text, None) for text in NO_DECIMALS)])
def test_decimal_numbers_of_records(text: str, value: float | None) -> None:
    assert decimal_number(text) == value


@given(st.text(alphabet="0123456789+-.eE²٣ _,x", max_size=12))
@examples(2000)
def test_drawn_texts_are_read_as_python_reads_their_ascii_digits(text: str) -> None:
    plain = text.isascii() and text.isdigit() and int(text) < 2**63
    assert whole_number(text) == (int(text) if plain else None)
    signed = text[1:] if text[:1] in ("+", "-") else text
    plain = signed.isascii() and signed.isdigit() and int(signed) < 2**63
    assert whole_number(text, -(2**63) + 1) == (int(text) if plain else None)
