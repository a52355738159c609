"""Some time on the real qmaster and in the simulator: the same tasks with the same slots, at nearly the same times."""

from dataclasses import replace

import pytest

from tests.differential.day import Day
from tests.differential.day_differences import AT_MOST, beyond, differences, noise
from tests.differential.days import SEEDS, enclosed, our_day, real_day, recorded
from tests.differential.qmaster import Qmaster
from tests.differential.workloads import WORKLOADS, Workload, short


@pytest.mark.parametrize("workload", WORKLOADS, ids=lambda workload: workload.name)
def test_what_was_recorded_is_simulated(workload: Workload) -> None:
    """Chance decides what ends in one second; each recording is near the day of one of twenty seeds."""
    days = recorded(workload)
    spread = noise(days)
    for real in days:
        found = (beyond(differences(real, our_day(workload, real, seed)), spread) for seed in SEEDS)
        assert {} in found


def test_each_recorded_start_is_between_those_of_twenty_seeds_and_one_seed_has_them_all() -> None:
    """Three days in which what ends in one second was seen by one run or by two, here and there."""
    waves = next(workload for workload in WORKLOADS if workload.name == "waves")
    for real in recorded(waves):
        ours = [our_day(waves, real, seed) for seed in SEEDS]
        assert enclosed(real, ours) == 1
        assert max(differences(real, day)["same start"] for day in ours) == 1


@pytest.mark.qmaster
def test_a_short_workload(qmaster: Qmaster) -> None:
    workload = short(WORKLOADS[0], 12)
    real = real_day(qmaster, workload)
    assert beyond(differences(real, our_day(workload, real)), {}) == {}


@pytest.mark.qmaster
@pytest.mark.long
@pytest.mark.parametrize("workload", WORKLOADS, ids=lambda workload: workload.name)
def test_a_workload(workload: Workload, qmaster: Qmaster) -> None:
    real = real_day(qmaster, workload)
    spread = noise(recorded(workload))
    assert {} in (beyond(differences(real, our_day(workload, real, seed)), spread) for seed in SEEDS)


def day(second: int) -> Day:
    """Two tasks, the second so many seconds after the first."""
    return Day(
        jobs={1: (0, "anna", "sleep 9"), 2: (0, "bela", "sleep 9")},
        started={(1, 1): 0, (2, 1): second},
        ended={(1, 1): 9, (2, 1): second + 9},
        places={(1, 1): {"q": 1}, (2, 1): {"q": 1}},
    )


def test_days_that_differ_are_noticed() -> None:
    found = differences(day(9), day(30))
    assert (found["tasks"], found["median start"], found["p90 start"], found["same start"]) == (2, 10.5, 21, 0.5)
    assert (found["mean wait"], found["owner's wait"], found["makespan"], found["order"]) == (10.5, 21, 21, 1)
    assert beyond(found, {}).keys() == AT_MOST.keys()


def test_the_real_system_may_be_as_far_from_itself() -> None:
    spread = noise([day(9), day(20), day(30)])
    assert spread["makespan"] == 21
    assert beyond(differences(day(9), day(40)), spread) == {}


def test_slots_and_early_places_are_the_same_to_the_last() -> None:
    one = day(9)
    elsewhere = replace(one, places={(1, 1): {"p": 1}, (2, 1): {"q": 2}})
    assert beyond(differences(one, elsewhere), {}) == {"other slots": 1, "other places": 1}


def test_a_day_is_kept_as_it_was() -> None:
    one = replace(day(9), begin=-3, commands=[(4, "qdel 2")])
    assert Day.of(one.data()) == one
