"""Texts that are no numbers, or odd ones, and each place where a person types or writes a number."""

import argparse
from collections.abc import Callable

import pytest

from qmon_tui.checks import check_object
from qmon_tui.cli.parser import length_seconds, whole
from qmon_tui.formats.qconf.sharetree import read_sharetree
from qmon_tui.lessons import LessonError
from qmon_tui.lessons.answer_reading import numbers_in
from qmon_tui.lessons.conditions import number_of
from qmon_tui.lessons.data import read_data
from qmon_tui.model import Cluster, Kind, config_object
from qmon_tui.report.table_rows import natural_order
from qmon_tui.values import parse_week, parse_year
from qmon_tui.values.times import parse_moment, parse_time

TEXTS = ("²", "--5", "9" * 4300, "1e400", "٣", "1_000", "0x10", " 5", "+5", "")


def points(text: str) -> object:
    quoted = text.replace('"', "")
    return read_data(f'points: "{quoted}"').pairs["points"].number


def week(text: str) -> object:
    return bool(parse_week(f"mon={text}-9=off"))


def year(text: str) -> object:
    return bool(parse_year(f"{text}.1.2024=off"))


def shares(text: str) -> object:
    tree, findings = read_sharetree(f"id=0\nname=Root\ntype=0\nshares={text}\nchildnodes=NONE\n", "file")
    assert tree is not None
    return not [finding for finding in (*findings, *check_object(Cluster(), tree)) if finding.field == "tree"]


def amount(text: str) -> object:
    host = config_object(Kind.HOST, "h", {"hostname": "h", "complex_values": f"gpu=2({text})" if text else "gpu="})
    return not [finding for finding in check_object(Cluster(), host) if finding.field == "complex_values"]


REFUSED = (None,) * 6
READERS: list[tuple[Callable[[str], object], tuple[object, ...]]] = [
    (points, (*REFUSED, None, 5.0, 5.0, None)),
    (number_of, (*REFUSED, None, 5.0, 5.0, None)),
    (numbers_in, ((), (), (), (), (), (1000.0,), (), (5.0,), (5.0,), ())),
    (length_seconds, (*REFUSED, None, 5, None, None)),
    (whole, (*REFUSED, None, None, 5, None)),
    (parse_time, (*REFUSED, None, None, None, None)),
    (lambda text: parse_moment(text, 0), (*REFUSED, None, None, 5, None)),
    (week, (*REFUSED, None, None, None, None)),
    (year, (*REFUSED, None, True, None, None)),
]


@pytest.mark.parametrize(("read", "expected"), READERS)
def test_odd_numbers(read: Callable[[str], object], expected: tuple[object, ...]) -> None:
    read_as: list[object] = []
    for text in TEXTS:
        try:
            read_as.append(read(text))
        except (ValueError, LessonError, argparse.ArgumentTypeError):
            read_as.append(None)
    assert tuple(read_as) == expected


def test_odd_numbers_have_an_order() -> None:
    words = ("node10", "node2", *TEXTS, "7", "inf", "nan")
    assert sorted(words, key=natural_order) == [
        " 5", "+5", "7", "0x10", "9" * 4300, "1e400", "", "1_000", "--5", "inf", "nan", "node2", "node10", "²", "٣",
    ]  # fmt: skip


@pytest.mark.parametrize("read", [shares, amount])
def test_odd_numbers_raise_nothing(read: Callable[[str], object]) -> None:
    assert [type(read(text)) for text in TEXTS] == [bool] * len(TEXTS)
