"""The dialogs that find a field's value: pickers, tables, helpers."""

import pytest
from textual.pilot import Pilot
from textual.widgets import Input, TextArea

from qmon_tui.model.kinds import Kind
from qmon_tui.tui.forms.dialogs.amount_dialogs import MemoryDialog, TimeDialog
from qmon_tui.tui.forms.dialogs.pick_dialogs import PickMany, PickOne
from qmon_tui.tui.forms.dialogs.table_dialog import TableDialog
from qmon_tui.tui.forms.dialogs.value_dialog import LinesDialog
from tests.tui.forms_harness import Harness, small_cluster, workspace_of
from tests.tui.forms_steps import go_to, screen_text, type_text


def harness(kind: Kind = Kind.QUEUE) -> Harness:
    return Harness(workspace_of(small_cluster()), kind)


def value(app: Harness, field: str, kind: Kind = Kind.QUEUE, name: str = "all.q") -> str | None:
    obj = app.workspace.cluster.get(kind, name)
    assert obj is not None
    return obj.given(field)


async def open_field(app: Harness, pilot: Pilot[None], field: str, key: str = "enter", name: str = "all.q") -> None:
    await pilot.pause()
    assert app.list.select(name)
    await pilot.pause()
    await go_to(app, pilot, field)
    await pilot.press(key)
    await pilot.pause()


async def test_names_are_carried_over_between_available_and_referenced() -> None:
    app = harness()
    async with app.run_test(size=(80, 24)) as pilot:
        await open_field(app, pilot, "ckpt_list")
        assert isinstance(app.screen, PickMany)
        assert "available" in screen_text(app)
        await pilot.press("space", "enter")
        await pilot.pause()
        assert value(app, "ckpt_list") == "blcr"


async def test_typing_narrows_the_lists_and_a_group_says_how_many_hosts_it_has() -> None:
    app = harness()
    async with app.run_test(size=(80, 24)) as pilot:
        await open_field(app, pilot, "hostlist")
        assert "1 host" in screen_text(app)
        await pilot.press(*"de02", "space")
        await pilot.pause()
        assert "= @all node02" in screen_text(app)
        await pilot.press("right", "shift+up", "enter")
        await pilot.pause()
        assert value(app, "hostlist") == "@all node02"


async def test_referenced_names_can_be_put_in_another_order() -> None:
    app = harness()
    async with app.run_test(size=(80, 24)) as pilot:
        await open_field(app, pilot, "pe_list")
        await pilot.press("down", "shift+up", "enter")
        await pilot.pause()
        assert value(app, "pe_list") == "smp mpi"


async def test_hosts_to_come_and_users_of_the_system_can_be_typed() -> None:
    app = harness()
    async with app.run_test(size=(80, 24)) as pilot:
        await open_field(app, pilot, "owner_list")
        await pilot.press(*"usera", "space", "enter")
        await pilot.pause()
        assert value(app, "owner_list") == "usera"


async def test_enter_takes_the_name_that_is_typed() -> None:
    app = harness()
    async with app.run_test(size=(80, 24)) as pilot:
        await open_field(app, pilot, "owner_list")
        await pilot.press(*"zoe")
        assert "Enter take zoe and keep" in screen_text(app)
        await pilot.press("enter")
        await pilot.pause()
        assert value(app, "owner_list") == "zoe"
        await pilot.press("enter")
        await pilot.pause()
        await pilot.press(*"zo", "enter")
        await pilot.pause()
        assert value(app, "owner_list") == "zoe zo", "also where a name that is there already begins so"
        await go_to(app, pilot, "ckpt_list")
        await pilot.press("enter")
        await pilot.pause()
        await pilot.press(*"blc", "enter")
        await pilot.pause()
        assert value(app, "ckpt_list") == "blcr"


async def test_hosts_are_typed_as_a_node_set_as_a_yaml_file_may_have_them() -> None:
    app = harness()
    async with app.run_test(size=(80, 24)) as pilot:
        await open_field(app, pilot, "hostlist")
        await pilot.press(*"gpu[8-10]", "space", "enter")
        await pilot.pause()
        assert value(app, "hostlist") == "@all gpu8 gpu9 gpu10"
        await pilot.press("t")
        await pilot.pause()
        await type_text(app, pilot, "fat[1-2]")
        await pilot.press("enter")
        await pilot.pause()
        assert value(app, "hostlist") == "fat1 fat2"


async def test_what_must_exist_cannot_be_invented_and_escape_changes_nothing() -> None:
    app = harness()
    async with app.run_test(size=(80, 24)) as pilot:
        await open_field(app, pilot, "pe_list")
        await pilot.press(*"zzz", "space", "enter")
        await pilot.pause()
        assert "“zzz” matches no name" in screen_text(app)
        await pilot.press("escape")
        await pilot.pause()
        assert value(app, "pe_list") == "mpi smp"
        assert not app.workspace.is_dirty()


async def test_flags_are_kept_in_their_order() -> None:
    app = harness()
    async with app.run_test(size=(80, 24)) as pilot:
        await open_field(app, pilot, "qtype")
        await pilot.press("space", "enter")
        await pilot.pause()
        assert value(app, "qtype") == "INTERACTIVE"
        await pilot.press("enter")
        await pilot.pause()
        await pilot.press("space", "enter")
        await pilot.pause()
        assert value(app, "qtype") == "BATCH INTERACTIVE"


async def test_a_calendar_is_one_that_exists() -> None:
    app = harness()
    async with app.run_test(size=(80, 24)) as pilot:
        await open_field(app, pilot, "calendar")
        assert isinstance(app.screen, PickOne)
        await pilot.press(*"ni", "enter")
        await pilot.pause()
        assert value(app, "calendar") == "night"


async def test_amounts_are_typed_row_by_row_and_checked_by_type() -> None:
    app = harness()
    async with app.run_test(size=(80, 24)) as pilot:
        await open_field(app, pilot, "complex_values")
        assert isinstance(app.screen, TableDialog)
        await type_text(app, pilot, "many")
        assert "not a value of type INT" in screen_text(app)
        await type_text(app, pilot, "2")
        await pilot.press("ctrl+n")
        await pilot.pause()
        await pilot.press(*"h_vm", "enter")
        await pilot.pause()
        assert "h_vmem needs a value" in screen_text(app)
        await pilot.press("enter")
        await pilot.pause()
        assert isinstance(app.screen, TableDialog)
        await type_text(app, pilot, "1.5G")
        assert "1.5 GiB" in screen_text(app)
        await pilot.press("enter")
        await pilot.pause()
        assert value(app, "complex_values") == "gpu=2,h_vmem=1.5G"


async def test_the_first_key_in_a_cell_replaces_its_value_and_an_arrow_keeps_it() -> None:
    app = harness()
    async with app.run_test(size=(80, 24)) as pilot:
        await open_field(app, pilot, "complex_values")
        await pilot.press(*"12", "enter")
        await pilot.pause()
        assert value(app, "complex_values") == "gpu=12"
        await open_field(app, pilot, "complex_values")
        await pilot.press("end", "0", "enter")
        await pilot.pause()
        assert value(app, "complex_values") == "gpu=120"


async def test_rows_are_taken_away() -> None:
    app = harness()
    async with app.run_test(size=(80, 24)) as pilot:
        await open_field(app, pilot, "complex_values")
        await pilot.press("ctrl+r", "enter")
        await pilot.pause()
        assert value(app, "complex_values") == "NONE"


async def test_an_override_of_a_table_is_one_of_that_scope() -> None:
    app = harness()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        app.form.choose_scope("node01")
        await open_field(app, pilot, "complex_values")
        await type_text(app, pilot, "4")
        await pilot.press("enter")
        await pilot.pause()
        assert value(app, "complex_values") == "gpu=1,[node01=gpu=4]"


async def test_subordinates_queue_wise_and_slot_wise() -> None:
    app = harness()
    async with app.run_test(size=(80, 24)) as pilot:
        await open_field(app, pilot, "subordinate_list")
        assert isinstance(app.screen, PickOne)
        await pilot.press("enter")
        await pilot.pause()
        await type_text(app, pilot, "4")
        assert "when 4 of its slots are used" in " ".join(screen_text(app).split())
        await pilot.press("enter")
        await pilot.pause()
        assert value(app, "subordinate_list") == "low.q=4"
        await pilot.press("enter")
        await pilot.pause()
        await pilot.press("ctrl+t")
        await pilot.pause()
        await type_text(app, pilot, "8")
        await pilot.press("down")
        await type_text(app, pilot, "2:lr")
        await pilot.press("enter")
        await pilot.pause()
        assert value(app, "subordinate_list") == "slots=8(low.q:2:lr)"


async def test_a_time_from_days_hours_minutes_and_seconds() -> None:
    app = harness()
    async with app.run_test(size=(80, 24)) as pilot:
        await open_field(app, pilot, "h_rt", "space")
        assert isinstance(app.screen, TimeDialog)
        await type_text(app, pilot, "2")
        await pilot.press("tab", "up", "tab")
        await type_text(app, pilot, "5")
        assert "= 49:05:00" in screen_text(app)
        await pilot.press("enter")
        await pilot.pause()
        assert value(app, "h_rt") == "49:05:00"


async def test_a_time_without_limit() -> None:
    app = harness()
    async with app.run_test(size=(80, 24)) as pilot:
        await open_field(app, pilot, "h_rt", "space")
        await pilot.press("ctrl+t", "enter")
        await pilot.pause()
        assert value(app, "h_rt") == "INFINITY"


async def test_half_a_number_is_not_kept() -> None:
    app = harness()
    async with app.run_test(size=(80, 24)) as pilot:
        await open_field(app, pilot, "h_rt", "space")
        await type_text(app, pilot, "1.5")
        await pilot.press("enter")
        await pilot.pause()
        assert isinstance(app.screen, TimeDialog)
        assert "days must be a whole number" in screen_text(app)


async def test_memory_from_amount_and_unit() -> None:
    app = harness()
    async with app.run_test(size=(80, 24)) as pilot:
        await open_field(app, pilot, "h_vmem", "space")
        assert isinstance(app.screen, MemoryDialog)
        assert "= INFINITY" in screen_text(app)
        await pilot.press(*"1.5")
        assert "= 1.5G   1.5 GiB" in screen_text(app)
        await pilot.press("m")
        assert "= 1.5m " in screen_text(app)
        await pilot.press("up")
        assert "= 1.5M   1.5 MiB" in screen_text(app)
        await pilot.press("enter")
        await pilot.pause()
        assert value(app, "h_vmem") == "1.5M"


async def test_typing_a_part_ends_infinity_and_f2_brings_it_back() -> None:
    app = harness()
    async with app.run_test(size=(80, 24)) as pilot:
        await open_field(app, pilot, "s_rt", "space")
        assert "= INFINITY" in screen_text(app)
        await pilot.press("tab", "8")
        await pilot.pause()
        assert "= 08:00:00" in screen_text(app)
        await pilot.press("ctrl+t")
        await pilot.pause()
        assert "= INFINITY" in screen_text(app)
        await pilot.press("ctrl+t", "enter")
        await pilot.pause()
        assert value(app, "s_rt") == "08:00:00"


async def test_the_keys_of_a_helper_are_all_in_sight_on_every_width() -> None:
    for size in ((80, 24), (100, 30), (140, 40)):
        app = harness()
        async with app.run_test(size=size) as pilot:
            await open_field(app, pilot, "h_rt", "space")
            await pilot.pause()
            assert "Enter keep" in screen_text(app)
            assert "Esc cancel" in screen_text(app)


async def test_the_helper_can_be_called_while_typing() -> None:
    app = harness()
    async with app.run_test(size=(80, 24)) as pilot:
        await open_field(app, pilot, "h_rt")
        await type_text(app, pilot, "90000")
        await pilot.press("f4")
        await pilot.pause()
        assert isinstance(app.screen, TimeDialog)
        assert app.screen.query_one("#hours", Input).value == "1"
        await pilot.press("escape")


async def test_rules_are_typed_in_lines() -> None:
    cluster = small_cluster()
    from qmon_tui.model.cluster import config_object

    quota = config_object(Kind.QUOTA, "lab", {"name": "lab", "enabled": "TRUE", "limit": "users * to slots=9"})
    app = Harness(workspace_of(cluster.with_object(quota)), Kind.QUOTA)
    async with app.run_test(size=(80, 24)) as pilot:
        await open_field(app, pilot, "limit", name="lab")
        assert isinstance(app.screen, LinesDialog)
        app.screen.query_one(TextArea).text = "users a to slots=1\nusers * to slots=9\n"
        await pilot.press("f2")
        await pilot.pause()
        assert value(app, "limit", Kind.QUOTA, "lab") == "users a to slots=1\nusers * to slots=9"


@pytest.mark.parametrize(("field", "key"), [("hostlist", "enter"), ("complex_values", "enter"), ("h_rt", "space")])
@pytest.mark.parametrize("size", [(80, 24), (60, 18)])
async def test_dialogs_fit_small_terminals(field: str, key: str, size: tuple[int, int]) -> None:
    app = harness()
    async with app.run_test(size=size) as pilot:
        await open_field(app, pilot, field, key)
        box = app.screen.query_one(".dialog").region
        assert box.x >= 0
        assert box.right <= size[0]
        assert box.bottom <= size[1]
        assert "Esc cancel" in screen_text(app)


@pytest.mark.parametrize(("field", "key"), [("user_lists", "enter"), ("notify", "space"), ("calendar", "t")])
async def test_enter_in_an_untouched_dialog_is_no_edit(field: str, key: str) -> None:
    app = harness()
    async with app.run_test(size=(80, 24)) as pilot:
        await open_field(app, pilot, field, key)
        await pilot.press("enter")
        await pilot.pause()
        assert app.workspace.history.undo_label is None
        app.form.choose_scope("node01")
        await pilot.press(key)
        await pilot.pause()
        await pilot.press("enter")
        await pilot.pause()
        assert app.workspace.history.undo_label is None, "the inherited value is no value of node01's own"


async def test_lists_without_names_say_so() -> None:
    app = harness()
    async with app.run_test(size=(80, 24)) as pilot:
        await open_field(app, pilot, "user_lists")
        assert "referenced: none yet" in screen_text(app)
        await pilot.press("z")
        await pilot.pause()
        assert "available: none fits “z”" in screen_text(app)
