"""Many policies on the same work."""

import json
import operator
import os
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st

from qmon_tui.simulation import (
    Axis,
    DaskUnusable,
    EditError,
    Measured,
    Scenario,
    Setting,
    SweepResults,
    WorkersDied,
    computed,
    computed_by_dask,
    drawn,
    grid,
    measured,
    pareto,
    point_of,
    read_axis,
    read_goal,
    searched,
)
from qmon_tui.sources import read_folder

FOLDER = """
hosts: {h1: {}}
queues: {all.q: {hostlist: h1, slots: 1, load_thresholds: NONE}}
jobs:
- {id: 1, owner: anna, submitted: 2026-11-24T08:00:00, qsub: "sleep 100", runtime: 100}
- {id: 2, owner: anna, submitted: 2026-11-24T08:00:01, qsub: "sleep 100", runtime: 100}
- {id: 3, owner: bob, submitted: 2026-11-24T08:00:02, qsub: "sleep 100", runtime: 100}
now: 2026-11-24T08:00:00
"""


@pytest.fixture
def scenario(tmp_path: Path) -> Scenario:
    (tmp_path / "c.yaml").write_text(FOLDER)
    reading = read_folder(str(tmp_path))
    return Scenario(reading.cluster, reading.state)


def test_axes_are_read(scenario: Scenario) -> None:
    cluster = scenario.cluster
    assert read_axis(cluster, "scheduler.weight_urgency=0, 0.1,1,1") == Axis(
        "scheduler.weight_urgency", ("0", "0.1", "1")
    )
    assert read_axis(cluster, "queues.all.q.slots=1,[h1=2,h2=3],4").values == ("1", "[h1=2,h2=3]", "4")
    assert read_axis(cluster, "workload.load=0.5..2").span == (0.5, 2.0)
    for text, said in (
        ("queues.all.q.slots", "write what is varied and its values"),
        ("queues.all.q.slots=", "write what is varied and its values"),
        ("queues.all.q.slot=1", "has no field slot"),
        ("workload.load=2..1", "2..1 goes nowhere, write the smaller number first"),
        (f"workload.load=1..{'9' * 400}", "one of these is too large"),
        ("hosts=a,b", '"a" is not a number of hosts'),
    ):
        with pytest.raises(EditError, match=said.replace("..", r"\.\.")):
            read_axis(cluster, text)


def test_a_grid_has_all_points_and_not_too_many() -> None:
    axes = [Axis("a", ("1", "2")), Axis("b", ("x", "y", "z"))]
    points = list(grid(axes))
    assert len(points) == len(set(points)) == 6
    assert points[:2] == [(("a", "1"), ("b", "x")), (("a", "1"), ("b", "y"))]
    many = [Axis(str(number), tuple(map(str, range(100)))) for number in range(3)]
    with pytest.raises(EditError, match="these are 1000000 points, 10000 can be tried at most; --random 1000"):
        grid(many)
    with pytest.raises(EditError, match="say how many with --random"):
        grid([Axis("a", (), (0.0, 1.0))])


@given(st.integers(1, 12), st.integers(0, 100))
def test_drawn_points_are_on_the_axes_and_different(count: int, seed: int) -> None:
    axes = [Axis("a", ("1", "2")), Axis("b", (), (1.0, 3.0)), Axis("c", (), (0.0, 1.0))]
    points = drawn(axes, count, seed)
    assert len(set(points)) == len(points) == count
    assert points == drawn(axes, count, seed)
    for point in points:
        values = dict(point)
        assert values["a"] in ("1", "2")
        assert values["b"] in ("1", "2", "3")
        assert 0 <= float(values["c"]) <= 1
    few = drawn(axes[:1], 5, seed)
    assert sorted(few) == [(("a", "1"),), (("a", "2"),)]


def test_a_point_is_measured_alike_here_and_elsewhere(scenario: Scenario) -> None:
    points = [point_of(scenario, (("queues.all.q.slots", value),), (0, 1)) for value in ("1", "2", "3", "x")]
    alone = dict(computed(measured, points))
    assert alone == dict(computed(measured, points, processes=2))
    waits = [numbers["wait.mean"] for number in range(3) if not isinstance(numbers := alone[number], str)]
    assert waits == sorted(waits, reverse=True)
    assert waits[0] > waits[2]
    assert isinstance(alone[3], str)
    assert "error parsing unsigned long value" in alone[3]


LETHAL = partial(os._exit, 1)
CALL: Any = operator.call


def test_processes_that_die_again_and_again_are_told_and_nothing_is_lost() -> None:
    done: list[tuple[int, int]] = []
    points = [*(partial(int, str(number)) for number in range(20)), LETHAL]
    with pytest.raises(WorkersDied, match=r"the processes died 3 times with .* of 21 simulations to go"):
        done.extend(computed(CALL, points, processes=2))
    assert all(number == result for number, result in done)


def test_dask_workers_that_die_are_told() -> None:
    distributed = pytest.importorskip("distributed")
    cluster = distributed.LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=None)
    try:
        with pytest.raises(DaskUnusable, match="died over one of 2 points; with --results the same command continues"):
            list(computed_by_dask(cluster.scheduler_address, CALL, [LETHAL, LETHAL]))
    finally:
        # It may be about to start a worker in the place of one that has died, and then cannot close it.
        with suppress(AssertionError):
            cluster.close()


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=12), st.booleans())
def test_the_best_points_in_two_measures(values: list[tuple[int, int]], less: bool) -> None:
    points = [((("n", str(number)),), {"a": float(a), "b": float(b)}) for number, (a, b) in enumerate(values)]
    front = pareto(points, "a", "b", (less, True))
    sign = 1 if less else -1
    for (setting, _), (a, b) in zip(points, values, strict=True):
        beaten = any((sign * c <= sign * a and d <= b) and (c, d) != (a, b) for c, d in values)
        assert (setting in front) is not beaten


def test_a_search_finds_what_trying_all_finds_and_asks_once() -> None:
    axes = [Axis("a", tuple(map(str, range(9)))), Axis("b", tuple(map(str, range(7))))]
    asked: list[Setting] = []

    def evaluate(settings: list[Setting]) -> list[Measured | str]:
        asked.extend(settings)
        return [
            "cannot" if dict(one)["a"] == "8" else {"x": (float(dict(one)["a"]) - 2) ** 2 + float(dict(one)["b"])}
            for one in settings
        ]

    assert searched(axes, evaluate, lambda numbers: (numbers["x"],)) == (("a", "2"), ("b", "0"))  # type: ignore[arg-type]
    assert len(asked) == len(set(asked)) < 63
    assert searched(axes, lambda settings: ["no"] * len(settings), lambda numbers: (0.0,)) is None


@pytest.mark.parametrize(
    ("text", "measure", "less", "bound"),
    [
        ("p95 wait of project climate < 1h", "by.project.climate.wait.p95", True, 3600),
        ("wait of user rosa <= 90", "by.owner.rosa.wait.mean", True, 90),
        ("bounded slowdown p99 of size 2-8 < 3", "by.size.2-8.bounded_slowdown.p99", True, 3),
        ("utilisation > 80 %", "utilisation", False, 0.8),
        ("jain.owner >= 0.9", "jain.owner", False, 0.9),
        ("queue length mean < 5", "queue_length.mean", True, 5),
        ("wait.median < 2m", "wait.median", True, 120),
    ],
)
def test_goals_in_words(text: str, measure: str, less: bool, bound: float) -> None:
    goal = read_goal(text)
    assert (goal.measure, goal.wants_less) == (measure, less)
    assert goal.bound == pytest.approx(bound)
    assert not goal.is_reached({})
    assert goal.is_reached({measure: goal.bound - 1 if less else goal.bound + 1})
    assert goal.is_reached({measure: goal.bound}) is ("=" in text)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("fast", '"fast" is not a goal: write such as'),
        ("wait of everybody < 1", 'behind "of" stands user, owner, project'),
        ("wait < soon", '"soon" is not a bound'),
        ("wait < 5 %", "wait.mean is not measured in %"),
        ("jain.owner < 5m", "jain.owner is not measured in m"),
    ],
)
def test_goals_that_are_none(text: str, said: str) -> None:
    with pytest.raises(EditError) as refused:
        read_goal(text)
    assert said in str(refused.value)


def test_results_are_kept_whatever_happens_to_the_file(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    first = SweepResults(path, "w")
    setting: Setting = (("a", "1"),)
    first.add(setting, {"x": 1.5})
    first.add((("a", "2"),), "cannot be")
    with path.open("a") as file:
        file.write('not json\n[1]\n{"work": "w", "point": 3}\n{"work": "w", "point": {"a": "3"}, "meas')
    again = SweepResults(path, "w", path.read_bytes())
    assert again.known == {setting: {"x": 1.5}, (("a", "2"),): "cannot be"}
    again.add((("a", "3"),), {"x": 3.0})
    assert set(SweepResults(path, "w", path.read_bytes()).known) == {setting, (("a", "2"),), (("a", "3"),)}
    assert SweepResults(path, "other", path.read_bytes()).known == {}
    assert json.loads(path.read_text().splitlines()[0])["point"] == {"a": "1"}


def test_a_result_behind_one_that_was_written_in_part_has_a_line_of_its_own(tmp_path: Path) -> None:
    path, setting = tmp_path / "r.jsonl", (("a", "2"),)
    results = SweepResults(path, "w")
    path.mkdir()
    with pytest.raises(OSError, match="directory"):
        results.add((("a", "1"),), {"x": 1.0})
    path.rmdir()
    path.write_text('{"work": "w", "po')
    results.add(setting, {"x": 2.0})
    assert SweepResults(path, "w", path.read_bytes()).known == {setting: {"x": 2.0}}


def test_dask_answers_as_one_process_does(scenario: Scenario) -> None:
    distributed = pytest.importorskip("distributed")
    points = [point_of(scenario, (("queues.all.q.slots", value),), (0,)) for value in ("1", "2", "x")]
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None
    ) as cluster:
        address = cluster.scheduler_address
        assert dict(computed_by_dask(address, measured, points)) == dict(computed(measured, points))


def test_dask_that_does_not_answer_is_told(scenario: Scenario) -> None:
    pytest.importorskip("distributed")
    with pytest.raises(DaskUnusable, match=r"the Dask scheduler at tcp://127\.0\.0\.1:9 does not answer"):
        list(computed_by_dask("tcp://127.0.0.1:9", measured, [point_of(scenario, (), (0,))], patience=1))
