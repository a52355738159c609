"""What qmon was seen to lose when somebody else edited meanwhile, and what it must not lose here.

Each is done on real folders of both layouts.
"""

import shutil
from pathlib import Path

import pytest

from qmon_tui.model.cluster import config_object
from qmon_tui.model.kinds import Kind
from qmon_tui.sources import read_folder
from qmon_tui.sources.conversion import convert
from qmon_tui.workspace import Edit, ReplaceKind, SetField, Side, Workspace, WorkspaceError
from qmon_tui.workspace.edits import AddObject

TEACHING = Path(__file__).parents[3] / "configs" / "teaching"


@pytest.fixture(params=["yaml", "qconf"])
def folder(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    copy = tmp_path / "teaching"
    if request.param == "yaml":
        shutil.copytree(TEACHING, copy)
    else:
        convert(read_folder(TEACHING), copy, "qconf")
    qmon = Workspace(read_folder(copy))
    qmon.apply(AddObject(config_object(Kind.QUOTA, "limits", {"name": "limits", "limit": RULE})))
    assert qmon.save() is None
    return copy


RULE = "users {*} to slots=10"


def somebody_else(folder: Path, *edits: Edit) -> None:
    other = Workspace(read_folder(folder))
    for edit in edits:
        other.apply(edit)
    assert other.save() is None


def on_disk(folder: Path, kind: Kind, name: str, field: str) -> str | None:
    obj = read_folder(folder).cluster.get(kind, name)
    return obj.text(field) if obj else None


def saved_after_merging(workspace: Workspace) -> None:
    """Save as the screen does: what changed on disk meanwhile is merged first, and nothing is written before."""
    change = workspace.save()
    assert change is not None, "nothing is written over what somebody else has changed"
    workspace.merge()
    assert workspace.unresolved == ()
    assert workspace.save() is None


def complex_entry(name: str) -> AddObject:
    values = {"shortcut": name, "type": "INT", "relop": "<=", "requestable": "YES", "consumable": "NO",
              "default": "0", "urgency": "0"}  # fmt: skip
    return AddObject(config_object(Kind.COMPLEX, name, {"name": name, **values}))


def test_a_queue_that_is_open_does_not_put_others_changes_back(folder: Path) -> None:
    workspace = Workspace(read_folder(folder))
    somebody_else(folder, SetField(Kind.QUEUE, "all.q", "slots", "7"))
    with pytest.raises(WorkspaceError, match="Nothing to save"):
        workspace.save()
    workspace.apply(SetField(Kind.QUEUE, "all.q", "seq_no", "3"))
    saved_after_merging(workspace)
    assert on_disk(folder, Kind.QUEUE, "all.q", "slots") == "7"
    assert on_disk(folder, Kind.QUEUE, "all.q", "seq_no") == "3"


def test_a_field_that_both_changed_is_asked_about_not_overwritten(folder: Path) -> None:
    workspace = Workspace(read_folder(folder))
    workspace.apply(SetField(Kind.QUEUE, "all.q", "slots", "3"))
    somebody_else(folder, SetField(Kind.QUEUE, "all.q", "slots", "7"))
    assert workspace.save() is not None
    (conflict,) = workspace.merge()
    with pytest.raises(WorkspaceError, match="Decide first"):
        workspace.save()
    assert on_disk(folder, Kind.QUEUE, "all.q", "slots") == "7"
    workspace.resolve(conflict, Side.THEIRS)
    assert not workspace.is_dirty()


def test_attributes_that_others_have_added_stay(folder: Path) -> None:
    workspace = Workspace(read_folder(folder))
    somebody_else(folder, complex_entry("theirs"))
    workspace.apply(complex_entry("mine"))
    saved_after_merging(workspace)
    assert on_disk(folder, Kind.COMPLEX, "theirs", "type") == "INT"
    assert on_disk(folder, Kind.COMPLEX, "mine", "type") == "INT"


def test_not_even_replacing_the_whole_list_of_attributes_deletes_what_others_have_added(folder: Path) -> None:
    workspace = Workspace(read_folder(folder))
    somebody_else(folder, complex_entry("theirs"))
    workspace.apply(ReplaceKind(Kind.COMPLEX, (*workspace.cluster.objects(Kind.COMPLEX).values(),
                                               complex_entry("mine").obj)))  # fmt: skip
    saved_after_merging(workspace)
    assert on_disk(folder, Kind.COMPLEX, "theirs", "type") == "INT"
    assert on_disk(folder, Kind.COMPLEX, "mine", "type") == "INT"


def test_quota_sets_and_rules_that_others_have_added_stay(folder: Path) -> None:
    workspace = Workspace(read_folder(folder))
    theirs = AddObject(config_object(Kind.QUOTA, "theirs", {"name": "theirs", "limit": "to slots=1"}))
    somebody_else(folder, theirs, SetField(Kind.QUOTA, "limits", "limit", f"users root to slots=99\n{RULE}"))
    workspace.apply(SetField(Kind.QUOTA, "limits", "limit", RULE.replace("slots=10", "slots=20")))
    workspace.apply(SetField(Kind.QUOTA, "limits", "enabled", "TRUE"))
    saved_after_merging(workspace)
    assert on_disk(folder, Kind.QUOTA, "theirs", "limit") == "to slots=1"
    assert on_disk(folder, Kind.QUOTA, "limits", "limit") == "users root to slots=99\nusers {*} to slots=20"


def test_scheduler_parameters_that_others_have_set_stay(folder: Path) -> None:
    workspace = Workspace(read_folder(folder))
    somebody_else(folder, SetField(Kind.SCHEDULER, "scheduler", "weight_waiting_time", "0.500000"))
    workspace.apply(SetField(Kind.SCHEDULER, "scheduler", "weight_deadline", "7.000000"))
    saved_after_merging(workspace)
    assert on_disk(folder, Kind.SCHEDULER, "scheduler", "weight_waiting_time") == "0.500000"
    assert on_disk(folder, Kind.SCHEDULER, "scheduler", "weight_deadline") == "7.000000"
