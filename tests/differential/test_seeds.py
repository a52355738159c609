"""The clusters of configs/seeds, ours beside the real ones: what was recorded, and, with a qmaster, again."""

from pathlib import Path

import pytest

from tests.differential.qmaster import Qmaster
from tests.differential.recording import kept_runs
from tests.differential.running import judge, played_and_judged, why_not_played
from tests.differential.seeds import WAITS, compared, seed_scenario, seeds

SHORT = {"priority-functional", "attributes-e2", "quota-memory"}
"""What every comparison plays; the long one plays all."""
LIVE = [pytest.param(name, marks=() if name in SHORT else pytest.mark.long) for name in seeds()]


@pytest.mark.parametrize("name", [name for name in seeds() if name not in WAITS])
def test_the_folder_is_what_the_real_qmaster_showed(name: str) -> None:
    assert not list(map(str, compared(name).mismatches))


@pytest.mark.parametrize("name", seeds())
def test_what_was_recorded(name: str, tmp_path: Path) -> None:
    scenario = seed_scenario(name)
    verdict = judge(kept_runs(scenario), scenario.files, tmp_path)
    assert not verdict.complaint, verdict.complaint
    assert not verdict.not_simulated


@pytest.mark.qmaster
@pytest.mark.parametrize("name", LIVE)
def test_the_real_thing(name: str, qmaster: Qmaster, tmp_path: Path) -> None:
    scenario = seed_scenario(name)
    reason = why_not_played(scenario)
    if reason:
        pytest.skip(reason)
    verdict = played_and_judged(qmaster, scenario, tmp_path)
    assert not verdict.complaint, verdict.complaint
