"""What blocks the deletion of an object.

Source: qconf.md#what-blocks-a-deletion and complex.md#deleting-and-redefining-attributes-in-use.
"""

import pytest

from qmon_tui.checks import deletion_refusals
from qmon_tui.model.cluster import Cluster, ConfigObject, config_object
from qmon_tui.model.kinds import Kind
from tests.unit.checks.recorded import context


def refusals(cluster: Cluster, kind: Kind, name: str) -> list[str]:
    return [finding.message for finding in deletion_refusals(cluster, kind, name)]


def queue(name: str = "val_q", **values: str) -> ConfigObject:
    return config_object(Kind.QUEUE, name, {"qname": name, "hostlist": "vs1", "load_thresholds": "NONE", **values})


def attribute(user: str) -> str:
    return f'denied: Complex attribute "val_int" is still referenced in {user}.'


HOST = config_object(Kind.HOST, "vs1", {"hostname": "vs1"})
SCHEDULER = config_object(Kind.SCHEDULER, "scheduler", {})


@pytest.mark.parametrize(
    ("user", "message"),
    [
        (queue(complex_values="val_int=1"), attribute('queue "val_q"')),
        (queue(complex_values="NONE,[vs2=val_int=1]"), attribute('queue "val_q"')),
        (queue(complex_values="vi=1"), attribute('queue "val_q"')),
        # The shortcut of a queue without instances is never looked at, nor are thresholds and scalings.
        (queue(complex_values="vi=1", hostlist="NONE"), None),
        (queue(load_thresholds="val_int=1"), None),
        (queue(suspend_thresholds="val_int=1"), None),
        (HOST.with_value("complex_values", "val_int=1"), attribute('host "vs1"')),
        (HOST.with_value("complex_values", "vi=1"), attribute('host "vs1"')),
        (HOST.with_value("report_variables", "val_int"), attribute('host "vs1"')),
        (HOST.with_value("load_scaling", "val_int=2"), None),
        (SCHEDULER.with_value("load_formula", "np_load_avg+val_int*2"), attribute("scheduler configuration")),
        (SCHEDULER.with_value("load_formula", "vi"), None),
        (SCHEDULER.with_value("job_load_adjustments", "val_int=1"), attribute("scheduler configuration")),
        (config_object(Kind.QUOTA, "r", {"limit": "to val_int=5"}), attribute('resource quota set "r"')),
        (config_object(Kind.QUOTA, "r", {"limit": "to slots=1,vi=5"}), attribute('resource quota set "r"')),
        (config_object(Kind.QUOTA, "r", {"limit": "no rule\nto val_int=5"}), attribute('resource quota set "r"')),
        (config_object(Kind.QUOTA, "r", {"limit": "to slots=1\nto vi=5"}), attribute('resource quota set "r"')),
        (config_object(Kind.QUOTA, "r", {"limit": "hosts {*} to slots=$val_int"}), None),
        (config_object(Kind.QUOTA, "r", {"limit": "hosts {*} to vi=$val_int"}), attribute('resource quota set "r"')),
    ],
)
def test_an_attribute_in_use(user: ConfigObject, message: str | None) -> None:
    cluster = context().with_object(user)
    assert refusals(cluster, Kind.COMPLEX, "val_int") == ([message] if message else [])


@pytest.mark.parametrize(
    ("kind", "name", "user", "message"),
    [
        (Kind.CALENDAR, "val_cal", queue(calendar="val_cal"),
         'denied: Calendar "val_cal" is still referenced in queue "val_q"'),
        (Kind.CALENDAR, "val_cal", queue(calendar="NONE,[vs1=val_cal]"),
         'denied: Calendar "val_cal" is still referenced in queue "val_q"'),
        (Kind.CKPT, "val_ck", queue(ckpt_list="val_ck"), 'denied: Ckpt "val_ck" is still referenced in queue "val_q".'),
        (Kind.PE, "val_pe", queue(pe_list="make val_pe"),
         'denied: Parallel environment "val_pe" is still referenced in queue "val_q".'),
        (Kind.PE, "val_pe", config_object(Kind.QUOTA, "r", {"limit": "pes val_pe to slots=1"}), None),
        (Kind.USERSET, "val_acl", queue(user_lists="val_acl"),
         'denied: userset "val_acl" is still referenced in user list of queue "val_q"'),
        (Kind.USERSET, "val_acl2", config_object(Kind.PE, "val_pe2", {"xuser_lists": "val_acl2"}),
         'denied: userset "val_acl2" is still referenced in xuser list of parallel environment "val_pe2"'),
        (Kind.USERSET, "val_acl", config_object(Kind.PROJECT, "val_p3", {"acl": "val_acl"}),
         'denied: userset "val_acl" is still referenced in user list of project "val_p3"'),
        (Kind.USERSET, "val_acl", HOST.with_value("user_lists", "val_acl"),
         'denied: userset "val_acl" is still referenced in user list of exechost "vs1"'),
        (Kind.USERSET, "val_acl", config_object(Kind.QUOTA, "r", {"limit": "users @val_acl to slots=1"}), None),
        (Kind.PROJECT, "val_prj", queue(projects="val_prj"),
         'denied: project "val_prj" is still referenced in projects of queue "val_q"'),
        (Kind.PROJECT, "val_prj", config_object(Kind.CONFIGURATION, "global", {"projects": "val_prj"}),
         'denied: project "val_prj" is still referenced in projects of configuration "global"'),
        (Kind.PROJECT, "val_prj", config_object(Kind.USER, "u", {"default_project": "val_prj"}),
         'project "val_prj" is still referenced by user "u"'),
        (Kind.PROJECT, "val_prj", config_object(Kind.SHARETREE, "sharetree", {"tree": "id=0\nname=val_prj"}),
         'denied: may not remove project "val_prj" still referenced in share tree'),
        (Kind.USER, "u", config_object(Kind.SHARETREE, "sharetree", {"tree": "id=0\nname=u"}),
         'denied: may not remove user "u" still referenced in share tree'),
        (Kind.HOST, "vs4", queue(hostlist="vs4"), 'Host object "vs4" is still referenced in cluster queue "val_q".'),
        (Kind.HOSTGROUP, "@val_g2", queue(seq_no="0,[@val_g2=1]"),
         'denied: these cluster queues still reference "@val_g2": val_q'),
        (Kind.QUEUE, "low", queue(subordinate_list="low=2"),
         'Cluster queue "low" is referenced in cluster queue "val_q" as a subordinate. Deletion denied'),
        (Kind.CONFIGURATION, "global", queue(), 'can\'t delete configuration "global" from list'),
        (Kind.HOST, "global", queue(), 'denied: pseudo host "global" may not be deleted'),
    ],
)  # fmt: skip
def test_other_objects_in_use(kind: Kind, name: str, user: ConfigObject, message: str | None) -> None:
    there = context().get(kind, name) or config_object(kind, name, {})
    said = refusals(context().with_objects((there, user)), kind, name)
    assert (message in said) if message else said == []


def test_a_host_in_a_group_and_a_group_in_a_group() -> None:
    assert refusals(context(), Kind.HOST, "vs1") == ['Host object "vs1" is still referenced in host group "@val_g1".']
    expected = ['denied: these hostgroups still reference "@val_g1": @val_g3']
    assert refusals(context(), Kind.HOSTGROUP, "@val_g1") == expected


def test_what_nobody_uses_goes() -> None:
    for kind, name in ((Kind.PE, "val_pe"), (Kind.COMPLEX, "val_int"), (Kind.QUOTA, "x"), (Kind.HOSTGROUP, "@val_e")):
        cluster = context().with_object(context().get(kind, name) or config_object(kind, name, {}))
        assert refusals(cluster, kind, name) == []


def test_what_is_not_there_is_missed() -> None:
    assert refusals(context(), Kind.HOST, "vs99") == ['denied: execution host "vs99" does not exist']
    assert refusals(context(), Kind.CKPT, "gone") == ['denied: checkpointing environment "gone" does not exist']
    assert refusals(context(), Kind.CONFIGURATION, "vs99") == []


def test_it_is_said_where_to_take_it_out() -> None:
    for values, hint in (
        ({"complex_values": "val_int=1"}, "Take it out of complex_values there first."),
        ({"complex_values": "NONE,[vs1=val_int=1]"}, "Take it out of complex_values for vs1 there first."),
    ):
        (finding,) = deletion_refusals(context().with_object(queue(**values)), Kind.COMPLEX, "val_int")
        assert finding.hint == hint
