"""Complex entries against what a real qmaster said of them (complex.md#one-entry)."""

import re
from collections.abc import Iterator
from typing import Any

import pytest

from qmon_tui.checks import check, check_object, deletion_refusals
from qmon_tui.checks.stored_objects import stored
from qmon_tui.formats.qconf.complex_table import read_complexes, write_complexes
from qmon_tui.model.cluster import Cluster, ConfigObject, config_object
from qmon_tui.model.findings import Severity
from qmon_tui.model.kinds import Kind
from tests.unit.checks.recorded import context, errors, recorded

COLUMNS = ("name", "shortcut", "type", "relop", "requestable", "consumable", "default", "urgency")
CASES: list[dict[str, Any]] = recorded("complex_cases")


def entry(text: str) -> ConfigObject:
    values = dict(zip(COLUMNS, text.split(), strict=True))
    return config_object(Kind.COMPLEX, values["name"], values)


def test_matrix_of_all_combinations() -> None:
    """5,938 combinations of type, operator, consumable, requestable and default: verdict and first message."""
    wrong = []
    for kind, relop, requestable, consumable, default, message in recorded("complex_matrix"):
        findings = errors(context(), entry(f"val_m vm {kind} {relop} {requestable} {consumable} {default} 0"))
        said = findings[0].message if findings else ""
        if said != message:
            wrong.append((kind, relop, requestable, consumable, default, message, said))
    assert wrong == []
    assert len(recorded("complex_matrix")) == 5938


def table_cases() -> Iterator[Any]:
    """Cases that give one more line of eight columns to the list of the cluster; other lines are errors of layout."""
    for case in CASES:
        words = case.get("input", "").split()
        if len(words) == 8 and not any(word.startswith("#") for word in words) and case["group"] != "layout":
            yield pytest.param(case, id=f"{case['group']}: {case['label'][:50]}")


def said_of_table(text: str) -> list[str]:
    """The errors of a complex table, those of its layout first."""
    entries, faults = read_complexes(text, "centry")
    kinds = {**context().kinds, Kind.COMPLEX: {obj.name: obj for obj in entries}}
    findings = [*faults, *check(Cluster(kinds=kinds))]
    return [finding.message for finding in findings if finding.severity is Severity.ERROR and finding.kind == "complex"]


# The qmaster's own list has another length than ours: it counts the lines of the file that it was given.
LINE = re.compile(r"in line \d+")


@pytest.mark.parametrize("case", table_cases())
def test_one_more_line(case: dict[str, Any]) -> None:
    listed = write_complexes(context().objects(Kind.COMPLEX).values())
    said = said_of_table(listed + case["input"].rstrip("\n") + "\n")
    if case["accepted"]:
        assert said == []
    else:
        assert LINE.sub("", said[0]) == LINE.sub("", case["message"].splitlines()[0])


@pytest.mark.parametrize("case", [c for c in CASES if c["group"] == "builtin delete"], ids=lambda c: c["label"])
def test_built_in_attributes_are_not_deleted(case: dict[str, Any]) -> None:
    name = case["label"].split()[1]
    refusals = deletion_refusals(context(), Kind.COMPLEX, name)
    assert [refusal.message for refusal in refusals] == [case["message"]]
    missing = [finding.message for finding in check(context().without(Kind.COMPLEX, name))]
    assert case["message"] in missing or name == "m_thread"


def retyped(case: dict[str, Any]) -> ConfigObject:
    """The entry as it was given: a new type, and the operator and default that go with it."""
    name, change = case["label"].split()
    new = change.partition("->")[2]
    text = new in ("STRING", "CSTRING", "RESTRING", "HOST")
    changes = {"type": new, "relop": "==", "consumable": "NO", "default": "NONE" if text else "0"}
    return context().objects(Kind.COMPLEX)[name].with_values(changes)


@pytest.mark.parametrize("case", [c for c in CASES if c["group"] == "builtin retype"], ids=lambda c: c["label"])
def test_built_in_attributes_keep_their_type(case: dict[str, Any]) -> None:
    findings = errors(context(), retyped(case))
    assert [finding.message for finding in findings][:1] == ([] if case["accepted"] else [case["message"]])


MODIFIED = re.compile(r"(?P<name>\w+) (?P<column>shortcut|relop|requestable|urgency):? ?(?P<change>.*)")


def modified(case: dict[str, Any]) -> ConfigObject:
    label = case["label"]
    found = MODIFIED.fullmatch(label)
    if found is None:
        name, new = re.fullmatch(r"(\w+) -> consumable (YES|JOB) relop <=", label).groups()  # type: ignore[union-attr]
        return context().objects(Kind.COMPLEX)[name].with_values({"consumable": new, "relop": "<="})
    old = context().objects(Kind.COMPLEX)[found["name"]]
    before = old.text(found["column"])
    assert found["change"].startswith(before + "->")
    return old.with_value(found["column"], found["change"][len(before) + 2 :])


@pytest.mark.parametrize("case", [c for c in CASES if c["group"] == "builtin modify"], ids=lambda c: c["label"])
def test_what_else_may_be_changed_of_built_in_attributes(case: dict[str, Any]) -> None:
    obj = modified(case)
    findings = errors(context(), obj)
    if not case["accepted"]:
        assert findings[0].message == case["message"].splitlines()[0]
        return
    assert findings == []
    shown = " ".join(stored(context(), obj).text(column) for column in COLUMNS)
    if case.get("changed"):
        assert case["changed"] == [shown]
    else:
        before = context().objects(Kind.COMPLEX)[obj.name]
        assert shown == " ".join(before.text(column) for column in COLUMNS)


@pytest.mark.parametrize("case", [c for c in CASES if c["group"] == "slots forcing"], ids=lambda c: c["label"])
def test_slots_is_stored_as_it_always_was(case: dict[str, Any]) -> None:
    obj = entry(case["label"])
    findings = errors(context(), obj)
    assert (findings == []) == case["accepted"]
    if findings:
        assert findings[0].message == case["message"]
        return
    kept = stored(context(), obj)
    assert [kept.text(column) for column in COLUMNS[2:7]] == ["INT", "<=", "YES", "YES", "1"]
    assert [kept.text(column) for column in ("shortcut", "urgency")] == [obj.text("shortcut"), obj.text("urgency")]
    told = {finding.field for finding in check_object(context(), obj) if finding.rule == "complex.slots.stored"}
    assert told == {column for column in COLUMNS if kept.text(column) != obj.text(column)}


def test_a_word_is_free_again_when_its_attribute_is_gone() -> None:
    without = context().without(Kind.COMPLEX, "val_int")
    assert errors(without, entry("val_zz val_int INT <= YES YES 0 0")) == []
    gone = context().without(Kind.COMPLEX, "val_dbl")
    swapped = gone.with_object(entry("val_int val_dbl INT <= YES YES 0 0"))
    assert errors(swapped, entry("val_zz vd DOUBLE <= YES YES 0 0")) == []


def test_every_recorded_case_is_looked_at() -> None:
    elsewhere = {"builtin delete", "builtin retype", "builtin modify", "slots forcing", "layout", "reference"}
    in_tables = [param.values[0]["label"] for param in table_cases()]
    skipped = [case["label"] for case in CASES if case["group"] not in elsewhere and case["label"] not in in_tables]
    told = {"name of one becomes shortcut of another", "new shortcut equal to removed name"}
    told |= {"retype of arch to INT plus delete val_str"}
    assert told <= set(skipped)
    assert all(len(label.split()) != 8 or "#" in label for label in skipped if label not in told)
    assert len(skipped) == 12


def test_of_a_table_the_hint_names_the_word_that_the_message_does_not() -> None:
    """The qmaster says of it that the line should have ended."""
    table = "#name shortcut type relop requestable consumable default urgency\nval_m vm INT ~ YES NO 0 0\n"
    (read,), faults = read_complexes(table, "centry")
    assert faults == ()
    (finding,) = errors(context(), read)
    assert finding.message.endswith('should end with "<NEWLINE>"')
    assert finding.hint.startswith('"~" is not a value of relop. Use one of ')
