"""Single edits of files of qconf, and what one file says: which characters change, and every bound."""

from dataclasses import replace

import pytest

from qmon_tui.formats import parsed_files
from qmon_tui.formats.folder_reader import read_texts
from qmon_tui.formats.folder_writer import EditRefused, edited_texts
from qmon_tui.formats.layout import Layout
from qmon_tui.formats.object_differences import differing, object_edits, same_object, same_text
from qmon_tui.formats.parsed_files import DEEPEST_TREE, LARGEST_OBJECT, parse_file
from qmon_tui.formats.qconf.attribute_lines import wrap_line
from qmon_tui.formats.qconf.complex_table import COLUMNS, write_complexes
from qmon_tui.formats.qconf.qconf_edit import edit_complexes, edit_object, edit_quotas, edited_qconf
from qmon_tui.model import Cluster, ConfigObject, Kind, Origin, config_object
from qmon_tui.model.catalogue import spec

QUEUE = "qname   q\nseq_no  1\nslots   2\n"


def queue(**values: str) -> ConfigObject:
    return config_object(Kind.QUEUE, "q", {"qname": "q", **values})


@pytest.mark.parametrize(
    ("text", "before", "after", "expected"),
    [
        (QUEUE, {"seq_no": "1", "slots": "2"}, {"seq_no": "1", "slots": "3"}, QUEUE.replace("2", "3")),
        (QUEUE[:-1], {"seq_no": "1", "slots": "2"}, {"seq_no": "1", "slots": "3"}, QUEUE[:-1].replace("2", "3")),
        (QUEUE, {"seq_no": "1", "slots": "2"}, {"slots": "2"}, QUEUE.replace("1", "0")),
        (QUEUE + "odd x\n", {"odd": "x"}, {}, QUEUE),
        (QUEUE, {"seq_no": "1", "odd": "x"}, {"seq_no": "1"}, QUEUE),
        (QUEUE, {}, {"priority": "5"}, "qname   q\nseq_no  1\npriority              5\nslots   2\n"),
        ("slots   2", {}, {"rerun": "TRUE"}, "rerun                 TRUE\nslots   2"),
        ("qname   q", {}, {"rerun": "TRUE"}, "qname   q\nrerun                 TRUE\n"),
        ("", {}, {"rerun": "TRUE"}, "rerun                 TRUE\n"),
        ("qname q\nslots 2\nslots 4\n", {"slots": "2"}, {"slots": "3"}, "qname q\nslots 3\nslots 4\n"),
        ("qname q\nslots \\\n  2\nrerun x\n", {"slots": "2"}, {"slots": "3"}, f"qname q\n{'slots':22}3\nrerun x\n"),
    ],
)
def test_lines_of_an_object(text: str, before: dict[str, str], after: dict[str, str], expected: str) -> None:
    assert edit_object(text, queue(**before), queue(**after), single_line=True) == expected


@pytest.mark.parametrize("single_line", [True, False])
def test_a_long_value_is_wrapped_unless_the_folder_has_single_lines(single_line: bool) -> None:
    words = " ".join(["word"] * 30)
    text = edit_object("prolog  a\n", queue(prolog="a"), queue(prolog=words), single_line=single_line)
    assert text.replace("\\\n        ", "") == f"prolog  {words}\n"
    assert (text.count("\n") == 1) is single_line


def test_a_file_is_edited_where_it_was_read_and_written_anew_where_it_was_not() -> None:
    text = "qname q\nslots 1\n"
    read, other = queue(slots="1"), queue(slots="2")
    for place, texts in ((None, {"cqueues/q": text}), ("cqueues/q", {"cqueues/other": text})):
        before = Cluster().with_object(replace(read, origin=None if place is None else Origin(place)))
        new = edited_qconf(texts, before, before.with_object(other))
        assert list(new) == ["cqueues/q"]
        assert "terminate_method" in (new["cqueues/q"] or "")
    before = Cluster().with_object(replace(read, origin=Origin("cqueues/q")))
    assert edited_qconf({"cqueues/q": text}, before, before.with_object(other)) == {"cqueues/q": "qname q\nslots 2\n"}
    assert edited_qconf({"cqueues/q": text}, before, before.without(Kind.QUEUE, "q")) == {"cqueues/q": None}
    renamed = before.without(Kind.QUEUE, "q").with_object(read.renamed("r"))
    assert edited_qconf({"cqueues/q": text}, before, renamed)["cqueues/r"] is not None


@pytest.mark.parametrize(
    ("shape", "is_wrapped"),
    [("prolog{}a", True), ("prolog{}" + "a " * 60 + "b", False), ("prolog{}a \\\n  b", True)],
)
def test_a_file_with_one_long_line_was_printed_in_single_lines(shape: str, is_wrapped: bool) -> None:
    text = f"qname q\n{shape.format('  ')}\nepilog  a\n"
    before = Cluster().with_object(replace(queue(prolog="a", epilog="a"), origin=Origin("cqueues/q")))
    after = before.with_object(before.objects(Kind.QUEUE)["q"].with_value("epilog", " ".join(["word"] * 30)))
    new = edited_qconf({"cqueues/q": text}, before, after)["cqueues/q"] or ""
    assert ("\\\n" in new.partition("epilog")[2]) is is_wrapped
    beside = {"cqueues/q": "qname q\nepilog  a\n", "cqueues/p": text}
    assert ("\\\n" in (edited_qconf(beside, before, after)["cqueues/q"] or "")) is is_wrapped
    wrapped = {"cqueues/q": text, "cqueues/p": "qname p\nprolog a \\\n  b\n"}
    new = edited_qconf(wrapped, before, after)["cqueues/q"] or ""
    assert ("\\\n" in new.partition("epilog")[2]) is is_wrapped


def test_an_attribute_of_a_configuration_that_goes_loses_its_line() -> None:
    text = "#h1:\nmailer /bin/mail\nxterm /bin/xterm\n"
    before, after = (
        config_object(Kind.CONFIGURATION, "h1", values)
        for values in ({"mailer": "/bin/mail", "xterm": "/bin/xterm"}, {"xterm": "/bin/xterm"})
    )
    assert edit_object(text, before, after, single_line=True) == "#h1:\nxterm /bin/xterm\n"


def entry(name: str, urgency: str = "0") -> ConfigObject:
    values = (name, f"{name}_", "INT", "<=", "YES", "YES", "0", urgency)
    return config_object(Kind.COMPLEX, name, dict(zip(COLUMNS, values, strict=True)))


A, B = "a a_ INT <= YES YES 0 0\n", "b b_ INT <= YES YES 0 0\n"


@pytest.mark.parametrize(
    ("text", "after", "expected"),
    [
        (A + B, [entry("a"), entry("b")], A + B),
        (A + B, [entry("a"), entry("b", "12")], A + B.replace("0 0", "0 12")),
        (A + B, [entry("b")], B),
        (A + B, [entry("a")], A),
        ("# hello\n" + A, [entry("a"), entry("b")], "# hello\n" + A + B),
        ("# hello\n" + A[:-1], [entry("a", "3"), entry("b")], "# hello\n" + A[:-2] + "3\n" + B),
        (A + "# end\n", [entry("a"), entry("b")], A + B + "# end\n"),
        ("# none\n", [entry("b")], "# none\n" + B),
        (A + A, [entry("a", "5")], A[:-2] + "5\n" + A),
        ("", [entry("b")], write_complexes([entry("b")])),
        (write_complexes([entry("a")]), [entry("a"), entry("b")], write_complexes([entry("a"), entry("b")])),
        (write_complexes([entry("a"), entry("b")]), [entry("b")], write_complexes([entry("b")])),
    ],
)
def test_rows_of_the_complexes(text: str, after: list[ConfigObject], expected: str) -> None:
    before = [entry(name) for name in "ab" if f"{name} " in text.replace("hello", "")]
    assert edit_complexes(text, before, after) == expected


def quota(name: str, description: str = "NONE") -> ConfigObject:
    values = {"name": name, "description": description, "enabled": "TRUE", "limit": "to slots=1"}
    return config_object(Kind.QUOTA, name, values)


def block(name: str, description: str = "NONE") -> str:
    return f"{{\n   name {name}\n   description {description}\n   enabled TRUE\n   limit to slots=1\n}}\n"


def test_sets_of_a_file() -> None:
    both = {"a": quota("a"), "b": quota("b")}
    text = block("a") + block("b")
    assert edit_quotas(text, both, both, single_line=True) == text
    assert edit_quotas(text, both, {"b": quota("b")}, single_line=True) == block("b")
    other = edit_quotas(text, both, {**both, "b": quota("b", "new")}, single_line=True)
    assert other == block("a") + block("b", " new")
    assert edit_quotas(text, {"b": quota("b")}, {}, single_line=True) == block("a")
    for start in (text, text[:-1]):
        added = edit_quotas(start, both, {**both, "c": quota("c")}, single_line=True)
        assert added.startswith(text + "{\n")
    assert edit_quotas("", {}, {"a": quota("a")}, single_line=True).startswith("{\n")


def test_a_set_goes_into_the_file_it_was_read_from_and_a_new_one_into_its_own() -> None:
    def edited(before: Cluster, after: Cluster, **texts: str) -> dict[str, str | None]:
        return edited_qconf({f"resource_quotas/{name}": text for name, text in texts.items()}, before, after)

    sets = [replace(quota(name), origin=Origin("resource_quotas/a")) for name in "ab"]
    both = Cluster().with_objects(sets)
    text = block("a") + block("b")
    assert edited(both, both.without(Kind.QUOTA, "b"), a=text) == {"resource_quotas/a": block("a")}
    assert edited(both, both.without(Kind.QUOTA, "a").without(Kind.QUOTA, "b"), a=text) == {"resource_quotas/a": None}
    changed = both.with_object(sets[1].with_value("enabled", "FALSE"))
    assert list(edited(both, changed, a=text)) == ["resource_quotas/a"]
    unread = Cluster().with_object(quota("c"))
    assert list(edited(unread, unread.with_object(quota("c", "new")))) == ["resource_quotas/c"]
    renamed = both.without(Kind.QUOTA, "a").with_object(sets[0].renamed("z"))
    assert list(edited(both, renamed, a=text)) == ["resource_quotas/a"]
    alone = Cluster().with_object(sets[0])
    moved = Cluster().with_object(sets[0].renamed("z"))
    assert list(edited(alone, moved, a=block("a"))) == ["resource_quotas/a", "resource_quotas/z"]
    other = both.without(Kind.QUOTA, "b").with_object(sets[1].renamed("z"))
    assert list(edited(both, other, a=text)) == ["resource_quotas/a"]


def test_a_line_is_cut_at_the_first_comma_where_none_fits_and_never_inside_its_name() -> None:
    name, word = "x" * 6, "y" * 90
    assert wrap_line(f"{name}{word},z", 6) == f"{name}{word}, \\\n      z"
    assert wrap_line(f"{name}{word} z", 6) == f"{name}{word} \\\n      z"
    assert wrap_line(f"{name}{word}", 6) == f"{name}{word}"


def test_when_two_objects_say_the_same() -> None:
    hosts = queue(hostlist="n[1-2] n3")
    assert same_object(queue(slots="1"), queue(slots="1", seq_no="0"))
    assert not same_object(queue(slots="1"), queue(slots="1", seq_no="1"))
    assert same_text(hosts, queue(hostlist="n1 n[2-3]"), "hostlist")
    assert not same_text(hosts, queue(hostlist="n1 n2"), "hostlist")
    assert not same_text(hosts, queue(hostlist="n[1"), "hostlist")
    assert not same_text(queue(prolog="n[1-2]"), queue(prolog="n1 n2"), "prolog")
    assert not same_text(queue(odd="n1"), queue(odd="n2"), "odd")
    given, left_out = (config_object(Kind.CONFIGURATION, "h1", values) for values in ({"mailer": "/bin/mail"}, {}))
    assert same_object(given, config_object(Kind.CONFIGURATION, "h1", {"mailer": "/bin/mail"}))
    assert not same_object(given, left_out)


def test_which_objects_differ() -> None:
    scheduler = config_object(
        Kind.SCHEDULER, "scheduler", {"weight_ticket": spec(Kind.SCHEDULER).by_name["weight_ticket"].default}
    )
    other = config_object(Kind.SCHEDULER, "scheduler", {"weight_ticket": "7"})
    odd = config_object(Kind.SCHEDULER, "scheduler", {"of_nobody": "7"})
    plain = Cluster().with_object(queue(slots="1"))
    assert list(differing(plain, plain.with_object(queue(slots="2")))) == [(Kind.QUEUE, "q")]
    assert list(differing(plain, plain.with_object(queue(slots="1", seq_no="0")))) == []
    assert list(differing(plain, plain.without(Kind.QUEUE, "q"))) == [(Kind.QUEUE, "q")]
    assert [list(differing(plain, plain.with_object(obj))) for obj in (scheduler, other, odd)] == [
        [],
        [(Kind.SCHEDULER, "scheduler")],
        [(Kind.SCHEDULER, "scheduler")],
    ]


def test_what_an_edit_did_to_objects_follows_names_and_places() -> None:
    def placed(name: str, line: int | None, **values: str) -> ConfigObject:
        return config_object(Kind.QUEUE, name, values, None if line is None else Origin("q.yaml", line))

    before = Cluster().with_objects([placed("a", 1), placed("b", 2), placed("c", None), placed("d", 4)])
    after = Cluster().with_objects([placed("x", 1), placed("b", 2, slots="9"), placed("new", None), placed("d", 4)])
    edits = [(e.before and e.before.name, e.after and e.after.name, e.renamed) for e in object_edits(before, after)]
    assert edits == [("a", "x", True), ("b", "b", False), (None, "new", False), ("c", None, False)]


def test_a_refusal_names_three_objects_and_their_places() -> None:
    names = ("q1", "q2", "q3", "q4")
    texts = {f"cqueues/{name}": f"qname {name}\nslots 1\n" for name in names}
    before = read_texts(Layout.QCONF, "c", texts).cluster
    after = before.with_objects([before.objects(Kind.QUEUE)[name].with_value("prolog", "a\nb") for name in names])
    with pytest.raises(EditRefused) as refused:
        edited_texts(Layout.QCONF, texts, before, after)
    assert str(refused.value).partition(" cannot be saved")[0] == (
        'queue "q1", queue "q2", queue "q3" (cqueues/q1 line 1, cqueues/q2 line 1, cqueues/q3 line 1)'
    )


def tree(levels: int) -> str:
    last = f"id={levels}\nname=n{levels}\ntype=0\nshares=1\nchildnodes=NONE\n"
    above = (f"id={n}\nname=n{n}\ntype=0\nshares=1\nchildnodes={n + 1}\n" for n in range(levels))
    return "".join((*above, last))


def test_a_share_tree_has_a_thousand_levels_at_most() -> None:
    assert parse_file(Layout.QCONF, "sharetree", tree(DEEPEST_TREE - 1)).findings == ()
    assert len(parse_file(Layout.QCONF, "sharetree", tree(DEEPEST_TREE - 1)).objects) == 1
    deep = parse_file(Layout.QCONF, "sharetree", tree(DEEPEST_TREE + 1))
    assert deep.objects == ()
    assert [(one.message, one.line, one.field) for one in deep.findings] == [
        (f"the share tree has more than {DEEPEST_TREE} levels: it is not read", 1, "tree")
    ]


def test_a_file_has_four_mib_at_most_and_a_hundred_findings_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    large = parse_file(Layout.QCONF, "cqueues/q", "#" * (LARGEST_OBJECT + 1))
    assert [(one.message, one.line) for one in large.findings] == [
        ("is larger than 4 MiB, too large for what qconf prints", 1)
    ]
    monkeypatch.setattr(parsed_files, "LARGEST_OBJECT", len(QUEUE))
    assert [obj.name for obj in parse_file(Layout.QCONF, "cqueues/q", QUEUE).objects] == ["q"]
    refused = parse_file(Layout.QCONF, "cqueues/q", QUEUE + "\n").findings
    assert [one.rule for one in refused] == ["format.encoding"]


@pytest.mark.parametrize(("faults", "told"), [(2, 2), (3, 3), (4, 3)])
def test_beyond_some_findings_the_rest_is_one(monkeypatch: pytest.MonkeyPatch, faults: int, told: int) -> None:
    monkeypatch.setattr(parsed_files, "MOST_FINDINGS", 2)
    findings = parse_file(Layout.YAML, "c.yaml", "pes:\n" + "".join(f"  p{n}: 1\n" for n in range(faults))).findings
    assert len(findings) == told
    assert [(one.message, one.line, one.kind) for one in findings[2:]] == [
        ("more faults in this file, from here on, are not listed", 4, "pe")
    ][: told - 2]
