"""Urgency: the worked numbers of priority.md#urgency."""

from dataclasses import replace

import pytest

from qmon_tui.model.cluster import config_object
from qmon_tui.model.jobs import PeRequest
from qmon_tui.model.kinds import Kind
from qmon_tui.scheduler.configuration.parallel_environments import compile_environment
from qmon_tui.scheduler.jobs.resource_requests import requested_slots
from qmon_tui.scheduler.priority.formulas import Scale
from qmon_tui.scheduler.priority.urgency import deadline_contribution, waiting_time
from tests.unit.scheduler.building import (
    NOW,
    attribute,
    cluster,
    job,
    queue,
    run,
    running,
    scheduler,
    the_job,
    userset,
)

ONE = queue("all.q", "h1", 1)
SLOTS_FREE = attribute("slots s INT <= YES YES 1 0")


@pytest.mark.parametrize(
    ("seconds", "contribution"),
    [(2592000, 1.3888888888888888), (86400, 41.666666666666664), (3600, 1000), (60, 60000), (1, 3.6e6), (0, 3.6e6),
     (-5000, 3.6e6)],
)  # fmt: skip
def test_a_deadline_counts_as_a_hyperbola(seconds: int, contribution: float) -> None:
    assert deadline_contribution(3_600_000, NOW + seconds, NOW) == contribution


def test_a_deadline_too_far_away_for_32_bits_has_passed() -> None:
    assert deadline_contribution(3_600_000, NOW + 2**31 - 1, NOW) < 1
    assert deadline_contribution(3_600_000, NOW + 2**31, NOW) == 3_600_000


def test_a_job_without_deadline_gets_nothing_for_it() -> None:
    assert deadline_contribution(3_600_000, None, NOW) == 0.0


def test_waiting_time_is_unsigned() -> None:
    assert waiting_time(NOW, NOW - 7) == 7
    assert waiting_time(NOW, NOW + 600) == 4294966696


@pytest.mark.parametrize(
    ("lowest", "highest", "value", "expected"),
    [(0, 10, 5, 0.5), (0, 0.000009, 0, 0.5), (0, 0.00001, 0, 0.0), (1000, 8000, 4000, 0.42857142857142855)],
)
def test_normalisation(lowest: float, highest: float, value: float, expected: float) -> None:
    assert Scale(lowest, highest).normalise(value) == expected


@pytest.mark.parametrize(
    ("setting", "ranges", "slots"),
    [
        ("min", ((4, 8, 1),), 4),
        ("max", ((4, 8, 1),), 8),
        ("avg", ((4, 8, 1),), 6),
        ("2", ((4, 8, 1),), 2),
        ("min", ((2, 9999999, 1),), 2),
        ("max", ((2, 9999999, 1),), 64),
        ("avg", ((2, 9999999, 1),), 33),
        ("avg", ((1, 4, 1),), 2),
        ("avg", ((100, 200, 1),), 0),
        ("max", ((4, 4, 1),), 4),
        ("nonsense", ((4, 8, 1),), 1),
    ],
)
def test_urgency_slots_stand_for_a_range(setting: str, ranges: tuple[tuple[int, int, int], ...], slots: int) -> None:
    environment = compile_environment(config_object(Kind.PE, "p", {"slots": "64", "urgency_slots": setting}))
    assert requested_slots(PeRequest("p", ranges), {"p": environment}) == slots


def test_a_wildcard_means_the_first_matching_environment() -> None:
    environments = {
        name: compile_environment(config_object(Kind.PE, name, {"slots": "64", "urgency_slots": setting}))
        for name, setting in (("mpi1", "max"), ("mpi2", "min"))
    }
    assert requested_slots(PeRequest("mpi*", ((2, 8, 1),)), environments) == 8
    assert requested_slots(PeRequest("smp*", ((2, 8, 1),)), environments) == 1


def test_worked_example_of_section_3_6() -> None:
    environment = config_object(Kind.PE, "p", {"pe_name": "p", "slots": "64"})
    on = cluster(attribute("gpu gpu INT <= YES YES 0 100"), ONE, userset("deadlineusers", "anna"), environment)
    plain = job(3)
    dated = replace(plain, request=replace(plain.request, deadline=NOW + 3600))
    outcome = run(on, job(1), job(2, "-pe p 4 -l gpu=1"), dated)
    assert [the_job(outcome, n).urg for n in (1, 2, 3)] == [1000, 4400, 2000]
    assert [the_job(outcome, n).nurg for n in (1, 2, 3)] == [0, 1, 0.29411764705882354]
    assert [the_job(outcome, n).prior for n in (1, 2, 3)] == pytest.approx([0.505, 0.605, 0.5344117647058824])


# Numbers of the study (seed 001): the same jobs without and with waiting time.
def test_urgencies_of_the_study() -> None:
    environment = config_object(Kind.PE, "p", {"pe_name": "p", "slots": "64"})
    on = cluster(ONE, environment)
    jobs = [job(1), job(2, "-pe p 4"), job(3, "-pe p 8")]
    outcome = run(on, *jobs)
    assert [f"{the_job(outcome, n).nurg:.5f}" for n in (1, 2, 3)] == ["0.00000", "0.42857", "1.00000"]


def test_requests_are_multiplied_by_slots_but_strings_count_once() -> None:
    on = cluster(
        ONE,
        attribute("lic lic INT <= YES JOB 0 7"),
        attribute("mem mem MEMORY <= YES YES 0 0.5"),
        attribute("kind kind STRING == YES NO NONE 11"),
        attribute("fast fast BOOL == YES NO 0 3"),
        config_object(Kind.PE, "p", {"pe_name": "p", "slots": "64"}),
    )
    outcome = run(on, job(1, "-pe p 2 -l lic=5,mem=1k,kind=x,fast"))
    assert the_job(outcome, 1).rrcontr == 2 * 1000 + 2 * 5 * 7 + 2 * 1000 * 0.5 + 11 + 2 * 3


def test_times_count_as_typed_defaults_and_soft_requests_do_not_count() -> None:
    on = cluster(
        ONE,
        attribute("h_rt h_rt TIME <= YES NO 0 1"),
        attribute("lic lic INT <= YES YES 9 1"),
        attribute("kind kind STRING == YES NO NONE 1"),
    )
    outcome = run(on, job(1, "-l h_rt=0:1:0.5 -soft -l kind=x"))
    assert the_job(outcome, 1).rrcontr == 1060.5


def test_all_negative_urgencies_are_set_against_zero() -> None:
    on = cluster(ONE, attribute("slots s INT <= YES YES 1 -500"), attribute("bad bad INT <= YES NO 0 -1000"))
    alike = run(on, job(1), job(2))
    assert [the_job(alike, n).nurg for n in (1, 2)] == [0, 0]
    different = run(on, job(1), job(2, "-l bad=1"))
    assert [the_job(different, n).nurg for n in (1, 2)] == pytest.approx([2 / 3, 0])


def test_running_jobs_take_part_in_the_normalisation_held_ones_do_not() -> None:
    on = cluster(ONE, attribute("lic lic INT <= YES NO 0 1000"))
    alone = run(on, job(1), job(2, "-l lic=1"), job(3, "-h -l lic=7"))
    assert the_job(alone, 2).nurg == 1.0
    assert the_job(alone, 3).nurg == the_job(alone, 3).urg == 0.0
    beside = run(on, job(1), job(2, "-l lic=1"), running(3, "all.q@h1", "-l lic=7"))
    assert the_job(beside, 2).nurg == pytest.approx(1 / 7)
    assert the_job(beside, 3).nurg == 1.0


def test_waiting_time_counts_for_running_jobs_too() -> None:
    on = cluster(ONE, scheduler(weight_waiting_time=0.5), SLOTS_FREE)
    outcome = run(on, running(1, "all.q@h1", submitted=NOW - 100), job(2, submitted=NOW - 300))
    assert [the_job(outcome, n).wtcontr for n in (1, 2)] == [50, 150]
