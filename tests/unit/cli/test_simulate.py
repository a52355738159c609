"""`qmon-tui simulate`: what becomes of each job, and the measures, in three formats."""

import csv
import io
import json
from pathlib import Path

import pytest

from qmon_tui.cli import main

TEXT = """\
now: 2026-01-01T09:00:00
queues: {all.q: {hostlist: h1, slots: 1, load_thresholds: NONE}}
scheduler: {schedule_interval: "0:0:10"}
jobs:
- {id: 1, owner: anna, submitted: 2026-01-01T09:00:00, qsub: sleep 60}
- {id: 2, owner: bob, submitted: 2026-01-01T09:00:30, qsub: -N late sleep 60}
- {id: 3, owner: bob, submitted: 2026-01-01T09:00:40, qsub: -l nothing=1 sleep 60}
"""


@pytest.fixture
def folder(tmp_path: Path) -> str:
    (tmp_path / "cluster.yaml").write_text(TEXT)
    return str(tmp_path)


def test_json_tells_each_task_and_the_measures(folder: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", folder, "--format", "json"]) == 0
    told = json.loads(capsys.readouterr().out)
    first, second = told["jobs"]
    assert (first["started"], first["ended"]) == ("2026-01-01T09:00:00", "2026-01-01T09:01:00")
    assert (second["name"], second["started"], second["granted"]) == ("late", "2026-01-01T09:01:00", {"all.q@h1": 1})
    assert [refused["id"] for refused in told["refused"]] == [3]
    assert told["measures"]["wait"]["max"] == 30
    assert told["until"] == "2026-01-01T09:02:10"


def test_a_table_and_lines_for_a_spreadsheet(folder: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", folder, "--for", "90s"]) == 0
    shown = capsys.readouterr()
    assert "1 of 2 tasks ended, 2 started" in shown.out
    assert "2026-01-01T09:00:00 to 2026-01-01T09:01:30" in shown.err
    assert main(["simulate", folder, "--until", "+90s", "--format", "csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [(row["id"], row["ended"], row["granted"]) for row in rows] == [
        ("1", "2026-01-01T09:01:00", "all.q@h1=1"),
        ("2", "", "all.q@h1=1"),
    ]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--for", "soon"], "is not a length of time, write 90m, 8h, 7d or 1:30:0"),
        (["--until", "2025-01-01T00:00:00"], "the end is before the beginning"),
        (["--start-delay", "-1"], "--start-delay: write seconds, 0 or more"),
    ],
)
def test_what_cannot_be_is_said(folder: str, options: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", folder, *options]) == 2
    assert said in capsys.readouterr().err
