"""What `simulate` and its like do with work that cannot be taken as it is written, and with files that fail."""

import errno
import gzip
import json
import os
from pathlib import Path

import pytest

from qmon_tui.cli import main
from qmon_tui.sources import record_file
from qmon_tui.sources.atomic_write import replace_file
from tests.unit.cli.test_simulate import TEXT

CLUSTER = """\
now: 2026-01-01T09:00:00
queues: {all.q: {hostlist: h1, slots: 1, load_thresholds: NONE}}
scheduler: {schedule_interval: "0:0:10"}
"""
GOOD = "1 0 5 60 1 -1 -1 1 120 -1 1 1 1 -1 1 -1 -1 -1"
HOLE = "2 30 0 -1 1 -1 -1 1 -1 -1 5 2 1 -1 1 -1 -1 -1"


@pytest.fixture
def folder(tmp_path: Path) -> str:
    (tmp_path / "cluster").mkdir()
    (tmp_path / "cluster" / "cluster.yaml").write_text(CLUSTER)
    return str(tmp_path / "cluster")


def work_file(tmp_path: Path, text: str, name: str = "work") -> str:
    (tmp_path / name).write_text(text)
    return str(tmp_path / name)


def accounting(job: int, submitted: str = "1767258000", start: int = 1767258060, end: int = 1767258120, task: int = 0,
               name: str = "sim", category: str = "NONE") -> str:  # fmt: skip
    return (
        f"all.q:h1:staff:anna:{name}:{job}:sge:0:{submitted}:{start}:{end}:0:0:60:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:"
        f"NONE:defaultdepartment:NONE:1:{task}:60:0:0:{category}:0:NONE:0:0:0"
    )


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("work.yaml", "workload: {jobs: 1, runtime: -1m}", "work.yaml:1: runtime"),
        ("work.yaml", "workload: {jobs: 1, runtme: 1m}", "work.yaml:1: workload has no"),
        (
            "work.yaml",
            "workload: {jobs: 1, slots: 1e9, pes: mpi}",
            'work.yaml:1: jobs "work" are capped at 9999999 slots',
        ),
        ("work.yaml", "workload: {jobs: 1, slots: 4}", "work.yaml:1: jobs with several slots"),
        ("work.yaml", "jobs:\n- {id: 1, owner: anna, qsub: sleep 1}\n- {id: 1, owner: anna}", "work.yaml:3: job 1"),
        ("work.yaml", "jobs:\n- {owner: anna, qsub: -t 1-2 sleep 1, runtimes: {3: 5}}", "work.yaml:2: job 1 has no"),
        ("w.swf", f"{GOOD}\n2 30 5 60 1 -1 -1 1 120", "w.swf:2: this line has 9 columns"),
        ("w.swf", f"{GOOD}\n{GOOD}", "w.swf:2: job 1 is in the trace twice"),
        ("w.swf", f"{GOOD}\n2 5 90 1e14 1 -1 -1 1 -1 -1 1 2 1 -1 1 -1 -1 -1", "w.swf:2: the run time of this line is"),
        ("w.swf", f"{GOOD}\n2 1e14 9 1 1 -1 -1 1 -1 -1 1 2 1 -1 1 -1 -1 -1", "w.swf:2: the time of submission"),
        (
            "work.yaml",
            "jobs:\n- {owner: anna, qsub: -t 1-9999999 x}\n- {owner: a, qsub: sleep 1}",
            "work.yaml:2: job 1: it is left",
        ),
        ("acct", f"{accounting(1)}\n{accounting(2, name='a:b')}", "acct:2: "),
        ("acct", f"{accounting(1)}\n{accounting(2, '9' * 20)}", "acct:2: "),
        ("acct", f"{accounting(1)}\n{accounting(2, end=1767258000)}", "acct:2: job 2 ended before it started"),
        ("acct", f"{accounting(1)}\n{accounting(2, category='-nonsense')}", "acct:2: what job 2 asks for: "),
        ("w.swf", f"{GOOD}\n1.5{GOOD[1:]}", "w.swf:2: 1.5 is not a job number"),
        ("acct", f"{accounting(1)}\n{accounting(10**8)}", 'acct:2: job_number is "100000000", not a whole number'),
        ("acct", f"{accounting(1)}\n{accounting(1, '1767250000')}", "acct:2: there is another job 1 before it"),
    ],
)
def test_work_that_cannot_be_taken_as_written_is_told_and_the_rest_runs(
    name: str, text: str, said: str, folder: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = work_file(tmp_path, text + "\n", name)
    assert main(["simulate", folder, "--workload", file, "--for", "10m"]) == 2
    shown = capsys.readouterr()
    assert said in shown.err
    assert "wait" in shown.out


def test_compare_says_of_a_workload_what_simulate_says(
    folder: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = work_file(tmp_path, "jobs:\n- {owner: anna, qsub: -t 1-2 sleep 1, runtimes: {3: 5}}\n", "work.yaml")
    assert main(["compare", folder, folder, "--workload", file, "--for", "10m"]) == 2
    shown = capsys.readouterr()
    assert "work.yaml:2: job 1 has no" in shown.err
    assert "wait" in shown.out


def test_what_a_trace_does_not_know_is_no_fault_of_it(
    folder: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["simulate", folder, "--workload", work_file(tmp_path, f"{GOOD}\n{HOLE}\n", "w.swf")]) == 0
    assert "job 2 is left out" in capsys.readouterr().err


def test_each_task_of_an_array_runs_as_long_as_it_ran(
    folder: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Also where some tasks of the array are not in the file: the others come when they came, not at the beginning."""
    lines = [accounting(1, end=1767258070), accounting(2, "1767258300", 1767258300, 1767258330, 1),
             accounting(2, "1767258300", 1767258300, 1767258400, 3)]  # fmt: skip
    file = work_file(tmp_path, "\n".join(lines) + "\n")
    out = tmp_path / "out"
    command = ["simulate", folder, "--format", "json", "--workload"]
    assert main([*command, file, "--out", str(out)]) == 0
    first = json.loads(capsys.readouterr().out)["jobs"]
    ran = {(job["id"], job["task"]): (job["started"][11:], job["ended"][11:]) for job in first}
    assert ran == {
        (1, 1): ("09:00:00", "09:00:10"), (2, 1): ("09:05:00", "09:05:30"), (2, 3): ("09:05:30", "09:07:10"),
    }  # fmt: skip
    assert main([*command, str(out / "work.yaml")]) == 0
    again = json.loads(capsys.readouterr().out)["jobs"]
    assert [(job["started"], job["ended"]) for job in again] == [(job["started"], job["ended"]) for job in first]


def test_a_trace_that_gzip_has_packed(
    folder: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    packed = tmp_path / "w.swf.gz"
    packed.write_bytes(gzip.compress(f"{GOOD}\n".encode()) + gzip.compress(GOOD.replace("1 0 ", "3 9 ", 1).encode()))
    command = ["simulate", folder, "--format", "csv", "--workload", str(packed)]
    assert main(command) == 0
    assert [line.split(",")[0] for line in capsys.readouterr().out.splitlines()[1:]] == ["1", "3"]
    whole = packed.read_bytes()
    for data, said in (
        (whole[:-5], "its end is missing"), (whole[:20] + b"xxx" + whole[23:], "it is damaged"),
        (b"\xfd7zXZ\x00 ...", "is compressed by xz"),
    ):  # fmt: skip
        packed.write_bytes(data)
        assert main(command) == 2
        assert said in capsys.readouterr().err
    monkeypatch.setattr(record_file, "LARGEST_RECORD", 5000)
    packed.write_bytes(gzip.compress(f"{GOOD}\n".encode() * 1000))
    assert main(command) == 2
    assert "larger than" in capsys.readouterr().err


@pytest.mark.parametrize("seeds", [[], ["--seeds", "2", "--processes", "1"]])
def test_a_day_is_printed_also_where_it_cannot_be_written(
    seeds: list[str], folder: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = work_file(tmp_path, "workload: {jobs: 2, runtime: 1m}", "work.yaml")
    out = tmp_path / "out"

    def full(target: Path, data: bytes) -> None:
        if target.name == "measures.json":
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(target))
        replace_file(target, data)

    monkeypatch.setattr("qmon_tui.cli.simulation_files.replace_file", full)
    assert main(["simulate", folder, "--workload", file, *seeds, "--out", str(out)]) == 2
    shown = capsys.readouterr()
    assert "wait" in shown.out
    assert "measures.json: No space left on device" in shown.err
    written = {path.name for path in out.iterdir() if path.is_file()}
    assert written == ({"seeds.csv"} if seeds else {"jobs.csv", "day.swf", "work.yaml"})
    assert all(os.path.getsize(out / name) for name in written)


@pytest.mark.parametrize("command", ["simulate", "compare"])
def test_what_a_plan_cannot_do_is_told(command: str, folder: str, capsys: pytest.CaptureFixture[str]) -> None:
    plan = """\
simulation:
  failures: [{host: nohost, at: +1m}]
  load: {hosts: {other: {np_load_avg: {per_slot: 1}}}}
  commands: [{at: +1m, command: reboot}]
"""
    Path(folder, "plan.yaml").write_text(plan)
    assert main([command, *([folder] if command == "simulate" else [folder, folder]), "--for", "2m"]) == 2
    told = capsys.readouterr().err
    assert "there is no host nohost that could fail at 2026-01-01T09:01:00" in told
    assert "there is no host other that could report its load" in told
    assert 'plan.yaml:4: "reboot" is not a command' in told


def test_the_objects_in_a_file_of_work_are_told_not_to_be_taken(
    folder: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = work_file(tmp_path, "workload: {jobs: 1, runtime: 1m}\nqueues: {b.q: {slots: 9}}\n", "w.yaml")
    assert main(["simulate", folder, "--workload", file]) == 0
    assert "w.yaml: it holds objects of a cluster (queue), which are not taken" in capsys.readouterr().err


def test_that_a_file_of_work_does_not_say_how_it_is_simulated_is_told(
    folder: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    work = "workload: {jobs: 1, runtime: 1m}\n"
    assert (
        main(["simulate", folder, "--workload", work_file(tmp_path, f"{work}simulation: {{seed: 7}}\n", "w.yaml")]) == 0
    )
    assert "w.yaml: its key simulation is not taken, only its work is" in capsys.readouterr().err
    assert main(["simulate", folder, "--workload", work_file(tmp_path, work, "w.yaml")]) == 0
    assert "simulation is not taken" not in capsys.readouterr().err


def test_a_day_ends_where_no_date_can_be_printed_and_not_before(
    folder: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = [f"- {{id: {number}, owner: anna, runtime: 99999999999, qsub: x}}" for number in range(1, 5)]
    assert main(["simulate", folder, "--workload", work_file(tmp_path, "\n".join(["jobs:", *lines]), "w.yaml")]) == 0
    shown = capsys.readouterr()
    assert "2 of 4 tasks ended, 3 started" in shown.out
    file = work_file(tmp_path, "jobs:\n- {owner: anna, qsub: -a 203801010000 sleep 60}\n", "w.yaml")
    assert main(["simulate", folder, "--workload", file]) == 0
    assert "1 of 1 tasks ended" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("work", "said"),
    [
        ("resample: true, scale: 1e9", "6 jobs are drawn from this trace, no more: with scale 1e+09 more would come"),
        ("scale: 1e-300", "1 jobs of this trace do not come: it would be after the year 9000"),
        ("scale: 1e-308", "1 jobs of this trace do not come: it would be after the year 9000"),
    ],
)
def test_a_trace_that_is_scaled_beyond_measure(
    work: str, said: str, folder: str, tmp_path: Path, capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.setattr("qmon_tui.simulation.workload.resampling.MOST", 5)
    monkeypatch.setattr("qmon_tui.simulation.workload.work.MOST", 5)
    work_file(tmp_path, f"{GOOD}\n{GOOD.replace('1 0 ', '3 9 ', 1)}\n", "w.swf")
    file = work_file(tmp_path, f"workload: {{trace: w.swf, {work}}}\n", "w.yaml")
    assert main(["simulate", folder, "--workload", file, "--for", "10m"]) == 2
    assert said in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "lines"), [("w.swf", [GOOD, GOOD.replace("1 0", "3 9", 1)]), ("acct", [accounting(1), accounting(3)])]
)
def test_of_a_log_that_is_too_long_the_beginning_is_taken(
    name: str, lines: list[str], folder: str, tmp_path: Path, capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.setattr("qmon_tui.formats.records.record.MOST_RECORDS", 1)
    file = work_file(tmp_path, "\n".join(lines), name)
    assert main(["simulate", folder, "--workload", file]) == 2
    assert f"{name}:2: only the 1 jobs and tasks above are taken" in capsys.readouterr().err


@pytest.mark.parametrize("text", ["over_time: 1e308", "memory: 1e300, over_memory: 1e300", "slots: 1e300, tasks: 1e3"])
def test_absurd_requests_are_cut_off_and_told(
    text: str, folder: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    work = tmp_path.parent / "work.yaml"
    work.write_text(f"workload: {{jobs: 2, rate: 60, runtime: 600, {text}}}\n")
    assert main(["simulate", folder, "--workload", str(work), "--for", "10m", "--format", "csv"]) == 2
    assert "are capped at" in capsys.readouterr().err


def test_what_is_strange_about_the_work_is_told_by_all_commands(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "cluster.yaml").write_text(TEXT + "simulation: {until: +40s}\n")
    folder = str(tmp_path)
    said = "job 2: it runs for 60 s, which is longer than the simulation lasts"
    for command in (["simulate", folder], ["simulate", folder, "--seeds", "1"], ["compare", folder, folder],
                    ["why", folder, "2", "--at", "+31"]):  # fmt: skip
        assert main(command) == 0
        assert said in capsys.readouterr().err
    for command in (["simulate", folder], ["simulate", folder, "--seeds", "1"], ["compare", folder, folder],
                    ["sweep", folder, "--over", "scheduler.weight_urgency=0,1"]):  # fmt: skip
        assert main([*command, "--for", "95s"]) == 0
        assert said not in capsys.readouterr().err
        assert main([*command, "--until", "+35"]) == 0
        told = capsys.readouterr().err
        assert said in told
        assert "cluster.yaml:7: job 3: it comes after the end of the simulation\n" in told
