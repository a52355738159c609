"""What a run remembers about jobs of one kind (dispatch.md#job-categories)."""

from typing import Any

import pytest

from qmon_tui.scheduler.jobs.categories import EMPTY_SNAPSHOT, Category, PeCache, PlainCategory

NOBODY: Any = None
REMEMBERED: dict[str, Any] = {
    "rejected": True,
    "reservation_rejected": True,
    "unsuitable": {1},
    "unsuitable_hosts": {1},
    "unsuitable_queues": {"a.q"},
    "clear_queues": {"a.q"},
    "clear_hosts": {1},
    "skipped_instances": [1],
    "skipped_hosts": [1],
    "pe_caches": {"mpi": PeCache()},
}


def category(kind: type[Category], jobs: int) -> Category:
    made = kind(demand=NOBODY, base_category=7, jobs=jobs)
    made.skipped_instances += [5, 3]
    made.skipped_hosts += [2]
    return made


@pytest.mark.parametrize(
    ("jobs", "skipped", "instances", "hosts"),
    [(0, (0, 0), set(), set()), (1, (0, 0), set(), set()), (2, (2, 1), {5, 3}, {2}), (3, (2, 1), {5, 3}, {2})],
)
def test_only_what_is_found_out_for_one_of_several_jobs_is_skipped_by_the_others(
    jobs: int, skipped: tuple[int, int], instances: set[int], hosts: set[int]
) -> None:
    assert category(Category, jobs).skipped() == skipped
    plain = category(PlainCategory, jobs)
    assert (plain.skipped(), plain.unsuitable, plain.unsuitable_hosts) == (skipped, instances, hosts)
    assert (plain.unsuitable_queues, plain.clear_queues, plain.clear_hosts) == (set(), set(), set())


@pytest.mark.parametrize("name", REMEMBERED)
def test_another_run_finds_everything_out_anew(name: str) -> None:
    of, fresh = Category(NOBODY, 7, 3), Category(NOBODY, 7, 3)
    setattr(of, name, REMEMBERED[name])
    of.rejected_at, of.rejected_with, of.reasons = 4, 9, ("told",)
    of.forget()
    names = (*REMEMBERED, "demand", "base_category", "jobs", "rejected_at", "rejected_with", "reasons")
    assert [getattr(of, each) for each in names] == [getattr(fresh, each) for each in names]


def test_what_an_attempt_for_a_parallel_job_has_added_is_taken_back() -> None:
    pe_cache = PeCache([2, 4], dict.fromkeys((7, 3)), dict.fromkeys((5,)))
    before = pe_cache.snapshot()
    assert before == ([2, 4], 2, 1)
    assert PeCache().snapshot() == EMPTY_SNAPSHOT
    pe_cache.counts = [4]
    pe_cache.skipped_hosts.update(dict.fromkeys((1, 9)))
    pe_cache.skipped_instances.update(dict.fromkeys((2, 8)))
    pe_cache.cursor.entries = 4
    pe_cache.restore(before)
    assert list(pe_cache.counts) == [2, 4]
    assert (list(pe_cache.skipped_hosts), list(pe_cache.skipped_instances)) == ([7, 3], [5])
    assert pe_cache.cursor.entries == 0


def test_the_plain_rule_remembers_of_parallel_jobs_what_the_scheduler_does_and_nothing_else() -> None:
    plain = category(PlainCategory, 2).new_pe_cache()
    plain.counts = [3]
    plain.full_hosts = {(1, True, ()): {4: 0}}
    plain.clear_hosts = {4}
    plain.skipped_hosts[4] = None
    assert (plain.counts, list(plain.skipped_hosts)) == ([3], [4])
    assert (plain.full_hosts, plain.hosts_over_quota, plain.too_small_hosts, plain.host_scans) == ({}, {}, {}, {})
    assert (plain.clear_hosts, plain.clear_instances, plain.clear_queues) == (set(), set(), set())
    assert type(category(Category, 2).new_pe_cache()) is PeCache
