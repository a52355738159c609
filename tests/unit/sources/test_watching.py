"""The watched folder: one event for a burst, none for files that are no part of a cluster."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from qmon_tui.sources.atomic_write import replace_file
from qmon_tui.sources.folder_files import TEMPORARY_PREFIX
from qmon_tui.sources.watch import WHOLE_FOLDER, is_of_interest, watch

SOON = 10.0
"""Seconds after which a change that was not told counts as lost; generous, because the machine may be busy."""


def told(*bursts: set[str]) -> Any:
    """A watcher that tells of some bursts of files."""

    async def watcher(folder: Path, **_: Any) -> AsyncIterator[set[tuple[int, str]]]:
        for burst in bursts:
            yield {(1, str(folder / name)) for name in burst}

    return watcher


async def test_names_are_relative_and_other_files_are_left_out(tmp_path: Path) -> None:
    watcher = told({"a.yaml", "cqueues/all.q"}, {".a.yaml.swp", "a.yaml~", TEMPORARY_PREFIX + "x"}, {"b.yaml"})
    found = [names async for names in watch(tmp_path, asyncio.Event(), watcher=watcher)]
    assert found == [{"a.yaml", "cqueues/all.q"}, {"b.yaml"}]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("a.yaml", True),
        ("hostgroups/@all", True),
        (".git/index", False),
        ("a.yaml~", False),
        ("cqueues/#all.q#", False),
        ("cqueues/.all.q.swp", False),
        (TEMPORARY_PREFIX + "x", False),
    ],
)
def test_files_of_interest(name: str, expected: bool) -> None:
    assert is_of_interest(name) is expected


class Follower:
    """Follows a folder in the background."""

    def __init__(self, folder: Path) -> None:
        self.stop = asyncio.Event()
        self.bursts: asyncio.Queue[frozenset[str]] = asyncio.Queue()
        self.task = asyncio.create_task(self._follow(folder))

    async def _follow(self, folder: Path) -> None:
        async for names in watch(folder, self.stop):
            self.bursts.put_nowait(names)

    async def until(self, name: str) -> frozenset[str]:
        """The next burst that names a file."""
        async with asyncio.timeout(SOON):
            while True:
                names = await self.bursts.get()
                if name in names:
                    return names


@contextlib.asynccontextmanager
async def following(folder: Path) -> AsyncIterator[Follower]:
    follower = Follower(folder)
    # The watch begins in a thread of its own: touch a file until it is seen.
    for number in range(100):
        (folder / "begin").write_text(str(number))
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(SOON / 100):
                await follower.bursts.get()
                break
    while not follower.bursts.empty():
        follower.bursts.get_nowait()
    try:
        yield follower
    finally:
        follower.stop.set()
        async with asyncio.timeout(SOON):
            await follower.task


async def test_changes_of_every_kind_are_seen(tmp_path: Path) -> None:
    (tmp_path / "cqueues").mkdir()
    async with following(tmp_path) as follower:
        (tmp_path / "a.yaml").write_text("x: 1\n")
        await follower.until("a.yaml")
        # An atomic replacement gives the file another inode; the watch of the folder goes on.
        for text in ("x: 2\n", "x: 3\n"):
            replace_file(tmp_path / "a.yaml", text)
            names = await follower.until("a.yaml")
            assert not any(name.startswith(TEMPORARY_PREFIX) for name in names)
        (tmp_path / "cqueues" / "all.q").write_text("qname all.q\n")
        await follower.until("cqueues/all.q")
        (tmp_path / "a.yaml").unlink()
        await follower.until("a.yaml")


async def test_a_burst_is_one_event(tmp_path: Path) -> None:
    async with following(tmp_path) as follower:
        for number in range(20):
            (tmp_path / f"{number}.yaml").write_text("x: 1\n")
        seen: set[str] = set()
        events = 0
        while len(seen) < 20:
            async with asyncio.timeout(SOON):
                seen |= await follower.bursts.get()
            events += 1
        assert events <= 3


async def test_a_folder_that_was_taken_away_is_followed_again_when_it_is_back(tmp_path: Path) -> None:
    folder = tmp_path / "cluster"
    folder.mkdir()
    async with following(folder) as follower:
        folder.rename(tmp_path / "away")
        await follower.until(WHOLE_FOLDER)
        folder.mkdir()
        await follower.until(WHOLE_FOLDER)
        (folder / "new.yaml").write_text("1")
        await follower.until("new.yaml")


async def test_a_link_that_leads_elsewhere_is_another_folder(tmp_path: Path) -> None:
    for name in ("old", "new"):
        (tmp_path / name).mkdir()
    link = tmp_path / "cluster"
    link.symlink_to("old")
    async with following(link) as follower:
        (tmp_path / "next").symlink_to("new")
        (tmp_path / "next").replace(link)
        await follower.until(WHOLE_FOLDER)
        await follower.until(WHOLE_FOLDER)
        (tmp_path / "new" / "late.yaml").write_text("1")
        await follower.until("late.yaml")
