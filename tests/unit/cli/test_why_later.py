"""`why --at` a later time: what happens until then is simulated."""

import json
from pathlib import Path
from typing import Any

import pytest

from qmon_tui.cli import main

Capture = pytest.CaptureFixture[str]
CLUSTER = """\
queues:
  all.q: {hostlist: h1, slots: 1, load_thresholds: NONE}
scheduler: {schedule_interval: "0:0:15"}
now: 2026-11-21T09:00:00
jobs:
- {id: 1, owner: anna, submitted: 2026-11-21T08:00:00, runtime: 600, qsub: "-N first x"}
- {id: 2, owner: anna, submitted: 2026-11-21T08:00:01, runtime: 600, qsub: "-N second x"}
- {id: 3, owner: anna, submitted: 2026-11-21T09:05:00, runtime: 600, qsub: "-N third x"}
- {id: 4, owner: anna, submitted: 2026-11-21T09:06:00, runtime: 600, qsub: "-N fourth -l nosuch=1 x"}
"""


def answered(capsys: Capture, *arguments: str) -> Any:
    main([*arguments, "--format", "json"])
    return json.loads(capsys.readouterr().out)


@pytest.fixture
def folder(tmp_path: Path) -> str:
    (tmp_path / "cluster.yaml").write_text(CLUSTER)
    return str(tmp_path)


def test_why_answers_inside_the_simulated_day(folder: str, capsys: Capture) -> None:
    later = answered(capsys, "why", folder, "3", "--at", "2026-11-21T09:15:00")
    assert (later["rank"], later["pending"]) == (1, 1)
    assert later["notes"] == ["Simulated from 2026-11-21T09:00:00 on: 5 scheduling runs before this one."]
    running = answered(capsys, "why", folder, "2", "--at", "2026-11-21T09:15:00")
    assert running["state"] == "r"


@pytest.mark.parametrize(
    ("job", "at", "said"),
    [
        ("1", "2026-11-21T09:30:00", "At 2026-11-21T09:30:00 job 1 is over: it ended at 2026-11-21T09:10:00."),
        (
            "3",
            "2026-11-21T09:01:00",
            "At 2026-11-21T09:01:00 job 3 has not been submitted yet: it comes at 2026-11-21T09:05:00.",
        ),
        ("3", "+0s", "At 2026-11-21T09:00:00 job 3 has not been submitted yet: it comes at 2026-11-21T09:05:00."),
        ("3", "", "At 2026-11-21T09:00:00 job 3 has not been submitted yet: it comes at 2026-11-21T09:05:00."),
        (
            "4",
            "2026-11-21T09:30:00",
            'At 2026-11-21T09:30:00 there is no job 4: Unable to run job: unknown resource "nosuch"',
        ),
    ],
)
def test_a_job_that_is_not_there_then(folder: str, capsys: Capture, job: str, at: str, said: str) -> None:
    assert main(["why", folder, job, *(["--at", at] if at else [])]) == 2
    assert said in capsys.readouterr().err


def test_a_run_that_is_due_at_the_time_is_the_one_that_is_explained(folder: str, capsys: Capture) -> None:
    """At 09:10:00 the first job ends; the run of that second would start the second one."""
    at = answered(capsys, "why", folder, "2", "--at", "2026-11-21T09:10:00")
    assert at["state"] in ("t", "qw")
    assert at["rank"] == 1 or at["state"] == "t"
