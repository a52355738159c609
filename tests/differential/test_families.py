"""A few numbers of every family on the real system and in the engine; `make differential` plays many."""

from pathlib import Path

import pytest

from tests.differential.families import families
from tests.differential.qmaster import Qmaster
from tests.differential.recording import RECORDED, kept_runs
from tests.differential.running import judge, played_and_judged, why_not_played

EVERY = 3
"""What is recorded of each holds everywhere; that it still holds, every run tries of a third, the long one of all."""
LIVE = [
    pytest.param(name, marks=() if number % EVERY == 0 else pytest.mark.long) for number, name in enumerate(families())
]


def test_a_number_always_draws_the_same() -> None:
    for family in families().values():
        first, second = family.scenario(0), family.scenario(1)
        assert first == family.scenario(0)
        assert (first.files, first.session) != (second.files, second.session)
        assert len(first.steps) >= 2, f"{family.name} plays less than two runs"


def test_families_that_name_a_host_twice_are_not_crossed() -> None:
    assert families()["crossed"].scenario(50005).steps


def recorded_families() -> list[str]:
    """Names of recorded scenarios, such as `quota-1`."""
    names = (path.name.removeprefix("runs-").removesuffix(".json.gz") for path in RECORDED.glob("runs-*.json.gz"))
    return sorted(name for name in names if name.rpartition("-")[0] in families())


@pytest.mark.parametrize("name", recorded_families())
def test_what_was_recorded(name: str, tmp_path: Path) -> None:
    family, _, number = name.rpartition("-")
    scenario = families()[family].scenario(int(number))
    verdict = judge(kept_runs(scenario), scenario.files, tmp_path)
    assert not verdict.complaint, verdict.complaint


@pytest.mark.qmaster
@pytest.mark.parametrize("name", LIVE)
def test_the_first_number(name: str, qmaster: Qmaster, tmp_path: Path) -> None:
    scenario = families()[name].scenario(0)
    reason = why_not_played(scenario)
    if reason:
        pytest.skip(reason)
    verdict = played_and_judged(qmaster, scenario, tmp_path)
    assert not verdict.complaint, verdict.complaint
