"""What a YAML folder says: exact scalars, lists, per-host values, node sets, defaults, and what is wrong with it."""

from collections.abc import Iterator

import pytest

from qmon_tui.formats.folder_reader import Contents, read_texts
from qmon_tui.formats.layout import Layout
from qmon_tui.formats.yaml import Node, documents
from qmon_tui.formats.yaml.field_texts import SizeLimit
from qmon_tui.model.cluster import Cluster, ConfigObject
from qmon_tui.model.defaults import default_complexes
from qmon_tui.model.findings import Finding
from qmon_tui.model.kinds import Kind


def contents(**files: str) -> Contents:
    return read_texts(Layout.YAML, "c", {f"{name}.yaml": text for name, text in files.items()})


def cluster(text: str) -> Cluster:
    found = contents(c=text)
    assert found.findings == ()
    return found.cluster


def the(kind: Kind, name: str, text: str) -> ConfigObject:
    obj = cluster(text).get(kind, name)
    assert obj is not None
    return obj


def findings(text: str) -> tuple[Finding, ...]:
    return contents(c=text).findings


@pytest.mark.parametrize(
    "written",
    [
        "00:00:60",
        "010",
        "1.0",
        "yes",
        "NO",
        "1e3",
        "0x10",
        "null",
        "~",
        "2026-01-01",
        "0:0:10",
        "1_000",
        ".5",
        "<=",
        "TRUE",
        "\u00fc",
    ],
)
def test_scalars_keep_their_text(written: str) -> None:
    for form in (written, f'"{written}"', f"'{written}'", f"!!str {written}"):
        assert the(Kind.QUEUE, "q", f"queues:\n  q:\n    h_rt: {form}\n").given("h_rt") == written


def test_lists_may_be_sequences() -> None:
    queue = the(
        Kind.QUEUE,
        "q",
        "queues:\n  q:\n    hostlist: [node1, '@g']\n    pe_list:\n    - smp\n    - mpi\n    user_lists: []\n"
        "    complex_values: [gpu=1, h_vmem=2G]\n    subordinate_list: [a=1, b]\n",
    )
    assert queue.given("hostlist") == "node1 @g"
    assert queue.given("pe_list") == "smp mpi"
    assert queue.given("user_lists") == "NONE"
    assert queue.given("complex_values") == "gpu=1,h_vmem=2G"
    assert queue.given("subordinate_list") == "a=1, b"
    assert the(Kind.USERSET, "u", "usersets: {u: {entries: [a, '@g']}}").given("entries") == "a,@g"
    assert the(Kind.QUOTA, "r", "quotas: {r: {limit: [to slots=1, to gpu=2]}}").given("limit") == "to slots=1\nto gpu=2"


def test_per_host_values_may_be_mappings() -> None:
    text = "queues:\n  q:\n    slots: {{default: 1, node01: 4, '@g': 2}}\n    complex_values: {0}\n"
    queue = the(Kind.QUEUE, "q", text.format("{gpu: 1, h_vmem: 2G}"))
    # The qmaster keeps groups before hosts.
    assert queue.given("slots") == "1,[@g=2],[node01=4]"
    assert queue.given("complex_values") == "gpu=1,h_vmem=2G"
    queue = the(Kind.QUEUE, "q", text.format("{default: NONE, node01: {gpu: 1, h_vmem: 2G}, node02: gpu=2}"))
    assert queue.given("complex_values") == "NONE,[node01=gpu=1,h_vmem=2G],[node02=gpu=2]"
    plain = the(Kind.QUEUE, "q", 'queues: {q: {slots: "1,[node01=4]"}}')
    assert plain.given("slots") == "1,[node01=4]"


def test_node_sets_are_taken_apart_everywhere() -> None:
    found = contents(
        c="hosts: {global: {}, 'node[01-03]': {complex_values: slots=4}}\n"
        "hostgroups: {'@g': {hostlist: 'node[01-02,09] x'}}\n"
        "queues: {q: {hostlist: ['node[1-2]', '@g'], slots: {default: 1, 'node[1-2]': 4}}}\n"
        "loads: {'node[01-02]': {np_load_avg: 0.5}}\n"
        "states: {'q@node[1-2]': d}\n"
    )
    assert found.findings == ()
    assert list(found.cluster.objects(Kind.HOST)) == ["global", "node01", "node02", "node03"]
    third = found.cluster.objects(Kind.HOST)["node03"]
    assert dict(third.values) == {"hostname": "node03", "complex_values": "slots=4"}
    assert found.cluster.objects(Kind.HOSTGROUP)["@g"].given("hostlist") == "node01 node02 node09 x"
    queue = found.cluster.objects(Kind.QUEUE)["q"]
    assert queue.given("hostlist") == "node1 node2 @g"
    assert queue.given("slots") == "1,[node1=4],[node2=4]"
    assert {host: dict(values) for host, values in found.state.loads.items()} == {
        "node01": {"np_load_avg": "0.5"},
        "node02": {"np_load_avg": "0.5"},
    }
    assert dict(found.state.queue_states) == {"q@node1": "d", "q@node2": "d"}


def test_a_value_may_stand_for_an_object_of_one_field() -> None:
    found = cluster("hostgroups: {'@g': [a, b]}\nmanagers: root anna\nsharetree: |\n  id=0\n  name=Root\n")
    assert found.objects(Kind.HOSTGROUP)["@g"].given("hostlist") == "a b"
    assert found.single(Kind.MANAGERS).text("entries") == "root anna"
    assert found.single(Kind.SHARETREE).text("tree") == "id=0\nname=Root"


def test_complexes_add_to_the_default_list() -> None:
    found = cluster("complexes:\n  gpu: {shortcut: g}\n  h_vmem: {consumable: YES}\n  dwg: {}\n")
    assert len(found.objects(Kind.COMPLEX)) == len(default_complexes()) + 2
    assert found.objects(Kind.COMPLEX)["gpu"].text("type") == "INT"
    # An entry of the default list keeps what is not given.
    assert found.objects(Kind.COMPLEX)["h_vmem"].text("type") == "MEMORY"
    assert found.objects(Kind.COMPLEX)["h_vmem"].text("consumable") == "YES"


def test_what_a_new_cluster_has_can_be_taken_away() -> None:
    found = cluster("complexes: {m_thread: NONE}\nusersets: {deadlineusers: NONE}\n")
    assert "m_thread" not in found.objects(Kind.COMPLEX)
    assert sorted(found.objects(Kind.USERSET)) == ["arusers", "defaultdepartment"]


def test_empty_sections_and_objects() -> None:
    assert cluster("") == cluster("queues:\nhosts: {}\npes: NONE\n# nothing\n")
    assert dict(the(Kind.PE, "smp", "pes:\n  smp:\n").values) == {"pe_name": "smp"}
    assert the(Kind.PE, "smp", "pes:\n  smp:\n").text("allocation_rule") == "$pe_slots"


def test_merged_mappings_give_what_is_not_given() -> None:
    text = "queues:\n  a: &a {slots: 4, rerun: TRUE}\n  b: {<<: *a, slots: 8}\n  c: *a\n"
    found = cluster(text)
    assert found.objects(Kind.QUEUE)["b"].given("slots") == "8"
    assert found.objects(Kind.QUEUE)["b"].given("rerun") == "TRUE"
    assert found.objects(Kind.QUEUE)["c"].given("slots") == "4"


def test_merged_mappings_are_read_as_fields_are_and_what_is_none_is_left_out() -> None:
    text = "queues:\n  a: &a {pe_list: [x, y], y_load: 4}\n  b: {<<: [5, *a], y_load: 5}\n  c: {<<: *a}\n"
    found = contents(c=text)
    assert [(finding.rule, finding.line) for finding in found.findings] == [
        ("format.unknown", 2),
        ("format.unknown", 3),
        ("format.yaml.type", 3),
    ]
    assert [dict(queue.values) for queue in found.cluster.objects(Kind.QUEUE).values()] == [
        {"qname": "a", "pe_list": "x y", "y_load": "4"},
        {"qname": "b", "pe_list": "x y", "y_load": "5"},
        {"qname": "c", "pe_list": "x y", "y_load": "4"},
    ]


def test_a_key_that_is_none_is_told_the_nearest_or_all() -> None:
    near, far = findings("quues: {}\nnothing_like_it: {}\n")
    assert near.hint == "did you mean queues?"
    assert far.hint.startswith("known are: complexes, queues, ")
    assert far.hint.endswith(", workload, drains, exceptions, dialect")


@pytest.mark.parametrize("left", [1, 2])
def test_a_file_that_stands_for_too_many_values_is_told(left: int, monkeypatch: pytest.MonkeyPatch) -> None:
    limit = SizeLimit(0)
    limit.left = left
    monkeypatch.setattr("qmon_tui.formats.yaml.reader.SizeLimit", lambda _: limit)
    said = [(finding.rule, finding.line) for finding in findings("pes:\n  p: {slots: 1, user_lists: a}\n")]
    assert said == [("format.yaml.alias", 1)] * (left < 2)


def test_a_document_may_hold_nothing() -> None:
    assert findings("--- \n---\nqueues: {}\n") == ()
    (finding,) = findings("NONE\n")
    assert finding.message == "a file holds keys such as queues: and hosts:"


def test_places_are_those_of_the_file() -> None:
    queue = the(Kind.QUEUE, "q", "# all\nqueues:\n\n  q:\n    # many\n    slots: 4\n    pe_list:\n    - smp\n")
    assert queue.origin is not None
    assert (queue.origin.file, queue.origin.line) == ("c.yaml", 4)
    assert dict(queue.origin.lines) == {"slots": 6, "pe_list": 7}


@pytest.mark.parametrize(
    ("field", "written", "text"),
    [
        ("hostlist", "a,b", "a,b"),
        ("hostlist", "n[1,3] b", "n1 n3 b"),
        ("hostlist", "n[1-2,4],x", "n1 n2 n4 x"),
        ("hostlist", "a[1]b[2,3], c", "a1b2 a1b3 c"),
        ("hostlist", "x]y", "x]y"),
        ("hostlist", "|\n      a\n      b", "a b"),
        ("hostlist", "[n1, 'n[2-3]']", "n1 n2 n3"),
        ("hostlist", "[]", "NONE"),
        ("complex_values", "{}", "NONE"),
        ("complex_values", "[{a: 1, b: 2}, c=3]", "a=1,b=2,c=3"),
        ("complex_values", "[{}]", "NONE"),
        ("complex_values", "{default: 1, h: {a: 1}}", "1,[h=a=1]"),
        ("complex_values", "{default: a=1, h: [x=1, y=2]}", "a=1,[h=x=1,y=2]"),
        ("complex_values", '{default: a=1, "@n[1]": x}', "a=1,[@n[1]=x]"),
        ("slots", "{h: 4}", "[h=4]"),
        ("slots", "{default: 1, 'n[1-2]': 2, '@g': 3}", "1,[@g=3],[n1=2],[n2=2]"),
        ("slots", '{default: 1, h: "a\\nb"}', "1,[h=a b]"),
        ("slots", ">\n      1\n      2", "1 2"),
        ("pe_list", "|\n      a\n\n      b", "a  b"),
        ("limit", '[a, "b\\nc"]', "a\nb\nc"),
        ("limit", "|\n\n      a\n\n      b\n\n", "a\n\nb"),
    ],
)
def test_a_value_may_be_written_in_many_ways(field: str, written: str, text: str) -> None:
    kind, key = (Kind.QUOTA, "quotas") if field == "limit" else (Kind.QUEUE, "queues")
    assert the(kind, "q", f"{key}:\n  q:\n    {field}: {written}\n").given(field) == text


VALUE, NO_VALUE = "format.yaml.type", "format.no_value"


@pytest.mark.parametrize(
    ("written", "rule", "column", "words"),
    [
        ("hostlist: 'n[1'", "format.nodeset", 15, "is not a node set"),
        ("hostlist: '],b[1,2]'", "format.nodeset", 15, "is not a node set"),
        ("hostlist: [a, [b]]", VALUE, 19, "the elements"),
        ("hostlist: [a, {b: c}]", VALUE, 19, "the elements"),
        ("hostlist: {a: b}", VALUE, 15, "not a mapping"),
        ("hostlist: [a, '']", NO_VALUE, 19, "write one, NONE where"),
        ("slots: {default: 1, h: }", NO_VALUE, 25, "write one, 1 where"),
        ("slots: {default: 1, h: [1]}", VALUE, 28, "not a list"),
        ("slots: {}", NO_VALUE, 12, "write one, 1 where"),
        ("complex_values: {a: }", VALUE, 22, "a name and one value"),
        ("complex_values: {'': 1}", VALUE, 22, "a name and one value"),
        ("complex_values: {[a]: 1}", VALUE, 22, "a name and one value"),
        ("complex_values: {a: [1]}", VALUE, 22, "a name and one value"),
        ("complex_values: [{a: 1}, [b]]", VALUE, 30, "the elements"),
        ("complex_values: {default: a=1, '': x}", VALUE, 36, "the name of a host"),
        ("complex_values: {default: a=1, [h]: x}", VALUE, 36, "the name of a host"),
        ("complex_values: {default: a=1, 'n[1': x}", "format.nodeset", 36, "is not a node set"),
        ("complex_values: {default: a=1, 'n[1-2]': x, n1: y}", "format.duplicate", 49, "multiply defined"),
        ("complex_values: {default: a=1, h: {b: [1]}}", VALUE, 40, "a name and one value"),
        ("pe_list: [a, {b: 1}]", VALUE, 18, "the elements"),
    ],
)
def test_a_value_that_is_none_is_told_with_its_place(written: str, rule: str, column: int, words: str) -> None:
    (finding,) = findings(f"queues:\n  q:\n    {written}\n")
    assert (finding.rule, finding.line, finding.column) == (rule, 3, column)
    assert words in finding.message


@pytest.mark.parametrize(
    ("text", "rule", "place", "words"),
    [
        ("queues: [a\n", "format.yaml", (2, 1), "expected"),
        ("a: b: c\n", "format.yaml", (1, 5), "mapping values"),
        ("queues: *q\n", "format.yaml", (1, 9), "no anchor"),
        ("quues: {}\n", "format.yaml.key", (1, 1), "quues"),
        ("- a\n", "format.yaml.type", (1, 1), "keys"),
        ("queues: {q: {slots: [1, 2]}}\n", "format.yaml.type", (1, 21), "not a list"),
        ("queues: {q: {qname: {a: b}}}\n", "format.yaml.type", (1, 21), "not a mapping"),
        ("queues: {q: {slots: {default: {a: b}}}}\n", "format.yaml.type", (1, 31), "not a mapping"),
        ("queues: {q: 5}\n", "format.yaml.type", (1, 13), "fields"),
        ("queues: many\n", "format.yaml.type", (1, 9), "by name"),
        ("queues: {q: {slots: 1, slots: 2}}\n", "format.duplicate", (1, 24), "more than once"),
        ("queues: {q: {}, q: {}}\n", "format.duplicate", (1, None), "c.yaml line 1"),
        ("queues: {q: {slotz: 1}}\n", "format.unknown", (1, 14), 'error: unknown attribute name "slotz"'),
        ("queues:\n  q:\n    slots:\n    rerun: TRUE\n", "format.no_value", (3, 5), "slots"),
        ("queues: {q: {qname: p}}\n", "format.name", (1, 21), "p"),
        ("hosts: {'node[1-': {}}\n", "format.nodeset", (1, 9), "node set"),
        ("hosts: {'node[1-999999]': {}}\n", "format.nodeset", (1, 9), "more than"),
        ("hostgroups: {'@g': {hostlist: 'n[3-1]'}}\n", "format.nodeset", (1, 31), "before"),
        ("queues: {q: {slots: {default: 1, a: 1, a: 2}}}\n", "format.duplicate", (1, 40), "multiply defined"),
        ("queues: {}\nqueues: {}\n", "format.duplicate", (2, 1), "twice"),
        ("x: \x01\n", "format.yaml", (1, 1), "unacceptable"),
        ("queues: {q: {prolog: ''}}\n", "format.no_value", (1, 22), "prolog"),
        ('queues:\n  q: {prolog: "\\ud83d"}\n', "format.yaml", (2, 15), "half of a surrogate pair"),
        ("queues:\n  q: {prolog: *p}\n", "format.yaml", (2, 15), 'the alias "*p" has no anchor'),
        ("a:\n " + "[" * 24 + "]" * 24, "format.yaml", (2, 25), "nested more than 24 levels deep"),
        ("a: " + "[" * 23 + "]" * 23, "format.yaml.key", (1, 1), '"a" is not a kind'),
        ("[a]: 1\n", "format.yaml.key", (1, 1), "one word"),
        ("queues: {[a]: 1}\n", "format.yaml.type", (1, 10), "one word"),
        ("queues: {'': 1}\n", "format.yaml.type", (1, 10), "one word"),
        ("queues: {q: {[a]: 1}}\n", "format.yaml.type", (1, 14), "one word"),
        ("queues: {q: {<<: 1}}\n", "format.yaml.type", (1, 18), "takes over a mapping"),
        ("usersets: {u: [a]}\n", "format.yaml.type", (1, 15), "holds fields"),
    ],
)
def test_what_is_wrong_has_its_place(text: str, rule: str, place: tuple[int, int | None], words: str) -> None:
    (finding,) = findings(text)
    assert finding.rule == rule
    assert finding.file == "c.yaml"
    assert (finding.line, finding.column) == place
    assert words in finding.message


def test_the_rest_of_a_file_is_read() -> None:
    found = contents(
        c="queues:\n  a: {slots: [1], rerun: TRUE}\n  b: {slots: 2}\nnope: 1\nhosts: {h: {}}\n", d="pes: ["
    )
    assert {(finding.file, finding.rule) for finding in found.findings} == {
        ("c.yaml", "format.yaml.type"),
        ("c.yaml", "format.yaml.key"),
        ("d.yaml", "format.yaml"),
    }
    assert found.cluster.objects(Kind.QUEUE)["a"].given("rerun") == "TRUE"
    assert found.cluster.objects(Kind.QUEUE)["b"].given("slots") == "2"
    assert "h" in found.cluster.objects(Kind.HOST)


def test_an_object_in_two_files_names_both() -> None:
    found = contents(a="queues:\n  q: {slots: 1}\n", b="# more\nqueues:\n  q: {slots: 2}\n")
    (finding,) = found.findings
    assert (finding.file, finding.line) == ("b.yaml", 3)
    assert "a.yaml line 2" in finding.message
    assert found.cluster.objects(Kind.QUEUE)["q"].given("slots") == "1"


def test_files_of_other_purpose_are_ignored() -> None:
    texts = {"README.md": "# [x", "sub/q.yaml": "queues: {q: {}}", ".hidden.yaml": "x: [", "c.yml": "queues: {p: {}}"}
    found = read_texts(Layout.YAML, "c", texts)
    assert found.findings == ()
    assert list(found.cluster.objects(Kind.QUEUE)) == ["p"]


def test_what_aliases_and_node_sets_may_stand_for_grows_with_the_file() -> None:
    limit = SizeLimit(10)
    assert limit.spend(100_000)
    assert limit.spend(199)
    assert limit.spend()
    assert not limit.spend()


def test_documents_and_byte_order_mark() -> None:
    found = cluster("\ufeffqueues: {a: {}}\n---\nqueues: {b: {}}\n...\n")
    assert list(found.objects(Kind.QUEUE)) == ["a", "b"]


def _places(node: Node) -> Iterator[tuple[str, int, int, int, int]]:
    yield type(node).__name__, node.start, node.end, node.line, node.column
    parts = [part for pair in getattr(node, "pairs", ()) for part in pair]
    for part in (*parts, *getattr(node, "items", ())):
        yield from _places(part)


def test_every_node_knows_its_place() -> None:
    """A block ends with its last value; a value that is not there has the line and column of its key."""
    first, second = documents("a: &x 'one'\nb:\n  - *x\n  - [ü, {c: }]\nd:\n\n\n---\n- |\n  e\n\n")
    assert list(_places(first)) == [
        ("Mapping", 0, 42, 1, 1),
        ("Scalar", 0, 1, 1, 1),
        ("Scalar", 3, 11, 1, 4),
        ("Scalar", 12, 13, 2, 1),
        ("Sequence", 17, 36, 3, 3),
        ("Alias", 19, 21, 3, 5),
        ("Sequence", 26, 36, 4, 5),
        ("Scalar", 27, 28, 4, 6),
        ("Mapping", 30, 35, 4, 9),
        ("Scalar", 31, 32, 4, 10),
        ("Scalar", 33, 33, 4, 10),
        ("Scalar", 37, 38, 5, 1),
        ("Scalar", 42, 42, 5, 1),
    ]
    assert list(_places(second)) == [("Sequence", 46, 55, 9, 1), ("Scalar", 48, 55, 9, 3)]
