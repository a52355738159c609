"""A dump in which no file tells a time is opened as of its newest file."""

import os
from pathlib import Path

import pytest

from qmon_tui.formats.state import DEFAULT_START
from qmon_tui.sources.folder import FolderSource
from qmon_tui.values import parse_time

QUEUE = "queues:\n  all.q: {hostlist: n1, slots: 4}\n"
JOBS = "jobs:\n- {id: 1, owner: anna, qsub: sleep 9}\n- {id: 2, owner: anna, qsub: sleep 9, submitted: +30s}\n"
WRITTEN = parse_time("2026-10-07T03:15:00")


def folder(path: Path, **files: str) -> Path:
    for name, text in files.items():
        file = path / f"{name}.yaml"
        file.write_text(text)
        os.utime(file, (WRITTEN - 60, WRITTEN - 60))
    os.utime(path / f"{next(iter(files))}.yaml", (WRITTEN, WRITTEN))
    return path


def test_a_dump_without_times_is_as_of_its_newest_file(tmp_path: Path) -> None:
    source = FolderSource(str(folder(tmp_path, cluster=QUEUE, jobs=JOBS)))
    assert source.read().state.now == parse_time(DEFAULT_START) + 30
    state = source.dated(source.read()).state
    assert state.now == WRITTEN
    assert [job.submitted for job in state.jobs] == [WRITTEN - 30, WRITTEN]


def test_without_jobs_too_and_it_stays_so_after_a_save(tmp_path: Path) -> None:
    source = FolderSource(str(folder(tmp_path, cluster=QUEUE)))
    reading = source.dated(source.read())
    assert reading.state.now == reading.state.beginning == WRITTEN
    os.utime(tmp_path / "cluster.yaml", (WRITTEN + 9000, WRITTEN + 9000))
    assert reading.source.read(reading).state.now == WRITTEN


@pytest.mark.parametrize(
    "told", ["now: 2026-03-01T00:00:00\n", "jobs:\n- {id: 1, owner: a, qsub: x, submitted: 2026-03-01T00:00:00}\n"]
)
def test_what_the_folder_tells_is_taken(tmp_path: Path, told: str) -> None:
    source = FolderSource(str(folder(tmp_path, cluster=QUEUE, told=told)))
    reading = source.read()
    assert source.dated(reading) is reading
