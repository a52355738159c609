"""What a form offers for a complex entry, against 5,938 entries that a real qmaster accepted or refused."""

import gzip
import json
from functools import cache
from pathlib import Path

import pytest

from qmon_tui.checks.complex_choices import allowed, canonical, default_fits, implied_values
from qmon_tui.model.cluster import ConfigObject, config_object
from qmon_tui.model.defaults import default_complexes
from qmon_tui.model.kinds import Kind

MATRIX = Path(__file__).parents[2] / "data" / "checks" / "complex_matrix.json.gz"
COLUMNS = ("type", "relop", "requestable", "consumable", "default")
"""As they stand in a row of the matrix, before the message, which is empty where the entry was accepted."""
CHOSEN = ("type", "relop", "requestable", "consumable")


@cache
def verdicts() -> dict[tuple[str, ...], bool]:
    rows = json.loads(gzip.decompress(MATRIX.read_bytes()))
    return {tuple(row): not message for *row, message in rows}


def entry(*values: str, name: str = "val_m") -> ConfigObject:
    given = dict(zip(COLUMNS, values, strict=True))
    return config_object(Kind.COMPLEX, name, {"name": name, "shortcut": "vm", "urgency": "0", **given})


def columns_of(obj: ConfigObject) -> tuple[str, ...]:
    return tuple(obj.text(column) for column in COLUMNS)


def offered(obj: ConfigObject) -> bool:
    """Whether a form would let the entry be as it is."""
    choices = allowed(obj)
    inside = all(obj.text(column) in (choices[column].options or (obj.text(column),)) for column in CHOSEN)
    return inside and default_fits(obj)


def test_exactly_what_the_qmaster_accepts_is_offered() -> None:
    assert len(verdicts()) == 5938
    assert {row for row in verdicts() if offered(entry(*row))} == {row for row, ok in verdicts().items() if ok}


def test_whatever_is_chosen_next_the_entry_stays_one_that_the_qmaster_accepts() -> None:
    tried = 0
    for row, accepted in verdicts().items():
        if not accepted:
            continue
        obj = entry(*row)
        for column in CHOSEN:
            for option in allowed(obj)[column].options or ():
                after = columns_of(obj.with_values(implied_values(obj, column, option)))
                tried += 1
                # Defaults that a choice entails may be spelled in a way that was not recorded.
                assert verdicts().get(after, offered(entry(*after))), (row, column, option, after)
                assert after[COLUMNS.index(column)] == option
    assert tried > 3000


def test_any_entry_can_be_mended_by_choosing() -> None:
    for row, accepted in verdicts().items():
        if accepted:
            continue
        obj = entry(*row)
        for kind in ("INT", "BOOL", "STRING"):
            typed = obj.with_values(implied_values(obj, "type", kind))
            after = typed.with_values(implied_values(typed, "consumable", "NO"))
            relop = (allowed(after)["relop"].options or ("==",))[0]
            mended = after.with_values(implied_values(after, "relop", relop))
            assert offered(mended), (row, columns_of(mended))
            assert verdicts().get(columns_of(mended), True), (row, columns_of(mended))


@pytest.mark.parametrize(
    ("before", "column", "value", "entails"),
    [
        # A consumable must be compared with <=.
        (("INT", ">=", "YES", "NO", "0"), "consumable", "YES", {"relop": "<="}),
        # Text is never consumable, is equal or not, and has no default.
        (("INT", "<=", "YES", "YES", "5"), "type", "STRING", {"consumable": "NO", "relop": "==", "default": "NONE"}),
        (("STRING", "!=", "YES", "NO", "NONE"), "type", "INT", {"default": "0"}),
        (("STRING", "==", "YES", "NO", "NONE"), "type", "TIME", {"default": "0:0:0"}),
        (("INT", "<=", "YES", "JOB", "3"), "type", "BOOL", {"relop": "EXCL"}),
        (("BOOL", "==", "YES", "NO", "0"), "consumable", "YES", {"relop": "EXCL"}),
        # Nobody can ask for it, so every job uses the default; everybody must ask, so there is none.
        (("INT", "<=", "YES", "YES", "0"), "requestable", "NO", {"default": "1"}),
        (("INT", "<=", "YES", "YES", "5"), "requestable", "FORCED", {"default": "0"}),
        (("INT", "<=", "YES", "YES", "5"), "requestable", "NO", {}),
        (("INT", "<=", "YES", "YES", "5"), "consumable", "NO", {"default": "0"}),
    ],
)
def test_one_choice_entails_the_others(
    before: tuple[str, ...], column: str, value: str, entails: dict[str, str]
) -> None:
    assert implied_values(entry(*before), column, value) == {column: value, **entails}


def built_in(name: str) -> ConfigObject:
    return next(obj for obj in default_complexes() if obj.name == name)


def test_built_in_types_are_fixed_and_text_may_only_become_other_text() -> None:
    assert allowed(built_in("h_vmem"))["type"].options == ("MEMORY",)
    assert allowed(built_in("hostname"))["type"].options == ("HOST",)
    assert allowed(built_in("arch"))["type"].options == ("STRING", "CSTRING", "RESTRING")
    assert all(allowed(obj)["name"].options == (obj.name,) for obj in default_complexes())
    assert allowed(built_in("h_vmem"))["type"].reason == "built in: its type is fixed"
    assert allowed(built_in("arch"))["type"].reason == "built in: only another string type is possible"


def test_slots_is_what_the_qmaster_makes_of_it() -> None:
    choices = allowed(built_in("slots"))
    assert {column: choices[column].options for column in COLUMNS} == {
        "type": ("INT",),
        "relop": ("<=",),
        "requestable": ("YES",),
        "consumable": ("YES",),
        "default": ("1",),
    }
    assert choices["urgency"].options is None
    assert choices["shortcut"].options is None


def test_tmpdir_cannot_be_requested() -> None:
    assert allowed(built_in("tmpdir"))["requestable"].options == ("NO",)


def test_other_spellings_are_understood() -> None:
    obj = entry("int", "excl", "f", "y", "0")
    assert [canonical(obj, column) for column in CHOSEN] == ["INT", "EXCL", "FORCED", "YES"]
    assert allowed(obj)["relop"].options == ("<=",)
