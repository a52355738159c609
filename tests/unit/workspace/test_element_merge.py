"""Two changes of one field, merged element by element."""

import pytest
from hypothesis import given, strategies as st

from qmon_tui.model.catalogue import spec
from qmon_tui.model.cluster import config_object
from qmon_tui.model.field_elements import element
from qmon_tui.model.fields import Field
from qmon_tui.model.kinds import Kind
from qmon_tui.model.sharetree import parse_share_tree
from qmon_tui.workspace import EditedText, SetField, Side, Workspace
from qmon_tui.workspace.element_merge import merged
from qmon_tui.workspace.merge import TakeElement
from tests.unit.workspace.samples import cluster, queue, reading


def field(kind: Kind, name: str) -> Field:
    return spec(kind).by_name[name]


def tree(*nodes: str) -> str:
    """`1 ann 10 -` is node 1, ann, 10 shares, no children; the root comes first."""
    lines = []
    for node in nodes:
        number, name, shares, children = node.split()
        below = "NONE" if children == "-" else children
        lines.append(f"id={number}\nname={name}\ntype=0\nshares={shares}\nchildnodes={below}")
    return "\n".join(lines)


Q = Kind.QUEUE
RULES = "users ann to slots=1\nusers bob to slots=2\nto slots=9"
TREE = tree("0 Root 1 1,2", "1 ann 10 -", "2 bob 10 -")


@pytest.mark.parametrize(
    ("kind", "name", "base", "mine", "theirs", "result"),
    [
        (Q, "pe_list", "a b c", "c a", "a b x c", "c a x"),
        (Q, "pe_list", "a b c", "c b", "x a y b c", "x y c b"),
        (Q, "pe_list", "a b c d", "d c", "a x b y c d", "x y d c"),
        (Q, "pe_list", "a b", "b a z", "a b", "b a z"),
        (Q, "pe_list", "a b", "b a z", "a b y", "b y a z"),
        (Q, "pe_list", "a b", "b a", "b a y", "b a y"),
        (Q, "pe_list", "a b", "a b z", "y a b", "y a b z"),
        (Q, "pe_list", "a", "a z", "a y", "a y z"),
        # What only one side changed, or both alike, is taken to the letter.
        (Q, "user_lists", "a b", "a,b", "a b", "a,b"),
        (Q, "user_lists", "a b", "a,c", "a,c", "a,c"),
        (Q, "user_lists", "a b", "a b c", "b", "b c"),
        (Q, "user_lists", "NONE", "a", "b", "a b"),
        (Q, "user_lists", "a", "NONE", "a b", "b"),
        (Q, "user_lists", "a,[n1=b]", "a c,[n1=b]", "a,[n1=b d]", "a c,[n1=b d]"),
        (Q, "user_lists", "a,[n1=b]", "a,[n1=b c]", "a,[n1=b d]", "a,[n1=b c d]"),
        (Q, "hostlist", "@a node1", "@a node1 node2", "@b @a node1", "@b @a node1 node2"),
        # One side sorts anew: what it took away keeps its place for what the other side put behind it.
        (Q, "hostlist", "a b c", "c a", "a b x c", "c a x"),
        (Q, "hostlist", "a b c d", "d a", "a b c x d", "d a x"),
        (Q, "hostlist", "a b c", "c b", "a x b c", "x c b"),
        (Q, "hostlist", "a b c", "c b a", "y a b c", "y c b a"),
        (Q, "slots", "1,[n1=2]", "1,[n1=2],[n2=3]", "4,[n1=2]", "4,[n1=2],[n2=3]"),
        (Q, "slots", "1", "1,[n2=3]", "1,[N1=2]", "1,[N1=2],[n2=3]"),
        (Q, "complex_values", "gpu=1,mem=2G", "gpu=2,mem=2G", "gpu=1,mem=4G", "gpu=2,mem=4G"),
        (Q, "complex_values", "gpu=1", "NONE", "gpu=1,lic=1", "lic=1"),
        (Q, "subordinate_list", "a.q=2", "a.q=2, b.q=3", "NONE", "b.q=3"),
        (Kind.HOST, "complex_values", "gpu=1", "gpu=1,mem=1G", "gpu=3", "gpu=3,mem=1G"),
        (Kind.QUOTA, "limit", RULES, RULES.replace("slots=1", "slots=5"), RULES.replace("to slots=9", "to slots=8"),
         "users ann to slots=5\nusers bob to slots=2\nto slots=8"),
        (Kind.QUOTA, "limit", RULES, f"users root to slots=0\n{RULES}", "users bob to slots=2\nto slots=9",
         "users root to slots=0\nusers bob to slots=2\nto slots=9"),
        (Kind.SHARETREE, "tree", TREE, tree("0 Root 1 1,2", "1 ann 7 -", "2 bob 10 -"),
         tree("0 Root 1 1,2,3", "1 ann 10 -", "2 bob 10 -", "3 eve 5 -"),
         tree("0 Root 1 1,2,3", "1 ann 7 -", "2 bob 10 -", "3 eve 5 -")),
        (Kind.SHARETREE, "tree", TREE, tree("0 Root 1 1", "1 bob 10 -"),
         tree("0 Root 1 1,2", "1 ann 10 -", "2 bob 10 4", "4 eve 5 -"),
         tree("0 Root 1 1", "1 bob 10 2", "2 eve 5 -")),
    ],
)  # fmt: skip
def test_changes_of_different_elements_merge(
    kind: Kind, name: str, base: str, mine: str, theirs: str, result: str
) -> None:
    for one, other in ((mine, theirs), (theirs, mine)):
        found = merged(field(kind, name), base, one, other)
        assert found.clashes == ()
        assert found.text == result


@pytest.mark.parametrize(
    ("kind", "name", "base", "mine", "theirs", "key", "versions"),
    [
        (Q, "slots", "1", "2", "3", (), ("1", "2", "3")),
        (Q, "slots", "1,[n1=2]", "5,[n1=2]", "6,[n1=2]", (), ("1", "5", "6")),
        (Q, "slots", "1,[n1=2]", "1,[n1=3]", "1", ("[n1]",), ("2", "3", None)),
        (Q, "complex_values", "gpu=1", "gpu=2", "gpu=3", ("gpu",), ("1", "2", "3")),
        (Q, "complex_values", "a=1,[n1=gpu=1]", "a=1,[n1=gpu=2]", "a=1,[n1=gpu=3]", ("[n1]", "gpu"), ("1", "2", "3")),
        (Kind.QUOTA, "limit", RULES, RULES.replace("slots=2", "slots=5"), RULES.replace("slots=2", "slots=6"),
         ("rule 2",), ("users bob to slots=2", "users bob to slots=5", "users bob to slots=6")),
        (Kind.QUOTA, "limit", RULES, f"{RULES}\nto a=1", f"{RULES}\nto b=1",
         ("after rule 3",), (None, "to a=1", "to b=1")),
        (Kind.SHARETREE, "tree", TREE, tree("0 Root 1 1", "1 ann 10 -"),
         tree("0 Root 1 1,2", "1 ann 10 -", "2 bob 10 4", "4 eve 5 -"),
         ("Root/bob",), ("type=0 shares=10", None, "type=0 shares=10")),
        (Kind.SHARETREE, "tree", TREE, tree("0 Root 1 1", "1 ann 10 -"),
         tree("0 Root 1 1,2", "1 ann 10 3", "3 kim 5 -", "2 bob 10 4", "4 eve 5 -"),
         ("Root/bob",), ("type=0 shares=10", None, "type=0 shares=10")),
        (Kind.QUEUE, "user_lists", "a b c", "c b a", "b c a", (), ("a b c", "c b a", "b c a")),
    ],
)  # fmt: skip
def test_changes_of_one_element_clash_and_can_be_taken_from_either_side(
    kind: Kind, name: str, base: str, mine: str, theirs: str, key: tuple[str, ...], versions: tuple[str | None, ...]
) -> None:
    declared = field(kind, name)
    (clash,) = merged(declared, base, mine, theirs).clashes
    assert (clash.key, (clash.base, clash.mine, clash.theirs)) == (key, versions)
    undecided = merged(declared, base, mine, theirs).text
    assert element(declared, base, undecided, key) == versions[1]
    taken = merged(declared, base, mine, theirs, lambda asked: asked == key).text
    assert element(declared, base, taken, key) == versions[2]
    assert parse_share_tree(taken) is not None or kind is not Kind.SHARETREE


LISTS = st.lists(st.sampled_from("abcde"), unique=True, max_size=4).map(lambda names: " ".join(names) or "NONE")
PER_HOST = st.builds(
    lambda default, keyed: ",".join([default, *(f"[{host}={value}]" for host, value in keyed.items())]),
    LISTS,
    st.dictionaries(st.sampled_from(("n1", "n2", "@g")), LISTS, max_size=3),
)


@given(PER_HOST, PER_HOST, PER_HOST)
def test_merging_is_the_same_from_both_sides_but_for_clashes(base: str, mine: str, theirs: str) -> None:
    lists = field(Q, "user_lists")
    one, other = merged(lists, base, mine, theirs), merged(lists, base, theirs, mine)
    assert [clash.key for clash in one.clashes] == [clash.key for clash in other.clashes]
    assert merged(lists, base, theirs, mine, lambda key: True).text == one.text
    if not one.clashes:
        assert one.text == other.text
    for clash in one.clashes:
        assert (clash.mine, clash.theirs) == next((c.theirs, c.mine) for c in other.clashes if c.key == clash.key)


@given(PER_HOST, PER_HOST)
def test_a_change_of_one_side_alone_is_taken_to_the_letter(base: str, changed: str) -> None:
    lists = field(Q, "user_lists")
    for one, other in ((base, changed), (changed, base), (changed, changed)):
        assert merged(lists, base, one, other).text == changed
        assert merged(lists, base, one, other).clashes == ()


BASE = cluster(
    queue("a.q", complex_values="gpu=1,mem=1,lic=1", user_lists="staff"),
    config_object(Kind.SHARETREE, "sharetree", {"tree": TREE}),
)


def set_to(name: str, text: str) -> SetField:
    return SetField(Kind.QUEUE, "a.q", name, text)


def values(workspace: Workspace) -> str:
    return workspace.cluster.objects(Kind.QUEUE)["a.q"].text("complex_values")


def conflicting() -> Workspace:
    workspace = Workspace(reading(BASE))
    workspace.apply(set_to("complex_values", "gpu=2,mem=2,lic=1"))
    workspace.disk_changed(reading(set_to("complex_values", "gpu=3,mem=3,lic=3").apply(BASE)))
    return workspace


def test_only_the_elements_that_both_sides_changed_are_to_be_decided() -> None:
    workspace = conflicting()
    gpu, mem = workspace.merge()
    assert [c.label for c in (gpu, mem)] == ["complex_values gpu of queue a.q", "complex_values mem of queue a.q"]
    assert (gpu.base, gpu.mine, gpu.theirs) == ("1", "2", "3")
    assert values(workspace) == "gpu=2,mem=2,lic=3"
    workspace.resolve(gpu, Side.THEIRS)
    assert values(workspace) == "gpu=3,mem=2,lic=3"
    assert [c.label for c in workspace.unresolved] == [mem.label]
    workspace.resolve(mem, Side.THEIRS)
    assert values(workspace) == "gpu=3,mem=3,lic=3"
    assert not workspace.is_dirty()
    workspace.undo()
    assert [c.label for c in workspace.unresolved] == [mem.label]


def test_a_third_text_decides_about_every_element_of_its_field() -> None:
    """Also about one that it leaves as mine."""
    workspace = conflicting()
    gpu, _ = workspace.merge()
    workspace.resolve(gpu, EditedText("gpu=7,mem=2,lic=3"))
    assert values(workspace) == "gpu=7,mem=2,lic=3"
    assert workspace.unresolved == ()


def test_what_is_edited_after_a_merge_outlives_a_decision() -> None:
    workspace = conflicting()
    gpu, mem = workspace.merge()
    workspace.resolve(gpu, Side.MINE)
    workspace.apply(set_to("complex_values", "gpu=2,mem=2,lic=3,new=1"))
    workspace.resolve(mem, Side.THEIRS)
    assert values(workspace) == "gpu=2,mem=3,lic=3,new=1"


def test_both_sides_adding_to_one_list_is_no_conflict() -> None:
    workspace = Workspace(reading(BASE))
    workspace.apply(set_to("user_lists", "staff crew"))
    workspace.disk_changed(reading(set_to("user_lists", "staff guests").apply(BASE)))
    assert workspace.merge() == ()
    assert workspace.cluster.objects(Kind.QUEUE)["a.q"].text("user_lists") == "staff crew guests"
    assert [change.fields for change in workspace.changes()] == [(("user_lists", "staff guests", "staff crew guests"),)]


def test_whose_element_is_taken_is_said() -> None:
    texts = ("a=1,b=1", "a=2,b=1", "a=3,b=1")
    labels = [TakeElement(Q, "a.q", "complex_values", ("a",), texts, side).label for side in (Side.MINE, Side.THEIRS)]
    assert labels == [
        "take complex_values a of queue a.q as it is here",
        "take complex_values a of queue a.q as it is on disk",
    ]
    here = cluster(queue("a.q", complex_values="a=2,b=7"))
    taken = TakeElement(Q, "a.q", "complex_values", ("a",), texts, Side.THEIRS).apply(here)
    assert taken.objects(Q)["a.q"].text("complex_values") == "a=3,b=7"
    back = TakeElement(Q, "a.q", "complex_values", ("a",), texts, Side.MINE).apply(taken)
    assert back.objects(Q)["a.q"].text("complex_values") == "a=2,b=7"
