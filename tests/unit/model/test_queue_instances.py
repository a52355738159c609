"""Hostgroups, queue instances and effective values (queue.md#values-that-differ-per-host)."""

import pytest

from qmon_tui.model.cluster import Cluster, ConfigObject, config_object
from qmon_tui.model.instances import effective_value, groups_of, queue_instances, resolve_group
from qmon_tui.model.kinds import Kind


def group(name: str, hostlist: str) -> ConfigObject:
    return config_object(Kind.HOSTGROUP, name, {"group_name": name, "hostlist": hostlist})


def queue(name: str, **values: str) -> ConfigObject:
    return config_object(Kind.QUEUE, name, {"qname": name, **values})


@pytest.fixture
def cluster() -> Cluster:
    return Cluster().with_objects(
        [
            group("@all", "@left @right"),
            group("@left", "n1 N2"),
            group("@right", "n2 n3 @left"),
            group("@loop", "@loop n9"),
            queue("a.q", hostlist="@right n1 n4", slots="1,[@left=2],[@right=3],[n1=4]"),
            queue("b.q", hostlist="NONE"),
        ]
    )


def test_a_nested_group_lists_each_host_once_in_order(cluster: Cluster) -> None:
    assert resolve_group(cluster, "@all") == ("n1", "n2", "n3")


def test_a_group_that_contains_itself_ends(cluster: Cluster) -> None:
    assert resolve_group(cluster, "@loop") == ("n9",)


def test_a_host_belongs_to_the_groups_around_its_group(cluster: Cluster) -> None:
    assert groups_of(cluster, "n1") == {"@left", "@right", "@all"}
    assert groups_of(cluster, "n9") == {"@loop"}


def test_instances_follow_the_hostlist(cluster: Cluster) -> None:
    assert queue_instances(cluster) == (("a.q", "n1"), ("a.q", "n4"), ("a.q", "n2"), ("a.q", "n3"))


def test_hosts_come_before_those_of_groups_and_of_groups_in_groups() -> None:
    cluster = Cluster().with_objects(
        [
            group("@c", "n6"),
            group("@d", "n5"),
            group("@a", "@c n4 @d"),
            group("@b", "n3 n2"),
            queue("a.q", hostlist="@a @b n1"),
            queue("b.q", hostlist="n7 @b @a"),
        ]
    )
    hosts = [host for _, host in queue_instances(cluster)]
    # The order in which a real qmaster says that they are overloaded.
    assert hosts == ["n1", "n4", "n3", "n2", "n6", "n5", "n7", "n3", "n2", "n4", "n6", "n5"]


@pytest.mark.parametrize(
    ("host", "text", "origin", "ambiguous"),
    [
        ("n1", "4", "host", False),
        ("n2", "1", "default", True),
        ("n3", "3", "group", False),
        ("n4", "1", "default", False),
    ],
)
def test_a_host_setting_wins_over_one_group_and_two_groups_contradict(
    cluster: Cluster, host: str, text: str, origin: str, ambiguous: bool
) -> None:
    a_queue = cluster.get(Kind.QUEUE, "a.q")
    assert a_queue
    value = effective_value(cluster, a_queue, "slots", host)
    assert (value.text, value.origin, value.ambiguous) == (text, origin, ambiguous)
