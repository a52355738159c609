"""The place of the jobs, driven by keys: filter, columns, order, and the commands to the qmaster, each undone by u."""

from pathlib import Path

import pytest

from qmon_tui.model.jobs import Job
from qmon_tui.model.kinds import Kind
from qmon_tui.tui.dialogs.reading_dialogs import WhyDialog
from qmon_tui.tui.jobs.column_dialogs import ColumnsDialog
from qmon_tui.tui.jobs.submit_and_alter import SubmitDialog
from qmon_tui.tui.jobs.view import JobsView
from qmon_tui.workspace import SetField
from tests.tui.screen_harness import Opened, cluster_copy, opened


@pytest.fixture
def site(tmp_path: Path) -> Path:
    return cluster_copy("site", tmp_path)


def view_of(it: Opened) -> JobsView:
    return it.main.query_one(JobsView)


def shown(it: Opened) -> list[int]:
    rows = view_of(it).rows
    assert rows is not None
    return [row.job.id for row in rows]


def job(it: Opened, number: int) -> Job:
    return next(job for job in it.workspace.state.jobs if job.id == number)


async def to_job(it: Opened, number: int) -> None:
    await it.press("J")
    assert view_of(it).choose(str(number))
    await it.settle()


async def test_a_filter_is_typed_completed_shown_kept_and_remembered(site: Path) -> None:
    async with opened(site) as it:
        await it.press("J", "slash", *"own", "tab", *"be")
        assert "owner=bela" in it.text
        await it.press("tab", "enter")
        assert {job(it, number).owner for number in shown(it)} == {"bela"}
        assert " / owner=bela" in it.text
        assert "of 26" in it.text
    async with opened(site) as it:
        await it.press("J")
        assert {job(it, number).owner for number in shown(it)} == {"bela"}
        await it.press("escape")
        assert len(shown(it)) == 26


async def test_jobs_to_come_are_counted(tmp_path: Path) -> None:
    folder = cluster_copy("teaching", tmp_path)
    file = next(file for file in folder.iterdir() if "id: 8, owner" in file.read_text())
    file.write_text(file.read_text().replace("submitted: 2011-04-06T11:21:00", "submitted: 2031-04-06T11:21:00"))
    async with opened(folder) as it:
        await it.press("J")
        assert "  1 to come  " in it.text


@pytest.mark.parametrize("size", [(80, 24), (120, 36), (200, 55)])
async def test_a_day_that_has_not_begun_says_what_plays_it(size: tuple[int, int], tmp_path: Path) -> None:
    async with opened(cluster_copy("day", tmp_path), size=size) as it:
        await it.press("J")
        text = " ".join(it.text.split())
        assert "Nothing has been submitted yet: 4 opens Monitor" in text
    async with opened(cluster_copy("teaching", tmp_path), size=size) as it:
        await it.press("J")
        assert "Nothing has been submitted" not in it.text


async def test_columns_are_chosen_and_remembered(site: Path) -> None:
    async with opened(site, size=(200, 50)) as it:
        await it.press("J", "z", "v")
        assert isinstance(it.app.screen, ColumnsDialog)
        await it.press("g", "j", "enter")
        assert "npprior" in it.text
        assert view_of(it).settings.columns[:5] == ("job", "prior", "nurg", "npprior", "ntckts")
    async with opened(site, size=(200, 50)) as it:
        await it.press("J", "z")
        assert "npprior" in it.text


async def test_order_turns_round_and_ends(site: Path) -> None:
    async with opened(site) as it:
        await it.press("J")
        as_scheduled = shown(it)
        view_of(it).order_by("job")
        await it.settle()
        assert shown(it) == sorted(as_scheduled)
        view_of(it).order_by("job")
        await it.settle()
        assert shown(it) == sorted(as_scheduled, reverse=True)
        view_of(it).order_by("job")
        await it.settle()
        assert shown(it) == as_scheduled


async def test_an_array_opens_and_the_chosen_job_stays_chosen(site: Path) -> None:
    async with opened(site) as it:
        await to_job(it, 104)
        closed = len(shown(it))
        await it.press("enter")
        assert len(shown(it)) > closed
        assert view_of(it).selected == "104"
        await it.press("enter")
        assert len(shown(it)) == closed
        assert view_of(it).selected == "104"


async def test_holds_are_set_and_released_and_undone(site: Path) -> None:
    async with opened(site) as it:
        await to_job(it, 108)
        await it.press("W", "o")
        assert job(it, 108).request.hold == "o"
        assert view_of(it).selected == "108"
        assert "hqw" in view_of(it).copied
        await it.press("u")
        assert job(it, 108).request.hold == ""
        await it.press("U", "W", "r")
        assert job(it, 108).request.hold == ""


async def test_a_priority_moves_the_job_and_a_senseless_one_is_refused_where_it_is_typed(site: Path) -> None:
    async with opened(site) as it:
        await to_job(it, 108)
        await it.press("P")
        await it.type("2000")
        await it.press("enter")
        assert "-1023 to 1024" in it.text
        await it.type("-1000")
        await it.press("enter")
        assert it.at_main
        assert job(it, 108).request.priority == -1000
        assert shown(it)[0] != 108
        await it.press("P", "minus", "7", "enter")
        assert job(it, 108).request.priority == -7, "what is typed takes the place of the present number"


async def test_marked_jobs_are_changed_together_as_one_step(site: Path) -> None:
    async with opened(site) as it:
        await it.press("J", "slash")
        await it.type("state=pending owner=bela")
        await it.press("enter", "A")
        marked = view_of(it).marked
        assert len(marked) > 1
        await it.press("W", "u")
        assert {job(it, number).request.hold for number in marked} == {"u"}
        assert f"● 1 edit of {len(marked)} objects" in it.text
        await it.press("u")
        assert {job(it, number).request.hold for number in marked} == {""}


async def test_deleted_jobs_are_marked_no_more(site: Path) -> None:
    async with opened(site) as it:
        await it.press("J", "slash")
        await it.type("state=pending owner=bela")
        await it.press("enter", "A")
        marked = view_of(it).marked
        await it.press("d", "y")
        left = {entry.id for entry in it.workspace.state.jobs}
        assert view_of(it).marked == marked & left != marked


async def test_deleting_asks_first_and_what_runs_is_marked_or_forgotten(site: Path) -> None:
    async with opened(site) as it:
        await to_job(it, 101)
        await it.press("d", "enter")
        assert job(it, 101).tasks[1].state == "r"
        await it.press("d", "y")
        assert job(it, 101).tasks[1].state == "dr"
        await it.press("d", "f")
        assert 101 not in shown(it)
        await it.press("u", "u")
        assert job(it, 101).tasks[1].state == "r"


async def test_suspending_and_resuming_is_one_key(site: Path) -> None:
    async with opened(site) as it:
        await to_job(it, 101)
        await it.press("S")
        assert job(it, 101).tasks[1].state == "s"
        await it.press("S")
        assert job(it, 101).tasks[1].state == "r"


async def test_what_the_qmaster_refuses_is_said_in_its_words(site: Path) -> None:
    async with opened(site) as it:
        await to_job(it, 101)
        await it.press("K")
        assert any("Job 101 is not in error state" in toast for toast in it.toasts)


async def test_jobs_that_an_edit_makes_qsub_refuse_stay_listed_and_can_be_deleted(site: Path) -> None:
    async with opened(site) as it:
        await it.press("J")
        listed = set(shown(it))
        it.workspace.apply(SetField(Kind.CONFIGURATION, "global", "enforce_project", "true"))
        await it.settle()
        assert set(shown(it)) == listed
        assert it.main.live.counts.now["refused"]
        await to_job(it, 110)
        assert "✗ qsub refuses it: job rejected: no project assigned to job" in it.text
        await it.press("d", "y")
        assert 110 not in shown(it)


async def test_options_for_several_jobs_are_tried_while_they_are_typed(site: Path) -> None:
    async with opened(site) as it:
        await to_job(it, 108)
        await it.press("m", "m", "e")
        await it.type("-l nothing=1")
        assert 'unknown resource "nothing"' in it.text
        await it.type("-l h_rt=60 -N other")
        await it.press("enter")
        assert job(it, 108).name == "other"
        assert job(it, 108).request.hard == (("h_rt", "60"),)
        assert [one.name for one in it.workspace.state.jobs].count("other") == 2


async def test_why_and_the_live_pane_follow_the_cursor(site: Path) -> None:
    async with opened(site) as it:
        await to_job(it, 109)
        chosen = it.main.live.chosen
        assert chosen is not None
        assert chosen.job.id == 109
        await it.press("w")
        assert isinstance(it.app.screen, WhyDialog)


async def test_read_only_refuses_commands_and_says_why(site: Path) -> None:
    async with opened(site, read_only=True) as it:
        await to_job(it, 108)
        await it.press("W")
        assert it.at_main
        assert any("read-only" in toast for toast in it.toasts)


@pytest.mark.parametrize("size", [(80, 24), (120, 36), (180, 50)])
async def test_it_has_room_on_every_terminal(site: Path, size: tuple[int, int]) -> None:
    async with opened(site, size=size) as it:
        await it.press("J")
        assert "job-ID" in it.text
        assert "26 jobs" in it.text


async def test_a_job_is_submitted_by_the_form_or_by_the_line_after_a_trial(tmp_path: Path) -> None:
    async with opened(cluster_copy("teaching", tmp_path)) as it:
        await to_job(it, 8)
        await it.press("a")
        dialog = it.app.screen
        assert isinstance(dialog, SubmitDialog)
        dialog._table.move_to("-N")
        await it.press("enter")
        await it.type("")
        assert dialog._objection.text.startswith("name: the name of the job")
        assert it.text.count("name: the name of the job") == 1, "what a field is for is said once"
        await it.type("fresh")
        await it.press("enter")
        assert dialog.line == "-N fresh sleep 600"
        dialog._line_input.value = "-N fresh -l nothing=1 sleep 600"
        await it.pilot.pause()
        dialog._table.focus()
        await it.press("s")
        assert isinstance(it.app.screen, SubmitDialog)
        assert 'unknown resource "nothing"' in it.text
        dialog._line_input.value = "-N fresh -l h_rt=60 sleep 600"
        await it.pilot.pause()
        dialog._table.focus()
        await it.press("v")
        while dialog.busy:
            await it.pilot.pause()
        assert "would" in dialog._objection.text
        await it.press("s")
        assert it.at_main
        assert job(it, 9).name == "fresh"
        assert job(it, 9).owner == job(it, 8).owner
        await it.press("u")
        assert 9 not in shown(it)


async def test_copies_are_submitted_as_one_step_and_the_cursor_goes_to_the_first(tmp_path: Path) -> None:
    async with opened(cluster_copy("teaching", tmp_path)) as it:
        await to_job(it, 2)
        await it.press("a")
        dialog = it.app.screen
        assert isinstance(dialog, SubmitDialog)
        dialog._copies.value = "0"
        await it.pilot.pause()
        dialog._table.focus()
        await it.press("s")
        assert "from 1 to 1000 is needed" in it.text
        dialog._copies.value = "3"
        await it.pilot.pause()
        dialog._table.focus()
        await it.press("s")
        assert it.at_main
        assert {9, 10, 11} <= set(shown(it))
        assert {job(it, number).qsub for number in (9, 10, 11)} == {"sleep 600"}
        assert view_of(it).selected == "9"
        await it.press("u")
        assert not {9, 10, 11} & set(shown(it))


async def test_a_new_job_that_the_filter_hides_is_told(tmp_path: Path) -> None:
    async with opened(cluster_copy("teaching", tmp_path)) as it:
        await to_job(it, 2)
        await it.press("slash")
        await it.type("state=r")
        await it.press("enter", "a", "s")
        assert it.toasts == ["Job 9 is there, but the filter hides it."]
        assert view_of(it).selected != "9"


async def test_a_change_that_lets_a_held_job_run_is_made_as_an_edit(site: Path) -> None:
    async with opened(site) as it:
        await to_job(it, 115)
        await it.press("W", "u")
        assert job(it, 115).request.hold == "u"
        await it.press("w")
        number = next(
            place
            for place, change in enumerate(it.main.live.changes, start=1)
            if "release the hold" in change.description
        )
        await it.press(str(number))
        assert job(it, 115).request.hold == ""
        await it.press("u")
        assert job(it, 115).request.hold == "u"


async def test_a_job_that_is_gone_to_before_the_table_is_there_is_chosen_when_it_is(site: Path) -> None:
    async with opened(site) as it:
        it.main.go_to_page("jobs", "104")
        await it.settle()
        assert view_of(it).selected == "104"


async def test_the_keys_of_vim_lead_out_of_the_jobs_as_the_arrows_do(site: Path) -> None:
    async with opened(site) as it:
        await it.press("J", "h")
        assert it.main.pane == "kinds"
        await it.press("l", "l")
        assert it.main.pane == "live"


async def test_columns_without_room_are_counted_and_come_back_where_they_fit(site: Path) -> None:
    async with opened(site, size=(80, 24)) as it:
        await it.press("J")
        assert "more columns: v" in it.text
        await it.pilot.resize_terminal(180, 40)
        await it.press("z")
        assert "more column" not in it.text


async def test_the_keys_and_the_mouse_of_lists_order_the_jobs_too(site: Path) -> None:
    async with opened(site) as it:
        await it.press("J", "z", "greater_than_sign")
        assert view_of(it).settings.order == "job"
        assert shown(it) == sorted(shown(it))
        await it.press("equals_sign")
        assert shown(it) == sorted(shown(it), reverse=True)
        await it.press("greater_than_sign", "less_than_sign", "less_than_sign")
        assert view_of(it).settings.order == "tasks"
        lines = it.text.splitlines()
        row = next(index for index, line in enumerate(lines) if "job-ID" in line)
        assert await it.pilot.click(offset=(lines[row].index("user"), row))
        await it.settle()
        assert view_of(it).settings.order == "owner"
        assert "▲user" in it.text
