"""A moment of a simulated day in place of the document: what is shown, edited, undone and saved then."""

from dataclasses import replace
from pathlib import Path

import pytest

from qmon_tui.model.kinds import Kind
from qmon_tui.qmaster import Target
from qmon_tui.sources import read_folder
from qmon_tui.tui.pages import PAGES_BY_ID
from qmon_tui.workspace import Document, Event, ReplaceDocument, SetField, Workspace
from tests.edits import delete_jobs, submit_job
from tests.unit.scheduler.building import NOW, job
from tests.unit.workspace.samples import cluster, queue, reading


def slots(text: str) -> SetField:
    return SetField(Kind.QUEUE, "a.q", "slots", text)


@pytest.fixture
def workspace() -> Workspace:
    return Workspace(reading(cluster(queue("a.q", slots="1"))))


def moment_of(workspace: Workspace) -> Document:
    """Some time later there is a job that the folder does not know."""
    document = workspace.edited_document
    return document.with_state(replace(document.state, now=NOW + 60, jobs=(job(7), job(8))))


def test_all_that_is_shown_follows_and_nothing_is_an_edit(workspace: Workspace) -> None:
    told: list[Event] = []
    workspace.subscribe(told.append)
    before, moment = workspace.document, moment_of(workspace)
    revision = workspace.revision
    workspace.show_moment(moment)
    assert workspace.document is moment
    assert workspace.state is moment.state
    assert workspace.snapshot().state is moment.state
    assert workspace.revision > revision
    assert workspace.edited_document is before
    assert workspace.changes() == ()
    assert workspace.history.undo_label is None
    workspace.show_moment(None)
    assert workspace.document is before
    assert told == [Event.MOMENT, Event.MOMENT]


def test_an_edit_of_the_configuration_is_one_of_the_folder_as_well(workspace: Workspace) -> None:
    moment = moment_of(workspace)
    workspace.show_moment(moment)
    assert workspace.apply(slots("4"))
    assert workspace.state is moment.state
    for shown in (workspace.document, workspace.edited_document):
        assert shown.cluster.objects(Kind.QUEUE)["a.q"].text("slots") == "4"
    assert workspace.edited_document.state.jobs == ()
    assert workspace.is_dirty(Kind.QUEUE, "a.q", "slots")
    assert workspace.undo() is not None
    assert workspace.document is moment
    assert not workspace.is_dirty()
    assert workspace.redo() is not None
    assert workspace.cluster.objects(Kind.QUEUE)["a.q"].text("slots") == "4"
    workspace.show_moment(None)
    assert workspace.undo() is not None
    assert not workspace.is_dirty()
    assert workspace.moment is None


def test_typing_one_value_is_one_step(workspace: Workspace) -> None:
    moment = moment_of(workspace)
    workspace.show_moment(moment)
    workspace.apply(slots("1"), typing=True)
    workspace.apply(slots("12"), typing=True)
    workspace.apply(slots("123"), typing=True)
    assert len(workspace.history.done) == 1
    workspace.undo()
    assert workspace.document is moment


def test_what_was_done_to_jobs_is_forgotten_with_the_day(workspace: Workspace) -> None:
    workspace.show_moment(moment_of(workspace))
    assert workspace.apply(delete_jobs((Target(7),), force=False))
    assert [one.id for one in workspace.state.jobs] == [8]
    assert workspace.changes() == ()
    assert workspace.history.undo_label is not None
    workspace.undo()
    assert len(workspace.state.jobs) == 2
    workspace.redo()
    workspace.show_moment(None)
    assert workspace.history.undo_label is None
    assert workspace.state.jobs == ()


def test_an_edit_from_before_the_day_is_undone_in_it_too(workspace: Workspace) -> None:
    workspace.apply(slots("4"))
    moment = moment_of(workspace)
    workspace.show_moment(moment)
    workspace.undo()
    assert workspace.cluster.objects(Kind.QUEUE)["a.q"].text("slots") == "1"
    assert workspace.state is moment.state


def test_taking_all_edits_back_leaves_the_moment_its_jobs(workspace: Workspace) -> None:
    workspace.apply(slots("4"))
    workspace.show_moment(moment_of(workspace))
    workspace.apply(ReplaceDocument("revert all", workspace.base_document))
    assert workspace.cluster.objects(Kind.QUEUE)["a.q"].text("slots") == "1"
    assert [one.id for one in workspace.state.jobs] == [7, 8]
    assert not workspace.is_dirty()


def test_what_changes_on_disk_is_in_the_moment_too(workspace: Workspace) -> None:
    workspace.show_moment(moment_of(workspace))
    workspace.disk_changed(reading(cluster(queue("a.q", slots="9"))))
    assert workspace.cluster.objects(Kind.QUEUE)["a.q"].text("slots") == "9"
    assert [one.id for one in workspace.state.jobs] == [7, 8]


def test_a_job_of_tomorrow_is_not_shown_and_not_lost(tmp_path: Path) -> None:
    jobs = "".join(
        f"- {{id: {number}, owner: ada, submitted: 2026-11-0{number}T08:00:00, qsub: x}}\n" for number in (2, 3)
    )
    (tmp_path / "jobs.yaml").write_text(f"now: 2026-11-02T08:00:00\njobs:\n{jobs}")
    opened = Workspace(read_folder(tmp_path))
    assert [one.id for one in opened.state.jobs] == [2]
    assert PAGES_BY_ID["jobs"].count is not None
    assert PAGES_BY_ID["jobs"].count(opened) == 1
    assert opened.apply(submit_job(replace(job(4, "-N new"), submitted=opened.state.now, runtime=60)))
    assert opened.save() is None
    assert [one.id for one in read_folder(tmp_path).state.jobs] == [2, 3, 4]
