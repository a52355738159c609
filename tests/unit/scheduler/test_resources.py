"""What is booked on hosts and queue instances is counted, so that what was found out before is known to be old."""

from types import SimpleNamespace
from typing import Any

import pytest

from qmon_tui.model.jobs import SEQUENTIAL, Request, Task
from qmon_tui.model.state import State
from qmon_tui.scheduler.configuration import compile_cluster
from qmon_tui.scheduler.jobs import compile_demand
from qmon_tui.scheduler.matching import NO_ADJUSTMENTS, Adjustments, Resources, started_jobs
from tests.unit.scheduler.building import NOW, attribute, cluster, environment as pe, host, job, queue, scheduler


def resources() -> Resources:
    gpu = attribute("gpu gpu INT <= YES YES 0")
    built = cluster(gpu, host("n1", "gpu=4"), host("n2", "gpu=4"), queue("a.q", "n1 n2", 4), queue("b.q", "n1 n2", 4))
    return Resources(compile_cluster(built), State(now=NOW), NO_ADJUSTMENTS)


def numbers(known: Resources, *names: str) -> list[int]:
    return [known.instance_numbers[name] for name in names]


def test_each_booking_is_a_change_of_its_host() -> None:
    known = resources()
    n1, n2 = known.host_numbers["n1"], known.host_numbers["n2"]
    first, second = numbers(known, "a.q@n1", "b.q@n2")
    demand = compile_demand(Request(hard=(("gpu", "1"),)), known.compiled.attributes)
    known.debit(demand, [(first, 2), (second, 1)])
    assert (known.hosts[n1].used["gpu"], known.hosts[n2].used["gpu"]) == (2, 1)
    assert (known.changes_of_host[n1], known.changes_of_host[n2]) == (1, 1)
    assert known.changed_hosts == [n1, n2]
    assert (known.slots_used(first), known.slots_used(second)) == (2, 1)


def test_a_change_that_books_nothing_counts_as_well() -> None:
    known = resources()
    n2 = known.host_numbers["n2"]
    known.note_change(n2)
    known.note_change(n2)
    assert known.changes_of_host[n2] == 2
    assert known.changed_hosts == [n2, n2]
    assert sum(known.changes_of_host) == 2


def test_where_the_global_host_counts_what_the_formula_reads_loads_are_worked_out_anew() -> None:
    licence = attribute("lic lic INT <= YES YES 0")
    built = cluster(licence, host("global", "lic=4"), host("n1"), queue("a.q", "n1", 4), scheduler(load_formula="lic"))
    known = Resources(compile_cluster(built), State(now=NOW), NO_ADJUSTMENTS)
    before = known.host_load(0)
    known.debit(compile_demand(Request(hard=(("lic", "1"),)), known.compiled.attributes), [(0, 1)])
    assert (before, known.host_load(0)) == (4, 3)


def test_jobs_started_a_short_while_ago_correct_the_load() -> None:
    """Not those in queue instances that the scheduler leaves out, or that are gone."""
    built = cluster(queue("a.q", "n1 n2", 4), queue("b.q", "n1", 4), scheduler(load_adjustment_decay_time="0:0:10"))
    started = (("a.q@n1", 0), ("b.q@n1", 5), ("c.q@n1", 0), ("a.q@n2", 10), ("a.q@n2", 11), ("a.q@n2", -1))
    jobs = tuple(
        job(number, tasks={1: Task("r", {name: 2}, NOW - age)}) for number, (name, age) in enumerate(started, 1)
    )
    compiled = compile_cluster(built)
    state = State(now=NOW, jobs=jobs)
    corrections = []
    for left_out in (frozenset(), frozenset({"b.q@n1"}), frozenset({"a.q@n1", "a.q@n2"})):
        known = Resources(compiled, state, NO_ADJUSTMENTS)
        known.correct_loads(list(started_jobs(compiled, state)), NOW, left_out)
        hosts = [known.hosts[known.host_numbers[name]].correction for name in ("n1", "n2")]
        corrections.append((*hosts, known.global_level.correction))
    assert corrections == [(300, 0, 150), (200, 0, 100), (100, 0, 50)]


@pytest.mark.parametrize(
    ("scaling", "told", "text", "number", "processors"),
    [
        ("NONE", {"np_load_avg": "0.5"}, "0.5", 0.5, 1),
        ("np_load_avg=3", {"np_load_avg": "0.5"}, "   1.500", 1.5, 1),
        ("np_load_avg=3", {"np_load_avg": "odd"}, "odd", 0.0, 1),
        ("mem_free=3", {"np_load_avg": "0.5", "num_proc": "4"}, "0.5", 0.5, 4),
        ("num_proc=2", {"np_load_avg": "0.5", "num_proc": "4"}, "0.5", 0.5, 8),
        ("NONE", {"np_load_avg": "0.5", "num_proc": "0"}, "0.5", 0.5, 1),
        ("NONE", {"np_load_avg": "0.5", "num_proc": "odd"}, "0.5", 0.5, 1),
    ],
)
def test_load_values_are_multiplied_where_load_scaling_says_so(
    scaling: str, told: dict[str, str], text: str, number: float, processors: int
) -> None:
    compiled = compile_cluster(cluster(host("n1", load_scaling=scaling), queue("a.q", "n1", 4)))
    before, after = State(now=NOW), State(now=NOW, loads={"n1": told})
    for scales in (True, False):
        known = Resources(compiled, after, NO_ADJUSTMENTS, scales_loads=scales)
        level = known.hosts[0]
        value = level.loads["np_load_avg"]
        assert (value.text, value.number) == ((text, number) if scales else (told["np_load_avg"], value.number))
        if scales:
            assert level.processors == processors
            later = Resources(compiled, before, NO_ADJUSTMENTS)
            assert (later.hosts[0].loads, later.hosts[0].processors) == ({}, 1)
            later.take_loads(after.loads)
            assert (later.hosts[0].loads, later.hosts[0].processors) == (level.loads, level.processors)
            (_, seen_before, _), (_, seen, _) = known.levels_seen(0)
            assert seen_before.loads["np_load_avg"].text == told["np_load_avg"]
            assert seen.loads == level.loads


def test_what_is_known_of_a_place_by_its_number() -> None:
    built = cluster(
        attribute("gpu gpu INT <= YES YES 0"), host("n1", "gpu=4"), host("n2"),
        queue("a.q", "n1 n2", 2, load_thresholds="np_load_avg=1.75,[n2=NONE]"), queue("b.q", "n2", 3),
    )  # fmt: skip
    known = Resources(compile_cluster(built), State(now=NOW), NO_ADJUSTMENTS)
    plain = Resources(compile_cluster(built), State(now=NOW), NO_ADJUSTMENTS, fast=False)
    assert [sorted(each.with_load_thresholds) for each in (known, plain)] == [[0], [0, 1, 2]]
    assert known.instances_in == {"a.q": range(2), "b.q": range(2, 3)}
    assert (known.host_of, known.instances_of, known.totals) == ([0, 1, 1], [[0], [1, 2]], [2, 2, 3])
    demand = compile_demand(Request(hard=(("gpu", "1"),)), known.compiled.attributes)
    assert [known.books_on(host, demand, master=True) for host in (0, 1)] == [True, False]
    for slots, full in ((1, False), (1, True), (1, True)):
        known.debit(demand, [(0, slots)])
        assert known.is_full(0) is full
    assert known.levels_of(0)[1].used == {"gpu": 3}
    assert len(known.levels_seen(0)) == 1


def started(granted: dict[str, int], age: float | None, environment: str | None = None) -> Task:
    return Task("r", granted, None if age is None else NOW - age, environment=environment)


@pytest.mark.parametrize(
    ("decay", "tasks", "corrections"),
    [
        ("0:1:40", [({"a.q@n1": 1}, 0)], [100, 0, 100]),
        ("0:1:40", [({"a.q@n1": 1}, 25)], [75, 0, 75]),
        ("0:1:40", [({"a.q@n1": 1}, 24.5)], [75, 0, 75]),
        ("0:1:40", [({"a.q@n1": 1}, 99)], [1, 0, 1]),
        ("0:1:40", [({"a.q@n1": 1}, 100)], [0, 0, 0]),
        ("0:1:40", [({"a.q@n1": 1}, 150)], [0, 0, 0]),
        ("0:1:40", [({"a.q@n1": 1}, -5)], [0, 0, 0]),
        ("0:1:40", [({"a.q@n1": 1}, None)], [0, 0, 0]),
        ("0:0:0", [({"a.q@n1": 1}, 0)], [0, 0, 0]),
        ("0:0:1", [({"a.q@n1": 1}, 0)], [100, 0, 100]),
        # Slots count on their host; everywhere each queue instance counts once.
        ("0:1:40", [({"a.q@n1": 3, "a.q@n2": 2}, 50)], [150, 100, 100]),
        ("0:1:40", [({"a.q@n1": 1}, 150), ({"a.q@n1": 1}, 50), ({"b.q@n1": 1}, 75)], [75, 0, 75]),
        ("0:1:40", [({"gone.q@n1": 1, "off.q@n1": 2, "a.q@n2": 1}, 50)], [0, 50, 50]),
    ],
)
def test_starts_of_late_count_in_the_loads(
    decay: str, tasks: list[tuple[dict[str, int], float | None]], corrections: list[int]
) -> None:
    queues = (queue(name, "n1 n2", 4) for name in ("a.q", "b.q", "off.q"))
    compiled = compile_cluster(cluster(*queues, scheduler(load_adjustment_decay_time=decay)))
    known = Resources(compiled, State(now=NOW), NO_ADJUSTMENTS)
    of_job = {number: started(*task) for number, task in enumerate(tasks)}
    run_job: Any = SimpleNamespace(split=SimpleNamespace(running=tuple(of_job)), job=SimpleNamespace(tasks=of_job))
    known.correct_loads([run_job], NOW, frozenset({"off.q@n1"}))
    assert [level.correction for level in (*known.hosts, known.global_level)] == corrections
    known.correct_again([run_job], NOW, frozenset({"off.q@n1"}))
    assert [level.correction for level in (*known.hosts, known.global_level)] == corrections


@pytest.mark.parametrize(
    ("options", "granted", "environment", "likely"),
    [
        ("", {"a.q@n1": 1}, None, None),
        ("-pe mpi 2", {"a.q@n1": 2}, None, "mpi"),
        ("-pe mpi 2", {"a.q@n1": 2}, "other", "other"),
        ("-pe mpi 2", {"a.q@n1": 2}, SEQUENTIAL, None),
        ("", {"a.q@n1": 2}, "mpi", "mpi"),
        ("-pe * 2", {"b.q@n1": 2}, None, "other"),
        ("-pe nowhere 2", {"a.q@n1": 2}, None, None),
    ],
)
def test_the_environment_of_a_task_is_the_one_that_is_known_or_likely(
    options: str, granted: dict[str, int], environment: str | None, likely: str | None
) -> None:
    on = cluster(queue("a.q", "n1", 4, pe_list="mpi"), queue("b.q", "n1", 4, pe_list="other"), pe("mpi"), pe("other"))
    known = Resources(compile_cluster(on), State(now=NOW), NO_ADJUSTMENTS)
    task = started({**granted, "gone.q@n1": 1} if environment else granted, 5, environment)
    assert known.environment_of(job(1, options, tasks={1: task}), 1) == likely
    numbers = {"a.q@n1": 0, "b.q@n1": 1}
    assert list(known.grants_of(task)) == [(numbers[name], slots) for name, slots in granted.items()]


def test_environments_that_were_used_come_last_by_their_latest_start() -> None:
    on = cluster(queue("a.q", "n1", 4), *map(pe, ("one", "two", "three", "four")))
    known = Resources(compile_cluster(on), State(now=NOW, changed={"pes/two": NOW - 10}), NO_ADJUSTMENTS)
    assert list(known.environments_in_order()) == ["one", "three", "four", "two"]
    known.note_reserved("one", NOW - 20)
    known.note_reserved("four", NOW - 5)
    known.note_reserved(None, NOW)
    known.note_reserved("gone", NOW)
    assert list(known.environments_in_order()) == ["three", "one", "two", "four"]
    known.note_reserved("four", NOW - 50)
    assert list(known.environments_in_order())[-1] == "four"


def test_what_counts_once_per_job_is_booked_with_the_master_queue_and_all_is_given_back() -> None:
    gpu, once = attribute("gpu gpu INT <= YES YES 0"), attribute("once once INT <= YES JOB 0")
    built = cluster(gpu, once, host("n1", "gpu=9,once=4"), host("n2", "gpu=9,once=4"), queue("a.q", "n1 n2", 4))
    for fast in (True, False):
        known = Resources(compile_cluster(built), State(now=NOW), NO_ADJUSTMENTS, fast=fast)
        demand = compile_demand(Request(hard=(("gpu", "2"), ("once", "3"))), known.compiled.attributes)
        grants = [(1, 2), (0, 3)]
        known.debit(demand, grants)
        assert [level.used for level in known.hosts] == [{"gpu": 6, "once": 0}, {"gpu": 4, "once": 3}]
        assert [known.slots_used(number) for number in (0, 1)] == [3, 2]
        known.credit(demand, grants)
        assert [level.used for level in known.hosts] == [{"gpu": 0, "once": 0}] * 2
        assert [known.slots_used(number) for number in (0, 1)] == [0, 0]


def test_slots_and_the_latest_starts_of_parallel_environments() -> None:
    known = resources()
    known.debit_environment("mpi", 3)
    known.debit_environment("mpi", 2, 100.0)
    known.debit_environment("mpi", 1, 90.0)
    known.debit_environment("smp", 1, 50.0)
    assert known.environment_slots == {"mpi": 6, "smp": 1}
    assert known.environment_starts == {"mpi": 100.0, "smp": 50.0}
    # What starts in the second of a reservation comes after it.
    for environment, at in (("mpi", 100), ("smp", 60), ("new", 70), (None, 200)):
        known.note_reserved(environment, at)
    assert known.environment_starts == {"mpi": 100.0, "smp": 59.5, "new": 69.5}
    known.forget_run(State(now=NOW))
    assert (known.environment_slots, known.environment_starts) == ({}, {})


def loaded(
    formula: str = "heat", told: str = "heat", adjusted: str = "", fast: bool = True, **policy: str
) -> Resources:
    built = cluster(
        attribute("heat heat INT >= YES NO 0"), attribute("gpu gpu INT <= YES YES 0"),
        queue("a.q", "n1 n2", 4), host("n1", "gpu=4"), scheduler(load_formula=formula, **policy),
    )  # fmt: skip
    loads = {name: {told: text} for name, text in (("n1", "3"), ("n2", "5")) if told}
    adjustments = Adjustments.of({adjusted: "2"}) if adjusted else NO_ADJUSTMENTS
    return Resources(compile_cluster(built), State(now=NOW, loads=loads), adjustments, fast=fast)


@pytest.mark.parametrize(
    ("formula", "told", "adjusted", "fast", "loads"),
    [
        ("heat", "heat", "", True, [3, 5]),
        ("heat", "heat", "", False, []),
        # A consumable that is used is another value.
        ("gpu", "", "", True, []),
        # So is one that is adjusted for each start, also where the formula does not read it.
        ("heat", "heat", "heat", True, []),
        ("gpu", "heat", "heat", True, []),
        ("num_proc", "heat", "heat", True, []),
        ("num_proc", "num_proc", "heat", True, [3, 5]),
    ],
)
def test_loads_that_no_start_changes(formula: str, told: str, adjusted: str, fast: bool, loads: list[float]) -> None:
    known = loaded(formula, told, adjusted, fast)
    assert known.has_steady_loads is bool(loads)
    assert list(known.all_steady_loads) == loads


def test_loads_that_are_reported_later_are_worked_out_anew() -> None:
    known = loaded(told="", adjusted="heat")
    assert known.has_steady_loads
    known.take_loads({"n1": {"heat": "4"}})
    assert not known.has_steady_loads
    assert known.all_steady_loads == ()
    assert [known.host_load(0)] == [4]


def test_load_values_that_are_no_numbers_of_attributes_have_none() -> None:
    state = State(now=NOW, loads={"n1": {"unheard": "1", "arch": "5", "load_avg": "2"}})
    known = Resources(compile_cluster(cluster(queue("a.q", "n1", 4))), state, NO_ADJUSTMENTS)
    assert {name: value.number for name, value in known.hosts[0].loads.items()} == {
        "unheard": 0.0, "arch": 0.0, "load_avg": 2.0,
    }  # fmt: skip


def test_what_others_use_is_taken_out_of_the_total_for_each_run_anew() -> None:
    """Total 10, used 0, load 4: others use 6 (matching.md#capacity-correction)."""
    built = cluster(attribute("lic lic INT <= YES YES 0"), host("n1", "lic=10"), queue("a.q", "n1", 4))
    known = Resources(compile_cluster(built), State(now=NOW, loads={"n1": {"lic": "4"}}), NO_ADJUSTMENTS)
    totals = [known.hosts[0].configured["lic"].number]
    for load in ("4", "7"):
        known.take_loads({"n1": {"lic": load}})
        known.correct_again([], NOW, frozenset())
        totals.append(known.hosts[0].configured["lic"].number)
    assert totals == [10, 4, 7]
