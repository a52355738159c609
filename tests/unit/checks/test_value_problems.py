"""What is said against single values, at the bounds of what is taken (values.md)."""

import pytest

from qmon_tui.checks.value_problems import doubtful_number, formula_problem, is_command, value_problem, variable_problem
from qmon_tui.model.complex_entries import ComplexEntry, complex_index
from tests.unit.scheduler.building import attribute, cluster


def entry(type_name: str, consumable: str = "YES") -> ComplexEntry:
    return ComplexEntry("gpu", "gpu", type_name, "<=", "YES", consumable, "0", "0")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("2", None),
        ("2(a b)", None),
        ("3(1-3)", None),
        ("4(1-3 x)", None),
        ("2(a-3 3-a)", None),
        ("1(-3)", None),
        ("1(g[a=b])", None),
        ("2(g[a=b,c=d] h)", None),
        ("2(a)", "the amount 2 and 1 ids"),
        ("2(1-3)", "the amount 2 and 3 ids"),
        ("x", "is not a resource map"),
        ("(a)", "is not a resource map"),
        ("1(g[a])", 'characteristic "a"'),
        ("1(g[a=])", 'characteristic "a="'),
        ("1(g[=b])", 'characteristic "=b"'),
    ],
)
def test_resource_maps(text: str, words: str | None) -> None:
    said = value_problem(entry("RSMAP", "HOST"), text)
    assert (words in said) if words is not None and said is not None else said is words


@pytest.mark.parametrize(
    ("type_name", "consumable", "text", "said"),
    [
        ("INT", "YES", "0", None),
        ("INT", "YES", "1.5", None),
        ("INT", "YES", "-1", 'attribute "gpu" is consumable but has a negative value'),
        ("INT", "NO", "-1", None),
        ("INT", "YES", "INFINITY", 'attribute "gpu" is not a value that can be set to infinity'),
        ("INT", "NO", "INFINITY", None),
        ("INT", "NO", "x", 'attribute "gpu" is not a integer value'),
        ("HOST", "NO", "a b", 'can\'t resolve hostname "a b"'),
        ("HOST", "NO", "a*|b", None),
        ("HOST", "NO", "a", None),
        ("STRING", "NO", "a b", None),
    ],
)
def test_values_of_attributes(type_name: str, consumable: str, text: str, said: str | None) -> None:
    assert value_problem(entry(type_name, consumable), text) == said


@pytest.mark.parametrize(
    ("type_name", "text", "words"),
    [
        ("INT", "x", None),
        ("INT", "0", None),
        ("INT", "INFINITY", None),
        ("INT", "-1", "is negative"),
        ("INT", "1.5", "is not a whole number"),
        ("DOUBLE", "1.5", None),
        ("INT", "true", "is read as 1"),
        ("BOOL", "true", None),
        ("BOOL", "0", None),
        ("BOOL", "1", None),
        ("BOOL", "2", "not as TRUE or FALSE"),
        ("TIME", "10m", "a letter multiplies"),
        ("MEMORY", "10m", None),
        ("TIME", "0:1:0", None),
        ("INT", "0:1:0", "is a time: it is read as 60"),
        ("INT", "010", "is octal: it is read as 8"),
        ("INT", "07", None),
        ("INT", "10", None),
        ("INT", "5/2", "what follows the number is ignored"),
    ],
)
def test_numbers_that_hardly_mean_what_they_say(type_name: str, text: str, words: str | None) -> None:
    said = doubtful_number(type_name, text)
    assert (words in said) if words is not None and said is not None else said is words


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", None),
        ("mem", None),
        ("mem*2+lic*$n", None),
        ("other", '"f" references not existing complex attribute "other"'),
        ("mem+kind", 'String, CString, ReString or Host attributes are not allowed in "f": "kind"'),
        ("mem*x", '"f" uses "x" as weighting factor (only numbers are allowed)'),
        ("mem*2*3", '"f" may not use multiple weighting factors'),
    ],
)
def test_formulas(text: str, said: str | None) -> None:
    on = cluster(
        attribute("mem mem MEMORY <= YES YES 0"),
        attribute("lic lic INT <= YES YES 0"),
        attribute("kind kind STRING == YES NO NONE"),
    )
    assert formula_problem(complex_index(on), text.replace("*$n", "*$2"), "f") == said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a $job_id", None),
        ("$job_id$host", None),
        ("$", "variables need at least one character"),
        ("$job_id $nothing", 'unknown variable "nothing"'),
    ],
)
def test_variables(text: str, said: str | None) -> None:
    assert variable_problem(text, frozenset({"job_id", "host"})) == said


@pytest.mark.parametrize(
    ("text", "is_one"),
    [("NONE", True), ("/bin/x y", True), ("root@/bin/x", True), ("bin/x", False), ("root@x", False), ("x /bin", False)],
)
def test_commands(text: str, is_one: bool) -> None:
    assert is_command(text) is is_one
