"""The place of the cluster, driven by keys: the map, the listings, and qmod's commands, each undone by u."""

import re
from pathlib import Path

import pytest

from qmon_tui.model.kinds import Kind
from qmon_tui.tui.cluster.cluster_view_model import ListingKind, tab_at, tab_spans
from qmon_tui.tui.cluster.view import ClusterView
from qmon_tui.tui.dialogs.reading_dialogs import TextDialog
from tests.tui.screen_harness import Opened, cluster_copy, opened


@pytest.fixture
def site(tmp_path: Path) -> Path:
    return cluster_copy("site", tmp_path)


def view_of(it: Opened) -> ClusterView:
    return it.main.query_one(ClusterView)


async def to_instance(it: Opened, name: str) -> None:
    await it.press("M")
    assert view_of(it).choose(name)
    await it.settle()
    assert view_of(it).instances == (name,)


def lines_of(it: Opened, name: str) -> list[str]:
    """The rows of the table that begin with a name."""
    return [line for line in view_of(it)._table.text.splitlines() if name in line]


def state(it: Opened, name: str) -> str | None:
    return it.workspace.state.queue_states.get(name)


async def test_a_queue_instance_is_disabled_and_enabled_by_one_key_and_undone(site: Path) -> None:
    async with opened(site) as it:
        await to_instance(it, "short.q@node01")
        assert "Cluster ▸ short.q@node01" in it.text
        await it.press("X", *"disk", "enter")
        assert state(it, "short.q@node01") == "d"
        assert "disabled: it was disabled" in it.text
        assert view_of(it).instances == ("short.q@node01",)
        assert re.search(r"● Cluster +│", it.text), "the left pane shows where there are unsaved edits"
        assert not re.search(r"● Jobs", it.text)
        await it.press("X", "y")
        assert not state(it, "short.q@node01")
        await it.press("u", "u")
        assert not it.workspace.changes()


async def test_suspending_an_instance_makes_its_jobs_stand_still(site: Path) -> None:
    async with opened(site) as it:
        busy = next(task.granted for job in it.workspace.state.jobs for task in job.tasks.values() if task.state == "r")
        name = next(iter(busy))
        await to_instance(it, name)
        await it.press("S")
        assert state(it, name) == "s"
        found = [task.state for job in it.workspace.state.jobs for task in job.tasks.values() if name in task.granted]
        assert set(found) == {"S"}
        await it.press("S")
        found = [task.state for job in it.workspace.state.jobs for task in job.tasks.values() if name in task.granted]
        assert set(found) == {"r"}


async def test_marked_instances_are_changed_together(site: Path) -> None:
    async with opened(site) as it:
        await it.press("M", "slash")
        await it.type("long.q node0")
        await it.press("enter", "A")
        marked = view_of(it).marked
        assert len(marked) == 8
        await it.press("X")
        assert "Disable 8 queue instances of long.q on node[01-08]" in it.text
        await it.press("escape")
        assert [state(it, name) for name in sorted(marked)].count("d") == 1
        await it.press("X", *"disk", "enter")
        assert {state(it, name) for name in marked} == {"d"}
        await it.press("u")
        assert [state(it, name) for name in sorted(marked)].count("d") == 1


def test_the_titles_of_all_listings_fit_into_the_pane_of_120_columns_and_are_clicked() -> None:
    for shown in ListingKind:
        titles = "".join(span.text for span in tab_spans(shown))
        assert len(titles) <= 59, titles
        for kind in ListingKind:
            assert tab_at(titles.index(kind.value.partition(" (")[0]), shown) is kind


async def test_the_line_below_shows_the_figures_that_the_rows_show(site: Path) -> None:
    async with opened(site, size=(180, 45)) as it:
        await it.press("M", "t", "t", "t")
        assert view_of(it).choose("node03")
        for slots in ("0 → 16 of 28", "16 of 28", "0 of 28"):
            await it.settle()
            assert f"2 queue instances, {slots} slots used" in it.text
            await it.press("number_sign")
        await it.press("t")
        assert view_of(it).choose("short.q@node03")
        for slots in ("0/0/16 → 0/16/16", "0/16/16", "0/0/16"):
            await it.settle()
            assert f"resv/used/tot. {slots}  load_avg" in it.text
            await it.press("number_sign")


async def test_the_listings_follow_each_other_and_the_last_one_is_remembered(site: Path) -> None:
    async with opened(site, size=(180, 45)) as it:
        await it.press("M", "z")
        assert "[Map]" in it.text
        await it.press("t")
        assert "CQLOAD" in it.text
        assert "cdsuE" in it.text
        await it.press("t")
        assert "resv/used/tot." in it.text
        await it.press("t")
        assert "MEMTOT" in it.text
        assert view_of(it).choose("node01")
        await it.press("X", *"disk", "enter")
        assert "3 queue instances, 4 of 32 slots used  states d 3×" in it.text
        assert re.search(r"node01 .+ d +disk \(\w+\)$", lines_of(it, "node01")[0]), "qhost has no column for it"
        await it.press("u")
    async with opened(site) as it:
        await it.press("M")
        assert "[Hosts (qhost)]" in it.text


async def test_marks_are_seen_on_the_rows_of_every_listing_and_the_question_names_what_is_hit(site: Path) -> None:
    async with opened(site, size=(180, 45)) as it:
        await it.press("M", "z", "t", "t", "t")
        assert "[Hosts (qhost)]" in it.text
        assert view_of(it).choose("node02")
        await it.press("m", "m")
        assert [line[0] for line in (*lines_of(it, "node02"), *lines_of(it, "node03"))] == ["✓", "✓"]
        await it.press("t")
        assert lines_of(it, "node02")[0].startswith("✓node02")
        assert lines_of(it, "node04")[0].startswith(" node04")
        await it.press("t")
        assert lines_of(it, "short.q")[0].startswith("-"), "some of its queue instances are marked"
        await it.press("t")
        assert lines_of(it, "short.q@node02")[0].startswith("✓")
        await it.press("X")
        assert "queue instances on node[02-03]" in it.text
        assert "short.q@node03" in it.text
        await it.press("escape")
        assert not it.workspace.changes()


async def test_arrows_go_through_the_map_and_enter_goes_to_the_form(site: Path) -> None:
    async with opened(site) as it:
        await to_instance(it, "short.q@node03")
        await it.press("left")
        assert view_of(it).instances == ("long.q@node03",)
        await it.press("down")
        assert view_of(it).instances == ("long.q@node04",)
        await it.press("l")
        assert view_of(it).instances == ("short.q@node04",)
        await it.press("h")
        assert view_of(it).instances == ("long.q@node04",)
        await it.press("w")
        assert isinstance(it.app.screen, TextDialog)
        await it.press("escape", "enter")
        assert (it.main.kind, it.main.chosen) == (Kind.QUEUE, "long.q")


async def test_what_the_qmaster_says_of_a_state_that_is_there_already(site: Path) -> None:
    async with opened(site) as it:
        await to_instance(it, "short.q@node01")
        await it.press("K")
        assert any("already in the specified state: no error" in toast for toast in it.toasts)


async def test_read_only_refuses_commands(site: Path) -> None:
    async with opened(site, read_only=True) as it:
        await to_instance(it, "short.q@node01")
        await it.press("X")
        assert state(it, "short.q@node01") is None
        assert any("read-only" in toast for toast in it.toasts)


@pytest.mark.parametrize("size", [(80, 24), (120, 36), (180, 50)])
async def test_it_has_room_on_every_terminal(site: Path, size: tuple[int, int]) -> None:
    async with opened(site, size=size) as it:
        await it.press("M")
        assert "node01" in it.text
        assert "[" in it.text


def at(it: Opened, text: str) -> tuple[int, int]:
    """Where a text is on the screen."""
    lines = it.text.splitlines()
    row = next(index for index, line in enumerate(lines) if text in line)
    return lines[row].index(text), row


async def click(it: Opened, text: str) -> None:
    assert await it.pilot.click(offset=at(it, text))
    await it.settle()


async def test_the_mouse_chooses_listings_queues_and_orders(site: Path) -> None:
    async with opened(site, size=(140, 40)) as it:
        await it.press("M", "z")
        await click(it, "short.q")
        assert view_of(it).instances == ()
        await click(it, "node05 ")
        await click(it, "10/16")
        assert view_of(it).instances == ("short.q@node05",)
        await click(it, "Cluster queues")
        assert "[Cluster queues (qstat -g c)]" in it.text
        await click(it, "USED")
        assert "▲USED" in it.text
        await click(it, "USED")
        assert "▼USED" in it.text
        await click(it, "USED")
        assert "▼" not in it.text
        await click(it, "Hosts")
        await click(it, "node07")
        assert view_of(it).selected == "node07"


async def test_listings_are_ordered_by_the_keys_of_lists_and_the_order_is_remembered(site: Path) -> None:
    async with opened(site, size=(140, 40)) as it:
        await it.press("M", "z", "greater_than_sign")
        assert any("t switches to the lists" in toast for toast in it.toasts)
        await it.press("t", "greater_than_sign")
        assert "▲CLUSTER QUEUE" in it.text
        await it.press("greater_than_sign", "equals_sign")
        assert "▼CQLOAD" in it.text
        await it.press("less_than_sign")
        assert "▲CLUSTER QUEUE" in it.text
    async with opened(site, size=(140, 40)) as it:
        await it.press("M", "z")
        assert "▲CLUSTER QUEUE" in it.text


async def test_letters_are_explained_and_the_explanation_follows_what_is_changed(site: Path) -> None:
    async with opened(site) as it:
        await to_instance(it, "short.q@node01")
        await it.pilot.press("X", *"disk", "enter", "w")
        await it.settle()
        assert isinstance(it.app.screen, TextDialog)
        assert "disabled: it was disabled" in it.text.split("All state letters")[0]
        assert "orphaned: it is no longer configured" in it.text
