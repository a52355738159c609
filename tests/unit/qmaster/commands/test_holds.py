"""Holds that are set and taken away of jobs and of tasks (clients.md#qhold-and-qrls)."""

import pytest

from qmon_tui.model.jobs import FINISHED, GONE, Task
from qmon_tui.qmaster.commands import Target
from qmon_tui.qmaster.commands.holds import hold, release
from qmon_tui.qmaster.commands.tasks import left, task_of
from tests.unit.scheduler.building import NOW, cluster, job, queue, state

ON = cluster(queue("a.q", "n1", 9))
RUNNING = Task("r", {"a.q@n1": 1}, NOW - 5)


def said_and_left(
    options: str, tasks: dict[int, Task], holds: str, numbers: tuple[int, ...] | None = None
) -> tuple[list[str], dict[int, tuple[str, str]], str]:
    """What is said, the letters and the holds of each task, and those of the job; holds in capitals are taken away."""
    command = release if holds.isupper() else hold
    reply = command(ON, state([job(7, options, tasks=tasks)]), Target(7, numbers), holds.lower())
    (after,) = reply.state.jobs
    letters = {number: (task_of(after, number).state, after.own_holds(number)) for number in left(after)}
    return [text.removeprefix("modified hold of ") for text in reply.messages], letters, after.request.hold


@pytest.mark.parametrize(
    ("options", "tasks", "holds", "said", "letters", "of_job"),
    [
        ("", {}, "u", ["job 7"], {1: ("hqw", "u")}, "u"),
        ("", {}, "uso", ["job 7"], {1: ("hqw", "uos")}, "uos"),
        ("-h", {}, "u", [], {1: ("hqw", "u")}, "u"),
        ("-h", {}, "o", ["job 7"], {1: ("hqw", "uo")}, "uo"),
        ("-h", {}, "O", [], {1: ("hqw", "u")}, "u"),
        ("-h", {}, "U", ["job 7"], {1: ("qw", "")}, ""),
        ("", {}, "U", [], {1: ("qw", "")}, ""),
        ("-hold_jid 3", {}, "u", ["job 7"], {1: ("hqw", "u")}, "u"),
        ("", {1: RUNNING}, "u", ["job 7"], {1: ("hr", "u")}, ""),
        ("", {1: Task("hr", {"a.q@n1": 1}, NOW, hold="u")}, "U", ["job 7"], {1: ("r", "")}, ""),
        # What waits for another job as well goes on waiting.
        ("-hold_jid 3", {1: Task("hqw", hold="")}, "u", ["job 7"], {1: ("hqw", "u")}, ""),
        ("-t 1-2", {2: RUNNING}, "u", ["job-array task 7.1", "job-array task 7.2"],
         {1: ("hqw", "u"), 2: ("hr", "u")}, "u"),
        ("-t 1-2", {1: Task("hqw", hold="u"), 2: Task("hqw", hold="us")}, "s", ["job-array task 7.1"],
         {1: ("hqw", "us"), 2: ("hqw", "us")}, ""),
    ],
)  # fmt: skip
def test_holds_of_a_whole_job(
    options: str,
    tasks: dict[int, Task],
    holds: str,
    said: list[str],
    letters: dict[int, tuple[str, str]],
    of_job: str,
) -> None:
    assert said_and_left(options, tasks, holds) == (said, letters, of_job)


GONE_TASKS = {1: Task(GONE), 2: Task(FINISHED)}


@pytest.mark.parametrize(
    ("options", "tasks", "holds", "numbers", "said", "letters"),
    [
        ("-t 1-3", {}, "u", (2,), ["job-array task 7.2"], {1: ("qw", ""), 2: ("hqw", "u"), 3: ("qw", "")}),
        ("-t 1-3", {}, "u", (3, 2), ["job-array task 7.3", "job-array task 7.2"],
         {1: ("qw", ""), 2: ("hqw", "u"), 3: ("hqw", "u")}),
        ("-h -t 1-3", {}, "U", (2,), ["job-array task 7.2"], {1: ("hqw", "u"), 2: ("qw", ""), 3: ("hqw", "u")}),
        ("-h -t 1-3", {}, "U", (9,), [], {1: ("hqw", "u"), 2: ("hqw", "u"), 3: ("hqw", "u")}),
        # What is gone is held in vain, and spoken of.
        ("-t 1-3", GONE_TASKS, "u", (1, 2, 3), ["job-array task 7.1", "job-array task 7.2", "job-array task 7.3"],
         {3: ("hqw", "u")}),
        ("-t 1-3", GONE_TASKS, "u", (1,), ["job-array task 7.1"], {3: ("qw", "")}),
        ("-t 1-3", GONE_TASKS, "U", (1,), [], {3: ("qw", "")}),
    ],
)  # fmt: skip
def test_holds_of_tasks(
    options: str,
    tasks: dict[int, Task],
    holds: str,
    numbers: tuple[int, ...],
    said: list[str],
    letters: dict[int, tuple[str, str]],
) -> None:
    found = said_and_left(options, tasks, holds, numbers)
    assert found[:2] == (said, letters)


def test_all_tasks_that_are_left_are_the_job() -> None:
    for numbers in (None, (1, 2), (2, 1)):
        _, _, of_job = said_and_left("-t 1-2", {}, "u", numbers)
        assert of_job == "u"
    assert said_and_left("-t 1-2", {}, "u", (1,))[2] == ""


def test_a_job_is_sent_even_where_nothing_changes() -> None:
    """Then the scheduler learns that its task stands still (suspension.md#when-the-scheduler-knows-of-it)."""
    before = state([job(7, tasks={1: Task("S", {"a.q@n1": 1}, NOW - 5)})])
    assert hold(ON, before, Target(8)).messages == ('denied: job "8" does not exist',)
    assert hold(ON, before, Target(7, (5,))).state is before
    for numbers in (None, (1,)):
        reply = release(ON, before, Target(7, numbers))
        assert (reply.messages, reply.state.jobs[0].tasks[1].seen_suspended) == ((), True)
