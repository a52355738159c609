"""Work on many objects: hosts added as a node set, marked objects edited and deleted together."""

from pathlib import Path

import pytest

from qmon_tui.model.kinds import Kind
from qmon_tui.model.references import references_to
from qmon_tui.qmaster import Target
from qmon_tui.tui.quotas.quota_panels import RulesView
from tests.edits import hold_jobs
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
        assert "● 1 edit of 24 objects" in it.text
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


def with_errors(folder: Path, *names: str) -> Path:
    """Put queue instances into state E."""
    states = "".join(f"  {name}: E\n" for name in names)
    (folder / "states.yaml").write_text(f"states:\n{states}")
    return folder


ERRORS = ("gpu.q@gpu01", "gpu.q@gpu02", "inter.q@node01")


async def test_the_error_states_of_a_queue_are_cleared_with_five_keys(tmp_path: Path) -> None:
    async with opened(with_errors(cluster_copy("site", tmp_path), *ERRORS)) as it:
        await it.press("M", "z", "t", "t", "t")
        await it.go_to(Kind.HOST)
        await it.go_to(Kind.QUEUE, "gpu.q")
        keys = ["K", "y"]
        await it.press("K")
        text = " ".join(it.text.split())
        assert "Clear the error state of 2 queue instances of gpu.q on gpu[01-02]?" in text
        await it.press("y")
        assert len(keys) <= 5
        assert {name for name, letters in it.workspace.state.queue_states.items() if "E" in letters} == {ERRORS[2]}
        await it.press("u")
        assert not it.workspace.changes()
        await it.press("M", "t", "t", "t", "t")
        view = it.main.pages.view
        while "[Cluster queues" not in it.text:
            await it.press("t")
        assert view is not None
        assert view.choose("gpu.q")
        await it.press("K", "y")
        assert {name for name, letters in it.workspace.state.queue_states.items() if "E" in letters} == {ERRORS[2]}


async def test_lists_are_filtered_by_fields_and_rows_stay_after_an_action(tmp_path: Path) -> None:
    async with opened(with_errors(cluster_copy("site", tmp_path), *ERRORS), size=(160, 45)) as it:
        await it.go_to(Kind.HOST)
        await it.press("slash", *"state=E", "enter")
        assert str(it.main.list.border_title).startswith("Hosts  3 of 14")
        await it.press("A", "K", "y")
        assert not [name for name, letters in it.workspace.state.queue_states.items() if "E" in letters]
        assert str(it.main.list.border_title).startswith("Hosts  3 of 14"), "the rows stay until the filter is left"
        await it.press("slash", *" x", "backspace", "backspace", "enter")
        assert str(it.main.list.border_title).startswith("Hosts  0 of 14")
        await it.press("escape")
        await it.press("u")
        await it.press("slash")
        await it.type("host=@gpunodes queue=gpu.q")
        await it.press("enter")
        assert "Hosts  2 of 14" in str(it.main.list.border_title)
        await it.press("slash")
        await it.type("host=@nothere")
        assert "✗ there is no hostgroup @nothere" in str(it.main.list.border_title)
        await it.press("escape", "M")
        while "[Queue instances" not in it.text:
            await it.press("t")
        await it.press("slash", *"qs=E")
        await it.press("enter")
        assert it.text.count(" error ") == len(ERRORS)
        await it.press("A", "K", "y")
        assert "gpu.q@gpu02" in it.text, "the rows stay until the filter is left"
        await it.press("slash")
        await it.type("queue=*@@gpunodes load>100")
        await it.press("enter")
        assert "Nothing matches" in it.text
        assert "✓ 3 instances marked, 3 hidden" in it.text
        await it.press("X")
        assert "3 hidden by the filter: gpu.q@gpu[01-02], inter.q@node01." in " ".join(it.text.split())
        await it.press("escape")


async def test_marked_jobs_that_a_filter_hides_are_named_before_an_action(tmp_path: Path) -> None:
    async with opened(cluster_copy("site", tmp_path), size=(160, 45)) as it:
        await it.press("J", "slash")
        await it.type("-u anna")
        await it.press("enter", "A", "slash")
        await it.type("-u anna -s r")
        await it.press("enter")
        view = it.main.pages.view
        assert view is not None
        hidden = view.hidden_marks  # type: ignore[attr-defined]
        assert hidden
        assert f"{len(view.marked)} marked, {len(hidden)} hidden" in it.text  # type: ignore[attr-defined]
        await it.press("P")
        assert f"{len(hidden)} of them hidden?" in it.text
        assert all(f"{number} " in it.text for number in hidden)
        await it.press("s", *"7", "enter")
        changed = {job.id for job in it.workspace.state.jobs if job.request.priority == 7}
        assert changed
        assert not changed & set(hidden)
        await it.press("u")
        await it.press("slash")
        await it.type("state=qw owner=bela")
        await it.press("enter", "escape", "W", "u")
        held = [job for job in it.workspace.state.jobs if job.owner == "bela" and "u" in job.request.hold]
        assert held
        assert str(held[0].id) in it.text, "the row of the held job stays"


async def test_the_live_schedule_is_filtered_by_fields(tmp_path: Path) -> None:
    async with opened(cluster_copy("site", tmp_path), size=(160, 45)) as it:
        await it.press("3", "slash")
        await it.type("-u bela -s r")
        await it.press("enter")
        rows = it.main.live._filtered
        assert {row.job.owner for row in rows} == {"bela"}
        assert all("q" not in row.task.state for row in rows)


async def test_dialogs_of_renaming_and_deleting_take_node_sets(tmp_path: Path) -> None:
    async with opened(cluster_copy("site", tmp_path)) as it:
        it.main.go_to(Kind.HOST, "node05")
        await it.press("n", "ctrl+u")
        await it.type("node[05-06] node77")
        await it.press("enter")
        assert "2 hosts need 2 different names: these are 1." in it.text
        await it.press("ctrl+u")
        await it.type("node[05-99] x[05-99]")
        assert "There is no host node[" in it.text
        await it.press("ctrl+u")
        await it.type("node[05-06] new[05-06]")
        await it.press("enter")
        assert "Rename 2 hosts: node[05-06] to new[05-06]" in it.text
        await it.press("f")
        assert {"new05", "new06"} < {*it.workspace.cluster.objects(Kind.HOST)}
        await it.press("d", "o", "ctrl+u")
        await it.type("new[05-06]")
        await it.press("enter")
        assert "Delete 2 hosts: new[05-06]" in it.text
        await it.press("t")
        assert not {"new05", "new06"} & {*it.workspace.cluster.objects(Kind.HOST)}


async def test_marked_hosts_are_renamed_to_a_node_set(tmp_path: Path) -> None:
    async with opened(cluster_copy("site", tmp_path), size=(140, 45)) as it:
        await it.go_to(Kind.HOST)
        await it.press("slash", *"node0[5-7]", "enter", "A", "n")
        assert "Rename 3 hosts: node[05-07]" in it.text
        before = it.workspace.cluster
        await it.type("new[1-2]")
        await it.press("enter")
        assert "3 hosts need 3 different names: these are 2." in " ".join(it.text.split())
        await it.type("node01 x y")
        await it.press("enter")
        assert "already exists" in it.text
        await it.type("new[1-3]")
        await it.press("enter")
        assert "node[05-07] is used in" in it.text
        await it.press("f")
        hosts = list(it.workspace.cluster.objects(Kind.HOST))
        assert [name for name in hosts if name not in before.objects(Kind.HOST)] == ["new1", "new2", "new3"]
        assert "new2" in it.workspace.cluster.objects(Kind.HOSTGROUP)["@nodes"].text("hostlist").split()
        assert not references_to(it.workspace.cluster, Kind.HOST, "node06")
        assert "new1" in it.workspace.state.loads
        await it.press("u")
        assert it.workspace.cluster == before


async def test_jobs_are_marked_in_the_live_schedule_and_deleted_together(tmp_path: Path) -> None:
    async with opened(cluster_copy("site", tmp_path), size=(160, 45)) as it:
        await it.press("3", "m", "m", "A", "A", "slash")
        await it.type("-u bela -s p name=fold")
        await it.press("enter", "A")
        marked = it.main.live.marked
        assert marked == (117, 118)
        assert f"✓ {len(marked)} marked" in it.text
        await it.press("slash")
        await it.type("-u anna")
        await it.press("enter")
        assert f"✓ {len(marked)} marked, {len(marked)} hidden" in it.text
        await it.press("d")
        assert f"{len(marked)} hidden by the filter: {marked[0]}" in " ".join(it.text.split())
        await it.press("y")
        assert not {job.id for job in it.workspace.state.jobs} & {*marked}
        await it.press("u", "escape", "escape")
        assert not it.main.live.marked or "marked" not in it.text


async def test_rows_of_the_live_schedule_stay_after_an_action_until_the_filter_is_left(tmp_path: Path) -> None:
    async with opened(cluster_copy("site", tmp_path), size=(160, 45)) as it:
        await it.press("3", "slash")
        await it.type("state=qw owner=bela")
        await it.press("enter")
        before = [row.job.id for row in it.main.live._filtered]
        held = before[0]
        it.main.apply(hold_jobs([Target(held)], "u"))
        await it.press("down")
        assert [row.task.state for row in it.main.live._filtered if row.job.id == held] == ["hqw"]
        await it.press("slash", "ctrl+u")
        await it.type("state=qw owner=bela ")
        await it.press("enter")
        assert held not in [row.job.id for row in it.main.live._filtered]
        it.main.live._instances.focus()
        await it.press("m")
        assert "Queue instances are marked on the page Cluster, which has the commands for them." in it.toasts


async def test_rules_of_a_quota_set_and_nodes_of_the_share_tree_are_filtered(tmp_path: Path) -> None:
    async with opened(cluster_copy("campus", tmp_path), size=(140, 45)) as it:
        await it.go_to(Kind.QUOTA, "people")
        await it.press("enter")
        view = it.main.query_one(RulesView)
        rules = view.rules
        await it.press("slash", *"everybody", "enter")
        shown = [rules[int(row.key)] for row in view.grid.grid_rows.rows]
        assert shown == [rules[-1]]
        await it.press("c")
        assert len(view.rules) == len(rules) + 1
        assert "to slots=48" in view.rules[-1], "the rule under the cursor, not that at its place among all"
        await it.press("slash", "ctrl+u", *"nothere", "enter", "d")
        assert "No rule is in sight: Esc drops the filter." in it.toasts
        await it.press("escape")
        assert len(view.grid.grid_rows.rows) == len(rules) + 1
