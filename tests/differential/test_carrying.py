"""What runs in a row decide of the state that our own outcome, commands and events have made, and the real ones."""

from dataclasses import replace
from itertools import count, islice
from pathlib import Path
from time import time

import pytest

from tests.differential.carrying import can_be_carried, judge
from tests.differential.families import families
from tests.differential.qmaster import Qmaster
from tests.differential.recording import kept_runs
from tests.differential.running import real_runs, why_not_played
from tests.differential.scenarios import scenarios
from tests.differential.timed_scenarios import TIMED

FAMILIES = ("carried", "commanded", "altered", "arrays", "subordination", "calendars", "advance", "sharetree", "loads")
ALWAYS, LONG = ("carried", "commanded", "arrays"), 10


def carried_number(family: str, place: int) -> int:
    """Of the numbers of a family that can be carried the one at a place."""
    drawn = (number for number in count() if can_be_carried(families()[family].scenario(number)))
    return next(islice(drawn, place, None))


@pytest.mark.qmaster
@pytest.mark.parametrize(
    ("family", "place"),
    [
        pytest.param(family, place, marks=() if family in ALWAYS and place == 0 else pytest.mark.long)
        for family in FAMILIES
        for place in range(LONG)
    ],
)
def test_runs_after_our_own_outcome_agree(family: str, place: int, qmaster: Qmaster, tmp_path: Path) -> None:
    scenario = families()[family].scenario(carried_number(family, place))
    reason = why_not_played(scenario)
    if reason:
        pytest.skip(reason)
    verdict = judge(real_runs(qmaster, scenario), scenario, tmp_path)
    assert not verdict.complaint, verdict.complaint
    assert verdict.runs == len(scenario.steps)


@pytest.mark.qmaster
@pytest.mark.long
@pytest.mark.parametrize("name", TIMED)
def test_what_comes_with_the_time_comes_here_too(name: str, qmaster: Qmaster, tmp_path: Path) -> None:
    scenario = TIMED[name](time())
    verdict = judge(real_runs(qmaster, scenario), scenario, tmp_path)
    assert not verdict.complaint, verdict.complaint
    assert verdict.runs == len(scenario.steps)


@pytest.mark.parametrize("name", ["booked_when_forced", "refused_again", "refused_array"])
def test_what_a_run_leaves_is_in_our_state(name: str, tmp_path: Path) -> None:
    """As real runs were recorded: of what qdel -f and qrdel -f end, and of starts that the qmaster refuses."""
    scenario = scenarios()[name]
    # When each deed was done is not kept: here it was in the second of the run.
    runs = [
        replace(run, times=((run.at, 0),) * len(step.actions))
        for run, step in zip(kept_runs(scenario), scenario.steps, strict=True)
    ]
    verdict = judge(runs, scenario, tmp_path)
    assert not verdict.complaint, verdict.complaint
    assert verdict.runs == len(scenario.steps)
