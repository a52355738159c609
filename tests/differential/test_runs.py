"""One scheduling run after the other, ours beside the real one: columns, placements, messages, queue instances."""

from pathlib import Path

import pytest

from tests.differential.qmaster import Qmaster
from tests.differential.recording import kept_runs
from tests.differential.running import Verdict, judge, played_and_judged, why_not_played
from tests.differential.scenarios import scenarios


def assert_agreement(name: str, verdict: Verdict) -> None:
    assert not verdict.complaint, verdict.complaint
    assert not verdict.not_simulated


@pytest.mark.parametrize("name", scenarios())
def test_what_was_recorded(name: str, tmp_path: Path) -> None:
    scenario = scenarios()[name]
    assert_agreement(name, judge(kept_runs(scenario), scenario.files, tmp_path))


EVERY = 12
"""What is recorded holds everywhere; that it still holds, every run tries of some, and the long comparison of all."""
UNSTEADY = {"order_ranked"}
"""Of these a real scheduler decides now so and now otherwise; what is recorded is what it does most of the time."""
LIVE = [
    pytest.param(name, marks=() if number % EVERY == 0 else pytest.mark.long)
    for number, name in enumerate(scenarios())
    if name not in UNSTEADY
]


@pytest.mark.qmaster
@pytest.mark.parametrize("name", LIVE)
def test_the_real_thing(name: str, qmaster: Qmaster, tmp_path: Path) -> None:
    scenario = scenarios()[name]
    reason = why_not_played(scenario)
    if reason:
        pytest.skip(reason)
    assert_agreement(name, played_and_judged(qmaster, scenario, tmp_path))
