"""How the values of one field of a queue fall on its hosts."""

from qmon_tui.checks import check_object
from qmon_tui.checks.queue_read import instance_values
from qmon_tui.model.cluster import config_object
from qmon_tui.model.kinds import Kind
from tests.unit.scheduler.building import cluster, queue


def test_a_host_has_its_own_value_then_its_groups_then_the_default() -> None:
    groups = [
        config_object(Kind.HOSTGROUP, name, {"group_name": name, "hostlist": hosts})
        for name, hosts in (("@big", "h2 h3"), ("@fast", "h3 h4 h9"))
    ]
    all_q = queue("all.q", "h1 h2 h3 h4 h5", seq_no="1,[h1=2],[@big=3],[@fast=4],[h8=5]")
    values = instance_values(cluster(*groups, all_q), all_q, "seq_no")
    assert {key: hosts for (key, _), hosts in values.used.items()} == {
        "h1": ("h1",),
        "@big": ("h2",),
        None: ("h3", "h5"),
        "@fast": ("h4",),
    }
    assert values.ambiguous == {"h3": ("@big", "@fast")}
    assert (values.unused_hosts, values.partial_groups) == (("h8",), ("@fast",))


def test_without_a_default_hosts_that_nothing_sets_have_no_value() -> None:
    """qconf refuses such a queue, but a folder may have it."""
    for text, used in (
        ("[h1=gpu=1],[h2=gpu=2]", {("h1", "gpu=1"): ("h1",), ("h2", "gpu=2"): ("h2",)}),
        ("[h2=gpu=2]", {("h2", "gpu=2"): ("h2",)}),
    ):
        all_q = queue("all.q", "h1 h2 h3", complex_values=text)
        assert instance_values(cluster(all_q), all_q, "complex_values").used == used
        findings = check_object(cluster(all_q), all_q)
        assert '"complex_values" has no default value' in [finding.message for finding in findings]
