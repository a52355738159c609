"""One attempt to collect slots: what the global host rules out, and what hosts give (parallel.md#one-attempt)."""

from typing import Any

import pytest

from qmon_tui.model import ConfigObject
from qmon_tui.qmaster import simulate
from qmon_tui.scheduler.matching import FITS, LATER, NEVER
from qmon_tui.scheduler.parallel import PeAttempt
from qmon_tui.scheduler.parallel.collected_slots import CollectedSlots
from qmon_tui.scheduler.parallel.failed_visits import FailedVisit
from qmon_tui.scheduler.parallel.host_list import HostList
from qmon_tui.scheduler.parallel.slot_collection import SlotCollection
from tests.unit.scheduler.building import attribute, cluster, environment, host, job, queue, running, state
from tests.unit.scheduler.test_quotas import quota

RULES = {"fill": "$fill_up", "robin": "$round_robin", "one": "$pe_slots", "two": "2"}


def attempt(
    rule: str, slots: int, options: str = "", *, alike: int = 1, also: tuple[ConfigObject, ...] = (), **more: Any
) -> PeAttempt:
    """On two hosts with four slots each, one of the first in use, as is one of the six licences everywhere.

    The first has memory for three slots. `alike` is how many jobs of that kind there are.
    """
    on = cluster(
        attribute("lic lic INT <= YES YES 0"),
        attribute("mem mem INT <= YES YES 0"),
        host("global", "lic=6"),
        host("h1", "mem=3"),
        host("h2", "mem=9"),
        queue("a.q", "h1 h2", 4, pe_list=" ".join(RULES), seq_no="0,[h2=1]"),
        *(environment(name, text) for name, text in RULES.items()),
        *also,
    )
    jobs = [running(1, "a.q@h1", "-l lic=1"), *(job(2 + n, f"-pe {rule} 98 {options}") for n in range(alike))]
    parallel = (run := simulate(on, state(jobs))).dispatch.parallel
    asking = next(run_job for run_job in run.jobs if run_job.id == 2)
    made = parallel.pe_attempt(asking, parallel.environments[rule], slots, **more)
    made.pe_cache.__init__()  # type: ignore[misc]
    made.masters.clear()
    return made


def collection_of(made: PeAttempt, *, asks_for_later: bool = False) -> SlotCollection:
    later_slots: dict[int, int] = {}
    if not asks_for_later:
        return SlotCollection(made)
    return SlotCollection(made, later=CollectedSlots(made, later_slots), later_slots=later_slots)


@pytest.mark.parametrize(
    ("rule", "slots", "options", "result", "offered", "visited", "granted"),
    [
        ("fill", 5, "-l lic=1", FITS, 5, True, {0: 3, 1: 2}),
        ("fill", 6, "-l lic=1", LATER, 6, False, {}),
        ("fill", 7, "-l lic=1", NEVER, 6, False, {}),
        ("fill", 2, "-l lic=2", FITS, 2, True, {0: 2}),
        ("fill", 3, "-l lic=2", LATER, 3, False, {}),
        ("fill", 4, "-l lic=2", NEVER, 3, False, {}),
        ("fill", 7, "", FITS, 7, True, {0: 3, 1: 4}),
        ("fill", 8, "", LATER, 7, True, {0: 3, 1: 4}),
        ("fill", 9, "", NEVER, 7, True, {0: 3, 1: 4}),
        ("robin", 5, "", FITS, 5, True, {0: 3, 1: 2}),
        ("robin", 8, "", LATER, 7, True, {0: 3, 1: 4}),
        ("one", 4, "", FITS, 4, True, {1: 4}),
        ("one", 5, "", NEVER, 0, True, {}),
        ("two", 4, "", FITS, 4, True, {0: 2, 1: 2}),
        ("two", 6, "", NEVER, 4, True, {0: 2, 1: 2}),
    ],
)
def test_what_an_attempt_comes_to(
    rule: str, slots: int, options: str, result: int, offered: int, visited: bool, granted: dict[int, int]
) -> None:
    made = attempt(rule, slots, options)
    collection = collection_of(made, asks_for_later=True)
    assert collection.succeeds() is (result == FITS)
    assert (collection.result, collection.offered, collection.has_visited_hosts) == (result, offered, visited)
    assert collection.granted_slots.granted == granted
    assert (collection.later is None) is (visited and result != NEVER)
    # Nobody asks about the time to come.
    collection = SlotCollection(attempt(rule, slots, options))
    assert collection.succeeds() is (result == FITS)
    assert (collection.result == LATER) is (result == LATER and not visited)
    assert (collection.offered, collection.granted_slots.granted) == (offered, granted)


@pytest.mark.parametrize(
    ("rule", "slots", "options", "limit", "asks_for_later", "full", "over_quota", "small", "skipped"),
    [
        ("one", 4, "", "", False, {0: 1}, {}, set(), []),
        ("one", 5, "", "", False, {0: 1, 1: 0}, {}, {0, 1}, [0, 1]),
        ("one", 4, "-l mem=1", "", False, {0: 1}, {}, {0}, [0]),
        # What will be free is written down for each queue instance, unless the host is full anyway.
        ("one", 4, "", "", True, {}, {}, None, []),
        ("one", 5, "", "", True, {}, {}, None, [0, 1]),
        ("one", 4, "-l mem=1", "", True, {0: 1}, {}, {0}, [0]),
        ("one", 4, "", "hosts {*} to slots=3", False, {}, {0: 1, 1: 0}, {0, 1}, [0, 1]),
        ("one", 4, "", "hosts {*} to slots=99", False, {}, {0: 1}, set(), []),
        ("one", 4, "-l mem=1", "hosts {*} to slots=3", False, {0: 1}, {1: 0}, {0, 1}, [0, 1]),
        # What the first host takes is not left for the second, which may have enough another time.
        ("two", 8, "", "to slots=3", False, {}, {}, None, []),
        ("two", 8, "", "to slots=3", True, {}, {}, None, [1]),
        ("robin", 9, "-l mem=2", "", False, {}, {}, None, []),
    ],
)
def test_what_is_noted_of_hosts_that_give_nothing(
    rule: str,
    slots: int,
    options: str,
    limit: str,
    asks_for_later: bool,
    full: dict[int, int],
    over_quota: dict[int, int],
    small: set[int] | None,
    skipped: list[int],
) -> None:
    made = attempt(rule, slots, options, alike=2, also=(quota("few", limit),) if limit else ())
    collection_of(made, asks_for_later=asks_for_later).succeeds()
    pe_cache = made.pe_cache
    assert pe_cache.full_hosts[made.kind] == full
    assert pe_cache.hosts_over_quota.get(made.kind, {}) == over_quota
    assert pe_cache.too_small_hosts.get(made.kind) == small
    assert list(pe_cache.skipped_hosts) == skipped


@pytest.mark.parametrize("says", [False, True])
@pytest.mark.parametrize("asks_for_later", [False, True])
def test_hosts_known_to_be_full_are_left_out_only_where_nothing_is_said_or_asked_for_later(
    says: bool, asks_for_later: bool
) -> None:
    made = attempt("fill", 6, say=[].append if says else None)
    made.pe_cache.full_hosts[made.kind] = {0: 1}
    collection = collection_of(made, asks_for_later=asks_for_later)
    collection.succeeds()
    assert collection.granted_slots.granted == ({0: 3, 1: 3} if says or asks_for_later else {1: 4})


OTHERS = (
    queue("b.q", "h1 h2", 4, pe_list=" ".join(RULES), seq_no="5"),
    queue("c.q", "h1 h2", 4, seq_no="0"),
    queue("d.q", "h1 h2", 4, seq_no="3"),
)


@pytest.mark.parametrize(
    ("options", "granted", "order"),
    [
        # Of queue instances that can be had, those come first that meet most soft requests.
        ("-soft -q b.q", {2: 4, 0: 2}, [2, 3, 0, 1, 4, 5, 6, 7]),
        ("", {0: 3, 2: 3}, [0, 4, 5, 1, 6, 7, 2, 3]),
    ],
)
@pytest.mark.parametrize("unsorted", [None, (7, 6, 5, 4, 3, 2, 1, 0)])
def test_the_order_of_queue_instances_and_of_what_is_said_of_queues(
    options: str, granted: dict[int, int], order: list[int], unsorted: tuple[int, ...] | None
) -> None:
    said: list[str] = []
    made = attempt("fill", 6, options, also=OTHERS, say=said.append)
    collection = SlotCollection(made, unsorted=unsorted)
    collection.granted_slots.violations = 9
    left = made.context.resources.left_violations
    left[7] = 3
    assert collection.succeeds()
    assert collection.granted_slots.granted == granted
    assert collection.granted_slots.violations == (2 if options else 9)
    assert left == ({0: 1, 1: 1, 2: 0, 3: 0} if options else {7: 3})
    assert list(made.context.order) == order
    assert [text.split('"')[1] for text in said] == (["d.q", "c.q"] if unsorted else ["c.q", "d.q"])


@pytest.mark.parametrize(("alike", "granted"), [(1, {0: 3, 1: 3}), (2, {1: 4})])
def test_a_host_that_the_category_has_given_up_is_not_visited_again_either(alike: int, granted: dict[int, int]) -> None:
    made = attempt("robin", 6, alike=alike, say=[].append)
    made.pe_cache.skipped_hosts[0] = None
    collection = SlotCollection(made)
    collection.succeeds()
    assert collection.granted_slots.granted == granted


@pytest.mark.parametrize(
    ("alike", "granted", "later_slots"),
    [(1, {0: 3, 2: 4, 1: 2}, {0: 4, 2: 4, 1: 1, 3: 4}), (2, {0: 1, 2: 3, 1: 4, 3: 1}, {2: 4, 1: 4, 3: 1})],
)
def test_a_queue_instance_that_the_category_has_given_up_counts_as_one_slot(
    alike: int, granted: dict[int, int], later_slots: dict[int, int]
) -> None:
    made = attempt("fill", 9, alike=alike, also=OTHERS[:1])
    made.pe_cache.skipped_instances[0] = None
    collection = collection_of(made, asks_for_later=True)
    assert collection.succeeds()
    assert collection.granted_slots.granted == granted
    assert collection.later_slots == later_slots


def test_a_queue_that_quotas_rule_out_counts_as_one_slot_now_and_none_later() -> None:
    made = attempt("fill", 9, also=(*OTHERS[:1], quota("few", "hosts {*} to slots=99")))
    assert made.remaining_quota is not None
    made.remaining_quota.skipped_queues.add("a.q")
    collection = collection_of(made, asks_for_later=True)
    assert not collection.succeeds()
    assert collection.granted_slots.granted == {0: 1, 2: 3, 1: 1, 3: 3}
    assert collection.later_slots == {0: 0, 2: 4, 1: 0, 3: 4}


@pytest.mark.parametrize(("alike", "skipped"), [(1, []), (2, [3])])
def test_queue_instances_without_room_at_any_time_are_given_up_where_others_ask_too(
    alike: int, skipped: list[int]
) -> None:
    also = queue("b.q", "h1 h2", 4, pe_list="fill", seq_no="5", complex_values="mem=1,[h2=mem=0]")
    made = attempt("fill", 9, "-l mem=1", alike=alike, also=(also,))
    collection = collection_of(made, asks_for_later=True)
    assert not collection.succeeds()
    assert collection.granted_slots.granted == {0: 3, 1: 4}
    assert collection.later_slots == {0: 3, 2: 1, 1: 4}
    assert list(made.pe_cache.skipped_instances) == skipped


def test_more_than_an_int_holds_is_noted_as_8_1_9_has_it() -> None:
    """Once the job that is there has ended, 2^31 are free: as an int that is -2^31, and without its sign 2^31."""
    scarce = queue("a.q", "h1", 4, pe_list="fill", complex_values=f"lic={2**31}")
    collection = collection_of(attempt("fill", 3, "-l lic=1", also=(scarce,)), asks_for_later=True)
    assert collection.succeeds()
    assert collection.granted_slots.granted == {0: 3}
    assert collection.later_slots == {0: 2**31}


class Learnt:
    """The fast path of visits, of which it is known only what is learnt."""

    def __init__(self, made: PeAttempt) -> None:
        self.pe_attempt = made
        self.known: dict[int, FailedVisit] = {}
        self.learnt: list[tuple[int, bool, int]] = []

    def like(self, host: int) -> FailedVisit | None:
        return None

    def learn(self, host: int, failed_visit: FailedVisit | None, collected: int) -> None:
        self.learnt.append((host, failed_visit is not None, collected))


@pytest.mark.parametrize(
    ("rule", "slots", "learnt"),
    [
        ("robin", 7, [(0, False, 1), (1, False, 2)]),
        ("one", 4, [(0, True, 0), (1, False, 4)]),
        ("fill", 7, [(0, False, 3), (1, False, 7)]),
    ],
)
def test_of_each_host_only_the_first_visit_is_learnt(
    rule: str, slots: int, learnt: list[tuple[int, bool, int]]
) -> None:
    made = attempt(rule, slots)
    failed_visits = Learnt(made)
    assert SlotCollection(made, failed_visits=failed_visits).succeeds()  # type: ignore[arg-type]
    assert failed_visits.learnt == learnt


@pytest.mark.parametrize("slots", [5, 9])
def test_an_attempt_leaves_the_hosts_that_it_can_have_in_front(slots: int) -> None:
    made = attempt("fill", slots, also=(queue("b.q", "h0 h3", 4),))
    names = made.context.resources.host_names
    host_list = HostList(made.context, [{"h0": 0.1, "h1": 0.4, "h2": 0.3, "h3": 0.2}[name] for name in names])
    host_list.catch_up()
    assert [names[host] for host in host_list] == ["h0", "h3", "h2", "h1"]
    SlotCollection(made, host_list=host_list).succeeds()
    assert [names[host] for host in host_list] == ["h1", "h2", "h0", "h3"]
