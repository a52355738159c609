"""Objects as the qmaster stores and prints them once they were given to it."""

from qmon_tui.checks.stored_objects import stored
from qmon_tui.model.cluster import Cluster, config_object
from qmon_tui.model.kinds import Kind
from tests.unit.scheduler.building import project


def test_a_share_tree_is_numbered_anew_and_knows_projects() -> None:
    given = ["id=0", "name=Root", "type=0", "shares=0x10", "childnodes=3,7"]
    given += ["id=3", "name=sea", "type=0", "shares=8", "childnodes=NONE"]
    given += ["id=7", "name=anna", "type=0", "shares=5", "childnodes=NONE"]
    tree = config_object(Kind.SHARETREE, "sharetree", {"tree": "\n".join(given)})
    lines = stored(Cluster().with_objects((project("sea"),)), tree).values["tree"].splitlines()
    assert [line for line in lines if line.startswith(("id", "name", "type", "childnodes"))] == [
        *("id=0", "name=Root", "type=0", "childnodes=1,2"),
        *("id=1", "name=sea", "type=1", "childnodes=NONE"),
        *("id=2", "name=anna", "type=0", "childnodes=NONE"),
    ]
    assert [line for line in lines if line.startswith("shares")] == ["shares=16", "shares=8", "shares=5"]


def test_a_share_tree_without_nodes_is_left_as_it_is() -> None:
    bare = config_object(Kind.SHARETREE, "sharetree", {})
    assert stored(Cluster(), bare) == bare
