"""The study's own ideas of better formulas (seed 001, conclusion), on its own example and against its claims."""

import math
from pathlib import Path

import pytest

from qmon_tui.model.cluster import Cluster
from qmon_tui.model.jobs import Job
from qmon_tui.model.outcome import JobOutcome, Outcome
from qmon_tui.qmaster.scheduling import schedule
from qmon_tui.scheduler.priority.formulas import (
    ADDING_UP,
    FORMULAS,
    GRID_ENGINE,
    PENDING_ONLY,
    REFORM,
    ZERO_CENTRED,
    Formulas,
)
from qmon_tui.sources import read_folder
from tests.unit.scheduler.building import (
    attribute,
    cluster,
    job,
    project,
    queue,
    running,
    scheduler,
    state,
    the_job,
    user,
    userset,
)
from tests.unit.scheduler.test_seed_example import CLUSTER as STUDY, JOBS

CONFIGS = Path(__file__).parents[3] / "configs"
NOTHING_SET = cluster(queue("all.q", "h1", 1), attribute("slots s INT <= YES YES 1 0"))


def by(formulas: Formulas, on: Cluster = STUDY, jobs: object = JOBS) -> Outcome:
    return schedule(on, state(jobs), formulas=formulas)  # type: ignore[arg-type]


def column(outcome: Outcome, name: str) -> dict[int, float]:
    return {
        job_outcome.id: getattr(job_outcome, name)
        for job_outcome in sorted(outcome.jobs, key=lambda outcome: outcome.id)
    }


@pytest.mark.parametrize("folder", ["teaching", "site"])
def test_the_default_is_grid_engine_untouched(folder: str) -> None:
    reading = read_folder(CONFIGS / folder)
    plain = schedule(reading.cluster, reading.state)
    assert plain == schedule(reading.cluster, reading.state, formulas=GRID_ENGINE)
    assert plain.not_grid_engine is None
    assert next(iter(FORMULAS)) == GRID_ENGINE.name


@pytest.mark.parametrize(
    "formulas", [formulas for formulas in FORMULAS.values() if formulas is not GRID_ENGINE], ids=lambda f: f.name
)
def test_every_other_outcome_says_that_it_is_not_grid_engine(formulas: Formulas) -> None:
    outcome = by(formulas)
    assert outcome.not_grid_engine == formulas.name
    assert not formulas.is_grid_engine
    assert [job_outcome.id for job_outcome in outcome.jobs] != []


def test_with_all_policies_off_grid_engine_gives_0_555_and_the_reform_0() -> None:
    jobs = (job(1), job(2, owner="bert"))
    assert column(by(GRID_ENGINE, NOTHING_SET, jobs), "prior") == {1: 0.555, 2: 0.555}
    for formulas in (ZERO_CENTRED, REFORM):
        outcome = by(formulas, NOTHING_SET, jobs)
        for name in ("prior", "nurg", "npprior", "ntckts"):
            assert column(outcome, name) == {1: 0.0, 2: 0.0}


@pytest.mark.parametrize(("priority", "normalised"), [(0, 0.0), (1024, 1.0), (-1024, -1.0), (-512, -0.5), (64, 0.0625)])
def test_posix_priorities_have_both_signs(priority: int, normalised: float) -> None:
    assert ZERO_CENTRED.posix(priority) == normalised


def test_twice_the_urgency_is_twice_the_normalised_urgency() -> None:
    """The study's table of slots: 1, 4 and 8 of them; it asks why the job with 4 has 0.42857 and not 0.5."""
    on = cluster(attribute("n n INT <= YES NO 0 1000"), attribute("slots s INT <= YES YES 1 0"), queue("a.q", "h1", 1))
    jobs = [job(number, f"-l n={amount}") for number, amount in enumerate((1, 4, 8), 1)]
    assert [round(value, 5) for value in column(by(GRID_ENGINE, on, jobs), "nurg").values()] == [0.0, 0.42857, 1.0]
    assert list(column(by(ZERO_CENTRED, on, jobs), "nurg").values()) == [0.125, 0.5, 1.0]


def test_negative_urgencies_go_below_zero() -> None:
    on = cluster(attribute("n n INT <= YES NO 0 -10"), attribute("slots s INT <= YES YES 1 0"), queue("a.q", "h1", 1))
    jobs = [job(number, f"-l n={amount}") for number, amount in enumerate((0, 5, 10), 1)]
    assert list(column(by(ZERO_CENTRED, on, jobs), "nurg").values()) == [0.0, -0.5, -1.0]


def test_running_jobs_do_not_press_those_together_that_wait() -> None:
    """In the study job C1 has 0.16666 of the tickets of a running job, and is yet the first of all that wait."""
    grid_engine, ours = by(GRID_ENGINE), by(PENDING_ONLY)
    assert column(grid_engine, "ftckt") == column(ours, "ftckt")
    assert round(the_job(grid_engine, 7).ntckts, 5) == 0.16667
    assert the_job(ours, 7).ntckts == 1.0
    assert the_job(ours, 4).ntckts == pytest.approx(0.5)
    assert {number: the_job(ours, number).prior for number in (1, 2, 3)} == {1: 0.0, 2: 0.0, 3: 0.0}
    assert [job_outcome.id for job_outcome in ours.jobs][:5] == [job_outcome.id for job_outcome in grid_engine.jobs][:5]


def test_a_running_job_moves_no_pending_one() -> None:
    on = cluster(attribute("n n INT <= YES NO 0 1000"), queue("all.q", "h1", 9))
    waiting = [job(2, "-l n=1"), job(3, "-l n=2"), job(4, "-l n=3")]
    alone = by(PENDING_ONLY, on, waiting)
    beside = by(PENDING_ONLY, on, [running(1, "all.q@h1", "-l n=1000"), *waiting])
    assert (
        [the_job(alone, n).nurg for n in (2, 3, 4)] == [the_job(beside, n).nurg for n in (2, 3, 4)] == [0.0, 0.5, 1.0]
    )


def tickets(outcome: Outcome) -> float:
    return math.fsum(job_outcome.tckts for job_outcome in outcome.jobs)


def test_tickets_of_the_study_do_not_add_up_and_ours_do() -> None:
    assert int(tickets(by(GRID_ENGINE))) == 1_000_000 + 215_277  # the study adds up rounded numbers: 215275
    ours = by(ADDING_UP)
    assert tickets(ours) == pytest.approx(1_000_000)
    assert column(ours, "ftckt") == pytest.approx({
        1: 1e6 / 6, 2: 1e6 / 6, 3: 1e6 / 12, 4: 1e6 / 12, 5: 1e6 / 12, 6: 1e6 / 12, 7: 1e6 / 6, 8: 1e6 / 6,
    })  # fmt: skip


def test_a_thousand_jobs_more_bring_their_owner_nothing() -> None:
    """The study: "if userB submitted 1000 pending jobs …, he/she would get granted 540051 tickets instead of 90276"."""
    on = STUDY.with_object(scheduler(weight_tickets_functional=1_000_000, max_functional_jobs_to_schedule=2000))
    many = (*JOBS, *(job(number, "-l lic=1", "userb") for number in range(9, 1006)))

    def of_userb(formulas: Formulas, jobs: tuple[Job, ...]) -> float:
        return math.fsum(
            job_outcome.ftckt for job_outcome in by(formulas, on, jobs).jobs if job_outcome.owner == "userb"
        )

    running_one = 500_000
    assert of_userb(GRID_ENGINE, JOBS) - running_one == pytest.approx(90_276, abs=2)
    assert of_userb(GRID_ENGINE, many) - running_one == pytest.approx(540_051, abs=500)  # it added rounded numbers
    assert of_userb(ADDING_UP, JOBS) == pytest.approx(1e6 / 3)
    assert of_userb(ADDING_UP, many) == pytest.approx(1e6 / 3)


def test_all_parts_with_shares_divide_all_tickets() -> None:
    on = STUDY.with_object(user("userb", fshare=300)).with_object(
        scheduler(weight_tickets_functional=1000, weight_user=0.5, weight_job=0.25, weight_project=0.25)
    )
    jobs = (running(1, "all.q@sim1", "", "usera"), job(2, "-js 10", "userb"), job(3, "-js 30", "usera"))
    ours = by(ADDING_UP, on, jobs)
    assert tickets(ours) == pytest.approx(1000)
    # Two thirds go to users by 100:300, one third to jobs by 10:30; nobody has a project.
    assert column(ours, "ftckt") == pytest.approx({1: 500 / 6, 2: 500 + 250 / 3, 3: 500 / 6 + 250})


def test_shared_override_tickets_are_divided_among_all_tasks() -> None:
    on = cluster(queue("all.q", "h1", 9), user("anna", oticket=120))
    jobs = (running(1, "all.q@h1"), job(2), job(3, "-t 1-2"))
    ours = by(ADDING_UP, on, jobs)
    assert {task.otckt for job_outcome in ours.jobs for task in job_outcome.tasks} == {30.0}


def test_the_reform_as_a_whole_on_the_study() -> None:
    """userc's jobs come first, since userc runs nothing; all of a user's jobs are worth the same."""
    outcome = by(REFORM)
    assert [job_outcome.id for job_outcome in outcome.jobs][:5] == [7, 8, 4, 5, 6]
    priors = column(outcome, "prior")
    assert priors[7] == priors[8] == pytest.approx(0.1 + 0.01)
    assert priors[4] == priors[5] == priors[6] == pytest.approx(0.1 + 0.005)
    assert [priors[number] for number in (1, 2, 3)] == [0.0, 0.0, 0.0]


def test_nothing_but_numbers_and_order_differs() -> None:
    free = STUDY.with_object(scheduler())
    jobs = (*JOBS[:3], JOBS[6])
    known = {"prior", "nurg", "npprior", "ntckts", "tasks"}
    for job_outcome, other in zip(by(GRID_ENGINE, free, jobs).jobs, by(REFORM, free, jobs).jobs, strict=True):
        for name in set(JobOutcome._fields) - known:
            assert getattr(job_outcome, name) == getattr(other, name)


def test_what_adds_up_is_divided_by_the_tasks_of_each_owner() -> None:
    """Weights 1, 2, 2 and 5 of 10; two tasks of user a, one of b; two of project P, one of Q; job shares 30 and 10."""
    weights = {"weight_user": 0.1, "weight_project": 0.2, "weight_department": 0.2, "weight_job": 0.5}
    on = cluster(
        queue("all.q", "h1", 1),
        scheduler(weight_tickets_functional=1200, **weights),
        user("a", fshare=200, oticket=60),
        user("b", fshare=100),
        project("P", fshare=10, oticket=8),
        project("Q", fshare=30),
        userset("physics", "a,b", "DEPT", fshare=7),
    )
    jobs = [
        running(1, "all.q@h1", "-P P -js 30", owner="a"),
        job(2, "-P Q -ot 5", owner="a"),
        job(3, "-P P -js 10", owner="b"),
    ]
    ours = by(ADDING_UP, on, jobs)
    department = 240 / 3
    assert column(ours, "ftckt") == pytest.approx({
        1: 120 * 2 / 3 / 2 + 240 / 4 / 2 + department + 600 * 3 / 4,
        2: 120 * 2 / 3 / 2 + 240 * 3 / 4 + department,
        3: 120 * 1 / 3 + 240 / 4 / 2 + department + 600 / 4,
    })  # fmt: skip
    assert column(ours, "otckt") == pytest.approx({1: 30 + 4, 2: 30 + 5, 3: 4})
    undivided = by(ADDING_UP, on.with_object(scheduler(share_override_tickets="FALSE", **weights)), jobs)
    assert column(undivided, "otckt") == pytest.approx({1: 68, 2: 65, 3: 8})
    assert column(undivided, "ftckt") == dict.fromkeys((1, 2, 3), 0)


@pytest.mark.parametrize(
    ("shared", "tickets"),
    [("TRUE", {1: 100 / 3 + 20, 2: 100 / 3 + 20, 3: 100 / 3 + 5, 4: 7}), ("FALSE", {1: 140, 2: 140, 3: 105, 4: 7})],
)
def test_override_tickets_are_divided_among_all_tasks_where_they_are_shared(
    shared: str, tickets: dict[int, float]
) -> None:
    on = cluster(
        queue("all.q", "h1", 9),
        scheduler(share_override_tickets=shared),
        user("a", oticket=100),
        project("P", oticket=40),
    )
    jobs = (
        running(1, "all.q@h1", "-P P", owner="a"),
        job(2, "-P P", owner="a"),
        job(3, "-ot 5", owner="a"),
        job(4, "-ot 7"),
    )
    assert column(by(ADDING_UP, on, jobs), "otckt") == pytest.approx(tickets)
