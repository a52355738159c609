"""The place of the advance reservations: made by a form after a trial, told in full, deleted after asking, undone."""

from pathlib import Path

import pytest

from qmon_tui.tui.reservations.view import ReservationForm, ReservationsView
from tests.tui.screen_harness import cluster_copy, opened


@pytest.fixture
def campus(tmp_path: Path) -> Path:
    return cluster_copy("campus", tmp_path)


async def test_a_reservation_is_made_told_and_deleted(campus: Path) -> None:
    async with opened(campus) as it:
        before = it.workspace.state.reservations
        await it.press("Q", "a")
        form = it.app.screen
        assert isinstance(form, ReservationForm)
        await it.press("slash", *"duration", "enter", "enter")
        await it.type("0")
        await it.press("enter")
        await it.settle()
        assert "missing value for" in it.text
        form._line_input.value = "-d 7200 -N lecture"
        await it.pilot.pause()
        form._table.focus()
        await it.press("v")
        while form.busy:
            await it.pilot.pause()
        assert "would be granted" in form._objection.text
        await it.press("s")
        assert it.at_main
        made = it.workspace.state.reservations[-1]
        assert (made.name, made.end - made.start, len(it.workspace.state.reservations)) == (
            "lecture", 7200, len(before) + 1,
        )  # fmt: skip
        view = it.main.query_one(ReservationsView)
        assert view.choose(str(made.id))
        await it.settle()
        assert "granted_slots_list" in it.text
        await it.press("d", "n")
        assert len(it.workspace.state.reservations) == len(before) + 1
        await it.press("d", "y")
        assert it.workspace.state.reservations == before
        await it.press("u", "u")
        assert it.workspace.state.reservations == before


async def test_the_cursor_goes_to_a_new_reservation(campus: Path) -> None:
    async with opened(campus) as it:
        await it.press("Q", "a", "s", "home", "a", "s")
        made = it.workspace.state.reservations
        assert len(made) >= 2
        assert it.main.query_one(ReservationsView).selected == str(max(reservation.id for reservation in made))


async def test_reservations_are_saved_and_read_again(campus: Path) -> None:
    async with opened(campus) as it:
        await it.press("Q", "a", "s")
        assert it.at_main
        made = it.workspace.state.reservations
        await it.press("s", "f2")
        assert not it.workspace.is_dirty()
    async with opened(campus) as it:
        assert it.workspace.state.reservations == made


@pytest.mark.parametrize("size", [(80, 24), (120, 36), (180, 50)])
async def test_it_has_room_on_every_terminal(campus: Path, size: tuple[int, int]) -> None:
    async with opened(campus, size=size) as it:
        await it.press("Q", "a", "s")
        assert "start_time" in it.text


async def test_reservations_are_filtered_by_fields_and_hidden_marks_are_named(campus: Path) -> None:
    (campus / "reservations.yaml").write_text(
        "reservations:\n"
        "- {id: 1, owner: ada, start: 2026-11-17T09:00:00, end: 2026-11-17T10:00:00, granted: {night.q@node01: 2}}\n"
        "- {id: 2, owner: bob, start: 2026-11-17T09:00:00, end: 2026-11-17T10:00:00, granted: {night.q@node02: 1}}\n"
    )
    async with opened(campus) as it:
        await it.press("Q")
        view = it.main.query_one(ReservationsView)
        numbers = [reservation.id for reservation in it.workspace.state.reservations]
        first = it.workspace.state.reservations[0]
        await it.press("A")
        assert view.marked == {*numbers}
        await it.press("slash")
        await it.type(f"id={first.id} -u {first.owner} slots>0 state={first.state}")
        await it.press("enter")
        assert len(view._table.rows) == 1
        assert len(view.hidden_marks) == len(numbers) - 1
        await it.press("slash")
        await it.type("owner=nobody")
        await it.press("enter")
        assert "Nothing matches owner=nobody" in it.text
        await it.press("d")
        assert f"{len(numbers)} hidden by the filter: {numbers[0]}" in " ".join(it.text.split())
        await it.press("n", "escape", "escape")
        assert len(view._table.rows) == len(numbers)
