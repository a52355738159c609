"""Rules that an earlier one covers, found by names; compared with looking at every pair."""

from hypothesis import given
from hypothesis import strategies as st

from qmon_tui.checks import quota_coverage
from qmon_tui.checks.quota_coverage import covering_rules
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
