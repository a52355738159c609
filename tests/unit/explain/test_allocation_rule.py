"""How the slots of a parallel job may be divided, by the allocation rule of its environment."""

import pytest

from qmon_tui.explain.level_fit import allocatable_slots, fewest_slots_of_request, least_slots, slots_per_host
from qmon_tui.model.jobs import PeRequest
from qmon_tui.scheduler.configuration import compile_cluster
from qmon_tui.scheduler.configuration.parallel_environments import ParallelEnvironment
from qmon_tui.scheduler.matching import GLOBAL, HOST
from tests.unit.scheduler.building import cluster, environment


def environment_of(rule: str) -> ParallelEnvironment:
    return compile_cluster(cluster(environment("mpi", rule))).environments["mpi"]


def request(*ranges: tuple[int, int, int]) -> PeRequest:
    return PeRequest("mpi", ranges)


@pytest.mark.parametrize(
    ("rule", "ranges", "fewest", "allocatable"),
    [
        ("$fill_up", [(3, 7, 2)], 3, [3]),
        ("$pe_slots", [(5, 5, 1)], 5, [5]),
        ("2", [(3, 9, 1)], 4, [4]),
        ("2", [(3, 9, 2)], 3, []),
        ("4", [(1, 9, 1)], 4, [4]),
        ("4", [(6, 7, 1), (8, 12, 4)], 8, [8, 12]),
        ("nonsense", [(2, 3, 1)], 2, []),
    ],
)
def test_the_fewest_slots_are_those_that_the_rule_can_give(
    rule: str, ranges: list[tuple[int, int, int]], fewest: int, allocatable: list[int]
) -> None:
    assert fewest_slots_of_request(request(*ranges), environment_of(rule)) == fewest
    assert list(allocatable_slots(request(*ranges), environment_of(rule))) == allocatable
    assert fewest_slots_of_request(request(*ranges)) == min(first for first, _, _ in ranges)


def test_a_sequential_job_has_one_slot() -> None:
    assert fewest_slots_of_request(None) == 1
    assert list(allocatable_slots(None, environment_of("$fill_up"))) == [1]


@pytest.mark.parametrize(("rule", "each"), [("$fill_up", 0), ("$pe_slots", 0), ("1", 1), ("12", 12), ("nonsense", 0)])
def test_only_a_number_says_how_many_each_host_gives(rule: str, each: int) -> None:
    assert slots_per_host(environment_of(rule)) == each


@pytest.mark.parametrize(
    ("rules", "everywhere", "host"),
    [
        (["$pe_slots"], 6, 6),
        (["$fill_up"], 6, 1),
        (["3"], 6, 3),
        (["$pe_slots", "2"], 6, 2),
        (["nonsense"], 6, 1),
    ],
)
def test_so_many_slots_have_to_be_together(rules: list[str], everywhere: int, host: int) -> None:
    environments = [environment_of(rule) for rule in rules]
    assert least_slots(request((6, 6, 1)), environments) == {GLOBAL: everywhere, HOST: host}


def test_without_environments_nothing_is_known_of_hosts() -> None:
    assert least_slots(request((6, 6, 1)), []) == {}
