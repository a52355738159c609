import contextlib
from typing import Any

import pytest
from hypothesis import given, strategies as st

from qmon_tui.model.cluster import Cluster, ConfigObject, Origin, config_object
from qmon_tui.model.jobs import AdvanceReservation, Job, Request
from qmon_tui.model.kinds import Kind
from qmon_tui.model.state import State
from qmon_tui.sources import Live
from qmon_tui.workspace import (
    ChangeOrigin,
    Edit,
    EditError,
    Event,
    RemoveObject,
    ReplaceDocument,
    SetField,
    Side,
    Workspace,
    WorkspaceError,
)
from qmon_tui.workspace.difference import changes
from tests.unit.workspace.samples import applied, broken, cluster, clusters, edits, queue, reading

BASE = cluster(queue("a.q", slots="1"), queue("b.q", slots="1"))


def setting(name: str, field: str, text: str) -> SetField:
    return SetField(Kind.QUEUE, name, field, text)


def slots(workspace: Workspace, name: str = "a.q") -> str:
    return workspace.cluster.objects(Kind.QUEUE)[name].text("slots")


def edited(*edits_made: Edit) -> Workspace:
    workspace = Workspace(reading(BASE))
    for edit in edits_made:
        workspace.apply(edit)
    return workspace


def disk(*edits_made: Edit) -> Cluster:
    return applied(BASE, list(edits_made))


def test_a_clean_workspace_follows_the_disk_at_once() -> None:
    workspace = edited()
    change = workspace.disk_changed(reading(disk(setting("a.q", "slots", "5"))))
    assert not change.pending
    assert [(c.kind, c.name) for c in change.objects] == [(Kind.QUEUE, "a.q")]
    assert slots(workspace) == "5"
    assert (workspace.origin, workspace.revision, workspace.is_dirty()) == (ChangeOrigin.FILE, 1, False)


def test_nothing_is_reloaded_over_unsaved_edits() -> None:
    workspace = edited(setting("a.q", "slots", "2"))
    change = workspace.disk_changed(reading(disk(setting("b.q", "slots", "5"))))
    assert change.pending
    assert workspace.disk is change
    assert (slots(workspace), slots(workspace, "b.q")) == ("2", "1")
    with pytest.raises(WorkspaceError, match="merge, reload or keep"):
        workspace.save_plan()


def test_merging_what_does_not_overlap_keeps_both() -> None:
    workspace = edited(setting("a.q", "slots", "2"))
    workspace.disk_changed(reading(disk(setting("b.q", "slots", "5"), setting("a.q", "seq_no", "9"))))
    assert workspace.merge() == ()
    assert (slots(workspace), slots(workspace, "b.q")) == ("2", "5")
    assert [field for change in workspace.changes() for field in change.fields] == [("slots", "1", "2")]
    workspace.undo()
    assert (slots(workspace), slots(workspace, "b.q")) == ("1", "5")
    assert not workspace.is_dirty()


def test_overlapping_edits_are_decided_one_by_one() -> None:
    workspace = edited(setting("a.q", "slots", "2"), setting("b.q", "slots", "2"))
    workspace.disk_changed(reading(disk(setting("a.q", "slots", "7"), setting("b.q", "slots", "8"))))
    first, second = workspace.merge()
    assert (first.label, first.mine, first.theirs) == ("slots of queue a.q", "2", "7")
    assert (slots(workspace), slots(workspace, "b.q")) == ("2", "2")
    with pytest.raises(WorkspaceError, match=r"slots of queue a\.q"):
        workspace.save_plan()
    workspace.resolve(first, "mine")
    workspace.resolve(second, Side.THEIRS)
    assert list(workspace.unresolved) == []
    assert (slots(workspace), slots(workspace, "b.q")) == ("2", "8")
    workspace.undo()
    assert [conflict.label for conflict in workspace.unresolved] == ["slots of queue b.q"]


def test_an_undecided_conflict_outlives_what_changes_on_disk_later() -> None:
    workspace = edited(setting("a.q", "slots", "2"))
    workspace.disk_changed(reading(disk(setting("a.q", "slots", "7"))))
    workspace.merge()
    workspace.disk_changed(reading(disk(setting("a.q", "slots", "7"), setting("b.q", "slots", "8"))))
    assert workspace.disk is not None
    assert [conflict.label for conflict in workspace.merge()] == ["slots of queue a.q"]
    workspace.disk_changed(reading(disk(setting("a.q", "slots", "2"), setting("b.q", "slots", "8"))))
    workspace.merge()
    assert list(workspace.unresolved) == []
    assert not workspace.is_dirty()


def test_an_undecided_conflict_of_objects_outlives_loads_that_change_on_disk() -> None:
    """Saving would write mine over theirs without a word."""
    workspace = edited(setting("a.q", "slots", "2"))
    theirs = disk(setting("a.q", "slots", "7"))
    workspace.disk_changed(reading(theirs))
    workspace.merge()
    workspace.disk_changed(reading(theirs, State(loads={"n1": {"arch": "lx"}})))
    assert workspace.disk is None
    assert dict(workspace.state.loads) == {"n1": {"arch": "lx"}}
    assert [conflict.label for conflict in workspace.unresolved] == ["slots of queue a.q"]


def test_an_object_removed_here_and_changed_there_is_decided_as_a_whole() -> None:
    workspace = edited(RemoveObject(Kind.QUEUE, "a.q"))
    workspace.disk_changed(reading(disk(setting("a.q", "slots", "7"))))
    (conflict,) = workspace.merge()
    assert conflict.field is None
    assert "a.q" not in workspace.cluster.objects(Kind.QUEUE)
    workspace.resolve(conflict, "theirs")
    assert slots(workspace) == "7"
    assert not workspace.is_dirty()


def test_conflicts_of_a_pending_change_follow_what_is_edited_meanwhile() -> None:
    workspace = edited(setting("b.q", "seq_no", "1"))
    workspace.disk_changed(reading(disk(setting("a.q", "slots", "7"))))
    assert workspace.disk is not None
    assert list(workspace.disk.conflicts) == []
    workspace.apply(setting("a.q", "slots", "3"))
    assert [conflict.label for conflict in workspace.disk.conflicts] == ["slots of queue a.q"]


def test_taking_theirs_can_be_undone() -> None:
    workspace = edited(setting("a.q", "slots", "2"))
    workspace.disk_changed(reading(disk(setting("b.q", "slots", "5"))))
    workspace.take_theirs()
    assert (slots(workspace), slots(workspace, "b.q"), workspace.is_dirty()) == ("1", "5", False)
    workspace.undo()
    assert (slots(workspace), slots(workspace, "b.q")) == ("2", "5")


def test_keeping_mine_would_write_what_the_forms_show() -> None:
    workspace = edited(setting("a.q", "slots", "2"))
    workspace.disk_changed(reading(disk(setting("b.q", "slots", "5"))))
    workspace.keep_mine()
    assert workspace.disk is None
    assert (slots(workspace), slots(workspace, "b.q")) == ("2", "1")
    assert [(c.name, c.fields) for c in workspace.changes()] == [
        ("a.q", (("slots", "1", "2"),)),
        ("b.q", (("slots", "5", "1"),)),
    ]
    workspace.undo()
    assert (slots(workspace), slots(workspace, "b.q")) == ("2", "5")


def test_a_change_that_touches_no_object_is_taken_even_under_unsaved_edits() -> None:
    workspace = edited(setting("a.q", "slots", "2"))
    later = State(now=5, jobs=(Job(1, "userc", 0, Request(), "one"),))
    change = workspace.disk_changed(reading(BASE, later))
    assert not change.pending
    assert workspace.state == later
    assert slots(workspace) == "2"


def test_a_change_of_comments_or_lines_only_starts_no_run() -> None:
    workspace = edited(setting("a.q", "slots", "2"))
    told: list[Event] = []
    workspace.subscribe(told.append)
    moved = reading(
        cluster(queue("a.q", file="new.yaml", slots="1"), queue("b.q", slots="1")), files={"new.yaml": "# a comment"}
    )
    workspace.disk_changed(moved)
    assert (told, workspace.revision, workspace.origin) == ([], 1, ChangeOrigin.FORM)
    assert workspace.reading is moved
    assert workspace.cluster.objects(Kind.QUEUE)["a.q"].origin == Origin("new.yaml")


def test_being_told_of_ones_own_saving_does_not_end_the_typing() -> None:
    workspace = edited()
    workspace.apply(setting("a.q", "slots", "2"), typing=True)
    workspace.disk_changed(workspace.reading)
    workspace.apply(setting("a.q", "slots", "25"), typing=True)
    workspace.undo()
    assert slots(workspace) == "1"


def test_what_becomes_of_a_change_on_disk_is_told_step_by_step() -> None:
    workspace = edited(setting("a.q", "slots", "2"), setting("b.q", "slots", "2"))
    told: list[Event] = []
    workspace.subscribe(told.append)
    workspace.disk_changed(reading(disk(setting("a.q", "slots", "7"), setting("b.q", "slots", "8"))))
    assert (told, workspace.revision) == ([Event.DISK], 2)
    first, second = workspace.merge()
    assert (told, workspace.revision) == ([Event.DISK, Event.CHANGED], 3)
    workspace.resolve(first, Side.MINE)
    assert (told, workspace.revision) == ([Event.DISK, Event.CHANGED, Event.DISK], 3)
    workspace.resolve(second, Side.THEIRS)
    assert (told[3:], workspace.revision) == ([Event.CHANGED], 4)
    del told[:]
    assert workspace.merge() == ()
    workspace.take_theirs()
    workspace.keep_mine()
    assert (told, workspace.revision) == ([], 4)


def test_a_folder_that_is_lost_is_told_of_once() -> None:
    workspace = edited()
    told: list[Event] = []
    workspace.subscribe(told.append)
    for lost, number in (("", 0), ("is gone", 1), ("is gone", 1), ("", 2)):
        workspace.disk_lost(lost)
        assert (workspace.lost, told) == (lost, [Event.DISK] * number)


def test_jobs_that_were_edited_back_by_hand_follow_the_disk() -> None:
    workspace = edited(setting("a.q", "slots", "2"))
    document = workspace.document
    for now, pending in ((7, True), (0, False)):
        workspace.apply(ReplaceDocument("another time", document.with_state(State(now=now))))
        assert workspace.disk_changed(reading(BASE, State(loads={"n1": {"arch": str(now)}}))).pending is pending


def test_a_pending_change_that_was_taken_back_is_none_any_more() -> None:
    workspace = edited(setting("a.q", "slots", "2"))
    workspace.disk_changed(reading(disk(setting("b.q", "slots", "5")), files={"queues.yaml": "5"}))
    told: list[Event] = []
    workspace.subscribe(told.append)
    workspace.disk_changed(reading(BASE))
    assert workspace.disk is None
    assert told == [Event.DISK]
    assert workspace.is_dirty(Kind.QUEUE, "a.q")


@given(clusters, st.lists(edits, max_size=5), st.lists(edits, max_size=5))
def test_after_a_merge_undoing_everything_is_what_is_on_disk(
    base: Cluster, mine: list[Edit], theirs: list[Edit]
) -> None:
    workspace = Workspace(reading(base))
    for edit in mine:
        with contextlib.suppress(EditError):
            workspace.apply(edit)
    new = applied(base, theirs)
    workspace.disk_changed(reading(new))
    workspace.merge()
    while workspace.undo():
        pass
    assert changes(workspace.cluster, new) == ()


def in_files(**slots_of: str) -> Cluster:
    return cluster(*(queue(f"{name}.q", file=f"{name}.yaml", slots=text) for name, text in slots_of.items()))


def test_a_broken_file_leaves_its_last_good_objects_and_says_so() -> None:
    workspace = Workspace(reading(in_files(a="1", b="1")))
    finding = broken("a.yaml")
    workspace.disk_changed(reading(in_files(b="5"), findings=(finding,)))
    assert list(workspace.cluster.objects(Kind.QUEUE)) == ["a.q", "b.q"]
    assert (slots(workspace), slots(workspace, "b.q")) == ("1", "5")
    assert not workspace.is_dirty()
    snapshot = workspace.snapshot()
    assert (snapshot.read_findings, snapshot.stale_files) == ((finding,), ("a.yaml",))


def test_a_mended_file_counts_again() -> None:
    workspace = Workspace(reading(in_files(a="1", b="1")))
    workspace.disk_changed(reading(in_files(b="1"), findings=(broken("a.yaml"),)))
    workspace.disk_changed(reading(in_files(a="9", b="1")))
    assert slots(workspace) == "9"
    assert workspace.snapshot().stale_files == ()


def test_an_object_that_vanishes_from_a_whole_file_is_gone_while_another_file_is_broken() -> None:
    workspace = Workspace(reading(in_files(a="1", b="1")))
    workspace.disk_changed(reading(cluster(), findings=(broken("a.yaml"),)))
    assert list(workspace.cluster.objects(Kind.QUEUE)) == ["a.q"]


def test_an_object_that_its_file_garbles_stays_as_it_was_until_it_is_mended() -> None:
    workspace = Workspace(reading(in_files(a="1")))
    for text in ("garbled", "garbled more"):
        workspace.disk_changed(reading(in_files(a=text), findings=(broken("a.yaml", "queue", "a.q"),)))
        assert slots(workspace) == "1"
    workspace.disk_changed(reading(in_files(a="2")))
    assert slots(workspace) == "2"


def test_what_was_broken_from_the_start_follows_its_file() -> None:
    finding = broken("a.yaml", "queue", "a.q")
    workspace = Workspace(reading(in_files(a="half"), findings=(finding,)))
    assert workspace.snapshot().stale_files == ()
    workspace.disk_changed(reading(in_files(a="other half"), findings=(finding,)))
    assert slots(workspace) == "other half"


def test_jobs_and_loads_of_a_broken_file_stay() -> None:
    job = Job(7, "userc", 0, Request(), "jobC1", origin=Origin("jobs.yaml"))
    state = State(now=100, jobs=(job,), loads={"sim1": {"np_load_avg": "0.3"}})
    workspace = Workspace(reading(BASE, state))
    workspace.disk_changed(reading(BASE, State(), findings=(broken("jobs.yaml"),)))
    assert workspace.state == state
    assert workspace.snapshot().stale_files == ("jobs.yaml",)


def test_reservations_of_a_broken_file_stay_until_others_are_read() -> None:
    one, other = (AdvanceReservation(number, "userc", 0, 60, {}) for number in (1, 2))
    job = Job(7, "userc", 0, Request(), "jobC1", origin=Origin("jobs.yaml"))
    for before, read, shown in (((one,), (), (one,)), ((one,), (other,), (other,)), ((), (other,), (other,))):
        workspace = Workspace(reading(BASE, State(jobs=(job,), reservations=before)))
        workspace.disk_changed(reading(BASE, State(reservations=read), findings=(broken("jobs.yaml"),)))
        assert workspace.state.reservations == shown


def test_edits_of_what_stands_in_for_a_broken_file_cannot_be_saved() -> None:
    workspace = Workspace(reading(in_files(a="1", b="1")))
    workspace.disk_changed(reading(in_files(b="1"), findings=(broken("a.yaml"),)))
    workspace.apply(setting("a.q", "slots", "2"))
    with pytest.raises(WorkspaceError, match=r"a\.yaml is broken: fix it first"):
        workspace.save_plan()


def test_dates_of_automatic_users_are_no_foreign_change() -> None:
    def read(*users: ConfigObject, slots: str = "1") -> Any:
        files = {"users": " ".join(f"{user.name} {user.text('delete_time')}" for user in users)}
        running = reading(cluster(queue("a.q", slots=slots), *users), files=files)
        running.live = Live(0.0, 0.0, "SGE 8.1.9", {})
        return running

    def user(name: str, when: str) -> ConfigObject:
        return config_object(Kind.USER, name, {"name": name, "delete_time": when})

    workspace = Workspace(read(user("anna", "100")))
    workspace.apply(setting("a.q", "seq_no", "7"))
    workspace.disk_changed(read(user("anna", "200"), user("bela", "300")))
    assert workspace.disk is None
    assert [change.name for change in workspace.changes()] == ["a.q"]
    assert workspace.cluster.objects(Kind.USER)["anna"].text("delete_time") == "200"
    assert not workspace.disk_changed(read(slots="2")).pending, "no edit concerns the same"
    assert (slots(workspace), workspace.cluster.objects(Kind.QUEUE)["a.q"].text("seq_no")) == ("2", "7")
    workspace.apply(setting("a.q", "slots", "3"))
    assert workspace.disk_changed(read(slots="4")).pending
