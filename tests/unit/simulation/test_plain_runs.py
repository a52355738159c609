"""A day of runs that take over what the last one has left is the day of plain runs, to the byte."""

import pytest

from qmon_tui.model import Cluster, State
from qmon_tui.qmaster import Run, simulate
from qmon_tui.simulation import simulator
from tests.unit.simulation.test_conservation import told


def plain_run(cluster: Cluster, state: State) -> Run:
    """A run that knows nothing of others, by all rules as they stand."""
    return simulate(cluster, state, fast=False)


@pytest.mark.parametrize("seeds", [range(first, first + 8) for first in range(0, 40, 8)])
def test_a_day_is_the_same_by_plain_runs(seeds: range, monkeypatch: pytest.MonkeyPatch) -> None:
    days = [told(seed) for seed in seeds]
    monkeypatch.setattr(simulator, "next_run", plain_run)
    assert days == [told(seed) for seed in seeds]
