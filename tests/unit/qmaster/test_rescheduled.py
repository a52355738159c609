"""A task that is sent back keeps off the hosts where it ran, as with simulated hosts of 8.1.9, until they are clean.

What the real system does is recorded in the scenarios `rescheduled` and `rescheduled_often`.
"""

from dataclasses import replace
from types import MappingProxyType

import pytest

from qmon_tui.formats.folder_reader import read_texts
from qmon_tui.formats.layout import Layout
from qmon_tui.model.jobs import Job
from qmon_tui.model.kinds import Kind
from qmon_tui.model.state import State
from qmon_tui.qmaster.commands import JobCommand, Target, clean_up, modify
from qmon_tui.qmaster.commands.modify import reschedule_instances
from qmon_tui.qmaster.scheduling import schedule

TEXT = """\
now: 2026-01-01T09:00:00
queues:
  all.q: {hostlist: "sim1 sim2", slots: 4, load_thresholds: NONE, rerun: "TRUE", seq_no: "0,[sim2=1]"}
scheduler: {queue_sort_method: seqno, schedd_job_info: "true"}
jobs:
- id: 1
  owner: anna
  submitted: 2026-01-01T08:00:00
  qsub: -t 1-3 sleep 900
  tasks:
    1-2: {state: r, granted: {all.q@sim1: 1}, started: 2026-01-01T08:10:00}
"""
CONTENTS = read_texts(Layout.YAML, "back", {"all.yaml": TEXT})
assert not CONTENTS.findings
SECOND = Target(1, (2,))


def job_of(state: State) -> Job:
    (job,) = state.jobs
    return job


def sent_back(state: State) -> State:
    return modify(CONTENTS.cluster, state, JobCommand.RESCHEDULE, SECOND).state


def run(state: State) -> State:
    """The second task as a run leaves it, the others as they were."""
    (task_outcome,) = (task for task in schedule(CONTENTS.cluster, state).jobs[0].tasks if task.task == 2)
    job = job_of(state)
    task = replace(
        job.tasks[2], state=task_outcome.state, granted=MappingProxyType(dict(task_outcome.granted)), started=1.0
    )
    return replace(state, jobs=(replace(job, tasks=MappingProxyType({**job.tasks, 2: task})),))


def test_every_host_where_it_ran_is_passed_over_and_only_for_that_task() -> None:
    state = sent_back(CONTENTS.state)
    assert (job_of(state).tasks[2].state, job_of(state).tasks[2].unclean) == ("Rq", ("sim1",))
    assert job_of(state).tasks[1] == job_of(CONTENTS.state).tasks[1]
    state = run(state)
    assert list(job_of(state).tasks[2].granted) == ["all.q@sim2"]
    state = sent_back(state)
    assert job_of(state).tasks[2].unclean == ("sim1", "sim2")
    (job,) = schedule(CONTENTS.cluster, state).jobs
    starts = {task.task: list(task.granted) for task in job.tasks}
    assert (starts[2], starts[3]) == ([], []), "the first task of a job that fits nowhere ends it"
    assert 'cannot run on host "sim2" until clean up of a previous run has finished' in job.reasons


def test_it_starts_there_again_when_that_is_cleaned_up() -> None:
    reply = clean_up(sent_back(CONTENTS.state), SECOND)
    assert reply.messages == ("cleaned up after job-array task 1.2 on sim1",)
    assert list(job_of(run(reply.state)).tasks[2].granted) == ["all.q@sim1"]
    assert clean_up(reply.state, SECOND).state is reply.state


def test_where_it_ran_last_may_also_be_told_by_what_it_was_granted() -> None:
    text = TEXT.replace("1-2: {state: r, granted: {all.q@sim1: 1}, started: 2026-01-01T08:10:00}",
                        "2: {state: Rq, granted: {all.q@sim1: 1}, unclean: sim3}")  # fmt: skip
    state = read_texts(Layout.YAML, "back", {"all.yaml": text}).state
    assert job_of(state).tasks[2].unclean_hosts == ("sim3", "sim1")
    assert job_of(clean_up(state, Target(1)).state).tasks[2].unclean_hosts == ()


@pytest.mark.parametrize(
    ("parameters", "array", "waits_anew"),
    [
        ("none", "-t 1-3", True),
        ("OLD_RESCHEDULE_BEHAVIOR=1", "", False),
        ("OLD_RESCHEDULE_BEHAVIOR=1", "-t 1-3", True),
        ("OLD_RESCHEDULE_BEHAVIOR_ARRAY_JOB=true", "-t 1-3", False),
        ("OLD_RESCHEDULE_BEHAVIOR_ARRAY_JOB=true", "", True),
    ],
)
def test_it_waits_anew_where_no_parameter_says_otherwise(parameters: str, array: str, waits_anew: bool) -> None:
    """As a real qmaster did (qmod -rj, -rq) with the first three."""
    text = TEXT.replace("-t 1-3", array).replace("1-2: {", "1: {")
    contents = read_texts(
        Layout.YAML, "back", {"all.yaml": f"configuration: {{global: {{qmaster_params: {parameters}}}}}\n{text}"}
    )
    assert not contents.findings
    after = job_of(modify(contents.cluster, contents.state, JobCommand.RESCHEDULE, Target(1, (1,))).state)
    assert after.tasks[1].state == "Rq"
    assert after.submitted == (contents.state.now if waits_anew else job_of(contents.state).submitted)


PARALLEL = """\
now: 2026-01-01T09:00:00
pes: {ctl: {slots: 9, control_slaves: "TRUE"}, free: {slots: 9}}
queues: {all.q: {hostlist: sim1 sim2, slots: 4, pe_list: ctl free, rerun: "TRUE"}}
jobs:
- id: 1
  owner: anna
  submitted: 2026-01-01T08:00:00
  qsub: -pe PE 2 sleep 900
  tasks:
    1: {state: r, granted: {all.q@sim2: 1, all.q@sim1: 1}, PLACED, started: 2026-01-01T08:10:00}
"""


@pytest.mark.parametrize(
    ("asked", "placed", "unclean"),
    [
        ("ctl", "pe: ctl", ("sim2", "sim1")),
        ("free", "pe: free", ("sim2",)),
        ("'*'", "pe: free", ("sim2",)),
        ("'c*'", "unclean: ''", ("sim2", "sim1")),
    ],
)
def test_with_control_slaves_every_host_of_it_is_left_unclean(
    asked: str, placed: str, unclean: tuple[str, ...]
) -> None:
    """As recorded in `control_slaves_sent_back`; of others only the host of the master queue."""
    text = PARALLEL.replace("PE 2", f"{asked} 2").replace("PLACED", placed)
    contents = read_texts(Layout.YAML, "back", {"all.yaml": text})
    assert not contents.findings
    after = modify(contents.cluster, contents.state, JobCommand.RESCHEDULE, Target(1)).state
    assert job_of(after).tasks[1].unclean == unclean


def test_where_its_environment_is_not_known_it_is_one_that_its_queues_have() -> None:
    text = (
        PARALLEL.replace("PE 2", "'*' 2").replace("PLACED", "unclean: ''").replace("pe_list: ctl free", "pe_list: free")
    )
    contents = read_texts(Layout.YAML, "back", {"all.yaml": text})
    for cluster, unclean in (
        (contents.cluster, ("sim2",)),
        (contents.cluster.without(Kind.QUEUE, "all.q"), ("sim2", "sim1")),
    ):
        after = modify(cluster, contents.state, JobCommand.FORCE_RESCHEDULE, Target(1)).state
        assert job_of(after).tasks[1].unclean == unclean


def test_instances_are_emptied_or_it_is_said_that_nothing_is_in_them() -> None:
    text = PARALLEL.replace("PE", "ctl", 1).replace("PLACED", "pe: ctl")
    contents = read_texts(Layout.YAML, "back", {"all.yaml": text})
    assert not contents.findings
    emptied = reschedule_instances(contents.cluster, contents.state, ["all.q@sim2"])
    assert job_of(emptied.state).tasks[1].state == "Rq"
    assert emptied.messages == ("Pushed rescheduling of job 1 on host sim2",)
    idle = reschedule_instances(contents.cluster, contents.state, ["all.q@sim9"])
    assert (idle.state, idle.messages) == (contents.state, ("Nothing in it can be rescheduled.",))
