"""One field of several objects, several hosts in lists, several objects deleted: each as one step."""

from itertools import pairwise
from pathlib import Path

import pytest

from qmon_tui.model import Cluster, Kind, State, config_object
from qmon_tui.sources import read_folder
from qmon_tui.workspace import Document, EditError, add_all, change_all, delete_everywhere, host_lists

SITE = read_folder(Path(__file__).parents[3] / "configs" / "site").cluster
HOSTS = {"n1": "NONE", "n2": "gpu=1,scratch=800G", "n3": "scratch=800G"}
UNLIKE = SITE.with_objects(
    config_object(Kind.HOST, name, {"hostname": name, "complex_values": text}) for name, text in HOSTS.items()
)


def changed(cluster: Cluster, field: str, text: str) -> list[str]:
    after = change_all(Document(cluster, State()), Kind.HOST, list(HOSTS), field, text).made(Document(cluster, State()))
    return [after.cluster.objects(Kind.HOST)[name].text(field) for name in HOSTS]


@pytest.mark.parametrize(
    ("field", "text", "after"),
    [
        ("complex_values", "gpu=4", ["gpu=4", "scratch=800G,gpu=4", "scratch=800G,gpu=4"]),
        ("complex_values", "scratch=1G", ["scratch=1G", "gpu=1,scratch=1G", "scratch=1G"]),
        ("complex_values", "-scratch", ["NONE", "gpu=1", "NONE"]),
        ("complex_values", "=gpu=4", ["gpu=4"] * 3),
        ("user_lists", "staff", ["staff"] * 3),
        ("usage_scaling", "cpu=0.5", ["cpu=0.5"] * 3),
    ],
)
def test_one_element_changes_and_the_rest_of_the_list_stays(field: str, text: str, after: list[str]) -> None:
    cluster = UNLIKE.with_object(config_object(Kind.USERSET, "staff", {"name": "staff"}))
    assert changed(cluster, field, text) == after


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("nosuch=1", 'n1: denied: attribute "nosuch" is not a complex attribute'),
        ("-nosuch", "This changes none of them: n1 has complex_values NONE."),
        ("=gpu=many", "n1: "),
    ],
)
def test_what_one_object_cannot_take_is_refused_with_a_reason(text: str, said: str) -> None:
    with pytest.raises(EditError) as refusal:
        changed(UNLIKE, "complex_values", text)
    assert str(refusal.value).startswith(said)


@pytest.mark.parametrize("kind", list(Kind))
def test_several_objects_go_as_one_after_the_other(kind: Kind) -> None:
    """What refers to both of two neighbours is changed once, to the same."""
    for two in pairwise(SITE.objects(kind)):
        at_once = delete_everywhere(SITE, kind, *two).edit.made(Document(SITE, State())).cluster
        one_by_one = Document(SITE, State())
        for name in two:
            one_by_one = delete_everywhere(one_by_one.cluster, kind, name).edit.made(one_by_one)
        assert at_once == one_by_one.cluster, two


def test_new_hosts_are_appended_to_each_list_once() -> None:
    names = ("m1", "node02", "m2")
    objects = [config_object(Kind.HOST, name, {"hostname": name}) for name in ("m1", "m2")]
    edit = add_all(SITE, "m[1-2]", objects, None, [(Kind.HOSTGROUP, "@nodes"), (Kind.QUEUE, "inter.q")])
    after = edit.made(Document(SITE, State())).cluster
    assert edit.label == "add host m[1-2] to @nodes, inter.q"
    assert host_lists(after, "m1") == ((Kind.HOSTGROUP, "@nodes"), (Kind.QUEUE, "inter.q"))
    again = add_all(after, "m1", objects[:1], None, ())
    assert again.label == "add host m1"
    assert [name in after.objects(Kind.HOST) for name in names] == [True] * 3
