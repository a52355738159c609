"""Invented clusters and sessions on the real system and in the engine."""

from pathlib import Path

import pytest

from tests.differential.inventing import invented
from tests.differential.qmaster import Qmaster
from tests.differential.running import judge, real_runs

QUICK = 3
LONG = 200


def assert_agreement(qmaster: Qmaster, seed: int, leave_in: Path) -> None:
    scenario = invented(seed)
    verdict = judge(real_runs(qmaster, scenario, patient=True), scenario.files, leave_in)
    assert not verdict.complaint, verdict.complaint
    assert verdict.comparisons


@pytest.mark.qmaster
@pytest.mark.parametrize("seed", range(QUICK))
def test_a_few(qmaster: Qmaster, seed: int, tmp_path: Path) -> None:
    assert_agreement(qmaster, seed, tmp_path)


@pytest.mark.qmaster
@pytest.mark.long
@pytest.mark.parametrize("seed", range(QUICK, LONG))
def test_many(qmaster: Qmaster, seed: int, tmp_path: Path) -> None:
    assert_agreement(qmaster, seed, tmp_path)
