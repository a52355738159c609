"""Between the layouts and back without loss, and the teaching cluster that comes along."""

import os
import shutil
from pathlib import Path

import pytest

from qmon_tui.checks import check
from qmon_tui.formats.object_differences import differing
from qmon_tui.sources import SourceError, read_folder
from qmon_tui.sources.conversion import convert, convert_records
from qmon_tui.sources.teaching_cluster import private_copy, teaching_cluster_folder

CONFIGS = Path(__file__).parents[3] / "configs"


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


def test_the_teaching_cluster_is_shipped_and_never_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    copy = private_copy()
    assert copy.is_relative_to(tmp_path)
    assert read_folder(copy).files == read_folder(teaching_cluster_folder()).files
    (copy / "cluster.yaml").write_text("# mine\n")
    assert (private_copy() / "cluster.yaml").read_text() == "# mine\n"
    assert (teaching_cluster_folder() / "cluster.yaml").read_text() != "# mine\n"
