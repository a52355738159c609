"""What qalter does to other jobs and keeps of the one that it changes (clients.md)."""

import pytest

from qmon_tui.model.cluster import config_object
from qmon_tui.model.jobs import SEQUENTIAL, Job, Task
from qmon_tui.model.kinds import Kind
from qmon_tui.qmaster.commands import alter
from qmon_tui.qmaster.commands.alter import with_kept_limits
from qmon_tui.scheduler.configuration import compile_cluster
from tests.unit.scheduler.building import attribute, cluster, environment, job, project, queue, state, user

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


WITH_PE = cluster(queue("a.q", "n1", 4, pe_list="mpi"), environment("mpi"), attribute("gpu gpu INT <= YES NO 0 0"))
HELD, NOWHERE = "verification: job is already running or is held", "error: no suitable queues"
FOUND = "verification: found suitable queue(s)"
PRIORITY = "root@localhost sets scheduling priority of job 1 to -7"
RESOURCES = "modified hard resource list of job 1"


@pytest.mark.parametrize(
    ("before", "options", "said", "is_changed"),
    [
        (job(1), "-w v", (FOUND,), False),
        (job(1), "-w p -p -7", (FOUND,), False),
        (job(1), "-w e -p -7", (PRIORITY,), True),
        (job(1), "-w n -l gpu=1", (RESOURCES,), True),
        (job(1), "-w w -l gpu=1", (RESOURCES, "warning: no suitable queues"), True),
        (job(1), "-w e -l gpu=1", (NOWHERE,), False),
        (job(1, "-l gpu=1"), "-w e -l ''", (RESOURCES,), True),
        (job(1, "-pe mpi 3-99"), "-w v", ("verification: found possible assignment with 4 slots",), False),
        (job(1, "-h"), "-w v -p -7", (HELD,), True),
        (job(1, "-h"), "-w e -p -7", (PRIORITY, HELD), True),
        (job(1, "-h -l gpu=1"), "-w e -p -7", (PRIORITY, HELD), True),
        (job(1, "-h -t 1-2", tasks={2: Task("qw")}), "-w p", (FOUND,), False),
        (job(1, "-hold_jid 2"), "-w p", (FOUND,), False),
        (placed("a.q@n1"), "-w v", (HELD,), False),
        (placed("a.q@n1"), "-w v -p -7", (HELD,), True),
        # The holds count that it gets: recorded in `verified as it will be held`.
        (job(1), "-w v -h u", (HELD,), True),
        (job(1, "-h"), "-w v -h n", (FOUND,), False),
        (job(1, "-h"), "-w e -h n", ("modified hold of job 1",), True),
    ],
)
def test_a_change_is_made_or_only_verified(before: Job, options: str, said: tuple[str, ...], is_changed: bool) -> None:
    there = state([before, job(2)])
    reply = alter(WITH_PE, there, 1, options)
    assert reply.messages == said
    assert ((reply.state.jobs[0].request, reply.state.jobs[0].tasks) != (before.request, before.tasks)) == is_changed


@pytest.mark.parametrize(
    ("before", "options", "environment_of_task"),
    [
        (placed("a.q@n1"), "-pe mpi 2", SEQUENTIAL),
        (placed("a.q@n1"), "-p -7", None),
        (placed("a.q@n1", options="-pe mpi 1"), "-pe mpi 2", None),
        (job(1, tasks={1: Task("r", {"a.q@n1": 1}, environment="smp")}), "-pe mpi 2", "smp"),
        (job(1, tasks={1: Task("Rq")}), "-pe mpi 2", None),
    ],
)
def test_what_runs_goes_on_without_the_environment_that_is_given(
    before: Job, options: str, environment_of_task: str | None
) -> None:
    (after,) = alter(WITH_PE, state([before]), 1, options).state.jobs
    assert after.tasks[1].environment == environment_of_task


@pytest.mark.parametrize(
    ("before", "options", "is_let_in"),
    [
        ("", "-p 1", True),
        ("", "-p -1", False),
        ("-P gone", "-p 0", False),
        ("", "-masterq a.q", True),
        ("", "-pe mpi 1 -masterq a.q", False),
        ("", "-l gpu=1", False),
        ("-ckpt ck -c s", "-ckpt ''", True),
        ("-ckpt ck -c s", "-N other", False),
        ("-ckpt gone -c s", "-N other", False),
        ("-pe gone 1 -masterq a.q", "-N other", False),
    ],
)
def test_what_its_owner_could_not_have_submitted_is_let_in(before: str, options: str, is_let_in: bool) -> None:
    on = WITH_PE.with_objects([config_object(Kind.CKPT, "ck", {})])
    (after,) = alter(on, state([job(1, before)]), 1, options).state.jobs
    assert (1 in after.tasks) == is_let_in


def test_tasks_are_only_held() -> None:
    only = "denied: the selected option works only on jobs and not on tasks"
    array = state([job(1, "-t 1-3")])
    assert alter(WITH_PE, array, 1, "-p -7", tasks=(2,)).messages == (only,)
    assert alter(WITH_PE, array, 1, "-h u", tasks=(2,)).messages == ("modified hold of job-array task 1.2",)
    for letters, holds in (("u", "u"), ("o", "o"), ("us", "us"), ("U", ""), ("n", ""), ("O", "u")):
        held = state([job(1, "-t 1-3", tasks={2: Task("hqw", hold="u")})])
        after = alter(WITH_PE, held if letters in "UOn" else array, 1, f"-h {letters}", tasks=(2,)).state.jobs[0]
        assert after.own_holds(2) == holds


def test_the_project_that_a_user_has_by_default_is_given_by_its_name() -> None:
    """As recorded in `projects by default`."""
    on = WITH_PE.with_objects([project("sea"), project("sky"), user("anna", default_project="sea")])
    for options, said, of_job in (
        ("-P sea", (), "sea"),
        ("-P ''", ("modified project of job 1",), None),
        ("-P sky", ("modified project of job 1",), "sky"),
        ("-p -5", ("root@localhost sets scheduling priority of job 1 to -5",), "sea"),
    ):
        reply = alter(on, state([job(1)]), 1, options)
        assert (reply.messages, compile_cluster(on).shares.project_of(reply.state.jobs[0])) == (said, of_job)
