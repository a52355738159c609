"""What is booked on hosts and queue instances is counted, so that what was found out before is known to be old."""

import pytest

from qmon_tui.model.jobs import Request
from qmon_tui.model.state import State, Task
from qmon_tui.scheduler.configuration import compile_cluster
from qmon_tui.scheduler.jobs import compile_demand
from qmon_tui.scheduler.matching import NO_ADJUSTMENTS, Resources, started_jobs
from tests.unit.scheduler.building import NOW, attribute, cluster, host, job, queue, scheduler


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
