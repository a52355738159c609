"""`qmon-tui simulate`: what becomes of each job, and the measures, in three formats."""

import csv
import io
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from signal import SIG_DFL, SIGHUP, SIGINT, SIGKILL, SIGTERM, raise_signal, signal as set_handler

import pytest

from qmon_tui.cli import main, simulation_run
from qmon_tui.qmaster import RunFacts
from qmon_tui.simulation import Simulator

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
    assert '1 job refused, the first of them 3: Unable to run job: unknown resource "nothing"\n' in shown.err
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


WORK = """\
workload:
  jobs: 30
  rate: 60
  runtime: lognormal 1m 1
"""
TRACE = """\
; UnixStartTime: 1767258000
1 0 5 60 1 -1 -1 1 120 -1 1 1 1 -1 1 -1 -1 -1
2 30 0 -1 1 -1 -1 1 -1 -1 5 2 1 -1 1 -1 -1 -1
3 40 90 30 1 -1 -1 1 -1 -1 1 2 1 -1 1 -1 -1 -1
"""


def test_a_workload_of_a_file_and_its_seed(folder: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    work = tmp_path.parent / "work.yaml"
    work.write_text(WORK)
    command = ["simulate", folder, "--workload", str(work), "--format", "csv"]
    told = []
    for seed in ("1", "1", "2"):
        assert main([*command, "--seed", seed]) == 0
        told.append(capsys.readouterr().out)
    assert told[0] == told[1] != told[2]
    assert len(told[0].splitlines()) == 1 + 2 + 30


def test_a_trace_is_compared_with_what_was_recorded(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "cluster").mkdir()
    (tmp_path / "cluster" / "cluster.yaml").write_text(
        TEXT.partition("jobs:")[0] + "workload: {map_users: {user2: bob}}"
    )
    trace = tmp_path / "week.swf"
    trace.write_text(TRACE)
    assert main(["simulate", str(tmp_path / "cluster"), "--workload", str(trace), "--format", "json"]) == 0
    shown = capsys.readouterr()
    told = json.loads(shown.out)
    assert [(job["id"], job["owner"]) for job in told["jobs"]] == [(1, "user1"), (3, "bob")]
    assert told["measures"]["recorded_wait"]["max"] == 90
    assert "week.swf:3: job 2 is left out: it is not known how long it ran" in shown.err


def test_several_seeds_tell_how_sure_a_mean_is(folder: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    work = tmp_path.parent / "work.yaml"
    work.write_text(WORK)
    out = tmp_path.parent / f"{tmp_path.name}-out"
    command = ["simulate", folder, "--workload", str(work), "--seeds", "3", "--format"]
    assert main([*command, "json", "--out", str(out)]) == 0
    wait = json.loads(capsys.readouterr().out)["measures"]["wait"]["mean"]
    assert wait["low"] < wait["mean"] < wait["high"]
    assert main([*command, "table"]) == 0
    assert "wait, p95" in capsys.readouterr().out
    assert len((out / "seeds.csv").read_text().splitlines()) == 4


def test_the_first_of_several_days_is_the_one_day(
    folder: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    trace = tmp_path.parent / "week.swf"
    trace.write_text(TRACE)
    command = ["simulate", folder, "--workload", str(trace), "--for", "1h", "--format", "json"]
    assert main(command) == 0
    alone = json.loads(capsys.readouterr().out)["measures"]
    assert main([*command, "--seeds", "2", "--processes", "1"]) == 0
    first, second = json.loads(capsys.readouterr().out)["days"]
    assert {name: first["measures"][name] for name in alone} == alone
    assert second["measures"] != first["measures"]
    assert main(["compare", folder, folder, *command[2:]]) == 0
    compared = json.loads(capsys.readouterr().out)["policies"][0]["measures"]
    assert compared == first["measures"]


@pytest.mark.parametrize("seconds", [0.3, 1.5, 4.0])
def test_ctrl_c_ends_days_on_several_processes_at_once(folder: str, seconds: float, tmp_path: Path) -> None:
    work = tmp_path.parent / "work.yaml"
    work.write_text(WORK.replace("30", "200000"))
    command = [sys.executable, "-c", "import sys; from qmon_tui.cli import main; sys.exit(main())", "simulate", folder]
    ran = subprocess.Popen([*command, "--workload", str(work), "--seeds", "8", "--processes", "2"], text=True,
                           stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)  # fmt: skip
    time.sleep(seconds)
    os.killpg(ran.pid, SIGINT)
    try:
        _, told = ran.communicate(timeout=30)
    except subprocess.TimeoutExpired:
        os.killpg(ran.pid, SIGKILL)
        raise
    # Before the program has begun, Python itself ends as it can.
    begins = seconds < 1 and (ran.returncode == -SIGINT or told.startswith("Fatal Python error"))
    assert (ran.returncode, told) == (130, "Interrupted.\n") or begins


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="the processes are found in /proc")
@pytest.mark.parametrize("signal", [SIGTERM, SIGKILL])
def test_no_process_is_left_behind(signal: int, folder: str, tmp_path: Path) -> None:
    work = tmp_path.parent / "work.yaml"
    work.write_text(WORK.replace("30", "3000"))
    command = [sys.executable, "-c", "import sys; from qmon_tui.cli import main; sys.exit(main())", "simulate", folder]
    ran = subprocess.Popen([*command, "--workload", str(work), "--seeds", "99", "--processes", "2"], text=True,
                           stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)  # fmt: skip
    _wait_for(lambda: len(_session(ran.pid)) >= 4)  # this one, two that simulate, and those that start them
    os.kill(ran.pid, signal)
    ran.communicate(timeout=30)
    _wait_for(lambda: not _session(ran.pid))


def _session(number: int) -> list[int]:
    """The processes of a session that have not ended."""
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                state, _, _, session = (folder / "stat").read_text().rpartition(") ")[2].split()[:4]
            except OSError:
                continue
            if int(session) == number and state != "Z":
                found.append(int(folder.name))
    return found


def _wait_for(condition: Callable[[], bool], seconds: float = 120.0) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.05)


def test_what_is_written_is_the_day_once_more(folder: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path.parent / f"{tmp_path.name}-day"
    assert main(["simulate", folder, "--out", str(out), "--format", "csv"]) == 0
    assert (out / "jobs.csv").read_text() == capsys.readouterr().out
    assert json.loads((out / "measures.json").read_text())["tasks"] == 2
    assert (out / "day.swf").read_text().splitlines()[-1].split()[:5] == ["2", "30", "30", "60", "1"]
    assert "jobs:" in (out / "work.yaml").read_text()
    assert main(["simulate", folder, "--out", f"{folder}/inside"]) == 2


def test_what_is_there_is_not_replaced(
    folder: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another cluster, links and earlier results stay as they are, and nothing is simulated before that is said."""
    monkeypatch.setattr(Simulator, "step", lambda *given: pytest.fail("it was simulated"))
    home = tmp_path.parent / f"{tmp_path.name}-there"
    (home / "cluster").mkdir(parents=True)
    (home / "cluster" / "c.yaml").write_text("queues: {}\n")
    (home / "results").mkdir()
    (home / "results" / "jobs.csv").write_text("mine\n")
    (home / "links").mkdir()
    (home / "links" / "work.yaml").symlink_to(home / "cluster" / "c.yaml")
    (home / "linked").symlink_to(home / "cluster")
    (home / "file").write_text("mine\n")
    before = {path: path.read_bytes() for path in home.rglob("*") if path.is_file()}
    for name in ("cluster", "results", "links", "linked", "file"):
        for more in ([], ["--seeds", "2", "--processes", "1"]):
            assert main(["simulate", folder, "--out", str(home / name), *more]) == 2
            assert "give a new folder" in capsys.readouterr().err
    assert {path: path.read_bytes() for path in home.rglob("*") if path.is_file()} == before


def test_what_is_written_of_a_folder_with_jobs_can_be_given_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    runs = "{1: {state: r, granted: {all.q@h1: 1}, started: 2026-01-01T08:59:00}}"
    early = f"- {{id: 4, owner: anna, submitted: 2026-01-01T08:50:00, qsub: sleep 100, tasks: {runs}}}\n"
    waits = "- {id: 5, owner: bob, submitted: 2026-01-01T08:55:00, qsub: sleep 10}\n"
    (tmp_path / "cluster.yaml").write_text(TEXT + early + waits)
    (tmp_path / "made.yaml").write_text("workload: {jobs: 3, runtime: 1m}\n")
    folder, out = str(tmp_path), tmp_path.parent / f"{tmp_path.name}-out"
    assert main(["simulate", folder, "--out", str(out), "--format", "csv"]) == 0
    first = capsys.readouterr().out
    assert len(first.splitlines()) == 1 + 2 + 2 + 3
    assert main(["simulate", folder, "--workload", str(out / "work.yaml"), "--format", "csv"]) == 0
    again = capsys.readouterr()
    assert (again.out, "came before" in again.err) == (first, False)
    # What had come before the day has a time in the trace, too.
    rows = [line.split() for line in (out / "day.swf").read_text().splitlines() if not line.startswith(";")]
    assert [row[1] for row in rows[:2]] == ["0", "300"]
    start = int(datetime(2026, 1, 1, 8, 50).timestamp())
    assert f"; UnixStartTime: {start}" in (out / "day.swf").read_text()
    # A job of another owner, or of another time, is another one, and gets another number.
    other = tmp_path / "other.work"
    other.write_text("now: 2026-01-01T09:00:00\njobs:\n- {id: 5, owner: bob, qsub: sleep 7}\n")
    assert main(["simulate", folder, "--workload", str(other), "--format", "json"]) == 0
    assert {job["id"] for job in json.loads(capsys.readouterr().out)["jobs"]} == {1, 2, 4, 5, 6}


@pytest.fixture
def hears_hangups() -> Iterator[None]:
    """Under nohup the tests ignore them, and so would the program."""
    before = set_handler(SIGHUP, SIG_DFL)
    yield
    set_handler(SIGHUP, before)


@pytest.mark.usefixtures("hears_hangups")
@pytest.mark.parametrize("signal", [SIGINT, SIGTERM, SIGHUP])
def test_a_day_that_was_stopped_goes_on_to_the_same_end(
    signal: int, folder: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    work, stopped = tmp_path.parent / "work.yaml", tmp_path.parent / f"{tmp_path.name}-out" / "simulation.stopped"
    work.write_text(WORK)
    command = ["simulate", folder, "--workload", str(work), "--format", "json"]
    assert main(command) == 0
    whole = capsys.readouterr().out
    step = Simulator.step

    def step_and_press(self: Simulator, most: int | None = None) -> RunFacts | None:
        run = step(self, most)
        if self.runs == 12:
            raise_signal(signal)
        return run

    with monkeypatch.context() as patch:
        patch.setattr(Simulator, "step", step_and_press)
        assert main([*command, "--out", str(stopped.parent)]) == 128 + signal
    assert f"To continue, add --resume {stopped}" in capsys.readouterr().err
    assert main([*command, "--resume", str(stopped)]) == 0
    assert capsys.readouterr().out == whole
    assert main([*command, "--seed", "9", "--resume", str(stopped)]) == 2
    assert "it was made of another cluster, workload, seed or end" in capsys.readouterr().err


def test_who_asks_to_stop_is_heard_though_the_next_run_is_far_away(
    folder: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "cluster.yaml").write_text(TEXT.replace("0:0:10", "48:0:0"))
    advance = Simulator.advance

    def advance_and_press(self: Simulator) -> object:
        if self.events == 2:
            raise_signal(SIGTERM)
        return advance(self)

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(simulation_run, "_MOST_EVENTS", 2)
    monkeypatch.setattr(Simulator, "advance", advance_and_press)
    assert main(["simulate", folder]) == 128 + SIGTERM
    assert "To continue" in capsys.readouterr().err


@pytest.mark.parametrize("signal", [SIGINT, SIGTERM])
def test_several_days_that_are_stopped_before_the_first_tell_by_which_signal(
    signal: int, folder: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("qmon_tui.cli.simulate.computed_all", lambda *_, **__: raise_signal(signal))
    assert main(["simulate", folder, "--seeds", "2"]) == 128 + signal
    assert capsys.readouterr().err.endswith("Interrupted.\n")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--workload", "nowhere.swf"], "cannot read nowhere.swf"),
        (["--workload", "."], "is a folder"),
        (["--workload", "{}/cluster.yaml", "--resume", "{}/cluster.yaml"], "is not a simulation that was stopped"),
        (["--seeds", "0"], "--seeds: write how many"),
        (["--seed", "-1"], "--seed: write a whole number"),
        (["--seeds", "2", "--resume", "x"], "leave out --seeds"),
        (["--out", ""], "--out: write the name of a folder"),
    ],
)
def test_wrong_options_are_said(folder: str, options: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", folder, *(option.format(folder) for option in options)]) == 2
    assert said in capsys.readouterr().err


def test_why_a_job_that_is_made_up_waits(folder: str, capsys: pytest.CaptureFixture[str]) -> None:
    (Path(folder) / "work.yaml").write_text(WORK)
    assert main(["simulate", folder, "--format", "json"]) == 0
    jobs = json.loads(capsys.readouterr().out)["jobs"]
    waited = next(job for job in jobs if job["id"] > 9 and job["started"] > job["submitted"])
    assert main(["why", folder, str(waited["id"]), "--at", waited["submitted"]]) == 0
    shown = capsys.readouterr()
    assert shown.out.startswith(f"{waited['id']} ")
    assert "Simulated from 2026-01-01T09:00:00 on" in shown.err


def test_why_takes_the_work_that_simulate_takes(
    folder: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    work = tmp_path.parent / "work.yaml"
    work.write_text(WORK)
    with_work = ["--workload", str(work), "--seed", "4"]
    assert main(["simulate", folder, *with_work, "--format", "json"]) == 0
    jobs = json.loads(capsys.readouterr().out)["jobs"]
    waited = next(job for job in jobs if job["id"] > 9 and job["started"] > job["submitted"])
    assert main(["why", folder, str(waited["id"]), "--at", waited["submitted"], *with_work]) == 0
    assert capsys.readouterr().out.startswith(f"{waited['id']} ")
    assert main(["why", folder, "1", *with_work]) == 2
    assert "need --at: the time up to which" in capsys.readouterr().err


def test_what_the_qmaster_says_to_commands_is_told(folder: str, capsys: pytest.CaptureFixture[str]) -> None:
    plan = "simulation:\n  commands:\n  - {at: +5s, command: qdel 99}\n  - {at: +6s, command: qconf -dq all.q}\n"
    file = Path(folder, "plan.yaml")
    file.write_text(plan)
    assert main(["simulate", folder, "--format", "json"]) == 0
    shown = capsys.readouterr()
    first, second = json.loads(shown.out)["commands"]
    assert first == {"at": "2026-01-01T09:00:05", "command": "qdel 99", "said": ['denied: job "99" does not exist']}
    assert second["said"]
    assert '2026-01-01T09:00:05 qdel 99: denied: job "99" does not exist\n' in shown.err
    assert f"2026-01-01T09:00:06 qconf -dq all.q: {second['said'][0]}" in shown.err
    file.write_text(plan + "  - {at: +7s, command: qdel 98}\n" * 20)
    assert main(["simulate", folder]) == 0
    assert "\n... and 2 commands more\n" in capsys.readouterr().err


def test_a_folder_without_jobs_has_no_empty_lines(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", str(tmp_path)]) == 0
    assert capsys.readouterr().out.startswith("0 of 0 tasks ended")
