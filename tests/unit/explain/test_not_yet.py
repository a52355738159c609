"""What a job waits for before its turn: which job and until when, which hold and who may release it."""

from dataclasses import replace

from qmon_tui.explain import ReasonGroup, ReasonKind
from qmon_tui.explain.explainer import explain
from qmon_tui.model.jobs import Job, Task
from qmon_tui.qmaster.commands import JobCommand, QmodJobs, Target
from qmon_tui.values import format_time
from tests.unit.scheduler.building import cluster, job, queue, running, state

ON = cluster(queue("all.q", "h1", 9), queue("short.q", "h2", 9, h_rt="0:30:0"))


def groups(number: int, *jobs: Job, task: int | None = None) -> tuple[ReasonGroup, ...]:
    return explain(ON, state(jobs), number, task).groups


def without_runtime(known: Job) -> Job:
    return replace(known, runtime=None)


def test_the_jobs_that_it_waits_for_are_named_with_their_end() -> None:
    """By reservation.md#duration-of-a-job what the job asks for counts before the limit of its queue."""
    before = (
        without_runtime(running(1, "all.q@h1", "-N asks -l h_rt=0:10:0")),
        without_runtime(running(2, "short.q@h2", "-N limited")),
        without_runtime(running(3, "all.q@h1", "-N endless")),
        job(4, "-N waits -h", owner="bert"),
    )
    started = before[0].tasks[1].started or 0
    (group,) = groups(5, *before, job(5, "-hold_jid 1,2,3,4"))
    assert group.why is ReasonKind.NOT_YET
    assert group.details == (
        f"waits for job 1 asks of anna: running, over by {format_time(started + 600)} (h_rt)",
        f"waits for job 2 limited of anna: running, over by {format_time(started + 1800)} (h_rt)",
        "waits for job 3 endless of anna: running, with no limit to its run time",
        "waits for job 4 waits of bert: held",
    )


def test_who_waits_for_tasks_in_error_is_told_how_to_clear_them() -> None:
    error = {2: Task("Eqw"), 3: Task("Eqw")}
    before = (job(1, "-N plain", tasks={1: Task("Eqw")}), job(2, "-N array -t 1-3", tasks=error))
    details = [*groups(3, *before, job(3, "-hold_jid 1,2"))[0].details]
    details += groups(4, *before, job(4, "-t 1-3 -hold_jid_ad 2"), task=2)[0].details
    assert details == [
        "waits for job 1 plain of anna: in error: qmod -cj 1 clears it",
        "waits for job 2 array of anna: 2 tasks in error: qmod -cj 2 clears it",
        "each task waits for its counterpart (-hold_jid_ad)",
        "waits for job 2 array of anna: 2 tasks in error: qmod -cj 2 clears it",
    ]


def test_many_jobs_that_it_waits_for_are_counted() -> None:
    before = [job(number, "-N part") for number in range(1, 9)]
    (group,) = groups(9, *before, job(9, "-hold_jid part"))
    assert len(group.details) == 6
    assert group.details[0] == "waits for job 1 part of anna: starts in this run"
    assert group.details[-1] == "and for 3 more"


def test_its_start_time_is_told() -> None:
    (group,) = groups(1, job(1, "-a 203001010000"))
    assert (group.why, group.details) == (ReasonKind.NOT_YET, ("not before 2030-01-01T00:00:00 (-a)",))


def test_each_hold_tells_who_may_release_it() -> None:
    (group,) = groups(1, job(1, tasks={1: Task("hqw", hold="uos")}))
    assert group.why is ReasonKind.HELD
    assert group.details == (
        "user hold (u): anna, an operator or a manager releases it",
        "operator hold (o): an operator or a manager releases it",
        "system hold (s): a manager releases it",
    )


def test_a_task_that_waits_for_its_counterpart_names_the_array() -> None:
    (group,) = groups(2, job(1, "-N first -t 1-2"), job(2, "-t 1-2 -hold_jid_ad 1"))
    assert group.details[0] == "each task waits for its counterpart (-hold_jid_ad)"
    assert group.details[1].startswith("waits for job 1 first of anna: ")


def test_the_reason_of_an_error_is_told_where_it_is_known() -> None:
    on = cluster(queue("a.q", "h1", 1))
    for reason, words in (("can't chdir to /home/anna", ": can't chdir to /home/anna"), ("", "")):
        failed = job(1, tasks={1: Task("Eqw", reason=reason)})
        explanation = explain(on, state((failed,)), 1)
        assert explanation.groups[0].message == f"Job is in error state{words}"
        cleared = QmodJobs((Target(1),), JobCommand.CLEAR_ERROR).apply(on, state((failed,))).state
        assert cleared.jobs[0].tasks[1] == Task("qw")
