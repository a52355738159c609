"""The list and form of complexes, driven by keys and mouse in a tiny application."""

from textual.pilot import Pilot
from textual.widgets import Input

from qmon_tui.model.kinds import Kind
from qmon_tui.tui.base.messages import EditRequested, FieldEdited, JumpRequested
from qmon_tui.tui.base.table_panel import Grid
from qmon_tui.tui.forms.dialogs.pick_dialogs import PickOne
from qmon_tui.tui.forms.field_row import FieldRow
from tests.tui.forms_harness import Harness, small_cluster, workspace_of
from tests.tui.forms_steps import form_text, go_to, row, type_text

SIZE = (80, 24)


def harness(*, read_only: bool = False) -> Harness:
    return Harness(workspace_of(small_cluster(), read_only=read_only), Kind.COMPLEX)


def value(app: Harness, field: str, name: str = "gpu") -> str:
    obj = app.workspace.cluster.get(Kind.COMPLEX, name)
    assert obj is not None
    return obj.text(field)


async def open_entry(app: Harness, pilot: Pilot[None], name: str = "gpu") -> None:
    await pilot.pause()
    assert app.list.select(name)
    await pilot.pause()
    app.form.focus()
    await pilot.pause()


async def test_moving_in_the_list_shows_the_object_in_the_form() -> None:
    app = harness()
    async with app.run_test(size=SIZE) as pilot:
        await open_entry(app, pilot)
        assert "‹INT›" in form_text(app)
        app.list.focus()
        await pilot.press("down")
        await pilot.pause()
        assert app.form.object_name == "arch_note"
        assert "‹RESTRING›" in form_text(app)


async def test_a_typed_value_is_posted_and_marked() -> None:
    app = harness()
    async with app.run_test(size=SIZE) as pilot:
        await open_entry(app, pilot)
        await go_to(app, pilot, "urgency")
        await pilot.press("enter")
        await type_text(app, pilot, "250")
        await pilot.press("enter")
        await pilot.pause()
        assert value(app, "urgency") == "250"
        assert isinstance(app.facts[-1], FieldEdited)
        assert (app.facts[-1].name, app.facts[-1].field, app.facts[-1].typing) == ("gpu", "urgency", False)
        assert row(app, "urgency").lstrip().startswith("▸● urgency")
        assert app.workspace.history.undo_label == "set urgency of complex gpu"


async def test_findings_stand_below_the_field_while_typing_and_escape_drops_what_was_typed() -> None:
    app = harness()
    async with app.run_test(size=SIZE) as pilot:
        await open_entry(app, pilot)
        await go_to(app, pilot, "urgency")
        await pilot.press("enter")
        await type_text(app, pilot, "many")
        assert "while parsing the urgency value" in " ".join(form_text(app).split())
        await pilot.press("escape")
        await pilot.pause()
        assert "while parsing" not in form_text(app)
        assert not app.workspace.is_dirty()
        assert isinstance(app.focused, FieldRow)


async def test_what_is_typed_reaches_the_schedule_after_a_pause_and_is_one_step_of_undo() -> None:
    app = harness()
    async with app.run_test(size=SIZE) as pilot:
        await open_entry(app, pilot)
        await go_to(app, pilot, "urgency")
        await pilot.press("enter")
        await type_text(app, pilot, "2")
        app.form._pass_on()
        await pilot.pause()
        assert value(app, "urgency") == "2"
        assert isinstance(app.focused, Input)
        await type_text(app, pilot, "25")
        await pilot.press("enter")
        await pilot.pause()
        assert value(app, "urgency") == "25"
        app.workspace.undo()
        assert value(app, "urgency") == "100"
        assert app.workspace.history.undo_label is None


async def test_escape_takes_back_what_the_schedule_has_seen_already() -> None:
    app = harness()
    async with app.run_test(size=SIZE) as pilot:
        await open_entry(app, pilot)
        await go_to(app, pilot, "urgency")
        await pilot.press("enter")
        await type_text(app, pilot, "7")
        app.form._pass_on()
        await pilot.pause()
        assert app.workspace.is_dirty()
        await pilot.press("escape")
        await pilot.pause()
        assert value(app, "urgency") == "100"
        assert not app.workspace.is_dirty()


async def test_a_wrong_value_is_not_passed_on_but_can_be_kept() -> None:
    app = harness()
    async with app.run_test(size=SIZE) as pilot:
        await open_entry(app, pilot)
        await go_to(app, pilot, "urgency")
        await pilot.press("enter")
        await type_text(app, pilot, "x")
        app.form._pass_on()
        await pilot.pause()
        assert value(app, "urgency") == "100"
        await pilot.press("enter")
        await pilot.pause()
        assert value(app, "urgency") == "x"
        assert "✗" in form_text(app)


async def test_a_type_brings_valid_columns_with_it_in_one_edit() -> None:
    app = harness()
    async with app.run_test(size=SIZE) as pilot:
        await open_entry(app, pilot)
        await go_to(app, pilot, "type")
        await pilot.press("enter")
        await pilot.pause()
        assert isinstance(app.screen, PickOne)
        await pilot.press(*"string", "enter")
        await pilot.pause()
        assert isinstance(app.facts[-1], EditRequested)
        assert [value(app, f) for f in ("type", "relop", "consumable", "default")] == ["STRING", "==", "NO", "NONE"]
        app.workspace.undo()
        assert [value(app, f) for f in ("type", "relop", "consumable")] == ["INT", "<=", "YES"]


async def test_space_steps_through_few_choices() -> None:
    app = harness()
    async with app.run_test(size=SIZE) as pilot:
        await open_entry(app, pilot)
        await go_to(app, pilot, "consumable")
        await pilot.press("space")
        await pilot.pause()
        assert value(app, "consumable") == "JOB"
        await pilot.press("space")
        await pilot.pause()
        assert (value(app, "consumable"), "‹<=›" in row(app, "relop")) == ("NO", True)


async def test_what_is_built_in_is_grey_with_the_reason() -> None:
    app = harness()
    async with app.run_test(size=SIZE) as pilot:
        await open_entry(app, pilot, "h_vmem")
        await go_to(app, pilot, "type")
        assert "Fixed: built in" in form_text(app)
        await pilot.press("enter")
        await pilot.pause()
        assert app.screen.focused is not None
        assert not isinstance(app.screen, PickOne)
        assert [toast.message for toast in app._notifications][-1].startswith("type is fixed: built in"), (
            "the key says why"
        )
        await open_entry(app, pilot, "slots")
        await go_to(app, pilot, "consumable")
        await pilot.press("space")
        await pilot.pause()
        assert not app.workspace.is_dirty()


async def test_string_built_ins_offer_only_string_types() -> None:
    app = harness()
    async with app.run_test(size=SIZE) as pilot:
        await open_entry(app, pilot, "arch")
        await go_to(app, pilot, "type")
        await pilot.press("enter")
        await pilot.pause()
        grid = app.screen.query_one(Grid)
        assert [grid_row.key for grid_row in grid.grid_rows.rows] == ["STRING", "CSTRING", "RESTRING"]


async def test_who_uses_it_is_shown_and_can_be_gone_to() -> None:
    app = harness()
    async with app.run_test(size=SIZE) as pilot:
        await open_entry(app, pilot)
        assert "complex_values of queue all.q" in form_text(app)
        assert "complex_values of host node01" in form_text(app)
        await pilot.press("end", "enter")
        await pilot.pause()
        await pilot.press(*"host", "enter")
        await pilot.pause()
        jumps = [fact for fact in app.facts if isinstance(fact, JumpRequested)]
        assert jumps == [JumpRequested(Kind.HOST, "node01", "complex_values")]


async def test_read_only_edits_nothing_and_says_why() -> None:
    app = harness(read_only=True)
    async with app.run_test(size=SIZE) as pilot:
        await open_entry(app, pilot)
        await go_to(app, pilot, "urgency")
        await pilot.press("enter", "5", "enter", "space", "backspace")
        await pilot.pause()
        assert not any(isinstance(fact, FieldEdited | EditRequested) for fact in app.facts)
        assert "read-only" in form_text(app)


async def test_a_renamed_object_stays_in_the_form() -> None:
    app = harness()
    async with app.run_test(size=SIZE) as pilot:
        await open_entry(app, pilot)
        await go_to(app, pilot, "name")
        await pilot.press("enter")
        await type_text(app, pilot, "gpus")
        app.form._pass_on()
        await pilot.pause()
        assert "gpu" in app.workspace.cluster.objects(Kind.COMPLEX)
        await pilot.press("enter")
        await pilot.pause()
        assert "gpus" in app.workspace.cluster.objects(Kind.COMPLEX)
        assert "gpu" not in app.workspace.cluster.objects(Kind.COMPLEX)
        assert app.form.object_name == "gpus"


async def test_the_mouse_focuses_edits_and_sorts() -> None:
    app = harness()
    async with app.run_test(size=SIZE) as pilot:
        await open_entry(app, pilot)
        urgency = next(r for r in app.form.rows if r.view and r.view.field.name == "urgency")
        assert await pilot.click(urgency, offset=(5, 0))
        assert app.focused is urgency
        assert await pilot.click(urgency, offset=(16, 0))
        await pilot.pause()
        assert isinstance(app.focused, Input)
        await pilot.press("escape")
        grid = app.list.query_one(Grid)
        assert await pilot.click(grid, offset=(5, 0))
        await pilot.pause()
        assert grid.grid_rows.rows[0].key == "arch"
        assert await pilot.click(grid, offset=(5, 0))
        await pilot.pause()
        assert grid.grid_rows.rows[0].key == "virtual_used"
        assert app.list.selected == "gpu"


async def test_the_filter_narrows_the_list_and_keeps_the_cursor() -> None:
    app = harness()
    async with app.run_test(size=SIZE) as pilot:
        await open_entry(app, pilot)
        app.list.action_filter()
        await pilot.pause()
        await pilot.press(*"int", "space", *"yes")
        await pilot.pause()
        grid = app.list.query_one(Grid)
        assert all("INT" in grid_row.cells[2].text for grid_row in grid.grid_rows.rows)
        assert app.list.selected == "gpu"
        await pilot.press("enter")
        await pilot.pause()
        assert app.focused is grid
        app.list.set_filter("no such thing")
        await pilot.pause()
        assert [app.list.selected, app.form.object_name] == [None, None]
        app.list.action_clear_filter()
        assert len(grid.grid_rows.rows) == len(app.workspace.cluster.objects(Kind.COMPLEX))
