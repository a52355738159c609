"""What qmod says to each task of a job, and what becomes of it (lifecycle.md#rescheduling)."""

from collections.abc import Mapping

import pytest

from qmon_tui.model.cluster import Cluster, config_object
from qmon_tui.model.jobs import FINISHED, Task
from qmon_tui.model.kinds import Kind
from qmon_tui.model.state import State
from qmon_tui.qmaster.commands import JobCommand, Target, modify
from qmon_tui.qmaster.commands.modify import reschedule_instances
from tests.unit.scheduler.building import NOW, cluster, job, queue, state

CK = config_object(Kind.CKPT, "ck", {"when": "sx"})
CKR = config_object(Kind.CKPT, "ckr", {"when": "sxr"})
QUEUES = (queue("no.q", "h1 h2", 9), queue("re.q", "h1 h2", 9, rerun="FALSE,[h2=TRUE]"), CK, CKR)


def on(params: str = "none") -> Cluster:
    return cluster(*QUEUES, config_object(Kind.CONFIGURATION, "global", {"qmaster_params": params}))


ON = on()
NO, RE = {"no.q@h1": 1}, {"re.q@h2": 1}


def tasks_of(letters: Mapping[int, str], granted: Mapping[str, int] = NO) -> dict[int, Task]:
    return {
        number: Task(text, {} if "q" in text else granted, NOW - 5) if text != "qw" else Task(text)
        for number, text in letters.items()
    }


def given(
    command: JobCommand, options: str, letters: Mapping[int, str], numbers: tuple[int, ...] | None = None
) -> tuple[tuple[str, ...], dict[int, str]]:
    """What is said, and the letters of each task afterwards."""
    reply = modify(ON, state([job(7, options, tasks=tasks_of(letters))]), command, Target(7, numbers))
    return reply.messages, {number: task.state for number, task in reply.state.jobs[0].tasks.items()}


PENDING = "Modify operation can not be applied on {} in pending/hold state"
SUSPEND, UNSUSPEND = JobCommand.SUSPEND, JobCommand.UNSUSPEND


@pytest.mark.parametrize(
    ("command", "options", "letters", "numbers", "said", "after"),
    [
        # A job is called an array, and an array a job, where nothing of it has begun.
        (SUSPEND, "", {}, None, (PENDING.format("job-array task 7.1"),), {}),
        (SUSPEND, "-t 1-3", {}, None, (PENDING.format("job 7"),), {}),
        (SUSPEND, "-t 1-3", {}, (2,), (PENDING.format("job-array task 7.2"),), {}),
        (
            SUSPEND, "-t 1-3", {2: "r"}, (1, 2, 3),
            (PENDING.format("job-array task 7.1"), "root - suspended job-array task 7.2",
             PENDING.format("job-array task 7.3")),
            {2: "s"},
        ),
        (SUSPEND, "-t 1-3", {1: "r", 2: "s"}, None,
         ("root - suspended job-array task 7.1", "root - job-array task 7.2 is already suspended"), {1: "s", 2: "s"}),
        (SUSPEND, "", {1: "S"}, None, ("root - suspended job 7",), {1: "Ss"}),
        (SUSPEND, "", {1: "Rq"}, None, (), {1: "Rq"}),
        (UNSUSPEND, "", {1: "s"}, None, ("root - unsuspended job 7",), {1: "r"}),
        (UNSUSPEND, "", {1: "S"}, None, ("root - job 7 is already unsuspended",), {1: "S"}),
        (UNSUSPEND, "", {1: "Rq"}, None, (), {1: "Rq"}),
        (SUSPEND, "-t 1-3", {1: "r"}, (4,), ('invalid queue or job "7"',), {1: "r"}),
        (SUSPEND, "-t 1-3", {1: FINISHED, 2: "r"}, (1,), ('invalid queue or job "7"',), {1: FINISHED, 2: "r"}),
    ],
)  # fmt: skip
def test_tasks_that_are_suspended_and_go_on(
    command: JobCommand,
    options: str,
    letters: dict[int, str],
    numbers: tuple[int, ...] | None,
    said: tuple[str, ...],
    after: dict[int, str],
) -> None:
    assert given(command, options, letters, numbers) == (said, after)


def sent_back(
    options: str, letters: str = "r", granted: Mapping[str, int] = NO, params: str = "none", *, forced: bool = False
) -> tuple[tuple[str, ...], str | None]:
    """What is said, and the letters of the task afterwards, none where the job is gone."""
    command = JobCommand.FORCE_RESCHEDULE if forced else JobCommand.RESCHEDULE
    reply = modify(on(params), state([job(7, options, tasks=tasks_of({1: letters}, granted))]), command, Target(7))
    return reply.messages, reply.state.jobs[0].tasks[1].state if reply.state.jobs else None


PUSHED, FORCED = "Pushed rescheduling of job 7 on host h1", "Forced rescheduling of job 7 on host h1"
KILL = "ENABLE_RESCHEDULE_KILL=1"
NOT_RERUNABLE = "The job 7 is running in queue none where jobs are not rerunable."
NOT_CHECKPOINTED = "7 requests ckpt object ck. Therefore this job is not restartable."
DELETED = "The job 7 is already in deleted state. No rescheduling!"


@pytest.mark.parametrize(
    ("options", "letters", "granted", "said", "after", "after_kill"),
    [
        ("-r y", "r", NO, PUSHED, "Rq", "Rq"),
        ("", "r", NO, NOT_RERUNABLE, "r", None),
        ("", "r", {"re.q@h1": 1}, NOT_RERUNABLE, "r", None),
        ("", "s", RE, "Pushed rescheduling of job 7 on host h2", "Rq", "Rq"),
        ("", "r", {**RE, **NO}, "Pushed rescheduling of job 7 on host h2", "Rq", "Rq"),
        ("", "r", {**NO, **RE}, NOT_RERUNABLE, "r", None),
        ("", "r", {"gone.q@h1": 1}, NOT_RERUNABLE, "r", None),
        ("-r n", "r", RE, "The job 7 is not restartable", "r", None),
        ("-r n -ckpt ck", "r", RE, "The job 7 is not restartable", "r", None),
        ("-r y -ckpt ck", "r", NO, NOT_CHECKPOINTED, "r", "r"),
        ("-r y -ckpt ck", "dr", NO, NOT_CHECKPOINTED, "dr", "dr"),
        ("-r y -ckpt ckr", "r", NO, PUSHED, "Rq", "Rq"),
        ("-r y", "dr", NO, DELETED, "dr", None),
        ("-r y", "hr", NO, PUSHED, "hRq", "hRq"),
        ("-r y", "Rq", NO, None, "Rq", "Rq"),
    ],
)
def test_what_may_be_run_again_is_sent_back(
    options: str, letters: str, granted: dict[str, int], said: str | None, after: str, after_kill: str | None
) -> None:
    assert sent_back(options, letters, granted) == ((said,) if said else (), after)
    is_said = said is not None and ("Pushed" in said or after_kill == after)
    assert sent_back(options, letters, granted, KILL) == ((said,) if is_said else (), after_kill)


def test_a_task_of_an_array_is_told_by_its_number() -> None:
    said, _ = sent_back("-t 1-1 -ckpt ck")
    assert said == ("7.1 requests ckpt object ck. Therefore this job-array task is not restartable.",)


def test_by_force_everything_is_sent_back() -> None:
    for options, letters, after in (("-r n", "r", "Rq"), ("-ckpt ck", "s", "Rq"), ("", "dr", None)):
        assert sent_back(options, letters, forced=True) == ((FORCED,), after)
    assert sent_back("", "Rq", forced=True) == ((), "Rq")


@pytest.mark.parametrize(
    ("params", "instances", "back"),
    [
        ("none", ["no.q@h1"], {1}),
        ("none", ["re.q@h2"], {2}),
        ("none", ["re.q@h2", "no.q@h1"], {1, 2}),
        ("ENABLE_RESCHEDULE_SLAVE=1", ["re.q@h2"], {1, 2}),
        ("ENABLE_RESCHEDULE_SLAVE=1", ["no.q@h2"], set()),
    ],
)
def test_of_a_parallel_task_the_master_queue_counts_or_any(params: str, instances: list[str], back: set[int]) -> None:
    jobs = [
        job(1, "-r y", tasks=tasks_of({1: "r"}, {**NO, **RE})),
        job(2, "-r y", tasks=tasks_of({1: "r"}, RE)),
        job(3, "-r y", tasks=tasks_of({1: "Rq"}, NO)),
    ]
    reply = reschedule_instances(on(params), state(jobs), instances)
    assert {job.id for job in reply.state.jobs if job.id < 3 and job.tasks[1].state == "Rq"} == back
    assert (reply.messages == ("Nothing in it can be rescheduled.",)) == (not back)


def test_what_is_said_while_nothing_changes_is_not_that_nothing_is_there() -> None:
    before: State = state([job(7, tasks=tasks_of({1: "r"}))])
    reply = reschedule_instances(ON, before, ["no.q@h1"])
    assert (reply.messages, reply.state) == ((NOT_RERUNABLE,), before)
    # What may not be run again ends without a word, which is a change.
    assert reschedule_instances(on(KILL), before, ["no.q@h1"]).messages == ()


def test_errors_are_cleared() -> None:
    reply = modify(
        ON, state([job(7, "-t 1-2", tasks={1: Task("Eqw"), 2: Task("Eqw")})]), JobCommand.CLEAR_ERROR, Target(7, (2,))
    )
    assert reply.messages == ("root@localhost cleared error state of job-array task 7.2",)
    assert {number: task.state for number, task in reply.state.jobs[0].tasks.items()} == {1: "Eqw"}
    held = state([job(9, tasks={1: Task("hEqw", hold="uo", reason="no such file")})])
    (cleared,) = modify(ON, held, JobCommand.CLEAR_ERROR, Target(9)).state.jobs
    assert cleared.tasks[1] == Task("hqw", hold="uo")
    running = state([job(7, tasks=tasks_of({1: "r"})), job(8, "-t 1", tasks=tasks_of({1: "r"}))])
    said = [modify(ON, running, JobCommand.CLEAR_ERROR, Target(number)).messages for number in (7, 8)]
    assert said == [("Job 7 is not in error state",), ("Job-array task 8.1 is not in error state",)]
