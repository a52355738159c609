"""Rules that an earlier one covers, found by names; compared with looking at every pair."""

import pytest
from hypothesis import given, strategies as st

from qmon_tui.checks import quotas as quota_coverage
from qmon_tui.checks.quotas import covering_rules
from qmon_tui.model import QuotaFilter, QuotaRule

NAMES = st.lists(st.sampled_from(["*", "a", "b", "c"]), max_size=3).map(tuple)
CLAUSES = st.builds(QuotaFilter, NAMES, NAMES, st.booleans())
FILTERS = st.dictionaries(st.sampled_from(["users", "hosts", "pes"]), CLAUSES, max_size=3)
RULES = st.lists(st.builds(lambda filters: QuotaRule(None, filters, ()), FILTERS), max_size=12)


@given(RULES)
def test_the_first_of_all_earlier_rules_that_covers(rules: list[QuotaRule]) -> None:
    expected = [
        next((number for number, other in enumerate(rules[:place]) if quota_coverage._covers(other, rule)), None)
        for place, rule in enumerate(rules)
    ]
    assert list(covering_rules(rules)) == expected


@pytest.mark.parametrize(
    ("earlier", "later", "covers"),
    [
        ("a", "a", True), ("a b", "a", True), ("a", "a b", False), ("a -x", "a -x", True), ("a -x", "a", False),
        ("a", "a -x", True), ("a -x", "a -x -y", True), ("*", "a", True), ("*", None, True), (None, "a", True),
        ("a", None, False), ("a", "", False), ("* -x", "*", False), ("* -x", "* -x", True),
    ],
)  # fmt: skip
def test_a_rule_covers_another_that_lets_no_more_through(earlier: str | None, later: str | None, covers: bool) -> None:
    def filters(words: str | None) -> dict[str, QuotaFilter]:
        if words is None:
            return {}
        names = [word for word in words.split() if not word.startswith("-")]
        excluded = [word[1:] for word in words.split() if word.startswith("-")]
        return {"users": QuotaFilter(tuple(names), tuple(excluded), False)}

    rules = [QuotaRule(None, filters(words), ()) for words in (earlier, later)]
    assert list(covering_rules(rules)) == [None, 0 if covers else None]
