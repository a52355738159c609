"""When queues and queue instances last changed, as a cluster folder says it."""

import pytest

from qmon_tui.formats.folder_reader import Contents, read_texts
from qmon_tui.formats.layout import Layout
from qmon_tui.formats.state.state_writer import state_text
from qmon_tui.values.times import parse_time

WHEN = parse_time("2026-11-21T09:00:00")


def read(text: str) -> Contents:
    return read_texts(Layout.YAML, "c", {"state.yaml": text})


def test_queues_and_instances_with_offsets_fractions_and_node_sets() -> None:
    text = """\
jobs: [{id: 1, owner: anna, submitted: 2026-11-21T09:00:00, qsub: sleep 1}]
changed: {all.q: 2026-11-21T09:00:00.5, "all.q@N[1-2]": +90s}
"""
    contents = read(text)
    assert not contents.findings
    assert dict(contents.state.changed) == {"all.q": WHEN + 0.5, "all.q@n1": WHEN + 90, "all.q@n2": WHEN + 90}
    assert read(state_text(contents.state)).state.changed == contents.state.changed


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("'@n1': 2026-11-21T09:00:00", '"@n1" is not a queue, write all.q or all.q@sim1'),
        ("all.q@: 2026-11-21T09:00:00", '"all.q@" is not a queue, write all.q or all.q@sim1'),
        ("all.q: yesterday", '"yesterday" is not a time'),
        ("{all.q@n1: 2026-11-21T09:00:00, all.q@N1: 2026-11-21T09:00:00}", "when all.q@n1 changed is written twice"),
        ("[all.q]", "changed"),
    ],
)
def test_what_is_no_change_is_found_and_left_out(line: str, message: str) -> None:
    body = line if line[0] in "{[" else f"{{{line}}}"
    (finding,) = read(f"changed: {body}\n").findings
    assert message in finding.message
    assert (finding.file, finding.line) == ("state.yaml", 1)
