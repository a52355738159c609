"""Measures of a day, worked out by hand."""

import pytest

from qmon_tui.simulation import TaskRecord, Unit, is_better, measure_title, measures, unit_of
from qmon_tui.simulation.measures import Distribution


def record(
    job: int, submitted: int, started: int | None, ended: int | None, owner: str = "anna", slots: int = 1
) -> TaskRecord:
    granted = {} if started is None else {"all.q@h1": slots}
    return TaskRecord(job, 1, "sleep", owner, None, None, submitted, started, ended, granted)


def test_a_distribution_is_told_in_a_few_numbers() -> None:
    found = Distribution.of(range(1, 101))
    assert found is not None
    assert found.as_data() == {"count": 100, "mean": 50.5, "median": 50, "p90": 90, "p95": 95, "p99": 99, "max": 100}
    alone = Distribution.of([7.0])
    assert alone is not None
    assert set(alone.percentiles.values()) == {7.0}
    assert Distribution.of([]) is None


def test_a_small_day_by_hand() -> None:
    records = [
        record(1, 0, 0, 100, slots=2),
        record(2, 0, 100, 104, "bob"),
        record(3, 50, 90, None),
        record(4, 60, None, None, "bob"),
    ]
    found = measures(records, 0, 200, total_slots=4)
    assert (found["tasks"], found["started"], found["ended"]) == (4, 3, 2)
    assert found["throughput_per_hour"] == 36
    assert found["utilisation"] == pytest.approx((200 + 4 + 110) / 800)
    waits, slowdowns, bounded = found["wait"], found["slowdown"], found["bounded_slowdown"]
    assert isinstance(waits, dict)
    assert (waits["count"], waits["mean"], waits["median"], waits["max"]) == (3, pytest.approx(140 / 3), 40, 100)
    assert isinstance(slowdowns, dict)
    assert (slowdowns["median"], slowdowns["max"]) == (1, 26)
    assert isinstance(bounded, dict)
    assert (bounded["median"], bounded["max"]) == (1, pytest.approx(10.4))
    by = found["by"]
    assert isinstance(by, dict)
    assert set(by) == {"owner", "queue", "size", "length"}
    assert by["owner"]["bob"]["wait"]["max"] == 100
    assert by["owner"]["bob"]["throughput_per_hour"] == 18, "one of two ended in 200 s"
    assert by["owner"]["anna"]["throughput_per_hour"] == 18
    assert set(by["queue"]) == {"all.q"}


def test_tasks_that_take_no_time_have_no_slowdown() -> None:
    found = measures([record(1, 0, 30, 30)], 0, 60, total_slots=1)
    assert "slowdown" not in found
    assert found["bounded_slowdown"] == {"count": 1, "mean": 3, "median": 3, "p90": 3, "p95": 3, "p99": 3, "max": 3}
    assert measures([], 5, 5, total_slots=0)["utilisation"] == 0


def test_classes_by_size_and_length() -> None:
    records = [
        record(1, 0, 10, 69, slots=1), record(2, 0, 20, 80, slots=8), record(3, 0, 0, 86400, slots=129),
        record(4, 0, 5, None, slots=9), record(5, 0, None, None),
    ]  # fmt: skip
    by = measures(records, 0, 86400, total_slots=200)["by"]
    assert isinstance(by, dict)
    assert {name: found["wait"]["count"] for name, found in by["size"].items()} == {
        "1": 1, "2-8": 1, "9-32": 1, "over 128": 1}  # fmt: skip
    assert {name: found["wait"]["count"] for name, found in by["length"].items()} == {
        "under 1 min": 1, "1-10 min": 1, "over 24 h": 1}  # fmt: skip


def test_starved_tasks_are_also_those_that_never_start() -> None:
    records = [record(1, 0, 100, None), record(2, 0, 101, None), record(3, 0, None, None), record(4, 150, None, None)]
    assert measures(records, 0, 200, total_slots=1, starved_after=100)["starved"] == 2


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("wait.mean", "mean wait"),
        ("wait.p95", "wait p95"),
        ("by.owner.light.wait.mean", "mean wait of user light"),
        ("by.queue.all.q.wait.p95", "wait p95 of queue all.q"),
        ("by.owner.max.not_started", "not started of user max"),
        ("by.project.mean.wait.mean", "mean wait of project mean"),
        ("by.owner.a.b.throughput_per_hour", "throughput per hour of user a.b"),
        ("jain.owner", "jain owner"),
    ],
)
def test_titles_of_measures(name: str, title: str) -> None:
    assert measure_title(name) == title


@pytest.mark.parametrize("who", ["ada", "free", "wait", "ended", "a.utilisation.b", "mean"])
def test_names_of_users_change_no_unit(who: str) -> None:
    assert unit_of(f"by.owner.{who}.wait.p95") is Unit.SECONDS
    assert unit_of(f"by.owner.{who}.slowdown.mean") is Unit.NUMBER
    assert unit_of(f"by.owner.{who}.wait.count") is Unit.NUMBER
    assert is_better(f"by.owner.{who}.throughput_per_hour", 1.0) is True
    assert is_better(f"by.owner.{who}.wait.mean", 1.0) is False
