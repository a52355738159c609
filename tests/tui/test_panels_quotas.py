"""The panels of quota sets: rules edited clause by clause and as text, what is used of them, and the hit test."""

from pathlib import Path

import pytest

from qmon_tui.model.kinds import Kind
from qmon_tui.model.quota_rules import rules_of
from qmon_tui.tui.base.table_panel import Grid
from qmon_tui.tui.quotas.filter_dialog import FilterDialog
from qmon_tui.tui.quotas.rule_dialog import RuleDialog
from tests.tui.screen_harness import Opened, cluster_copy, opened

QUOTAS = """\
quotas:
  people:
    enabled: TRUE
    limit:
    # staff on the big hosts
    - name staff users {@staff,!chen} hosts @bignodes to slots=12   # for now
    - users {@students} to slots=4
    - users {*} to slots=16,h_vmem=64G
  nights:
    enabled: FALSE
    limit: to slots=8
"""


@pytest.fixture
def site(tmp_path: Path) -> Path:
    folder = cluster_copy("site", tmp_path)
    (folder / "quotas.yaml").write_text(QUOTAS)
    return folder


def rules(it: Opened, name: str = "people") -> tuple[str, ...]:
    obj = it.workspace.cluster.get(Kind.QUOTA, name)
    assert obj is not None
    return rules_of(obj.text("limit"))


def grid(it: Opened) -> Grid:
    view = it.main.form.panels.view
    assert view is not None
    return view.query_one(Grid)


def cells(it: Opened) -> list[str]:
    rows = grid(it).grid_rows
    return [rows.text(index) for index in range(len(rows))]


async def go(it: Opened, tab: str, name: str = "people") -> None:
    await it.go_to(Kind.QUOTA, name)
    it.main.form.choose_group(tab)
    await it.settle()


async def test_rules_are_listed_with_what_is_used_most(site: Path) -> None:
    async with opened(site, size=(140, 40)) as it:
        await go(it, "Rules")
        assert [line.split() for line in cells(it)] == [
            ["staff", "{@staff,!chen}", "@bignodes", "slots=12", "slots", "0", "→", "1/12"],
            ["2", "{@students}", "all", "slots=4", "slots", "1", "→", "4/4"],
            ["3", "{*}", "all", "slots=16,h_vmem=64G", "h_vmem", "88.000G/64.000G"],
        ]
        assert "each user of @staff but chen" in it.text


async def test_a_clause_is_edited_with_what_the_cluster_has(site: Path) -> None:
    async with opened(site, size=(100, 40)) as it:
        await go(it, "Rules")
        await it.press("j", "e", "up", "up", "up", "up", "up", "enter")
        assert isinstance(it.app.screen, FilterDialog)
        # Who counts becomes who is left out; another one counts; then not each on its own.
        await it.press("space")
        await it.type("bela")
        await it.press("space", "tab")
        assert it.app.screen.text == "bela,!@students"
        await it.press("enter")
        assert isinstance(it.app.screen, RuleDialog)
        await it.press("f2")
        assert it.at_main
        assert rules(it)[1] == "users bela,!@students to slots=4"
        await it.press("u")
        assert rules(it)[1] == "users {@students} to slots=4"


async def test_an_exception_with_an_end_comes_before_the_rule(site: Path) -> None:
    async with opened(site) as it:
        await go(it, "Rules")
        before = it.workspace.cluster.objects(Kind.QUOTA)["people"].text("limit").split("\n")
        await it.press("Y")
        await it.type("bela tomorrow")
        await it.press("enter")
        assert '"tomorrow" is not a day' in it.text
        await it.type("bela 2026-12-01")
        await it.press("enter", "f2")
        after = it.workspace.cluster.objects(Kind.QUOTA)["people"].text("limit").split("\n")
        assert after[1:] == before
        assert after[0].startswith("name bela_until_2026-12-01 users bela ")
        assert after[0].partition(" to ")[2] == before[0].partition(" to ")[2]


async def test_rules_are_added_copied_moved_and_deleted_each_as_one_edit(site: Path) -> None:
    async with opened(site, size=(100, 40)) as it:
        await go(it, "Rules")
        before = rules(it)
        await it.press("c")
        assert rules(it) == (before[0], "users {@staff,!chen} hosts @bignodes to slots=12", *before[1:])
        assert grid(it).cursor == 1
        await it.press("d")
        assert rules(it) == before
        await it.press("greater_than_sign")
        assert rules(it) == (before[0], before[2], before[1])
        assert "! " in cells(it)[2] or grid(it).grid_rows.rows[2].signs[0].text == "!"
        await it.press("less_than_sign", "a", "f2")
        assert len(rules(it)) == 4
        for _ in range(5):
            await it.press("u")
        assert rules(it) == before
        assert not it.workspace.is_dirty()


async def test_all_rules_are_edited_as_text_and_the_set_is_switched(site: Path) -> None:
    async with opened(site, size=(100, 40)) as it:
        await go(it, "Rules")
        await it.press("ctrl+e")
        it.app.screen.query_one("TextArea").text = "users {*} to slots=1"  # type: ignore[attr-defined]
        await it.press("f2")
        assert rules(it) == ("users {*} to slots=1",)
        assert "set needs one" in (it.main.action_context().refusal("rules.delete") or "")
        await it.press("0")
        assert it.workspace.cluster.objects(Kind.QUOTA)["people"].text("enabled") == "FALSE"
        assert "○ disabled" in it.text


async def test_saving_leaves_the_lines_of_other_rules_alone(site: Path) -> None:
    async with opened(site, size=(100, 40)) as it:
        await go(it, "Rules")
        await it.press("j", "j", "shift+up")
        await it.press("s", "f2")
        assert (site / "quotas.yaml").read_text().splitlines()[4:8] == [
            "    # staff on the big hosts",
            "    - name staff users {@staff,!chen} hosts @bignodes to slots=12   # for now",
            "    - users {*} to slots=16,h_vmem=64G",
            "    - users {@students} to slots=4",
        ]


async def test_usage_is_that_of_qquota_the_fullest_counter_first(site: Path) -> None:
    async with opened(site, size=(140, 40)) as it:
        await go(it, "Usage")
        lines = [line.split() for line in cells(it)]
        assert lines[0][:6] == ["staff", "slots", "0", "→", "1", "12"]
        assert [line[0] for line in lines] == sorted((line[0] for line in lines), key=["staff", "2", "3"].index)
        result = it.workspace.result
        assert result is not None
        assert result.outcome is not None
        assert len(lines) == len(result.outcome.quotas or ())
        await go(it, "Usage", "nights")
        assert "nothing is counted" in it.text


async def test_the_hit_test_says_which_rule_counts_and_why_others_do_not(site: Path) -> None:
    async with opened(site, size=(180, 40)) as it:
        await go(it, "Hit test")
        await it.press("enter")
        await it.type("chen")
        await it.press("enter", "end")
        said = cells(it)
        assert said[0].split() == ["user", "chen"]
        assert [line.split()[:4] for line in said if line.startswith("people")] == [["people", "rule", "3", "counts"]]
        assert any("users: chen is left out by !chen" in line for line in said)
        assert any("disabled; rule 1 would count" in line for line in said)


async def test_read_only_nothing_can_be_edited(site: Path) -> None:
    async with opened(site, size=(100, 40), read_only=True) as it:
        await go(it, "Rules")
        before = rules(it)
        await it.press("d", "c", "0", "enter", "greater_than_sign")
        assert it.at_main
        assert rules(it) == before
        assert any("read-only" in toast for toast in it.toasts)
