"""One real qmaster per test process, and the time zone that all recordings are in."""

import time
from collections.abc import Iterator

import pytest

from tests.differential.qmaster import Qmaster, why_unavailable


@pytest.fixture(scope="session")
def qmaster() -> Iterator[Qmaster]:
    reason = why_unavailable()
    if reason:
        pytest.skip(reason)
    with Qmaster() as running:
        yield running


@pytest.fixture(autouse=True)
def universal_time() -> Iterator[None]:
    """The dates of -a and -dl have no zone: here as in the qmaster's world they are universal time."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TZ", "UTC")
        time.tzset()
        yield
    time.tzset()
