"""The tables that the study "Calculating GE Job Priorities" (seed 001) prints, line by line."""

from pathlib import Path

import pytest

from qmon_tui.model.outcome import Outcome
from qmon_tui.qmaster.scheduling import schedule
from qmon_tui.sources import read_folder
from tests.unit.scheduler.building import NOW, attribute, cluster, job, queue, run, scheduler, the_job

TEACHING = Path(__file__).parents[3] / "configs" / "teaching"
ONE = queue("all.q", "h1", 1)


def cut(number: float) -> str:
    """Five digits as the study prints tickets: cut, not rounded."""
    return f"{int(number * 100_000) / 100_000:.5f}"


@pytest.fixture(scope="module")
def teaching() -> Outcome:
    reading = read_folder(TEACHING)
    return schedule(reading.cluster, reading.state)


# Job, owner, state, ftckt and ntckts of the study; prior worked out by hand from its formula and the default weights:
# 0.1 * 0.5 + 0.01 * ntckts + 1 * 0.5.
@pytest.mark.parametrize(
    ("name", "owner", "state", "ftckt", "ntckts", "prior"),
    [
        ("jobA1", "usera", "r", 250000, "0.50000", "0.55500"),
        ("jobA2", "usera", "r", 250000, "0.50000", "0.55500"),
        ("jobB1", "userb", "r", 500000, "1.00000", "0.56000"),
        ("jobB2", "userb", "qw", 41666, "0.08333", "0.55083"),
        ("jobB3", "userb", "qw", 27777, "0.05555", "0.55056"),
        ("jobB4", "userb", "qw", 20833, "0.04166", "0.55042"),
        ("jobC1", "userc", "qw", 83333, "0.16666", "0.55167"),
        ("jobC2", "userc", "qw", 41666, "0.08333", "0.55083"),
    ],
)
def test_the_teaching_cluster_shows_the_example(
    teaching: Outcome, name: str, owner: str, state: str, ftckt: int, ntckts: str, prior: str
) -> None:
    (job_outcome,) = (job for job in teaching.jobs if job.name == name)
    (task,) = job_outcome.tasks
    assert (job_outcome.owner, task.state) == (owner, state)
    assert (int(job_outcome.ftckt), int(job_outcome.tckts), cut(job_outcome.ntckts)) == (ftckt, ftckt, ntckts)
    assert (job_outcome.nurg, job_outcome.npprior) == (0.5, 0.5)
    assert f"{job_outcome.prior:.5f}" == prior


def test_the_sums_of_the_example(teaching: Outcome) -> None:
    tickets = {state: [int(job.ftckt) for job in teaching.jobs if job.tasks[0].state == state] for state in ("r", "qw")}
    assert {state: sum(numbers) for state, numbers in tickets.items()} == {"r": 1_000_000, "qw": 215_275}


# The study's table of -p 1024 to -960 in steps of 64: prior and npprior. All its jobs have nurg 1, as beside a job that
# asks for less.
POSIX = """
1024 1.10500 1.00000    960 1.07375 0.96875    896 1.04250 0.93750    832 1.01125 0.90625
 768 0.98000 0.87500    704 0.94875 0.84375    640 0.91750 0.81250    576 0.88625 0.78125
 512 0.85500 0.75000    448 0.82375 0.71875    384 0.79250 0.68750    320 0.76125 0.65625
 256 0.73000 0.62500    192 0.69875 0.59375    128 0.66750 0.56250     64 0.63625 0.53125
   0 0.60500 0.50000    -64 0.57375 0.46875   -128 0.54250 0.43750   -192 0.51125 0.40625
-256 0.48000 0.37500   -320 0.44875 0.34375   -384 0.41750 0.31250   -448 0.38625 0.28125
-512 0.35500 0.25000   -576 0.32375 0.21875   -640 0.29250 0.18750   -704 0.26125 0.15625
-768 0.23000 0.12500   -832 0.19875 0.09375   -896 0.16750 0.06250   -960 0.13625 0.03125
"""


def test_the_table_of_posix_priorities() -> None:
    words = POSIX.split()
    rows = list(zip(words[::3], words[1::3], words[2::3], strict=True))
    on = cluster(ONE, attribute("big big INT <= YES NO 0 1"), scheduler(weight_tickets_functional=0))
    # More than 0 only operators may ask for.
    wanted = [job(number, f"-p {row[0]} -l big=7", "root") for number, row in enumerate(rows, 1)]
    outcome = run(on, *wanted, job(99))
    job_outcomes = [the_job(outcome, number) for number in range(1, len(rows) + 1)]
    printed = [(str(job.ppri), f"{job.prior:.5f}", f"{job.npprior:.5f}") for job in job_outcomes]
    assert len(rows) == 32
    assert printed == rows
    assert {(job.nurg, job.ntckts) for job in job_outcomes} == {(1.0, 0.5)}
    assert [job.id for job in outcome.jobs if job.id != 99] == list(range(1, 33))


# The study's two tables of urgencies: job: (rrcontr, nurg, prior) without waiting time, (urg, wtcontr, nurg, prior)
# with it. Its jobs ask for 1, 4, 8 slots of urgency 1000, and urgency weighs 0.5 in what is printed. Here an attribute
# of urgency 1000 stands for the slots beyond the first.
WITHOUT_WAITING = {
    66622: (1000, "0.00000", "0.25000"),
    66722: (1000, "0.00000", "0.25000"),
    66847: (1000, "0.00000", "0.25000"),
    67652: (4000, "0.42857", "0.46429"),
    63285: (8000, "1.00000", "0.75000"),
    66699: (8000, "1.00000", "0.75000"),
    63284: (8000, "1.00000", "0.75000"),
    66700: (8000, "1.00000", "0.75000"),
    66623: (1000, "0.00000", "0.25000"),
}
WITH_WAITING = {
    66622: (314545, 313545, "0.24398", "0.37199"),
    66722: (289075, 288075, "0.22412", "0.36206"),
    66847: (149994, 148994, "0.11567", "0.30784"),
    67652: (4624, 624, "0.00232", "0.25116"),
    63285: (1284083, 1276083, "1.00000", "0.75000"),
    66699: (299656, 291656, "0.23237", "0.36619"),
    63284: (1284085, 1276085, "1.00000", "0.75000"),
    66700: (299654, 291654, "0.23237", "0.36619"),
    66623: (314531, 313531, "0.24397", "0.37199"),
}


# With waiting time the lowest urgency is not among the printed ones: by 0.24398 and 0.00232 it lies near 1652.
NOT_PRINTED, ITS_WAIT = 1, 652


def urgencies(waiting: float) -> Outcome:
    """The jobs of the study; prior = 0.5 * nurg + 0.5 * 0.5, as the printed table has it."""
    weights = scheduler(
        weight_urgency=0.5,
        weight_priority=0.5,
        weight_ticket=0,
        weight_waiting_time=waiting,
        weight_tickets_functional=0,
    )
    on = cluster(ONE, attribute("more more INT <= YES NO 0 1000"), weights)
    jobs = []
    for number, (rrcontr, _, _) in WITHOUT_WAITING.items():
        options = f"-l more={rrcontr // 1000 - 1}" if rrcontr > 1000 else ""
        jobs.append(job(number, options, submitted=NOW - WITH_WAITING[number][1]))
    return run(on, *jobs, job(NOT_PRINTED, submitted=NOW - ITS_WAIT))


@pytest.mark.parametrize("number", WITHOUT_WAITING)
def test_the_table_of_urgencies(number: int) -> None:
    job_outcome = the_job(urgencies(0), number)
    rrcontr, nurg, prior = WITHOUT_WAITING[number]
    assert (job_outcome.urg, job_outcome.rrcontr, job_outcome.wtcontr, job_outcome.dlcontr) == (rrcontr, rrcontr, 0, 0)
    assert (f"{job_outcome.nurg:.5f}", f"{job_outcome.prior:.5f}") == (nurg, prior)


@pytest.mark.parametrize("number", WITH_WAITING)
def test_the_table_of_urgencies_with_waiting_time(number: int) -> None:
    job_outcome = the_job(urgencies(1), number)
    urg, wtcontr, nurg, prior = WITH_WAITING[number]
    assert (job_outcome.urg, job_outcome.rrcontr, job_outcome.wtcontr) == (urg, WITHOUT_WAITING[number][0], wtcontr)
    assert (f"{job_outcome.nurg:.5f}", f"{job_outcome.prior:.5f}") == (nurg, prior)
