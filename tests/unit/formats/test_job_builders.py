"""A task that several files or rows tell of."""

from qmon_tui.formats.records.job_builders import TaskBuilder


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
