"""Generated complex lists and queue files: what the real qconf and qmaster say of them, and what we say."""

import pytest

from tests.differential.generating import cases
from tests.differential.qmaster import Qmaster
from tests.differential.recording import kept_verdicts
from tests.differential.verdicts import context, disagreements, real_verdicts

QUICK = 210
LONG = 3000


def test_what_was_recorded() -> None:
    verdicts = kept_verdicts()
    found = [text for _, text in disagreements(context(), verdicts)]
    assert not found, "\n\n".join(found[:5])
    assert len(verdicts) >= 200
    assert 0.3 < sum(verdict.clean for verdict in verdicts) / len(verdicts) < 0.7


@pytest.mark.qmaster
def test_the_real_thing(qmaster: Qmaster) -> None:
    found = [text for _, text in disagreements(context(), real_verdicts(qmaster, cases(1, QUICK, context())))]
    assert not found, "\n\n".join(found[:5])


@pytest.mark.qmaster
@pytest.mark.long
@pytest.mark.parametrize("seed", range(2, 4))
def test_many_more(qmaster: Qmaster, seed: int) -> None:
    found = [text for _, text in disagreements(context(), real_verdicts(qmaster, cases(seed, LONG, context())))]
    assert not found, f"{len(found)} disagreements\n" + "\n\n".join(found[:5])
