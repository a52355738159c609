"""What stands behind a colon in YAML: which texts need quotes, and values of several lines."""

import pytest

from qmon_tui.formats.folder_reader import read_texts
from qmon_tui.formats.folder_writer import edited_texts
from qmon_tui.formats.layout import Layout
from qmon_tui.formats.yaml import YamlError, documents, yaml_writer
from qmon_tui.model.catalogue import spec
from qmon_tui.model.kinds import Kind


@pytest.mark.parametrize(
    ("kind", "name", "text", "written", "in_braces"),
    [
        (Kind.QUOTA, "limit", "to slots=1", " to slots=1", " to slots=1"),
        (Kind.QUOTA, "limit", "to slots=1\nto a=2", " |\n    to slots=1\n    to a=2", " [to slots=1, to a=2]"),
        (Kind.QUOTA, "limit", "to a=1\n\nto b=2", " |\n    to a=1\n\n    to b=2", ' [to a=1, "", to b=2]'),
        (Kind.QUOTA, "description", "a\nb", ' "a\\nb"', ' "a\\nb"'),
        (Kind.SHARETREE, "tree", "id=0", " id=0", " id=0"),
        (Kind.SHARETREE, "tree", "id=0\nname=R", " |\n    id=0\n    name=R", " [id=0, name=R]"),
        (Kind.QUEUE, "slots", "1,[a=2]", " 1,[a=2]", ' "1,[a=2]"'),
        (Kind.QUEUE, "slots", "", ' ""', ' ""'),
        (Kind.QUEUE, "pe_list", "a b", " a b", " a b"),
    ],
)
def test_values(kind: Kind, name: str, text: str, written: str, in_braces: str) -> None:
    field = spec(kind).by_name[name]
    assert yaml_writer.value(field, text, "  ") == written
    assert yaml_writer.value(field, text, "  ", flow=True) == in_braces


@pytest.mark.parametrize(
    ("text", "block", "flow"),
    [
        ("a", True, True), ("a b", True, True), ("a,b", True, False), ("a: b", False, False), ("a:", False, False),
        ("a #b", False, False), ("a#b", True, True), ("<<", False, False), ("---", False, False),
        ("--- a", False, False), ("---a", True, True), ("... a", False, False), ("", False, False),
        (" a", False, False), ("a ", False, False), ("@a", False, False), ("*", False, False), ("a\x07", False, False),
        ("a\x85", False, False), ("ä", True, True), ("[a]", False, False), ("a[1]", True, False),
    ],
)  # fmt: skip
def test_which_texts_mean_themselves(text: str, block: bool, flow: bool) -> None:
    assert (yaml_writer.is_plain(text, False), yaml_writer.is_plain(text, True)) == (block, flow)


@pytest.mark.parametrize(
    ("limit", "rules", "after"),
    [
        (" to slots=1   # c\n", "to slots=2", " to slots=2   # c\n"),
        (" 'to slots=1'\n", "to slots=2", " 'to slots=2'\n"),
        (" to slots=1\n", "to slots=1\nto a=2", " |\n      to slots=1\n      to a=2\n"),
        (" |\n      to slots=1\n      to a=2\n", "to slots=1", " |\n      to slots=1\n"),
        (' "to slots=1\n      to a=2"\n', "to slots=1", " to slots=1\n"),
        (" [to slots=1, to a=2]\n", "to slots=1\nto a=3", " [to slots=1, to a=3]\n"),
    ],
)
def test_a_value_of_one_line_becomes_several_and_back(limit: str, rules: str, after: str) -> None:
    head = "quotas:\n  s:\n    limit:"
    cluster = read_texts(Layout.YAML, "c", {"c.yaml": head + limit}).cluster
    edited = cluster.with_object(cluster.objects(Kind.QUOTA)["s"].with_value("limit", rules))
    assert edited_texts(Layout.YAML, {"c.yaml": head + limit}, cluster, edited) == {"c.yaml": head + after}


@pytest.mark.parametrize(
    ("text", "line", "column", "said"),
    [
        ("a: [1\n", 2, 1, "while parsing a flow sequence"),
        ("a: 1\n  b: 2\n", 2, 4, "mapping values are not allowed here"),
        ("a: 'x\n", 2, 1, "while scanning a quoted scalar"),
        ("\n  - a\n b\n", 3, 2, "expected '<document start>'"),
        ("{a: 1,\n b: @}\n", 2, 5, "while scanning for the next token"),
        ("x\x07", 1, 1, "unacceptable character #x0007"),
        ("b: 1\na: *b\n", 2, 4, 'the alias "*b" has no anchor before it'),
    ],
)
def test_where_a_text_is_no_yaml(text: str, line: int, column: int, said: str) -> None:
    with pytest.raises(YamlError) as refused:
        documents(text)
    assert (refused.value.line, refused.value.column) == (line, column)
    assert str(refused.value).startswith(said)
