"""The healthy clusters: no rule speaks, the teaching cluster has the numbers of its study, converting loses nothing."""

from dataclasses import replace
from pathlib import Path

import pytest

from qmon_tui.checks import check
from qmon_tui.formats.object_differences import differing
from qmon_tui.model.cluster import config_object
from qmon_tui.model.kinds import Kind
from qmon_tui.model.outcome import JobOutcome
from qmon_tui.qmaster.scheduling import schedule
from qmon_tui.sources import Reading, SourceError, read_folder
from qmon_tui.sources.conversion import convert
from tests.unit.configs.announced import CONFIGS

HEALTHY = ["teaching", "site", "campus", "genome", "racks", "desktops"]


@pytest.mark.parametrize("name", HEALTHY)
def test_nothing_is_wrong(name: str) -> None:
    reading = read_folder(CONFIGS / name)
    assert [*reading.findings, *check(reading.cluster, reading.state)] == []


# -- the numbers of the study (seed 001)


@pytest.fixture(scope="module")
def taught() -> dict[str, JobOutcome]:
    reading = read_folder(CONFIGS / "teaching")
    return {job.name: job for job in schedule(reading.cluster, reading.state).jobs}


@pytest.mark.parametrize(
    ("job", "tickets"),
    [
        ("jobA1", 250_000),
        ("jobA2", 250_000),
        ("jobB1", 500_000),
        ("jobC1", 500_000 / 6),
        ("jobB2", 500_000 / 12),
        ("jobC2", 500_000 / 12),
        ("jobB3", 500_000 / 18),
        ("jobB4", 500_000 / 24),
    ],
)
def test_teaching_has_the_tickets_of_the_study(taught: dict[str, JobOutcome], job: str, tickets: float) -> None:
    job_outcome = taught[job]
    assert job_outcome.ftckt == pytest.approx(tickets, rel=1e-12)
    assert job_outcome.ntckts == pytest.approx(tickets / 500_000, rel=1e-12)
    assert (job_outcome.nurg, job_outcome.npprior) == (0.5, 0.5)


def test_teaching_orders_the_jobs_as_the_study_does(taught: dict[str, JobOutcome]) -> None:
    pending = [job for job in taught.values() if job.tasks[0].state == "qw"]
    assert [job.name for job in pending] == ["jobC1", "jobB2", "jobC2", "jobB3", "jobB4"]
    assert [f"{job.ntckts:.5f}" for job in pending] == ["0.16667", "0.08333", "0.08333", "0.05556", "0.04167"]
    assert [f"{job.prior:.5f}" for job in pending] == ["0.55167", "0.55083", "0.55083", "0.55056", "0.55042"]


# -- converting


@pytest.mark.parametrize("name", HEALTHY)
def test_converting_there_and_back_loses_nothing(name: str, tmp_path: Path) -> None:
    before = read_folder(CONFIGS / name)
    there = convert(before, tmp_path / "qconf", "qconf")
    back = convert(there, tmp_path / "yaml", "yaml")
    assert_same(before, there)
    assert_same(before, back)


def assert_same(reading: Reading, other: Reading) -> None:
    assert other.findings == ()
    assert list(differing(reading.cluster, other.cluster)) == []
    # Where a job was read is no part of it, and the file differs.
    assert other.state == reading.state
    assert check(other.cluster, other.state) == ()


@pytest.mark.parametrize("queue", ["slash/name.q", "../../escaped", ".hidden"])
def test_a_name_that_no_file_can_have_is_not_converted(queue: str, tmp_path: Path) -> None:
    reading = read_folder(CONFIGS / "teaching")
    named = config_object(Kind.QUEUE, queue, {"qname": queue})
    with pytest.raises(SourceError, match="rename it"):
        convert(replace(reading, cluster=reading.cluster.with_object(named)), tmp_path / "copy", "qconf")
    assert list(tmp_path.iterdir()) == []


def test_a_complex_that_is_no_line_of_a_table_is_not_converted(tmp_path: Path) -> None:
    reading = read_folder(CONFIGS / "teaching")
    blank = reading.cluster.objects(Kind.COMPLEX)["lic"].with_value("default", "1 2")
    with pytest.raises(SourceError, match='complex "lic"'):
        convert(replace(reading, cluster=reading.cluster.with_object(blank)), tmp_path / "copy", "qconf")
    assert list(tmp_path.iterdir()) == []
