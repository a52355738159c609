"""Tasks of one array that commands suspend and resume come last where a threshold looks for one to halt.

What the real system does is recorded in the scenario `suspend_thresholds_in_turn`.
"""

from qmon_tui.formats.folder_reader import read_texts
from qmon_tui.formats.layout import Layout
from qmon_tui.formats.state.state_writer import state_text
from qmon_tui.model.state import State
from qmon_tui.qmaster.commands import JobCommand, Target, modify
from qmon_tui.qmaster.scheduling import schedule

TEXT = """\
complexes:
  heat: {shortcut: heat, type: DOUBLE, relop: ">=", requestable: "YES", consumable: "NO", default: 0, urgency: 0}
queues:
  all.q: {hostlist: sim1, slots: 4, load_thresholds: NONE, suspend_thresholds: heat=5, nsuspend: 1}
"""
CLUSTER = read_texts(Layout.YAML, "halted", {"all.yaml": TEXT}).cluster
JOBS = """\
now: 2026-01-01T09:00:00
loads: {sim1: {heat: 6}}
jobs:
- id: 1
  owner: anna
  submitted: 2026-01-01T08:00:00
  qsub: -t 1-3 sleep 9999
  tasks:
    1-3: {state: r, granted: {all.q@sim1: 1}, started: 2026-01-01T08:10:00}
"""


def read(jobs: str) -> State:
    contents = read_texts(Layout.YAML, "halted", {"all.yaml": TEXT, "jobs.yaml": jobs})
    assert not contents.findings
    return contents.state


def halted(state: State) -> list[int]:
    return [task.task for task in schedule(CLUSTER, state).jobs[0].tasks if "T" in task.state]


def test_what_was_suspended_by_hand_is_halted_after_the_others() -> None:
    state = read(JOBS)
    assert halted(state) == [1]
    for task in (2, 1):
        state = modify(CLUSTER, state, JobCommand.SUSPEND, Target(1, (task,))).state
    state = modify(CLUSTER, state, JobCommand.UNSUSPEND, Target(1)).state
    assert halted(state) == [3]
    assert read(state_text(state)).jobs[0].tasks == state.jobs[0].tasks
