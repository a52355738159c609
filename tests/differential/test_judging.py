"""What `make verdicts` does with thousands of cases, done with a few: every kind is judged, and in the table."""

import pytest

from tests.differential.judging import ALL_KINDS, judge, table
from tests.differential.qmaster import Qmaster


@pytest.mark.qmaster
def test_every_kind_is_judged(qmaster: Qmaster) -> None:
    judged = judge(qmaster, seed=11, count=2 * (len(ALL_KINDS) + 1))
    assert not judged.texts, "\n\n".join(judged.texts[:3])
    assert set(judged.cases) == set(ALL_KINDS)
    lines = list(table(judged))
    assert [line.split()[0] for line in lines] == ["kind", *ALL_KINDS, "all"]
    assert lines[-1].split()[1] == str(judged.cases.total())
