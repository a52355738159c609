"""All unsaved edits as rows and in full, earlier versions as rows."""

from pathlib import Path

import pytest

from qmon_tui.formats.layout import Layout
from qmon_tui.model.cluster import Cluster, config_object
from qmon_tui.model.jobs import Job, Request, Task
from qmon_tui.model.kinds import Kind
from qmon_tui.model.state import State
from qmon_tui.model.state_fields import StateKind
from qmon_tui.qmaster import InstanceCommand, Target
from qmon_tui.report.change_rows import ChangeKey, ChangeRows, change_detail
from qmon_tui.report.header import edits_made
from qmon_tui.report.spans import plain, width
from qmon_tui.report.unsaved_changes import change_lines, summary_of
from qmon_tui.report.versions import VersionRows, size_words
from qmon_tui.report.words import age
from qmon_tui.sources import read_folder
from qmon_tui.sources.versions import Version, VersionKind
from qmon_tui.workspace import Document, differences, document_changes
from qmon_tui.workspace.edits import SetFields
from tests.edits import change_queue_instances, delete_jobs, hold_jobs
from tests.unit.workspace.samples import cluster, queue

CONFIGS = Path(__file__).parents[3] / "configs"
LONG = " ".join(f"group{number}" for number in range(40))
BASE = cluster(queue("a.q", user_lists=f"{LONG} staff", slots="1,[node01=4]", seq_no="1"))
AFTER = SetFields(
    Kind.QUEUE, "a.q", {"user_lists": f"{LONG} crew", "slots": "1,[node01=8],[@fat=2]", "seq_no": "2"}
).apply(BASE)
CHANGES = document_changes(Document(BASE, State()), Document(AFTER, State()))


def row(field: str, cells: int = 70) -> str:
    rows = ChangeRows(CHANGES)
    index = rows.find(ChangeKey(Kind.QUEUE, "a.q", field))
    assert index is not None
    assert width(rows.line(index, cells)) <= cells
    return plain(rows.line(index, cells)).strip()


def test_of_a_long_list_the_row_says_what_came_and_what_went() -> None:
    assert row("user_lists") == "user_lists  -staff  +crew"
    assert row("slots") == "slots       1,[node01=4] → 1,[node01=8],[@fat=2]"
    assert row("slots", 44) == "slots       [node01]: 4→8  +[@fat]=2"
    assert row("seq_no") == "seq_no      1 → 2"


def test_times_of_last_events_are_no_edits_beside_others() -> None:
    reading = read_folder(CONFIGS / "site")
    before = Document(reading.cluster, reading.state)
    names = ("short.q@node01", "short.q@node02")
    disabled = change_queue_instances(InstanceCommand.DISABLE, names).made(before)
    changes = document_changes(before, disabled)
    rows = ChangeRows(changes)
    assert [plain(rows.line(index, 80)).strip() for index in range(len(rows))] == [
        "+ state of 2 queue instances   state (default) → d",
    ]
    held = hold_jobs([Target(108), Target(109)], "u").made(disabled)
    changes = document_changes(before, held)
    assert edits_made(changes, 2) == "2 edits of 4 objects"
    assert summary_of(changes) == "2 objects changed, 2 added"
    deleted = delete_jobs([Target(101), Target(102)], force=True).made(before)
    assert edits_made(document_changes(before, deleted), 1) == "1 edit of 2 objects"


def test_queue_instances_that_change_alike_are_one_line() -> None:
    hosts = [f"n{number}" for number in range(10)]
    states = {f"a.q@{host}": "d" for host in hosts} | {"b.q@n0": "s"}
    changes = document_changes(Document(BASE, State()), Document(BASE, State(queue_states=states)))
    rows = ChangeRows(changes)
    assert [plain(rows.line(index, 60)).strip() for index in range(len(rows))] == [
        "+ state of 10 queue instances   state (default) → d",
        "+ state of b.q@n0   state (default) → s",
    ]
    key = rows.key(0)
    assert isinstance(key, ChangeKey)
    assert key.names == tuple(f"a.q@{host}" for host in hosts)
    said = " ".join(plain(line) for line in change_detail(changes, key, 60))
    assert all(name in said for name in key.names)


def test_in_full_nothing_is_left_out() -> None:
    said = "".join(plain(line) for line in change_detail(CHANGES, ChangeKey(Kind.QUEUE, "a.q", "user_lists"), 60))
    assert all(f"group{number}" in said for number in range(40))
    assert "-staff" in said
    assert change_detail(CHANGES, ChangeKey(Kind.QUEUE, "gone.q"), 60) == ()


def test_of_what_a_running_qmaster_would_move_something_is_said() -> None:
    """Tried with 8.1.9: any edit of a queue, and those fields of a host of which its queue instances are told."""

    def remark(before: Cluster, after: Cluster, key: ChangeKey) -> str:
        changes = document_changes(Document(before, State()), Document(after, State()))
        said = " ".join(plain(line) for line in change_detail(changes, key, 60))
        return said[said.index("After this edit") :] if "After this edit" in said else ""

    def host(**values: str) -> Cluster:
        return cluster(config_object(Kind.HOST, "n1", values))

    assert "the queue and those of its instances that change" in remark(BASE, AFTER, ChangeKey(Kind.QUEUE, "a.q"))
    assert not remark(cluster(), BASE, ChangeKey(Kind.QUEUE, "a.q")), "a new one comes last everywhere"
    key = ChangeKey(Kind.HOST, "n1")
    assert "the host's queue instances" in remark(host(), host(usage_scaling="cpu=2"), key)
    assert not remark(host(), host(complex_values="gpu=1"), key)


def test_a_reverted_field_leaves_the_cursor_on_its_object() -> None:
    rows = ChangeRows(CHANGES)
    assert rows.find(ChangeKey(Kind.QUEUE, "a.q", "hostlist")) == 0
    assert rows.find(ChangeKey(Kind.QUEUE, "b.q")) is None


def test_thousands_of_tasks_are_one_row() -> None:
    job = Job(7, "anna", 0, Request(), "array", qsub="-t 1-5000 x")
    held = Job(7, "anna", 0, Request(), "array", qsub="-t 1-5000 x", tasks={n: Task("hqw") for n in range(1, 5001)})
    changes = document_changes(Document(BASE, State(jobs=(job,))), Document(BASE, State(jobs=(held,))))
    rows = ChangeRows(changes)
    assert len(rows) == 1
    assert rows.key(0) == ChangeKey(StateKind.JOB, "7")
    assert "task 1-5000" in "".join(plain(line) for line in change_detail(changes, ChangeKey(StateKind.JOB, "7"), 70))


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0, "just now"),
        (59, "just now"),
        (60, "1 minute ago"),
        (7200, "2 hours ago"),
        (200_000, "2 days ago"),
        (-59, "just now"),
        (-60, "later than now: the clock has been set back"),
    ],
)
def test_ages(seconds: float, words: str) -> None:
    assert age(seconds) == words


def test_versions_say_what_they_are() -> None:
    known = [
        Version(Path("a"), VersionKind.SNAPSHOT, 0.0, "before [1]", (), Layout.YAML, 2_000_000),
        Version(Path("b"), VersionKind.SAVED, 0.0, "", ("changed queue a.q", "removed user x"), Layout.YAML, 999),
        Version(Path("c"), VersionKind.FOUND, 0.0, "", (), Layout.YAML, 2048),
    ]
    rows = VersionRows(known)
    said = [plain(rows.line(index, 100)) for index in range(3)]
    assert "before [1]" in said[0]
    assert said[1].endswith("changed queue a.q, removed user x")
    assert "as found" in said[2]
    assert all(width(rows.line(index, 40)) <= 40 for index in range(3))
    assert [size_words(version.size) for version in known] == ["1.9 MiB", "999 B", "2.0 KiB"]


def test_between_two_clusters_a_removed_object_shows_what_was_in_it() -> None:
    changes = differences(BASE, Cluster())
    assert [plain(line) for line in change_lines(changes, 70)] == ["- queue a.q   removed"]
    lines = [plain(line).split() for line in change_lines(changes, 70, is_edited=False)]
    assert ["seq_no", "1"] in lines
