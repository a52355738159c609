"""A folder read again with what is known of it: the same answer, and nothing done twice."""

from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from qmon_tui.formats.folder_reader import Contents, read_texts
from qmon_tui.formats.layout import Layout
from qmon_tui.model.kinds import Kind
from tests.examples import examples

CONFIGS = Path(__file__).parents[3] / "configs"
FOLDERS = {
    Layout.YAML: CONFIGS / "broken",
    Layout.QCONF: CONFIGS / "broken-qconf",
    Layout.FILES: CONFIGS / "broken-qconf",
}


def texts_of(folder: Path) -> dict[str, str]:
    files = (file for file in sorted(folder.rglob("*")) if file.is_file())
    return {file.relative_to(folder).as_posix(): file.read_bytes().decode("utf-8", "replace") for file in files}


TEXTS = {layout: texts_of(folder) for layout, folder in FOLDERS.items()}


def everything(contents: Contents) -> tuple[object, ...]:
    """All that a reading says, with the places that comparisons of objects leave out."""
    kinds = contents.cluster.kinds
    objects = [(kind, name, obj, obj.origin) for kind in kinds for name, obj in kinds[kind].items()]
    lines = [dict(obj.origin.lines) for _, _, obj, _ in objects if obj.origin]
    jobs = [job.origin for job in contents.state.jobs]
    return objects, lines, contents.state, contents.state.places, jobs, contents.findings


edits = st.lists(
    st.tuples(st.integers(0, 10**6), st.sampled_from(("gone", "# line above", "cut", "doubled"))), max_size=4
)


def edited(texts: Mapping[str, str], edit: tuple[int, str]) -> dict[str, str]:
    """One file taken away, moved a line down, cut short, or written twice."""
    position, how = edit
    file = sorted(texts)[position % len(texts)]
    text = texts[file]
    if how == "gone":
        return {name: kept for name, kept in texts.items() if name != file}
    return {**texts, file: {"# line above": f"# new\n{text}", "cut": text[: len(text) // 2], "doubled": text * 2}[how]}


@pytest.mark.parametrize("layout", Layout)
@examples(20)
@given(edits=edits)
def test_what_is_known_changes_no_answer(layout: Layout, edits: list[tuple[int, str]]) -> None:
    texts = TEXTS[layout]
    known = read_texts(layout, "c", texts)
    for edit in edits:
        texts = edited(texts, edit)
        known = read_texts(layout, "c", texts, known)
        assert everything(known) == everything(read_texts(layout, "c", texts))


HOSTS = "hosts:\n  sim1: {complex_values: mem=4G}\n"
QUEUES = "queues:\n  all.q: {hostlist: sim1}\n"
JOBS = "jobs:\n- {owner: u, qsub: a.sh}\n"


def test_only_what_an_edit_concerns_is_new() -> None:
    before = read_texts(Layout.YAML, "c", {"hosts.yaml": HOSTS, "jobs.yaml": JOBS, "queues.yaml": QUEUES})
    after = read_texts(
        Layout.YAML, "c", {"hosts.yaml": HOSTS.replace("4G", "5G"), "jobs.yaml": JOBS, "queues.yaml": QUEUES}, before
    )
    assert after.cluster.objects(Kind.HOST)["sim1"].text("complex_values") == "mem=5G"
    assert after.cluster.objects(Kind.QUEUE) is before.cluster.objects(Kind.QUEUE)
    assert after.cluster.objects(Kind.COMPLEX) is before.cluster.objects(Kind.COMPLEX)
    assert after.state is before.state


def test_a_job_that_moved_down_says_its_new_line() -> None:
    before = read_texts(Layout.YAML, "c", {"jobs.yaml": JOBS, "queues.yaml": QUEUES})
    after = read_texts(Layout.YAML, "c", {"jobs.yaml": f"# more\n{JOBS}", "queues.yaml": QUEUES}, before)
    assert after.state == before.state
    assert [job.origin.line for job in after.state.jobs if job.origin] == [3]


def test_the_other_layout_starts_afresh() -> None:
    """In a qconf folder the very same YAML file may hold no queues."""
    texts = {"cluster.yaml": QUEUES}
    known = read_texts(Layout.YAML, "c", texts)
    contents = read_texts(Layout.QCONF, "c", texts, known)
    assert not contents.cluster.objects(Kind.QUEUE)
    assert [finding.rule for finding in contents.findings] == ["format.overlap"]
