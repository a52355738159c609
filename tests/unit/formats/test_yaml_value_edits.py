"""Texts of fields in YAML and what becomes of them when the field gets another value."""

import pytest

from qmon_tui.formats.folder_reader import read_texts
from qmon_tui.formats.folder_writer import edited_texts
from qmon_tui.formats.layout import Layout
from qmon_tui.model.kinds import Kind


def rewritten(text: str, kind: Kind, field: str, value: str | None) -> str:
    """The text after the only object of a kind, or the queue or resource quota set `q`, has got another value."""
    before = read_texts(Layout.YAML, "c", {"c.yaml": text}).cluster
    after = before.with_object(before.objects(kind)["q"].with_value(field, value))
    return edited_texts(Layout.YAML, {"c.yaml": text}, before, after).get("c.yaml", text) or ""


def table(*rows: tuple[str, dict[str | None, str]]) -> list[tuple[str, str | None, str]]:
    return [(before, value, after) for before, afters in rows for value, after in afters.items()]


LINES = """\
   # all
      # few
      a: 1   # one
      "b": 2   # two
      # last
      c: 3
    seq_no: 1
"""
FLOW = ' {a: 1, "b": 2, c: 3}, seq_no: 1}\n'
BY_HOST = ' {default: "a=1", x: "a=2"}}\n'
BY_HOST_AND_NAME = " {default: {a: 1, b: 2}, x: {a: 2}}}\n"


@pytest.mark.parametrize(
    ("before", "value", "after"),
    table(
        (
            LINES,
            {
                "a=1,b=2": LINES.replace("      c: 3\n", ""),
                "b=2,c=3": LINES.replace("      a: 1   # one\n", ""),
                "a=1,c=3": LINES.replace('      "b": 2   # two\n', ""),
                "a=9,b=8,c=7": LINES.replace("1 ", "9 ").replace("2 ", "8 ").replace("3\n", "7\n"),
                "a=1,b=2,c=3,d=4,e=5": LINES.replace("c: 3\n", "c: 3\n      d: 4\n      e: 5\n"),
                "a=1,d=4": LINES.replace('      "b": 2   # two\n', "").replace("c: 3", "d: 4"),
                "a=1,d=4,e=5,b=2,c=3": LINES.replace("# one\n", "# one\n      d: 4\n      e: 5\n"),
                "a=1,d=4,c=3,e=5": LINES.replace('"b": 2   # two', "d: 4").replace("c: 3\n", "c: 3\n      e: 5\n"),
                "a=1,b=2,c=x:y": LINES.replace("c: 3", "c: x:y"),
                # What cannot be said by these pairs in their order is one text.
                "c=3,a=1,b=2": " c=3,a=1,b=2   # all\n    seq_no: 1\n",
                "d=4,a=1,b=2,c=3": " d=4,a=1,b=2,c=3   # all\n    seq_no: 1\n",
                "a=1,default=4": " a=1,default=4   # all\n    seq_no: 1\n",
                "d=4": " d=4   # all\n    seq_no: 1\n",
                "a=1,a=2,b=2,c=3": " a=1,a=2,b=2,c=3   # all\n    seq_no: 1\n",
                "a=1,b": " a=1,b   # all\n    seq_no: 1\n",
                "a=1,,b=2": " a=1,,b=2   # all\n    seq_no: 1\n",
                "NONE": " NONE   # all\n    seq_no: 1\n",
            },
        ),
        (
            FLOW,
            {
                "a=1,b=2": ' {a: 1, "b": 2}, seq_no: 1}\n',
                "b=2,c=3": ' {"b": 2, c: 3}, seq_no: 1}\n',
                "a=1,c=3": " {a: 1, c: 3}, seq_no: 1}\n",
                "a=9,b=8,c=7": ' {a: 9, "b": 8, c: 7}, seq_no: 1}\n',
                "a=1,b=2,c=3,d=4,e=5": ' {a: 1, "b": 2, c: 3, d: 4, e: 5}, seq_no: 1}\n',
                "a=1,d=4": " {a: 1, d: 4}, seq_no: 1}\n",
                "a=1,d=4,c=3": " {a: 1, d: 4, c: 3}, seq_no: 1}\n",
                "a=1,d=4,b=2,c=3": ' {a: 1, d: 4, "b": 2, c: 3}, seq_no: 1}\n',
                "c=3,a=1,b=2": ' "c=3,a=1,b=2", seq_no: 1}\n',
                "d=4": " d=4, seq_no: 1}\n",
                "NONE": " NONE, seq_no: 1}\n",
                None: FLOW,
            },
        ),
        (" {a: 1, a: 2, b: 3}}\n", {"a=1,b=4": ' "a=1,b=4"}\n', "a=2,b=3": ' "a=2,b=3"}\n'}),
        (" {a: 1, [x]: 2, b: 3}}\n", {"a=1,b=3": ' "a=1,b=3"}\n', "a=1,b=4": ' "a=1,b=4"}\n'}),
        (" {a: 1, b: [2]}}\n", {"a=1,b=2": ' "a=1,b=2"}\n', "a=2,b=2": ' "a=2,b=2"}\n'}),
        (" [{a: 1}, b=2]}\n", {"a=1,b=4": ' "a=1,b=4"}\n', "a=1,b=2": " [{a: 1}, b=2]}\n"}),
        (
            BY_HOST,
            {
                "a=1,b=2": ' {default: "a=1,b=2"}}\n',
                "a=1,[x=a=3]": ' {default: "a=1", x: "a=3"}}\n',
                "a=1,[x=a=2],[y=b=3]": ' {default: "a=1", x: "a=2", y: b=3}}\n',
                # Without the key default it would be a mapping of entries.
                "[x=a=2]": ' "[x=a=2]"}\n',
            },
        ),
        (
            BY_HOST_AND_NAME,
            {
                "a=1,b=2,[x=a=3]": " {default: {a: 1, b: 2}, x: {a: 3}}}\n",
                "a=1,[x=a=2]": " {default: {a: 1}, x: {a: 2}}}\n",
                "a=1,b=2,[x=NONE]": " {default: {a: 1, b: 2}, x: NONE}}\n",
            },
        ),
    ),
)
def test_entries_come_and_go_where_they_stand(before: str, value: str | None, after: str) -> None:
    lead = "queues:\n  q:\n    complex_values:" if "seq_no: 1\n" in before else "queues:\n  q: {complex_values:"
    if value is None:
        assert rewritten(lead + before, Kind.QUEUE, "complex_values", None) == "queues:\n  q: {seq_no: 1}\n"
        return
    assert rewritten(lead + before, Kind.QUEUE, "complex_values", value) == lead + after


LITERAL = " |-  # why\n      # a sign\n      to slots=1\n\n      to slots=2\n"


@pytest.mark.parametrize(
    ("before", "value", "after"),
    table(
        (" 'to slots=1'\n", {"to gpu=1": " 'to gpu=1'\n", "a\nb": " |\n      a\n      b\n"}),
        (" to slots=1  # so\n", {"to gpu=1": " to gpu=1  # so\n", "a\nb": " |  # so\n      a\n      b\n"}),
        (" >\n      to slots=1\n", {"to gpu=1": " to gpu=1\n", "to slots=1\nb": " |\n      to slots=1\n      b\n"}),
        (" |\n      to slots=1\n", {"to gpu=1": " |\n      to gpu=1\n"}),
        (' "to slots=1\n\n      b"  # so\n', {"a\nb": " |  # so\n      a\n      b\n", "a": " a  # so\n"}),
        (" [\n    ]  # so\n", {"a\nb": " |  # so\n      a\n      b\n"}),
        (" |", {"to gpu=1": " to gpu=1", "a\nb": " |\n      a\n      b"}),
        (" |\n", {"to gpu=1": " to gpu=1\n", "a\nb": " |\n      a\n      b\n"}),
        ("\n", {"to gpu=1": " to gpu=1\n"}),
        (
            LITERAL,
            {
                "to slots=2": " |-  # why\n      to slots=2\n",
                "# a sign\nto slots=2\nto gpu=1": " |-  # why\n      # a sign\n      to slots=2\n      to gpu=1\n",
                "to slots=1\n\nto slots=2": LITERAL.replace("      # a sign\n", ""),
                " x\nto slots=2": ' " x\\nto slots=2"  # why\n',
            },
        ),
        (" [a, b]\n", {"a\nc": " [a, c]\n", "a": " [a]\n", "b\na": " [b, a]\n"}),
        (
            "\n    # c\n\n    - a   # one\n    # d\n    - b\n",
            {"b\na": "\n    # c\n\n    # d\n    - b\n    - a   # one\n", "b": "\n    # c\n\n    # d\n    - b\n"},
        ),
    ),
)
def test_rules_keep_the_way_they_are_written(before: str, value: str, after: str) -> None:
    lead = "quotas:\n  q:\n    limit:"
    assert rewritten(lead + before, Kind.QUOTA, "limit", value) == lead + after


@pytest.mark.parametrize(
    ("before", "value", "after"),
    table(
        (" n[1-3] big\n", {"n1 n2 big": " n[1-2] big\n", "n1 n2 n3 big x": " n[1-3] big x\n", "big n1": " big n1\n"}),
        (" 'n[1-3]'   # three\n", {"n1 n3": " 'n[1,3]'   # three\n", "x": " 'x'   # three\n"}),
        (" a b\n", {"b a": " b a\n", "a b c": " a b c\n", "NONE": " NONE\n"}),
        (" a,b\n", {"a,b,c": " a,b,c\n"}),
        (' ["n[1-2", b]\n', {"x": ' ["x"]\n', "x n1": ' ["x", n1]\n'}),
        (" [[a], b]\n", {"a b c": " a b c\n"}),
        (" []\n", {"a b": " a b\n"}),
        (" {a: b}\n", {"a b": " a b\n"}),
    ),
)
def test_hosts_keep_the_way_they_are_written(before: str, value: str, after: str) -> None:
    lead = "queues:\n  q:\n    hostlist:"
    assert rewritten(lead + before, Kind.QUEUE, "hostlist", value) == lead + after


def test_two_fields_in_curly_braces_are_written_anew_at_once() -> None:
    text = "queues:\n  q: {slots: {default: 1, a: 2}, complex_values: {a: 1}, seq_no: 1}  # one\n"
    before = read_texts(Layout.YAML, "c", {"c.yaml": text}).cluster
    queue = before.objects(Kind.QUEUE)["q"].with_value("slots", "3,[b=4],[a=5]").with_value("complex_values", "b=1,a=2")
    after = edited_texts(Layout.YAML, {"c.yaml": text}, before, before.with_object(queue))
    assert after == {"c.yaml": 'queues:\n  q: {slots: "3,[b=4],[a=5]", complex_values: "b=1,a=2", seq_no: 1}  # one\n'}


@pytest.mark.parametrize(("before", "after"), [("{seq_no: 1,}", "{}"), ("{seq_no: 1  # one\n   , }", "{ }")])
def test_the_last_field_in_curly_braces_goes_with_its_comma(before: str, after: str) -> None:
    assert rewritten(f"queues:\n  q: {before}\n", Kind.QUEUE, "seq_no", None) == f"queues:\n  q: {after}\n"


APART = """\
 [a,   # one
      # about b
      b,   # two
      # about c
      c,   # three
      d]   # four
"""


@pytest.mark.parametrize(
    ("value", "after"),
    [
        ("b c d", APART.replace("a,   # one\n      #", " #")),
        ("a c d", APART.replace("b,   # two\n      ", "")),
        ("a d", APART.replace("b,   # two\n      # about c\n      c,   # three\n      ", "")),
        ("a b c", APART.replace("c,   # three\n      d", "c   # three\n      ")),
        ("a b c x", APART.replace("d]", "x]")),
        ("a b c d x", APART.replace("d]", "d, x]")),
        ("z a b c d", APART.replace("[a", "[z, a")),
        ("d", " [d]   # four\n"),
    ],
)
def test_comments_of_other_items_stay_in_square_brackets(value: str, after: str) -> None:
    lead = "queues:\n  q:\n    pe_list:"
    assert rewritten(lead + APART, Kind.QUEUE, "pe_list", value) == lead + after
