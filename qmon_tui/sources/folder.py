"""A cluster folder: read, plan what saving would write, save."""

import os
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from qmon_tui.formats import Layout, detect, is_yaml, kind_of_file, problem
from qmon_tui.model import Cluster, Finding, State
from qmon_tui.sources.source import ConflictError, Reading, SavePlan, SourceError, planned_files, reading_of

if TYPE_CHECKING:
    import asyncio

LARGEST_FILE: Final = 64 * 1024 * 1024
"""Bytes; a larger file is no configuration of a cluster."""
LONGEST_LINE: Final = 4 * 1024 * 1024
"""Bytes; the longest list of a cluster of 100,000 hosts is shorter."""


@dataclass(frozen=True, slots=True)
class FolderSource:
    """A cluster folder of either layout, which `Source` describes."""

    location: str

    def exists(self) -> bool:
        """Tell whether there is such a folder."""
        return os.path.isdir(self.location)

    def read(self, previous: Reading | None = None) -> Reading:
        """Read the folder; of files that are as in a previous reading only the text is read.

        Raises SourceError where there is no folder or nothing of a cluster.
        """
        names, out_of_reach = _files(self.location)
        layout = detect(names)
        if layout is None:
            if names:
                raise SourceError(
                    f"{self.location} holds no cluster: neither *.yaml files nor files as save_sge_config.sh writes"
                    " them"
                )
            layout = Layout.YAML
        texts, findings = _texts(self.location, [name for name in names if is_yaml(name) or kind_of_file(name)])
        return self._reading(layout, texts, (*out_of_reach, *findings), previous)

    def plan(self, reading: Reading, cluster: Cluster, state: State | None = None) -> SavePlan:
        """The files that must change so that the folder describes `cluster` and `state`.

        Raises SourceError where an edit cannot be written without touching something else.
        """
        return planned_files(reading, cluster, state)

    def write(self, reading: Reading, plan: SavePlan) -> Reading:
        """Write the planned files one by one, each atomically, and return the folder as it is then.

        Raises ConflictError before anything is written if a file is no longer as it was read, SourceError if one
        cannot be written, or the folder is gone.
        """
        from qmon_tui.sources.atomic_write import replace_file  # late: most runs only read

        if not self.exists():
            # New files would make the folder anew, without all that was in it.
            raise SourceError(f"{self.location} is gone: nothing can be saved until it is back")
        conflicts = tuple(change.file for change in plan.files if _on_disk(self.location, change.file) != change.before)
        if conflicts:
            raise ConflictError(conflicts)
        texts = dict(reading.files)
        for change in plan.files:
            target = reading.path / change.file
            try:
                if change.after is None:
                    target.unlink(missing_ok=True)
                    texts.pop(change.file, None)
                else:
                    replace_file(target, change.after)
                    texts[change.file] = change.after
            except OSError as error:
                raise SourceError(f"cannot write {target}: {error.strerror}") from error
        kept = tuple(finding for finding in reading.findings if finding.file not in reading.files)
        return self._reading(reading.layout, texts, kept, reading)

    def changes(self, stop: "asyncio.Event") -> AsyncIterator[frozenset[str]]:
        """The names of what has changed in the folder, burst by burst, until `stop` is set."""
        from pathlib import Path  # late: the command line follows nothing

        from qmon_tui.sources.watch import watch  # late: the command line follows nothing

        return watch(Path(self.location), stop)

    def _reading(
        self, layout: Layout, texts: Mapping[str, str], findings: tuple[Finding, ...], previous: Reading | None
    ) -> Reading:
        name = os.path.basename(os.path.realpath(self.location)) or "cluster"
        return reading_of(self, layout, name, texts, findings, previous)


def read_folder(path: str | os.PathLike[str], previous: Reading | None = None) -> Reading:
    """Read a cluster folder; see `FolderSource.read`."""
    return FolderSource(os.fspath(path) or ".").read(previous)


def _files(folder: str) -> tuple[list[str], tuple[Finding, ...]]:
    """Relative names of the files at the top and one folder below, in order, and what of a cluster is out of reach."""
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except NotADirectoryError:
        raise SourceError(f"{folder} is a file; give the folder of a cluster") from None
    except FileNotFoundError:
        raise SourceError(f"{folder} does not exist; give the folder of a cluster") from None
    except OSError as error:
        raise SourceError(f"cannot read {folder}: {error.strerror}") from None
    names: list[str] = []
    findings: list[Finding] = []
    for entry in entries:
        if entry.name.startswith("."):
            continue
        try:
            names += _names(entry)
        except OSError as error:
            if is_yaml(entry.name) or kind_of_file(entry.name) or kind_of_file(f"{entry.name}/name"):
                findings.append(_unread(entry.name, f"cannot be read: {error.strerror}"))
    return names, tuple(findings)


def _names(entry: os.DirEntry[str]) -> list[str]:
    """The file, or the files in the folder. Raises OSError."""
    if not entry.is_dir():
        return [entry.name] if entry.is_file() else []
    with os.scandir(entry.path) as below:
        return [f"{entry.name}/{name}" for name in sorted(each.name for each in below if _may_be_file(each))]


def _may_be_file(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_file() and not entry.name.startswith(".")
    except OSError:
        # Opening it will say what is wrong.
        return True


def _unread(name: str, message: str, line: int = 1) -> Finding:
    return problem("format.encoding", message, file=name, line=line, kind=kind_of_file(name) or "")


def _texts(folder: str, names: list[str]) -> tuple[dict[str, str], tuple[Finding, ...]]:
    """The texts of files; one that cannot be read or is no text gives a finding instead."""
    texts: dict[str, str] = {}
    findings: list[Finding] = []
    for name in names:
        try:
            text, fault = _decoded(_bytes(os.path.join(folder, name)))
        except FileNotFoundError:
            continue
        except OSError as error:
            text, fault = None, (f"cannot be read: {error.strerror}", 1)
        if text is not None:
            texts[name] = text
        if fault:
            findings.append(_unread(name, *fault))
    return texts, tuple(findings)


def _bytes(path: str) -> bytes:
    """What is in a file; of one that is too large, one byte more than is allowed."""
    # A cluster has a file for each host: Python's own file objects take half the time of reading them.
    file = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        wanted = min(os.fstat(file).st_size, LARGEST_FILE + 1)
        content = b""
        while len(content) < wanted and (piece := os.read(file, wanted - len(content))):
            content += piece
        return content
    finally:
        os.close(file)


def _decoded(data: bytes) -> tuple[str | None, tuple[str, int] | None]:
    """The text, or a message and a line."""
    if len(data) > LARGEST_FILE:
        return None, (f"is larger than {LARGEST_FILE // 1024 // 1024} MiB, too large for a configuration", 1)
    if len(data) > LONGEST_LINE and (line := _too_long(data)):
        return None, (f"has a line of more than {LONGEST_LINE // 1024 // 1024} MiB", line)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        return None, ("is not UTF-8 text", data.count(b"\n", 0, error.start) + 1)
    if "\0" in text:
        return None, ("has a NUL byte, so it is no text", text.count("\n", 0, text.index("\0")) + 1)
    return text, None


def _too_long(data: bytes) -> int | None:
    """The number of the first line that is too long."""
    return next((number for number, line in enumerate(data.split(b"\n"), 1) if len(line) > LONGEST_LINE), None)


def _on_disk(folder: str, name: str) -> str | None:
    """The text of a file as it is now; None where there is none, and an impossible text where it is unreadable."""
    try:
        return _bytes(os.path.join(folder, name)).decode("utf-8", "surrogateescape")
    except FileNotFoundError:
        return None
    except OSError as error:
        raise SourceError(f"cannot read {os.path.join(folder, name)}: {error.strerror}") from None
