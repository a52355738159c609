"""The order in which the qmaster sends the tasks of a job once more."""

from qmon_tui.model.jobs import Job, Task
from qmon_tui.qmaster.scheduler_events import resent_with_tasks
from tests.unit.scheduler.building import job, state


def sent(task: Task) -> Job:
    tasks = {1: Task("S", {"a.q@n1": 1}, 1.0, changed=9.0), 2: task, 3: Task("r", {"b.q@n1": 1}, 1.0), 4: Task("hqw")}
    (after,) = resent_with_tasks(state([job(5, "-t 1-4", tasks=tasks)]), 5).jobs
    return after


def test_tasks_are_sent_in_the_order_of_their_last_change() -> None:
    after = sent(Task("r", {"a.q@n1": 1}, 1.0, changed=7.0, seen_suspended=True))
    dated = {number: task.changed for number, task in after.tasks.items() if task.changed is not None}
    assert sorted(dated, key=dated.__getitem__) == [3, 2, 1]
    assert [after.tasks[number].seen_suspended for number in (1, 2, 3)] == [True, False, False]


def test_where_nothing_stands_still_its_tasks_are_as_they_were() -> None:
    tasks = {1: Task("r", {"a.q@n1": 1}, 1.0, changed=9.0)}
    (after,) = resent_with_tasks(state([job(5, tasks=tasks)]), 5).jobs
    assert after.tasks == tasks
    assert after.changed is not None
