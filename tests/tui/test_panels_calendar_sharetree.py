"""The panels of calendars and of the share tree, edited as their users would."""

import re
from pathlib import Path

import pytest
from textual.events import Paste

from qmon_tui.model.kinds import Kind
from qmon_tui.model.sharetree_editing import tree_rows
from qmon_tui.tui.base.table_panel import Grid
from tests.tui.screen_harness import Opened, cluster_copy, opened

OBJECTS = """\
calendars:
  nights: {week: "mon-fri=6-20=off"}   # at office hours
sharetree: |
  id=0
  name=Root
  type=0
  shares=1
  childnodes=1,2,3
  id=1
  name=climate
  type=1
  shares=200
  childnodes=4
  id=4
  name=default
  type=0
  shares=1
  childnodes=NONE
  id=2
  name=bela
  type=0
  shares=100
  childnodes=NONE
  id=3
  name=default
  type=0
  shares=100
  childnodes=NONE
usage:
  users:
    bela: {cpu: 100000}
    dora: {cpu: 300000}
"""


@pytest.fixture
def site(tmp_path: Path) -> Path:
    folder = cluster_copy("site", tmp_path)
    (folder / "objects.yaml").write_text(OBJECTS)
    policy = folder / "policy.yaml"
    policy.write_text(policy.read_text().replace("scheduler:\n", "scheduler:\n  weight_tickets_share: 100000\n"))
    return folder


def grid(it: Opened) -> Grid:
    view = it.main.form.panels.view
    assert view is not None
    return view.query_one(Grid)


def cells(it: Opened) -> list[list[str]]:
    rows = grid(it).grid_rows
    return [rows.text(index).split() for index in range(len(rows))]


async def go(it: Opened, kind: Kind, tab: str, name: str | None = None) -> None:
    await it.go_to(kind, name)
    it.main.form.choose_group(tab)
    await it.settle()


def paths(it: Opened) -> list[str]:
    return [row.path for row in tree_rows(it.workspace.cluster.single(Kind.SHARETREE).text("tree"))]


async def test_the_week_of_a_calendar_follows_what_is_typed(site: Path) -> None:
    async with opened(site, size=(120, 40)) as it:
        await go(it, Kind.CALENDAR, "Week", "nights")
        assert it.text.count("off 06:00-20:00") == 5
        await it.press("down", "e")
        await it.type("sat,sun=off")
        assert it.text.count("off all day") == 2
        await it.press("enter")
        obj = it.workspace.cluster.get(Kind.CALENDAR, "nights")
        assert obj is not None
        assert obj.text("week") == "sat,sun=off"
        await it.press("u", "right_square_bracket")
        assert it.text.count("off 06:00-20:00") == 5
        assert "Mon 09 Mar" in it.text


async def test_all_nodes_of_the_tree_with_their_numbers(site: Path) -> None:
    async with opened(site, size=(180, 40)) as it:
        await go(it, Kind.SHARETREE, "Tree")
        rows = {row[0]: row[1:] for row in cells(it)}
        assert rows["climate"][:3] == ["200", "50.00", "50.00"]
        assert rows["bela"][:3] == ["100", "25.00", "25.00"]
        # Users without a node share `default`, each as a row below it that is not the tree's own.
        assert rows["dora"][0] == "100"
        assert rows["dora"][4] == "75.00"
        grid(it).move_to("user /default/dora")
        await it.settle()
        await it.press("d")
        assert "no node" in it.toasts[-1]


async def test_nodes_are_edited_and_each_edit_is_undone(site: Path) -> None:
    async with opened(site, size=(100, 40)) as it:
        await go(it, Kind.SHARETREE, "Tree")
        before = paths(it)
        await it.press("j", "plus", "plus")
        assert cells(it)[1][:2] == ["climate", "240"]
        # Steps in a row are one edit.
        await it.press("u")
        assert cells(it)[1][:2] == ["climate", "200"]
        await it.press("a")
        await it.type("anna")
        await it.press("enter")
        assert paths(it) == [*before[:3], "/climate/anna", *before[3:]]
        assert cells(it)[grid(it).cursor][:2] == ["anna", "10"]
        await it.press("e")
        await it.type("30")
        await it.press("enter", "ctrl+x")
        await it.type("/")
        await it.press("enter")
        assert "/anna" in paths(it)
        await it.press("d", "u", "u", "u", "u")
        assert paths(it) == before
        assert not it.workspace.is_dirty()


async def test_a_new_node_comes_below_the_chosen_one_also_below_an_empty_folder(site: Path) -> None:
    async with opened(site, size=(100, 40)) as it:
        await go(it, Kind.SHARETREE, "Tree")
        await it.press("a", *"physics", "enter", "a")
        assert "Add below /physics" in it.text
        await it.press(*"anna", "enter")
        assert paths(it)[-2:] == ["/physics", "/physics/anna"]
        # A user has no nodes below him: what is added there becomes his neighbour.
        await it.press("a")
        assert "Add below /physics" in it.text


async def test_paths_with_shares_are_typed_or_pasted_and_shown_before_they_are_added(site: Path) -> None:
    async with opened(site, size=(100, 40)) as it:
        await go(it, Kind.SHARETREE, "Tree")
        await it.press("a", *"climate/chen", "enter")
        assert "/climate/chen" in paths(it)
        assert cells(it)[grid(it).cursor][:2] == ["chen", "10"]
        await it.press("home", "a")
        it.app.post_message(Paste("/physics/anna=40\n/climate=90\n"))
        await it.settle()
        assert re.search(r"/physics/anna +new, shares 40", it.text)
        assert re.search(r"/climate +shares 200 → 90", it.text)
        await it.press(*" /bela=", "enter")
        assert "must be a whole number" in it.text
        await it.press("7", "enter")
        rows = {row[0]: row[1] for row in cells(it)}
        assert (rows["climate"], rows["physics"], rows["anna"], rows["bela"]) == ("90", "10", "40", "7")
        await it.press("u", "u")
        assert not it.workspace.is_dirty()


async def test_find_goes_to_a_node_and_nobody_can_be_moved_below_himself(site: Path) -> None:
    async with opened(site, size=(100, 40)) as it:
        await go(it, Kind.SHARETREE, "Tree")
        await it.press("ctrl+f")
        await it.type("cli")
        await it.press("enter")
        assert cells(it)[grid(it).cursor][0] == "climate"
        await it.press("ctrl+x")
        assert "/climate" not in [line.strip("│ ▸") for line in it.text.splitlines()]


async def test_a_first_tree_is_begun_with_one_key(tmp_path: Path) -> None:
    async with opened(cluster_copy("site", tmp_path), size=(100, 30)) as it:
        await go(it, Kind.SHARETREE, "Tree")
        assert "no share tree yet" in it.text
        await it.press("a")
        assert paths(it) == ["/", "/default"]


async def test_the_forecast_halves_usage_in_a_halftime(site: Path) -> None:
    async with opened(site, size=(180, 40)) as it:
        await go(it, Kind.SHARETREE, "Forecast")
        rows = {row[0]: row[1:] for row in cells(it)}
        assert rows["bela"][:2] == ["100000", "90572"]
        assert "50 %" in " ".join(rows["bela"])
        assert "half of it is left after 7 days" in it.text


async def test_a_weight_is_turned_and_the_schedule_follows(site: Path) -> None:
    async with opened(site, size=(180, 40)) as it:
        await go(it, Kind.SCHEDULER, "Weights")
        grid(it).move_to("weight_ticket")
        await it.settle()
        revision = it.workspace.revision
        await it.press("plus", "plus")
        scheduler = it.workspace.cluster.single(Kind.SCHEDULER)
        assert scheduler.text("weight_ticket") == "0.600000"
        result = it.workspace.result
        assert result is not None
        assert result.revision == it.workspace.revision > revision
        await it.press("u")
        assert it.workspace.cluster.single(Kind.SCHEDULER).text("weight_ticket") == "0.500000"
        await it.press("e")
        await it.type("much")
        await it.press("enter")
        assert not it.at_main
        await it.type("0")
        await it.press("enter")
        # Tickets are divided that nobody feels: that is said below the table.
        assert "weight_ticket is 0: they do not count" in it.text


async def test_shares_and_override_tickets_are_edited_where_they_belong(site: Path) -> None:
    async with opened(site, size=(140, 40)) as it:
        await go(it, Kind.SCHEDULER, "Shares")
        grid(it).move_to("project:climate")
        await it.settle()
        await it.press("plus")
        await it.press("ctrl+o")
        await it.type("7")
        await it.press("enter")
        project = it.workspace.cluster.get(Kind.PROJECT, "climate")
        assert project is not None
        assert (project.text("fshare"), project.text("oticket")) == ("220", "7")
        grid(it).action_edge(-1)
        await it.settle()
        await it.press("e")
        assert "This is the sum" in it.toasts[-1]


async def test_jobs_have_shares_and_override_tickets_by_qalter(site: Path) -> None:
    async with opened(site, size=(140, 60)) as it:
        await go(it, Kind.SCHEDULER, "Shares")
        grid(it).move_to("job:109")
        await it.settle()
        await it.press("e")
        await it.type("30")
        await it.press("enter")
        await it.press("ctrl+o")
        await it.type("500")
        await it.press("enter")
        job = next(job for job in it.workspace.state.jobs if job.id == 109)
        assert (job.request.job_share, job.request.override_tickets) == (30, 500)
        # Who has some stands before those who have none, and the cursor stays with the job.
        assert next(row.key for row in grid(it).grid_rows.rows if row.key.startswith("job:")) == "job:109"
        assert grid(it).chosen == "job:109"
        await it.press("u", "u")
        assert not it.workspace.changes()


async def test_what_a_host_reports_can_be_changed_and_the_schedule_follows(site: Path) -> None:
    async with opened(site, size=(140, 40)) as it:
        await go(it, Kind.HOST, "Values", "node01")
        grid(it).move_to("np_load_avg")
        await it.settle()
        await it.press("e")
        await it.type("high")
        await it.press("enter")
        assert not it.at_main, "a load is a number"
        await it.type("9.5")
        await it.press("enter")
        assert it.workspace.state.loads["node01"]["np_load_avg"] == "9.5"
        outcome = it.workspace.result.outcome if it.workspace.result else None
        assert outcome is not None
        assert "a" in next(
            instance_outcome.state
            for instance_outcome in outcome.queue_instances
            if instance_outcome.name == "short.q@node01"
        )
        await it.press("minus")
        assert it.workspace.state.loads["node01"]["np_load_avg"] == "9.00"
        await it.press("d")
        assert "np_load_avg" not in it.workspace.state.loads["node01"]
        await it.press("a")
        await it.type("swap_free")
        await it.press("enter")
        await it.type("1G")
        await it.press("enter")
        assert it.workspace.state.loads["node01"]["swap_free"] == "1G"
        await it.press("s", "f2")
        assert not it.workspace.changes()
        assert "swap_free: 1G" in "".join(path.read_text() for path in site.glob("*.yaml"))


@pytest.mark.parametrize(
    ("kind", "name", "tab", "said"),
    [
        (Kind.HOSTGROUP, "@allhosts", "Tree", ["@gpunodes", "gpu01–02"]),
        (Kind.HOST, "node01", "Values", ["h_vmem", "64G"]),
        (Kind.USERSET, "students", "Members", ["dora", "emil"]),
        (Kind.USER, "bela", "Standing", ["node /bela", "100 shares"]),
        (Kind.PROJECT, "climate", "Standing", ["node /climate"]),
        (Kind.CONFIGURATION, "global", "Effective", ["execd_spool_dir", "default"]),
    ],
)
async def test_what_is_there_besides_the_fields(site: Path, kind: Kind, name: str, tab: str, said: list[str]) -> None:
    (site / "configuration.yaml").write_text("configuration:\n  global: {max_u_jobs: 7}\n")
    async with opened(site, size=(140, 50)) as it:
        await go(it, kind, tab, name)
        for word in said:
            assert word in it.text
        # Enter leads on, or does nothing; it never fails.
        await it.press("enter", "escape")
