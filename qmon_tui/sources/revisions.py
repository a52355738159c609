"""A cluster folder as it was at a revision of git, or at a snapshot somebody named; nothing is checked out."""

import os
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple

from qmon_tui.formats import Layout, detect, is_yaml, kind_of_file
from qmon_tui.model import Finding
from qmon_tui.sources.folder import LARGEST_FILE, FolderSource, decoded, unread_file
from qmon_tui.sources.source import Reading, SourceError, reading_of
from qmon_tui.sources.versions import Version, VersionKind, files_of, versions

_PATIENCE_SECONDS: Final = 30
_DEPTH: Final = 2
"""A cluster is in the files of a folder and of the folders in it."""


class Revision(NamedTuple):
    """A revision of git that has changed a folder."""

    commit: str
    day: str
    """`2026-11-21`."""
    subject: str


@dataclass(frozen=True, slots=True)
class _Entry:
    name: str
    mode: str
    blob: str
    size: int


def revisions(folder: str | os.PathLike[str], most: int = 10) -> Sequence[Revision]:
    """The revisions of git that have changed a folder, the newest first; none where there is no git."""
    try:
        text = _git(folder, "log", f"-n{most}", "--format=%H%x00%cs%x00%s", "--", ".").decode(errors="replace")
    except _GitError:
        return ()
    lines = (line.split("\0", 2) for line in text.splitlines())
    return tuple(Revision(*line) for line in lines if len(line) == len(Revision._fields))


def read_revision(folder: str | os.PathLike[str], name: str) -> Reading:
    """The folder as it was: `1` for the revision before the newest one that changed it, 0 for that one; else by name.

    A name is what git takes for a revision, or else that of a snapshot. Raises SourceError.
    """
    if not os.path.isdir(folder):
        raise SourceError(f"{os.fspath(folder)} does not exist; give the folder of a cluster")
    if name.isdecimal() and name.isascii() and len(name) < 7:  # longer ones are hashes of commits
        return _at_commit(folder, _before(folder, int(name)), name)
    try:
        commit = _git(folder, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}")
    except _GitError as error:
        snapshot = _snapshot(Path(folder), name)
        if snapshot is None:
            raise SourceError(_unknown(folder, name, error)) from None
        return _reading(folder, snapshot.layout, files_of(snapshot), ())
    return _at_commit(folder, commit.decode().strip(), name)


def _before(folder: str | os.PathLike[str], number: int) -> str:
    """The commit that is so many before the newest one, of those that changed the folder. Raises SourceError."""
    try:
        commit = _git(folder, "log", "-n1", f"--skip={number}", "--format=%H", "--", ".").decode().strip()
        if commit:
            return commit
        count = len(_git(folder, "log", "--format=%h", "--", ".").split())
    except _GitError as error:
        raise SourceError(f"{os.fspath(folder)}@{{{number}}}: {error.told}") from None
    if not count:
        raise SourceError(f"{os.fspath(folder)}@{{{number}}}: git has no revision of this folder yet; commit it first")
    oldest = f"the oldest is @{{{count - 1}}}" if count > 1 else "the only one is @{0}"
    raise SourceError(f"{os.fspath(folder)}@{{{number}}}: git has no revision so far back; {oldest}")


def _unknown(folder: str | os.PathLike[str], name: str, error: "_GitError") -> str:
    said = error.told if not error.is_answer else "git knows no such revision"
    snapshots = [version.name for version in versions(Path(folder)) if version.kind is VersionKind.SNAPSHOT]
    known = f", snapshots are {', '.join(snapshots[:8])}" if snapshots else ", and no snapshot has this name"
    recent = revisions(folder, 2)
    before = f"; {os.fspath(folder)}@{{1}} is the revision before" if len(recent) > 1 else ""
    advice = f"{before}; git log lists revisions" if recent else ""
    return f"{os.fspath(folder)}@{{{name}}}: {said}{known}{advice}"


def _snapshot(folder: Path, name: str) -> Version | None:
    kept = (version for version in versions(folder) if version.kind is VersionKind.SNAPSHOT)
    return next((version for version in kept if version.name == name), None)


def _at_commit(folder: str | os.PathLike[str], commit: str, name: str) -> Reading:
    try:
        entries = _entries(folder, commit)
        texts, findings = _texts(folder, entries)
    except _GitError as error:
        why = "the folder was not there then" if error.is_answer else error.told
        raise SourceError(f"{os.fspath(folder)}@{{{name}}}: {why}") from None
    layout = detect([entry.name for entry in entries])
    if layout is None:
        raise SourceError(f"{os.fspath(folder)}@{{{name}}}: the folder held no cluster then")
    return _reading(folder, layout, texts, findings)


def _reading(
    folder: str | os.PathLike[str], layout: Layout, texts: Mapping[str, str], findings: tuple[Finding, ...]
) -> Reading:
    called = os.path.basename(os.path.realpath(folder)) or "cluster"
    return reading_of(FolderSource(os.fspath(folder)), layout, called, texts, findings, None)


def _entries(folder: str | os.PathLike[str], commit: str) -> Sequence[_Entry]:
    """The files of a cluster in the folder, as they were."""
    listed = _git(folder, "ls-tree", "-r", "-z", "--long", "--full-tree", f"{commit}:./")
    entries = []
    for line in filter(None, listed.split(b"\0")):
        head, _, path = line.partition(b"\t")
        mode, _, blob, size = head.decode().split()
        name = os.fsdecode(path)
        parts = name.split("/")
        is_known = is_yaml(name) or kind_of_file(name) is not None
        if len(parts) <= _DEPTH and not any(part.startswith(".") for part in parts) and is_known:
            entries.append(_Entry(name, mode, blob, int(size) if size.isdecimal() else 0))
    return sorted(entries, key=lambda entry: entry.name)


def _texts(folder: str | os.PathLike[str], entries: Sequence[_Entry]) -> tuple[Mapping[str, str], tuple[Finding, ...]]:
    """The texts of files; one that is no text gives a finding instead, as in a folder."""
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
    packed = _git(folder, "cat-file", "--batch", given="".join(f"{entry.blob}\n" for entry in wanted).encode())
    at = 0
    for entry in wanted:
        start = packed.index(b"\n", at) + 1
        text, fault = decoded(packed[start : start + entry.size])
        at = start + entry.size + 1
        if text is not None:
            texts[entry.name] = text
        if fault:
            findings.append(unread_file(entry.name, *fault))
    return texts, tuple(findings)


class _GitError(Exception):
    """Git says no, or cannot be run."""

    def __init__(self, told: str, *, is_answer: bool) -> None:
        super().__init__(told)
        self.told = told
        self.is_answer = is_answer
        """It was asked something, and does not know it."""


def _git(folder: str | os.PathLike[str], *arguments: str, given: bytes = b"") -> bytes:
    """What git says in a folder. It runs nothing that the repository asks for. Raises _GitError."""
    line = ["git", "--no-pager", "-c", "core.fsmonitor=false", *arguments]
    environment = {**os.environ, "LC_ALL": "C", "GIT_OPTIONAL_LOCKS": "0", "GIT_NO_LAZY_FETCH": "1"}
    try:
        done = subprocess.run(
            line, cwd=folder, env=environment, input=given, capture_output=True, timeout=_PATIENCE_SECONDS, check=False
        )
    except FileNotFoundError:
        raise _GitError("earlier revisions need git, which is not installed", is_answer=False) from None
    except (OSError, subprocess.TimeoutExpired) as error:
        raise _GitError(f"git does not answer: {error}", is_answer=False) from None
    if done.returncode == 0:
        return done.stdout
    said = done.stderr.decode(errors="replace").strip().splitlines()
    first = said[0].removeprefix("fatal: ") if said else ""
    if "not a git repository" in first:
        raise _GitError("the folder is not under version control by git", is_answer=False)
    if "dubious ownership" in first:
        raise _GitError("git refuses a folder of somebody else; see safe.directory in git-config(1)", is_answer=False)
    if "does not have any commits" in first:
        raise _GitError("git has no revision of this folder yet; commit it first", is_answer=False)
    raise _GitError(first or "git does not know it", is_answer=True)
