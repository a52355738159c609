"""What the qmaster accepts of a queue, but a document forbids or nobody can mean."""

import pytest

from qmon_tui.checks import check_object
from qmon_tui.model.cluster import ConfigObject, config_object
from qmon_tui.model.findings import Finding, Severity
from qmon_tui.model.kinds import Kind
from tests.unit.checks.recorded import context, errors, warnings


def queue(**changes: str) -> ConfigObject:
    values = {"qname": "val_t", "hostlist": "vs1 vs2", "load_thresholds": "np_load_avg=1.75", **changes}
    return config_object(Kind.QUEUE, values["qname"], values)


def only(obj: ConfigObject) -> Finding:
    assert errors(context(), obj) == []
    findings = warnings(context(), obj)
    assert len(findings) == 1, [finding.message for finding in findings]
    return findings[0]


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"hostlist": "@val_g1", "seq_no": "1,[@val_g1=2],[vs1=3]"},
        {"hostlist": "@val_g3", "h_rt": "24:00:00,[@val_g1=48:00:00]", "h_vmem": "4G"},
        {"complex_values": "val_int=4,val_mem=16G,val_tim=1:0:0,val_exc=TRUE,val_hos=vs1,slots=8,arch=lx-amd64"},
        {"s_rt": "1:0:0", "h_rt": "2:0:0", "s_vmem": "INFINITY", "h_vmem": "2G"},
        {"prolog": "root@/opt/prolog $job_id", "suspend_method": "SIGTSTP", "terminate_method": "/opt/end"},
        {"user_lists": "val_acl", "xuser_lists": "val_acl2", "projects": "val_prj"},
        {"qtype": "NONE", "pe_list": "val_pe"},
        {"slots": "0,[vs1=4]"},
        {"suspend_thresholds": "mem_free=1G,nla=2", "nsuspend": "2"},
        {"priority": "-5", "tmpdir": "/scratch", "rerun": "TRUE"},
    ],
)
def test_nothing_is_said_of_a_healthy_queue(changes: dict[str, str]) -> None:
    assert check_object(context(), queue(**changes)) == ()


@pytest.mark.parametrize(
    ("changes", "rule", "field", "words"),
    [
        ({"hostlist": "NONE"}, "hostlist.empty", "hostlist", "no hosts"),
        ({"hostlist": "@val_e"}, "hostlist.empty", "hostlist", "no hosts"),
        ({"hostlist": "vs1 elsewhere"}, "hostlist.unknown", "hostlist", '"elsewhere" is not a host'),
        ({"load_thresholds": "nope=1"}, "thresholds.name", "load_thresholds", '"nope" does not exist'),
        ({"suspend_thresholds": "NONE,[vs1=nope=1]"}, "thresholds.name", "suspend_thresholds", '"nope"'),
        ({"load_thresholds": "vi=1"}, "thresholds.shortcut", "load_thresholds", "val_int is not found"),
        ({"load_thresholds": "np_load_avg=abc"}, "thresholds.value", "load_thresholds", '"abc"'),
        ({"complex_values": "val_int=1,vi=2"}, "complex_values.repeated", "complex_values", '"val_int"'),
        ({"complex_values": "val_hos=elsewhere"}, "complex_values.host", "complex_values", '"elsewhere"'),
        ({"complex_values": "val_int=1.5"}, "complex_values.meaning", "complex_values", "not a whole number"),
        ({"h_rt": "10m"}, "number.meaning", "h_rt", "10000000 seconds"),
        ({"h_vmem": "1,5"}, "number.meaning", "h_vmem", "read as 1"),
        ({"h_vmem": "1:0:0"}, "number.meaning", "h_vmem", "read as 3600"),
        ({"notify": "010"}, "number.meaning", "notify", "octal"),
        ({"h_cpu": "0:0:30,[vs1=-1]"}, "number.meaning", "h_cpu", "negative"),
        ({"s_cpu": "TRUE"}, "number.meaning", "s_cpu", "read as 1"),
        ({"h_data": "nan"}, "number.meaning", "h_data", "INFINITY"),
        ({"s_rt": "2:0:0", "h_rt": "1:0:0"}, "limits.order", "s_rt", "never reached"),
        ({"s_rt": "2:0:0", "h_rt": "3:0:0,[vs2=1:0:0]"}, "limits.order", "s_rt", "never reached"),
        ({"pe_list": "make"}, "pe_list.make", "pe_list", '"make" does not exist'),
        ({"user_lists": "val_acl", "xuser_lists": "val_acl"}, "access.both", "xuser_lists", "denied"),
        ({"projects": "val_prj", "xprojects": "NONE,[vs1=val_prj]"}, "access.both", "xprojects", "denied"),
        ({"qtype": "NONE"}, "qtype.nothing", "qtype", "takes no jobs"),
        ({"slots": "0"}, "slots.none", "slots", "no slots"),
        ({"slots": "0,[vs4=8]", "hostlist": "vs1 vs4", "seq_no": "0,[vs3=1]"}, "overrides.unused", "seq_no", "unused"),
        ({"tmpdir": "tmp"}, "tmpdir.path", "tmpdir", "absolute"),
        ({"starter_method": "x"}, "method.path", "starter_method", "absolute"),
        ({"resume_method": "CONT"}, "method.path", "resume_method", "neither a signal nor"),
        ({"priority": "5abc"}, "priority.meaning", "priority", "only the number"),
    ],
)
def test_one_warning(changes: dict[str, str], rule: str, field: str, words: str) -> None:
    finding = only(queue(**changes))
    assert (finding.rule, finding.field, finding.severity) == (f"queue.{rule}", field, Severity.WARNING)
    assert words in finding.message


def test_detached_settings_in_the_words_of_qconf() -> None:
    """The output of `qconf -sds` that was captured for a queue on vs1 and vs2 (captures/qconf-sds.detached)."""
    obj = queue(qname="val_det", seq_no="0,[@val_g2=1],[vs4=2],[nohost.x=3]", slots="1,[vs3=2]")
    assert [finding.message for finding in warnings(context(), obj)] == [
        'unused setting for attribute "seq_no" and host "vs4" in queue "val_det".',
        'unused setting for attribute "seq_no" and host "nohost.x" in queue "val_det".',
        'default value of "seq_no" is overwritten for hostgroup "@val_g2" in queue "val_det". '
        'Not all hosts of "@val_g2" are contained in the hostlist specification of queue "val_det".',
        'unused setting for attribute "slots" and host "vs3" in queue "val_det".',
    ]


def test_a_host_in_two_groups_that_both_set_a_field() -> None:
    finding = only(queue(hostlist="@val_g1 @val_g2", seq_no="1,[@val_g1=2],[@val_g2=2]"))
    assert finding.rule == "queue.overrides.ambiguous"
    assert '@val_g1 and @val_g2 set it for "vs2"' in finding.message
    # A setting for the host itself decides.
    assert warnings(context(), queue(hostlist="@val_g1 @val_g2", seq_no="1,[@val_g1=2],[@val_g2=2],[vs2=3]")) == []


def test_nested_groups_count_as_containing() -> None:
    finding = only(queue(hostlist="@val_g3", seq_no="1,[@val_g1=2],[@val_g3=3]"))
    assert finding.rule == "queue.overrides.ambiguous"
    assert "vs1, vs2:" in finding.message


@pytest.mark.parametrize(
    ("allowed", "denied", "told"),
    [
        ("val_acl", "val_acl2", []),
        ("val_acl val_acl2", "val_acl2", [("val_acl2", "")]),
        ("val_acl", "val_acl2 val_acl", [("val_acl", "")]),
        ("val_acl2,val_acl", "val_acl val_acl2", [("val_acl2", ""), ("val_acl", "")]),
        ("NONE,[vs1=val_acl]", "NONE,[vs1=val_acl val_acl2]", [("val_acl", "In the setting for vs1.")]),
        ("NONE,[vs1=val_acl]", "NONE,[vs2=val_acl]", []),
        ("val_acl2,[vs1=val_acl]", "val_acl2,[vs2=val_acl]", [("val_acl2", "")]),
    ],
)
def test_who_is_both_let_in_and_shut_out_is_told_for_each_place(
    allowed: str, denied: str, told: list[tuple[str, str]]
) -> None:
    obj = queue(user_lists=allowed, xuser_lists=denied)
    found = [finding for finding in check_object(context(), obj) if finding.rule == "queue.access.both"]
    assert [(each.field, each.message.split('"')[1], each.hint) for each in found] == [
        ("xuser_lists", *one) for one in told
    ]
