"""Rules of quota sets changed clause by clause: what is not changed keeps its spelling and place."""

import pytest

from qmon_tui.model.quota_rules import (
    changed,
    filter_text,
    inserted,
    moved,
    parse_rule,
    removed,
    with_clause,
    without_name,
)

RULES = ("users {*} to slots=1", "to slots=2", "hosts h1 to slots=3")


@pytest.mark.parametrize(
    ("rule", "keyword", "word", "wanted"),
    [
        ("users {*} to slots=1", "users", "{@staff,!anna}", "users {@staff,!anna} to slots=1"),
        ("users {*} to slots=1", "users", None, "to slots=1"),
        ("users {*} to slots=1", "hosts", "{*}", "users {*} hosts {*} to slots=1"),
        ("hosts h1 to slots=1", "users", "anna", "users anna hosts h1 to slots=1"),
        ("to slots=1 hosts h1", "hosts", "h2", "to slots=1 hosts h2"),
        ("to slots=1", "name", "all", "name all to slots=1"),
        ("name all to slots=1", "name", "", "to slots=1"),
        ("to slots=1, mem=2G", "queues", "all.q", "queues all.q to slots=1,mem=2G"),
    ],
)
def test_one_clause_changes(rule: str, keyword: str, word: str | None, wanted: str) -> None:
    assert with_clause(rule, keyword, word) == wanted
    parse_rule(wanted)


def test_what_cannot_be_read_keeps_what_nobody_touched() -> None:
    assert with_clause("groups g users a to slots=1", "users", "b") == "groups g users b to slots=1"


def test_a_filter_that_names_nobody_is_none() -> None:
    assert filter_text(("a", "@g"), ("b",), each=True) == "{a,@g,!b}"
    assert filter_text((), ("b",), each=False) == "!b"
    assert filter_text((), (), each=True) is None


def test_rules_are_put_in_taken_out_and_moved() -> None:
    one, two, three = RULES
    assert changed(RULES, 1, "to gpu=1").split("\n") == [one, "to gpu=1", three]
    assert inserted(RULES, 0, "to gpu=1").split("\n") == ["to gpu=1", one, two, three]
    assert removed(RULES, 2).split("\n") == [one, two]
    assert removed((one,), 0) == ""
    assert moved(RULES, 0, 1) == ("\n".join((two, one, three)), 1)
    assert moved(RULES, 1, -5) == ("\n".join((two, one, three)), 0)
    assert moved(RULES, 2, 1) == ("\n".join(RULES), 2)


def test_a_copy_of_a_rule_has_no_name_of_its_own() -> None:
    assert without_name("name team users {a} to slots=1") == "users {a} to slots=1"
