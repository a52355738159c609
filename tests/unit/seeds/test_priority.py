"""configs/seeds/priority-*: the tables and the example of the study "Calculating GE Job Priorities" (seed 001)."""

import pytest

from qmon_tui.model.outcome import JobOutcome
from tests.differential.seeds import last_run, our_outcome, real_job

# From 63300 on, in steps of 64 from -p 1024: prior and npprior as the study prints them.
POSIX = """
1.10500 1.00000 1.07375 0.96875 1.04250 0.93750 1.01125 0.90625 0.98000 0.87500 0.94875 0.84375 0.91750 0.81250
0.88625 0.78125 0.85500 0.75000 0.82375 0.71875 0.79250 0.68750 0.76125 0.65625 0.73000 0.62500 0.69875 0.59375
0.66750 0.56250 0.63625 0.53125 0.60500 0.50000 0.57375 0.46875 0.54250 0.43750 0.51125 0.40625 0.48000 0.37500
0.44875 0.34375 0.41750 0.31250 0.38625 0.28125 0.35500 0.25000 0.32375 0.21875 0.29250 0.18750 0.26125 0.15625
0.23000 0.12500 0.19875 0.09375 0.16750 0.06250 0.13625 0.03125
"""
FIRST_POSIX = 63300

# Job: prior, nurg, urg, rrcontr, wtcontr, slots.
URGENCY = {
    66622: ("0.25000", "0.00000", 1000, 1000, 0, 1),
    66722: ("0.25000", "0.00000", 1000, 1000, 0, 1),
    66847: ("0.25000", "0.00000", 1000, 1000, 0, 1),
    67652: ("0.46429", "0.42857", 4000, 4000, 0, 4),
    63285: ("0.75000", "1.00000", 8000, 8000, 0, 8),
    66699: ("0.75000", "1.00000", 8000, 8000, 0, 8),
    63284: ("0.75000", "1.00000", 8000, 8000, 0, 8),
    66700: ("0.75000", "1.00000", 8000, 8000, 0, 8),
    66623: ("0.25000", "0.00000", 1000, 1000, 0, 1),
}
WAITING = {
    66622: ("0.37199", "0.24398", 314545, 1000, 313545, 1),
    66722: ("0.36206", "0.22412", 289075, 1000, 288075, 1),
    66847: ("0.30784", "0.11567", 149994, 1000, 148994, 1),
    67652: ("0.25116", "0.00232", 4624, 4000, 624, 4),
    63285: ("0.75000", "1.00000", 1284083, 8000, 1276083, 8),
    66699: ("0.36619", "0.23237", 299656, 8000, 291656, 8),
    63284: ("0.75000", "1.00000", 1284085, 8000, 1276085, 8),
    66700: ("0.36619", "0.23237", 299654, 8000, 291654, 8),
    66623: ("0.37199", "0.24397", 314531, 1000, 313531, 1),
}

# Job: state, ftckt, ntckts as the study prints them, which cuts them off.
FUNCTIONAL = {
    "jobA1": ("r", 250000, "0.50000"),
    "jobA2": ("r", 250000, "0.50000"),
    "jobB1": ("r", 500000, "1.00000"),
    "jobB2": ("qw", 41666, "0.08333"),
    "jobB3": ("qw", 27777, "0.05555"),
    "jobB4": ("qw", 20833, "0.04166"),
    "jobC1": ("qw", 83333, "0.16666"),
    "jobC2": ("qw", 41666, "0.08333"),
}
RUNNING_SUM, PENDING_SUM = 1_000_000, 215_275
THREE_OF_USERB, THOUSAND_OF_USERB = 90_276, 540_051


def ours(name: str) -> dict[int, JobOutcome]:
    return {job.id: job for job in our_outcome(name).jobs}


def cut(number: float) -> str:
    return f"{int(number * 100_000) / 100_000:.5f}"


def test_without_any_policy_all_have_0_555() -> None:
    for job in ours("priority-inactive").values():
        assert (job.nurg, job.npprior, job.ntckts, f"{job.prior:.5f}") == (0.5, 0.5, 0.5, "0.55500")
    for seen in last_run("priority-inactive").after.jobs:
        columns = seen.columns | seen.rows[0].columns
        assert [columns[name] for name in ("nurg", "npprior", "ntckts")] == ["0.50000"] * 3
        assert columns["prior"] == "0.55500"


@pytest.mark.parametrize(("name", "table"), [("priority-urgency", URGENCY), ("priority-waiting", WAITING)])
def test_the_tables_of_urgencies(name: str, table: dict[int, tuple[str, str, int, int, int, int]]) -> None:
    jobs = ours(name)
    for number, row in table.items():
        job = jobs[number]
        assert (f"{job.prior:.5f}", f"{job.nurg:.5f}", job.urg, job.rrcontr, job.wtcontr, job.slots) == row
        assert job.dlcontr == 0


def test_the_urgencies_of_the_first_table_are_the_real_ones() -> None:
    run = last_run("priority-urgency")
    for number, (prior, nurg, urg, rrcontr, wtcontr, slots) in URGENCY.items():
        seen = real_job(run, number)
        columns = seen.columns | seen.rows[0].columns
        assert (columns["prior"], columns["nurg"], seen.slots) == (prior, nurg, slots)
        assert (columns["urg"], columns["rrcontr"], columns["wtcontr"]) == (str(urg), str(rrcontr), str(wtcontr))


def test_the_second_table_lacks_a_job_of_urgency_1652() -> None:
    jobs = ours("priority-waiting")
    (missing,) = jobs.keys() - WAITING.keys()
    assert (jobs[missing].urg, jobs[missing].nurg) == (1652, 0)
    assert min(jobs[number].urg for number in WAITING) == 4624


def test_the_table_of_posix_priorities() -> None:
    outcome = our_outcome("priority-posix")
    waiting = [job for job in outcome.jobs if job.tasks[0].state == "qw"]
    assert [job.id for job in waiting] == list(range(FIRST_POSIX, FIRST_POSIX + 32))
    assert [job.ppri for job in waiting] == list(range(1024, -961, -64))
    assert [text for job in waiting for text in (f"{job.prior:.5f}", f"{job.npprior:.5f}")] == POSIX.split()
    assert {(job.nurg, job.ntckts) for job in waiting} == {(1.0, 0.5)}


def test_the_posix_priorities_are_the_real_ones() -> None:
    run = last_run("priority-posix")
    seen = [real_job(run, number) for number in range(FIRST_POSIX, FIRST_POSIX + 32)]
    assert [text for job in seen for text in (job.rows[0].columns["prior"], job.columns["npprior"])] == POSIX.split()
    assert {(job.columns["nurg"], job.rows[0].columns["ntckts"]) for job in seen} == {("1.00000", "0.50000")}


def test_the_example_of_functional_tickets() -> None:
    jobs = {job.name: job for job in our_outcome("priority-functional").jobs}
    assert {name: (job.tasks[0].state, int(job.ftckt), cut(job.ntckts)) for name, job in jobs.items()} == FUNCTIONAL
    by_state = {
        state: [int(job.ftckt) for job in jobs.values() if job.tasks[0].state == state] for state in ("r", "qw")
    }
    assert {state: sum(tickets) for state, tickets in by_state.items()} == {"r": RUNNING_SUM, "qw": PENDING_SUM}
    assert sum(int(jobs[name].ftckt) for name in ("jobB2", "jobB3", "jobB4")) == THREE_OF_USERB


def test_the_functional_tickets_are_the_real_ones() -> None:
    seen = {job.name: job.rows[0] for job in last_run("priority-functional").after.jobs}
    # For the first five seconds a task is shown as t.
    assert {name: (row.state.replace("t", "r"), int(row.columns["ftckt"])) for name, row in seen.items()} == {
        name: (state, tickets) for name, (state, tickets, _) in FUNCTIONAL.items()
    }


def test_a_thousand_jobs_hold_more_than_twice_what_their_user_is_due() -> None:
    userb = [job for job in our_outcome("priority-thousand").jobs if (job.owner, job.tasks[0].state) == ("userb", "qw")]
    seen = [
        job for job in last_run("priority-thousand").after.jobs if (job.owner, job.rows[0].state) == ("userb", "qw")
    ]
    assert len(userb) == len(seen) == 1000
    assert sum(int(job.ftckt) for job in userb) == THOUSAND_OF_USERB
    assert sum(int(job.rows[0].columns["ftckt"]) for job in seen) == THOUSAND_OF_USERB
