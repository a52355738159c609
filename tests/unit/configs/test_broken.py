"""configs/broken and configs/broken-qconf show every rule, each where its comment says, and nothing else."""

import json
from collections import Counter
from pathlib import Path

import pytest

from qmon_tui.checks import RULES, check
from qmon_tui.cli import main
from qmon_tui.formats.format_findings import RULES as FORMAT_RULES
from qmon_tui.model.cluster import Cluster
from qmon_tui.model.findings import Finding
from qmon_tui.qmaster.scheduling import schedule
from qmon_tui.sources import Reading, read_folder
from tests.rules import EXAMPLES_FILE, source
from tests.unit.configs.announced import CONFIGS, Place, announced
from tests.unit.configs.edits import ONLY_EDITS

FOLDERS = [CONFIGS / "broken", CONFIGS / "broken-qconf"]


def findings(reading: Reading) -> list[Finding]:
    return [*reading.findings, *check(reading.cluster, reading.state)]


def place(finding: Finding) -> Place:
    return finding.file or "", finding.line or 0, finding.rule


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_what_is_found_is_what_the_comments_announce(folder: Path) -> None:
    found = Counter(map(place, findings(read_folder(folder))))
    expected = Counter(announced(folder))
    assert sorted((found - expected).elements()) == []
    assert sorted((expected - found).elements()) == []


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_a_finding_says_something_and_is_as_severe_as_its_rule(folder: Path) -> None:
    for finding in findings(read_folder(folder)):
        assert finding.message.strip()
        if finding.rule in RULES:
            assert finding.severity is RULES[finding.rule].severity
            assert finding.kind == RULES[finding.rule].kind
        else:
            assert finding.rule in FORMAT_RULES


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_the_rest_of_the_cluster_is_alive(folder: Path) -> None:
    reading = read_folder(folder)
    outcome = schedule(reading.cluster, reading.state)
    running = {job.id: list(job.tasks[0].granted) for job in outcome.jobs if job.tasks[0].state == "r"}
    assert running[1] == ["all.q@node1"]
    assert any(task.state == "t" for job in outcome.jobs for task in job.tasks)


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_the_command_prints_each_of_them_and_answers_no(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(folder), "--format", "json"]) == 1
    printed = json.loads(capsys.readouterr().out)["findings"]
    assert sorted((one["file"], one["line"], one["rule"]) for one in printed) == announced(folder)


# -- what no file shows


def test_every_rule_is_shown_but_those_that_only_an_edit_can_break() -> None:
    shown = {rule for folder in FOLDERS for _, _, rule in announced(folder)}
    assert shown.isdisjoint(ONLY_EDITS)
    assert {*RULES, *FORMAT_RULES} == shown | set(ONLY_EDITS)


@pytest.fixture(scope="module")
def broken() -> Cluster:
    return read_folder(CONFIGS / "broken").cluster


@pytest.mark.parametrize("rule", ONLY_EDITS)
def test_an_edit_shows_what_no_file_can(broken: Cluster, rule: str) -> None:
    assert rule in {finding.rule for finding in ONLY_EDITS[rule].findings(broken)}


def test_the_examples_of_the_rules_are_what_these_folders_show() -> None:
    assert EXAMPLES_FILE.read_text(encoding="utf-8") == source(), "write them with: python -m tests.rules"
