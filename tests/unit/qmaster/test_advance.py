"""Advance reservations: what is kept free, and who may use it (reservation.md#advance-reservations)."""

from dataclasses import replace

from qmon_tui.model.jobs import AdvanceReservation, Job
from qmon_tui.model.outcome import Outcome
from qmon_tui.model.state import State
from qmon_tui.qmaster.scheduling import schedule
from tests.unit.scheduler.building import NOW, attribute, cluster, environment, host, job, queue, scheduler

ON = cluster(queue("all.q", "h1", 2), scheduler(default_duration="INFINITY", schedd_job_info="true"))
RUNNING = AdvanceReservation(1, "anna", NOW - 60, NOW + 3600, {"all.q@h1": 1}, "r")
COMING = replace(RUNNING, start=NOW + 600, state="w")


def _run(reservation: AdvanceReservation, *jobs: Job) -> Outcome:
    return schedule(ON, State(NOW, jobs, reservations=(reservation,)))


def _started(outcome: Outcome) -> list[int]:
    return [job_outcome.id for job_outcome in outcome.jobs for task in job_outcome.tasks if task.granted]


def test_others_do_not_get_what_is_reserved() -> None:
    outcome = _run(RUNNING, job(1), job(2), job(3, "-ar 1"), job(4, "-ar 1"))
    assert _started(outcome) == [1, 3]
    assert [(instance_outcome.reserved, instance_outcome.used) for instance_outcome in outcome.queue_instances] == [
        (1, 2)
    ]


def test_before_it_begins_only_short_jobs_pass() -> None:
    assert _started(_run(COMING, job(1, "-l h_rt=7200"), job(2, "-l h_rt=300"))) == [1, 2]
    assert _started(_run(COMING, job(1), job(2))) == [1]
    outcome = _run(COMING, job(1, "-ar 1"))
    assert _started(outcome) == []
    assert "execution time not reached" in outcome.jobs[0].reasons


def test_a_strict_one_in_error_starts_nothing() -> None:
    broken = replace(RUNNING, state="E")
    assert _started(_run(broken, job(1, "-ar 1"))) == [1]
    outcome = _run(replace(broken, strict=True), job(1, "-ar 1"))
    assert _started(outcome) == []
    assert "cannot run because requested advance reservation 1 is in error state" in outcome.jobs[0].reasons


def test_only_its_users_may_use_it() -> None:
    assert _started(_run(replace(RUNNING, users=("somebody",)), job(1, "-ar 1"))) == []
    assert _started(_run(replace(RUNNING, users=(job(1).owner,)), job(1, "-ar 1"))) == [1]
    assert _started(_run(replace(RUNNING, users=(f"@{job(1).group}",)), job(1, "-ar 1"))) == [1]


def test_one_that_is_not_there_is_refused() -> None:
    refused = _run(RUNNING, job(1, "-ar 7"), job(2, "-ar 1 -l h_rt=7200"))
    assert [job_outcome.rejected for job_outcome in refused.jobs] == [
        "the advance reservation id 7 is invalid",
        "the job duration is longer than duration of the advance reservation id 1",
    ]


def test_what_the_host_has_need_not_be_in_the_queue_instance_reserved() -> None:
    built = cluster(
        attribute("fast f BOOL == YES NO FALSE"),
        attribute("gpu g INT <= YES NO 0"),
        host("h1", "fast=true,gpu=4"),
        environment("mpi"),
        queue("all.q", "h1", 2, pe_list="mpi"),
    )
    reservation = replace(RUNNING, granted={"all.q@h1": 2}, environment="mpi")
    for options, starts in (("-l fast", True), ("-l fast,gpu=4", True), ("-l fast,gpu=5", False)):
        jobs = (job(1, f"-ar 1 -pe mpi 2 {options}"),)
        outcome = schedule(built, State(NOW, jobs, reservations=(reservation,)))
        assert _started(outcome) == ([1] if starts else []), options


def test_of_what_the_host_reports_a_job_needs_no_more_than_it_asks_for() -> None:
    built = cluster(
        attribute("mem m MEMORY <= YES NO 0"),
        host("h1", "mem=20G"),
        environment("mpi"),
        queue("all.q", "h1", 2, pe_list="mpi"),
    )
    reservation = replace(RUNNING, granted={"all.q@h1": 2}, environment="mpi")
    for options, starts in (("-l mem=10G", True), ("-l mem=15G", True), ("-l mem=16G", False)):
        for environment_wanted, granted in (("", replace(reservation, environment=None)), ("-pe mpi 2 ", reservation)):
            jobs = (job(1, f"-ar 1 {environment_wanted}{options}"),)
            outcome = schedule(built, State(NOW, jobs, {"h1": {"mem": "15G"}}, reservations=(granted,)))
            assert _started(outcome) == ([1] if starts else []), jobs[0].qsub
