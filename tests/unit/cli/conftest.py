"""What all tests of the command line need."""

import pytest


@pytest.fixture(autouse=True)
def no_width_from_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    """A terminal that the tests were started from, or a test runner's idea of one, must not shape the tables."""
    monkeypatch.delenv("COLUMNS", raising=False)
