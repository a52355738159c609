"""`qmon-tui calibrate`."""

import csv
import json
from pathlib import Path

import pytest

from qmon_tui.cli import main

FOLDER = """
hosts: {node12: {}}
queues: {all.q: {hostlist: node12, slots: 2, load_thresholds: NONE}}
jobs: [{id: 1, owner: anna, submitted: 2026-11-24T08:00:00, qsub: "sleep 100"}]
now: 2026-11-24T08:00:00
"""
LINE = (
    "all.q:node12:staff:{owner}:work:{job}:sge:0:{submitted}:{started}:{ended}:0:0:100:" + "0:" * 15 + "0:0:NONE:"
    "defaultdepartment:NONE:1:0:100.0:0:0:-l h_rt=7200:0:NONE:0:0:0\n"
)


@pytest.fixture
def given(tmp_path: Path) -> tuple[str, str]:
    """A folder, and an accounting file in which each second task waits a minute longer than it had to."""
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "c.yaml").write_text(FOLDER)
    lines = [
        LINE.format(
            owner=("anna", "bob")[job % 2], job=job, submitted=1764576000 + 500 * job,
            started=1764576000 + 500 * job + 60 * (job % 2), ended=1764576000 + 500 * job + 100 + 60 * (job % 2),
        )
        for job in range(1, 31)
    ]  # fmt: skip
    (tmp_path / "accounting").write_text("".join(lines))
    return str(tmp_path / "site"), str(tmp_path / "accounting")


def test_errors_assumptions_and_a_forecast(given: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    folder, file = given
    arguments = ["calibrate", folder, "--accounting", file, "--processes", "1"]
    assert main([*arguments, "--with", "queues.all.q.slots=1", "--format", "json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert (data["compared"], data["missing"]) == (30, 0)
    owners = {one["name"]: one for one in data["by"]["owner"]}
    assert owners["bob"]["mean_error"] - owners["anna"]["mean_error"] == pytest.approx(-60, abs=16)
    assert data["forecast"]["edits"] == ["queues.all.q.slots=1"]
    for band in (data["forecast"], *data["forecast"]["bands"].values()):
        assert band["low"] <= band["expected"] <= band["high"]
    assert list(data["forecast"]["bands"]) == ["wait.mean", "wait.p95", "throughput_per_hour"]
    assert main(arguments) == 0
    out, err = capsys.readouterr()
    assert "Assumptions, by what they explain" in out
    assert "think time" in out
    assert "30 tasks compared, 0 of the recorded ones not started here." in err
    assert main([*arguments, "--format", "csv"]) == 0
    rows = list(csv.reader(capsys.readouterr().out.splitlines()))
    assert [row[0] for row in rows] == ["by", "all", "queue", "owner", "owner", "size"]


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--accounting", "/nowhere"], "cannot read /nowhere"),
        (["--accounting", "{folder}/c.yaml"], "has no records of ended jobs: give an accounting file"),
        (["--accounting", "{file}", "--with", "nothing"], '"nothing" is not an edit'),
        (["--accounting", "{file}", "--with", "queues.all.q.slots=x"], "error parsing unsigned long value"),
        (["--accounting", "{file}", "--processes", "0"], "--processes: write a number from 1 on."),
    ],
)
def test_unusable_input(given: tuple[str, str], more: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    folder, file = given
    assert main(["calibrate", folder, *(text.format(folder=folder, file=file) for text in more)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert said in err
