"""Past usage is edited, moves the share tree at once, is undone, merged and saved."""

from pathlib import Path

import pytest

from qmon_tui.qmaster.scheduling import schedule
from qmon_tui.sources import read_folder
from qmon_tui.workspace import ClearUsage, EditError, SetUsage, UsageOwner, Workspace, parse_usage, usage_line, usage_of

CLUSTER = """\
users: {anna: {}, ben: {}}
projects: {sea: {}}
sharetree: |
  id=0
  name=Root
  type=0
  shares=1
  childnodes=1,2
  id=1
  name=anna
  type=0
  shares=10
  childnodes=NONE
  id=2
  name=ben
  type=0
  shares=10
  childnodes=NONE
queues: {all.q: {hostlist: sim1, slots: 1, load_thresholds: NONE}}
scheduler: {weight_tickets_share: 1000, policy_hierarchy: S, weight_ticket: 1.0, halftime: 168}
usage:
  users:
    anna: {cpu: 100, projects: {sea: {cpu: 7}}}
jobs:
- {id: 1, owner: anna, submitted: 2026-01-01T09:00:00, qsub: sleep 60}
- {id: 2, owner: ben, submitted: 2026-01-01T09:00:00, qsub: sleep 60}
"""


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    (tmp_path / "all.yaml").write_text(CLUSTER)
    found = Workspace(read_folder(tmp_path))
    assert not found.reading.findings
    return found


def first(workspace: Workspace) -> str:
    outcome = schedule(workspace.cluster, workspace.state)
    return next(job.owner for job in outcome.jobs if any(task.granted for task in job.tasks))


def test_who_has_used_less_goes_first(workspace: Workspace, tmp_path: Path) -> None:
    assert first(workspace) == "ben"
    workspace.apply(SetUsage(UsageOwner("ben"), "cpu=9000 mem=0"))
    assert first(workspace) == "anna"
    assert [(change.name, change.fields) for change in workspace.changes()] == [
        ("user ben", (("cpu", None, "9000"),)),
    ]
    workspace.undo()
    assert first(workspace) == "ben"
    workspace.redo()
    assert workspace.save() is None
    assert "    ben: {cpu: 9000}" in (tmp_path / "all.yaml").read_text()


def test_usage_within_a_project_is_apart(workspace: Workspace) -> None:
    within = UsageOwner("anna", "sea")
    assert dict(usage_of(workspace.state, within)[0]) == {"cpu": 7}
    workspace.apply(SetUsage(within, "cpu=0"))
    assert dict(usage_of(workspace.state, within)[0]) == {}
    assert dict(usage_of(workspace.state, UsageOwner("anna"))[0]) == {"cpu": 100}
    workspace.apply(SetUsage(UsageOwner("anna"), "cpu=0"))
    assert not workspace.state.usage
    workspace.apply(SetUsage(UsageOwner(None, "sea"), "io=2.5"))
    assert dict(workspace.state.usage.projects["sea"].amounts) == {"io": 2.5}


def test_changes_of_different_people_on_disk_merge(workspace: Workspace, tmp_path: Path) -> None:
    workspace.apply(SetUsage(UsageOwner("ben"), "cpu=9000"))
    (tmp_path / "all.yaml").write_text(CLUSTER.replace("cpu: 100", "cpu: 200"))
    workspace.disk_changed(read_folder(tmp_path, workspace.reading))
    assert workspace.merge() == ()
    users = workspace.state.usage.users
    assert (users["anna"].amounts["cpu"], users["ben"].amounts["cpu"]) == (200, 9000)


def test_the_line_says_what_there_is_and_is_read_again() -> None:
    assert usage_line({"cpu": 3600.0, "gpu": 1.5}) == "cpu=3600 mem=0 io=0 gpu=1.5"
    assert parse_usage("cpu=3600 mem=0 io=0 gpu=1.5") == {"cpu": 3600, "gpu": 1.5}
    for wrong in ("cpu", "cpu=much", "cpu=-1", "cpu=inf", "=3"):
        assert isinstance(parse_usage(wrong), str)


def test_whose_usage_it_is_and_up_to_when(workspace: Workspace) -> None:
    holders = [UsageOwner("anna"), UsageOwner("anna", "sea"), UsageOwner(None, "sea"), UsageOwner("ben")]
    assert [holder.words for holder in holders] == [
        "user anna",
        "user anna within project sea",
        "project sea",
        "user ben",
    ]
    assert [dict(usage_of(workspace.state, holder)[0]) for holder in holders] == [{"cpu": 100}, {"cpu": 7}, {}, {}]
    assert dict(usage_of(workspace.state, UsageOwner("anna", "air"))[0]) == {}


def test_nonsense_is_refused(workspace: Workspace) -> None:
    with pytest.raises(EditError, match="not an amount"):
        workspace.apply(SetUsage(UsageOwner("ben"), "cpu=much"))


def test_the_usage_of_one_user_goes_with_that_within_projects_and_projects_keep_theirs(workspace: Workspace) -> None:
    """As `qconf -clearusage USER` was seen to do: of anna nothing is left at /anna and /sea/anna, /sea keeps all."""
    workspace.apply(SetUsage(UsageOwner("ben"), "cpu=9000"))
    workspace.apply(SetUsage(UsageOwner(None, "sea"), "cpu=7"))
    workspace.apply(ClearUsage("anna"))
    usage = workspace.state.usage
    assert (list(usage.users), dict(usage.projects["sea"].amounts)) == (["ben"], {"cpu": 7})
    assert workspace.undo() == "clear the usage of user anna"
    workspace.apply(ClearUsage())
    assert not workspace.state.usage
