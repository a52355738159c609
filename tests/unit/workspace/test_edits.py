import pytest

from qmon_tui.model.cluster import Cluster, config_object
from qmon_tui.model.kinds import Kind
from qmon_tui.workspace import Batch, EditError
from qmon_tui.workspace.difference import changes
from qmon_tui.workspace.document import listed_objects
from qmon_tui.workspace.edits import (
    AddObject,
    Edit,
    RemoveObject,
    RenameObject,
    ReplaceKind,
    RevertObject,
    SetField,
    SetFields,
    original_in,
)
from qmon_tui.workspace.merge import overlay
from tests.unit.workspace.samples import cluster, conflicts, queue

TWO = cluster(queue("a.q", slots="1"), queue("b.q", slots="2"))


def test_setting_a_field_leaves_the_old_cluster_alone() -> None:
    after = SetField(Kind.QUEUE, "a.q", "slots", "8").apply(TWO)
    assert after.objects(Kind.QUEUE)["a.q"].text("slots") == "8"
    assert TWO.objects(Kind.QUEUE)["a.q"].text("slots") == "1"
    assert after.objects(Kind.QUEUE)["b.q"] is TWO.objects(Kind.QUEUE)["b.q"]


def test_leaving_a_field_out_brings_the_default_of_the_template_back() -> None:
    after = SetField(Kind.QUEUE, "b.q", "slots", None).apply(TWO)
    assert after.objects(Kind.QUEUE)["b.q"].given("slots") is None
    assert after.objects(Kind.QUEUE)["b.q"].text("slots") == "1"


def test_renaming_keeps_the_place_in_the_list_and_changes_the_name_field() -> None:
    after = RenameObject(Kind.QUEUE, "a.q", "z.q").apply(TWO)
    assert list(after.objects(Kind.QUEUE)) == ["z.q", "b.q"]
    assert after.objects(Kind.QUEUE)["z.q"].text("qname") == "z.q"


def test_setting_the_name_field_renames() -> None:
    assert SetField(Kind.QUEUE, "a.q", "qname", "z.q").apply(TWO) == RenameObject(Kind.QUEUE, "a.q", "z.q").apply(TWO)


@pytest.mark.parametrize(
    ("edit", "sentence"),
    [
        (SetField(Kind.QUEUE, "gone.q", "slots", "1"), "There is no queue gone.q any more."),
        (SetField(Kind.SCHEDULER, "other", "weight_ticket", "1"), "There is no scheduler any more."),
        (SetField(Kind.HOST, "h1", "complex_values", "a=1"), "There is no host h1 any more."),
        (AddObject(queue("a.q")), 'cluster queue "a.q" already exists: choose another name.'),
        (RenameObject(Kind.QUEUE, "a.q", "b.q"), 'cluster queue "b.q" already exists: choose another name.'),
        (SetFields(Kind.QUEUE, "a.q", {"qname": "b.q"}), 'cluster queue "b.q" already exists: choose another name.'),
    ],
)
def test_what_cannot_be_done_is_a_sentence(edit: SetField | AddObject | RenameObject, sentence: str) -> None:
    with pytest.raises(EditError, match=sentence):
        edit.apply(TWO)


def test_single_objects_and_the_global_host_are_made_by_their_first_edit() -> None:
    after = SetField(Kind.SCHEDULER, "scheduler", "weight_ticket", "1").apply(TWO)
    assert after.single(Kind.SCHEDULER).text("weight_ticket") == "1"
    after = SetField(Kind.HOST, "global", "complex_values", "lic=3").apply(TWO)
    assert after.objects(Kind.HOST)["global"].text("complex_values") == "lic=3"


def test_replacing_a_kind_keeps_the_objects_that_stay_the_same() -> None:
    after = ReplaceKind(Kind.QUEUE, (queue("c.q"), queue("b.q", slots="2"))).apply(TWO)
    assert list(after.objects(Kind.QUEUE)) == ["c.q", "b.q"]
    assert after.objects(Kind.QUEUE)["b.q"] is TWO.objects(Kind.QUEUE)["b.q"]


def test_a_copy_and_what_comes_from_another_file_were_not_read_where_their_model_was() -> None:
    read = cluster(queue("a.q", file="queues.yaml"))
    model = read.objects(Kind.QUEUE)["a.q"]
    copied = AddObject(model.renamed("copy.q")).apply(read).objects(Kind.QUEUE)
    assert (copied["copy.q"].origin, copied["a.q"].origin) == (None, model.origin)
    loaded = ReplaceKind(Kind.QUEUE, (queue("a.q", file="other", slots="9"), queue("b.q", file="other"))).apply(read)
    assert [obj.origin for obj in loaded.objects(Kind.QUEUE).values()] == [model.origin, None]


@pytest.mark.parametrize("name", ["a.q", "b.q", "c.q"])
def test_a_removed_object_is_put_back_where_it_was(name: str) -> None:
    three = cluster(queue("a.q"), queue("b.q"), queue("c.q"))
    names = tuple(three.objects(Kind.QUEUE))
    without = RemoveObject(Kind.QUEUE, name).apply(three)
    back = RevertObject(three.objects(Kind.QUEUE)[name], names).apply(without)
    assert list(back.objects(Kind.QUEUE)) == ["a.q", "b.q", "c.q"]


def test_a_field_that_is_put_back_leaves_the_others_and_at_last_it_is_the_object_that_was_read() -> None:
    read = queue("a.q", file="queues.yaml", slots="1", seq_no="2")
    changed = cluster(queue("a.q", slots="3", seq_no="4"), queue("b.q"))
    once = RevertObject(read, ("a.q",), "slots").apply(changed)
    now = once.objects(Kind.QUEUE)["a.q"]
    assert (now.text("slots"), now.text("seq_no"), now.origin) == ("1", "4", None)
    assert RevertObject(read, ("a.q",), "seq_no").apply(once).objects(Kind.QUEUE)["a.q"] is read


def test_labels_name_the_object_once() -> None:
    assert RevertObject(queue("a.q"), (), "slots").label == "revert slots of queue a.q"
    assert RevertObject(queue("a.q"), ()).label == "revert queue a.q"
    assert SetField(Kind.QUEUE, "a.q", "h_vmem", "1G").label == "set h_vmem of queue a.q"
    assert SetField(Kind.SCHEDULER, "scheduler", "weight_ticket", "1").label == "set weight_ticket of scheduler"
    assert RemoveObject(Kind.HOSTGROUP, "@gpu").label == "delete hostgroup @gpu"


def _typed(field: str, text: str | None, name: str = "a.q", kind: Kind = Kind.QUEUE) -> SetField:
    return SetField(kind, name, field, text)


_SLOTS, _NAMED = _typed("slots", "24"), _typed("qname", "xy", "x")
_TWO_SLOTS = SetFields(Kind.QUEUE, "a.q", {"slots": "2", "seq_no": "1"})


@pytest.mark.parametrize(
    ("earlier", "later", "together"),
    [
        (_typed("slots", "2"), _SLOTS, _SLOTS),
        (_typed("slots", None), _SLOTS, _SLOTS),
        (_typed("slots", "2", "b.q"), _SLOTS, None),
        (_typed("seq_no", "2"), _SLOTS, None),
        (_typed("slots", "2", kind=Kind.PE), _SLOTS, None),
        (RemoveObject(Kind.QUEUE, "a.q"), _SLOTS, None),
        (_typed("qname", "x"), _NAMED, _typed("qname", "xy", "a.q")),
        (_typed("qname", "y"), _NAMED, None),
        (_typed("slots", "x"), _NAMED, None),
        (SetFields(Kind.QUEUE, "a.q", {"seq_no": "3", "slots": "4"}), _TWO_SLOTS, _TWO_SLOTS),
        (SetFields(Kind.QUEUE, "a.q", {"slots": "4"}), _TWO_SLOTS, None),
        (SetFields(Kind.QUEUE, "b.q", {"slots": "4", "seq_no": "3"}), _TWO_SLOTS, None),
        (SetFields(Kind.PE, "a.q", {"slots": "4", "seq_no": "3"}), _TWO_SLOTS, None),
        (_typed("slots", "2"), _TWO_SLOTS, None),
        (_TWO_SLOTS, _SLOTS, None),
        (RenameObject(Kind.QUEUE, "a", "b"), RenameObject(Kind.QUEUE, "b", "c"), RenameObject(Kind.QUEUE, "a", "c")),
        (RenameObject(Kind.QUEUE, "a", "x"), RenameObject(Kind.QUEUE, "b", "c"), None),
        (RenameObject(Kind.PE, "a", "b"), RenameObject(Kind.QUEUE, "b", "c"), None),
        (_typed("qname", "b"), RenameObject(Kind.QUEUE, "b", "c"), None),
        (RemoveObject(Kind.QUEUE, "a.q"), RemoveObject(Kind.QUEUE, "a.q"), None),
    ],
)
def test_steps_of_typing_one_value_are_one_edit(earlier: Edit, later: Edit, together: Edit | None) -> None:
    assert later.joined(earlier) == together


def test_what_was_copied_is_known_by_whatever_name_the_copy_has_now() -> None:
    original = queue("a.q", slots="1")
    copy = AddObject(queue("copy.q"), original)
    typed, renamed = SetField(Kind.QUEUE, "copy.q", "qname", "x.q"), RenameObject(Kind.QUEUE, "x.q", "y.q")
    edits = (None, Batch("several", (AddObject(queue("new.q")), copy)), typed, renamed)
    names = ("y.q", "x.q", "copy.q", "new.q", "b.q")
    assert [original_in(edits, Kind.QUEUE, name) for name in names] == [original, original, original, None, None]
    assert original_in(edits, Kind.PE, "y.q") is None
    elsewhere = (
        SetField(Kind.QUEUE, "b.q", "slots", "y.q"),
        SetField(Kind.PE, "b.q", "pe_name", "y.q"),
        RenameObject(Kind.PE, "b.q", "y.q"),
    )
    assert original_in((*edits, *elsewhere), Kind.QUEUE, "y.q") is original


def test_what_every_cluster_has_is_listed_first_where_it_was_not_read() -> None:
    some = cluster(config_object(Kind.HOST, "h1", {}), queue("a.q"))
    assert list(listed_objects(some, Kind.HOST)) == ["global", "h1"]
    assert listed_objects(some, Kind.QUEUE) is some.objects(Kind.QUEUE)
    read = some.with_object(config_object(Kind.HOST, "global", {"complex_values": "a=1"}))
    assert listed_objects(read, Kind.HOST) is read.objects(Kind.HOST)


def test_what_is_changed_over_another_cluster_keeps_its_place_and_what_goes_goes() -> None:
    base = cluster(queue("a.q", slots="1"), queue("b.q"), queue("c.q"))
    mine = base.with_object(queue("a.q", slots="2")).without(Kind.QUEUE, "b.q").with_object(queue("new.q"))
    theirs = cluster(queue("a.q", slots="1"), queue("b.q"), queue("c.q"), queue("d.q"))
    both = overlay(changes(base, mine), theirs).objects(Kind.QUEUE)
    assert [(name, obj.text("slots")) for name, obj in both.items()] == [
        ("a.q", "2"),
        ("c.q", "1"),
        ("d.q", "1"),
        ("new.q", "1"),
    ]


def test_a_field_that_was_not_given_merges_from_its_default_but_not_in_a_configuration() -> None:
    def versions(kind: Kind, name: str, field: str) -> list[Cluster]:
        given: tuple[dict[str, str], ...] = ({}, {field: "a"}, {field: "b"})
        return [cluster(config_object(kind, name, values)) for values in given]

    assert conflicts(*versions(Kind.QUEUE, "q", "pe_list")) == ()
    (conflict,) = conflicts(*versions(Kind.CONFIGURATION, "h1", "user_lists"))
    assert (conflict.field, conflict.base, conflict.mine, conflict.theirs) == ("user_lists", None, "a", "b")
