"""The panel "Offers" of an attribute, and how a new one begins."""

from pathlib import Path

import pytest
from textual.widgets import Input

from qmon_tui.model.kinds import Kind
from tests.tui.screen_harness import Opened, cluster_copy, opened


@pytest.fixture
def teaching(tmp_path: Path) -> Path:
    return cluster_copy("teaching", tmp_path)


def offered(it: Opened, host: str) -> str:
    obj = it.workspace.cluster.get(Kind.HOST, host)
    assert obj is not None
    return obj.text("complex_values")


async def test_a_new_attribute_is_offered_by_global_in_four_keys(teaching: Path) -> None:
    async with opened(teaching) as it:
        it.main.go_to(Kind.COMPLEX, None)
        await it.press("a")
        focused = it.app.focused
        assert isinstance(focused, Input)
        focused.value = "tokens"
        await it.press("enter")
        entry = it.workspace.cluster.objects(Kind.COMPLEX)["tokens"]
        assert (entry.text("shortcut"), entry.text("requestable")) == ("tokens", "YES")
        before = offered(it, "global")
        it.main.form.choose_group("Offers")
        await it.settle()
        await it.press("enter", "1", "0", "enter")
        after = offered(it, "global")
        assert after == ("tokens=10" if before == "NONE" else f"{before},tokens=10")
        await it.press("e")
        focused = it.app.focused
        assert isinstance(focused, Input)
        assert focused.value == "10"
        focused.value = "many"
        await it.press("enter")
        assert 'attribute "tokens" is not a integer value' in it.text
        await it.press("escape")
        await it.press("d")
        assert offered(it, "global") == before
        await it.press("u")
        assert offered(it, "global") == after
