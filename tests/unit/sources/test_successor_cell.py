"""A cell of Open Cluster Scheduler 9 is read by its clients, and its folder is written back as it was."""

from pathlib import Path

import pytest

from qmon_tui.checks import check
from qmon_tui.model.dialects import OCS
from qmon_tui.model.findings import Severity
from qmon_tui.model.kinds import Kind
from qmon_tui.qmaster import schedule
from qmon_tui.sources import Reading, read_folder
from qmon_tui.sources.conversion import convert
from qmon_tui.sources.qmaster_source import QmasterSource
from qmon_tui.values import format_time, parse_time
from qmon_tui.workspace import differences
from tests.unit.sources.successor_cell import CATEGORIES, ROLE, VERSION, dump_texts, successor_cell


@pytest.fixture
def reading(tmp_path: Path) -> Reading:
    return QmasterSource(successor_cell(tmp_path)).read()


def test_the_cell_is_read(reading: Reading) -> None:
    assert reading.live is not None
    assert reading.live.clients == VERSION
    assert [finding.message for finding in reading.findings if "how long" not in finding.message] == []
    assert reading.cluster.dialect == OCS
    assert sorted(reading.cluster.objects(Kind.HOSTGROUP)) == ["@allhosts", "@exec_hosts"]
    assert "manager" in reading.cluster.objects(Kind.USERSET)
    jobs = {job.id: job for job in reading.state.jobs}
    assert jobs[7].tasks[1].started == parse_time("2026-03-14T13:45:31")
    assert jobs[7].request.hard == (("gpu", "1"),)
    assert jobs[7].submitted == 1773495451
    assert jobs[8].request.pe is not None
    assert reading.state.queue_states == {"all.q@n2": "d"}


def test_times_have_no_microseconds(reading: Reading) -> None:
    times = [job.submitted for job in reading.state.jobs]
    assert times == [1773495451, 1773495960]
    assert format_time(times[0]).startswith("2026-03-14T1")


def test_a_refresh_reads_it_again(tmp_path: Path) -> None:
    source = QmasterSource(successor_cell(tmp_path))
    reading = source.read(source.read())
    assert len(reading.state.jobs) == 2


def test_it_has_no_false_errors(reading: Reading) -> None:
    findings = [f for f in check(reading.cluster, reading.state) if f.severity is not Severity.INFO]
    assert [finding.message for finding in findings] == []


def test_forecasts_say_whose_decisions_they_are(reading: Reading) -> None:
    words = schedule(reading.cluster, reading.state).not_simulated
    assert words[0] == (
        "the decisions of Open Cluster Scheduler 9; all forecasts are those of Son of Grid Engine 8.1.9"
    )


def test_past_usage_that_no_client_prints_is_unknown(tmp_path: Path) -> None:
    cell = successor_cell(tmp_path)
    dump = tmp_path / "dump"
    assert not [finding for finding in QmasterSource(cell).read().findings if "past usage" in finding.message]
    (dump / "sharetree").write_text(
        "id=0\nname=Root\ntype=0\nshares=1\nchildnodes=1\nid=1\nname=default\ntype=0\nshares=1\nchildnodes=NONE\n"
    )
    (dump / "schedconf").write_text("weight_tickets_share              1000\n")
    source = QmasterSource(cell)
    for reading in (first := source.read(), source.read(first)):
        said = [finding.message for finding in reading.findings if finding.file == "past usage"]
        assert said == [
            "no client prints the past usage of users and projects: it is unknown, and the share tree counts none"
        ]


@pytest.mark.parametrize("layout", ["qconf", "yaml"])
def test_roles_and_categories_are_kept(reading: Reading, tmp_path: Path, layout: str) -> None:
    assert reading.source.others(reading) == {"categories": CATEGORIES, "roles/ops": ROLE}
    copy = convert(reading, tmp_path / "copy", layout)
    assert (tmp_path / "copy/roles/ops").read_text() == ROLE
    assert (tmp_path / "copy/categories").read_text() == CATEGORIES
    assert differences(copy.cluster, reading.cluster) == ()
    if layout == "qconf":
        again = convert(copy, tmp_path / "again", layout)
        assert again.source.others(again) == reading.source.others(reading)


def test_a_folder_is_written_back_unchanged(tmp_path: Path) -> None:
    for file, text in dump_texts().items():
        (tmp_path / "site" / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "site" / file).write_text(text)
    reading = read_folder(tmp_path / "site")
    assert not reading.findings
    assert reading.source.plan(reading, reading.cluster, reading.state).files == ()
    user = reading.cluster.objects(Kind.USER)["amir"].with_values({"fshare": "5"})
    plan = reading.source.plan(reading, reading.cluster.with_objects([user]), reading.state)
    assert [change.file for change in plan.files] == ["users/amir"]
    assert "1772449832799319" in str(plan.files[0].after)
