"""Work that is made up: the same for the same seed, as many jobs and as much work as it says, at its hours."""

import hashlib
import os
import subprocess
import sys
from collections import Counter
from datetime import datetime
from itertools import islice
from math import log
from statistics import mean, stdev

import pytest

from qmon_tui.formats import Contents, Layout, parse_qsub, read_texts
from qmon_tui.model import Job, Severity
from qmon_tui.simulation.workload import lublin, total_slots, with_work
from qmon_tui.simulation.workload.dice import Dice
from qmon_tui.simulation.workload.generation import workload_findings
from qmon_tui.values import parse_random_value

CLUSTER = """\
now: 2026-11-23T00:00:00
queues: {all.q: {hostlist: h1 h2 h3 h4, slots: 8, pe_list: mpi}}
pes: {mpi: {slots: 999, allocation_rule: $round_robin}}
users: {anna: {}, bert: {}}
workload:
"""
KINDS = """\
  over_time: uniform 1 4
  pes: mpi
  kinds:
  - {name: blast, weight: 3, runtime: lognormal 10m 1, memory: uniform 1G 4G, projects: {sea: 1, NONE: 1}}
  - {name: ocean, slots: 4=2 16=1, runtime: lognormal 1h 0.5, tasks: 1=9 3=1}
"""


def contents(workload: str) -> Contents:
    read = read_texts(Layout.YAML, "cluster", {"cluster.yaml": CLUSTER + workload})
    assert not read.findings
    return read


def jobs_of(workload: str, seed: int = 1) -> tuple[Job, ...]:
    read = contents(workload)
    return with_work(read.cluster, read.state, seed=seed).state.jobs


def digest(workload: str) -> str:
    lines = "\n".join(f"{job.id} {job.owner} {job.submitted} {job.qsub}" for job in jobs_of(workload))
    return hashlib.sha256(lines.encode()).hexdigest()[:16]


FIXED = {
    "poisson": "825b229a105d0e37",
    "sessions": "2794bf58810f853e",
    "lublin": "d849aefe8a393151",
}
"""What these workloads are wherever and whenever they are made: a change of them changes the results of all seeds."""


@pytest.mark.parametrize("arrivals", FIXED)
def test_a_seed_gives_the_same_jobs_everywhere(arrivals: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "UTC")
    script = (
        f"from tests.unit.simulation.workload.test_generation import digest, KINDS\n"
        f"print(digest('  arrivals: {arrivals}\\n  load: 0.5\\n' + KINDS))"
    )
    environment = {**os.environ, "TZ": "UTC", "PYTHONHASHSEED": "7"}
    made = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=True)
    assert made.stdout.strip() == FIXED[arrivals]


def test_another_seed_gives_other_jobs() -> None:
    assert jobs_of("  jobs: 5\n", 1) != jobs_of("  jobs: 5\n", 2)
    assert jobs_of("  jobs: 5\n", 1) == jobs_of("  jobs: 5\n", 1)


@pytest.mark.parametrize("arrivals", ["poisson", "even", "sessions", "lublin"])
def test_the_load_is_what_it_says(arrivals: str) -> None:
    read = contents(f"  arrivals: {arrivals}\n  load: 0.8\n  length: 72h\n" + KINDS)
    slots = total_slots(read.cluster, read.state)
    found = [_work(with_work(read.cluster, read.state, seed=seed).state.jobs) for seed in range(25)]
    assert slots == 32
    assert mean(found) / (slots * 72 * 3600) == pytest.approx(0.8, rel=0.15 if arrivals == "lublin" else 0.05)


def _work(jobs: tuple[Job, ...]) -> int:
    return sum((job.runtime or 0) * len(job.task_ids) * (job.request.pe.ranges[0][0] if job.request.pe else 1)
               for job in jobs)  # fmt: skip


@pytest.mark.parametrize("arrivals", ["poisson", "even", "sessions", "lublin"])
def test_the_rate_is_what_it_says(arrivals: str) -> None:
    found = [len(jobs_of(f"  arrivals: {arrivals}\n  rate: 60\n  length: 48h\n  pes: mpi\n  burst: 1=8 5=2\n", seed))
             for seed in range(5)]  # fmt: skip
    assert mean(found) == pytest.approx(48 * 60, rel=0.15 if arrivals == "lublin" else 0.05)


def test_jobs_are_in_the_order_of_time_and_parse() -> None:
    jobs = jobs_of("  arrivals: sessions\n  rate: 200\n  length: 8h\n" + KINDS)
    assert [job.id for job in jobs] == list(range(1, len(jobs) + 1))
    assert [job.submitted for job in jobs] == sorted(job.submitted for job in jobs)
    assert {job.owner for job in jobs} == {"anna", "bert"}
    for job in jobs:
        parsed = parse_qsub(job.qsub, now=job.submitted)
        assert (parsed.request, parsed.name, parsed.runtime, parsed.problems) == (
            job.request, job.name, job.runtime, (),
        )  # fmt: skip
        asked = dict(job.request.hard)
        assert int(asked["h_rt"] or 0) >= (job.runtime or 0)


def test_more_comes_by_day_and_nothing_on_sunday() -> None:
    day = "0 0 0 0 0 0 0 0 10 10 10 10 10 10 10 10 10 0 0 0 0 0 0 2"
    jobs = jobs_of(f"  rate: 30\n  length: 168h\n  day: {day}\n  week: 1 1 1 1 1 1 0\n")
    moments = [datetime.fromtimestamp(job.submitted) for job in jobs]
    hours = Counter(moment.hour for moment in moments)
    assert set(hours) <= {*range(8, 17), 23}
    assert hours[9] == pytest.approx(5 * hours[23], rel=0.4)
    assert {moment.weekday() for moment in moments} == set(range(6))
    assert len(jobs) == pytest.approx(168 * 30, rel=0.05)


def test_a_burst_is_of_one_user_and_kind() -> None:
    jobs = jobs_of("  jobs: 60\n  burst: 20\n" + KINDS)
    assert len(jobs) == 60
    by_time: dict[int, set[tuple[str, str]]] = {}
    for job in jobs:
        by_time.setdefault(job.submitted, set()).add((job.owner, job.name))
    assert len(by_time) == 3
    assert all(len(who) == 1 for who in by_time.values())


@pytest.mark.parametrize(
    "workload",
    ["  jobs: 0\n", "  rate: 0.0000001\n  jobs: 9\n", "  arrivals: lublin\n  rate: 0.0000001\n  jobs: 3\n",
     "  length: 1\n  arrivals: sessions\n  session: 9999999\n  think: 0\n"],
)  # fmt: skip
def test_absurd_rates_end(workload: str) -> None:
    assert len(jobs_of(workload)) <= 10_000


def test_what_jobs_cannot_get_is_told() -> None:
    read = contents("  slots: 4\n  jobs: 1\n")
    work = with_work(read.cluster, read.state)
    assert [finding.message for finding in work.findings] == [
        "jobs with several slots ask for no parallel environment, so that each gets one slot"
    ]
    assert work.state.jobs[0].request.pe is None
    read = contents("  slots: 4\n  pes: smp\n  jobs: 1\n")
    assert 'there is no parallel environment "smp"' in with_work(read.cluster, read.state).findings[0].message


def test_numbers_begin_behind_those_that_are_there() -> None:
    read = read_texts(
        Layout.YAML, "c", {"c.yaml": CLUSTER + "  jobs: 2\njobs:\n- {id: 7, owner: anna, qsub: sleep 5}\n"}
    )
    assert [job.id for job in with_work(read.cluster, read.state).state.jobs] == [7, 8, 9]


# -- the model of Lublin and Feitelson


def test_lublins_sizes_and_run_times_are_those_of_his_own_program() -> None:
    """Statistics of 10,000 jobs that the authors' program made for 256 nodes."""
    dice = Dice(1, "lublin")
    sizes = [lublin.slots(dice, 256) for _ in range(10_000)]
    logs = [log(lublin.run_time(dice, size)) for size in sizes]
    assert mean(sizes) == pytest.approx(22.1, rel=0.06)
    assert mean(size == 1 for size in sizes) == pytest.approx(0.249, abs=0.015)
    assert mean(size > 1 and size & (size - 1) == 0 for size in sizes) == pytest.approx(0.612, abs=0.02)
    assert mean(logs) == pytest.approx(5.68, abs=0.1)
    assert stdev(logs) == pytest.approx(3.02, abs=0.1)


def test_lublins_day_has_its_rush_in_the_afternoon() -> None:
    halves = lublin.half_hours()
    assert sum(halves) == pytest.approx(48)
    assert 22 <= max(range(48), key=halves.__getitem__) <= 30
    assert 5 <= min(range(48), key=halves.__getitem__) <= 12
    times = list(islice(lublin.times(Dice(1, "t"), 0, 1.0), 2000))
    assert times == sorted(times)


def test_gamma_is_drawn_as_its_distribution_says() -> None:
    dice = Dice(1, "gamma")
    drawn = [dice.gamma(4.2, 0.94) for _ in range(20_000)]
    assert mean(drawn) == pytest.approx(4.2 * 0.94, rel=0.02)
    assert stdev(drawn) == pytest.approx(4.2**0.5 * 0.94, rel=0.03)
    below = mean(number <= 3.0 for number in drawn)
    assert lublin.gamma_cdf(3.0, 4.2, 0.94) == pytest.approx(below, abs=0.01)
    assert lublin.gamma_cdf(1.0, 1.0, 1.0) == pytest.approx(0.63212055882856)


@pytest.mark.parametrize("text", ["uniform 60 600", "lognormal 600 1 60 3600", "1=3 5=1"])
def test_means_are_those_of_what_is_drawn(text: str) -> None:
    value, dice = parse_random_value(text, float), Dice(3, "means")
    assert mean(dice.number(value) for _ in range(20_000)) == pytest.approx(value.mean, rel=0.03)


def test_more_than_anybody_means_is_cut_off_and_said() -> None:
    read = contents("  {arrivals: even, rate: 600, length: 1d, tasks: 75000, runtime: 60}\n")
    work = with_work(read.cluster, read.state)
    assert sum(len(job.task_ids) for job in work.state.jobs) <= 1_075_000
    asked = contents("  {arrivals: even, rate: 1000000, length: 1d, runtime: 60}\n")
    workload = asked.state.simulation.workload
    assert workload is not None
    assert [finding.message for finding in workload_findings(asked.cluster, workload)] == [
        "2.4e+07 jobs are too many, only the first 250000 come"
    ]


@pytest.mark.parametrize(
    ("workload", "said"),
    [
        ("tasks: 1e9", 'jobs "work" are capped at 75000 tasks'),
        ("runtime: 9000d", 'jobs "work" are capped at 100000000 seconds of run time'),
        ("slots: 1e9, pes: mpi", 'jobs "work" are capped at 9999999 slots'),
        ("over_time: 1e300", 'jobs "work" are capped at 100000000 minutes of h_rt'),
        ("memory: 1e300", 'jobs "work" are capped at 100000000 MB of memory'),
        ("rate: 0.00001", "only 1 of 2 jobs come within two years"),
    ],
)
def test_what_is_not_made_as_it_is_written_is_said_with_its_line(workload: str, said: str) -> None:
    read = contents(f"  {{arrivals: even, jobs: 2, {workload}}}\n")
    told = with_work(read.cluster, read.state).findings
    assert [(one.message, one.file, one.line, one.severity) for one in told] == [
        (said, "cluster.yaml", 6, Severity.ERROR)
    ]


def test_options_of_a_kind_that_qsub_refuses_are_said_where_they_stand() -> None:
    text = CLUSTER + "  kinds:\n  - {qsub: -R y}\n  - {qsub: -nonsense}\n"
    (found,) = read_texts(Layout.YAML, "c", {"c.yaml": text}).findings
    assert (found.rule, found.line) == ("format.workload", 8)
    assert "-nonsense" in found.message
