"""Jobs that are submitted later do not exist yet, and when a day of a folder without a time begins."""

import random
from pathlib import Path

import pytest

from qmon_tui.checks import check
from qmon_tui.formats.state import state_text
from qmon_tui.model import GONE, Job, Request, State, Task, at_beginning_of_day, existing_at
from qmon_tui.qmaster import refusal, schedule
from qmon_tui.sources import Reading, read_folder
from qmon_tui.workspace import read_work

CLUSTER = """\
hosts: {sim1: {}}
queues:
  all.q: {hostlist: sim1, slots: 1, load_thresholds: NONE}
configuration:
  global: {max_jobs: 2}
"""
MONDAY, TUESDAY = "2026-11-02T08:00:00", "2026-11-03T08:00:00"


def read(folder: Path, text: str) -> Reading:
    folder.mkdir(exist_ok=True)
    (folder / "cluster.yaml").write_text(CLUSTER + text)
    reading = read_folder(folder)
    assert not reading.findings
    return reading


def job(number: int, submitted: int, **tasks: Task) -> Job:
    return Job(
        number, "ada", submitted, Request(), "sleep", tasks={int(name[1:]): task for name, task in tasks.items()}
    )


def test_a_job_of_tomorrow_is_not_in_the_run_of_today(tmp_path: Path) -> None:
    later = f"- {{id: 1, owner: ada, submitted: {TUESDAY}, qsub: sleep 60}}\n"
    reading = read(
        tmp_path, f"now: {MONDAY}\njobs:\n{later}- {{id: 2, owner: ada, submitted: {MONDAY}, qsub: sleep 9}}\n"
    )
    outcome = schedule(reading.cluster, reading.state)
    assert [(job.id, [task.state for task in job.tasks]) for job in outcome.jobs] == [(2, ["t"])]
    assert [job.id for job in schedule(reading.cluster, reading.state, at=reading.state.now + 86400).jobs] == [2, 1]
    with_one = State(now=reading.state.now, jobs=reading.state.jobs)
    assert refusal(reading.cluster, with_one, job(3, with_one.now)) is None, "max_jobs counts those that exist"
    assert [(finding.rule, finding.name, finding.line) for finding in check(reading.cluster, reading.state)] == [
        ("scheduler.jobs.to_come", "1", 8)
    ]


@pytest.mark.parametrize(
    ("tasks", "exists"),
    [
        ({}, False),
        ({"t1": Task("hqw", hold="u")}, False),
        ({"t1": Task(GONE)}, False),
        ({"t1": Task("r", {"all.q@sim1": 1})}, True),
        ({"t1": Task("hRwq", {"all.q@sim1": 1})}, True),
        ({"t1": Task("Eqw")}, True),
    ],
)
def test_what_has_begun_exists(tasks: dict[str, Task], exists: bool) -> None:
    state = State(now=9, jobs=(job(1, 10, **tasks), job(2, 9)))
    assert [one.id for one in existing_at(state).jobs] == ([1, 2] if exists else [2])
    assert existing_at(state) is existing_at(state), "a run recognises the state of the run before"
    assert existing_at(state, 10) is state


def test_drawn_jobs_come_one_by_one(tmp_path: Path) -> None:
    cluster = read(tmp_path, "").cluster
    dice = random.Random(38)
    jobs = tuple(job(number, dice.randrange(100)) for number in range(1, 40))
    for now in (0, 1, 50, 99):
        state = State(now=now, jobs=jobs)
        expected = [one for one in jobs if one.submitted <= now][:2]  # max_jobs
        let_in = sorted(one.id for one in schedule(cluster, state).jobs if not one.rejected)
        assert let_in == [one.id for one in expected]
        alone = State(now=now, jobs=tuple(one for one in jobs if one.submitted <= now))
        assert schedule(cluster, state) == schedule(cluster, alone)


@pytest.mark.parametrize(
    ("now", "more", "at", "begins"),
    [
        ("", "", TUESDAY, MONDAY),
        (f"now: {TUESDAY}\n", "", TUESDAY, TUESDAY),
        ("", "{tasks: {1: {state: r, granted: {all.q@sim1: 1}, started: 2026-11-02T09:00:00}}}", TUESDAY,
         "2026-11-02T09:00:00"),
        ("", "{changed: 2026-11-02T10:00:00.5}", TUESDAY, "2026-11-02T10:00:00"),
        ("", "{tasks: {1: {state: hqw, hold: u}}}", TUESDAY, MONDAY),
    ],
)  # fmt: skip
def test_when_a_day_begins(tmp_path: Path, now: str, more: str, at: str, begins: str) -> None:
    first = f"- {{id: 1, owner: ada, submitted: {MONDAY}, qsub: sleep 60{', ' + more[1:-1] if more else ''}}}\n"
    text = (
        f"{now}simulation: {{until: +1h}}\njobs:\n{first}- {{id: 2, owner: ada, submitted: {TUESDAY}, qsub: sleep 9}}\n"
    )
    reading = read(tmp_path, text)
    day = read_work(reading).state
    assert state_text(day).startswith(f"now: {begins}\n")
    assert day.simulation.until == day.now + 3600, "offsets count from the beginning of the day"
    assert read(tmp_path / "single", f"now: {at}\n").state.now == reading.state.now
    again = read(tmp_path / "again", state_text(reading.state)).state
    assert (again.now, again.beginning) == (reading.state.now, reading.state.beginning), "written and read again"


def test_a_reservation_waits_at_a_beginning_before_its_start(tmp_path: Path) -> None:
    kept = "start: 2026-11-02T12:00:00, end: 2026-11-05T12:00:00, granted: {all.q@sim1: 1}"
    jobs = "".join(f"- {{owner: ada, submitted: {day}, qsub: sleep 60}}\n" for day in (MONDAY, TUESDAY))
    state = read(tmp_path, f"reservations:\n- {{id: 1, owner: ada, {kept}}}\njobs:\n{jobs}").state
    assert [one.state for one in state.reservations] == ["r"]
    assert [one.state for one in at_beginning_of_day(state).reservations] == ["w"]


def test_tasks_ahead_of_the_time_are_reported(tmp_path: Path) -> None:
    runs = "tasks: {1: {state: r, granted: {all.q@sim1: 1}, started: 2026-11-02T08:00:01}}"
    for submitted, said in ((MONDAY, "started after"), (TUESDAY, "has begun")):
        jobs = f"- {{id: 1, owner: ada, submitted: {submitted}, qsub: sleep 60, {runs}}}\n"
        reading = read(tmp_path, f"now: {MONDAY}\njobs:\n{jobs}")
        (finding,) = check(reading.cluster, reading.state)
        assert (finding.rule, finding.line) == ("scheduler.tasks.ahead", 8)
        assert said in finding.message
