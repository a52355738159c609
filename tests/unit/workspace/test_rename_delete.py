"""Renaming and deleting together with what refers to the object."""

import pytest

from qmon_tui.model.cluster import Cluster, config_object
from qmon_tui.model.kinds import Kind
from qmon_tui.model.references import references_to
from qmon_tui.model.state import State
from qmon_tui.workspace import Document, ReferenceUpdate, Workspace, delete_everywhere, rename_everywhere
from tests.unit.workspace.samples import cluster, queue, reading

STAFF = config_object(Kind.USERSET, "staff", {"name": "staff"})
CLUSTER = cluster(
    queue("a.q", user_lists="staff,[node1=staff wheel]", complex_values="g=2", hostlist="node1", slots="1,[node1=4]"),
    queue("b.q", subordinate_list="a.q=2"),
    STAFF,
    config_object(Kind.COMPLEX, "gpu", {"name": "gpu", "shortcut": "g", "type": "INT"}),
    config_object(Kind.PROJECT, "apollo", {"name": "apollo", "acl": "staff"}),
    config_object(Kind.USER, "apollo", {"name": "apollo"}),
    config_object(Kind.HOST, "node1", {"hostname": "node1"}),
    config_object(Kind.CONFIGURATION, "node1", {"mailer": "/bin/mail"}),
    config_object(Kind.SHARETREE, "sharetree", {"tree": "id=0\nname=Root\nchildnodes=1\nid=1\nname=apollo"}),
    config_object(Kind.QUOTA, "r", {"name": "r", "limit": "users @staff to slots=2"}),
)


def after(following: ReferenceUpdate) -> Cluster:
    return following.edit.made(Document(CLUSTER, State())).cluster


def text(cluster: Cluster, kind: Kind, name: str, field: str) -> str:
    obj = cluster.get(kind, name)
    assert obj is not None
    return obj.text(field)


def test_a_renamed_object_is_found_by_all_who_referred_to_it() -> None:
    following = rename_everywhere(CLUSTER, Kind.USERSET, "staff", "crew")
    new = after(following)
    assert references_to(new, Kind.USERSET, "staff") == ()
    assert len(references_to(new, Kind.USERSET, "crew")) == len(references_to(CLUSTER, Kind.USERSET, "staff")) == 4
    assert text(new, Kind.QUEUE, "a.q", "user_lists") == "crew,[node1=crew wheel]"
    assert [(change.kind, change.name) for change in following.changes] == [
        (Kind.QUEUE, "a.q"), (Kind.PROJECT, "apollo"), (Kind.QUOTA, "r"),
    ]  # fmt: skip
    assert not following.left


def test_renaming_and_deleting_are_one_step_each() -> None:
    workspace = Workspace(reading(CLUSTER))
    workspace.apply(rename_everywhere(workspace.cluster, Kind.USERSET, "staff", "crew").edit)
    workspace.apply(delete_everywhere(workspace.cluster, Kind.USERSET, "crew").edit)
    assert workspace.undo() == "delete userset crew and follow 2 references"
    assert workspace.undo() == "rename userset staff to crew and follow 3 references"
    assert workspace.cluster == CLUSTER
    assert workspace.history.undo_label is None


def test_an_attribute_named_by_its_shortcut_keeps_it_but_not_when_it_goes() -> None:
    assert (
        text(after(rename_everywhere(CLUSTER, Kind.COMPLEX, "gpu", "gpus")), Kind.QUEUE, "a.q", "complex_values")
        == "g=2"
    )
    assert text(after(delete_everywhere(CLUSTER, Kind.COMPLEX, "gpu")), Kind.QUEUE, "a.q", "complex_values") == "NONE"


def test_a_host_takes_its_configuration_and_its_values_in_queues_along() -> None:
    new = after(rename_everywhere(CLUSTER, Kind.HOST, "node1", "n1"))
    assert new.get(Kind.CONFIGURATION, "n1") is not None
    assert new.get(Kind.CONFIGURATION, "node1") is None
    assert text(new, Kind.QUEUE, "a.q", "slots") == "1,[n1=4]"
    assert text(new, Kind.QUEUE, "a.q", "hostlist") == "n1"


def test_a_configuration_goes_along_with_its_host_alone() -> None:
    named_alike = CLUSTER.with_objects([config_object(Kind.PROJECT, "node1", {"name": "node1"})])
    edit = rename_everywhere(named_alike, Kind.PROJECT, "node1", "p1").edit
    assert edit.made(Document(named_alike, State())).cluster.get(Kind.CONFIGURATION, "node1") is not None
    without = cluster(config_object(Kind.HOST, "node1", {"hostname": "node1"}))
    edit = rename_everywhere(without, Kind.HOST, "node1", "n1").edit
    renamed = edit.made(Document(without, State())).cluster
    assert renamed.get(Kind.HOST, "n1") is not None
    assert renamed.get(Kind.CONFIGURATION, "n1") is None


def test_a_list_that_lets_everybody_in_once_it_is_empty_is_warned_of() -> None:
    assert delete_everywhere(CLUSTER, Kind.USERSET, "staff").warnings == (
        "queue a.q: an empty user_lists lets in everybody",
        "project apollo: an empty acl lets in everybody",
    )


@pytest.mark.parametrize(
    ("before", "warned"),
    [("staff", True), ("staff wheel", False), ("wheel,[node1=staff]", True), ("NONE,[node1=staff wheel]", False)],
)
def test_who_is_let_in_is_warned_of_only_where_a_list_becomes_empty(before: str, warned: bool) -> None:
    on = cluster(STAFF, queue("a.q", user_lists=before))
    warnings = ("queue a.q: an empty user_lists lets in everybody",) if warned else ()
    assert delete_everywhere(on, Kind.USERSET, "staff").warnings == warnings
    assert rename_everywhere(on, Kind.USERSET, "staff", "crew").warnings == ()


def test_a_step_says_how_many_references_follow() -> None:
    labels = [rename_everywhere(CLUSTER, kind, name, "new").edit.label for kind, name in (
        (Kind.QUEUE, "b.q"), (Kind.QUEUE, "a.q"), (Kind.HOST, "node1"),
    )]  # fmt: skip
    assert labels == [
        "rename queue b.q to new",
        "rename queue a.q to new and follow 1 reference",
        "rename host node1 to new and follow 3 references",
    ]


def test_what_cannot_follow_is_named_and_stays() -> None:
    following = delete_everywhere(CLUSTER, Kind.USERSET, "staff")
    ((reference, why),) = following.left
    assert (reference.kind, reference.name, why) == (Kind.QUOTA, "r", "a resource quota set needs a rule")
    assert text(after(following), Kind.QUOTA, "r", "limit") == "users @staff to slots=2"
    settings = config_object(Kind.CONFIGURATION, "global", {"user_lists": "staff wheel"})
    following = delete_everywhere(CLUSTER.with_object(settings), Kind.USERSET, "staff")
    assert [(change.kind, change.name) for change in following.changes][-1] == (Kind.CONFIGURATION, "global")
    assert len(following.left) == 1


def test_a_share_tree_node_that_may_be_another_object_is_left_alone() -> None:
    for kind in (Kind.USER, Kind.PROJECT):
        following = rename_everywhere(CLUSTER, kind, "apollo", "gemini")
        assert [reference.kind for reference, _ in following.left] == [Kind.SHARETREE]
        assert "name=apollo" in text(after(following), Kind.SHARETREE, "sharetree", "tree")


def test_deleting_a_queue_takes_it_out_of_the_subordinates() -> None:
    assert text(after(delete_everywhere(CLUSTER, Kind.QUEUE, "a.q")), Kind.QUEUE, "b.q", "subordinate_list") == "NONE"


def test_what_comes_behind_a_reference_that_is_left_alone_follows() -> None:
    tree, user = (CLUSTER.get(kind, name) for kind, name in ((Kind.SHARETREE, "sharetree"), (Kind.USER, "apollo")))
    project = CLUSTER.get(Kind.PROJECT, "apollo")
    assert tree is not None
    assert user is not None
    assert project is not None
    settings = config_object(Kind.CONFIGURATION, "global", {"projects": "apollo"})
    on = cluster(tree, user, project, queue("a.q", projects="apollo"), queue("b.q", xprojects="apollo"), settings)
    following = rename_everywhere(on, Kind.PROJECT, "apollo", "gemini")
    assert [reference.kind for reference, _ in following.left] == [Kind.SHARETREE]
    assert [change.name for change in following.changes] == ["a.q", "b.q", "global"]
