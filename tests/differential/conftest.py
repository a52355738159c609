"""One real qmaster per test process, and the time zone that all recordings are in."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from qmon_tui.sources.qmaster_source import QmasterSource
from tests.differential.applying import writable
from tests.differential.clock import universal_time
from tests.differential.demo import prepare
from tests.differential.qmaster import Qmaster, why_unavailable


@pytest.fixture(scope="session")
def qmaster() -> Iterator[Qmaster]:
    reason = why_unavailable()
    if reason:
        pytest.skip(reason)
    with Qmaster() as running:
        yield running


@pytest.fixture
def source(qmaster: Qmaster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> QmasterSource:
    """An empty cluster that may be changed, and a state folder of the test's own."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    qmaster.restart()
    return writable(qmaster, tmp_path)


@pytest.fixture(autouse=True)
def _universal_time() -> Iterator[None]:
    with universal_time():
        yield


@pytest.fixture
def site(qmaster: Qmaster) -> Qmaster:
    """The cluster of configs/site with its jobs, after the first runs of the scheduler."""
    if not _mark(qmaster).exists():
        _begin_site(qmaster)
        _mark(qmaster).write_text("")
    return qmaster


def _mark(qmaster: Qmaster) -> Path:
    """Return a file that is there while the qmaster has the site: a fresh one has lost it."""
    return qmaster.world.path("default/common/site")


def _begin_site(qmaster: Qmaster) -> None:
    qmaster.restart()
    prepare(qmaster)
    deadline = time.monotonic() + 20
    while qmaster.run("qstat", "-s", "r", "-u", "*").out.count("\n") < 20 and time.monotonic() < deadline:
        time.sleep(0.2)
    qmaster.must("qmod", "-d", "gpu.q@gpu01")
    qmaster.world.names.add_user("bela")
    qmaster.must("qconf", "-au", "root", "arusers")
    qmaster.must("qrsub", "-d", "3600", "-l", "h_vmem=1G", "-u", "bela,@staff", "-he", "y", "-N", "strict")
    qmaster.must(
        "qrsub", "-a", time.strftime("%m%d%H%M", time.localtime(time.time() + 7200)), "-d", "60", "-pe", "mpi", "20"
    )
