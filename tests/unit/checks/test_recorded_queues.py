"""Cluster queues against what a real qmaster said of them (queue.md#order-of-checks)."""

from typing import Any

import pytest

from qmon_tui.checks import check_object
from qmon_tui.checks.queue_verify import VERIFY_ORDER
from qmon_tui.checks.stored_objects import stored
from qmon_tui.model.catalogue import spec
from qmon_tui.model.cluster import Cluster, ConfigObject, config_object
from qmon_tui.model.kinds import Kind
from tests.unit.checks.recorded import context, errors, first_message, recorded

BASE: dict[str, str] = recorded("queue_cases")["base"]
CASES: list[dict[str, Any]] = recorded("queue_cases")["cases"]

# The recording qmaster could resolve only the hosts of its cluster; what we cannot know we warn of.
UNRESOLVABLE = {
    "hostlist=vs1 nohost.nowhere": "queue.hostlist.unknown",
    "complex_values=val_hos=nohost.x": "queue.complex_values.host",
}
# It replaced this address by the name of the host.
ADDRESS = "127.0.1.101"


UNKNOWN_GROUP = 'Did not modify "seq_no" for host group "@nope" which does not exist.'


def queue(name: str, **changes: str) -> ConfigObject:
    values = {**BASE, **changes, "qname": name}
    return config_object(Kind.QUEUE, name, values)


def of_case(case: dict[str, Any]) -> ConfigObject:
    values = {**BASE, **case["values"]}
    return config_object(Kind.QUEUE, values["qname"], values)


def cluster_of(case: dict[str, Any]) -> Cluster:
    """Two queues to subordinate, and for a modification the queue that is changed."""
    others = [queue("val_sub1"), queue("val_sub2")]
    return context().with_objects([*others, queue("val_m")] if case["how"] == "mod" else others)


def label(case: dict[str, Any]) -> str:
    return f"{case['how']}: {case['label'][:60]}"


@pytest.mark.parametrize("case", CASES, ids=label)
def test_verdict_and_first_message(case: dict[str, Any]) -> None:
    obj, cluster = of_case(case), cluster_of(case)
    findings = errors(cluster, obj)
    if case["label"] in UNRESOLVABLE:
        assert findings == []
        assert UNRESOLVABLE[case["label"]] in {finding.rule for finding in check_object(cluster, obj)}
    elif case["accepted"] and case["rc"] == 0:
        assert findings == []
    elif case["accepted"]:
        # Adding goes through although an instance cannot have the value; exit status 1 is all that tells.
        assert [finding.rule for finding in findings] == ["queue.complex_values.value"]
    else:
        assert findings[0].message == case["message"]


def names_an_address(case: dict[str, Any]) -> bool:
    return any(ADDRESS in text for text in case["values"].values())


@pytest.mark.parametrize("case", [c for c in CASES if "stored" in c and not names_an_address(c)], ids=label)
def test_what_is_stored(case: dict[str, Any]) -> None:
    kept = stored(cluster_of(case), of_case(case))
    assert {field: kept.text(field) for field in case["stored"]} == case["stored"]


def test_order_of_the_stages() -> None:
    """A queue that is wrong everywhere is refused for one thing after the other (others_cases, precedence)."""
    wrong = {
        "shell": "sh", "priority": "99", "processors": "a", "shell_start_mode": "foo", "initial_state": "foo",
        "qname": "val_bad@x", "hostlist": "vs*", "slots": "99999999", "calendar": "nope", "ckpt_list": "nope",
        "pe_list": "nope", "user_lists": "nope", "xuser_lists": "nope2", "projects": "nope", "xprojects": "nope2",
        "complex_values": "nope=1", "subordinate_list": "nope",
    }  # fmt: skip
    expected = [
        'Invalid value "sh" for shell', "Priority not in range -20 to +20", "Numerical value invalid!",
        'Invalid value "foo" as shell start mode', 'Invalid value "foo" as initial state',
        'cluster queue name "val_bad@x" is not valid', 'unable to resolve host "vs*"',
        '99999999 is an invalid value for the "slots" attribute - it must be a value between 0 and 9999999',
        'Calendar "nope" does not exist', 'Ckpt "nope" does not exist', 'Parallel environment "nope" does not exist',
        'Userset "nope" does not exist', 'Userset "nope2" does not exist', 'Project "nope" does not exist',
        'Project "nope2" does not exist', 'Complex attribute "nope" does not exist',
        'Subordinated cluster queue "nope" referenced in "val_bad@x" does not exist',
    ]  # fmt: skip
    obj = config_object(Kind.QUEUE, "val_bad@x", {**BASE, **wrong})
    assert [finding.message for finding in errors(context(), obj)] == expected


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        # Tried on a real qmaster: the check of the shell comes between those of slots and priority.
        ({"seq_no": "[vs1=1]", "shell": "x"}, '"seq_no" has no default value'),
        ({"slots": "[vs1=1]", "shell": "x"}, '"slots" has no default value'),
        ({"notify": "[vs1=1]", "shell": "x"}, 'Invalid value "x" for shell'),
        ({"xprojects": "[vs1=NONE]", "processors": "x"}, "Numerical value invalid!"),
        # Groups that settings name come after the host list and before all values.
        ({"seq_no": "1,[@nope=2]", "hostlist": "vs*"}, 'unable to resolve host "vs*"'),
        ({"seq_no": "1,[@nope=2]", "slots": "99999999"}, UNKNOWN_GROUP),
        ({"seq_no": "1,[=2],[@nope=3]"}, 'invalid hostname ""'),
        ({"hostlist": "@nope vs*"}, 'unable to resolve host "vs*"'),
        # What can be said for one host only is said of the first host that has it.
        ({"complex_values": "NONE,[vs2=slots=x],[vs1=rerun=y]"}, 'attribute "rerun" is not a boolean value'),
        ({"complex_values": "slots=x,arch=NONE"}, 'attribute "slots" is not a integer value'),
        ({"complex_values": "slots=NONE"}, 'denied: missing value for resource "slots"'),
        ({"complex_values": "hostname=NONE"}, 'denied: missing value for resource "hostname"'),
        ({"complex_values": "rerun=none"}, None),
        ({"complex_values": "hostname=a;b"}, 'can\'t resolve hostname "a;b"'),
        ({"complex_values": "hostname=vs1|vs2"}, None),
        ({"qtype": "BATCH,[vs1=]"}, 'error: reading conf file: empty specifier for ""'),
        ({"pe_list": "NONE,[vs1=]"}, 'error: error parsing value ""'),
        ({"subordinate_list": "NONE,[vs1=]"}, None),
        ({"calendar": "NONE,[vs1=]"}, None),
        ({"processors": "UNDEFINED,[vs1=]"}, None),
        ({"shell": "/bin/sh,[vs1=]"}, 'Invalid value "" for shell'),
        ({"priority": "0,[vs1=]"}, "Invalid character"),
        ({"priority": "+0"}, "Invalid character"),
        ({"processors": "1.5-3"}, 'Range specifier "5-3" has unknown trailer "-3"'),
        ({"processors": "1-2.5"}, 'Range specifier "2.5" has unknown trailer ".5"'),
        ({"processors": "--1"}, None),
        ({"processors": "1x"}, None),
        ({"calendar": "NONE x"}, 'Calendar "NONE x" does not exist'),
        ({"subordinate_list": "nope val_t"}, 'Cluster queue "val_t" can\'t get subordinated by itself'),
    ],
)  # fmt: skip
def test_tried_on_a_real_qmaster(changes: dict[str, str], message: str | None) -> None:
    assert first_message(context(), queue("val_t", **changes)) == message


def test_the_verification_order_has_every_field_that_may_differ_per_host() -> None:
    assert sorted(VERIFY_ORDER) == sorted(field.name for field in spec(Kind.QUEUE).fields if field.per_host)


def test_a_value_for_hosts_outside_the_queue_is_not_looked_at() -> None:
    assert errors(context(), queue("val_t", complex_values="NONE,[vs4=val_int=x]")) == []
    assert errors(context(), queue("val_t", hostlist="NONE", complex_values="val_int=x")) == []
