"""Objects in YAML that come and go: written like their neighbours, in sections of every shape."""

import pytest

from qmon_tui.formats.folder_reader import read_texts
from qmon_tui.formats.folder_writer import edited_texts
from qmon_tui.formats.layout import Layout
from qmon_tui.formats.text_changes import apply_changes
from qmon_tui.formats.yaml import Mapping, documents, rewritten
from qmon_tui.model.cluster import Cluster, config_object
from qmon_tui.model.kinds import Kind

QUEUE = config_object(Kind.QUEUE, "new.q", {"qname": "new.q", "slots": "3"})
LIC = config_object(Kind.COMPLEX, "lic", {"name": "lic", "shortcut": "lic", "type": "INT"})


def saved(text: str, before: Cluster, after: Cluster) -> str | None:
    return edited_texts(Layout.YAML, {"c.yaml": text}, before, after)["c.yaml"]


@pytest.mark.parametrize(
    ("queues", "new"),
    [
        ("\n    a.q:\n        slots: 1\n", "    new.q:\n        slots: 3\n"),
        ("\n  a.q: {slots: 1}\n  b.q:\n     slots: 1\n", "  new.q:\n     slots: 3\n"),
        ("\n  a.q: {slots: 1}\n", "  new.q: {slots: 3}\n"),
        ("\n  a.q:\n  b.q:\n   slots: 1\n", "  new.q:\n   slots: 3\n"),
        ("\n a.q:\n  slots: 1\n b.q: &x {slots: 1}\n c.q: *x\n", " new.q: {slots: 3}\n"),
        ("\n  a.q:\n", "  new.q:\n    slots: 3\n"),
        ("\n a.q:\n  slots: 1\n", " new.q:\n  slots: 3\n"),
        ("\n  a.q:\n    slots: 1", "\n  new.q:\n    slots: 3"),
    ],
)
def test_a_new_object_stands_as_deep_as_the_others(queues: str, new: str) -> None:
    text = f"queues:{queues}"
    before = read_texts(Layout.YAML, "c", {"c.yaml": text}).cluster
    assert saved(text, before, before.with_object(QUEUE)) == text + new


def test_a_new_object_stands_in_the_braces_of_its_section() -> None:
    text = "queues: {a.q: {slots: 1}}\n"
    before = read_texts(Layout.YAML, "c", {"c.yaml": text}).cluster
    assert saved(text, before, before.with_object(QUEUE)) == "queues: {a.q: {slots: 1}, new.q: {slots: 3}}\n"


@pytest.mark.parametrize(
    ("text", "kind", "rest"),
    [
        ("sharetree: |\n  id=0\n  name=Root\nqueues: {}\n", Kind.SHARETREE, "queues: {}\n"),
        ("queues: {}\nsharetree: |\n  id=0\n  name=Root", Kind.SHARETREE, "queues: {}\n"),
        ("hosts: {}\nscheduler: {weight_ticket: 1}\nqueues: {}\n", Kind.SCHEDULER, "hosts: {}\nqueues: {}\n"),
    ],
)
def test_an_only_object_takes_its_section_along(text: str, kind: Kind, rest: str) -> None:
    before = read_texts(Layout.YAML, "c", {"c.yaml": text}).cluster
    (name,) = before.objects(kind)
    assert saved(text, before, before.without(kind, name)) == rest


@pytest.mark.parametrize(
    ("section", "is_more", "after"),
    [
        ("complexes:\n", False, "complexes:\n  arch: NONE\n"),
        ("complexes:\n", True, "complexes:\n  lic:\n    shortcut: lic\n    type: INT\n  arch: NONE\n"),
        ("complexes: {}\n", False, "complexes: {arch: NONE}\n"),
        ("complexes: {}\n", True, "complexes: {lic: {shortcut: lic, type: INT}, arch: NONE}\n"),
    ],
)
def test_what_every_cluster_has_is_taken_away_by_name_in_an_empty_section(
    section: str, is_more: bool, after: str
) -> None:
    text = f"{section}queues: {{}}\n"
    before = read_texts(Layout.YAML, "c", {"c.yaml": text}).cluster
    wanted = before.without(Kind.COMPLEX, "arch")
    assert saved(text, before, wanted.with_object(LIC) if is_more else wanted) == f"{after}queues: {{}}\n"


LISTED, FLOW = "k:\n  - a\n  - b # e\nz: 1\n", "k: [a,\n  b]   # c\nz: 1\n"


@pytest.mark.parametrize(
    ("text", "new", "after"),
    [
        ("k: v   # c\n", " x", "k: x   # c\n"),
        ("k: v   # c\n", "\n  - y", "k:   # c\n  - y\n"),
        ("k: v   # c\n", "\r\n  - y", "k:   # c\r\n  - y\n"),
        ("k: v", " x", "k: x"),
        ("k: v", "\n  - y", "k:\n  - y"),
        ("k:   # c\n  - a   # d\n  - b\nz: 1\n", " x", "k: x   # c\nz: 1\n"),
        ("k:   # c\n  - a   # d\n  - b\nz: 1\n", "\n  - y", "k:   # c\n  - y\nz: 1\n"),
        (LISTED, " x", "k: x # e\nz: 1\n"),
        (LISTED, "\n  - y", "k:\n  - y # e\nz: 1\n"),
        (FLOW, " x", "k: x   # c\nz: 1\n"),
        (FLOW, "\n  - y", "k:\n  - y   # c\nz: 1\n"),
        ("k:\nz: 1\n", " x", "k: x\nz: 1\n"),
        ("k:\nz: 1\n", "\n  - y", "k:\n  - y\nz: 1\n"),
        ("k:   # c\nz: 1\n", " x", "k: x   # c\nz: 1\n"),
        ("k:   # c\nz: 1\n", "\n  - y", "k:   # c\n  - y\nz: 1\n"),
        ("k: v\r\nz: 1\r\n", " x", "k: x\r\nz: 1\r\n"),
        ("k: v\r\nz: 1\r\n", "\r\n  - y", "k:\r\n  - y\r\nz: 1\r\n"),
    ],
)
def test_a_value_written_anew_keeps_the_comment_of_its_line(text: str, new: str, after: str) -> None:
    (root,) = documents(text)
    assert isinstance(root, Mapping)
    assert apply_changes(text, [rewritten(text, *root.pairs[0], new)]) == after
