"""Unsaved edits that outlive the program, whatever ends it."""

import errno
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from qmon_tui.sources.journal import Journal, abandoned_journals, journal_folder


@pytest.fixture
def cluster(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    folder = tmp_path / "cluster"
    folder.mkdir()
    return folder


def texts(cluster: Path) -> list[str]:
    """What has been left, left again."""
    journals = abandoned_journals(cluster)
    for left in journals:
        left.leave()
    return [left.text for left in journals]


KEEPS_ON_WRITING = """
import sys
from pathlib import Path
from qmon_tui.sources.journal import Journal
journal = Journal(Path(sys.argv[1]))
for number in range(10**9):
    journal.write(f"{number} " * 5000 + "end")
    if number == 0:
        print("writing", flush=True)
"""


def killed_while_writing(cluster: Path, after: float) -> None:
    program = subprocess.Popen([sys.executable, "-c", KEEPS_ON_WRITING, str(cluster)], stdout=subprocess.PIPE)
    assert program.stdout is not None
    assert program.stdout.readline() == b"writing\n"
    assert abandoned_journals(cluster) == (), "nobody takes the edits of a program that runs"
    try:
        program.wait(after)
    except subprocess.TimeoutExpired:
        program.send_signal(signal.SIGKILL)
    assert program.wait() == -signal.SIGKILL
    program.stdout.close()


@pytest.mark.parametrize("after", [0.003, 0.02, 0.05])
def test_what_a_killed_program_leaves_is_whole(cluster: Path, after: float) -> None:
    killed_while_writing(cluster, after)
    (text,) = texts(cluster)
    words = text.split()
    assert words[-1] == "end"
    assert len(set(words[:-1])) == 1


def test_what_is_left_is_offered_to_one_program_at_a_time_until_it_is_discarded(cluster: Path) -> None:
    first = Journal(cluster)
    first.write("mine")
    assert abandoned_journals(cluster) == ()
    first.close()
    (left,) = abandoned_journals(cluster)
    assert left.text == "mine"
    assert abandoned_journals(cluster) == (), "another program is deciding about it"
    left.leave()
    (again,) = abandoned_journals(cluster)
    again.discard()
    assert abandoned_journals(cluster) == ()
    assert list(journal_folder(cluster).iterdir()) == []


def test_two_programs_on_one_folder_keep_to_their_own_files(cluster: Path) -> None:
    journal, other = Journal(cluster), Journal(cluster)
    journal.write("one")
    other.write("other")
    other.write("")
    assert journal.path.read_text() == "one"
    other.write("other again")
    journal.close()
    assert texts(cluster) == ["one"]
    other.close()
    assert sorted(texts(cluster)) == ["one", "other again"]


def test_what_was_never_finished_goes_after_a_while(cluster: Path) -> None:
    folder = journal_folder(cluster)
    folder.mkdir(parents=True)
    for name, age in ((".qmon-tui-old", 7200), (".qmon-tui-new", 1)):
        (folder / name).write_text("{")
        os.utime(folder / name, (time.time() - age,) * 2)
    assert abandoned_journals(cluster) == ()
    assert [path.name for path in folder.iterdir()] == [".qmon-tui-new"]


def test_without_edits_there_is_no_file(cluster: Path) -> None:
    journal = Journal(cluster)
    journal.write("")
    journal.close()
    assert not journal_folder(cluster).exists()
    assert abandoned_journals(cluster) == ()


def test_folders_of_the_same_name_are_told_apart(cluster: Path, tmp_path: Path) -> None:
    other = tmp_path / "elsewhere" / "cluster"
    other.mkdir(parents=True)
    assert journal_folder(other) != journal_folder(cluster)
    link = tmp_path / "link"
    link.symlink_to(cluster)
    assert journal_folder(link) == journal_folder(cluster)


def test_what_cannot_be_written_is_an_error_of_the_system(cluster: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (cluster / "file").write_text("")
    monkeypatch.setenv("XDG_STATE_HOME", os.fspath(cluster / "file"))
    with pytest.raises(OSError, match="file"):
        Journal(cluster).write("edits")


def test_nobody_else_reads_what_is_kept_and_a_pipe_is_passed_over(cluster: Path) -> None:
    journal = Journal(cluster)
    journal.write("mine")
    assert {path.stat().st_mode & 0o777 for path in journal_folder(cluster).iterdir()} == {0o600}
    journal.close()
    os.mkfifo(journal_folder(cluster) / "pipe.json")
    assert texts(cluster) == ["mine"]


def test_a_read_only_file_system_ends_no_program(cluster: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second, unused = Journal(cluster), Journal(cluster), Journal(cluster)
    first.write("mine")
    first.close()
    (left,) = abandoned_journals(cluster)
    second.write("other")

    def refuse(*_: object, **__: object) -> None:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    with monkeypatch.context() as read_only:
        read_only.setattr(Path, "unlink", refuse)
        unused.write("")
        unused.discard()
        left.discard()
        with pytest.raises(OSError, match="Read-only"):
            second.write("")
        second.discard()
    assert sorted(texts(cluster)) == ["mine", "other"]


def test_a_clock_that_goes_back_costs_no_edits(cluster: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("time.strftime", lambda form: "20260101-000000")
    first = Journal(cluster)
    first.write("first")
    first.close()
    second = Journal(cluster)
    second.discard()
    assert texts(cluster) == ["first"]
    second = Journal(cluster)
    second.write("second")
    second.close()
    assert sorted(texts(cluster)) == ["first", "second"]


def test_a_time_that_no_calendar_has_is_the_latest(cluster: Path) -> None:
    journal = Journal(cluster)
    journal.write("mine")
    journal.close()
    os.utime(journal.path, (2.0**33, 2.0**33))
    (left,) = abandoned_journals(cluster)
    assert left.written == 2**32 - 1
    left.leave()


def test_edits_in_a_state_folder_that_cannot_be_written_are_offered(
    cluster: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ended, runs = Journal(cluster), Journal(cluster)
    ended.write("ended")
    runs.write("runs")
    killed = journal_folder(cluster) / "killed.json"
    killed.write_text("killed")
    killed.with_suffix(".lock").touch()
    ended.close()
    really_open = os.open

    def refuse(*_: object, **__: object) -> None:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    def open_read_only(path: str, flags: int, mode: int = 0o777) -> int:
        if flags & os.O_CREAT:
            raise OSError(errno.EROFS, os.strerror(errno.EROFS))
        return really_open(path, flags, mode)

    with monkeypatch.context() as read_only:
        read_only.setattr("qmon_tui.sources.journal.remove_unfinished", refuse)
        read_only.setattr(os, "open", open_read_only)
        read_only.setattr(Path, "unlink", refuse)
        assert sorted(texts(cluster)) == ["ended", "killed"]
