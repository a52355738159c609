"""Finished jobs come from the end of the accounting file, however long it is, with the reason of a failure."""

import json
import time
from pathlib import Path

import pytest

from qmon_tui.cli import main
from qmon_tui.formats.records import read_records, whose_record
from qmon_tui.sources import SourceError, record_file as accounting_file
from qmon_tui.sources.cells import Cell
from qmon_tui.sources.record_file import newest_records

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

    def counted(line: str) -> tuple[int, str, int | None, int | None] | None:
        read.append(line)
        return whose_record(line)

    monkeypatch.setattr(accounting_file, "whose_record", counted)
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


def json_record(job: int, ended: int, **others: object) -> str:
    times = {"submission_time": ended - 100, "start_time": ended - 50, "end_time": ended}
    fields = {
        "job_number": job, "task_number": 1, **{name: value * 1_000_000 + 5 for name, value in times.items()},
        "owner": "anna", "group": "staff", "account": "sge", "qname": "all.q", "hostname": "n1", "slots": 2,
        "job_name": "a:b", "priority": 0, "category": "-l mem=2G", "failed": 0, "exit_status": 137,
        "usage": {"rusage": {"ru_wallclock": 50, "ru_utime": 0.35}, "usage": {"cpu": 1.5, "mem": 0.25, "io": 0.5e-3}},
    } | others  # fmt: skip
    return json.dumps(fields, separators=(",", ":"))


def test_records_of_open_cluster_scheduler_are_json_lines(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    spoilt = ["{", "[1]", '{"job_number":3}', '{"job_number":' * 9000, json_record(4, NOW - 90, slots="many")]
    lines = [json_record(1, NOW - 9000), *spoilt, json_record(7, NOW - 60), json_record(8, NOW - 30, owner="bela")]
    lines.append(json_record(9, NOW - 10, submit_cmd_line="qsub -t 1-2 a"))
    file = tmp_path / "accounting.jsonl"
    file.write_text("\n".join(lines) + "\n")
    assert main(["qacct", str(file), "7"]) == 0
    assert "7 a:b (anna): killed by signal 9" in capsys.readouterr().out
    assert main(["qacct", str(file), "--user", "bela", "--format", "json"]) == 0
    (task,) = json.loads(capsys.readouterr().out)["tasks"]
    assert (task["id"], task["cpu"], task["mem"], task["io"]) == (8, 1.5, 0.25, 0.0005)
    recorded = read_records({"accounting.jsonl": file.read_bytes()})
    assert [
        (job.id, job.request.array is not None, dict(job.request.hard), job.runtime) for job in recorded.state.jobs
    ] == [(number, number == 9, {"mem": "2G"}, 50) for number in (1, 7, 8, 9)]
    assert [finding.line for finding in recorded.findings] == [2, 3, 4, 5, 6]


def test_a_cell_with_json_lines_is_read_from_them(tmp_path: Path) -> None:
    cell = Cell(root=str(tmp_path), cell="default")
    assert cell.accounting == str(tmp_path / "default/common/accounting")
    cell.common.mkdir(parents=True)
    (cell.common / "accounting.jsonl").write_text("")
    assert cell.accounting == str(tmp_path / "default/common/accounting.jsonl")


def test_what_is_no_accounting_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["qacct", str(tmp_path)]) == 2
    assert main(["qacct", str(tmp_path / "none")]) == 2
    assert main(["qacct", str(tmp_path / "none"), "--last", "soon"]) == 2
    assert "the accounting file is on the host of the qmaster" in capsys.readouterr().err
    with pytest.raises(SourceError):
        newest_records("/proc/self/mem/x")
