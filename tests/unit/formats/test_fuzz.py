"""Whatever the text is, readers answer with findings; and soon."""

import contextlib
import gc
import time
from collections.abc import Iterator

import pytest
from hypothesis import given, strategies as st

from qmon_tui.formats.folder_reader import read_texts
from qmon_tui.formats.folder_writer import EditRefused, edited_texts
from qmon_tui.formats.layout import Layout, file_of
from qmon_tui.formats.qsub import parse_qsub
from qmon_tui.model.cluster import Cluster
from qmon_tui.model.kinds import Kind
from tests.examples import examples
from tests.unit.formats.recorded import samples

YAML = """\
now: 2026-03-02T09:30:00
complexes:
  gpu: {shortcut: gpu, type: INT, relop: <=, consumable: YES}
hosts: &all
  global: {complex_values: "gpu=4"}
  node[01-03]: &n
    complex_values: {slots: 4, gpu: 1}
  node04: {<<: *n, load_scaling: NONE}
queues:
  all.q:
    hostlist: ["node[01-02]", "@g"]   # all
    slots: {default: 1, "node[01-02]": 4}
    complex_values: "gpu=1,[node01=gpu=2]"
quotas:
  r: {limit: ["users {*} to slots=4"]}
sharetree: |
  id=0
  name=Root
scheduler: {weight_ticket: 0.5}
loads: {"node[01-03]": {np_load_avg: 0.3}}
states: {all.q@node01: d}
jobs:
- {id: 3, owner: u, submitted: +90s, qsub: -t 1-4 -l gpu=1 sleep 5,
   tasks: {1-2: {state: r, granted: {all.q@node01: 1}}}}
- owner: v
  qsub: "-a 11210900 -pe mpi 4-8 x"
"""

PIECES = [
    "\n",
    " ",
    ":",
    "- ",
    "{",
    "}",
    "[",
    "]",
    ",",
    "&a ",
    "*a",
    "*n",
    "<<: ",
    "|\n",
    ">\n",
    "#",
    "'",
    '"',
    "\t",
    "?",
]
PIECES += [
    "---\n",
    "...\n",
    "%YAML 1.1\n",
    "!!x ",
    "\r\n",
    "\x00",
    "\ufeff",
    "\u2028",
    "\\\n",
    "=",
    "\\",
    "node[1-",
    "]:",
]

MUTATIONS = st.lists(st.tuples(st.floats(0, 1), st.integers(0, 12), st.sampled_from(["", *PIECES])), max_size=6)


def mutated(text: str, mutations: list[tuple[float, int, str]]) -> str:
    """The text with some pieces cut out and others put in."""
    for where, length, piece in mutations:
        at = int(where * len(text))
        text = text[:at] + piece + text[at + length :]
    return text


@contextlib.contextmanager
def soon(seconds: float) -> Iterator[None]:
    """What takes longer than these seconds of the processor's time fails, where the machine is not that slow by itself.

    Others that use the machine, too, make a process wait, and its processor slower. So what took long is measured again
    by a text that is read in a known part of a second.
    """
    gc.freeze()  # what other tests have left is not walked over meanwhile
    begun = time.process_time()
    try:
        yield
    finally:
        taken = time.process_time() - begun
        gc.unfreeze()
    if taken > seconds:
        ordinary = min(_seconds_of_an_ordinary_file() for _ in range(5))
        assert taken < seconds * max(1, ordinary / USUAL_SECONDS), f"{taken:.1f} s, an ordinary file {ordinary:.3f} s"


USUAL_SECONDS = 0.004
"""What reading the undamaged file takes where nobody else needs the machine."""


def _seconds_of_an_ordinary_file() -> float:
    begun = time.process_time()
    read_texts(Layout.YAML, "c", {"c.yaml": YAML})
    return time.process_time() - begun


def saved_or_refused(layout: Layout, texts: dict[str, str], before: Cluster, after: Cluster) -> None:
    """Saving succeeds, or says in a sentence why not."""
    with contextlib.suppress(EditRefused):
        edited_texts(layout, texts, before, after)


def test_the_undamaged_files_are_read_without_findings() -> None:
    assert read_texts(Layout.YAML, "c", {"c.yaml": YAML}).findings == ()
    assert read_texts(Layout.QCONF, "c", QCONF).findings == ()


@given(MUTATIONS)
@examples(300)
def test_a_damaged_yaml_file_gives_findings(mutations: list[tuple[float, int, str]]) -> None:
    with soon(20):
        read_texts(Layout.YAML, "c", {"c.yaml": mutated(YAML, mutations)})


@given(st.text(max_size=60))
@examples(300)
def test_any_text_as_yaml_gives_findings(text: str) -> None:
    with soon(20):
        read_texts(Layout.YAML, "c", {"c.yaml": text, "d.yaml": "jobs:\n- " + text})


@given(MUTATIONS, st.sampled_from(["all.q", "node02", "r"]), st.text(max_size=8))
@examples(150)
def test_editing_a_damaged_file_works_or_is_refused(
    mutations: list[tuple[float, int, str]], name: str, value: str
) -> None:
    with soon(4):
        texts = {"c.yaml": mutated(YAML, mutations)}
        before = read_texts(Layout.YAML, "c", texts).cluster
        for obj in before:
            if obj.name == name and obj.values:
                after = before.with_object(obj.with_value(sorted(obj.values)[-1], value))
                saved_or_refused(Layout.YAML, texts, before, after)


QCONF = {
    "centry": samples()["captures"]["sc.default.txt"],
    "cqueues/val_fmt": samples()["captures"]["show.sq_val_fmt.txt"],
    "resource_quotas/val_fmt": samples()["captures"]["show.srqs.txt"],
    "sharetree": samples()["captures"]["show.sstree.txt"],
    "schedconf": samples()["captures"]["show.ssconf.txt"],
    "configurations/global": samples()["captures"]["show.sconf_global.txt"],
    "usersets/val_long": samples()["captures"]["show.su_val_long.txt"],
    "managers": "root\n",
}


@given(st.sampled_from(sorted(QCONF)), MUTATIONS)
@examples(300)
def test_a_damaged_qconf_file_gives_findings(file: str, mutations: list[tuple[float, int, str]]) -> None:
    with soon(20):
        texts = {**QCONF, file: mutated(QCONF[file], mutations)}
        before = read_texts(Layout.QCONF, "c", texts).cluster
        for obj in before:
            if obj.origin and obj.origin.file == file:
                name = sorted(obj.values)[0]
                after = before.with_object(obj.with_value(name, "7"))
                saved_or_refused(Layout.QCONF, texts, before, after)


@given(st.sampled_from(list(Kind)), st.text(max_size=80))
@examples(300)
def test_any_text_as_a_qconf_file_gives_findings(kind: Kind, text: str) -> None:
    with soon(20):
        read_texts(Layout.QCONF, "c", {file_of(kind, "x"): text})


@given(st.text(max_size=80))
@examples(300)
def test_any_text_as_options_gives_problems(text: str) -> None:
    with soon(1):
        parse_qsub(text)
        parse_qsub("-l " + text + " -t 1-2 -a " + text)


def nested_aliases(levels: int, width: int) -> str:
    lines = ["a: &a0 [x, x]"]
    for level in range(1, levels):
        lines.append(f"b{level}: &a{level} [" + ", ".join([f"*a{level - 1}"] * width) + "]")
    return "\n".join([*lines, f"queues: {{q: {{hostlist: *a{levels - 1}}}}}"])


def wide_aliases(size: int) -> str:
    """A cubic one: every queue has all fields, and each of them all hosts."""
    hosts = "x: &h {default: 1, " + ", ".join(f"n{i}: 1" for i in range(size)) + "}"
    fields = "y: &f {" + ", ".join(f"f{i}: *h" for i in range(size)) + "}"
    fields = fields.replace("f0:", "slots:").replace("f1:", "seq_no:")
    return "\n".join([hosts, fields, "queues: {" + ", ".join(f"q{i}: *f" for i in range(size)) + "}"])


@pytest.mark.parametrize(
    "text",
    [
        nested_aliases(30, 9),
        wide_aliases(300),
        "[" * 100_000,
        "{a: " * 100_000,
        "- " * 50_000,
        "queues:\n" + "\n".join(" " * i + "a:" for i in range(500)),
        "a: &a\n  b: *a\nqueues: &q {x: *q}\n",
        "hosts: {" + ", ".join(f"n[1-100000]x{i}: {{}}" for i in range(50)) + "}",
        "hosts:\n  n[1-999999999]: {}\n  n[1-1000][1-1000][1-1000]: {}\n",
        "queues: {q: {hostlist: '" + "n[1-9999] " * 2000 + "'}}",
        "jobs:\n- {owner: u, qsub: -t 1-9999999 x, tasks: {1-9999999: {state: qw}}}\n",
        "? " * 20_000 + "a",
        "a: '" + "\n" * 100_000,
        "&a " * 20_000 + "x",
        "!" * 50_000,
        "a: " + "\\" * 50_000,
    ],
    ids=lambda text: text[:24].replace("\n", " "),
)
def test_bombs_end_soon(text: str) -> None:
    with soon(5):
        read_texts(Layout.YAML, "c", {"c.yaml": text})
