"""Which numbers of slots are tried in one parallel environment, and what comes of them (parallel.md#one-attempt)."""

from dataclasses import replace

import pytest

from qmon_tui.qmaster import simulate
from qmon_tui.scheduler.matching import FITS, NEVER
from qmon_tui.scheduler.parallel.pe_search import PeSearch
from tests.unit.scheduler.building import cluster, environment, host, job, queue, running, state

ON = cluster(
    queue("all.q", "h1 h2", 4, pe_list="fill two one small"), environment("fill"), environment("two", "2"),
    environment("one", "$pe_slots"), environment("small", slots=3), host("h1"), host("h2"),
)  # fmt: skip


def search_of(options: str, used: int = 0) -> PeSearch:
    """Of a job with these options; `used` slots are taken by another one."""
    name = options.split()[0]
    busy = [running(1, "all.q@h1", f"-pe {name} 1", slots=used)] if used else []
    run = simulate(ON, state([*busy, job(2, f"-h -pe {options}")]))
    run_job = run.jobs[-1]
    request = run_job.job.request.pe
    assert request is not None
    parallel = run.dispatch.parallel
    return PeSearch(parallel, run_job, parallel.environments[name], request, None, None)


@pytest.mark.parametrize(
    ("options", "lowest", "highest", "counts"),
    [
        ("fill 1-4", 1, 4, [1, 2, 3, 4]),
        ("fill 1-9", 2, 5, [2, 3, 4, 5]),
        ("fill 3", 3, 3, [3]),
        ("fill 1,3,9", 1, 5, [1, 3]),
        ("fill 5-6,1-2", 1, 9, [1, 2, 5, 6]),
        ("one 2-3", 2, 3, [2, 3]),
        ("two 1-6", 1, 6, [2, 4, 6]),
        ("two 1-6", 3, 5, [4]),
        ("two 3", 3, 3, []),
    ],
)
def test_the_numbers_of_slots_that_are_tried(options: str, lowest: int, highest: int, counts: list[int]) -> None:
    assert list(search_of(options)._counts(lowest, highest)) == counts


@pytest.mark.parametrize(
    ("name", "lowest", "highest", "counts"),
    [("fill", 1, 9, [2, 5, 8]), ("fill", 3, 8, [5, 8]), ("fill", 1, 7, [2, 5]), ("two", 1, 9, [2, 8])],
)
def test_of_a_range_with_steps_only_these_are_tried(name: str, lowest: int, highest: int, counts: list[int]) -> None:
    search = search_of(f"{name} 2-9")
    search.request = replace(search.request, ranges=((2, 9, 3),))
    assert list(search._counts(lowest, highest)) == counts


@pytest.mark.parametrize(
    ("options", "used", "least", "slots", "result"),
    [
        ("fill 1-9", 0, 0, 8, FITS),
        ("fill 1-9", 3, 0, 5, FITS),
        ("fill 1-9", 0, 9, None, NEVER),
        ("fill 9", 0, 0, None, NEVER),
        ("fill 1-9", 0, 8, 8, FITS),
        ("one 1-9", 0, 0, 4, FITS),
        ("one 1-9", 0, 5, None, NEVER),
        ("two 3-9", 1, 0, 4, FITS),
        ("small 1-9", 0, 0, 3, FITS),
        ("small 1-9", 2, 0, 1, FITS),
        ("small 4", 0, 0, None, NEVER),
        ("small 3-9", 0, 4, None, NEVER),
    ],
)
def test_the_highest_number_of_slots_that_fits(
    options: str, used: int, least: int, slots: int | None, result: int
) -> None:
    search = search_of(options, used)
    assignment = search.highest(least)
    assert (None if assignment is None else assignment.slots) == slots
    assert search.result == result
    if assignment is not None:
        assert sum(amount for _, amount in assignment.grants) == slots
        assert assignment.violations == 0
