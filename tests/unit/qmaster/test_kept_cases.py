"""Clusters whose next run by a real qmaster is kept beside them, in `real.json`: state, places, prior of each task."""

import json
from pathlib import Path

import pytest

from qmon_tui.qmaster import schedule
from qmon_tui.sources import read_folder
from tests.differential.clock import universal_time

CASES = Path(__file__).parents[2] / "data" / "cases"


@pytest.mark.parametrize("fast", [True, False])
@pytest.mark.parametrize("name", sorted(path.name for path in CASES.iterdir()))
def test_the_next_run_is_that_of_the_real_qmaster(name: str, fast: bool) -> None:
    real = {task: (state, places, prior) for task, (state, places, prior) in
            json.loads((CASES / name / "real.json").read_text()).items()}  # fmt: skip
    with universal_time():
        reading = read_folder(CASES / name)
        assert reading.contents is not None
        outcome = schedule(reading.contents.cluster, reading.contents.state, fast=fast)
    ours = {
        f"{job.id}.{task.task}": (task.state, dict(task.granted), f"{task.prior:.5f}")
        for job in outcome.jobs
        for task in job.tasks
    }
    assert {task: ours.get(task) for task in real} == real
