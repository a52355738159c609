"""A folder as it was in git."""

import subprocess
from pathlib import Path

import pytest

from qmon_tui.formats import Layout
from qmon_tui.model import Kind
from qmon_tui.sources import SourceError, git_repository
from qmon_tui.sources.revisions import read_revision
from qmon_tui.sources.versions import VersionKind, keep_version


def git(folder: Path, *arguments: str) -> None:
    person = ("-c", "user.name=Anna", "-c", "user.email=anna@site.org", "-c", "init.defaultBranch=main")
    subprocess.run(["git", *person, *arguments], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder in a repository, at its third revision; the second one is called v2."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    folder = tmp_path / "repository" / "site"
    folder.mkdir(parents=True)
    git(folder.parent, "init", "-q")
    for number in (1, 2, 3):
        (folder / "c.yaml").write_text(f"queues: {{all.q: {{slots: {number}}}}}\n")
        (folder.parent / "other").write_text(f"{number}")
        git(folder.parent, "add", "-A")
        git(folder.parent, "commit", "-qm", f"slots {number}")
        if number == 2:
            git(folder.parent, "tag", "v2")
    (folder.parent / "other").write_text("not of the cluster")
    git(folder.parent, "commit", "-qam", "elsewhere")
    return folder


def slots(site: Path, name: str) -> str:
    return read_revision(site, name).files["c.yaml"].partition("slots: ")[2][0]


@pytest.mark.parametrize(
    ("name", "expected"), [("0", "3"), ("1", "2"), ("2", "1"), ("v2", "2"), ("v2~1", "1"), ("HEAD", "3")]
)
def test_a_revision_by_number_or_name(site: Path, name: str, expected: str) -> None:
    """Numbers count the revisions that changed the folder; what is on disk does not matter."""
    (site / "c.yaml").write_text("queues: {all.q: {slots: 9}}\n")
    assert slots(site, name) == expected


def test_the_cluster_is_read(site: Path) -> None:
    reading = read_revision(site, "1")
    assert reading.cluster.name == "site"
    assert reading.cluster.objects(Kind.QUEUE)["all.q"].text("slots") == "2"


def test_a_snapshot_by_name(site: Path) -> None:
    keep_version(
        site, VersionKind.SNAPSHOT, Layout.YAML, {"c.yaml": "queues: {all.q: {slots: 7}}\n"}, name="before May"
    )
    assert slots(site, "before May") == "7"


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("3", "git has no revision so far back; the oldest is @{2}"),
        ("v9", "git knows no such revision, and no snapshot has this name"),
        ("--all", "git knows no such revision"),
        ("v2:site/c.yaml", "git knows no such revision"),
    ],
)
def test_none_of_that_name(site: Path, name: str, said: str) -> None:
    with pytest.raises(SourceError, match=r"site@\{") as raised:
        read_revision(site, name)
    assert said in str(raised.value)


def test_no_git(tmp_path: Path, site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = tmp_path / "plain"
    plain.mkdir()
    with pytest.raises(SourceError, match="is not under version control by git"):
        read_revision(plain, "1")
    monkeypatch.setenv("PATH", str(plain))
    with pytest.raises(SourceError, match="need git, which is not installed"):
        read_revision(site, "1")
    with pytest.raises(SourceError, match="nowhere does not exist"):
        read_revision(tmp_path / "nowhere", "1")


def test_what_was_not_there_or_is_no_text(site: Path) -> None:
    (site / "more").mkdir()
    (site / "more" / "a.yaml").write_text("queues: {}\n")
    (site / "odd.yaml").write_bytes(b"\xff\n")
    (site / "linked.yaml").symlink_to("c.yaml")
    git(site, "add", "-A")
    git(site, "commit", "-qm", "odd files")
    reading = read_revision(site, "0")
    assert [(finding.file, finding.message) for finding in reading.findings if finding.rule == "format.encoding"] == [
        ("linked.yaml", "is a link, which is not followed in an earlier revision"),
        ("odd.yaml", "is not UTF-8 text"),
    ]
    with pytest.raises(SourceError, match="the folder was not there then"):
        read_revision(site / "more", "v2")
    with pytest.raises(SourceError, match=r"the only one is @\{0\}"):
        read_revision(site / "more", "1")


def test_git_that_does_not_answer(site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    programs = tmp_path / "programs"
    programs.mkdir()
    (programs / "git").write_text("#!/bin/sh\nexec sleep 60\n")
    (programs / "git").chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}:/usr/bin:/bin")
    monkeypatch.setattr(git_repository, "_PATIENCE_SECONDS", 0.05)
    with pytest.raises(SourceError, match="git does not answer"):
        read_revision(site, "1")
