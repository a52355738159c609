"""Commands for jobs and for single tasks of them, given by keys in the place of the jobs."""

import threading
from pathlib import Path

import pytest

from qmon_tui.qmaster.commands import Target
from qmon_tui.tui.base.messages import EditRequested
from qmon_tui.tui.cluster.view import ClusterView
from qmon_tui.tui.jobs.submit_and_alter import AlterDialog
from qmon_tui.tui.screens import pane_screen
from qmon_tui.workspace import Document
from qmon_tui.workspace.state_edits import CommandEdit
from tests.edits import alter_jobs
from tests.tui.screen_harness import cluster_copy, opened
from tests.tui.test_page_jobs import job, to_job, view_of


@pytest.fixture
def site(tmp_path: Path) -> Path:
    return cluster_copy("site", tmp_path)


@pytest.mark.parametrize(("key", "field"), [("ctrl+o", "override_tickets"), ("percent_sign", "job_share")])
async def test_tickets_and_shares_are_numbers_that_qalter_takes(site: Path, key: str, field: str) -> None:
    async with opened(site) as it:
        await to_job(it, 108)
        await it.press(key)
        await it.type("-3")
        await it.press("enter")
        assert "A whole number from 0" in it.text
        await it.type("70")
        await it.press("enter")
        assert it.at_main
        assert getattr(job(it, 108).request, field) == 70
        await it.press("u")
        assert getattr(job(it, 108).request, field) == 0


async def test_a_job_that_is_sent_back_keeps_off_its_host_until_that_is_cleaned_up(site: Path) -> None:
    async with opened(site) as it:
        await to_job(it, 101)
        view_of(it).post_message(EditRequested(alter_jobs((Target(101),), "-r y")))
        await it.settle()
        (host,) = {name.partition("@")[2] for name in job(it, 101).tasks[1].granted}
        await it.press("O")
        assert job(it, 101).tasks[1].unclean == (host,)
        it.main.do("jobs.clean")
        await it.settle()
        assert job(it, 101).tasks[1].unclean == ()
        assert view_of(it).selected == "101"


async def test_a_job_is_altered_by_its_form_or_by_the_line_after_a_trial(site: Path) -> None:
    async with opened(site) as it:
        await to_job(it, 108)
        before = job(it, 108)
        await it.press("e")
        form = it.app.screen
        assert isinstance(form, AlterDialog)
        await it.settle()
        assert "Nothing is changed yet" in it.text
        await it.press("slash", *"-N", "enter", "enter")
        await it.type("other")
        await it.press("enter")
        assert form.line == "-N other"
        await it.press("slash", *"command", "enter", "enter")
        assert "qalter cannot change the command" in it.text
        form._line_input.value = "-N other -l nothing=1"
        await it.pilot.pause()
        form._table.focus()
        await it.press("s")
        assert 'unknown resource "nothing"' in it.text
        form._line_input.value = "-N other -p -7"
        await it.pilot.pause()
        form._table.focus()
        assert "● priority" in it.text
        await it.press("v")
        while form.busy:
            await it.pilot.pause()
        assert "would" in form._objection.text
        await it.press("s")
        assert it.at_main
        assert (job(it, 108).name, job(it, 108).request.priority) == ("other", -7)
        assert job(it, 108).request.hard == before.request.hard
        await it.press("u")
        assert job(it, 108) == before


async def test_what_may_not_run_again_is_sent_back_only_by_force(site: Path) -> None:
    async with opened(site) as it:
        await to_job(it, 101)
        before = job(it, 101)
        await it.press("O")
        assert "jobs are not rerunable" in it.text
        await it.press("n")
        assert job(it, 101) == before
        await it.press("O", "f")
        assert job(it, 101).tasks[1].state == "Rq"
        await it.press("u")
        assert job(it, 101) == before


async def test_commands_can_be_for_some_tasks_of_an_array(site: Path) -> None:
    async with opened(site) as it:
        await to_job(it, 104)
        whole = [number for number in job(it, 104).task_ids if number not in job(it, 104).tasks]
        some = whole[-3:]
        await it.press("N")
        await it.type("9999")
        await it.press("enter")
        assert "It has the tasks" in it.text
        await it.type(f"{some[0]}-{some[-1]}")
        await it.press("enter")
        assert f"job 104.{some[0]}-{some[-1]} only" in it.text
        await it.press("W", "u")
        assert {number for number, task in job(it, 104).tasks.items() if task.hold == "u"} == set(some)
        await it.press("d", "y")
        assert all(job(it, 104).tasks[number].state == "gone" for number in some)
        await it.press("escape")
        assert " only " not in it.text
        await it.press("u", "u")
        assert not any(number in job(it, 104).tasks for number in some)
        await to_job(it, 108)
        await it.press("N")
        assert it.at_main, "a plain job has no tasks to choose from"


async def test_all_that_runs_in_a_queue_instance_is_sent_back(site: Path) -> None:
    async with opened(site) as it:
        await it.press("M")
        (instance,) = job(it, 101).tasks[1].granted
        view = it.main.query_one(ClusterView)
        assert view.choose(instance)
        await it.settle()
        await it.press("O")
        assert f"Reschedule what runs in {instance}?" in it.text
        await it.press("f")
        assert job(it, 101).tasks[1].state == "Rq"
        await it.press("u")
        assert job(it, 101).tasks[1].state == "r"


async def test_a_command_for_many_jobs_is_made_beside_the_screen_and_is_one_step(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads: list[str] = []
    made = CommandEdit.made

    def remember(order: CommandEdit, document: Document) -> Document:
        threads.append(threading.current_thread().name)
        return made(order, document)

    monkeypatch.setattr(CommandEdit, "made", remember)
    monkeypatch.setattr(pane_screen, "_MANY", 2)
    async with opened(cluster_copy("site", tmp_path)) as it:
        await it.press("J", "A", "W", "o")
        for _ in range(40):
            await it.pilot.pause(0.05)
            if it.workspace.changes():
                break
        await it.settle()
        assert len(it.workspace.changes()) > 10
        assert threads
        assert "MainThread" not in threads
        await it.press("u")
        assert not it.workspace.changes()
