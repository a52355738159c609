"""What runs decide of a state that our own commands have made, and the real ones after the real commands."""

from itertools import count, islice
from pathlib import Path

import pytest

from tests.differential.families import families
from tests.differential.own_commands import has_only_own_commands, judge
from tests.differential.qmaster import Qmaster
from tests.differential.running import real_runs

FAMILIES = ("commanded", "altered", "arrays")
ALWAYS, LONG = 1, 15


def own_command_runs(family: str, number: int) -> list[tuple[str, int]]:
    """The first numbers of a family of which all is done by commands that are ours."""
    drawn = (one for one in count() if has_only_own_commands(families()[family].scenario(one)))
    return [(family, one) for one in islice(drawn, number)]


@pytest.mark.qmaster
@pytest.mark.parametrize(
    ("family", "number"),
    [
        pytest.param(*one, marks=[pytest.mark.long][: place >= ALWAYS])
        for family in FAMILIES
        for place, one in enumerate(own_command_runs(family, LONG))
    ],
)
def test_runs_after_our_own_commands_agree(family: str, number: int, qmaster: Qmaster, tmp_path: Path) -> None:
    scenario = families()[family].scenario(number)
    verdict = judge(real_runs(qmaster, scenario), scenario, tmp_path)
    assert verdict.runs == len(scenario.steps)
    assert not verdict.complaint, verdict.complaint
