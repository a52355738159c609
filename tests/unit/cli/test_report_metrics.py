"""The page of a cluster asks for nothing from elsewhere and escapes names; metrics are lines that a collector reads."""

import re
from pathlib import Path

import pytest

from qmon_tui.cli import main

CONFIGS = Path(__file__).parents[3] / "configs"
HOSTILE = """\
now: 2026-11-28T12:00:00
queues: {a.q: {hostlist: n1, slots: "2", load_thresholds: NONE, pe_list: NONE}}
hosts: {n1: {}}
quotas: {few: {enabled: "TRUE", limit: ["users {*} to slots=2"]}}
jobs:
- {id: 1, owner: anna, submitted: 2026-11-28T11:00:00, qsub: sleep 600,
   tasks: {1: {state: r, granted: {a.q@n1: 2}, started: 2026-11-28T11:00:05}}}
- {id: 2, owner: "<b>&", submitted: 2026-11-28T11:00:00, qsub: "-N '<script>alert(1)' sleep 60"}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "cluster"
    place.mkdir()
    (place / "cluster.yaml").write_text(HOSTILE)
    return place


def test_the_page_has_everything_and_escapes_names(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.html"
    assert main(["report", str(folder), str(out), "--against", str(CONFIGS / "teaching")]) == 0
    text = out.read_text()
    for heading in ("Attention", "Queues", "Who waits, and why", "Quotas nearly full", "What differs from"):
        assert f"<h2>{heading}" in text
    assert "<script" not in text
    assert "<b>" not in text
    assert not re.search(r"(?:src|href)=|https?:|url\(", text)
    assert "users anna" in text
    assert "slots=2/2" in text
    assert main(["report", str(folder), str(folder / "cluster.yaml/out.html")]) == 2


def test_metrics_are_lines_of_the_collector(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["metrics", str(folder), "--against", str(folder)]) == 0
    lines = capsys.readouterr().out.splitlines()
    for line in lines:
        assert re.fullmatch(
            r'# (HELP|TYPE) qmon_tui_\w+ .+|qmon_tui_\w+(\{\w+="[^"]*"(,\w+="[^"]*")*\})? [\d.e+]+', line
        )
    assert 'qmon_tui_tasks{condition="running"} 1' in lines
    assert 'qmon_tui_slots{queue="a.q",state="used"} 2' in lines
    assert "qmon_tui_drift_objects 0" in lines
    assert "qmon_tui_read_time_seconds 1795867200" in lines or any("read_time_seconds 17958" in line for line in lines)
