"""For which jobs a job waits once its -hold_jid and -hold_jid_ad are settled."""

import pytest

from qmon_tui.qmaster.commands.hold_jid import (
    cycle,
    with_resolved_hold_jid,
    with_resolved_successors,
    without_absent_predecessors,
)
from tests.unit.scheduler.building import NOW, job, state

THERE = state([job(3, "-N three"), job(4, "-N four", owner="bert"), job(6, "-N three"), job(7, "-N late -t 1-3")])


@pytest.mark.parametrize(
    ("number", "options", "settled", "there"),
    [
        (5, "", "", ""),
        (5, "-hold_jid 2,3", "-hold_jid 2,3", "-hold_jid 3"),
        (5, "-hold_jid 3,9,4", "-hold_jid 3,4", "-hold_jid 3,4"),
        (5, "-hold_jid 9", "", ""),
        (5, "-hold_jid th*,9", "-hold_jid 3,6", "-hold_jid th*"),
        (5, "-hold_jid late", "-hold_jid 7", "-hold_jid late"),
        (5, "-hold_jid nobody", "-hold_jid nobody", "-hold_jid nobody"),
        (5, "-hold_jid four", "-hold_jid four", "-hold_jid four"),
        (8, "-hold_jid three,3", "-hold_jid three,3", "-hold_jid three,3"),
        (5, "-t 1-3 -hold_jid_ad 7,9", "-t 1-3 -hold_jid_ad 7", "-t 1-3 -hold_jid_ad 7"),
        (5, "-t 1-3 -hold_jid_ad 2", "-t 1-3 -hold_jid_ad 2", "-t 1-3"),
    ],
)
def test_numbers_that_cannot_come_and_those_that_are_not_there(
    number: int, options: str, settled: str, there: str
) -> None:
    new = job(number, options)
    for found, expected in (
        (with_resolved_hold_jid(THERE, new), settled),
        (without_absent_predecessors(THERE, new), there),
    ):
        assert (found.qsub, found.request) == ((wanted := job(number, expected)).qsub, wanted.request)


def test_jobs_of_its_owner_that_name_a_job_by_a_pattern_name_it_by_its_number_before_it_is_renamed() -> None:
    others = ("-hold_jid a", "-hold_jid nob*", "-hold_jid 1", "-t 1-2 -hold_jid_ad a*", "")
    jobs = [job(1, "-N a"), *(job(number, options) for number, options in enumerate(others, 2))]
    after = with_resolved_successors(state([*jobs, job(7, "-hold_jid a", owner="bert")]), jobs[0])
    named = [(*each.request.hold_jid, *each.request.hold_jid_ad) for each in after.jobs]
    assert named == [(), ("1",), (), ("1",), ("1",), (), ("a",)]


@pytest.mark.parametrize(
    ("number", "options", "said"),
    [
        (1, "", None),
        (1, "-hold_jid 4", None),
        (1, "-hold_jid 3", "job 1 dependency change would generate a dependency cycle with job 2"),
        (1, "-hold_jid 2", "job 1 dependency change would generate a dependency cycle with job 2"),
        (2, "-hold_jid 1", None),
        (2, "-hold_jid 3", "job 2 dependency change would generate a dependency cycle with job 3"),
        (3, "", None),
    ],
)
def test_a_job_does_not_wait_for_itself_by_way_of_others(number: int, options: str, said: str | None) -> None:
    """Job 3 waits for job 2, and that for job 1."""
    there = state([job(1), job(2, "-hold_jid 1"), job(3, "-hold_jid 2"), job(4)])
    assert cycle(there, job(number, options, changed=float(NOW))) == said
