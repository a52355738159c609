"""What happens beside the screen: old runs are taken apart, and what will be needed is loaded."""

import threading
from collections.abc import Iterable
from pathlib import Path
from weakref import finalize

import pytest

from qmon_tui.model.kinds import Kind
from qmon_tui.tui.screens import live_run
from qmon_tui.tui.screens.live_run import free_parts_after
from qmon_tui.workspace import SetField
from tests.tui.screen_harness import cluster_copy, opened


class Part:
    """Notes the thread in which it goes."""

    def __init__(self, gone: set[str]) -> None:
        self._gone = gone

    def __del__(self) -> None:
        self._gone.add(threading.current_thread().name)


async def test_an_old_run_goes_beside_the_screen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gone: set[str] = set()
    owners: list[str] = []

    def with_another_part(owner: object, parts: Iterable[object]) -> None:
        owners.append("there")
        finalize(owner, owners.append, "gone").atexit = False
        free_parts_after(owner, [*parts, Part(gone)])

    monkeypatch.setattr(live_run, "free_parts_after", with_another_part)
    async with opened(cluster_copy("teaching", tmp_path)) as it:
        await it.press("J")  # a place that also shows what a run decided
        for urgency in ("1", "2", "3"):
            it.main.apply(SetField(Kind.COMPLEX, "gpu", "urgency", urgency))
            await it.settle()
        for _ in range(100):
            if gone:
                break
            await it.pilot.pause(0.02)
        assert owners.count("there") >= 4
        assert "gone" in owners, "what the screen shows no longer is let go of"
        assert gone == {"remains"}


async def test_what_actions_need_is_loaded_once_beside_the_screen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    loaded: list[threading.Thread] = []
    monkeypatch.setattr(live_run, "preload_modules", lambda: loaded.append(threading.current_thread()))
    async with opened(cluster_copy("teaching", tmp_path)) as it:
        it.main.apply(SetField(Kind.COMPLEX, "gpu", "urgency", "7"))
        await it.settle()
        assert len(loaded) == 1
        assert loaded[0] is not threading.current_thread()
