"""Versions of a cluster folder that are kept."""

import errno
import json
import os
from pathlib import Path

import pytest

from qmon_tui.formats.layout import Layout
from qmon_tui.sources import SourceError, versions as store
from qmon_tui.sources.versions import (
    Version,
    VersionKind,
    files_of,
    forget_version,
    keep_version,
    version_folder,
    versions,
)


@pytest.fixture
def cluster(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    return tmp_path / "cluster"


def kept(cluster: Path, text: str, now: float, kind: VersionKind = VersionKind.SAVED, name: str = "") -> Version | None:
    return keep_version(cluster, kind, Layout.YAML, {"a.yaml": text}, name=name, changed=("queue a.q",), now=now)


def test_versions_come_back_whole_and_the_newest_first(cluster: Path) -> None:
    kept(cluster, "one: 1\n", 100.0)
    kept(cluster, "zwei: 2 ü\n", 200.5, VersionKind.SNAPSHOT, "before the summer [1]")
    newest, oldest = versions(cluster)
    assert (newest.kind, newest.name, newest.time, newest.layout) == (
        VersionKind.SNAPSHOT, "before the summer [1]", 200.5, Layout.YAML,
    )  # fmt: skip
    assert files_of(newest) == {"a.yaml": "zwei: 2 ü\n"}
    assert (oldest.kind, oldest.changed) == (VersionKind.SAVED, ("queue a.q",))
    assert files_of(oldest) == {"a.yaml": "one: 1\n"}


def test_the_same_files_are_kept_once_but_a_snapshot_has_its_name(cluster: Path) -> None:
    assert kept(cluster, "one", 100.0) is not None
    assert kept(cluster, "one", 200.0) is None
    assert kept(cluster, "one", 300.0, VersionKind.SNAPSHOT, "name") is not None
    assert kept(cluster, "one", 400.0) is None
    assert len(versions(cluster)) == 2


def test_old_saves_go_when_there_are_too_many_or_they_are_too_large(
    cluster: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "MOST_SAVES", 3)
    kept(cluster, "snapshot", 1.0, VersionKind.SNAPSHOT, "kept")
    for number in range(6):
        kept(cluster, str(number), 10.0 + number)
    assert [version.time for version in versions(cluster)] == [15.0, 14.0, 13.0, 1.0]
    monkeypatch.setattr(store, "MOST_BYTES", 1)
    kept(cluster, "last", 20.0)
    assert [version.time for version in versions(cluster)] == [20.0, 1.0]


def test_a_clock_that_is_set_back_changes_no_order_and_costs_no_version(
    cluster: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "MOST_SAVES", 3)
    for number, now in enumerate((900.0, 901.0, 902.0, 100.0, 100.0)):
        kept(cluster, str(number), now)
    assert [(version.time, files_of(version)["a.yaml"]) for version in versions(cluster)] == [
        (100.0, "4"),
        (100.0, "3"),
        (902.0, "2"),
    ]


def test_an_old_version_that_cannot_be_removed_keeps_no_new_one_away(
    cluster: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "MOST_SAVES", 1)
    kept(cluster, "first", 1.0)

    def refuse(_: Path) -> None:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    monkeypatch.setattr(Path, "unlink", refuse)
    assert kept(cluster, "second", 2.0) is not None
    assert len(versions(cluster)) == 2


def test_what_is_no_version_is_left_out_and_a_broken_one_says_so(cluster: Path) -> None:
    version = kept(cluster, "one", 100.0)
    assert version is not None
    (version_folder(cluster) / "x.version").write_text("no\n")
    (version_folder(cluster) / "notes.txt").write_text("mine")
    assert versions(cluster) == (version,)
    version.path.write_bytes(version.path.read_bytes()[:-4])
    with pytest.raises(SourceError, match="cannot be read"):
        files_of(version)
    forget_version(version)
    assert versions(cluster) == ()


def test_a_folder_without_versions_has_none(cluster: Path) -> None:
    assert versions(cluster) == ()


@pytest.mark.parametrize("head", ["[" * 100_000, '{"time": 1e300}', '{"time": NaN}'])
def test_what_is_no_version_is_none_and_nobody_else_reads_one(cluster: Path, head: str) -> None:
    version = kept(cluster, "one", 100.0)
    assert version is not None
    assert version.path.stat().st_mode & 0o777 == 0o600
    line, _, packed = version.path.read_bytes().partition(b"\n")
    if head.startswith("{"):
        head = json.dumps({**json.loads(line), **json.loads(head)})
    version.path.write_bytes(head.encode() + b"\n" + packed)
    os.mkfifo(version.path.with_name("pipe.version"))
    assert versions(cluster) == ()
