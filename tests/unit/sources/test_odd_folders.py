"""Folders with things in them that are no readable files: the rest opens, and what is out of reach is said."""

import errno
import os
import shutil
from pathlib import Path

import pytest

from qmon_tui.model.cluster import config_object
from qmon_tui.model.kinds import Kind
from qmon_tui.sources import Reading, SourceError
from qmon_tui.sources.atomic_write import replace_file
from qmon_tui.sources.conversion import convert
from qmon_tui.sources.folder import read_folder
from qmon_tui.sources.folder_files import LARGEST_FILE, LONGEST_LINE

TEACHING = Path(__file__).parents[3] / "configs" / "teaching"


@pytest.fixture
def yaml(tmp_path: Path) -> Path:
    shutil.copytree(TEACHING, tmp_path / "yaml")
    return tmp_path / "yaml"


@pytest.fixture
def qconf(tmp_path: Path) -> Path:
    convert(read_folder(TEACHING), tmp_path / "qconf", "qconf")
    return tmp_path / "qconf"


def said(reading: Reading) -> list[tuple[str | None, str]]:
    return [(finding.file, finding.message) for finding in reading.findings]


def test_a_link_in_a_circle_is_a_finding_and_the_rest_opens(yaml: Path) -> None:
    (yaml / "loop.yaml").symlink_to("loop.yaml")
    (yaml / "other").symlink_to("other")
    reading = read_folder(yaml)
    assert said(reading) == [("loop.yaml", f"cannot be read: {os.strerror(errno.ELOOP)}")]
    assert reading.cluster.objects(Kind.QUEUE)
    assert len(reading.state.jobs) == 8


def test_a_folder_that_cannot_be_listed_never_looks_like_no_queues(qconf: Path) -> None:
    shutil.rmtree(qconf / "cqueues")
    (qconf / "cqueues").symlink_to("cqueues")
    reading = read_folder(qconf)
    assert [file for file, _ in said(reading)] == ["cqueues"]


def test_a_file_that_cannot_be_opened_in_a_folder_leaves_its_neighbours(qconf: Path) -> None:
    (qconf / "cqueues" / "loop.q").symlink_to("loop.q")
    reading = read_folder(qconf)
    assert [file for file, _ in said(reading)] == ["cqueues/loop.q"]
    assert list(reading.cluster.objects(Kind.QUEUE)) == ["all.q"]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_permissions_that_are_missing_are_findings(qconf: Path) -> None:
    (qconf / "schedconf").chmod(0)
    (qconf / "cqueues").chmod(0)
    try:
        files = [file for file, _ in said(read_folder(qconf))]
    finally:
        (qconf / "cqueues").chmod(0o700)
    assert files == ["cqueues", "schedconf"]


def test_a_pipe_or_a_device_is_said_and_not_waited_for(yaml: Path) -> None:
    os.mkfifo(yaml / "pipe.yaml")
    (yaml / "zero.yaml").symlink_to("/dev/zero")
    os.mkfifo(yaml / "pipe.txt")
    assert said(read_folder(yaml)) == [
        ("pipe.yaml", "cannot be read: it is a named pipe, not a file"),
        ("zero.yaml", "cannot be read: it is a device, not a file"),
    ]


def test_a_pipe_among_the_objects_leaves_its_neighbours(qconf: Path) -> None:
    os.mkfifo(qconf / "cqueues" / "pipe.q")
    reading = read_folder(qconf)
    assert said(reading) == [("cqueues/pipe.q", "cannot be read: it is a named pipe, not a file")]
    assert list(reading.cluster.objects(Kind.QUEUE)) == ["all.q"]


def test_a_pipe_where_a_new_file_is_to_be_is_not_waited_for(qconf: Path) -> None:
    reading = read_folder(qconf)
    plan = reading.source.plan(reading, reading.cluster.with_object(config_object(Kind.USER, "anna", {"name": "anna"})))
    (qconf / "users").mkdir(exist_ok=True)
    os.mkfifo(qconf / "users" / "anna")
    with pytest.raises(SourceError, match="cannot read users/anna: it is a named pipe, not a file"):
        reading.source.write(reading, plan)


def test_a_pipe_or_a_device_is_never_replaced_by_a_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "null").symlink_to("/dev/null")
    for name, what in (("pipe", "a named pipe"), ("null", "a device")):
        with pytest.raises(OSError, match=f"it is {what}, not a file"):
            replace_file(tmp_path / name, "text")
    assert (tmp_path / "pipe").is_fifo()
    assert Path("/dev/null").is_char_device()


def test_what_is_no_file_is_passed_over(yaml: Path) -> None:
    (yaml / "nowhere.yaml").symlink_to("/nowhere/at/all")
    (yaml / "folder.yaml").mkdir()
    (yaml / "self").symlink_to(".")
    assert said(read_folder(yaml)) == []


def test_a_file_too_large_for_a_configuration_is_a_finding(yaml: Path) -> None:
    with (yaml / "big.yaml").open("wb") as file:
        file.truncate(LARGEST_FILE + 2)
    ((file_name, message),) = said(read_folder(yaml))
    assert file_name == "big.yaml"
    assert "too large" in message


def test_a_line_too_long_for_a_list_is_a_finding_and_the_rest_opens(yaml: Path) -> None:
    text = "users: {extra: {}}\nqueues: {b.q: {hostlist: " + "n " * LONGEST_LINE + "}}\n"
    (yaml / "long.yaml").write_text(text)
    ((file_name, message),) = said(read_folder(yaml))
    assert (file_name, message) == ("long.yaml", "has a line of more than 4 MiB")


def test_names_that_are_no_text_are_read_too(yaml: Path) -> None:
    Path(os.fsdecode(os.fsencode(yaml) + b"/b\xff.yaml")).write_text("users: {extra: {}}\n")
    reading = read_folder(yaml)
    assert said(reading) == []
    assert "extra" in reading.cluster.objects(Kind.USER)


@pytest.mark.parametrize(
    ("name", "words"), [("nothing", "does not exist"), ("yaml/jobs.yaml", "is a file"), ("circle", "cannot read")]
)
def test_where_there_is_no_folder_one_sentence_says_so(yaml: Path, name: str, words: str) -> None:
    (yaml.parent / "circle").symlink_to("circle")
    with pytest.raises(SourceError, match=words):
        read_folder(yaml.parent / name)


@pytest.mark.parametrize("left", [".all.q.swp", ".#all.q", "#all.q#", "all.q~"])
def test_what_editors_leave_beside_a_file_is_no_second_object(qconf: Path, left: str) -> None:
    old = (qconf / "cqueues" / "all.q").read_text()
    (qconf / "cqueues" / left).write_text(old.replace("slots                 2", "slots                 9"))
    (qconf / f"#{left}.yaml").write_text("users: {extra: {}}\n")
    reading = read_folder(qconf)
    assert said(reading) == []
    assert reading.cluster.objects(Kind.QUEUE)["all.q"].text("slots") == "2"
    assert "extra" not in reading.cluster.objects(Kind.USER)
