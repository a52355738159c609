"""What qalter does to other jobs and keeps of the one that it changes (clients.md)."""

import pytest

from qmon_tui.model.state import Job, Task
from qmon_tui.qmaster.commands import alter
from qmon_tui.qmaster.commands.alter import with_kept_limits
from tests.unit.scheduler.building import cluster, job, queue, state

ON = cluster(queue("a.q", "n1", 4, h_rt="2:0:0"), queue("b.q", "n1", 4))


@pytest.mark.parametrize(("options", "waits_for"), [("-N new", ("1",)), ("-p -5", ("a*",)), ("-l h_rt=60", ("a*",))])
def test_who_waits_for_a_job_by_a_pattern_waits_for_its_number_once_it_has_another_name(
    options: str, waits_for: tuple[str, ...]
) -> None:
    after = alter(ON, state([job(1, "-N all"), job(2, "-hold_jid a*")]), 1, options).state
    assert after.jobs[1].request.hold_jid == waits_for


def placed(instance: str, letters: str = "r", options: str = "") -> Job:
    return job(1, options, tasks={1: Task(letters, {instance: 1})})


@pytest.mark.parametrize(
    ("before", "after", "limit"),
    [
        (placed("a.q@n1"), "-l h_rt=60", 7200),
        (placed("b.q@n1", options="-l h_rt=90"), "-l h_rt=60", 90),
        (placed("a.q@n1", options="-l h_rt=90"), "-l h_rt=60", 90),
        (placed("a.q@n1", options="-l h_rt=90"), "-l h_rt=90", None),
        (placed("b.q@n1", "Rq", "-l h_rt=90"), "-l h_rt=60", None),
    ],
)
def test_what_runs_keeps_the_limit_that_it_was_started_with(before: Job, after: str, limit: float | None) -> None:
    changed = with_kept_limits(ON, before, job(1, after, tasks=before.tasks))
    assert changed.tasks[1].wallclock_limit == limit
