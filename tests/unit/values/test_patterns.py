import pytest
from hypothesis import assume, given, strategies as st

from qmon_tui.values.patterns import QueuePattern, evaluate, is_expression, is_pattern, matches
from tests.unit.values.recorded import recorded

QUEUES = recorded("queues")
GROUPS = {"@abc": frozenset({"sim1"}), "@Abd": frozenset({"sim1", "sim2"}), "@x.y": frozenset({"sim2"})}
EXPRESSIONS = st.text(alphabet="ab*?[]&|!() ", max_size=12)


@pytest.mark.parametrize(
    ("type_name", "expression", "value", "result"),
    [
        # matching.md#string-expressions
        ("STRING", "lx2[4|6]-x86", "lx2[4", 0), ("STRING", "lx2[4|6]-x86", "6]-x86", 0),
        ("STRING", "lx2[4|6]-x86", "lx24-x86", 1), ("STRING", "a&b|c&d", "c", 1), ("STRING", "a*&*b|c", "ab", 0),
        ("RESTRING", "!lx24-x86&!sol-sparc", "lx26", 0), ("RESTRING", "!lx24-x86&!sol-sparc", "sol-sparc", 1),
        ("STRING", "!(a|b)", "c", 0), ("STRING", "!(a|b)", "b", 1), ("STRING", "a b*", "a", -1),
        ("STRING", "a b", "a b", 0), ("STRING", " a*", "ab", 0), ("STRING", "a* ", "ab", 0),
        ("STRING", "a|", "a", -1), ("STRING", "a|(", "a", -1), ("STRING", "()", "", -1), ("STRING", "(a", "a", -1),
        ("STRING", "a)", "a", -1), ("STRING", "!", "a", -1), ("STRING", "a&&b", "a", -1), ("STRING", "a!b", "a", -1),
        ("STRING", "!!a", "a", 0), ("STRING", "! a", "b", 0), ("STRING", "*/.x", "a/.x", 0),
        ("STRING", "\\*", "*", 0), ("STRING", "a\\|b", "b", 0), ("STRING", "", "", 0), ("STRING", "", "a", 1),
        ("STRING", "A", "a", 1), ("RESTRING", "A*", "ab", 1), ("CSTRING", "A", "a", 0), ("CSTRING", "A*", "aB", 0),
        ("CSTRING", "[A]*", "ab", 0), ("HOST", "Node1", "nODE1", 0), ("HOST", "NODE*|x", "node1", 0),
        ("INT", "*", "3", 1), ("INT", "3", "3", 1), ("INT", "(", "3", -1),
    ],
)  # fmt: skip
def test_expressions(type_name: str, expression: str, value: str, result: int) -> None:
    assert evaluate(type_name, expression, value) == result
    assert matches(type_name, expression, value) == (result == 0)


@pytest.mark.parametrize(("expression", "found"), recorded("expressions"))
def test_queues_that_the_real_qselect_finds(expression: str, found: list[str]) -> None:
    assert [name for name in QUEUES if matches("STRING", expression, name)] == found


@pytest.mark.parametrize(("text", "found"), recorded("instances"))
def test_queue_instances_that_the_real_qselect_finds(text: str, found: list[str]) -> None:
    pattern = QueuePattern.parse(text)
    instances = [(queue, host) for queue in QUEUES for host in ("sim1", "sim2")]
    assert sorted(f"{q}@{h}" for q, h in instances if pattern.matches(q, h, GROUPS)) == found


@pytest.mark.parametrize(("text", "expected"), [("a@@abc|x.y", True), ("a@@Abd&!abc", True), ("a@@abc", False)])
def test_the_scheduler_reads_the_group_as_an_expression(text: str, expected: bool) -> None:
    """Verdicts of `qsub -w v` for sim2."""
    assert QueuePattern.parse(text).matches("a", "sim2", GROUPS) == expected


def test_long_texts_are_errors() -> None:
    assert evaluate("STRING", "a" * 2047, "a" * 2047) == 0
    assert evaluate("STRING", "a" * 2048, "a") == -1
    assert evaluate("STRING", "*", "a" * 2048) == -1


def test_deep_nesting_is_no_problem() -> None:
    assert evaluate("STRING", "(" * 1000 + "a*" + ")" * 1000, "ab") == 0
    assert evaluate("STRING", "!" * 2001 + "a", "a") == 1


@given(EXPRESSIONS, st.text(alphabet="ab[]", max_size=4))
def test_not_turns_the_result_round_and_errors_stay_errors(expression: str, value: str) -> None:
    assume(is_balanced(expression))
    result = evaluate("STRING", f"({expression})", value)
    turned = evaluate("STRING", f"!({expression})", value)
    assert turned == {0: 1, 1: 0, -1: -1}[result]


def is_balanced(text: str) -> bool:
    open_ones = 0
    for char in text:
        open_ones += (char == "(") - (char == ")")
        if open_ones < 0:
            return False
    return open_ones == 0


@given(EXPRESSIONS, EXPRESSIONS, st.text(alphabet="ab[]", max_size=4))
def test_both_and_either(one: str, other: str, value: str) -> None:
    # `(?` and `?)` are wrong by themselves, but between other parentheses they complete each other.
    assume(is_balanced(one) and is_balanced(other))
    first, second = evaluate("STRING", f"({one})", value), evaluate("STRING", f"({other})", value)
    both, either = evaluate("STRING", f"({one})&({other})", value), evaluate("STRING", f"({one})|({other})", value)
    if -1 in (first, second):
        assert both == either == -1
    else:
        assert both == max(first, second)
        assert either == min(first, second)


@given(st.text(), st.text(), st.sampled_from(["STRING", "CSTRING", "RESTRING", "HOST", "BOOL", "nonsense"]))
def test_evaluation_is_total(expression: str, value: str, type_name: str) -> None:
    assert evaluate(type_name, expression, value) in (0, 1, -1)


@pytest.mark.parametrize(
    ("text", "queue", "host", "group"),
    [
        ("all.q", "all.q", None, None), ("a@h", "a", "h", None), ("a@@g", "a", None, "g"), ("@h", "", "h", None),
        ("@@g", "", None, "g"), ("a@", "a", "", None), ("a@@", "a", None, ""), ("a@b@c", "a", "b@c", None),
    ],
)  # fmt: skip
def test_parts_of_a_queue_pattern(text: str, queue: str, host: str | None, group: str | None) -> None:
    pattern = QueuePattern.parse(text)
    assert (pattern.queue, pattern.host, pattern.group) == (queue, host, group)
    assert pattern.text() == text


def test_a_pattern_without_a_host_part_rejects_no_host() -> None:
    assert QueuePattern.parse("a").matches_host("anything", {})
    assert not QueuePattern.parse("a@b").matches_host("anything", {})


def test_signs_of_patterns_and_expressions() -> None:
    assert is_pattern("a*")
    assert is_pattern("a]")
    assert not is_pattern("a|b")
    assert is_expression("a|b")
    assert is_expression("!a")
    assert not is_expression("a-b.c")
