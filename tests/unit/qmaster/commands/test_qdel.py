"""What qdel says and leaves of a job, as recorded in the session `jobs deleted` and tried on 8.1.9."""

import pytest

from qmon_tui.model.jobs import FINISHED, Task
from qmon_tui.qmaster.commands import Target
from qmon_tui.qmaster.commands.qdel import delete
from qmon_tui.qmaster.commands.tasks import left
from tests.unit.scheduler.building import NOW, cluster, job, queue, state

ON = cluster(queue("a.q", "h1", 9))
ABSENT = 'job "7" task "{}" does not exist'


def running(letters: str = "r") -> Task:
    return Task(letters, {"a.q@h1": 1}, NOW - 5)


ARRAY = {1: running(), 2: running(), 3: running("dr")}
BACK = {1: Task("Rq"), 2: Task("Eqw")}


@pytest.mark.parametrize(
    ("options", "tasks", "numbers", "force", "said", "letters"),
    [
        ("", {}, None, False, ("deleted job 7",), None),
        ("", {}, (1,), False, ("deleted job 7",), None),
        ("", {1: Task("Rq")}, None, False, ("deleted job 7",), None),
        # What may not have been granted anything any more is as good as pending.
        ("", {1: Task("Rq", {"a.q@h1": 1})}, None, False, ("deleted job 7",), None),
        ("", {1: running()}, None, False, ("registered job 7",), {1: "dr"}),
        ("", {1: running("sS")}, None, False, ("registered job 7",), {1: "dSs"}),
        ("", {1: running()}, None, True, ("forced job 7",), {}),
        ("-t 1-6", {}, None, False, ("deleted job 7",), None),
        ("-t 1-6", {}, (2,), False, ("deleted job-array task 7.2",), dict.fromkeys((1, 3, 4, 5, 6), "qw")),
        ("-t 1-6", {}, (2, 3), False, ("deleted job-array tasks 2,3 of job 7",), dict.fromkeys((1, 4, 5, 6), "qw")),
        ("-t 1-6", {}, (2, 3, 4), False, ("deleted job-array tasks 2-4:1 of job 7",), dict.fromkeys((1, 5, 6), "qw")),
        ("-t 1-6", {}, (2, 4, 6), False, ("deleted job-array tasks 2-6:2 of job 7",), dict.fromkeys((1, 3, 5), "qw")),
        ("-t 1-2", {}, (1, 2), False, ("deleted job 7",), None),
        ("-t 1-2", BACK, (1, 2), False, ("deleted job 7",), None),
        ("-t 1-2", BACK, (1,), False, ("deleted job-array task 7.1",), {2: "Eqw"}),
        ("-t 1-6", {}, (2, 9), False, ("deleted job-array task 7.2",), dict.fromkeys((1, 3, 4, 5, 6), "qw")),
        ("-t 1-2", {}, (8, 9), False, (ABSENT.format(8), ABSENT.format(9)), {1: "qw", 2: "qw"}),
        ("-t 1-6", ARRAY, (2, 3, 4, 5), False,
         ("registered job-array task 7.2", "registered job-array task 7.3", "deleted job-array tasks 4,5 of job 7"),
         {1: "r", 2: "dr", 3: "dr", 6: "qw"}),
        ("-t 1-4", ARRAY, None, False,
         ("registered job-array task 7.1", "registered job-array task 7.2", "registered job-array task 7.3",
          "deleted job 7"), {1: "dr", 2: "dr", 3: "dr"}),
        ("-t 1-4", ARRAY, (1, 4), False,
         ("registered job-array task 7.1", "deleted job-array task 7.4"), {1: "dr", 2: "r", 3: "dr"}),
        ("-t 1-4", ARRAY, (1,), True, ("forced job-array task 7.1",), {2: "r", 3: "dr", 4: "qw"}),
        ("-t 1-4", ARRAY, (3, 4), True, ("forced job-array task 7.3", "deleted job-array task 7.4"), {1: "r", 2: "r"}),
        ("-t 1-4", ARRAY, (1, 2, 3, 4), True,
         ("forced job-array task 7.1", "forced job-array task 7.2", "forced job-array task 7.3",
          "deleted job 7"), {}),
        ("-t 1-3", ARRAY, None, True,
         ("forced job-array task 7.1", "forced job-array task 7.2", "forced job-array task 7.3"), {}),
    ],
)  # fmt: skip
def test_what_is_pending_goes_and_what_runs_is_told_to_end(
    options: str,
    tasks: dict[int, Task],
    numbers: tuple[int, ...] | None,
    force: bool,
    said: tuple[str, ...],
    letters: dict[int, str] | None,
) -> None:
    reply = delete(ON, state([job(7, options, tasks=tasks)]), Target(7, numbers), force=force)
    told = {"deleted ": "has deleted {}", "registered ": "has registered the {} for deletion",
            "forced ": "forced the deletion of {}"}  # fmt: skip
    expected = [
        next((f"root {told[word].format(text.removeprefix(word))}" for word in told if text.startswith(word)), text)
        for text in said
    ]
    assert list(reply.messages) == expected
    jobs = reply.state.jobs
    assert (
        {number: jobs[0].tasks.get(number, Task("qw")).state for number in left(jobs[0])} == letters
        if jobs
        else (letters is None)
    )


def test_what_is_ended_by_force_is_booked_by_the_next_run() -> None:
    before = state([job(7, "-t 1-2", tasks={1: running(), 2: Task(FINISHED, started=1.0)})])
    (after,) = delete(ON, before, Target(7, (1,)), force=True).state.jobs
    assert after.tasks == {1: Task(FINISHED, started=NOW - 5), 2: Task(FINISHED, started=1.0)}


def test_a_job_that_is_not_there() -> None:
    reply = delete(ON, state([]), Target(7))
    assert reply.messages == ('denied: job "7" does not exist',)
