"""Jobs for whose category no reservation is tried any more, when qalter, qhold and qrls have them sent anew."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from qmon_tui.formats.folder_reader import read_texts
from qmon_tui.formats.layout import Layout
from qmon_tui.incremental import RunChain, state_after
from qmon_tui.model.cluster import Cluster
from qmon_tui.model.state import State
from qmon_tui.qmaster import simulate
from qmon_tui.qmaster.commands import Reply, Target, alter
from qmon_tui.qmaster.commands.holds import hold, release
from qmon_tui.qmaster.transition import TaskEnded, after_event
from qmon_tui.workspace.state_edits import CommandEdit
from tests.edits import alter_jobs, hold_jobs
from tests.unit.scheduler.building import NOW, cluster, job, queue, running, scheduler, state

Command = Callable[[Cluster, State, Target, str], Reply]
JOBS = """\
hosts: {n1: {}}
queues: {all.q: {hostlist: n1}}
now: 2026-11-21T19:00:00
jobs:
- {id: 1, owner: anna, submitted: 2026-11-21T18:00:00, qsub: "-R y -l h_rt=60 x", reservation: rejected}
- {id: 2, owner: anna, submitted: 2026-11-21T18:00:00, qsub: "-R y -l h_rt=60 x", reservation: rejected}
- {id: 3, owner: anna, submitted: 2026-11-21T18:00:00, qsub: "-R y -l h_rt=90 x", reservation: rejected}
"""


@pytest.mark.parametrize(
    ("job", "options", "stays"),
    [
        (1, "-p -5", True),
        (1, "-l h_rt=60", True),
        (1, "-l h_rt=90", False),
        (1, "-q all.q", False),
        # The only one of its category: that is made anew where the job is sent with its tasks, as recorded.
        (3, "-p -5", True),
        (3, "-js 7", True),
        (3, "-m e", True),
        (3, "-R y", False),
        (3, "-N y", False),
        (3, "-ot 5", False),
        (3, "-l h_rt=90", False),
        (3, "-h u", False),
    ],
)
def test_what_is_remembered_of_a_category_stays_with_it(job: int, options: str, stays: bool) -> None:
    contents = read_texts(Layout.YAML, "rejected", {"jobs.yaml": JOBS})
    assert not contents.findings
    state = contents.state
    after = alter(contents.cluster, state, job, options).state
    assert [job.reservation_rejected for job in after.jobs] == [one.id != job or stays for one in state.jobs]


@pytest.mark.parametrize("command", [hold, release])
@pytest.mark.parametrize(("job", "stays"), [(1, True), (3, False)])
def test_a_hold_has_the_category_of_an_only_job_made_anew(command: Command, job: int, stays: bool) -> None:
    contents = read_texts(Layout.YAML, "rejected", {"jobs.yaml": JOBS})
    after = command(contents.cluster, contents.state, Target(job), "u").state
    assert [job.reservation_rejected for job in after.jobs] == [one.id != job or stays for one in after.jobs]


@pytest.mark.parametrize("order", [hold_jobs([Target(1)], "u"), alter_jobs([Target(1)], "-r y")])
def test_edits_of_one_job_know_of_the_others_of_its_category(order: CommandEdit) -> None:
    contents = read_texts(Layout.YAML, "rejected", {"jobs.yaml": JOBS})
    after = order.command.apply(contents.cluster, contents.state).state
    assert after != contents.state
    assert [job.reservation_rejected for job in after.jobs] == [True, True, True]


@pytest.mark.parametrize(
    ("other", "stays"), [("-R y -l h_rt=60", True), ("-R y -l h_rt=90", False)], ids=["one of two", "the only one"]
)
def test_a_job_that_is_released_makes_its_kind_anew(other: str, stays: bool) -> None:
    """As tried on 8.1.9 (carried-42003): it is sent when what it waited for ends, and again when that is removed."""
    on = cluster(queue("a.q", "n1", 1), scheduler(max_reservation=5))
    waiting = job(2, "-R y -l h_rt=60 -hold_jid 1", reservation_rejected=True)
    there = state([running(1, "a.q@n1"), waiting, job(3, other), running(4, "a.q@n1")])
    ended = after_event(on, there, TaskEnded(1, 1), at=NOW + 1)
    assert ended.jobs[1].reservation_rejected is stays
    again = replace(ended, jobs=(ended.jobs[0], replace(ended.jobs[1], reservation_rejected=True), *ended.jobs[2:]))
    for removed in (state_after(simulate(on, again, fast=False)), state_after(RunChain().next_run(on, again))):
        assert removed.jobs[0].id == 2, "what has ended is removed"
        assert removed.jobs[0].reservation_rejected is stays
