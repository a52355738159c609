"""One real qmaster per test process, and the time zone that all recordings are in."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from qmon_tui.sources.qmaster_source import QmasterSource
from tests.differential.applying import writable
from tests.differential.clock import universal_time
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
