"""Limit rules of quota sets, and formulas. The rows were tried with `qconf -Arqs` of a real 8.1.9."""

import re

import pytest

from qmon_tui.model.formulas import formula_attributes, parse_formula
from qmon_tui.model.quota_rules import parse_rule, rules_of


@pytest.mark.parametrize(
    ("text", "name", "filters", "limits"),
    [
        ("to slots=1", None, {}, (("slots", "1"),)),
        ("name r1 users {*} hosts @g to slots=10,mem=4G", "r1",
         {"users": (("*",), (), True), "hosts": (("@g",), (), False)}, (("slots", "10"), ("mem", "4G"))),
        ("to slots=1, h_vmem=2G", None, {}, (("slots", "1"), ("h_vmem", "2G"))),
        ("users {!a,b} to slots=1", None, {"users": (("b",), ("a",), True)}, (("slots", "1"),)),
        ("users {a}{b} to slots=1", None, {"users": (("a", "b"), (), True)}, (("slots", "1"),)),
        ("users x{a} to slots=1", None, {"users": (("x", "a"), (), False)}, (("slots", "1"),)),
        ("users {} to slots=1", None, {}, (("slots", "1"),)),
        ("users {a,} to slots=1", None, {"users": (("a",), (), True)}, (("slots", "1"),)),
        ("to slots=5 users a", None, {"users": (("a",), (), False)}, (("slots", "5"),)),
        ("name to to slots=1", "to", {}, (("slots", "1"),)),
        ("users {*}", None, {"users": (("*",), (), True)}, ()),
        ("name x to NONE", "x", {}, ()),
        ("hosts {*} to slots=$num_proc*2", None, {"hosts": (("*",), (), True)}, (("slots", "$num_proc*2"),)),
    ],
)  # fmt: skip
def test_rules(text: str, name: str | None, filters: dict[str, object], limits: tuple[tuple[str, str], ...]) -> None:
    rule = parse_rule(text)
    found = {keyword: (clause.names, clause.excluded, clause.expanded) for keyword, clause in rule.filters.items()}
    assert (rule.name, found, rule.limits) == (name, filters, limits)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("to slots=1 val_int=5", 'unknown attribute name "val_int"'),
        ("users a, b to slots=1", 'unknown attribute name "b"'),
        ("users  to slots=1", 'unknown attribute name "slots"'),
        ("TO slots=1", 'unknown attribute name "TO"'),
        ("users {*} users {*} to slots=1", 'attribute "users" appears more than once'),
        ("users { a , b } to slots=1", "error: no valid expanded list"),
        ("users {a}x to slots=1", "error: no valid expanded list"),
        ("users ! to slots=1", "resource quota set contains invalid user filter"),
        ("to slots, h_vmem=1G", "resource quota set has no rules"),
    ],
)
def test_refused_rules(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        parse_rule(text)


def test_one_rule_a_line() -> None:
    assert rules_of("to slots=1\n\n  users a to slots=2 \n") == ("to slots=1", "users a to slots=2")


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("np_load_avg", [(1, "np_load_avg", ())]),
        ("a+b*2-$c*1e-3", [(1, "a", ()), (1, "b", ("2",)), (-1, "c", ("1e-3",))]),
        ("a*-2+5", [(1, "a", ("-2",)), (1, "5", ())]),
        ("-x", [(-1, "x", ())]),
        ("x1e-3", [(1, "x1e", ()), (-1, "3", ())]),
        ("a + b", [(1, "a", ()), (1, "b", ())]),
        ("+", []),
    ],
)
def test_formulas(text: str, terms: list[tuple[int, str, tuple[str, ...]]]) -> None:
    assert [(term.sign, term.factor, term.weights) for term in parse_formula(text)] == terms


def test_attributes_of_a_formula() -> None:
    assert formula_attributes("$a*2+b-7+a") == ("a", "b")
