"""What needs attention: one message for each cause, its places folded, the newest first; exit code 1 for any."""

import json
from pathlib import Path

import pytest

from qmon_tui.cli import main
from qmon_tui.qmaster import schedule
from qmon_tui.report import plain
from qmon_tui.report.attention import USUAL_LIMITS, Concern, ConcernKind, ConcernRows, Limits, concern_lines, concerns
from qmon_tui.sources import read_folder

CLUSTER = """\
now: 2026-11-28T12:00:00
queues:
  all.q: {qname: all.q, hostlist: "node[01-05]", slots: "4", load_thresholds: np_load_avg=1.75, pe_list: NONE}
hosts:
  global: {complex_values: lic=4}
  node[01-05]: {}
complexes:
  lic: {shortcut: lic, type: INT, relop: <=, requestable: "YES", consumable: "YES", default: 0, urgency: 0}
loads:
  node[01-03]: {np_load_avg: 0.1}
  node04: {np_load_avg: 9}
states:
  all.q@node01: {state: E, reason: "can't chdir to /scratch"}
  all.q@node02: {state: E, reason: "can't chdir to /scratch"}
  all.q@node03: u
  all.q@node04: d
drains:
  node04: {reason: new disk, who: anna}
jobs:
- {id: 1, owner: anna, submitted: 2026-11-28T11:00:00, qsub: "-l lic=4 sleep 900000",
   tasks: {1: {state: r, granted: {all.q@node05: 1}, started: 2026-11-28T11:00:05}}}
- {id: 2, owner: bela, submitted: 2026-11-28T11:30:00, qsub: sleep 60, tasks: {1: {state: Eqw, reason: "no such file"}}}
- {id: 3, owner: bela, submitted: 2026-11-28T11:40:00, qsub: "-t 1-3 sleep 60",
   tasks: {1: {state: t, granted: {all.q@node05: 1}, started: 2026-11-28T11:50:00},
           2: {state: t, granted: {all.q@node05: 1}, started: 2026-11-28T11:58:00}}}
- {id: 4, owner: bela, submitted: 2026-11-28T11:55:00, qsub: "-l lic=9 sleep 60"}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "cluster.yaml").write_text(CLUSTER.replace('{state: E, reason: "can\'t chdir to /scratch"}', "E"))
    (tmp_path / "reasons.yaml").write_text(
        "reasons:\n" + "".join(f"  all.q@node0{number}: can't chdir to /scratch\n" for number in (1, 2))
    )
    return tmp_path


def test_each_cause_is_one_message(folder: Path) -> None:
    reading = read_folder(folder)
    assert not reading.findings
    found = concerns(reading.cluster, reading.state, schedule(reading.cluster, reading.state))
    assert [(concern.kind, concern.message, concern.places) for concern in found] == [
        ("job", "can never run, even when other jobs end", "4"),
        ("job", "t: is being transferred, started more than 5 min ago", "3.1"),
        ("job", "Eqw: no such file", "2"),
        ("queue instance", "E: in error (can't chdir to /scratch)", "all.q@node[01-02]"),
        ("queue instance", "u: does not answer", "all.q@node03"),
        ("queue instance", "a: load alarm", "all.q@node[04-05]"),
        ("host", "has reported no load values", "node05"),
        ("consumable", "100% of the cluster's amount is in use", "lic"),
        ("drain", "new disk (anna)", "all.q@node04"),
    ]
    wider = concerns(reading.cluster, reading.state, schedule(reading.cluster, reading.state), Limits(900, 100.0))
    assert "3.1" not in [concern.places for concern in wider]


def test_the_command_says_it_and_its_thresholds(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["attention", str(folder), "--stuck", "20m", "--full", "90"]) == 1
    out = capsys.readouterr().out
    assert "2 queue instances: E: in error (can't chdir to /scratch)" in out
    assert "Tasks may be t or dr for 1200 s; consumables of the cluster may be 90 % full." in out
    assert main(["attention", str(folder), "--format", "json"]) == 1
    data = json.loads(capsys.readouterr().out)
    assert data["limits"] == {"stuck": 300, "full": 95.0}
    assert data["concerns"][0] == {
        "kind": "job", "message": "can never run, even when other jobs end", "names": ["4"],
        "since": "2026-11-28T11:55:00",
    }  # fmt: skip


@pytest.mark.parametrize("options", [("--full", "0"), ("--full", "x"), ("--stuck", "soon")])
def test_thresholds_that_are_none_are_refused(
    folder: Path, options: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["attention", str(folder), *options]) == 2
    assert options[0] in capsys.readouterr().err


def test_nothing_is_exit_code_0(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "cluster.yaml").write_text("queues: {}\n")
    assert main(["attention", str(tmp_path)]) == 0
    assert "0 things need attention." in capsys.readouterr().err


def test_rows_number_what_they_are_about_and_show_messages_and_places_in_little_room() -> None:
    rows = ConcernRows([
        Concern(ConcernKind.JOB, "can never run, even when other jobs end", ("2009", "2019"), 1_790_000_000),
        Concern(ConcernKind.DRAIN, "new fans (root)", tuple(f"all.q@b0{n}" for n in range(1, 5)), 1_790_000_000),
    ])  # fmt: skip
    wide = [plain(line).split() for line in (rows.head(120) or (), rows.line(0, 120), rows.line(1, 120))]
    assert wide[0] == ["since", "what", "message", "where"]
    assert wide[1][2:4] == ["2", "jobs"]
    assert wide[1][-1] == "2009,2019"
    assert wide[2][2:] == ["4", "drained", "instances", "new", "fans", "(root)", "all.q@b[01-04]"]
    narrow = ConcernRows(rows.items[:1])
    # The pane at 120 columns.
    assert plain(narrow.line(0, 59)).split() == [
        "2",
        "jobs",
        "can",
        "never",
        "run,",
        "even",
        "when",
        "other",
        "jobs",
        "end",
        "2009,2019",
    ]
    alarms = Concern(ConcernKind.INSTANCE, "a: load alarm", ("short.q@node07", "long.q@node07"))
    low = plain(ConcernRows((*narrow.items, alarms)).line(0, 78))
    assert low.split()[-2:] == ["end", "2009,2019"], "the whole message before all of the places"
    for cells in (40, 58, 62, 78, 120):
        line = plain(rows.line(0, cells))
        assert "2 jobs" in line, (cells, line)
        assert "2009" in line, (cells, line)


def test_the_detail_numbers_drained_queue_instances_not_drains() -> None:
    drain = Concern(ConcernKind.DRAIN, "new fans (root)", ("all.q@b01", "all.q@b02"))
    assert plain(next(concern_lines((drain,), USUAL_LIMITS, 80))) == "2 drained instances: new fans (root)"
