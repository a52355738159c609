"""Lists in YAML edited item by item: every place of an item, in lines of their own and in square brackets."""

import re

import pytest

from qmon_tui.formats.folder_reader import read_texts
from qmon_tui.formats.folder_writer import edited_texts
from qmon_tui.formats.layout import Layout
from qmon_tui.formats.text_changes import apply_changes
from qmon_tui.formats.yaml import removals_in_line
from qmon_tui.model.kinds import Kind

LINES = "queues:\n  q:\n    pe_list:\n    - a   # one\n    - 'b'\n    - c\n    - d\n"
FLOW = "queues:\n  q: {pe_list: [a, 'b', c, d]}\n"
HOSTS = 'queues:\n  q:\n    hostlist: ["n[1-4]", big]\n'
HOST_LINES = "queues:\n  q:\n    hostlist:\n    - n[1-4]   # four\n    - big\n    seq_no: 1\n"


@pytest.mark.parametrize(
    ("before", "value", "after"),
    [
        (LINES, "a b c d e", "\n    - a   # one\n    - 'b'\n    - c\n    - d\n    - e\n"),
        (LINES, "z a b c d", "\n    - z\n    - a   # one\n    - 'b'\n    - c\n    - d\n"),
        (LINES, "a x c d", "\n    - a   # one\n    - 'x'\n    - c\n    - d\n"),
        (LINES, "a d", "\n    - a   # one\n    - d\n"),
        (LINES, "b c d", "\n    - 'b'\n    - c\n    - d\n"),
        (LINES, "a b", "\n    - a   # one\n    - 'b'\n"),
        (LINES, "d c b a", "\n    - d\n    - c\n    - 'b'\n    - a   # one\n"),
        (LINES, "x y c d", "\n    - x   # one\n    - 'y'\n    - c\n    - d\n"),
        (LINES, "a b x y", "\n    - a   # one\n    - 'b'\n    - x\n    - y\n"),
        (LINES, "x", "\n    - x   # one\n"),
        (LINES, "a x y b c d", "\n    - a   # one\n    - x\n    - y\n    - 'b'\n    - c\n    - d\n"),
        (LINES, "a b c e f", "\n    - a   # one\n    - 'b'\n    - c\n    - e\n    - f\n"),
        (LINES, "a,b", " a,b\n"),
        (
            LINES,
            "x y z a b c d w",
            "\n    - x\n    - y\n    - z\n    - a   # one\n    - 'b'\n    - c\n    - d\n    - w\n",
        ),
        (LINES[:-1], "a b c d e", "\n    - a   # one\n    - 'b'\n    - c\n    - d\n    - e"),
        (LINES[:-1], "a b c", "\n    - a   # one\n    - 'b'\n    - c\n"),
        (LINES[:-1], "d a b c", "\n    - d\n    - a   # one\n    - 'b'\n    - c"),
        (LINES[:-1], "a b c x", "\n    - a   # one\n    - 'b'\n    - c\n    - x"),
        (FLOW, "a b c d e", " [a, 'b', c, d, e]}\n"),
        (FLOW, "z a b c d", " [z, a, 'b', c, d]}\n"),
        (FLOW, "a x c d", " [a, 'x', c, d]}\n"),
        (FLOW, "a d", " [a, d]}\n"),
        (FLOW, "b c d", " ['b', c, d]}\n"),
        (FLOW, "a b", " [a, 'b']}\n"),
        (FLOW, "d c b a", " [d, c, b, a]}\n"),
        (FLOW, "x y c d", " [x, 'y', c, d]}\n"),
        (FLOW, "x", " [x]}\n"),
        (FLOW, "a x y b c d", " [a, x, y, 'b', c, d]}\n"),
        (FLOW, "x y z a b c d w", " [x, y, z, a, 'b', c, d, w]}\n"),
        (HOSTS, "n1 n2 n3 n4 big x", ' ["n[1-4]", big, x]\n'),
        (HOSTS, "n1 n2 big", ' ["n[1-2]", big]\n'),
        (HOSTS, "n1 n2 n3 n4", ' ["n[1-4]"]\n'),
        (HOSTS, "n1 n3 n4 big", ' ["n[1,3-4]", big]\n'),
        (HOSTS, "big", " [big]\n"),
        (HOSTS, "n2 n1 n3 n4 big", ' ["n2", n1, n3, n4, big]\n'),
        (HOSTS, "x n1 n2 n3 n4 big", ' ["x", n1, n2, n3, n4, big]\n'),
        (HOSTS, "n3 n4 big n1", ' ["n3", n4, big, n1]\n'),
        (HOSTS, "n1 big y z", ' ["n1", big, y, z]\n'),
        (HOST_LINES, "n1 n2 n3 n4 big x", "\n    - n[1-4]   # four\n    - big\n    - x\n    seq_no: 1\n"),
        (HOST_LINES, "n1 n2 big", "\n    - n[1-2]   # four\n    - big\n    seq_no: 1\n"),
        (HOST_LINES, "n1 n2 n3 n4", "\n    - n[1-4]   # four\n    seq_no: 1\n"),
        (HOST_LINES, "n1 n3 n4 big", "\n    - n[1,3-4]   # four\n    - big\n    seq_no: 1\n"),
        (HOST_LINES, "big", "\n    - big\n    seq_no: 1\n"),
        (HOST_LINES, "big n1 n2 n3 n4", "\n    - big\n    - n1\n    - n2\n    - n3\n    - n4\n    seq_no: 1\n"),
        (HOST_LINES, "n1 big y z", "\n    - n1   # four\n    - big\n    - y\n    - z\n    seq_no: 1\n"),
    ],
)
def test_items_come_and_go_where_they_stand_and_the_others_keep_their_spelling(
    before: str, value: str, after: str
) -> None:
    field = "pe_list" if "pe_list" in before else "hostlist"
    cluster = read_texts(Layout.YAML, "c", {"c.yaml": before}).cluster
    edited = cluster.with_object(cluster.objects(Kind.QUEUE)["q"].with_value(field, value))
    text = edited_texts(Layout.YAML, {"c.yaml": before}, cluster, edited)["c.yaml"]
    assert text == before.partition(f"{field}:")[0] + f"{field}:" + after


A, B, GPU = "users a to slots=1", "users b to slots=2", "to gpu=1"


def _lines(*rules: str) -> str:
    return "".join(f"      {rule}\n" for rule in rules)


@pytest.mark.parametrize("tail", ["\n", "", "\n\n"])
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("rules", [(A, B, GPU), (GPU, A, B), (A,), (B,), (GPU,), (A, GPU, B), (A, GPU)])
def test_lines_of_a_literal_text_come_and_go_also_where_the_last_one_has_no_end(
    tail: str, newline: str, rules: tuple[str, ...]
) -> None:
    head = "quotas:\n  s:\n    limit: |\n"
    before = (head + _lines(A, B)[:-1] + tail).replace("\n", newline)
    cluster = read_texts(Layout.YAML, "c", {"c.yaml": before}).cluster
    edited = cluster.with_object(cluster.objects(Kind.QUOTA)["s"].with_value("limit", "\n".join(rules)))
    text = edited_texts(Layout.YAML, {"c.yaml": before}, cluster, edited).get("c.yaml", before) or ""
    end = tail if tail or rules[-1] == B else "\n"
    assert text == (head + _lines(*rules)[:-1] + end).replace("\n", newline)


SLOTS = """\
queues:
  q:
    slots:   # cores
      default: 1
      "@g": 3
      n[1-3]: 2   # small
      big: 4
    seq_no: 1
"""
FLOW_SLOTS = 'queues:\n  q: {slots: {default: 1, "@g": 3, "n[1-3]": 2, big: 4}, seq_no: 1}\n'


@pytest.mark.parametrize(
    ("before", "value", "after"),
    [
        (
            SLOTS,
            "1,[@g=8],[n1=2],[n2=2],[n3=2],[big=4]",
            '   # cores\n      default: 1\n      "@g": 8\n      n[1-3]: 2   # small\n      big: 4\n    seq_no: 1\n',
        ),
        (
            SLOTS,
            "1,[n1=3],[n2=2],[n3=2],[big=4]",
            "   # cores\n      default: 1\n      n1: 3   # small\n      n[2-3]: 2\n      big: 4\n    seq_no: 1\n",
        ),
        (
            SLOTS,
            "1,[n3=2],[big=4]",
            "   # cores\n      default: 1\n      n3: 2   # small\n      big: 4\n    seq_no: 1\n",
        ),
        (
            SLOTS,
            "1,[@g=3],[n1=2],[n2=2],[n3=2],[big=5]",
            '   # cores\n      default: 1\n      "@g": 3\n      n[1-3]: 2   # small\n      big: 5\n    seq_no: 1\n',
        ),
        (
            SLOTS,
            "1,[@g=3],[n1=2],[n2=2],[n3=2]",
            '   # cores\n      default: 1\n      "@g": 3\n      n[1-3]: 2   # small\n    seq_no: 1\n',
        ),
        (
            SLOTS,
            "1,[n1=2],[n2=2],[n3=2],[big=4]",
            "   # cores\n      default: 1\n      n[1-3]: 2   # small\n      big: 4\n    seq_no: 1\n",
        ),
        (
            SLOTS,
            "1,[@g=3],[n1=2],[n3=2],[big=4]",
            '   # cores\n      default: 1\n      "@g": 3\n      n[1,3]: 2   # small\n      big: 4\n    seq_no: 1\n',
        ),
        (SLOTS, "1,[@g=3],[big=4]", '   # cores\n      default: 1\n      "@g": 3\n      big: 4\n    seq_no: 1\n'),
        (
            SLOTS,
            "7,[@g=3],[n1=2],[n2=2],[n3=2],[big=4]",
            '   # cores\n      default: 7\n      "@g": 3\n      n[1-3]: 2   # small\n      big: 4\n    seq_no: 1\n',
        ),
        (
            SLOTS,
            "1,[@g=3],[n1=2],[n2=9],[n3=2],[big=4]",
            '   # cores\n      default: 1\n      "@g": 3\n'
            "      n1: 2   # small\n      n2: 9\n      n3: 2\n      big: 4\n    seq_no: 1\n",
        ),
        (
            SLOTS,
            "1,[@g=3],[n1=2],[n2=2],[n3=2],[big=4],[x=6]",
            '   # cores\n      default: 1\n      "@g": 3\n'
            "      n[1-3]: 2   # small\n      big: 4\n      x: 6\n    seq_no: 1\n",
        ),
        (
            SLOTS,
            "1,[@g=3],[n1=2],[n2=2],[n3=2],[x=6],[big=4]",
            '   # cores\n      default: 1\n      "@g": 3\n'
            "      n[1-3]: 2   # small\n      x: 6\n      big: 4\n    seq_no: 1\n",
        ),
        (SLOTS, "1", "   # cores\n      default: 1\n    seq_no: 1\n"),
        (SLOTS, "1,[big=4]", "   # cores\n      default: 1\n      big: 4\n    seq_no: 1\n"),
        (
            SLOTS,
            "1,[@g=3],[n1=9],[n2=9],[n3=9],[big=4]",
            '   # cores\n      default: 1\n      "@g": 3\n      n[1-3]: 9   # small\n      big: 4\n    seq_no: 1\n',
        ),
        (
            SLOTS,
            "1,[@g=3],[n1=9],[n2=9],[n3=2],[big=4]",
            '   # cores\n      default: 1\n      "@g": 3\n'
            "      n[1-2]: 9   # small\n      n3: 2\n      big: 4\n    seq_no: 1\n",
        ),
        (SLOTS, "1,[n1=2],[n2=2]", "   # cores\n      default: 1\n      n[1-2]: 2   # small\n    seq_no: 1\n"),
        (
            SLOTS,
            "1,[@g=3],[x=6],[n1=2],[n2=2],[n3=2],[big=4]",
            '   # cores\n      default: 1\n      "@g": 3\n      x: 6\n'
            "      n[1-3]: 2   # small\n      big: 4\n    seq_no: 1\n",
        ),
        (
            SLOTS,
            "1,[@g=3],[n1=2],[x=6],[n2=2],[n3=2],[big=4]",
            " 1,[@g=3],[n1=2],[x=6],[n2=2],[n3=2],[big=4]   # cores\n    seq_no: 1\n",
        ),
        # A mapping gives groups before hosts, whatever stands first.
        (
            'queues:\n  q: {slots: {default: 1, big: 4, "@g": 3}}\n',
            "1,[big=5],[@g=3]",
            ' "1,[big=5],[@g=3]"}\n',
        ),
        (
            'queues:\n  q: {slots: {default: 1, big: 4, "@g": 3}}\n',
            "1,[@g=3],[@h=2],[big=5],[x=6]",
            ' {default: 1, big: 5, "@g": 3, "@h": 2, x: 6}}\n',
        ),
        (
            SLOTS,
            "1,[@h=3],[@g=3],[big=4]",
            " 1,[@h=3],[@g=3],[big=4]   # cores\n    seq_no: 1\n",
        ),
        (
            SLOTS,
            "1,[@g=3],[@h=3],[big=4]",
            '   # cores\n      default: 1\n      "@g": 3\n      "@h": 3\n      big: 4\n    seq_no: 1\n',
        ),
        (
            SLOTS.replace("      default: 1\n", "").replace("    seq", "      default: 1\n    seq"),
            "1,[@g=3],[x=6],[big=4]",
            '   # cores\n      "@g": 3\n      x: 6\n      big: 4\n      default: 1\n    seq_no: 1\n',
        ),
        (
            FLOW_SLOTS,
            "1,[@g=8],[n1=2],[n2=2],[n3=2],[big=4]",
            ' {default: 1, "@g": 8, "n[1-3]": 2, big: 4}, seq_no: 1}\n',
        ),
        (FLOW_SLOTS, "1,[n1=3],[n2=2],[n3=2],[big=4]", ' {default: 1, "n1": 3, "n[2-3]": 2, big: 4}, seq_no: 1}\n'),
        (FLOW_SLOTS, "1,[n3=2],[big=4]", ' {default: 1, "n3": 2, big: 4}, seq_no: 1}\n'),
        (
            FLOW_SLOTS,
            "1,[@g=3],[n1=2],[n2=2],[n3=2],[big=5]",
            ' {default: 1, "@g": 3, "n[1-3]": 2, big: 5}, seq_no: 1}\n',
        ),
        (FLOW_SLOTS, "1,[@g=3],[n1=2],[n2=2],[n3=2]", ' {default: 1, "@g": 3, "n[1-3]": 2}, seq_no: 1}\n'),
        (FLOW_SLOTS, "1,[n1=2],[n2=2],[n3=2],[big=4]", ' {default: 1, "n[1-3]": 2, big: 4}, seq_no: 1}\n'),
        (FLOW_SLOTS, "1,[@g=3],[n1=2],[n3=2],[big=4]", ' {default: 1, "@g": 3, "n[1,3]": 2, big: 4}, seq_no: 1}\n'),
        (FLOW_SLOTS, "1,[@g=3],[big=4]", ' {default: 1, "@g": 3, big: 4}, seq_no: 1}\n'),
        (
            FLOW_SLOTS,
            "7,[@g=3],[n1=2],[n2=2],[n3=2],[big=4]",
            ' {default: 7, "@g": 3, "n[1-3]": 2, big: 4}, seq_no: 1}\n',
        ),
        (
            FLOW_SLOTS,
            "1,[@g=3],[n1=2],[n2=9],[n3=2],[big=4]",
            ' {default: 1, "@g": 3, "n1": 2, "n2": 9, "n3": 2, big: 4}, seq_no: 1}\n',
        ),
        (
            FLOW_SLOTS,
            "1,[@g=3],[n1=2],[n2=2],[n3=2],[big=4],[x=6]",
            ' {default: 1, "@g": 3, "n[1-3]": 2, big: 4, x: 6}, seq_no: 1}\n',
        ),
        (
            FLOW_SLOTS,
            "1,[@g=3],[n1=2],[n2=2],[n3=2],[x=6],[big=4]",
            ' {default: 1, "@g": 3, "n[1-3]": 2, x: 6, big: 4}, seq_no: 1}\n',
        ),
        (FLOW_SLOTS, "1", " {default: 1}, seq_no: 1}\n"),
        (FLOW_SLOTS, "1,[big=4]", " {default: 1, big: 4}, seq_no: 1}\n"),
        (
            FLOW_SLOTS,
            "1,[@g=3],[n1=9],[n2=9],[n3=9],[big=4]",
            ' {default: 1, "@g": 3, "n[1-3]": 9, big: 4}, seq_no: 1}\n',
        ),
        (
            FLOW_SLOTS,
            "1,[@g=3],[n1=9],[n2=9],[n3=2],[big=4]",
            ' {default: 1, "@g": 3, "n[1-2]": 9, "n3": 2, big: 4}, seq_no: 1}\n',
        ),
        (FLOW_SLOTS, "1,[n1=2],[n2=2]", ' {default: 1, "n[1-2]": 2}, seq_no: 1}\n'),
        (
            FLOW_SLOTS,
            "1,[@g=3],[x=6],[n1=2],[n2=2],[n3=2],[big=4]",
            ' {default: 1, "@g": 3, x: 6, "n[1-3]": 2, big: 4}, seq_no: 1}\n',
        ),
    ],
)
def test_values_of_hosts_come_and_go_where_they_stand_and_node_sets_are_kept(
    before: str, value: str, after: str
) -> None:
    """What cannot stand in their order is written anew."""
    cluster = read_texts(Layout.YAML, "c", {"c.yaml": before}).cluster
    edited = cluster.with_object(cluster.objects(Kind.QUEUE)["q"].with_value("slots", value))
    text = edited_texts(Layout.YAML, {"c.yaml": before}, cluster, edited)["c.yaml"]
    assert text == before.partition("slots:")[0] + "slots:" + after


@pytest.mark.parametrize(
    ("removed", "left"),
    [
        ({0}, "bb, c, d"),
        ({1}, "a, c, d"),
        ({3}, "a, bb, c"),
        ({0, 1}, "c, d"),
        ({1, 2}, "a, d"),
        ({2, 3}, "a, bb"),
        ({0, 2}, "bb, d"),
        ({0, 1, 3}, "c"),
        ({0, 1, 2, 3}, ""),
        (set(), "a, bb, c, d"),
    ],
)
def test_parts_of_a_line_go_with_a_comma(removed: set[int], left: str) -> None:
    text = "[a, bb, c, d]"
    changes = removals_in_line(text, [(1, 2), (4, 6), (8, 9), (11, 12)], removed)
    assert apply_changes(text, changes) == f"[{left}]"


@pytest.mark.parametrize(
    ("text", "removed", "left"),
    [
        ("[a, 'b#c']", 1, "[a]"),
        ("[a\n , b\n , c]", 1, "[a\n , c]"),
        ("[a,  # 1\n b]", 1, "[a  # 1\n ]"),
        ("[a, b,  # 2\n\n # 3\n c]", 1, "[a, \n # 3\n c]"),
        ("[a,  # 1\n # 2\n b]", 0, "[ # 2\n b]"),
        ("[a,b,\n # 2\n c]", 1, "[a, # 2\n c]"),
        ("[a # x, y\n , b]", 1, "[a # x, y\n  ]"),
    ],
)
def test_a_part_of_several_lines_goes_without_the_comments_of_others(text: str, removed: int, left: str) -> None:
    spans = [match.span() for match in re.finditer(r"'.*'|\b[a-c]\b", text)]
    assert apply_changes(text, removals_in_line(text, spans, {removed})) == left
