"""The screen's thread goes before those that compute."""

import selectors
import sys
from collections.abc import Iterator

import pytest

from qmon_tui.tui.gil_priority import ScreenFirstSelector


@pytest.fixture(autouse=True)
def interval() -> Iterator[None]:
    before = sys.getswitchinterval()
    yield
    sys.setswitchinterval(before)


def test_others_wait_longer_while_the_screen_works_than_while_it_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    waiting: list[float] = []

    def select(self: object, timeout: float | None = None) -> list[object]:
        waiting.append(sys.getswitchinterval())
        return []

    monkeypatch.setattr(selectors.DefaultSelector, "select", select)
    with ScreenFirstSelector() as selector:
        assert selector.select(0) == []
    assert waiting[0] < 0.001 < sys.getswitchinterval()


def test_a_wait_that_fails_leaves_the_turn_with_the_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    def select(self: object, timeout: float | None = None) -> list[object]:
        raise OSError("no more")

    monkeypatch.setattr(selectors.DefaultSelector, "select", select)
    with ScreenFirstSelector() as selector, pytest.raises(OSError, match="no more"):
        selector.select(0)
    assert sys.getswitchinterval() > 0.001
