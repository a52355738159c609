"""Traces: what is written reads back, and jobs are called, moved, scaled and drawn anew as the reference says."""

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from qmon_tui.formats import Layout, read_texts
from qmon_tui.formats.records import Recorded, SwfRow, read_records, swf_lines
from qmon_tui.formats.records.swf import parse_swf
from qmon_tui.model import Job, State, Workload
from qmon_tui.simulation.workload import ending_at, with_work
from qmon_tui.simulation.workload.resampling import resampled
from qmon_tui.simulation.workload.traces import scaled, trace_jobs
from qmon_tui.sources import read_folder
from qmon_tui.workspace import read_work

WEEK = 7 * 86400
CONFIGS = Path(__file__).parents[4] / "configs"
numbers = st.integers(-1, 10**9).map(float) | st.floats(-1, 1e6, allow_nan=False).map(lambda x: round(x, 2))
rows = st.lists(st.lists(numbers, min_size=18, max_size=18).map(lambda columns: SwfRow(*columns)), max_size=5)
comments = st.lists(st.sampled_from(("Version: 2.2", "", "Note: a; b", "UnixStartTime: 5")), max_size=3)


@given(comments, rows)
def test_a_trace_that_was_written_reads_back(comments: list[str], rows: list[SwfRow]) -> None:
    trace = parse_swf(swf_lines(comments, rows), "trace.swf")
    assert (trace.comments, trace.rows, trace.findings) == (comments, rows, [])


def recorded(*lines: str) -> Recorded:
    return read_records({"trace.swf": "\n".join(("; UnixStartTime: 1000000000", *lines)).encode()})


def trace() -> Recorded:
    """Two users over two weeks: 1 comes each day, 2 once, and waits for a job of the first."""
    mine = [f"{n} {86400 * (n - 1)} 5 60 1 -1 -1 1 -1 -1 1 1 7 -1 2 -1 -1 -1" for n in range(1, 11)]
    return recorded(*mine, "20 5000 0 600 4 -1 -1 4 900 1024 1 2 8 -1 1 -1 1 -1")


def test_users_queues_and_environments_are_called_as_here() -> None:
    names = Workload(
        map_users={"user2": "bob"}, map_queues={"queue1": "long.q"}, map_pes={"swf": "mpi"},
        map_projects={"group8": "sea"},
    )  # fmt: skip
    ((first, _), (second, ended), *_) = trace_jobs(trace(), names)
    assert (first.owner, first.request.hard_queues, first.request.project) == ("user1", (), None)
    assert (second.owner, second.request.hard_queues, second.request.project) == ("bob", ("long.q",), "sea")
    assert second.qsub == "-hold_jid 1 -N app -pe mpi 4 -P sea -q long.q -l h_rt=900,h_vmem=1024K sleep 600" or (
        {"mpi", "sea", "long.q", "600"} <= set(second.qsub.split())
    )
    assert (ended[0].started, ended[0].ended) == (1000005000, 1000005600)


def test_load_is_scaled_by_the_distances() -> None:
    moved = trace_jobs(trace(), Workload())
    twice = scaled(moved, 2)
    assert [job.submitted - 1000000000 for job, _ in twice] == [(job.submitted - 1000000000) // 2 for job, _ in moved]
    assert [job.runtime for job, _ in twice] == [job.runtime for job, _ in moved]
    assert twice[1][1][0].started == 1000002500


def test_users_are_drawn_anew_with_all_that_they_submit() -> None:
    moved = trace_jobs(trace(), Workload())
    jobs = Counter(job.owner for job, _ in moved)
    for seed in range(20):
        drawn = resampled(moved, seed, 2.0)
        owners = Counter(job.owner for job, _ in drawn)
        assert len(owners) == 4
        assert all(count == jobs[owner.partition("_")[0]] for owner, count in owners.items())
        assert len({job.id for job, _ in drawn}) == len(drawn)
        for job, _ in drawn:
            assert 0 <= job.submitted - 1000000000 < 2 * WEEK
            if job.owner.startswith("user1"):
                assert (job.submitted - 1000000000) % 86400 == 0
            else:
                assert job.request.hold_jid == ()
    assert resampled(moved, 1) == resampled(moved, 1)


def test_a_trace_comes_after_now_on_the_same_weekday() -> None:
    waiting = Job(1, "anna", 1100000000, trace().state.jobs[0].request, "x", runtime=5)
    plan = replace(State().simulation, workload=Workload(trace="trace.swf"))
    cluster = read_texts(Layout.YAML, "c", {}).cluster
    state = State(now=1100000000, jobs=(waiting,), simulation=plan)
    work = with_work(cluster, state, trace=trace())
    first = min(job.submitted for job in work.state.jobs if job.id != 1)
    assert (first - 1000000000) % WEEK == 0
    assert 0 <= first - state.now < WEEK
    assert work.recorded[2, 1].started == first + 5
    alone = with_work(cluster, replace(state, jobs=()), trace=trace())
    assert alone.state.now == 1000000000


def test_jobs_that_wait_for_each_other_are_told() -> None:
    text = (
        "now: 2026-01-01T09:00:00\nsimulation: {until: +1h}\njobs:\n"
        "- {id: 1, owner: a, qsub: -hold_jid 2 sleep 5}\n- {id: 2, owner: a, qsub: -hold_jid 1 sleep 7200}\n"
    )
    contents = read_texts(Layout.YAML, "c", {"c.yaml": text})
    told = [finding.message for finding in with_work(contents.cluster, contents.state).findings]
    assert told == [
        "job 2: it runs for 7200 s, which is longer than the simulation lasts",
        "job 1: jobs 1, 2 wait for each other",
    ]


def test_of_many_jobs_that_reach_beyond_the_end_the_first_is_told() -> None:
    work_of_jobs = [(0, 60), (0, 9000), (1, 9001), (3, 1), (4, 1), (5, 1), (5, 2)]
    jobs = "".join(
        f"- {{id: {number}, owner: a, submitted: +{hour}h, qsub: sleep {seconds}}}\n"
        for number, (hour, seconds) in enumerate(work_of_jobs, 1)
    )
    text = f"now: 2026-01-01T09:00:00\nsimulation: {{until: +6h}}\njobs:\n{jobs}"
    contents = read_texts(Layout.YAML, "c", {"c.yaml": text.replace("+0h", "2026-01-01T09:00:00")})
    work = with_work(contents.cluster, contents.state)
    now = contents.state.now
    assert work.findings == ()
    assert [finding.message for finding in ending_at(work, now + 2 * 3600).findings] == [
        "job 4: it comes after the end of the simulation (and 3 more)",
        "job 2: it runs for 9000 s, which is longer than the simulation lasts",
        "job 3: it runs for 9001 s, which is longer than the simulation lasts",
    ]
    shorter = replace(contents.state, simulation=replace(contents.state.simulation, until=now + 2 * 3600))
    told = with_work(contents.cluster, shorter)
    assert [finding.line for finding in told.findings] == [7, 5, 6]
    assert ending_at(told, None) == told
    assert ending_at(told, now + 6 * 3600).findings == ()


EXAMPLES = [(None, 1000, 0), ("week.swf", 59, 1), ("accounting", 40, 0), ("mapping.yaml", 59, 1)]


@pytest.mark.parametrize(("file", "jobs", "told"), EXAMPLES)
def test_the_examples_are_work(file: str | None, jobs: int, told: int) -> None:
    reading = read_folder(CONFIGS / "day")
    work = read_work(reading, None if file is None else str(CONFIGS / "traces" / file))
    assert len(work.state.jobs) == jobs
    assert len(work.findings) == told
    assert {job.owner for job in work.state.jobs} <= {"anna", "bert", "carla", "dora"}
