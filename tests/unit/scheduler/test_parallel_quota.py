"""What quotas leave to a parallel job in one attempt, and what is taken of it (quotas.md#check-for-parallel-jobs)."""

from typing import Any

import pytest

from qmon_tui.qmaster import simulate
from qmon_tui.scheduler.matching import ANY_TASK, FITS, NEVER, NO_LIMIT
from qmon_tui.scheduler.quotas import RemainingQuota
from tests.unit.scheduler.building import (
    attribute,
    cluster,
    environment,
    host,
    job,
    queue,
    running,
    scheduler,
    state,
)
from tests.unit.scheduler.test_quotas import quota

COMPLEXES = (
    attribute("lic lic INT <= YES YES 0"),
    attribute("gpu gpu INT <= YES YES 1"),
    attribute("once once INT <= YES JOB 0"),
    attribute("mark mark INT <= YES NO 0"),
    attribute("x x BOOL EXCL YES YES 0"),
)
WITH_ALL = "lic=99,gpu=99,once=99,mark=5"
INSTANCES = ("a.q@h1", "a.q@h2", "b.q@h1", "b.q@h2")


def remaining(*limits: str, options: str = "", used: int = 0, plans: int = 0, later: bool = False) -> RemainingQuota:
    """For a job of anna's beside what she has running in a.q@h1; each set of rules is written with ; between them."""
    sets = [quota(f"set{number}", *rules.split(";")) for number, rules in enumerate(limits)]
    on = cluster(
        *COMPLEXES, *sets, environment("fill"), host("h1", WITH_ALL), host("h2", WITH_ALL),
        queue("a.q", "h1 h2", 8, pe_list="fill"), queue("b.q", "h1 h2", 8, pe_list="fill"),
        scheduler(max_reservation=plans),
    )  # fmt: skip
    jobs = [*([running(1, "a.q@h1", "-pe fill 9", slots=used)] if used else []), job(2, f"-pe fill 99 {options}")]
    run = simulate(on, state(jobs, loads={"h1": {"num_proc": "2"}, "h2": {"num_proc": "4"}}))
    parallel = run.dispatch.parallel
    attempt = parallel.pe_attempt(run.jobs[-1], parallel.environments["fill"], 4, asks_for_later=later)
    assert attempt.remaining_quota is not None
    return attempt.remaining_quota


def rooms(left: RemainingQuota, say: Any = None) -> str:
    """Now and later of each queue instance; -: no limit, !: exceeded, m: no place of a master."""
    told: list[str] = []
    for number in range(len(INSTANCES)):
        room = left.room(number, ANY_TASK, say)
        texts = ["-" if amount == NO_LIMIT else str(amount) for amount in (room.now, room.later)]
        master = "" if room.master == ANY_TASK else "m"
        told.append("/".join(texts) + ("!" if room.result == NEVER else "") + master)
        assert room.result in (FITS, NEVER)
    return " ".join(told)


@pytest.mark.parametrize(
    ("limits", "options", "used", "left"),
    [
        (["users {*} to slots=5"], "", 0, "5/5 5/5 5/5 5/5"),
        (["users {*} to slots=5"], "", 2, "3/5 3/5 3/5 3/5"),
        (["users {*} to slots=5"], "", 5, "-/-! -/-! -/-! -/-!"),
        (["users {*} to slots=infinity"], "", 2, "-/- -/- -/- -/-"),
        (["hosts {*} to slots=5"], "", 2, "3/5 5/5 3/5 5/5"),
        (["queues {*} to slots=5"], "", 2, "3/5 3/5 5/5 5/5"),
        (["queues b.q to slots=5"], "", 2, "-/- -/- 5/5 5/5"),
        (["users {*} to lic=6"], "-l lic=2", 0, "3/3 3/3 3/3 3/3"),
        (["users {*} to lic=2"], "-l lic=2", 0, "1/1 1/1 1/1 1/1"),
        (["users {*} to once=1", "users {*} to slots=5"], "-l once=2", 0, "5/5m 5/5m 5/5m 5/5m"),
        (["users {*} to lic=7"], "-l lic=2", 0, "3/3 3/3 3/3 3/3"),
        (["users {*} to lic=1"], "-l lic=2", 0, "0/0! 0/0! 0/0! 0/0!"),
        (["users {*} to lic=1"], "", 0, "-/- -/- -/- -/-"),
        (["users {*} to gpu=3"], "", 0, "3/3 3/3 3/3 3/3"),
        (["users {*} to gpu=3"], "", 1, "2/3 2/3 2/3 2/3"),
        (["users {*} to gpu=3"], "", 3, "-/-! -/-! -/-! -/-!"),
        (["users {*} to gpu=3"], "-l gpu=2", 0, "1/1 1/1 1/1 1/1"),
        (["users {*} to gpu=3"], "-l gpu=2", 2, "0/0! 0/0! 0/0! 0/0!"),
        (["users {*} to once=1"], "-l once=1", 0, "-/- -/- -/- -/-"),
        (["users {*} to once=1"], "-l once=2", 0, "-/-m -/-m -/-m -/-m"),
        (["users {*} to mark=7"], "-l mark=5", 0, "-/-! -/-! -/-! -/-!"),
        (["users {*} to mark=7"], "", 0, "-/- -/- -/- -/-"),
        (["users {*} to slots=6,mark=7"], "-l mark=5", 0, "6/6! 6/6! 6/6! 6/6!"),
        (["users {*} to mark=7,slots=6"], "-l mark=5", 0, "-/-! -/-! -/-! -/-!"),
        (["users {*} to mark=7,slots=6"], "", 0, "6/6 6/6 6/6 6/6"),
        (["users {*} to slots=6,lic=4"], "-l lic=2", 0, "2/2 2/2 2/2 2/2"),
        (["users {*} to lic=4,slots=6"], "-l lic=2", 1, "2/2 2/2 2/2 2/2"),
        (["users {*} to lic=4,slots=6"], "", 1, "5/6 5/6 5/6 5/6"),
        (["hosts {*} to slots=$num_proc*2"], "", 1, "3/4 8/8 3/4 8/8"),
        (["users {*} to slots=5", "hosts {*} to slots=3"], "", 1, "2/3 3/3 2/3 3/3"),
        (["hosts {*} to slots=3", "users {*} to slots=5"], "", 3, "-/-! 2/3 -/-! 2/3"),
        (["hosts h1 to slots=3;users {*} to slots=5"], "", 3, "-/-! 5/5 -/-! 5/5"),
        (["users {*} to slots=5", "queues a.q to lic=0"], "-l lic=1", 1, "0/0! 0/0! 4/5 4/5"),
        (["queues a.q to lic=0", "users {*} to slots=5"], "-l lic=1", 1, "0/0! 0/0! 4/5 4/5"),
        (["users {*} to slots=5"], "-q a.q -l qname=a.q", 1, "4/5 4/5 4/5 4/5"),
    ],
)
def test_what_is_left_to_each_queue_instance(limits: list[str], options: str, used: int, left: str) -> None:
    assert rooms(remaining(*limits, options=options, used=used)) == left


@pytest.mark.parametrize(
    ("limit", "options", "used", "left"),
    [
        ("users {*} to slots=5", "", 0, "5/5 5/5 5/5 5/5"),
        ("users {*} to slots=5", "", 2, "3/3 3/3 3/3 3/3"),
        ("users {*} to slots=5", "", 5, "0/0 0/0 0/0 0/0"),
        ("users {*} to gpu=3", "-l gpu=2", 2, "0/0 0/0 0/0 0/0"),
        ("users {*} to lic=7", "-l lic=2", 0, "3/3 3/3 3/3 3/3"),
        ("users {*} to once=1", "-l once=1", 0, "-/- -/- -/- -/-"),
        ("users {*} to mark=7", "-l mark=5", 0, "-/-! -/-! -/-! -/-!"),
    ],
)
def test_where_runs_plan_ahead_nothing_is_over_for_good(limit: str, options: str, used: int, left: str) -> None:
    assert rooms(remaining(limit, options=options, used=used, plans=1)) == left


@pytest.mark.parametrize(
    ("limit", "used", "said", "queues", "hosts"),
    [
        ("users {*} to slots=2", 0, 0, set(), set()),
        ("users {*} to slots=2", 1, 0, set(), set()),
        ("users {*} to slots=2", 2, 4, set(), {0, 1}),
        ("queues {*} hosts {*} to slots=2", 2, 1, set(), set()),
        ("hosts {*} to slots=2", 2, 2, set(), set()),
        ("hosts h1,h2 to slots=2", 2, 4, set(), {0, 1}),
        ("queues {*} to slots=2", 2, 2, set(), set()),
        ("queues a.q,b.q to slots=2", 2, 4, {"a.q", "b.q"}, set()),
        ("queues a.q hosts h1 to slots=2", 2, 1, set(), set()),
        ("hosts h1 to slots=9;users {*} to slots=0", 0, 2, set(), {1}),
    ],
)
def test_what_an_exceeded_limit_rules_out_besides(
    limit: str, used: int, said: int, queues: set[str], hosts: set[int]
) -> None:
    left = remaining(limit, used=used)
    texts: list[str] = []
    rooms(left, texts.append)
    assert (len(texts), left.skipped_queues, left.skipped_hosts) == (said, queues, hosts)


@pytest.mark.parametrize(
    ("later", "taken", "taken_later", "said"), [(False, 2, 0, 4), (True, 2, 0, 0), (True, 2, 2, 4), (True, 1, 2, 0)]
)
def test_what_will_be_free_later_is_not_given_up(later: bool, taken: int, taken_later: int, said: int) -> None:
    left = remaining("users {*} to slots=2", later=later)
    rooms(left)
    left.take(0, taken)
    left.take_later(0, taken_later)
    texts: list[str] = []
    assert rooms(left, texts.append) == " ".join([f"{2 - taken}/{2 - taken_later}"] * 4)
    assert len(texts) == said
    assert left.skipped_hosts == ({0, 1} if said else set())


@pytest.mark.parametrize("later", [False, True])
def test_what_is_taken_of_a_limit_is_missing_elsewhere_until_it_is_given_back(later: bool) -> None:
    left = remaining("users {*} to slots=5", "hosts {*} to slots=4")
    take, give_back = (left.take_later, left.give_back_later) if later else (left.take, left.give_back)
    assert take(0, 3) == 0
    assert rooms(left) == "4/4 4/4 4/4 4/4"
    assert left.is_untouched(range(4))
    assert (take(0, 3), take(2, 3), take(1, 3), take(3, 3)) == (3, 1, 1, 0)
    assert left.is_untouched(range(4)) is later
    give_back(2, 1)
    assert (take(0, 3), take(3, 0), take(3, 3)) == (1, 0, 0)
    give_back(0, 4)
    give_back(1, 1)
    assert left.is_untouched(range(4))
    assert rooms(left) == "4/4 4/4 4/4 4/4"


@pytest.mark.parametrize(
    ("limit", "passed", "taken"),
    [
        ("users {*} to slots=5", [], (0, 0)),
        ("users {*} to slots=5", [0], (3, 2)),
        ("users {*} to slots=5", [1, 0], (3, 2)),
        ("hosts {*} to slots=5", [0, 1], (0, 0)),
        ("queues a.q to slots=5", [0], (3, 2)),
        ("queues a.q hosts h1 to slots=5", [1], (0, 3)),
        ("queues a.q hosts h1 to slots=5", [1, 0], (3, 3)),
    ],
)
def test_a_limit_counts_as_met_on_hosts_that_were_passed(limit: str, passed: list[int], taken: tuple[int, int]) -> None:
    left = remaining(limit)
    left.passed_hosts += passed
    assert (left.take(0, 3), left.take(1, 3)) == taken


@pytest.mark.parametrize(
    ("limit", "options", "used", "enough"),
    [
        ("users {*} to slots=5", "", 0, [1, 2]),
        ("users {*} to slots=6", "", 0, [1, 2, 3]),
        ("users {*} to slots=6", "", 1, [1, 2]),
        ("users {*} to slots=6", "", 6, []),
        ("users {*} to slots=infinity", "", 6, [1, 2, 3]),
        ("hosts {*} to slots=1", "", 0, [1, 2, 3]),
        ("users {*} to mark=9", "-l mark=5", 0, []),
        ("users {*} to mark=9", "", 0, [1, 2, 3]),
        ("users {*} to once=9", "-l once=1", 0, []),
    ],
)
def test_what_all_hosts_share_is_enough_where_there_is_twice_as_much(
    limit: str, options: str, used: int, enough: list[int]
) -> None:
    left = remaining(limit, options=options, used=used)
    found = []
    for slots in (1, 2, 3):
        if RemainingQuota(left.quota_request).has_enough(slots):
            found.append(slots)
    assert found == enough
    assert left.has_enough(1) is left.has_enough(99) is bool(enough)
