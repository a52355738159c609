"""One real qmaster per test process, and the time zone that all recordings are in."""

from collections.abc import Iterator

import pytest

from tests.differential.clock import universal_time
from tests.differential.qmaster import Qmaster, why_unavailable


@pytest.fixture(scope="session")
def qmaster() -> Iterator[Qmaster]:
    reason = why_unavailable()
    if reason:
        pytest.skip(reason)
    with Qmaster() as running:
        yield running


@pytest.fixture(autouse=True)
def _universal_time() -> Iterator[None]:
    with universal_time():
        yield
