"""The form of a queue: tabs, values per host, and what a queue instance takes in the end."""

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from qmon_tui.model.catalogue import spec
from qmon_tui.model.kinds import Kind
from qmon_tui.tui.base.table_panel import Grid
from qmon_tui.tui.forms.dialogs.effective_values_dialog import EffectiveDialog
from qmon_tui.tui.forms.dialogs.pick_dialogs import PickOne
from qmon_tui.tui.forms.field_view import SHORT_TITLES
from tests.tui.forms_harness import Harness, small_cluster, workspace_of
from tests.tui.forms_steps import form_text, go_to, row, screen_text, type_text, words

TABS = (
    "General", "Execution", "Checkpointing", "Parallel environments", "Thresholds", "Limits", "Complexes",
    "Subordinates", "User access", "Project access", "Owners",
)  # fmt: skip


def harness() -> Harness:
    return Harness(workspace_of(small_cluster()), Kind.QUEUE)


def value(app: Harness, field: str, name: str = "all.q") -> str | None:
    obj = app.workspace.cluster.get(Kind.QUEUE, name)
    assert obj is not None
    return obj.given(field)


async def open_queue(app: Harness, pilot: Pilot[None], name: str = "all.q") -> None:
    await pilot.pause()
    assert app.list.select(name)
    await pilot.pause()
    app.form.focus()
    await pilot.pause()


@pytest.mark.parametrize("size", [(80, 24), (60, 20), (140, 40)])
async def test_all_50_fields_can_be_reached_tab_by_tab_and_nothing_runs_over_the_edge(size: tuple[int, int]) -> None:
    app = harness()
    async with app.run_test(size=size) as pilot:
        await open_queue(app, pilot)
        seen: list[str] = []
        for tab in TABS:
            assert app.form.group() == tab
            assert app.form.tabs.chosen == tab
            assert tab in form_text(app) or SHORT_TITLES.get(tab, tab) in form_text(app)
            fields = app.form.fields()
            for field in fields:
                assert app.form.field == field.name
                await pilot.press("down")
            # The last press may have gone on to the references.
            seen += [field.name for field in fields]
            assert app.form.max_scroll_x == 0
            await pilot.press("right")
            await pilot.pause()
        assert seen == [f.name for tab in TABS for f in spec(Kind.QUEUE).fields if f.group == tab]
        assert len(seen) == 50


async def test_each_scope_shows_its_own_and_inherited_values() -> None:
    app = harness()
    async with app.run_test(size=(80, 24)) as pilot:
        await open_queue(app, pilot)
        await go_to(app, pilot, "slots")
        assert "◆ 3" in row(app, "slots")
        await pilot.press("full_stop")
        await pilot.pause()
        assert app.form.scope == "@big"
        assert row(app, "slots").split() == ["▸", "slots", "8", "◆"]
        assert "same as for all hosts" in row(app, "tmpdir")
        await pilot.press("full_stop")
        await pilot.pause()
        assert row(app, "slots").split() == ["▸", "slots", "4", "◆"]
        assert "node99 ◆1 detached" in form_text(app)


async def test_an_override_is_set_and_taken_away_again() -> None:
    app = harness()
    async with app.run_test(size=(80, 24)) as pilot:
        await open_queue(app, pilot)
        app.form.choose_scope("node02")
        await go_to(app, pilot, "seq_no")
        await pilot.press("enter")
        await type_text(app, pilot, "5")
        await pilot.press("enter")
        await pilot.pause()
        assert value(app, "seq_no") == "0,[node02=5]"
        assert "node02 ◆1" in form_text(app)
        await pilot.press("backspace")
        await pilot.pause()
        assert value(app, "seq_no") == "0"
        assert "same as for all hosts" in row(app, "seq_no")


async def test_fields_that_hold_for_all_hosts_are_locked_in_a_scope() -> None:
    app = harness()
    async with app.run_test(size=(80, 24)) as pilot:
        await open_queue(app, pilot)
        app.form.choose_scope("@big")
        await go_to(app, pilot, "hostlist")
        await pilot.press("enter")
        await pilot.pause()
        assert app.screen is app.screen_stack[0]
        assert "the same on all hosts" in words(form_text(app))


async def test_any_host_can_be_given_values() -> None:
    app = harness()
    async with app.run_test(size=(80, 24)) as pilot:
        await open_queue(app, pilot)
        await pilot.press("f9")
        await pilot.pause()
        assert isinstance(app.screen, PickOne)
        await pilot.press(*"node03", "enter")
        await pilot.pause()
        assert app.form.scope == "node03"
        await pilot.press("f9")
        await pilot.pause()
        await pilot.press(*"node77", "enter")
        await pilot.pause()
        assert app.form.scope == "node77"


async def test_the_whole_text_can_be_typed_as_qconf_shows_it() -> None:
    app = harness()
    async with app.run_test(size=(80, 24)) as pilot:
        await open_queue(app, pilot)
        await go_to(app, pilot, "slots")
        await pilot.press("f3")
        await pilot.pause()
        assert isinstance(app.focused, Input)
        assert app.focused.value == "1,[node01=4],[@big=8],[node99=2]"
        await type_text(app, pilot, "2,[node01=4]")
        await pilot.press("enter")
        await pilot.pause()
        assert value(app, "slots") == "2,[node01=4]"


async def test_effective_values_host_by_host_with_their_origin() -> None:
    app = harness()
    async with app.run_test(size=(80, 24)) as pilot:
        await open_queue(app, pilot)
        await go_to(app, pilot, "slots")
        await pilot.press("f6")
        await pilot.pause()
        assert isinstance(app.screen, EffectiveDialog)
        rows = [[cell.text for cell in grid_row.cells] for grid_row in app.screen.query_one(Grid).grid_rows.rows]
        assert rows[0] == ["all.q@node01", "4", "node01"]
        assert rows[1] == ["all.q@node02", "1", "default"]
        assert rows[3][:2] == ["node99", "2"]
        assert "detached" in rows[3][2]
        await pilot.press("down", "enter")
        await pilot.pause()
        assert app.form.scope == "node02"


async def test_another_kind_begins_with_its_first_field_even_while_the_form_has_the_focus() -> None:
    app = harness()
    async with app.run_test(size=(80, 24)) as pilot:
        await open_queue(app, pilot)
        await go_to(app, pilot, "slots")
        app.form.show(Kind.COMPLEX, "gpu")
        await pilot.pause()
        assert app.form.field == "name"
        assert app.form.rows[0].has_focus
        assert "Name used in qsub -l" in form_text(app)


async def test_user_text_is_never_markup() -> None:
    app = harness()
    async with app.run_test(size=(140, 40)) as pilot:
        await open_queue(app, pilot, "low.q")
        await go_to(app, pilot, "prolog")
        assert "[/foo]" in form_text(app)
        await pilot.press("enter")
        await type_text(app, pilot, "1,[node01=4] [bold]x")
        await pilot.press("enter")
        await pilot.pause()
        assert value(app, "prolog", "low.q") == "1,[node01=4] [bold]x"
        assert "[bold]x" in screen_text(app)


async def test_up_and_down_keep_what_is_typed_and_go_on() -> None:
    app = harness()
    async with app.run_test(size=(80, 24)) as pilot:
        await open_queue(app, pilot)
        await go_to(app, pilot, "h_rt")
        await pilot.press("enter")
        await type_text(app, pilot, "1:30:0")
        assert "1 h 30 min" in row(app, "h_rt")
        await pilot.press("down")
        await pilot.pause()
        assert value(app, "h_rt") == "1:30:0"
        assert app.form.field == "s_cpu"


async def test_an_empty_input_is_the_default() -> None:
    app = harness()
    async with app.run_test(size=(80, 24)) as pilot:
        await open_queue(app, pilot)
        await go_to(app, pilot, "h_rt")
        await pilot.press("enter")
        await type_text(app, pilot, "")
        await pilot.press("enter")
        await pilot.pause()
        assert value(app, "h_rt") is None
        assert "INFINITY" in row(app, "h_rt")


async def test_choosing_another_object_keeps_what_is_being_typed() -> None:
    app = harness()
    async with app.run_test(size=(80, 24)) as pilot:
        await open_queue(app, pilot)
        await go_to(app, pilot, "seq_no")
        await pilot.press("enter")
        await type_text(app, pilot, "9")
        app.list.select("low.q")
        await pilot.pause()
        await pilot.pause()
        assert app.form.object_name == "low.q"
        assert value(app, "seq_no") == "9"
        assert value(app, "seq_no", "low.q") == "10"


async def test_tab_leads_through_the_panes_not_through_every_field() -> None:
    app = harness()
    async with app.run_test(size=(80, 24)) as pilot:
        await open_queue(app, pilot)
        await go_to(app, pilot, "slots")
        await pilot.press("tab")
        await pilot.pause()
        assert isinstance(app.focused, Grid)
        await pilot.press("shift+tab")
        await pilot.pause()
        assert app.form.field == "slots"
        assert app.form.rows[5].has_focus or app.form.field == "slots"


async def test_a_tab_with_a_mistake_is_marked_even_out_of_sight() -> None:
    app = harness()
    async with app.run_test(size=(60, 24)) as pilot:
        await open_queue(app, pilot)
        await go_to(app, pilot, "projects")
        await pilot.press("f3")
        await type_text(app, pilot, "nobody")
        await pilot.press("enter")
        await pilot.pause()
        await go_to(app, pilot, "qname")
        tabs = next(line for line in form_text(app).split("\n") if "General" in line)
        assert tabs.rstrip().endswith("✗›")


async def test_what_the_qmaster_would_store_is_said_below_the_field() -> None:
    app = harness()
    async with app.run_test(size=(80, 24)) as pilot:
        await open_queue(app, pilot)
        await go_to(app, pilot, "seq_no")
        await pilot.press("enter")
        await type_text(app, pilot, "0x10")
        assert "will be stored as 16" in form_text(app)
        await pilot.press("enter")
        await pilot.pause()
        assert value(app, "seq_no") == "0x10"


async def test_fields_of_another_dialect_have_a_tab_of_their_own() -> None:
    cluster = small_cluster()
    obj = cluster.get(Kind.QUEUE, "low.q")
    assert obj is not None
    app = Harness(workspace_of(cluster.with_object(obj.with_value("jc_list", "ANY_JC"))), Kind.QUEUE)
    async with app.run_test(size=(80, 24)) as pilot:
        await open_queue(app, pilot, "low.q")
        assert app.form.groups()[-1] == "Other"
        await go_to(app, pilot, "jc_list")
        assert "ANY_JC" in row(app, "jc_list")
