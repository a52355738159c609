"""Every edit of a share tree gives a text that the real qmaster takes, and stores as we say that it does."""

from collections.abc import Callable

import pytest

from qmon_tui.checks.stored_objects import stored
from qmon_tui.model.cluster import Cluster, config_object
from qmon_tui.model.kinds import Kind
from qmon_tui.model.sharetree_editing import (
    NEW_TREE,
    NodePosition,
    added,
    copied,
    moved,
    place_of,
    removed,
    shifted,
    with_field,
)
from tests.differential.qmaster import Qmaster

SITE = Cluster().with_objects(
    (
        config_object(Kind.PROJECT, "sea", {"name": "sea"}),
        *(config_object(Kind.USER, name, {"name": name}) for name in ("editing_a", "editing_b")),
    )
)
Step = Callable[[str], str]


def at(text: str, path: str) -> NodePosition:
    found = place_of(text, path)
    assert found is not None
    return found


STEPS: tuple[Step, ...] = (
    lambda text: added(text, (), "sea", 60)[0],
    lambda text: added(text, at(text, "/sea"), "editing_a", 30)[0],
    lambda text: added(text, at(text, "/sea"), "default", 70)[0],
    # A group without nodes would be a leaf, and those are users and projects.
    lambda text: added(added(text, (), "lab", 7)[0], (2,), "editing_b", 1)[0],
    lambda text: with_field(text, at(text, "/sea/editing_a"), "shares", "4294967295"),
    lambda text: with_field(text, at(text, "/lab"), "name", "group"),
    lambda text: copied(text, at(text, "/sea/editing_a"), at(text, "/group"))[0],
    lambda text: shifted(text, at(text, "/group"), -1)[0],
    lambda text: moved(text, at(text, "/sea"), at(text, "/group"))[0],
    lambda text: removed(text, at(text, "/group/sea/default")),
    lambda text: removed(text, at(text, "/default")),
)


@pytest.mark.qmaster
def test_the_real_qmaster_keeps_what_edits_make(qmaster: Qmaster) -> None:
    qmaster.restart()
    zero = "oticket 0\nfshare 0\ndelete_time 0\ndefault_project NONE\n"
    for name in ("editing_a", "editing_b"):
        qmaster.must("qconf", "-Auser", qmaster.file(name, f"name {name}\n{zero}"))
    qmaster.must("qconf", "-Aprj", qmaster.file("sea", "name sea\noticket 0\nfshare 0\nacl NONE\nxacl NONE\n"))
    text = NEW_TREE
    for number, step in enumerate((lambda tree: tree, *STEPS)):
        text = step(text)
        answer = qmaster.run("qconf", "-Astree" if number == 0 else "-Mstree", qmaster.file("tree", text + "\n"))
        assert "changed sharetree" in answer.text or "added" in answer.text, (number, answer.text)
        kept = stored(SITE, SITE.single(Kind.SHARETREE).with_value("tree", text)).text("tree")
        assert qmaster.must("qconf", "-sstree").rstrip("\n") == kept
