"""Some time on the real qmaster and in the simulator: the same tasks with the same slots, at nearly the same times."""

from collections.abc import Mapping

import pytest

from tests.differential.days import Day, differences, our_day, real_day
from tests.differential.qmaster import Qmaster
from tests.differential.workloads import WORKLOADS, Workload, short

AT_MOST = {"median start": 3, "p90 start": 9, "mean wait": 3, "makespan": 6}
"""Seconds: a run of the real scheduler comes up to an interval later by chance."""


def assert_near(real: Day, ours: Day) -> None:
    found = differences(real, ours)
    assert (found["missing"], found["other slots"]) == (0, 0)
    assert found["order"] >= 0.95
    assert {name: found[name] for name, most in AT_MOST.items() if found[name] > most} == {}


@pytest.mark.qmaster
def test_a_short_workload(qmaster: Qmaster) -> None:
    workload = short(WORKLOADS[0], 12)
    real = real_day(qmaster, workload)
    assert_near(real, our_day(workload, real))


@pytest.mark.qmaster
@pytest.mark.long
@pytest.mark.parametrize("workload", WORKLOADS, ids=lambda workload: workload.name)
def test_a_workload(workload: Workload, qmaster: Qmaster) -> None:
    real = real_day(qmaster, workload)
    assert_near(real, our_day(workload, real))


def test_days_that_differ_are_noticed() -> None:
    places: dict[tuple[int, int], Mapping[str, int]] = {(1, 1): {"q": 1}, (2, 1): {"q": 1}}
    one, other = (
        Day({1: 0, 2: 0}, {(1, 1): 0, (2, 1): second}, {(1, 1): 9, (2, 1): second + 9}, places) for second in (9, 30)
    )
    found = differences(one, other)
    assert (found["tasks"], found["median start"], found["p90 start"]) == (2, 10.5, 21)
    assert (found["mean wait"], found["makespan"], found["order"]) == (10.5, 21, 1)
    with pytest.raises(AssertionError):
        assert_near(one, other)
