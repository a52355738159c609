"""What an old run was made of goes in a thread of its own, whoever lets go of the run last."""

import threading
import time
from collections.abc import Callable

from qmon_tui.tui.screens.live_run import free_parts_after


class Owner:
    """Somebody refers to it."""


class Part:
    """Notes the thread in which it goes."""

    def __init__(self, gone: list[str]) -> None:
        self._gone = gone

    def __del__(self) -> None:
        self._gone.append(threading.current_thread().name)


def until(true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 10
    while not true() and time.monotonic() < deadline:
        time.sleep(0.005)


def test_parts_stay_with_their_owner_and_go_in_another_thread() -> None:
    gone: list[str] = []
    owner, parts = Owner(), [Part(gone) for _ in range(500)]
    free_parts_after(owner, parts)
    del parts
    time.sleep(0.05)
    assert not gone
    del owner
    until(lambda: len(gone) == 500)
    assert len(gone) == 500
    assert threading.current_thread().name not in gone


def test_other_threads_have_their_turn_meanwhile() -> None:
    """A list of them that went at once would take all of the time for itself."""
    gone: list[str] = []
    owner = Owner()
    free_parts_after(owner, [Part(gone) for _ in range(200_000)])
    del owner
    seen: set[int] = set()

    def looked() -> bool:
        seen.add(len(gone))
        return len(gone) == 200_000

    until(looked)
    assert len(seen - {0, 200_000}) > 1
