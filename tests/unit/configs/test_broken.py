"""configs/broken and configs/broken-qconf show every rule, each where its comment says, and nothing else."""

import json
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from qmon_tui.checks import RULES, check, check_object, deletion_refusals
from qmon_tui.cli import main
from qmon_tui.formats.problems import RULES as FORMAT_RULES
from qmon_tui.model.cluster import Cluster
from qmon_tui.model.findings import Finding
from qmon_tui.model.kinds import Kind
from qmon_tui.scheduler.run import schedule
from qmon_tui.sources.folder import Reading, read_folder
from tests.unit.configs.announced import CONFIGS, Place, announced

FOLDERS = [CONFIGS / "broken", CONFIGS / "broken-qconf"]

Edit = Callable[[Cluster], Iterable[Finding]]


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


def deleting(kind: Kind, name: str) -> Edit:
    """A folder in which something is deleted does not have it any more: only the attempt is refused."""
    return lambda cluster: deletion_refusals(cluster, kind, name)


def setting(kind: Kind, name: str, field: str, text: str) -> Edit:
    """Change a field of an object that is there."""

    def changed(cluster: Cluster) -> Iterable[Finding]:
        obj = cluster.get(kind, name)
        assert obj is not None
        return check_object(cluster, obj.with_value(field, text))

    return changed


def emptying(kind: Kind, name: str, field: str) -> Edit:
    """Of an empty field in a file the reader says `format.no_value`, and the object has the template's value."""
    return setting(kind, name, field, "")


ONLY_EDITS = {
    "complex.in_use": deleting(Kind.COMPLEX, "licence"),
    "queue.in_use": deleting(Kind.QUEUE, "tree-left.q"),
    "host.in_use": deleting(Kind.HOST, "node1"),
    "hostgroup.in_use": deleting(Kind.HOSTGROUP, "@nodes"),
    "pe.in_use": deleting(Kind.PE, "mpi"),
    "ckpt.in_use": deleting(Kind.CKPT, "criu"),
    "calendar.in_use": deleting(Kind.CALENDAR, "weekend"),
    "userset.in_use": deleting(Kind.USERSET, "crew"),
    "project.in_use": deleting(Kind.PROJECT, "apollo"),
    "user.in_use": deleting(Kind.USER, "ada"),
    "complex.builtin": deleting(Kind.COMPLEX, "arch"),
    "host.global": deleting(Kind.HOST, "global"),
    "configuration.global": deleting(Kind.CONFIGURATION, "global"),
    "complex.urgency.missing": emptying(Kind.COMPLEX, "licence", "urgency"),
    "queue.missing": emptying(Kind.QUEUE, "all.q", "shell"),
    "host.missing": emptying(Kind.HOST, "node1", "complex_values"),
    "hostgroup.missing": emptying(Kind.HOSTGROUP, "@nodes", "hostlist"),
    "pe.missing": emptying(Kind.PE, "mpi", "slots"),
    "ckpt.missing": emptying(Kind.CKPT, "criu", "signal"),
    "calendar.missing": emptying(Kind.CALENDAR, "weekend", "week"),
    "project.missing": emptying(Kind.PROJECT, "apollo", "acl"),
    "user.missing": emptying(Kind.USER, "ada", "fshare"),
    "scheduler.missing": emptying(Kind.SCHEDULER, "scheduler", "algorithm"),
    "configuration.missing": emptying(Kind.CONFIGURATION, "node4", "mailer"),
    # The qmaster refuses it of a set that is there, not of a new one, and in a folder every set is as if new.
    "userset.acl.tickets": setting(Kind.USERSET, "guests", "fshare", "10"),
}


def test_every_rule_is_shown_but_those_that_only_an_edit_can_break() -> None:
    shown = {rule for folder in FOLDERS for _, _, rule in announced(folder)}
    assert shown.isdisjoint(ONLY_EDITS)
    assert {*RULES, *FORMAT_RULES} == shown | set(ONLY_EDITS)


@pytest.fixture(scope="module")
def broken() -> Cluster:
    return read_folder(CONFIGS / "broken").cluster


@pytest.mark.parametrize("rule", ONLY_EDITS)
def test_an_edit_shows_what_no_file_can(broken: Cluster, rule: str) -> None:
    assert rule in {finding.rule for finding in ONLY_EDITS[rule](broken)}
