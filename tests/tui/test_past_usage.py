"""Past usage is given anew in the share tree and where a user stands; the schedule follows, and undo undoes it."""

from pathlib import Path

import pytest

from qmon_tui.model.kinds import Kind
from qmon_tui.tui.sharetree.sharetree_panels import TreeView
from tests.tui.screen_harness import cluster_copy, opened
from tests.tui.test_panels_calendar_sharetree import go


@pytest.fixture
def campus(tmp_path: Path) -> Path:
    return cluster_copy("campus", tmp_path)


async def test_in_the_share_tree(campus: Path) -> None:
    async with opened(campus) as it:
        await go(it, Kind.SHARETREE, "Tree")
        tree = it.main.query_one(TreeView)
        assert tree.actions.refusal("tree.usage"), "the root is nobody's"
        before = it.workspace.state.usage
        outcome = next(node_outcome for node_outcome in tree._outcomes if node_outcome.user is not None)
        rows = tree.grid.grid_rows
        keys = [(str(rows.key(at)), rows.text(at).split()[0]) for at in range(len(rows))]
        wanted = next(key for key, name in keys if key == f"user {outcome.path}" or name == outcome.name)
        assert tree.grid.move_to(wanted)
        await it.settle()
        assert tree.actions.refusal("tree.usage") is None
        await it.press("asterisk")
        await it.type("cpu=much")
        await it.press("enter")
        assert "is not an amount" in it.text
        await it.type("cpu=123456 mem=0")
        await it.press("enter")
        assert it.at_main
        assert it.workspace.state.usage != before
        assert "123456" in str(it.workspace.changes())
        await it.press("u")
        assert it.workspace.state.usage == before
        if outcome.user in before.users:
            await it.press("ctrl+k")
            await it.press("o")
            assert it.workspace.state.usage.users.keys() == before.users.keys() - {outcome.user}
            assert it.workspace.state.usage.projects == before.projects


async def test_where_a_user_stands(campus: Path) -> None:
    async with opened(campus) as it:
        name = next(iter(it.workspace.cluster.objects(Kind.USER)))
        await go(it, Kind.USER, "Standing", name)
        await it.press("asterisk")
        await it.type("cpu=77 io=1.5")
        await it.press("enter")
        assert dict(it.workspace.state.usage.users[name].amounts) == {"cpu": 77, "io": 1.5}
        assert "cpu=77 mem=0 io=1.5" in it.text


async def test_all_of_it_is_forgotten_after_asking(campus: Path) -> None:
    async with opened(campus) as it:
        await go(it, Kind.SHARETREE, "Tree")
        before = it.workspace.state.usage
        await it.press("ctrl+k")
        await it.press("enter")
        assert it.workspace.state.usage == before, "the safe answer keeps it"
        await it.press("ctrl+k")
        await it.press("f")
        assert not it.workspace.state.usage
        outcome = it.workspace.result.outcome if it.workspace.result else None
        assert outcome is not None
        assert all(node.usage == 0 for node in outcome.sharetree)
        await it.press("ctrl+k")
        assert "There is no past usage" in it.toasts[-1]
        await it.press("u")
        assert it.workspace.state.usage == before
