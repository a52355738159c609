"""`qmon-tui sweep`."""

import csv
import json
import os
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from qmon_tui.cli import main

FOLDER = """
hosts: {h1: {}}
queues: {all.q: {hostlist: h1, slots: 1, load_thresholds: NONE}}
jobs:
- {id: 1, owner: anna, submitted: 2026-11-24T08:00:00, qsub: "sleep 100", runtime: 100}
- {id: 2, owner: anna, submitted: 2026-11-24T08:00:01, qsub: "sleep 100", runtime: 100}
- {id: 3, owner: bob, submitted: 2026-11-24T08:00:02, qsub: "sleep 100", runtime: 100}
now: 2026-11-24T08:00:00
"""
SLOTS = ["--over", "queues.all.q.slots=1,2,3", "--processes", "1"]


@pytest.fixture
def folder(tmp_path: Path) -> str:
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "c.yaml").write_text(FOLDER)
    return str(tmp_path / "site")


def test_a_grid_as_table_json_csv_and_heat_map(folder: str, capsys: pytest.CaptureFixture[str]) -> None:
    both = [*SLOTS, "--over", "scheduler.weight_urgency=0,1", "--measure", "wait", "--measure", "utilisation"]
    assert main(["sweep", folder, *both]) == 0
    out, err = capsys.readouterr()
    assert "best of two" in out
    assert err.endswith("6 points.\n")
    assert main(["sweep", folder, *both, "--format", "json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["measures"] == ["wait.mean", "utilisation"]
    assert len(data["points"]) == 6
    assert main(["sweep", folder, *both, "--format", "csv"]) == 0
    rows = list(csv.reader(capsys.readouterr().out.splitlines()))
    assert rows[0] == ["queues.all.q.slots", "scheduler.weight_urgency", "wait.mean", "utilisation", "cannot"]
    assert len(rows) == 7
    assert main(["sweep", folder, *both, "--format", "svg"]) == 0
    picture = ElementTree.fromstring(capsys.readouterr().out)
    texts = [element.text for element in picture.iter() if element.tag.endswith("text")]
    assert {"scheduler.weight_urgency", "queues.all.q.slots", "Mean wait"} <= set(texts)
    assert len([text for text in texts if text and re.fullmatch(r"[0-9]:[0-9]{2}:[0-9]{2}", text)]) == 6


def test_a_goal_is_looked_for(folder: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sweep", folder, *SLOTS, "--goal", "max wait of user bob < 90s"]) == 0
    out, err = capsys.readouterr()
    assert "goal" in out
    assert "Reached by queues.all.q.slots=3." in err
    assert main(["sweep", folder, *SLOTS, "--goal", "utilisation > 100 %", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["goal"]["reached"] is False


def test_an_interrupted_sweep_continues(
    folder: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    results = tmp_path / "results.jsonl"
    arguments = ["sweep", folder, *SLOTS, "--results", str(results), "--format", "json"]
    from qmon_tui.cli import sweep

    told = []

    def interrupted(done: int, total: int) -> None:
        told.append(total)
        if done == 2:
            raise KeyboardInterrupt

    monkeypatch.setattr(sweep, "note_progress", interrupted)
    assert main(arguments) == 130
    assert "2 points kept in" in capsys.readouterr().err
    monkeypatch.setattr(sweep, "note_progress", lambda done, total: told.append(total))
    assert main(arguments) == 0
    continued = json.loads(capsys.readouterr().out)
    assert told == [3, 3, 1]
    assert main(["sweep", folder, *SLOTS, "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out) == continued
    Path(folder, "c.yaml").write_text(FOLDER.replace("runtime: 100", "runtime: 200"))
    assert main(arguments) == 0
    assert json.loads(capsys.readouterr().out) != continued


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--over", "queues.all.q.slots"], "write what is varied and its values"),
        (["--over", "queues.all.q.slot=1"], "has no field slot"),
        ([*SLOTS, "--over", "queues.all.q.slots=9"], "queues.all.q.slots is varied twice"),
        (["--over", f"hosts={','.join(map(str, range(20000)))}"], "these are 20000 points, 10000 can be tried at most"),
        ([*SLOTS, "--random", "0"], "--random: write a number from 1 to 10000"),
        ([*SLOTS, "--goal", "fast"], '"fast" is not a goal'),
        ([*SLOTS, "--measure", "beauty"], "no day has the measure beauty"),
        ([*SLOTS, "--results", "/nowhere/r"], "cannot be written: No such file or directory."),
        ([*SLOTS, "--results", "/"], "cannot be read"),
        ([*SLOTS, "--results", "/dev/null"], "/dev/null cannot be read: it is a device, not a file"),
        ([*SLOTS, "--results", __file__], "it holds something else than the results of a sweep"),
    ],
)
def test_unusable_input(folder: str, arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sweep", folder, *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert said in err


def test_what_cannot_be_is_told_and_the_rest_is_tried(folder: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sweep", folder, "--over", "queues.all.q.slots=1,x", "--processes", "1"]) == 0
    assert "error parsing unsigned long value" in capsys.readouterr().out


@pytest.mark.parametrize("left", ['{"work": "', '{"wo', "", '{"work": "other", "point": {}, "measures": {}}\n'])
def test_results_that_were_cut_off_or_are_of_other_work_are_continued(left: str, folder: str, tmp_path: Path) -> None:
    results = tmp_path / "results.jsonl"
    results.write_text(left)
    assert main(["sweep", folder, *SLOTS, "--results", str(results), "--format", "json"]) == 0
    lines = results.read_text().splitlines()
    assert [json.loads(line)["point"]["queues.all.q.slots"] for line in lines[-3:]] == ["1", "2", "3"]


@pytest.mark.parametrize("text", ["[" * 100_000, "x" * 10, '{"work": 1}', "{}", "a: b\n" * 3])
def test_a_file_that_is_none_of_results_stays_as_it_is(
    text: str, folder: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    results = tmp_path / "mine"
    results.write_text(text)
    assert main(["sweep", folder, *SLOTS, "--results", str(results)]) == 2
    assert "it holds something else than the results of a sweep" in capsys.readouterr().err
    assert results.read_text() == text


def test_results_in_a_named_pipe_are_waited_for_by_nobody(
    folder: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert main(["sweep", folder, *SLOTS, "--results", str(tmp_path / "pipe")]) == 2
    assert "it is a named pipe, not a file" in capsys.readouterr().err
