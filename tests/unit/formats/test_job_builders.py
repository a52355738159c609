"""A task that several files or rows tell of, and the arrays that tasks come from."""

import pytest

from qmon_tui.formats.records import job_builders
from qmon_tui.formats.records.job_builders import JobBuilder, TaskBuilder, task_numbers
from qmon_tui.model import TaskRange


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("", [1]),
        (" 7 ", [7]),
        ("5-8", [5, 6, 7, 8]),
        ("1-7:2", [1, 3, 5, 7]),
        ("1,8-10", [1, 8, 9, 10]),
        ("1-5", None),
        ("1-9:2", None),
        ("1-2,8-10", None),
    ],
)
def test_only_so_many_tasks_are_counted(monkeypatch: pytest.MonkeyPatch, text: str, numbers: list[int] | None) -> None:
    monkeypatch.setattr(job_builders, "MOST_TASKS", 4)
    if numbers is not None:
        assert task_numbers(text) == numbers
        return
    with pytest.raises(ValueError, match="are more than 4 tasks"):
        task_numbers(text)


@pytest.mark.parametrize(
    ("pending", "array"),
    [
        ([], TaskRange(1, 1)),
        ([3], TaskRange(3, 3)),
        ([3, 5], TaskRange(3, 5, 2)),
        ([3, 9, 5], TaskRange(3, 9, 2)),
        ([2, 8, 14], TaskRange(2, 14, 6)),
        ([2, 3, 9], TaskRange(2, 9)),
    ],
)
def test_an_array_has_the_tasks_that_are_known_of_it(pending: list[int], array: TaskRange) -> None:
    assert JobBuilder(7, is_array=True, pending=set(pending)).job(0).request.array == array


def test_what_one_file_said_of_a_place_is_forgotten_where_another_tells_it() -> None:
    task = TaskBuilder("r")
    task.begin("a")
    task.whole["a.q@n1"] = 2
    task.begin("a")
    task.whole["a.q@n2"] = 1
    assert task.granted == {"a.q@n1": 2, "a.q@n2": 1}
    task.begin("b")
    assert task.granted == {}
    task.master, task.slaves = "a.q@n1", {"a.q@n2": 2}
    task.begin("b")
    assert task.granted == {"a.q@n1": 1, "a.q@n2": 2}
    task.begin("a")
    assert task.granted == {}
