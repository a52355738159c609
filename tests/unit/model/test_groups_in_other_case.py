"""The case of a hostgroup's name does not count, wherever it is named."""

from qmon_tui.checks.check_cluster import check
from qmon_tui.checks.deletion import deletion_refusals
from qmon_tui.formats.folder_reader import read_texts
from qmon_tui.formats.layout import Layout
from qmon_tui.model.instances import MemberKind, effective_value, find_group, find_members, queue_hosts, resolve_group
from qmon_tui.model.kinds import Kind
from qmon_tui.model.references import references_to
from qmon_tui.model.state import State
from qmon_tui.tui.forms.scopes import scopes_of
from qmon_tui.workspace import Document, definitions, rename_everywhere

CLUSTER = """\
hosts: {n1: {}, n2: {}, n3: {}}
hostgroups:
  "@Inner": {hostlist: n1 n2}
  "@Outer": {hostlist: "@INNER n3"}
queues:
  a.q: {hostlist: "@outer", slots: "1,[@inner=3]", seq_no: "0,[@INNER=5]", load_thresholds: NONE}
quotas:
  r: {enabled: "TRUE", limit: "hosts {@OUTER} to slots=2"}
"""


CONTENTS = read_texts(Layout.YAML, "groups", {"cluster.yaml": CLUSTER})
THERE = CONTENTS.cluster
QUEUE = THERE.objects(Kind.QUEUE)["a.q"]


def test_a_group_is_found_and_resolved_by_any_spelling() -> None:
    assert not [finding for finding in check(THERE) if finding.severity.value != "info"]
    group = find_group(THERE, "@OUTER")
    assert group is not None
    assert group.name == "@Outer"
    assert resolve_group(THERE, "@outer") == ("n3", "n1", "n2")
    assert queue_hosts(THERE, QUEUE) == ("n3", "n1", "n2")
    assert [effective_value(THERE, QUEUE, "slots", host).text for host in ("n1", "n3")] == ["3", "1"]
    assert {(member.name, member.path) for member in find_members(THERE, "@OUTER")} == {
        ("n1", ("@Outer", "@Inner")), ("n2", ("@Outer", "@Inner")), ("n3", ("@Outer",))
    }  # fmt: skip


def test_a_circle_through_another_spelling_is_found() -> None:
    inner = THERE.objects(Kind.HOSTGROUP)["@Inner"].with_values({"hostlist": "@OUTER"})
    cluster = THERE.with_objects([inner])
    assert MemberKind.CIRCLE in {member.kind for member in find_members(cluster, "@Inner")}
    assert 'Hostgroup "@OUTER" in specification of "@Inner" would create a cycle' in [
        finding.message for finding in check(cluster)
    ]


def test_who_names_a_group_in_another_spelling_uses_it_and_follows_it() -> None:
    assert {(use.kind, use.name) for use in references_to(THERE, Kind.HOSTGROUP, "@Inner")} == {
        (Kind.HOSTGROUP, "@Outer"), (Kind.QUEUE, "a.q")
    }  # fmt: skip
    assert [finding.message for finding in deletion_refusals(THERE, Kind.HOSTGROUP, "@Outer")] == [
        'denied: these cluster queues still reference "@Outer": a.q'
    ]
    after = rename_everywhere(THERE, Kind.HOSTGROUP, "@Inner", "@Core").edit.made(Document(THERE, State())).cluster
    assert after.objects(Kind.HOSTGROUP)["@Outer"].text("hostlist") == "@Core n3"
    assert after.objects(Kind.QUEUE)["a.q"].text("slots") == "1,[@Core=3]"
    assert [place.name for place in definitions(THERE, QUEUE, "hostlist")] == ["@Outer"]


def test_both_spellings_are_one_scope_of_a_form() -> None:
    assert [(scope.key, scope.fields) for scope in scopes_of(THERE, QUEUE) if scope.key.startswith("@")] == [
        ("@INNER", 2)
    ]
