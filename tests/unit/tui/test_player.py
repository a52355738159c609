"""A day that is played."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from qmon_tui.simulation import simulator as simulator_module
from qmon_tui.sources import read_folder
from qmon_tui.tui.monitor.player import Player
from qmon_tui.workspace import Workspace

CONFIGS = Path(__file__).parents[3] / "configs"


async def until(holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(60):
        while not holds():
            await asyncio.sleep(0.01)


async def test_a_day_stands_still_while_something_is_asked() -> None:
    is_asked = True
    player = Player(Workspace(read_folder(CONFIGS / "teaching")), lambda moment: None, print, waits=lambda: is_asked)
    running = asyncio.create_task(player.run())
    player.begin()
    await until(lambda: player.moment is not None)
    player.toggle()
    await asyncio.sleep(0.5)
    assert player.moment is not None
    assert player.playing
    assert player.moment.time == player.moment.beginning
    is_asked = False
    await until(lambda: player.moment is not None and player.moment.time > player.moment.beginning)
    running.cancel()


async def test_nothing_is_left_of_a_jump_in_a_day_that_is_left() -> None:
    player = Player(Workspace(read_folder(CONFIGS / "teaching")), lambda moment: None, print)
    running = asyncio.create_task(player.run())
    player.begin()
    await until(lambda: player.moment is not None)
    player.passed = player.moment
    player.leave()
    assert player.passed is player.moment is None
    running.cancel()


async def test_a_day_whose_clock_does_not_advance_ends_with_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        simulator_module, "plan_settings", lambda simulator: setattr(simulator.event_bound, "error", "x")
    )
    said: list[str] = []
    player = Player(Workspace(read_folder(CONFIGS / "teaching")), lambda moment: None, said.append)
    running = asyncio.create_task(player.run())
    player.begin()
    await until(lambda: player.moment is not None)
    assert said == ["X."]
    player.toggle()
    assert said == ["X.", "X."]
    assert not player.playing
    running.cancel()
