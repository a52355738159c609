"""Work on many objects: hosts added as a node set, marked objects edited and deleted together."""

from pathlib import Path

import pytest

from qmon_tui.model.kinds import Kind
from qmon_tui.model.references import references_to
from tests.tui.screen_harness import cluster_copy, opened


async def test_a_node_set_is_many_hosts_in_one_step(tmp_path: Path) -> None:
    async with opened(cluster_copy("site", tmp_path)) as it:
        await it.go_to(Kind.HOST, "node02")
        keys = ["c", "backspace", "backspace", *"[09-28]", "enter", *"gpun", "space", *"long", "space", "enter"]
        assert len(keys) <= 25
        before = it.workspace.cluster
        await it.press(*keys)
        hosts = it.workspace.cluster.objects(Kind.HOST)
        new = [f"node{number:02}" for number in range(9, 29)]
        assert [name for name in hosts if name not in before.objects(Kind.HOST)] == new
        assert hosts["node28"].values == {**hosts["node02"].values, "hostname": "node28"}
        changed = {
            name
            for kind in (Kind.HOSTGROUP, Kind.QUEUE)
            for name, obj in it.workspace.cluster.objects(kind).items()
            if obj != before.objects(kind)[name]
        }
        assert changed == {"@gpunodes", "long.q", "@nodes", "inter.q"}, (
            "the lists of the copied host are chosen already"
        )
        assert it.workspace.cluster.objects(Kind.HOSTGROUP)["@gpunodes"].text("hostlist").split()[-20:] == new
        await it.press("u")
        assert it.workspace.cluster == before


@pytest.mark.parametrize(
    ("typed", "said"),
    [("x[2-1]", "1 comes before 2"), ("x[1-", "not a node set"), ("node0[1-3]", "already exists"), ("x[0-999999]",
     "more than 100000 hosts")],
)  # fmt: skip
async def test_a_node_set_that_cannot_be_added_is_refused_where_it_is_typed(
    tmp_path: Path, typed: str, said: str
) -> None:
    async with opened(cluster_copy("site", tmp_path)) as it:
        await it.go_to(Kind.HOST, "node02")
        await it.press("a")
        await it.type(typed)
        await it.press("enter")
        assert said in " ".join(it.text.split())
        await it.press("escape")
        assert not it.workspace.changes()
        await it.press("n")
        await it.type("x[1-3]")
        await it.press("enter")
        assert "stands for several hosts" in it.text
        await it.press("escape")
        assert not it.workspace.changes()


async def test_an_element_is_given_to_marked_objects_and_leaves_the_rest_of_their_lists(tmp_path: Path) -> None:
    async with opened(cluster_copy("site", tmp_path)) as it:
        await it.go_to(Kind.HOST, "node01")
        before = it.workspace.cluster.objects(Kind.HOST)
        keys = [*["m"] * 8, "e", *"comp", "enter", *"gpu=4", "enter"]
        assert len(keys) <= 20
        await it.press(*keys)
        after = it.workspace.cluster.objects(Kind.HOST)
        names = [name for name in before if before[name] != after[name]]
        assert names == list(before)[list(before).index("node01") :][:8]
        for name in names:
            old, new = (objects[name].text("complex_values") for objects in (before, after))
            kept = [entry for entry in old.split(",") if entry != "NONE" and not entry.startswith("gpu=")]
            assert sorted(new.split(",")) == sorted([*kept, "gpu=4"])
        await it.press("u")
        assert not it.workspace.changes()
        await it.press("slash")
        await it.type("node0[7-8]")
        await it.press("enter")
        assert "8 marked, 6 hidden" in it.text
        await it.press("e")
        assert "6 hidden by the filter" in it.text
        await it.press("escape", "d")
        assert "6 hidden by the filter" in it.text
        await it.press("escape")


async def test_marked_objects_are_deleted_with_what_names_them_in_one_step(tmp_path: Path) -> None:
    async with opened(cluster_copy("site", tmp_path)) as it:
        await it.go_to(Kind.PROJECT)
        before = it.workspace.cluster
        names = list(before.objects(Kind.PROJECT))
        await it.press("A", "d")
        assert f"Delete {len(names)} projects" in it.text
        await it.press("t")
        assert not it.workspace.cluster.objects(Kind.PROJECT)
        assert all(not references_to(it.workspace.cluster, Kind.PROJECT, name) for name in names)
        await it.press("u")
        assert it.workspace.cluster == before
