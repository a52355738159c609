"""A reservation that is deleted while its jobs run keeps what it has (tried on 8.1.9, timed scenario of that name)."""

from qmon_tui.formats.folder_reader import read_texts
from qmon_tui.formats.layout import Layout
from qmon_tui.qmaster import schedule

CLUSTER = """
queues: {a.q: {hostlist: h1, slots: 4, load_thresholds: NONE}}
scheduler: {schedd_job_info: "true"}
now: 2026-01-01T09:00:00
reservations:
- {id: 1, owner: root, start: 2026-01-01T08:00:00, end: 2026-01-01T10:00:00, state: d, granted: {a.q@h1: 2}}
jobs:
- id: 1
  owner: ada
  qsub: -ar 1 sleep 60
  tasks: {1: {state: dr, granted: a.q@h1, started: 2026-01-01T08:30:00}}
- {id: 2, owner: ada, qsub: -t 1-4 sleep 60}
"""


def test_what_is_deleted_while_jobs_run_in_it_keeps_its_slots() -> None:
    contents = read_texts(Layout.YAML, "deleted", {"cluster.yaml": CLUSTER})
    outcome = schedule(contents.cluster, contents.state)
    job = outcome.job(2)
    assert job is not None
    assert [task.state for task in job.tasks] == ["t", "t", "qw", "qw"]
    assert [(shown.reserved, shown.used, shown.total) for shown in outcome.queue_instances] == [(2, 3, 4)]
