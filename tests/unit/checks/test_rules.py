"""The register of rules, and that checks never fail themselves."""

import re

import pytest
from hypothesis import given, settings, strategies as st

from qmon_tui.checks import RULES, check, check_object, deletion_refusals
from qmon_tui.model.catalogue import spec
from qmon_tui.model.cluster import Cluster, Origin, config_object
from qmon_tui.model.kinds import Kind
from qmon_tui.model.state import State
from tests.unit.checks.recorded import context

ODD = st.text(alphabet="ab1:.,=[]@!{}()$*/-+ \t\n#\"'\\äGs", max_size=16) | st.sampled_from(
    [
        "NONE",
        "[vs1=",
        "1,[vs1=2]",
        "slots=2(a:1:sr)",
        "a=1,b",
        "@val_g1",
        "nan",
        "INFINITY",
        "0x10",
        "users {*} to slots=1",
    ]
)


def test_every_rule_says_what_it_asks_for_and_where_that_is_written() -> None:
    for rule_id, rule in RULES.items():
        assert rule.id == rule_id
        assert re.fullmatch(r"[a-z_]+(\.[a-z_]+)+", rule_id)
        assert rule_id.startswith(f"{rule.kind.value}.")
        assert rule.summary.endswith(".")
        assert rule.source
    assert len(RULES) > 150


@settings(deadline=None)  # a slow machine is no wrong verdict
@given(st.sampled_from(list(Kind)), st.data())
def test_any_text_in_any_field_is_judged(kind: Kind, data: st.DataObject) -> None:
    fields = [field.name for field in spec(kind).fields]
    values = data.draw(st.dictionaries(st.sampled_from(fields), ODD, max_size=4))
    name = data.draw(ODD)
    obj = config_object(kind, name, values)
    for cluster in (Cluster(), context(), context().with_object(obj)):
        for finding in check_object(cluster, obj):
            assert finding.rule in RULES
            assert finding.message
        deletion_refusals(cluster, kind, name)
    assert all(finding.rule in RULES for finding in check(context().with_object(obj)))


def test_loads_and_states_of_what_does_not_exist() -> None:
    queue = config_object(Kind.QUEUE, "q", {"qname": "q", "hostlist": "@val_g1", "load_thresholds": "NONE"})
    cluster = context().with_object(queue)
    known = State(
        loads={"vs1": {"load_avg": "1"}, "global": {}}, queue_states={"q@vs1": "d"}, changed={"q": 1, "q@vs1": 2}
    )
    assert check(cluster, known) == check(cluster)
    strange = State(loads={"elsewhere": {}}, queue_states={"q@vs4": "d", "p@vs1": "s"}, changed={"q@vs4": 1, "p": 2})
    findings = check(cluster, strange)[len(check(cluster)) :]
    assert [(finding.rule, finding.name) for finding in findings] == [
        ("host.loads", "elsewhere"), ("queue.states", "q"), ("queue.states", "p"),
        ("queue.changed", "q"), ("queue.changed", "p"),
    ]  # fmt: skip


def test_a_finding_tells_where_it_was_read() -> None:
    origin = Origin("cqueues/q", 1, {"slots": 15})
    obj = config_object(Kind.QUEUE, "q", {"qname": "q", "hostlist": "vs1", "slots": "x"}, origin)
    finding = check_object(context(), obj)[0]
    assert (finding.file, finding.line, finding.field, finding.kind, finding.name) == (
        "cqueues/q",
        15,
        "slots",
        "queue",
        "q",
    )


def test_many_that_do_not_exist_are_told_once() -> None:
    hosts = [f"elsewhere{number}" for number in range(7)]
    findings = check(context(), State(loads={host: {} for host in hosts}))
    found = [finding.message for finding in findings if finding.rule == "host.loads"]
    assert found == [
        "load values are given for 7 hosts that this cluster does not have: "
        "elsewhere0, elsewhere1, elsewhere2, elsewhere3, elsewhere4 and 2 more"
    ]


@pytest.mark.parametrize(
    ("offered", "said"), [("60G", []), ("70G", ["mem_free=70G is more than the load value mem_total=64G of vs1"])]
)
def test_what_is_free_may_be_promised_as_a_whole(offered: str, said: list[str]) -> None:
    booked = context().objects(Kind.COMPLEX)["mem_free"].with_value("consumable", "YES")
    host = config_object(Kind.HOST, "vs1", {"complex_values": f"mem_free={offered}"})
    cluster = context().with_objects([booked, host])
    findings = check(cluster, State(loads={"vs1": {"mem_free": "12G", "mem_total": "64G"}}))
    assert [finding.message for finding in findings if finding.rule == "host.complex_values.exceeds"] == said
