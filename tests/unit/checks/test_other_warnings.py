"""Warnings for hosts, groups, environments, people, quotas, the scheduler and the configuration."""

import pytest

from qmon_tui.checks import check_object
from qmon_tui.model.cluster import config_object
from qmon_tui.model.kinds import Kind
from tests.unit.checks.recorded import context, errors, warnings

QUOTA = "hosts {@val_g1,vs1} projects val_prj pes !val_pe users @nobody,eve to slots=1"


@pytest.mark.parametrize(
    ("kind", "name", "values"),
    [
        (Kind.HOST, "vs1", {"complex_values": "val_int=4,val_mem=64G,slots=16", "user_lists": "val_acl"}),
        (Kind.HOST, "global", {"complex_values": "val_int=4"}),
        (Kind.HOSTGROUP, "@rack", {"hostlist": "vs1 vs2 @val_g1"}),
        (Kind.PE, "mpi", {"slots": "999", "allocation_rule": "$round_robin"}),
        (Kind.PE, "four", {"slots": "999", "allocation_rule": "4"}),
        (Kind.CKPT, "ck", {"when": "sx", "signal": "USR2"}),
        (Kind.CALENDAR, "night", {"week": "mon-fri=8-18=off"}),
        (Kind.USERSET, "staff", {"type": "ACL", "entries": "ann,bob,@wheel"}),
        (Kind.USERSET, "physics", {"type": "ACL DEPT", "fshare": "100", "entries": "ann"}),
        (Kind.PROJECT, "apollo", {"fshare": "100", "acl": "val_acl"}),
        (Kind.USER, "ann", {"fshare": "100", "default_project": "val_prj"}),
        (Kind.QUOTA, "max", {"limit": QUOTA, "enabled": "TRUE"}),
        (Kind.SCHEDULER, "scheduler", {}),
        (Kind.SCHEDULER, "scheduler", {"load_formula": "np_load_avg-slots*0.1", "params": "MONITOR=1,PROFILE=1"}),
        (Kind.CONFIGURATION, "global", {"load_sensor": "/opt/a,/opt/b", "prolog": "root@/p $job_id", "max_jobs": "5"}),
    ],
)  # fmt: skip
def test_nothing_is_said_of_healthy_objects(kind: Kind, name: str, values: dict[str, str]) -> None:
    assert check_object(context(), config_object(kind, name, values)) == ()


@pytest.mark.parametrize(
    ("kind", "name", "values", "rule", "words"),
    [
        (Kind.HOST, "vs1", {"complex_values": "val_int=1,vi=2"}, "complex_values.repeated", '"val_int"'),
        (Kind.HOST, "vs1", {"complex_values": "val_int=0.5"}, "complex_values.meaning", "whole number"),
        (Kind.HOST, "vs1", {"projects": "val_prj", "xprojects": "val_prj"}, "access.both", "denied"),
        (Kind.HOSTGROUP, "@rack", {"hostlist": "vs1 elsewhere"}, "hostlist.unknown", '"elsewhere"'),
        (Kind.PE, "mpi", {"allocation_rule": "fill_up"}, "allocation_rule", '"fill_up"'),
        (Kind.PE, "mpi", {"allocation_rule": "0"}, "allocation_rule", '"0"'),
        (Kind.USERSET, "staff", {"entries": "ann bob"}, "entries.blank", "matches nobody"),
        (Kind.USERSET, "staff", {"type": "ACL", "fshare": "5"}, "acl.unused", "fshare"),
        (Kind.USERSET, "physics", {"type": "DEPT", "entries": "nobody"}, "departments", '"val_dept"'),
        (Kind.QUOTA, "max", {"limit": "name a to slots=1\nname a to slots=2"}, "limit.names", '"a"'),
        (Kind.QUOTA, "max", {"limit": "hosts @nope to slots=1"}, "filter", '"@nope"'),
        (Kind.QUOTA, "max", {"limit": "queues a*,nope to slots=1"}, "filter", '"nope"'),
        (Kind.SCHEDULER, "scheduler", {"job_load_adjustments": "nope=1"}, "job_load_adjustments.name", '"nope"'),
        (Kind.SCHEDULER, "scheduler", {"job_load_adjustments": "cpu=x"}, "job_load_adjustments.value", '"x"'),
        (Kind.SCHEDULER, "scheduler", {"queue_sort_method": "share"}, "queue_sort_method", "stored as load"),
        (Kind.CONFIGURATION, "global", {"max_unheard": "banana"}, "meaning", "counts as 0"),
        (Kind.CONFIGURATION, "global", {"auto_user_default_project": "nope"}, "auto_user.project", '"nope"'),
    ],
)
def test_one_warning(kind: Kind, name: str, values: dict[str, str], rule: str, words: str) -> None:
    obj = config_object(kind, name, values)
    assert errors(context(), obj) == []
    found = warnings(context(), obj)
    assert [finding.rule for finding in found] == [f"{kind.value}.{rule}"]
    assert words in found[0].message


def test_an_access_list_gets_no_tickets_afterwards() -> None:
    """-Au lets it through, -Mu does not (others.md section 7)."""
    changed = context().objects(Kind.USERSET)["val_acl"].with_value("oticket", "5")
    assert [finding.message for finding in errors(context(), changed)] == ['not allowed to set "oticket" for ACL lists']


def test_cycles_of_groups_are_found_from_each_of_them() -> None:
    inner = context().objects(Kind.HOSTGROUP)["@val_g1"].with_value("hostlist", "vs1 @val_g3")
    cycle = 'Hostgroup "@val_g3" in specification of "@val_g1" would create a cycle'
    assert [finding.message for finding in errors(context(), inner)] == [cycle]
    outer = context().with_object(inner).objects(Kind.HOSTGROUP)["@val_g3"]
    assert [finding.rule for finding in errors(context().with_object(inner), outer)] == ["hostgroup.hostlist.cycle"]
