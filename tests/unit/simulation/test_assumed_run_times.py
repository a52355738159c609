"""Jobs of which nobody says how long they run."""

from dataclasses import replace

import pytest

from qmon_tui.formats.qsub import parse_qsub
from qmon_tui.model import State, Task
from qmon_tui.simulation import with_run_times
from tests.unit.scheduler.building import NOW, job


@pytest.mark.parametrize(
    ("line", "runtime", "assumed"),
    [("sleep 600", 600, 0), ("x.sh", 3600, 1), ("-l h_rt=2:0:0 x.sh", 7200, 1), ("-l h_rt=INFINITY x.sh", 315360000, 1),
     ("sleep", 3600, 1), ("sleep 1 2", 3600, 1)],
)  # fmt: skip
def test_what_it_asks_for_is_taken_else_an_hour(line: str, runtime: int, assumed: int) -> None:
    unknown = replace(job(1), request=parse_qsub(line, now=NOW).request)
    state, count = with_run_times(State(now=NOW, jobs=(unknown, job(2, runtime=5))))
    assert [known.runtime for known in state.jobs] == [runtime, 5]
    assert count == assumed


def test_what_runs_already_runs_an_hour_more_than_so_far_unless_it_asks_for_a_time() -> None:
    began = {1: Task("r", granted={"all.q@h1": 1}, started=NOW - 600)}
    jobs = [
        replace(job(number, tasks=began), request=parse_qsub(line, now=NOW).request)
        for number, line in enumerate(("x.sh", "-l h_rt=900 x.sh", "sleep 700"), 1)
    ]
    state, count = with_run_times(State(now=NOW, jobs=tuple(jobs)))
    assert ([known.runtime for known in state.jobs], count) == ([4200, 900, 700], 2)


def test_on_simulated_hosts_the_first_argument_is_the_run_time() -> None:
    simulated = State(now=NOW, simulation=replace(State(now=NOW).simulation, simulated_hosts=True))
    unknown = replace(job(1), request=parse_qsub("x.sh 20", now=NOW).request)
    state, count = with_run_times(replace(simulated, jobs=(unknown,)))
    assert ([known.runtime for known in state.jobs], count) == ([20], 0)
