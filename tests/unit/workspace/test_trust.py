"""Starts of the real scheduler are compared with the run before them, for tasks that were known while they waited."""

from dataclasses import replace

from qmon_tui.formats import Layout, read_texts
from qmon_tui.model.jobs import Task
from qmon_tui.qmaster import schedule
from qmon_tui.workspace.evaluation import Trust

CLUSTER = """\
now: 2026-11-28T12:00:00
queues: {a.q: {hostlist: "n1 n2", slots: "1", load_thresholds: NONE, pe_list: NONE}}
hosts: {n1: {}, n2: {}}
jobs:
- {id: 1, owner: anna, submitted: 2026-11-28T11:00:00, qsub: sleep 600}
- {id: 2, owner: anna, submitted: 2026-11-28T11:00:00, qsub: sleep 600}
- {id: 3, owner: anna, submitted: 2026-11-28T11:00:00, qsub: sleep 600}
"""


def test_right_and_wrong_starts_are_counted() -> None:
    contents = read_texts(Layout.YAML, "test", {"cluster.yaml": CLUSTER})
    outcome = schedule(contents.cluster, contents.state)
    placed = {job.id: next(iter(job.tasks[0].granted), "") for job in outcome.jobs}
    assert placed[1]
    assert placed[2]
    assert not placed[3]
    first, second, third = contents.state.jobs
    now = replace(
        contents.state,
        jobs=(
            replace(first, tasks={1: Task("r", {placed[1]: 1}, 0)}),
            second,
            replace(third, tasks={1: Task("t", {placed[2]: 1}, 0)}),
            replace(third, id=4, tasks={1: Task("r", {placed[2]: 1}, 0)}),
        ),
    )
    trust = Trust().after(outcome, contents.state, now)
    assert (trust.right, trust.total) == (1, 2)
    assert trust.misses == (f"3.1 started on {placed[2]}, our run placed it nowhere",)
    again = trust.after(outcome, now, now)
    assert again == trust, "what has started before is not counted again"
