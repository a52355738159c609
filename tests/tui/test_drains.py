"""Hosts disabled for reasons and enabled when none remains, in every list and in the files."""

from pathlib import Path

import pytest

from qmon_tui.model.exceptions import Drain
from qmon_tui.model.kinds import Kind
from qmon_tui.sources import read_folder
from tests.tui.screen_harness import Opened, cluster_copy, opened

RACK = ("b01", "b02", "b03", "b04")


@pytest.fixture(autouse=True)
def anna(monkeypatch: pytest.MonkeyPatch) -> None:
    """The user of the tests."""
    monkeypatch.setenv("LOGNAME", "anna")
    monkeypatch.delenv("SUDO_USER", raising=False)


def disabled(it: Opened) -> set[str]:
    """The hosts of disabled queue instances."""
    return {name.rpartition("@")[2] for name, letters in it.workspace.state.queue_states.items() if "d" in letters}


def reasons(it: Opened) -> dict[str, list[str]]:
    return {place: [drain.key for drain in drains] for place, drains in it.workspace.state.drains.items()}


async def test_a_rack_is_drained_with_ten_keys_and_ready_when_no_reason_remains(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = cluster_copy("racks", tmp_path)
    async with opened(folder, size=(200, 55)) as it:
        await it.go_to(Kind.HOST)
        keys = ["slash", *"b0", "enter", "A", "X", *"psu", "enter"]
        assert len(keys) <= 10
        await it.press(*keys)
        now = it.workspace.state.now
        assert disabled(it) == {*RACK}
        assert it.workspace.state.drains == dict.fromkeys(RACK, (Drain("psu", "anna", now),))
        assert it.text.count("psu (anna)") > len(RACK), "the list of hosts, and the live schedule"
        await it.press("M")
        for _ in range(4):
            assert "psu (anna)" in it.text or "[Map]" in it.text
            await it.press("t")
        await it.go_to(Kind.HOSTGROUP)
        assert "psu (anna)" in it.text
        monkeypatch.setenv("LOGNAME", "bert")
        await it.go_to(Kind.HOST)
        await it.press("X", "a", *"bios", "tab", "tab", *"+2d", "enter")
        assert reasons(it) == {host: ["anna: psu", "bert: bios"] for host in RACK}
        await it.press("s", "f2")
        assert dict(read_folder(folder).state.drains) == dict(it.workspace.state.drains)
        assert it.workspace.state.drains["b01"][1].until == now + 2 * 86400
        await it.press("X")
        assert "bios (bert, until" in it.text
        await it.press("m")
        assert reasons(it) == {host: ["anna: psu"] for host in RACK}
        assert disabled(it) == {*RACK}
        assert any("stay disabled: other reasons remain" in toast for toast in it.toasts)
        await it.press("X", "y")
        assert not reasons(it)
        assert not disabled(it)
        await it.press("u", "u", "u", "u")
        assert disabled(it) == set()
        assert not reasons(it)


async def test_the_question_says_what_runs_there_and_what_fits_nowhere_else(tmp_path: Path) -> None:
    async with opened(cluster_copy("site", tmp_path), size=(120, 36)) as it:
        await it.go_to(Kind.HOST)
        await it.press("slash", *"gpu", "enter", "A", "X")
        text = " ".join(it.text.split())
        assert "jobs still run there, the last until" in text
        assert "101 ocean of anna until 03-03 07:10 (its run time) gpu.q@gpu01" in text
        assert "pending jobs fit nowhere else: 108-109,118,125" in text
        await it.press("enter")
        assert "A reason is needed" in it.text
        await it.press(*"gpu", "tab", "tab", *"noon", "enter")
        assert '"noon" is not a time' in it.text
        await it.press("escape")
        assert not it.workspace.changes()


async def test_a_queue_instance_has_reasons_of_its_own(tmp_path: Path) -> None:
    async with opened(cluster_copy("site", tmp_path), size=(160, 40)) as it:
        await it.go_to(Kind.QUEUE, "gpu.q")
        await it.press("X", *"driver", "enter")
        assert set(reasons(it)) == {"gpu.q@gpu01", "gpu.q@gpu02"}
        assert "driver (anna)" in it.text
        await it.press("d")
        await it.press("escape")
        await it.press("C")
        assert "drains of 2 places" in it.text
