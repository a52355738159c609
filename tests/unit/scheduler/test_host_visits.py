"""Which hosts an attempt for a parallel job visits, and what it takes note of (parallel.md#one-attempt)."""

from dataclasses import replace
from typing import Any

import pytest

from qmon_tui.model import ConfigObject
from qmon_tui.qmaster import simulate
from qmon_tui.scheduler.jobs import HostScan
from qmon_tui.scheduler.parallel import PeAttempt
from qmon_tui.scheduler.parallel.available_slots import AvailableSlots
from qmon_tui.scheduler.parallel.failed_visits import FailedVisit
from qmon_tui.scheduler.parallel.host_visits import HostVisits
from tests.unit.scheduler.building import attribute, cluster, environment, job, queue, state
from tests.unit.scheduler.test_quotas import quota

KIND = (1, False, ())
BOTH = (False, True)


def attempt(*, shared: bool = False, lone: bool = False, also: tuple[ConfigObject, ...] = (), **more: Any) -> PeAttempt:
    """On six hosts, the last with no parallel queue, for one of two jobs that are alike.

    With `shared` their quota is not enough for twice the slots.
    """
    on = cluster(
        queue("a.q", "h1 h2 h3 h4 h5", 2, seq_no="1", pe_list="fill"), queue("b.q", "h6", 2, seq_no="0"),
        queue("c.q", "h1 h3", 2, seq_no="2", pe_list="fill"),
        environment("fill"), quota("few", f"users {{*}} to slots={7 if shared else 8}"), *also,
    )  # fmt: skip
    jobs = [job(number, "-pe fill 99") for number in ((1,) if lone else (1, 2))]
    parallel = (run := simulate(on, state(jobs))).dispatch.parallel
    made = parallel.pe_attempt(run.jobs[-1], parallel.environments["fill"], 4, **more)
    made.pe_cache.__init__()  # type: ignore[misc]
    return made


def visited(made: PeAttempt, **more: Any) -> list[int]:
    fields: dict[str, Any] = {"host_list": None, "is_quick": True, **more}
    return list(HostVisits(made, AvailableSlots(made), **fields))


def changed(made: PeAttempt, **more: Any) -> None:
    for name, value in more.items():
        getattr(made.pe_cache, name).update(value)


@pytest.mark.parametrize(
    ("known", "is_quick", "shared", "hosts", "skipped", "passed", "useful"),
    [
        ({}, True, False, [0, 1, 2, 3, 4], [5], [], {0, 1, 2, 3, 4}),
        ({}, False, False, [0, 1, 2, 3, 4], [5], [], None),
        ({"skipped_hosts": {0: None}}, True, False, [1, 2, 3, 4], [0, 5], [], {1, 2, 3, 4}),
        ({"skipped_hosts": {0: None, 2: None}}, True, False, [1, 3, 4], [0, 2, 5], [], {1, 3, 4}),
        ({"skipped_hosts": {0: None}}, False, False, [0, 1, 2, 3, 4], [0, 5], [], None),
        ({"full_hosts": {KIND: {1: 0, 2: 1}}}, True, False, [0, 2, 3, 4], [5], [], {0, 2, 3, 4}),
        ({"full_hosts": {KIND: {1: 0, 2: 1}}}, False, False, [0, 1, 2, 3, 4], [5], [], None),
        ({"full_hosts": {(2, False, ()): {1: 0}}}, True, False, [0, 1, 2, 3, 4], [5], [], {0, 1, 2, 3, 4}),
        (
            {"full_hosts": {KIND: {1: 0, 3: 0}}, "too_small_hosts": {KIND: {1, 2}}},
            True, False, [0, 2, 4], [1, 5], [], {0, 2, 4},
        ),
        ({"hosts_over_quota": {KIND: {2: 0, 3: 1}}}, True, False, [0, 1, 3, 4], [5], [2], {0, 1, 3, 4}),
        ({"hosts_over_quota": {KIND: {2: 0}}}, True, True, [0, 1, 2, 3, 4], [5], [], {0, 1, 3, 4}),
        ({"hosts_over_quota": {KIND: {2: 0}}}, False, False, [0, 1, 2, 3, 4], [5], [], None),
    ],
)  # fmt: skip
def test_hosts_of_which_something_is_known_are_left_out(
    known: dict[str, Any],
    is_quick: bool,
    shared: bool,
    hosts: list[int],
    skipped: list[int],
    passed: list[int],
    useful: set[int] | None,
) -> None:
    made = attempt(shared=shared)
    changed(made, **known)
    assert visited(made, is_quick=is_quick) == hosts
    assert list(made.pe_cache.skipped_hosts) == skipped
    assert made.remaining_quota is not None
    assert made.remaining_quota.passed_hosts == passed
    scans = {} if useful is None else {KIND: HostScan(0, True, frozenset(useful))}
    assert made.pe_cache.host_scans == scans


@pytest.mark.parametrize(
    ("lone", "learns", "skipped", "has_learned"),
    [(False, True, [5], True), (False, False, [], False), (True, True, [], False)],
)
def test_only_an_attempt_that_learns_skips_hosts_without_a_suitable_queue(
    lone: bool, learns: bool, skipped: list[int], has_learned: bool
) -> None:
    made = attempt(lone=lone, learns=learns)
    assert visited(made) == [0, 1, 2, 3, 4]
    assert list(made.pe_cache.skipped_hosts) == skipped
    assert made.pe_cache.host_scans[KIND].has_learned is has_learned


@pytest.mark.parametrize(("says", "hosts", "skipped"), [(True, [0, 1, 2, 3, 4, 5], []), (False, [0, 1, 2, 3, 4], [5])])
def test_where_something_is_said_the_other_hosts_come_last(says: bool, hosts: list[int], skipped: list[int]) -> None:
    made = attempt(say=[].append if says else None)
    assert visited(made, host_list=range(6), is_quick=False) == hosts
    assert list(made.pe_cache.skipped_hosts) == skipped


@pytest.mark.parametrize(
    ("scan", "known", "learns", "changes", "hosts"),
    [
        (HostScan(0, True, frozenset({1, 3})), {}, True, (), [1, 3]),
        (HostScan(0, True, frozenset({1, 3})), {}, True, (4, 1), [1, 3, 4]),
        (HostScan(1, True, frozenset({1, 3})), {}, True, (4, 2), [1, 2, 3]),
        (HostScan(0, True, frozenset({1, 3})), {"skipped_hosts": {3: None}}, True, (), [1]),
        # Who has to learn of hosts looks at all of them unless they are known already.
        (HostScan(0, False, frozenset({1, 3})), {}, True, (), [0, 1, 2, 3, 4]),
        (HostScan(0, False, frozenset({1, 3})), {}, False, (), [1, 3]),
        (HostScan(0, True, frozenset({1, 3})), {"too_small_hosts": {KIND: {2}}}, True, (), [0, 1, 2, 3, 4]),
        (HostScan(0, True, frozenset({1, 3})), {"too_small_hosts": {KIND: {2}}}, False, (), [1, 3]),
        (
            HostScan(0, True, frozenset({1, 3})),
            {"too_small_hosts": {KIND: {2}}, "skipped_hosts": {2: None}},
            True, (), [1, 3],
        ),
        # What is left to a queue instance that was given up depends on the hosts before.
        (HostScan(0, True, frozenset({1, 3})), {"skipped_instances": {3: None}}, True, (), [0, 1, 2, 3, 4]),
        (HostScan(0, True, frozenset({1, 3})), {"skipped_instances": {2: None}}, True, (), [1, 3]),
    ],
)  # fmt: skip
def test_after_a_look_at_all_hosts_only_those_are_visited_that_may_give_something(
    scan: HostScan, known: dict[str, Any], learns: bool, changes: tuple[int, ...], hosts: list[int]
) -> None:
    made = attempt(learns=learns)
    for host in changes:
        made.context.resources.note_change(host)
    changed(made, host_scans={KIND: scan}, **known)
    assert visited(made) == hosts


@pytest.mark.parametrize("shared", [False, True])
def test_what_was_over_quota_counts_only_where_there_is_enough_for_all(shared: bool) -> None:
    made = attempt(shared=shared)
    changed(made, host_scans={KIND: HostScan(0, True, frozenset({1}))}, hosts_over_quota={KIND: {2: 0}})
    assert visited(made) == ([0, 1, 2, 3, 4] if shared else [1])


@pytest.mark.parametrize("lone", [False, True])
@pytest.mark.parametrize("learns", [False, True])
@pytest.mark.parametrize("has_quota", [False, True])
@pytest.mark.parametrize("failed", [None, *(FailedVisit(a, b, c) for a in BOTH for b in BOTH for c in BOTH)])
def test_what_came_of_a_visit_is_noted(failed: FailedVisit | None, has_quota: bool, learns: bool, lone: bool) -> None:
    made = attempt(lone=lone, learns=learns)
    made = made if has_quota else replace(made, remaining_quota=None)
    made.pe_cache.too_small_hosts[KIND] = {1, 2}
    visits = HostVisits(made, AvailableSlots(made), None, is_quick=True)
    visits.note((2, 3), failed)
    stays, small = failed is not None and failed.stays_so, failed is not None and failed.is_too_small
    is_full = failed is not None and (failed.is_full or not has_quota)
    assert made.pe_cache.full_hosts.get(KIND, {}) == ({2: 0, 3: 0} if stays and is_full else {})
    assert made.pe_cache.hosts_over_quota.get(KIND, {}) == ({2: 0, 3: 0} if stays and not is_full else {})
    assert made.pe_cache.too_small_hosts[KIND] == ({1, 2, 3} if stays and small else {1} if stays else {1, 2})
    assert list(made.pe_cache.skipped_hosts) == ([2, 3] if small and learns and not lone else [])
    assert [visits.is_known(host) for host in (1, 2, 3)] == [False, bool(stays), bool(stays)]


class Known:
    """Visits of which it is known what they come to."""

    def __init__(self, made: PeAttempt, known: dict[int, FailedVisit]) -> None:
        self.pe_attempt = made
        self.known = known

    def like(self, host: int) -> FailedVisit | None:
        return self.known.get(host)

    def learn(self, host: int, failed_visit: FailedVisit | None, collected: int) -> None:
        """Nothing is learnt."""


def test_hosts_that_are_like_one_that_gave_nothing_are_noted_as_if_visited() -> None:
    made = attempt()
    full, small = FailedVisit(True, True, False), FailedVisit(True, True, True)
    assert made.remaining_quota is not None
    made.remaining_quota.skipped_hosts.add(1)
    known = Known(made, {0: full, 1: full, 2: small, 4: small})
    assert visited(made, failed_visits=known) == [3]
    assert made.pe_cache.full_hosts == {KIND: {0: 0, 2: 0, 4: 0}}
    assert made.pe_cache.too_small_hosts == {KIND: {2, 4}}
    assert list(made.pe_cache.skipped_hosts) == [2, 4, 5]


def test_hosts_come_with_their_first_queue_instance_however_many_they_have() -> None:
    made = attempt(also=(queue("d.q", "h7", 2, seq_no="9", pe_list="fill"),))
    assert [made.context.resources.host_names[host] for host in visited(made)] == ["h1", "h2", "h3", "h4", "h5", "h7"]


@pytest.mark.parametrize(
    ("lone", "is_exclusive", "hosts"),
    [(True, True, [0, 1, 2, 3, 4, 5]), (True, False, [0, 1, 2, 3, 4]), (False, True, [0, 1, 2, 3, 4])],
)
def test_a_look_at_hosts_in_exclusive_use_matters_to_a_lone_job(
    lone: bool, is_exclusive: bool, hosts: list[int]
) -> None:
    made = attempt(lone=lone, also=(attribute("x x BOOL EXCL YES YES 0"),) if is_exclusive else ())
    visits = HostVisits(made, AvailableSlots(made), range(6), is_quick=False)  # type: ignore[arg-type]
    assert list(visits) == visits.visited == hosts
    assert list(made.pe_cache.skipped_hosts) == ([] if lone else [5])


@pytest.mark.parametrize(("lone", "hosts"), [(False, [1]), (True, [1, 3])])
def test_a_lone_job_does_not_ask_which_hosts_its_category_has_given_up(lone: bool, hosts: list[int]) -> None:
    made = attempt(lone=lone)
    changed(made, host_scans={KIND: HostScan(0, True, frozenset({1, 3}))}, skipped_hosts={3: None})
    assert visited(made) == hosts
