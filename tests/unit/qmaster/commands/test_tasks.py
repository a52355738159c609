"""What commands see of the tasks of a job, and which of them are worth keeping."""

from dataclasses import replace

import pytest

from qmon_tui.model.jobs import FINISHED, GONE, Task
from qmon_tui.qmaster.commands.tasks import (
    called,
    ended,
    enrolled,
    exists,
    left,
    letters,
    resumed,
    task_of,
    with_options,
    with_tasks,
)
from tests.unit.scheduler.building import job

RUNNING = Task("r", {"a.q@n1": 1}, 5.0)
ARRAY = job(
    1, "-t 2-12:2", tasks={4: Task("Eqw"), 6: Task(GONE), 8: RUNNING, 10: Task(FINISHED), 12: Task("hqw", hold="u")}
)


def test_what_is_left_begins_with_what_has_not_begun() -> None:
    assert [exists(ARRAY, number) for number in (0, 1, *range(2, 15, 2))] == [
        False, False, True, True, False, True, False, True, False,
    ]  # fmt: skip
    assert enrolled(ARRAY) == [4, 8]
    assert list(left(ARRAY)) == [2, 12, 4, 8]


@pytest.mark.parametrize(
    ("options", "task", "is_plain"),
    [
        ("", Task("qw"), True),
        ("", Task("hqw"), False),
        ("", Task("hqw", hold="u"), False),
        ("-h", Task("qw"), False),
        ("-h", Task("hqw"), True),
        ("-h", Task("hqw", hold="u"), True),
        ("-h", Task("hqw", hold="us"), False),
        ("-h", Task("hqw", hold="s"), False),
        ("", Task("qw", {"a.q@n1": 1}), False),
        ("", Task("qw", started=0), False),
        ("", Task("qw", used={"cpu": 1.0}), False),
        ("", Task("qw", unclean=("n1",)), False),
        ("", Task("Eqw"), False),
        ("", Task("Rq"), False),
        ("", Task(GONE), False),
    ],
)
def test_a_task_of_which_nothing_special_is_left_is_not_kept(options: str, task: Task, is_plain: bool) -> None:
    array = job(1, f"{options} -t 1-3", tasks={2: RUNNING})
    assert with_tasks(array, {1: task}).tasks == ({2: RUNNING} if is_plain else {1: task, 2: RUNNING})


@pytest.mark.parametrize(
    ("task", "letter", "state"),
    [("s", "s", "r"), ("sS", "s", "S"), ("dS", "S", "dr"), ("sT", "T", "s"), ("tS", "S", "t"), ("RqS", "S", "Rq")],
)
def test_a_task_runs_where_it_stands_still_for_no_other_reason(task: str, letter: str, state: str) -> None:
    assert resumed(Task(task), letter).state == state


def test_letters_and_names() -> None:
    assert letters("hr", plus="ds", minus="r") == "dhs"
    assert ended(Task("r", {"a.q@n1": 1}, 5.0, {"cpu": 2.0})) == Task(FINISHED, started=5.0, used={"cpu": 2.0})
    assert (called(job(7), 1), called(job(7, "-t 1"), 1)) == ("job 7", "job-array task 7.1")


def test_a_task_of_which_nothing_is_known_waits_and_is_held_with_its_job() -> None:
    assert [task_of(job(1, options), 1) for options in ("", "-h")] == [Task("qw"), Task("hqw")]
    assert task_of(ARRAY, 8) is RUNNING


@pytest.mark.parametrize(
    ("before", "options", "line", "name"),
    [
        ("-N a", "-p -5", "-N a -p -5 sleep 60", "b"),
        ("-N a", "-N c", "-N c sleep 60", "c"),
        ("", "-p -5", "-p -5 sleep 60", "b"),
        ("-p -5", "-p -6", "-p -6 sleep 60", "b"),
    ],
)
def test_options_replace_what_they_speak_of(before: str, options: str, line: str, name: str) -> None:
    after = with_options(replace(job(1, before), name="b"), options)
    assert (after.qsub, after.name, after.request.priority) == (line, name, int(line.partition("-p ")[2][:2] or 0))


@pytest.mark.parametrize("option", ["-a", "-dl"])
def test_a_date_without_a_year_goes_on_being_read_by_the_year_of_the_submission(option: str) -> None:
    submitted = 1_800_000_000  # 2027-01-15
    dated = with_options(job(1, submitted=submitted), f"{option} 02011200").request
    assert (dated.start_time, dated.deadline)[option == "-dl"] == 1_801_483_200
    again = with_options(with_options(job(1, submitted=submitted), f"{option} 02011200"), "-p -5").request
    assert (again.start_time, again.deadline) == (dated.start_time, dated.deadline)
