"""Between the layouts and back without loss, and the teaching cluster that comes along."""

import os
import shutil
from pathlib import Path
from random import Random

import pytest

from qmon_tui.checks import check
from qmon_tui.formats import Layout, read_texts, unreadable
from qmon_tui.formats.object_differences import differing
from qmon_tui.formats.records import Recorded, read_records
from qmon_tui.formats.state import state_text
from qmon_tui.model import Job, Request, State, Task
from qmon_tui.sources import SourceError, read_folder
from qmon_tui.sources.conversion import convert, convert_records, readable
from qmon_tui.sources.shipped import private_copy, private_folder, start_over, teaching_cluster_folder
from tests.fuzz.damage import damaged

CONFIGS = Path(__file__).parents[3] / "configs"
_DATA = Path(__file__).parents[2] / "data" / "records"
RECORDS = sorted(path for path in _DATA.iterdir() if path.stat().st_size < 12_000)


@pytest.mark.parametrize("name", ["teaching", "site"])
def test_there_and_back_without_loss(name: str, tmp_path: Path) -> None:
    reading = read_folder(CONFIGS / name)
    saved = convert(reading, tmp_path / "qconf", "qconf")
    back = convert(saved, tmp_path / "yaml", "yaml")
    for converted in (saved, back):
        assert converted.findings == ()
        assert list(differing(converted.cluster, reading.cluster)) == []
        assert converted.state == reading.state
    assert (saved.layout, back.layout) == ("qconf", "yaml")
    assert (tmp_path / "qconf" / "centry").read_text().startswith("#name ")


def test_load_values_that_hosts_reported_are_loads_in_yaml(tmp_path: Path) -> None:
    reading = read_folder(CONFIGS / "site")
    saved = convert(reading, tmp_path / "qconf", "qconf")
    host = tmp_path / "qconf/execution/node01"
    host.write_text(host.read_text() + "load_values           np_load_avg=0.25,num_proc=16\nprocessors            16\n")
    back = convert(read_folder(saved.source.location), tmp_path / "yaml", "yaml")
    assert back.findings == ()
    assert back.state.loads["node01"]["np_load_avg"] == reading.state.loads["node01"]["np_load_avg"]
    host.with_name("node02").write_text(host.read_text().replace("node01", "node02"))
    (tmp_path / "qconf/jobs.yaml").unlink()
    again = convert(read_folder(saved.source.location), tmp_path / "again", "yaml")
    assert again.findings == ()
    assert dict(again.state.loads["node02"]) == {"np_load_avg": "0.25", "num_proc": "16"}


def test_a_folder_that_holds_something_is_refused(tmp_path: Path) -> None:
    reading = read_folder(CONFIGS / "teaching")
    (tmp_path / "mine").write_text("x")
    with pytest.raises(SourceError, match="not empty"):
        convert(reading, tmp_path, "yaml")
    with pytest.raises(SourceError, match="is a file"):
        convert(reading, tmp_path / "mine", "yaml")
    assert (tmp_path / "mine").read_text() == "x"


@pytest.mark.parametrize("name", ["copy", "copy/of it", "../link"])
def test_a_folder_inside_the_source_is_refused(tmp_path: Path, name: str) -> None:
    source = tmp_path / "source"
    shutil.copytree(CONFIGS / "teaching", source)
    (tmp_path / "link").symlink_to(source / "elsewhere")
    with pytest.raises(SourceError, match=r"is inside .*give a folder elsewhere"):
        convert(read_folder(source), source / name, "yaml")
    assert {path.name for path in source.iterdir()} == {path.name for path in (CONFIGS / "teaching").iterdir()}
    convert(read_folder(source), tmp_path / "source2", "yaml")


def test_a_pipe_is_no_record(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(SourceError, match=r"cannot read .*pipe: it is a named pipe, not a file"):
        convert_records([str(tmp_path / "pipe")], tmp_path / "jobs.yaml")


def test_what_convert_refuses_is_a_finding(tmp_path: Path) -> None:
    (tmp_path / "from").mkdir()
    (tmp_path / "from" / "cluster.yaml").write_text("configuration: {global: {mailer: /opt/mailer}, sim1: {}}\n")
    reading = read_folder(tmp_path / "from")
    with pytest.raises(SourceError, match='cannot hold configuration "sim1"'):
        convert(reading, tmp_path / "to", "qconf")
    assert [(finding.name, finding.rule) for finding in check(reading.cluster)] == [("sim1", "configuration.nothing")]


def test_beginning_again_keeps_the_old_copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert start_over() == (private_folder(), None)
    (private_folder() / "cluster.yaml").write_text("# mine\n")
    folder, moved = start_over()
    assert (folder / "cluster.yaml").read_text() == (teaching_cluster_folder() / "cluster.yaml").read_text()
    assert moved is not None
    assert (moved / "cluster.yaml").read_text() == "# mine\n"
    assert moved.parent == folder.parent


def test_the_teaching_cluster_is_shipped_and_never_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    copy = private_copy()
    assert copy.is_relative_to(tmp_path)
    assert read_folder(copy).files == read_folder(teaching_cluster_folder()).files
    (copy / "cluster.yaml").write_text("# mine\n")
    assert (private_copy() / "cluster.yaml").read_text() == "# mine\n"
    assert (teaching_cluster_folder() / "cluster.yaml").read_text() != "# mine\n"


@pytest.mark.parametrize("record", RECORDS, ids=lambda path: path.name)
def test_what_a_damaged_record_becomes_can_be_read(record: Path) -> None:
    random = Random(record.name)
    corpus = tuple(path.read_bytes() for path in RECORDS)
    for _ in range(12):
        recorded = readable(read_records({"f": damaged(random, (record.read_bytes(), random.choice(corpus)))}))
        contents = read_texts(Layout.YAML, "c", {"jobs.yaml": state_text(recorded.state)})
        assert unreadable(contents.findings) == ()


def test_what_could_not_be_read_back_is_left_out_with_a_note() -> None:
    states = {1: "qw", 2: "N", 3: "z"}
    jobs = tuple(Job(number, "a", 5, Request(), "x", tasks={1: Task(state)}) for number, state in states.items())
    state = State(now=5, jobs=jobs, loads={"n1": {"l": "1"}, "n[9-1]": {"l": "1"}}, queue_states={"a.q@n[": "d"})
    recorded = readable(Recorded(state=state, places={2: ("q.xml", 7)}))
    assert [job.id for job in recorded.state.jobs] == [1, 3]
    assert (list(recorded.state.loads), dict(recorded.state.queue_states)) == (["n1"], {})
    notes = [(finding.file, finding.line, finding.message.partition(":")[0]) for finding in recorded.findings]
    assert ("q.xml", 7, "job 2 is left out") in notes
    assert sorted(note[2] for note in notes) == ["a.q@n[ is left out", "job 2 is left out", "n[9-1] is left out"]
