import pytest
from hypothesis import given, strategies as st

from qmon_tui.values.number_ranges import OPEN_END, Range, format_ranges, parse_ranges, range_numbers, slots_text
from tests.unit.values.recorded import recorded, refusal


@pytest.mark.parametrize(
    ("text", "ranges"),
    [
        ("4", ((4, 4, 1),)), ("4-8", ((4, 8, 1),)), ("2-", ((2, OPEN_END, 1),)), ("-", ((1, OPEN_END, OPEN_END - 1),)),
        ("1-10:2", ((1, 10, 2),)), ("10-1:3", ((1, 10, 3),)), ("1,3,5-9", ((1, 3, 2), (5, 9, 1))),
        ("8-4", ((4, 8, 1),)), ("5-9,1-3", ((1, 3, 1), (5, 9, 1))), ("1-4,3-8", ((1, 8, 1),)),
        ("1-3,4-6", ((1, 6, 1),)), ("4,4", ((4, 4, 1),)), ("4,,8,", ((4, 8, 4),)),
        ("1-10:2.0", ((1, 10, 2),)),
        ("1.5", ((1, 5, 1),)), ("5x", ((5, OPEN_END, 1),)), ("3:2", ((2, 3, 1),)), ("+4", ((4, 4, 1),)),
        ("99999999999", ((1215752191, 1215752191, 1),)), ("undefined", ()),
    ],
)  # fmt: skip
def test_ranges_as_the_real_qsub_reads_them(text: str, ranges: tuple[Range, ...]) -> None:
    assert parse_ranges(text) == ranges


def test_a_range_without_a_beginning_takes_no_step_into_account() -> None:
    assert parse_ranges("-8", steps=False) == ((1, 8, 1),)
    assert refusal(parse_ranges, "-8") == 'Range specifier "-8" has unknown trailer "8"'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        # -t of the real qsub
        ("1-10:0", "Negative or zero step in range is not allowed"),
        ("1-10:-1", "Negative or zero step in range is not allowed"),
        ("1-10:1.5", "Numerical value invalid!"), ("1-10:", "Numerical value invalid!"),
        ("1-10:2x", 'Range specifier "2x" has unknown trailer "x"'),
        ("-8:2", 'Range specifier "-8:2" has unknown trailer "8:2"'), ("x", "Numerical value invalid!"),
    ],
)  # fmt: skip
def test_refusals_of_the_real_qsub(text: str, message: str) -> None:
    assert refusal(parse_ranges, text) == message


@pytest.mark.parametrize("text", ["", ",", "2-", "-", "5x"])
def test_no_range_or_none_that_ends(text: str) -> None:
    with pytest.raises(ValueError, match="has no"):
        parse_ranges(text, open_end=False)


@pytest.mark.parametrize(("text", "stored", "message"), recorded("processors"))
def test_processors_recorded_from_the_qmaster(text: str, stored: str | None, message: str | None) -> None:
    assert refusal(lambda value: parse_ranges(value, steps=False), text) == message


@pytest.mark.parametrize(
    ("ids", "text"),
    [
        ([], ""), ([3], "3"), ([1, 2], "1-2"), ([1, 2, 3, 7], "1-3,7"), ([1, 3], "1,3"), ([1, 3, 5, 7], "1-7:2"),
        ([5, 1, 5, 2], "1-2,5"), ([1, 2, 3, 5, 7, 9], "1-3,5-9:2"),
    ],
)  # fmt: skip
def test_numbers_are_printed_as_ranges(ids: list[int], text: str) -> None:
    assert format_ranges(ids) == text


@given(st.sets(st.integers(min_value=1, max_value=60)))
def test_numbers_come_back_as_they_were_printed(ids: set[int]) -> None:
    text = format_ranges(ids)
    assert text == "" or sorted(range_numbers(parse_ranges(text))) == sorted(ids)


def test_each_number_comes_once() -> None:
    assert list(range_numbers([(1, 5, 2), (3, 4, 1)])) == [1, 3, 5, 4]


@given(st.text(alphabet="0129-:,. x", max_size=10) | st.text(), st.booleans(), st.booleans())
def test_ranges_raise_nothing_but_value_errors(text: str, steps: bool, open_end: bool) -> None:
    try:
        ranges = parse_ranges(text, steps=steps, open_end=open_end)
    except ValueError:
        return
    assert all(first <= last and step >= 1 for first, last, step in ranges)
    assert list(ranges) == sorted(ranges)


@pytest.mark.parametrize(
    ("text", "tasks"),
    [
        ("1-4:2", "1-4:2"),
        ("1-4:2,6", "1-6:2"),
        ("1-4:2,5", None),
        ("1-3:2,5,7", "1-7:2"),
        ("1,4,6", None),
        ("1,4-7:3", "1-7:3"),
        ("1,3-5", None),
        ("1,3-5:2", "1-5:2"),
        ("1-3:2,2-4:2", "1-4:1"),
        ("1-5:2,3", "1-5:2"),
        ("1-5:2,3-7:2", "1-7:2"),
        ("1-5:2,2", None),
        ("1-5:2,1-5", "1-5:1"),
        ("1-7:2,3-9:4", "1-7:2"),
        ("1-7:2,7-9:2", "1-9:2"),
        ("1-9:4,5", "1-9:4"),
        ("5,9,1", "1-9:4"),
        ("1-3,3-5", "1-5:1"),
        ("1-3,4", "1-4:1"),
        ("1-3,5", None),
        ("1-3:2,3-5", None),
        ("4,4,4", "4-4:1"),
        ("4,4,6", "4-6:2"),
        ("0,1", None),
        ("1,3,7,11", None),
        ("1,3,5,9,11", None),
        ("1-2:5,7", "1-7:5"),
        ("1-6:3,4-7", None),
        ("1,3", "1-3:2"),
        ("1,3,5", "1-5:2"),
        ("3,1", "1-3:2"),
        ("2-6:2,8", "2-8:2"),
        ("1,2,3,4", "1-4:1"),
        ("1-4:2,5-7:2", None),
        ("4-4:3,2", None),
        ("1-3:2,2-5", "1-5:1"),
    ],
)
def test_one_range_of_several_recorded_from_qsub(text: str, tasks: str | None) -> None:
    found, *others = parse_ranges(text, open_end=False)
    assert (None if others or found[0] == 0 else "{}-{}:{}".format(*found)) == tasks


@pytest.mark.parametrize("text", ["1-", "-", "4,6,8", "2,4,6-9", "-,3", "3", "5,10", "1-4,6,8,10"])
def test_slots_come_back_as_they_are_written(text: str) -> None:
    ranges = parse_ranges(text, steps=False)
    assert parse_ranges(slots_text(ranges), steps=False) == ranges
