"""A save that is killed before any call of the system, and its undoing likewise: all files are old, or all are new."""

import os
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from qmon_tui.model.cluster import config_object
from qmon_tui.model.kinds import Kind
from qmon_tui.sources import Reading, SavePlan, exchange, read_folder

CALLS = (
    "open",
    "write",
    "close",
    "fsync",
    "fchmod",
    "fchown",
    "rename",
    "replace",
    "link",
    "unlink",
    "mkdir",
    "setxattr",
)
KILLED = 99


@contextmanager
def killed_at(number: int) -> Iterator[None]:
    """The process ends before the call of this number."""
    numbers = iter(range(10**6))

    def dying(real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: object, **more: object) -> Any:
            if next(numbers) == number:
                os._exit(KILLED)
            return real(*arguments, **more)

        return call

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda _: None)  # a killed process loses nothing that it has written
        for name in CALLS:
            patch.setattr(os, name, dying(getattr(os, name)))
        patch.setattr(exchange, "_renamed", dying(exchange._renamed))
        yield


def ends(number: int, work: Callable[[], object]) -> bool:
    """Do something in another process that is killed at a call; whether it came to its end before."""
    child = os.fork()
    if not child:
        code = 1
        try:
            with killed_at(number):
                work()
            code = 0
        finally:
            os._exit(code)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert status in (0, KILLED)
    return status == 0


def files(folder: Path) -> dict[str, str]:
    return {path.relative_to(folder).as_posix(): path.read_text() for path in folder.rglob("*") if path.is_file()}


def yaml_edits(folder: Path) -> tuple[Reading, SavePlan]:
    """Two files changed, one of them through a link, and a new one."""
    (folder / "c.yaml").write_text("queues:\n  all.q: {slots: 1}\n")
    (folder / "elsewhere").mkdir()
    (folder / "elsewhere" / "real.yaml").write_text("pes: {smp: {slots: 2}}\n")
    (folder / "pes.yaml").symlink_to("elsewhere/real.yaml")
    reading = read_folder(folder)
    changed = (
        reading.cluster.objects(Kind.QUEUE)["all.q"].with_value("slots", "8"),
        reading.cluster.objects(Kind.PE)["smp"].with_value("slots", "8"),
        config_object(Kind.USER, "anna", {"name": "anna"}),
    )
    return reading, reading.source.plan(reading, reading.cluster.with_objects(changed))


def qconf_edits(folder: Path) -> tuple[Reading, SavePlan]:
    """One file changed, one gone, one new, and one in a new folder."""
    (folder / "projects").mkdir()
    for name in ("p", "r"):
        (folder / "projects" / name).write_text(f"name {name}\noticket 0\nfshare 0\nacl NONE\nxacl NONE\n")
    reading = read_folder(folder)
    projects = reading.cluster.objects(Kind.PROJECT)
    changed = (
        projects["p"].renamed("q"),
        projects["r"].with_value("fshare", "7"),
        config_object(Kind.USER, "anna", {"name": "anna"}),
    )
    return reading, reading.source.plan(reading, reading.cluster.without(Kind.PROJECT, "p").with_objects(changed))


@pytest.mark.parametrize("every", [pytest.param(1, marks=pytest.mark.long), 2])
@pytest.mark.parametrize("system", ["renameat2", "plain"])
@pytest.mark.parametrize("edits", [yaml_edits, qconf_edits])
def test_all_files_are_old_or_all_are_new(
    tmp_path: Path,
    edits: Callable[[Path], tuple[Reading, SavePlan]],
    system: str,
    every: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if system == "plain":
        monkeypatch.setattr(exchange, "_renameat2", lambda: None)
    first = 1 if system == "plain" and every > 1 else 0
    moments, old, new = random.Random(1), 0, 0
    for number in range(first, 1000, every):
        folder = tmp_path / str(number)
        folder.mkdir()
        reading, plan = edits(folder)
        before = files(folder)
        after = {**before, **{file: text for file, _, text in plan.files if text is not None}}
        if "pes.yaml" in after:
            after["elsewhere/real.yaml"] = after["pes.yaml"]
        for file, _, text in plan.files:
            if text is None:
                del after[file]
        ended = ends(number, lambda: reading.source.write(reading, plan))  # noqa: B023
        for _ in range(3 if number % 8 == 0 else 1):
            ends(moments.randrange(40), lambda: read_folder(folder))  # noqa: B023
        found = read_folder(folder)
        left = files(folder)
        assert left in (before, after), f"killed at call {number}"
        assert found == read_folder(folder)
        old, new = old + (left == before), new + (left == after)
        if ended:
            assert left == after
            break
    assert old > 20 / every
    assert new > 2 / every
