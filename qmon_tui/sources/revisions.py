"""Reading a cluster folder as of a commit of git or a named snapshot, without a checkout."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from qmon_tui.formats import Layout, detect, is_yaml, kind_of_file
from qmon_tui.model import Finding
from qmon_tui.sources.folder import FolderSource
from qmon_tui.sources.folder_files import LARGEST_FILE, decoded, unread_file
from qmon_tui.sources.git_repository import LOST, GitError, Repository, repository_of
from qmon_tui.sources.source import Reading, SourceError, reading_of
from qmon_tui.sources.versions import VersionKind, files_of, versions

_DEPTH: Final = 2
"""Largest number of parts in a file's path: a cluster is in files of the folder and of folders in it."""


class _Entry(NamedTuple):
    name: str
    mode: str
    blob: str
    size: int


def read_revision(folder: str | os.PathLike[str], name: str) -> Reading:
    """Return the folder as of a revision: 0 for the newest commit that changed it, 1 for the one before, and so on;

    else a name that git knows as a revision, or the name of a snapshot. Raises SourceError.
    """
    if not os.path.isdir(folder):
        raise SourceError(f"{os.fspath(folder)} does not exist; give the folder of a cluster")
    what = f"{os.fspath(folder)}@{{{name}}}"
    is_number = name.isdecimal() and name.isascii() and len(name) < 7  # longer ones are hashes of commits
    advice = ""
    try:
        with repository_of(folder) as repository:
            commit = _before(repository, int(name)) if is_number else repository.commit(name)
            if commit is not None:
                return _at_commit(folder, repository, commit, what)
            unknown = "git knows no such revision"
            recent = _changing(repository, 2)
            before = f"; {os.fspath(folder)}@{{1}} is the revision before" if len(recent) > 1 else ""
            advice = f"{before}; git log lists revisions" if recent else ""
    except GitError as error:
        if is_number:
            raise SourceError(f"{what}: {error}") from None
        unknown = str(error)
    snapshots = [version for version in versions(Path(folder)) if version.kind is VersionKind.SNAPSHOT]
    snapshot = next((version for version in snapshots if version.name == name), None)
    if snapshot is not None:
        return _reading(folder, snapshot.layout, files_of(snapshot), ())
    names = ", ".join(version.name for version in snapshots[:8])
    known = f", snapshots are {names}" if names else ", and no snapshot has this name"
    raise SourceError(f"{what}: {unknown}{known}{advice}")


def _before(repository: Repository, number: int) -> str:
    """Return the hash of commit `number` of those that changed the folder, 0 for the newest. Raises GitError."""
    if repository.commit("HEAD") is None:
        raise GitError("git has no revision of this folder yet; commit it first")
    commit = _changing(repository, 1, skip=number)
    if commit:
        return commit[0]
    count = len(_changing(repository, number))
    if not count:
        raise GitError("git has no revision of this folder yet; commit it first")
    oldest = f"the oldest is @{{{count - 1}}}" if count > 1 else "the only one is @{0}"
    raise GitError(f"git has no revision so far back; {oldest}")


def _changing(repository: Repository, most: int, *, skip: int = 0) -> Sequence[str]:
    """Return the hashes of at most `most` commits that changed the folder, the newest first. Raises GitError."""
    if repository.commit("HEAD") is None:
        return ()
    listed = repository.read("rev-list", f"-n{most}", f"--skip={skip}", "HEAD", "--", repository.prefix)
    return listed.decode().split()


def _at_commit(folder: str | os.PathLike[str], repository: Repository, commit: str, what: str) -> Reading:
    try:
        entries = _entries(repository, commit)
        texts, findings = _texts(repository, entries)
    except GitError as error:
        raise SourceError(f"{what}: {error}") from None
    if not entries:
        raise SourceError(f"{what}: the folder was not there then, or held no cluster")
    layout = detect([entry.name for entry in entries])
    if layout is None:
        raise SourceError(f"{what}: the folder held no cluster then")
    return _reading(folder, layout, texts, findings)


def _reading(
    folder: str | os.PathLike[str], layout: Layout, texts: Mapping[str, str], findings: tuple[Finding, ...]
) -> Reading:
    called = os.path.basename(os.path.realpath(folder)) or "cluster"
    return reading_of(FolderSource(os.fspath(folder)), layout, called, texts, findings, None)


def _entries(repository: Repository, commit: str) -> Sequence[_Entry]:
    """Return the files of a cluster in the folder at a commit, sorted by name. Raises GitError."""
    above = "" if repository.prefix == "." else f"{repository.prefix}/"
    listed = repository.read("ls-tree", "-r", "-z", "--long", commit, *([above] if above else []))
    entries = []
    for line in filter(None, listed.split(b"\0")):
        head, _, path = line.partition(b"\t")
        mode, _, blob, size = head.decode().split()
        name = os.fsdecode(path).removeprefix(above)
        parts = name.split("/")
        is_known = is_yaml(name) or kind_of_file(name) is not None
        if len(parts) <= _DEPTH and not any(part.startswith(".") for part in parts) and is_known:
            if mode.startswith("100") and not size.isdecimal():  # `BAD`
                raise GitError(f"{name} of it is missing in the repository; {LOST}")
            entries.append(_Entry(name, mode, blob, int(size) if size.isdecimal() else 0))
    return sorted(entries)


def _texts(repository: Repository, entries: Sequence[_Entry]) -> tuple[Mapping[str, str], tuple[Finding, ...]]:
    """Return name -> text, and a finding for each link or file that is no text. Raises GitError."""
    texts: dict[str, str] = {}
    findings: list[Finding] = []
    wanted = []
    for entry in entries:
        if not entry.mode.startswith("100"):
            findings.append(unread_file(entry.name, "is a link, which is not followed in an earlier revision"))
        elif entry.size > LARGEST_FILE:
            findings.append(unread_file(entry.name, f"is larger than {LARGEST_FILE // 1024 // 1024} MiB"))
        else:
            wanted.append(entry)
    packed = repository.read("cat-file", "--batch", given="".join(f"{entry.blob}\n" for entry in wanted).encode())
    at = 0
    for entry in wanted:
        head, _, _ = packed[at : at + 200].partition(b"\n")
        if head.split() != [entry.blob.encode(), b"blob", str(entry.size).encode()]:
            raise GitError(f"{entry.name} of it cannot be read in the repository; {LOST}")
        start = at + len(head) + 1
        text, fault = decoded(packed[start : start + entry.size])
        at = start + entry.size + 1
        if text is not None:
            texts[entry.name] = text
        if fault:
            findings.append(unread_file(entry.name, *fault))
    return texts, tuple(findings)
