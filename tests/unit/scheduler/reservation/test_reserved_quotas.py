"""What a quota refuses now it may let in later: counters have diagrams, too (quotas.md#quotas-and-reservations)."""

from qmon_tui.model.cluster import Cluster, config_object
from qmon_tui.model.jobs import Job, Task
from qmon_tui.model.kinds import Kind
from qmon_tui.model.outcome import Outcome, TaskOutcome
from tests.unit.scheduler.building import NOW, attribute, cluster, environment, job, places, queue, run, scheduler

OFFSET = 60
"""Seconds that the scheduler adds to each run time."""


def site(*limits: str) -> Cluster:
    """Two hosts with four slots each, reservations, and one quota set."""
    return cluster(
        queue("all.q", "h1 h2", 4, pe_list="mpi"),
        environment("mpi"),
        attribute("lic lic INT <= YES YES 0 0"),
        config_object(Kind.QUOTA, "few", {"name": "few", "enabled": "TRUE", "limit": "\n".join(limits)}),
        scheduler(max_reservation=3, default_duration="1:0:0", schedd_job_info="true"),
    )


def busy(number: int, seconds: int, options: str = "") -> Job:
    """A job on h1 that has just been started, for so long."""
    return job(number, f"-l h_rt={seconds} {options}", tasks={1: Task("r", {"all.q@h1": 1}, NOW)})


def first_task(outcome: Outcome, number: int) -> TaskOutcome:
    job_outcome = outcome.job(number)
    assert job_outcome is not None
    return job_outcome.tasks[0]


def test_a_job_gets_the_time_at_which_its_quota_has_room() -> None:
    outcome = run(site("users {*} to slots=2"), busy(1, 900), busy(2, 600), job(3, "-R y -l h_rt=100"))
    task = first_task(outcome, 3)
    assert task.state == "qw"
    assert task.reserved_from == NOW + 600 + OFFSET
    assert outcome.not_simulated == ()


def test_a_parallel_job_gets_the_time_at_which_its_quota_has_room() -> None:
    outcome = run(site("users {*} to slots=2"), busy(1, 900), busy(2, 600), job(3, "-R y -pe mpi 2 -l h_rt=100"))
    assert first_task(outcome, 3).reserved_from == NOW + 900 + OFFSET


def test_what_a_quota_never_allows_gets_no_reservation() -> None:
    outcome = run(site("to slots=0"), job(1, "-R y -l h_rt=100"), job(2, "-R y -pe mpi 2 -l h_rt=100"))
    assert all(first_task(outcome, number).reserved_from is None for number in (1, 2))


def test_a_reservation_keeps_its_share_of_a_quota_free() -> None:
    parallel = job(2, "-R y -pe mpi 2 -l h_rt=100")
    for limit, starts in ((600, True), (601, False)):
        outcome = run(site("to slots=2"), busy(1, 600), parallel, job(3, f"-l h_rt={limit}"))
        assert first_task(outcome, 2).reserved_from == NOW + 600 + OFFSET
        assert (3 in places(outcome)) is starts


def test_the_schedule_file_shows_a_quota_by_its_set_and_key() -> None:
    outcome = run(site("users {*} to slots=2"), busy(1, 600))
    shown = [(use.name, use.resource, use.amount) for use in outcome.timeline if use.level == "L"]
    assert shown == [("few", "anna/////", 1.0)]
