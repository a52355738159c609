"""Commands that take one file that qconf printed, or print the commands from one cluster to another."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from qmon_tui.cli import main

CONFIGS = Path(__file__).parents[3] / "configs"
TEACHING = str(CONFIGS / "teaching")


Capture = pytest.CaptureFixture[str]


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    target = tmp_path / "cluster"
    shutil.copytree(TEACHING, target)
    return target


def answered(capsys: Capture, *arguments: str) -> Any:
    """The JSON that a command prints; anything else on stdout would not parse."""
    main([*arguments, "--format", "json"])
    return json.loads(capsys.readouterr().out)


QUEUE_FILE = """\
qname all.q
hostlist elsewhere @others
slots {slots}
load_thresholds NONE
pe_list mpi
"""


def test_one_file_is_checked_by_itself_or_in_a_cluster(capsys: Capture, tmp_path: Path) -> None:
    file = tmp_path / "all.q"
    file.write_text(QUEUE_FILE.format(slots="many"))
    assert main(["check", str(file)]) == 1
    captured = capsys.readouterr()
    assert "✗ error  queue all.q slots\n" in captured.out
    assert "all.q:3   rule queue.unsigned\n" in captured.out
    assert "mpi" not in captured.out
    assert f"{file} (queue all.q): " in captured.err
    found = answered(capsys, "check", str(file), "--in", TEACHING)["findings"]
    assert {"queue.hostlist.group", "queue.unsigned"} <= {one["rule"] for one in found}
    assert {one["file"] for one in found} == {"all.q"}


def test_two_files_are_compared_and_a_file_with_its_like_in_a_folder(capsys: Capture, tmp_path: Path) -> None:
    before, after = tmp_path / "before", tmp_path / "after"
    before.write_text(QUEUE_FILE.format(slots="4"))
    after.write_text(QUEUE_FILE.format(slots="5"))
    (change,) = answered(capsys, "diff", str(before), str(after))["differences"]
    assert (change["name"], [field["field"] for field in change["fields"]]) == ("all.q", ["slots"])
    changes = answered(capsys, "diff", TEACHING, str(after))["differences"]
    assert [(change["kind"], change["name"]) for change in changes] == [("queue", "all.q")]


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("l", "root\nada\n", "a list of names does not say what they are"),
        ("x", "bonjour tout le monde\n", "this is not what qconf prints of an object: a queue begins with qname"),
        ("j", "job-ID  prior   name       user         state submit/start at     queue\n", "qmon-tui convert"),
        ("e", "\n", "there is nothing in it"),
        ("q.yaml", "queues: {}\n", "give the folder"),
    ],
)
def test_what_cannot_be_recognised_is_said_in_a_sentence(
    capsys: Capture, tmp_path: Path, name: str, text: str, said: str
) -> None:
    file = tmp_path / name
    file.write_text(text)
    assert main(["check", str(file)]) == 2
    assert said in capsys.readouterr().err


def test_diff_prints_the_commands_from_one_to_the_other(capsys: Capture, copy: Path) -> None:
    queue = copy / "cluster.yaml"
    queue.write_text(queue.read_text().replace("seq_no", "seq_no", 1) + "\nprojects:\n  new: {fshare: 5}\n")
    assert main(["diff", TEACHING, str(copy), "--format", "commands"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[:3] == ["#!/bin/sh", f"# From {TEACHING} to {copy}", "# 1 object added; 1 command"]
    assert lines[3:5] == ["set -e", 'cd "$(mktemp -d)"']
    assert lines[-1] == "qconf -Aprj new"
    assert "fshare 5" in lines
    assert main(["check", TEACHING, "--format", "commands"]) == 2
