"""Edits of YAML files as a person would make them, seen as the lines that change."""

import difflib
from collections.abc import Callable

import pytest

from qmon_tui.formats.folder_reader import read_texts
from qmon_tui.formats.folder_writer import EditRefused, edited_texts
from qmon_tui.formats.layout import Layout
from qmon_tui.model.cluster import Cluster, config_object
from qmon_tui.model.kinds import Kind

Edit = Callable[[Cluster], Cluster]


def changed_lines(text: str, edit: Edit) -> list[str]:
    """The lines that go and come, each with its sign."""
    after = saved(text, edit)
    lines = difflib.ndiff(text.splitlines(), after.splitlines())
    return [line for line in lines if line[0] in "+-"]


def saved(text: str, edit: Edit) -> str:
    before = read_texts(Layout.YAML, "c", {"c.yaml": text}).cluster
    changed = edited_texts(Layout.YAML, {"c.yaml": text}, before, edit(before))
    return changed.get("c.yaml", text) or ""


def setting(kind: Kind, name: str, field: str, value: str | None) -> Edit:
    return lambda cluster: cluster.with_object(cluster.objects(kind)[name].with_value(field, value))


SITE = """\
# Our site.
hosts:
  # Eight of a kind.
  node[01-08]:   # bought in spring
    complex_values: h_vmem=64G,slots=16   # all the same
    # Told by the vendor.
    load_scaling: NONE
  big: {complex_values: h_vmem=1T}

queues:
  all.q:
    hostlist: ["node[01-08]", big]
    slots: {default: 1, "node[01-04]": 16, big: 64}   # cores
    pe_list:
    - smp   # shared memory
    - mpi
    h_rt: 01:00:00
"""


def test_one_field_is_one_line() -> None:
    assert changed_lines(SITE, setting(Kind.QUEUE, "all.q", "h_rt", "02:00:00")) == [
        "-     h_rt: 01:00:00",
        "+     h_rt: 02:00:00",
    ]
    assert changed_lines(SITE, setting(Kind.HOST, "big", "complex_values", "h_vmem=2T")) == [
        "-   big: {complex_values: h_vmem=1T}",
        "+   big: {complex_values: h_vmem=2T}",
    ]


def test_one_override_of_a_mapping_is_one_place() -> None:
    text = "1,[node01=16],[node02=16],[node03=16],[node04=16],[big=128]"
    assert changed_lines(SITE, setting(Kind.QUEUE, "all.q", "slots", text)) == [
        '-     slots: {default: 1, "node[01-04]": 16, big: 64}   # cores',
        '+     slots: {default: 1, "node[01-04]": 16, big: 128}   # cores',
    ]
    text = "1,[node01=16],[node02=16],[node03=8],[node04=16],[big=64]"
    assert changed_lines(SITE, setting(Kind.QUEUE, "all.q", "slots", text))[1] == (
        '+     slots: {default: 1, "node[01-02]": 16, "node03": 8, "node04": 16, big: 64}   # cores'
    )


def test_one_element_of_a_list_is_one_line() -> None:
    assert changed_lines(SITE, setting(Kind.QUEUE, "all.q", "pe_list", "smp")) == ["-     - mpi"]
    assert changed_lines(SITE, setting(Kind.QUEUE, "all.q", "pe_list", "mpi")) == ["-     - smp   # shared memory"]
    assert changed_lines(SITE, setting(Kind.QUEUE, "all.q", "pe_list", "smp mpi make")) == ["+     - make"]
    hosts = " ".join(f"node0{number}" for number in (1, 2, 3, 5, 6, 7, 8)) + " big"
    assert changed_lines(SITE, setting(Kind.QUEUE, "all.q", "hostlist", hosts))[1] == (
        '+     hostlist: ["node[01-03,05-08]", big]'
    )


def test_a_host_of_a_node_set_gets_an_entry_of_its_own() -> None:
    assert saved(SITE, setting(Kind.HOST, "node03", "complex_values", "h_vmem=32G")) == SITE.replace(
        "node[01-08]:", "node[01-02,04-08]:"
    ).replace(
        "  big:",
        "  node03:   # bought in spring\n"
        "    complex_values: h_vmem=32G   # all the same\n"
        "    # Told by the vendor.\n"
        "    load_scaling: NONE\n"
        "  big:",
    )


def test_the_copy_of_an_anchored_entry_has_no_anchor() -> None:
    text = "hosts:\n  n[1-3]: &n\n    load_scaling: a=1\n  x: *n\n  y: {<<: *n}\n"
    assert saved(text, setting(Kind.HOST, "n2", "load_scaling", "a=2")) == (
        "hosts:\n  n[1,3]: &n\n    load_scaling: a=1\n  n2:\n    load_scaling: a=2\n  x: *n\n  y: {<<: *n}\n"
    )
    flow = 'hosts: {"n[1-2]": &n {load_scaling: a=1}, x: *n}\n'
    assert saved(flow, setting(Kind.HOST, "n2", "load_scaling", "a=2")) == (
        'hosts: {"n1": &n {load_scaling: a=1}, "n2": {load_scaling: a=2}, x: *n}\n'
    )


def test_hosts_of_a_node_set_that_change_alike_stay_together() -> None:
    def edit(cluster: Cluster) -> Cluster:
        hosts = [cluster.objects(Kind.HOST)[f"node0{number}"] for number in (1, 2, 3)]
        return cluster.with_objects(host.with_value("load_scaling", "a=2") for host in hosts)

    lines = changed_lines(SITE, edit)
    assert "+   node[04-08]:   # bought in spring" in lines
    assert "+   node[01-03]:   # bought in spring" in lines
    assert [line for line in lines if "load_scaling" in line] == ["+     load_scaling: a=2"]


def test_all_hosts_of_a_node_set_change_in_place() -> None:
    def edit(cluster: Cluster) -> Cluster:
        hosts = [cluster.objects(Kind.HOST)[f"node0{number}"] for number in range(1, 9)]
        return cluster.with_objects(host.with_value("complex_values", "slots=8") for host in hosts)

    assert changed_lines(SITE, edit) == [
        "-     complex_values: h_vmem=64G,slots=16   # all the same",
        "+     complex_values: slots=8   # all the same",
    ]


def test_a_host_leaves_its_node_set() -> None:
    assert changed_lines(SITE, lambda cluster: cluster.without(Kind.HOST, "node08")) == [
        "-   node[01-08]:   # bought in spring",
        "+   node[01-07]:   # bought in spring",
    ]


def test_a_field_is_left_out_with_its_comment() -> None:
    assert changed_lines(SITE, setting(Kind.QUEUE, "all.q", "slots", None)) == [
        '-     slots: {default: 1, "node[01-04]": 16, big: 64}   # cores'
    ]
    assert changed_lines("hosts: {h: {a: 1}}\n", lambda cluster: cluster) == []


def test_a_new_field_stands_where_the_catalogue_has_it() -> None:
    text = "queues:\n    q:\n        hostlist: a   # one\n        slots: 1\n        h_rt: 1:0:0\n"
    assert saved(text, setting(Kind.QUEUE, "q", "rerun", "TRUE")) == (
        "queues:\n    q:\n        hostlist: a   # one\n        rerun: TRUE\n        slots: 1\n        h_rt: 1:0:0\n"
    )


def test_a_new_object_is_written_like_its_neighbours() -> None:
    pe = config_object(Kind.PE, "mpi", {"pe_name": "mpi", "slots": "4", "allocation_rule": "$fill_up"})
    block = "pes:\n   smp:\n      slots: 2\nhosts: {}\n"
    assert saved(block, lambda cluster: cluster.with_object(pe)) == (
        "pes:\n   smp:\n      slots: 2\n   mpi:\n      slots: 4\n      allocation_rule: $fill_up\nhosts: {}\n"
    )
    inline = "pes:\n  smp: {slots: 2}   # old"
    assert saved(inline, lambda cluster: cluster.with_object(pe)) == (
        "pes:\n  smp: {slots: 2}   # old\n  mpi: {slots: 4, allocation_rule: $fill_up}"
    )
    flow = "pes: {smp: {slots: 2}}\n"
    assert saved(flow, lambda cluster: cluster.with_object(pe)) == (
        "pes: {smp: {slots: 2}, mpi: {slots: 4, allocation_rule: $fill_up}}\n"
    )
    elsewhere = "hosts: {a: {}}\n"
    assert saved(elsewhere, lambda cluster: cluster.with_object(pe)) == (
        "hosts: {a: {}}\n\npes:\n  mpi:\n    slots: 4\n    allocation_rule: $fill_up\n"
    )


@pytest.mark.parametrize(
    ("text", "after"),
    [
        # As deep as the first whose fields stand on lines of their own.
        (
            "pes:\n   a: {}\n   b:\n       slots: 2\n",
            "pes:\n   a: {}\n   b:\n       slots: 2\n   mpi:\n       slots: 4\n",
        ),
        (
            "pes:\n  a: {slots: 1}\n  b:\n      slots: 2\n",
            "pes:\n  a: {slots: 1}\n  b:\n      slots: 2\n  mpi:\n      slots: 4\n",
        ),
        ("pes:\n  a:\n", "pes:\n  a:\n  mpi:\n    slots: 4\n"),
        # The comment stays on its line, whatever stands for nothing.
        ("pes:   # none yet\nhosts: {}\n", "pes:   # none yet\n  mpi:\n    slots: 4\nhosts: {}\n"),
        ("pes: {}   # none\n", "pes: {mpi: {slots: 4}}   # none\n"),
        ("pes:\n  {}   # why\nhosts: {}\n", "pes:\n  {mpi: {slots: 4}}   # why\nhosts: {}\n"),
        ("pes: ~ # x\r\nhosts: {}\r\n", "pes: # x\r\n  mpi:\r\n    slots: 4\r\nhosts: {}\r\n"),
        ("pes:", "pes:\n  mpi:\n    slots: 4"),
    ],
)
def test_the_first_object_of_its_kind_with_fields(text: str, after: str) -> None:
    pe = config_object(Kind.PE, "mpi", {"pe_name": "mpi", "slots": "4"})
    assert saved(text, lambda cluster: cluster.with_object(pe)) == after


def test_a_kind_with_one_object_and_one_field_is_its_value() -> None:
    managers = config_object(Kind.MANAGERS, "managers", {"entries": "ada bob"})
    policies = config_object(Kind.SCHEDULER, "scheduler", {"algorithm": "default"})
    after = saved("hosts: {}\n", lambda cluster: cluster.with_objects((managers, policies)))
    assert after == "hosts: {}\n\nmanagers: ada bob\nscheduler:\n  algorithm: default\n"
    assert saved("managers: [x]\n", lambda cluster: cluster.with_object(managers)) == "managers: [ada, bob]\n"


def test_the_last_object_leaves_an_empty_section() -> None:
    text = "pes:\n  # the only one\n  smp: {slots: 2}\nhosts: {a: {}}\n"
    assert saved(text, lambda cluster: cluster.without(Kind.PE, "smp")) == (
        "pes: {}\n  # the only one\nhosts: {a: {}}\n"
    )


def test_a_renamed_object_keeps_its_lines() -> None:
    def edit(cluster: Cluster) -> Cluster:
        queue = cluster.objects(Kind.QUEUE)["all.q"]
        return cluster.without(Kind.QUEUE, "all.q").with_object(queue.renamed("long.q"))

    assert changed_lines(SITE, edit) == ["-   all.q:", "+   long.q:"]


def test_a_renamed_object_that_says_its_name_says_the_new_one() -> None:
    def edit(cluster: Cluster) -> Cluster:
        return cluster.without(Kind.PE, "smp").with_object(cluster.objects(Kind.PE)["smp"].renamed("mpi"))

    assert saved("pes:\n  smp:\n    pe_name: smp   # so\n", edit) == "pes:\n  mpi:\n    pe_name: mpi   # so\n"


def test_what_could_not_be_read_stays_beside_an_edit() -> None:
    text = "pes:\n  smp:\n    slots: [1]\n    colour: red\n    allocation_rule: 1\n"
    assert saved(text, setting(Kind.PE, "smp", "allocation_rule", "2")) == text.replace("rule: 1", "rule: 2")
    assert saved(text, setting(Kind.PE, "smp", "slots", "4")) == text.replace("[1]", "4")


def test_a_default_complex_that_changes_is_written_out() -> None:
    text = saved("complexes:\n  gpu: {shortcut: g}\n", setting(Kind.COMPLEX, "h_vmem", "consumable", "YES"))
    assert text.splitlines()[2] == (
        "  h_vmem: {shortcut: h_vmem, type: MEMORY, relop: <=, requestable: YES, consumable: YES,"
        " default: 0, urgency: 0}"
    )


def test_a_default_object_is_taken_away_by_name() -> None:
    text = saved("queues: {}\n", lambda cluster: cluster.without(Kind.USERSET, "deadlineusers"))
    assert text == "queues: {}\n\nusersets:\n  deadlineusers: NONE\n"


def test_quoting_is_kept_and_added_where_needed() -> None:
    text = "queues:\n  q:\n    prolog: 'a'\n    epilog: \"b\"\n    tmpdir: /c\n"
    for field, value, line in [
        ("prolog", "it's", "    prolog: 'it''s'"),
        ("epilog", 'say "x"', '    epilog: "say \\"x\\""'),
        ("tmpdir", "a: b", '    tmpdir: "a: b"'),
        ("tmpdir", "*x", '    tmpdir: "*x"'),
        ("tmpdir", "[x", '    tmpdir: "[x"'),
        ("tmpdir", "00:00:60", "    tmpdir: 00:00:60"),
    ]:
        assert line in saved(text, setting(Kind.QUEUE, "q", field, value)).splitlines()


def test_line_ends_are_kept() -> None:
    text = "pes:\r\n  smp:\r\n    slots: 2\r\n"
    after = saved(text, setting(Kind.PE, "smp", "allocation_rule", "2"))
    assert after == "pes:\r\n  smp:\r\n    slots: 2\r\n    allocation_rule: 2\r\n"


def test_rules_are_edited_line_by_line() -> None:
    text = "quotas:\n  r:\n    enabled: TRUE\n    limit:\n    - to slots=1   # all\n    - users a to slots=2\n"
    assert changed_lines(text, setting(Kind.QUOTA, "r", "limit", "to slots=1\nusers b to slots=2\nto gpu=1")) == [
        "-     - users a to slots=2",
        "+     - users b to slots=2",
        "+     - to gpu=1",
    ]
    block = "sharetree: |\n  id=0\n  name=Root\nqueues: {}\n"
    assert saved(block, setting(Kind.SHARETREE, "sharetree", "tree", "id=0\nname=Top\ntype=1")) == (
        "sharetree: |\n  id=0\n  name=Top\n  type=1\nqueues: {}\n"
    )


RULES = """\
quotas:
  r:
    # what belongs together
    limit:
    # big jobs
    - pes {*} to slots=64   # for now

    - users {@staff} to slots=8
    - "users {*} to slots=4"
  s:
    limit: |
        users a to slots=1

        users b to slots=2
        to slots=3
    description: three   # rules
"""


def test_rules_in_another_order_take_their_comments_with_them() -> None:
    after = saved(
        RULES, setting(Kind.QUOTA, "r", "limit", "users {*} to slots=4\npes {*} to slots=64\nusers {@staff} to slots=8")
    )
    assert after == RULES.replace('    - "users {*} to slots=4"\n', "").replace(
        "    # big jobs\n", '    - "users {*} to slots=4"\n    # big jobs\n'
    )


@pytest.mark.parametrize(
    ("rules", "wanted"),
    [
        (
            "users a to slots=1\n\nusers b to slots=9\nto slots=3",
            ["-         users b to slots=2", "+         users b to slots=9"],
        ),
        ("users a to slots=1\n\nusers b to slots=2\nto slots=3\nto gpu=1", ["+         to gpu=1"]),
        ("users a to slots=1\n\nto slots=3", ["-         users b to slots=2"]),
    ],
)
def test_rules_of_a_literal_text_keep_their_lines(rules: str, wanted: list[str]) -> None:
    assert changed_lines(RULES, setting(Kind.QUOTA, "s", "limit", rules)) == wanted


@pytest.mark.parametrize(
    "written",
    [
        "|\n\n      to slots=1\n      to gpu=1\n",
        "|2\n        to slots=1\n      to gpu=1\n",
        "|+\n      to slots=1\n      to gpu=1\n\n",
    ],
)
def test_rules_of_any_literal_text_read_as_they_were_meant(written: str) -> None:
    rules = "to slots=2\nto gpu=1"
    text = f"quotas:\n  s:\n    limit: {written}    description: three\n"
    after = saved(text, setting(Kind.QUOTA, "s", "limit", rules))
    quota = read_texts(Layout.YAML, "c", {"c.yaml": after}).cluster.objects(Kind.QUOTA)["s"]
    assert (quota.text("limit").strip("\n"), quota.text("description")) == (rules, "three")


@pytest.mark.parametrize(
    "text",
    [
        "queues:\n  a: &a {slots: 4}\n  b: *a\n",
        "x: &s 4\n",
    ],
)
def test_what_an_alias_shares_is_not_changed_for_one(text: str) -> None:
    before = read_texts(Layout.YAML, "c", {"c.yaml": text}).cluster
    queue = before.get(Kind.QUEUE, "a")
    if queue is None:
        return
    after = before.with_object(queue.with_value("slots", "8"))
    with pytest.raises(EditRefused, match=r'queue "b" \(c.yaml line 3\) cannot be saved'):
        edited_texts(Layout.YAML, {"c.yaml": text}, before, after)


def test_what_finds_no_place_in_a_text_is_named_whether_it_comes_goes_or_changes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(texts: object, before: object, after: object) -> dict[str, str | None]:
        raise ValueError

    monkeypatch.setattr("qmon_tui.formats.folder_writer.edited_yaml", refuse)
    text = "queues:\n  a: {}\n  b: {}\n"
    before = read_texts(Layout.YAML, "c", {"c.yaml": text}).cluster
    after = before.without(Kind.QUEUE, "a").with_object(config_object(Kind.QUEUE, "c", {"qname": "c"}))
    with pytest.raises(EditRefused) as refused:
        edited_texts(Layout.YAML, {"c.yaml": text}, before, after)
    assert sorted(str(refused.value).partition(" cannot")[0].partition(" (")[0].split(", ")) == [
        'queue "a"',
        'queue "c"',
    ]
    assert "(c.yaml line 2)" in str(refused.value)


def test_an_object_under_an_alias_gets_lines_of_its_own() -> None:
    text = "queues:\n  a: &a {slots: 4}\n  b: *a\n"
    assert saved(text, setting(Kind.QUEUE, "b", "slots", "8")) == ("queues:\n  a: &a {slots: 4}\n  b:\n    slots: 8\n")


def test_the_file_of_an_edit() -> None:
    texts = {"a.yaml": "pes: {smp: {}}\n", "b.yaml": "hosts: {h: {}}\n", "jobs.yaml": "jobs: []\n"}
    before = read_texts(Layout.YAML, "c", texts).cluster
    pe = config_object(Kind.PE, "mpi", {"pe_name": "mpi"})
    assert set(edited_texts(Layout.YAML, texts, before, before.with_object(pe))) == {"a.yaml"}
    queue = config_object(Kind.QUEUE, "q", {"qname": "q"})
    assert edited_texts(Layout.YAML, texts, before, before.with_object(queue)) == {"queues.yaml": "queues:\n  q: {}\n"}


def test_an_item_is_put_before_the_first_one() -> None:
    assert changed_lines(SITE, setting(Kind.QUEUE, "all.q", "pe_list", "make smp mpi")) == ["+     - make"]
    text = saved(SITE, setting(Kind.QUEUE, "all.q", "pe_list", "make smp mpi"))
    assert [line.split()[1] for line in text.splitlines() if line.startswith("    - ")] == ["make", "smp", "mpi"]
