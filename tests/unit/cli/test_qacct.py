"""Finished jobs come from the end of the accounting file, however long it is, with the reason of a failure."""

import json
import time
from pathlib import Path

import pytest

from qmon_tui.cli import main
from qmon_tui.sources import SourceError, accounting_file
from qmon_tui.sources.accounting_file import newest_records

NOW = int(time.time())


def record(job: int, ended: int, *, owner: str = "anna", failed: int = 0, status: int = 0, task: int = 0) -> str:
    times = f"{ended - 100}:{ended - 50}:{ended}"
    usage = ":".join(["0"] * 18)
    return (
        f"all.q:n1:staff:{owner}:sleep:{job}:sge:0:{times}:{failed}:{status}:{usage}:NONE:dep:NONE:1:{task}"
        ":1.5:0.25:0.5:NONE:0:NONE:0:0:0"
    )


@pytest.fixture
def accounting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Three days of jobs, one a minute, read in blocks that end within lines."""
    monkeypatch.setattr(accounting_file, "_BLOCK", 1000)
    lines = [record(number, NOW - 60 * (4320 - number)) for number in range(1, 4320)]
    lines[4000] = record(4001, NOW - 60 * 319, failed=28, status=0)
    lines += [record(5000, NOW - 30, owner="bela", status=137, task=number) for number in (1, 2)]
    file = tmp_path / "accounting"
    file.write_text("# Version: 8.1.9\n# \n" + "\n".join(lines) + "\n")
    return file


def test_a_job_is_found_from_the_end(accounting: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []
    seconds = accounting_file._seconds

    def counted(text: str) -> int:
        read.append(text)
        return seconds(text)

    monkeypatch.setattr(accounting_file, "_seconds", counted)
    assert [line.split(":")[-10] for line in newest_records(str(accounting), job=5000)] == ["1", "2"]
    assert len(read) < 50, "what ended before the job was submitted is not read"
    assert newest_records(str(accounting), job=1)
    assert newest_records(str(accounting), job=9999) == []


def test_the_last_hour_and_a_user(accounting: Path) -> None:
    assert len(newest_records(str(accounting), since=NOW - 3600)) == 62
    assert len(newest_records(str(accounting), since=NOW - 3600, owner="bela")) == 2


def test_the_command_says_why_a_job_failed(accounting: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["qacct", str(accounting), "4001"]) == 0
    assert "4001 sleep (anna): failed 28: changing into working directory" in capsys.readouterr().out
    assert main(["qacct", str(accounting), "5000"]) == 0
    assert "5000.2 sleep (bela): killed by signal 9" in capsys.readouterr().out
    assert main(["qacct", str(accounting), "--user", "bela", "--format", "json"]) == 0
    tasks = json.loads(capsys.readouterr().out)["tasks"]
    assert [(task["task"], task["exit_status"], task["cpu"]) for task in tasks] == [(1, 137, 1.5), (2, 137, 1.5)]
    assert main(["qacct", str(accounting), "9999"]) == 1
    assert "No record" in capsys.readouterr().out


def test_what_is_no_accounting_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["qacct", str(tmp_path)]) == 2
    assert main(["qacct", str(tmp_path / "none")]) == 2
    assert main(["qacct", str(tmp_path / "none"), "--last", "soon"]) == 2
    assert "the accounting file is on the host of the qmaster" in capsys.readouterr().err
    with pytest.raises(SourceError):
        newest_records("/proc/self/mem/x")
