"""What comes to the end of the scheduler's lists when a task goes: as the recorded `moved_by_ends` shows for ends."""

import pytest

from qmon_tui.formats.folder_reader import read_texts
from qmon_tui.formats.layout import Layout
from qmon_tui.qmaster.commands import JobCommand, Target, modify
from qmon_tui.qmaster.commands.qdel import delete
from qmon_tui.qmaster.task_end import changed_by_end
from tests.unit.scheduler.building import cluster, host, queue, running, state

CLUSTER = """
queues:
  c.q: {hostlist: h1, slots: 4, rerun: "TRUE"}
  p.q: {hostlist: h2, slots: 4, pe_list: one, rerun: "TRUE"}
pes: {one: {slots: 20}}
quotas:
  first: {enabled: "TRUE", limit: ["queues c.q to slots=2"]}
  second: {enabled: "TRUE", limit: ["users {*} to slots=9"]}
  other: {enabled: "FALSE", limit: ["users {*} to slots=9"]}
now: 2026-01-01T09:00:00
jobs:
- id: 1
  owner: ada
  qsub: sleep 60
  tasks: {1: {state: r, granted: c.q@h1, started: 2026-01-01T08:00:00}}
- id: 2
  owner: ada
  qsub: -pe one 2 sleep 60
  tasks: {1: {state: r, granted: {p.q@h2: 2}, started: 2026-01-01T08:00:00}}
"""
CONTENTS = read_texts(Layout.YAML, "leaving", {"cluster.yaml": CLUSTER})


@pytest.mark.parametrize(
    ("job", "places"),
    [(1, ["c.q@h1", "quotas/first", "quotas/second"]), (2, ["p.q@h2", "quotas/second", "pes/one"])],
)
def test_what_is_deleted_by_force_or_sent_back_dates_all_that_it_was_in(job: int, places: list[str]) -> None:
    cluster, state = CONTENTS.cluster, CONTENTS.state
    assert list(delete(cluster, state, Target(job), force=True).state.changed) == places
    assert list(modify(cluster, state, JobCommand.FORCE_RESCHEDULE, Target(job)).state.changed) == places


def test_what_is_only_told_to_end_changes_nothing_yet() -> None:
    assert not delete(CONTENTS.cluster, CONTENTS.state, Target(1)).state.changed


ARRAY = """
queues: {c.q: {hostlist: h1, slots: 4, rerun: "TRUE"}}
now: 2026-01-01T09:00:00
jobs:
- id: 1
  owner: ada
  qsub: -t 1-3 -tc 1 sleep 60
  tasks: {1: {state: r, granted: c.q@h1, started: 2026-01-01T08:00:00, used: {cpu: 7}}}
"""


def test_what_is_forgotten_counts_in_the_next_run_as_what_has_ended_does() -> None:
    contents = read_texts(Layout.YAML, "forgotten", {"cluster.yaml": ARRAY})
    state = delete(contents.cluster, contents.state, Target(1, (1,)), force=True).state
    task = state.jobs[0].tasks[1]
    assert (task.state, dict(task.granted), dict(task.used or {})) == ("z", {}, {"cpu": 7.0})
    # No command finds it any more.
    assert delete(contents.cluster, state, Target(1, (1,))).messages == ('job "1" task "1" does not exist',)
    assert modify(contents.cluster, state, JobCommand.SUSPEND, Target(1, (1,))).state is state


@pytest.mark.parametrize("letters", [{}, {"c.q@h1": "d"}])
def test_an_instance_that_the_configuration_has_no_longer_is_left_with_its_host(letters: dict[str, str]) -> None:
    on = cluster(queue("c.q", "h1", 4), queue("p.q", "h2", 4), host("h2", "slots=4"))
    before = state([running(1, "c.q@h2"), running(2, "p.q@h2")], queue_states=letters)
    assert changed_by_end(on, before, 1, (1,)) == ["c.q@h2", "hosts/h2"]
    assert changed_by_end(on, before, 2, (1,)) == ["p.q@h2", "hosts/h2"]
    assert changed_by_end(on, before, 3, (1,)) == []
