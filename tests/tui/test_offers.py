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


async def test_marked_places_get_a_value_in_one_step_and_hidden_ones_are_named(tmp_path: Path) -> None:
    async with opened(cluster_copy("site", tmp_path), size=(140, 45)) as it:
        await it.go_to(Kind.COMPLEX, "gpu")
        it.main.form.choose_group("Offers")
        await it.settle()
        await it.press("slash", *"node0[1-8]", "enter")
        before = it.workspace.cluster
        keys = ["A", "e", "2", "enter"]
        assert len(keys) <= 20
        await it.press(*keys)
        names = [f"node{number:02}" for number in range(1, 9)]
        assert all("gpu=2" in offered(it, name) for name in names)
        assert "gpu=2" not in offered(it, "big01")
        await it.press("u")
        assert it.workspace.cluster == before
        await it.press("slash")
        await it.type("place=@gpunodes")
        await it.press("enter", "A")
        await it.press("e")
        assert "gpu of 10 places (8 hidden by the filter: node01," in " ".join(it.text.split())
        await it.press("escape", "escape", "A", "d")
        assert "No longer offer gpu in 2 places?" in it.text
        await it.press("y")
        assert "gpu=" not in offered(it, "gpu01")
        assert "gpu01" in it.text, "the rows stay until the filter is left"
        await it.press("escape", "escape")
        assert "node01" in it.text
