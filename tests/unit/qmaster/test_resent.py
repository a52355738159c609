"""Commands put a job at the end of the scheduler's list where the real ones do: who is held and named first tells it.

In the recorded sessions two or three jobs are held, and messages are kept of one of them only: it is told that it is in
hold state where it is the first of them in the list.
"""

import shlex
from dataclasses import replace

import pytest

from qmon_tui.formats.folder_reader import read_texts
from qmon_tui.formats.layout import Layout
from qmon_tui.model.cluster import Cluster
from qmon_tui.model.state import State
from qmon_tui.qmaster.commands import Reply, Target, alter, new_job, submit
from qmon_tui.qmaster.commands.holds import hold, release
from qmon_tui.qmaster.commands.qdel import delete
from qmon_tui.scheduler.jobs.dependencies import Dependencies
from tests.differential.recording import kept_runs
from tests.differential.scenarios import CLUSTERS, read_scenario
from tests.differential.session import Order, Submission

HELD = "Job is in hold state"


def given(cluster: Cluster, state: State, action: Order | Submission) -> Reply:
    """A command of a session given to our state."""
    if isinstance(action, Submission):
        return submit(cluster, state, new_job(state, action.owner, action.qsub, group=action.group))
    program, *words = action.words
    number = int(words[-1].partition(".")[0])
    if program == "qalter":
        return alter(cluster, state, number, shlex.join(words[:-1]))
    if program == "qdel":
        task = words[-1].partition(".")[2]
        return delete(cluster, state, Target(number, (int(task),) if task else None))
    letters = words[1] if words[0] == "-h" else "u"
    return (hold if program == "qhold" else release)(cluster, state, Target(number), letters)


def first_held(state: State) -> int:
    """The first held job in the order of the list."""
    dependencies = Dependencies()
    for job in state.jobs:
        dependencies.add(job)
    held = (
        job
        for job in state.jobs
        if job.request.hold or any("h" in task.state for task in job.tasks.values()) or dependencies.held_tasks(job)
    )
    return min(held, key=lambda job: (job.changed or job.submitted, job.id)).id


@pytest.mark.parametrize(
    ("name", "told"), [("changed_options", 1), ("changed_released", 2), ("changed_released_tasks", 2)]
)
def test_the_job_that_is_first_in_the_list_is_the_real_one(name: str, told: int) -> None:
    scenario = read_scenario(CLUSTERS / name)
    contents = read_texts(Layout.YAML, name, dict(scenario.files))
    state = replace(contents.state, now=1_800_000_000)
    orders = []
    for step, run in zip(scenario.steps, kept_runs(scenario), strict=True):
        for action in step.actions:
            assert isinstance(action, Order | Submission)
            state = given(contents.cluster, state, action).state
        messages = next(job.messages for job in run.after.jobs if job.id == told)
        orders.append((step.actions[-1], first_held(state) == told, HELD in messages))
        state = replace(state, now=state.now + 1)
    assert [ours for _, ours, _ in orders] == [real for _, _, real in orders], [
        action for action, ours, real in orders if ours != real
    ]
    assert len({real for _, _, real in orders}) == 2 or name == "changed_released"
