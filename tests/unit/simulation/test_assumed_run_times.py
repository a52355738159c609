"""Jobs of which nobody says how long they run."""

from dataclasses import replace

import pytest

from qmon_tui.formats.qsub import parse_qsub
from qmon_tui.model import State
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
