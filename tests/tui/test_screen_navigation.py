"""Habits: going anywhere by name and back, copying in every form, and knowing where one is."""

import re
from pathlib import Path

import pytest

from qmon_tui.model.kinds import Kind
from qmon_tui.tui.base.table_panel import Grid
from qmon_tui.tui.forms.dialogs.pick_dialogs import PickOne
from qmon_tui.tui.keys.action_context import Pane
from qmon_tui.tui.screens.palette_targets import WINDOWS, PaletteTargets
from qmon_tui.workspace import SetField
from tests.tui.screen_harness import Opened, cluster_copy, opened

FROM_QMON = Path(__file__).parents[2] / "docs" / "from-qmon.md"
NO_PLACE = {"Advanced", "Hosts", "Object Browser", "Preferences", "Exit", "Parallel Environment"}
"""Windows and parts of them that are no place here."""


@pytest.fixture
def site(tmp_path: Path) -> Path:
    return cluster_copy("site", tmp_path)


@pytest.fixture
def teaching(tmp_path: Path) -> Path:
    return cluster_copy("teaching", tmp_path)


async def go(it: Opened, query: str) -> None:
    """Type into the palette and take the first hit."""
    await it.press("colon")
    await it.type(query)
    await it.press("enter")
    await it.settle()


async def test_going_to_an_object_a_field_a_job_an_instance_and_a_place_by_name(site: Path) -> None:
    async with opened(site) as it:
        await go(it, "big.q")
        assert (it.main.kind, it.main.chosen) == (Kind.QUEUE, "big.q")
        await go(it, "short.q h_rt")
        assert (it.main.chosen, it.main.form.field) == ("short.q", "h_rt")
        await go(it, "109")
        chosen = it.main.live.chosen
        assert chosen is not None
        assert chosen.key == (109, 1)
        assert it.main.action_context().pane is Pane.LIVE
        await go(it, "short.q@node03")
        assert it.main.live.row_text.startswith("short.q@node03")
        await go(it, "jobs")
        assert it.main.action_context().pane is Pane.PAGE
        await go(it, "weights")
        assert (it.main.kind, it.main.form.group()) == (Kind.SCHEDULER, "Weights")
        await go(it, "hit test")
        assert it.main.kind is Kind.QUOTA, "the list, as there is no quota that could have a tab"


async def test_what_is_added_elsewhere_is_found_and_begun_by_its_kind(site: Path) -> None:
    async with opened(site) as it:
        for query, heading in (
            ("add host", "Add a new host"), ("add queue", "Add a new queue"), ("submit a job", "Submit job"),
        ):  # fmt: skip
            await go(it, query)
            assert heading in it.text
            await it.press("escape")
        assert not it.workspace.changes()


async def test_places_are_found_by_the_names_of_qmons_windows(site: Path) -> None:
    rows = re.findall(r"^\| ([^|]+) \| [^|]+ \| [^|]* \|$", FROM_QMON.read_text(), re.MULTILINE)[1:]
    told = {name.strip() for row in rows if ":" not in row for name in row.split(",")} - NO_PLACE
    assert told <= WINDOWS.keys()
    async with opened(site) as it:
        everything = PaletteTargets(it.main)
        for name in WINDOWS:
            assert everything.hits(name.casefold())[0].target.name.casefold() == name.casefold()
        await go(it, "ticket overview")
        assert (it.main.kind, it.main.form.group()) == (Kind.SCHEDULER, "Shares")
        await go(it, "cluster queues")
        assert it.main.action_context().pane is Pane.PAGE


async def test_every_jump_leads_back(site: Path) -> None:
    async with opened(site) as it:
        await it.press("H")
        assert any("no jump" in toast for toast in it.toasts)
        await it.go_to(Kind.QUEUE, "short.q", "h_rt")
        await it.go_to(Kind.HOSTGROUP, "@nodes")
        await it.press("J", "H")
        assert (it.main.kind, it.main.chosen) == (Kind.HOSTGROUP, "@nodes")
        await it.press("H")
        assert (it.main.kind, it.main.chosen, it.main.form.field) == (Kind.QUEUE, "short.q", "h_rt")


async def test_the_top_line_says_where_one_is_down_to_the_field(site: Path) -> None:
    async with opened(site) as it:
        await it.go_to(Kind.QUEUE, "short.q")
        assert it.text.splitlines()[0].startswith(" qmon ▸ site ▸ Queues ▸ short.q ")
        await it.go_to(Kind.QUEUE, "short.q", "h_rt")
        assert "▸ Queues ▸ short.q ▸ Limits ▸ h_rt " in it.text.splitlines()[0]
        await it.press("full_stop")
        assert "▸ short.q ▸ @gpunodes ▸ Limits ▸ h_rt " in it.text.splitlines()[0], "whose value would be changed"
        await it.go_to(Kind.HOSTGROUP, "@nodes")
        it.main.form.choose_group("Resolved")
        await it.settle()
        assert "▸ Hostgroups ▸ @nodes ▸ Resolved " in it.text.splitlines()[0]


@pytest.mark.parametrize(
    ("letter", "copied"),
    [
        ("t", "slow,[@gpunodes=fast]"),
        ("y", "queues:\n  short.q:\n    tmpdir: slow,[@gpunodes=fast]\n"),
        ("c", "qconf -rattr queue tmpdir 'slow,[@gpunodes=fast]' short.q"),
    ],
)
async def test_a_field_is_copied_as_text_as_yaml_and_as_a_command(site: Path, letter: str, copied: str) -> None:
    async with opened(site) as it:
        it.main.apply(SetField(Kind.QUEUE, "short.q", "tmpdir", "slow,[@gpunodes=fast]"))
        await it.go_to(Kind.QUEUE, "short.q", "tmpdir")
        await it.press("ctrl+insert")
        for line in copied.splitlines():
            assert line in it.text, "the exact text is shown before it is copied"
        await it.press(letter)
        assert it.at_main
        assert it.app.clipboard == copied


async def test_an_object_a_job_and_a_row_are_copied(site: Path) -> None:
    async with opened(site) as it:
        await it.go_to(Kind.PE, next(iter(it.workspace.cluster.objects(Kind.PE))))
        await it.press("y", "q")
        assert it.app.clipboard.startswith("pe_name")
        await it.press("y", "c")
        assert it.app.clipboard.startswith("qconf -sp ")
        await it.go_to(Kind.COMPLEX, "arch")
        await it.press("y")
        assert "qconf -sc" in it.text
        await it.press("escape")
        it.main.live.choose((109, 1))
        await it.press("3", "y", "q")
        assert it.app.clipboard.startswith("qsub ")
        await it.press("y", "c")
        assert it.app.clipboard == "qstat -j 109"
        await it.press("J", "y", "n")
        assert it.main.live.chosen is not None
        assert it.app.clipboard == str(it.main.live.chosen.job.id)
        await it.press("1", "y")
        assert it.at_main, "a row of the left pane can only be copied as it stands"
        assert it.app.clipboard.startswith("Jobs")


async def test_filters_and_orders_are_remembered_and_shown(site: Path) -> None:
    async with opened(site) as it:
        await it.go_to(Kind.HOST)
        await it.press("slash", "g", "p", "u", "enter", "greater_than_sign", "equals_sign")
        await it.press("3", "slash", "b", "e", "l", "a", "enter")
    async with opened(site) as it:
        assert "/bela" in it.text
        await it.go_to(Kind.HOST)
        assert "/gpu" in it.text
        assert "name▼" in it.text.casefold()
        assert it.main.list.selected is not None
        assert "node01" not in it.main.list.query_one(Grid).text
        await it.press("escape")
        assert "node01" in it.main.list.query_one(Grid).text
    async with opened(site) as it:
        await it.go_to(Kind.HOST)
        assert it.main.list.filter == ""


async def test_the_filter_begun_among_the_kinds_is_that_of_the_place_beside_them(site: Path) -> None:
    async with opened(site) as it:
        await it.press("J", "1", "slash")
        await it.type("user=bela")
        await it.press("enter")
        assert "6 jobs of 26" in it.text
        assert it.main.action_context().pane is Pane.PAGE
        await it.press("6", "1", "slash")
        assert "There is no filter here." in it.text
        assert it.main.action_context().pane is Pane.KINDS
        assert not it.main.list.filter, "the hidden list of objects"


async def test_each_cluster_has_filters_and_orders_of_its_own_in_its_places(tmp_path: Path) -> None:
    site, teaching = cluster_copy("site", tmp_path), cluster_copy("teaching", tmp_path)
    async with opened(site) as it:
        await it.press("J", "slash", *"owner", "equals_sign", *"bela", "enter", "greater_than_sign")
        await it.press("M", "slash", *"node0", "enter")
    async with opened(teaching) as it:
        await it.press("J")
        assert "owner=bela" not in it.text
        await it.press("M")
        assert "/node0" not in it.text
    async with opened(site) as it:
        await it.press("J")
        assert "/ owner=bela" in it.text
        await it.press("M")
        assert "/node0" in it.text
        await it.press("escape")
    async with opened(site) as it:
        await it.press("M")
        assert "/node0" not in it.text


async def test_while_a_text_is_typed_the_footer_says_how_that_ends(tmp_path: Path) -> None:
    async with opened(cluster_copy("site", tmp_path)) as it:
        for keys in (("J",), ("M",), ("2",)):
            await it.press(*keys, "slash")
            assert "Enter keep   Esc leave" in it.text.splitlines()[-1]
            await it.press("escape")
            assert "? help" in it.text.splitlines()[-1]


async def test_about_names_the_folder_wherever_one_stands(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(site)
    async with opened(Path(), size=(180, 30)) as it:
        await it.press("colon")
        await it.type("about")
        await it.press("enter")
        assert f"cluster folder  {site}" in it.text


async def test_the_title_of_a_page_goes_there_though_an_action_has_that_name(site: Path) -> None:
    async with opened(site) as it:
        await go(it, "compare")
        assert it.main.pages.page == "compare"


async def test_only_the_private_teaching_cluster_begins_again(site: Path) -> None:
    async with opened(site) as it:
        await go(it, "start over")
        assert it.at_main
        assert any("Only the private copy of the teaching cluster" in toast for toast in it.toasts)


async def test_from_a_field_to_what_it_names_and_back(teaching: Path) -> None:
    async with opened(teaching) as it:
        await it.go_to(Kind.QUEUE, "all.q", "hostlist")
        await it.press("D")
        assert (it.main.kind, it.main.chosen) == (Kind.HOSTGROUP, "@allhosts")
        await it.press("B")
        assert isinstance(it.app.screen, PickOne)
        assert "queue all.q: hostlist" in it.text
        await it.press("enter")
        assert (it.main.kind, it.main.chosen, it.main.form.field) == (Kind.QUEUE, "all.q", "hostlist")
        await it.go_to(Kind.QUEUE, "all.q", "seq_no")
        await it.press("f12")
        assert any("nothing" in toast for toast in it.toasts)


async def test_jobs_are_among_those_that_name_an_object(teaching: Path) -> None:
    async with opened(teaching) as it:
        await it.go_to(Kind.COMPLEX, "gpu")
        await it.press("B")
        assert "-l gpu" in it.text
        await it.press("escape", "3", "D")
        assert isinstance(it.app.screen, PickOne)
        assert "Named by job" in it.text


async def test_a_name_typed_in_the_form_is_followed_too(teaching: Path) -> None:
    async with opened(teaching) as it:
        await it.go_to(Kind.COMPLEX, "gpu", "name")
        await it.press("enter")
        await it.type("cards")
        await it.press("enter")
        assert "gpu is used in" in it.text
        await it.press("n")
        assert not it.workspace.is_dirty()
        assert it.main.chosen == "gpu"
