"""A cluster folder: read, plan what saving would write, save."""

import contextlib
import os
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, NamedTuple

from qmon_tui.formats import Layout, detect, is_passed_over, is_yaml, kind_of_file, problem
from qmon_tui.model import Cluster, Finding, State
from qmon_tui.sources.folder_lock import folder_lock
from qmon_tui.sources.regular_file import read_regular, what_it_is
from qmon_tui.sources.source import Reading, SavePlan, SourceError, planned_files, reading_of
from qmon_tui.sources.temporary_names import DONE, LOG, UNFINISHED

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
        """True if there is such a folder."""
        return os.path.isdir(self.location)

    def read(self, previous: Reading | None = None) -> Reading:
        """Read the folder; of files that are as in a previous reading only the text is read.

        A save that was killed is undone before; where it cannot be, the folder is as it was before it, with a finding.
        Raises SourceError where there is no folder or nothing of a cluster.
        """
        listing = _read_files(self.location)
        undone: tuple[str, ...] = ()
        if listing.left:
            from qmon_tui.sources.saving import mend_folder  # late: hardly any save was killed

            mended = mend_folder(self.location)
            if mended is not None:
                undone, listing = mended, _read_files(self.location)
        if listing.half_saved:
            from qmon_tui.sources.half_saved import as_before  # late: hardly any save was killed

            listing = as_before(self.location, listing)
        layout = detect(listing.names)
        reading = None if layout is None else self._reading(layout, listing.texts, listing.findings, previous)
        if reading is None or not _describes_cluster(reading):
            printed = _printed_texts(self.location, listing.names)
            if not printed.keys() <= listing.texts.keys():
                reading = self._reading(Layout.FILES, {**listing.texts, **printed}, listing.findings, previous)
        if reading is None and listing.names:
            from qmon_tui.formats import HOW_TO_TELL  # late: most folders hold a cluster

            raise SourceError(
                f"{self.location} holds no cluster: neither *.yaml files nor files as save_sge_config.sh writes them"
                f" or qconf prints them; there {HOW_TO_TELL}"
            )
        reading = reading or self._reading(Layout.YAML, {}, listing.findings, previous)
        return replace(reading, undone=undone) if undone else reading

    def plan(self, reading: Reading, cluster: Cluster, state: State | None = None) -> SavePlan:
        """The files that must change so that the folder describes `cluster` and `state`, and what is lost by that.

        Raises SourceError where an edit cannot be written without touching something else.
        """
        from qmon_tui.sources.attributes import cannot_keep  # late: most runs only read

        plan = planned_files(reading, cluster, state)
        replaced = (change.file for change in plan.files if change.before is not None and change.after is not None)
        return plan._replace(
            losses=tuple(
                f"{file}: {loss}" for file in replaced for loss in cannot_keep(os.path.join(self.location, file))
            )
        )

    def write(self, reading: Reading, plan: SavePlan) -> Reading:
        """Write the planned files, all or none, and return the folder as it is then.

        Raises ConflictError if a file is no longer as it was read, SourceError if one cannot be written, or the folder
        is gone; nothing has changed then.
        """
        from qmon_tui.sources.saving import save_files  # late: most runs only read

        if not self.exists():
            # New files would make the folder again, without all that was in it.
            raise SourceError(f"{self.location} is gone: nothing can be saved until it is back")
        save_files(self.location, plan.files)
        texts = dict(reading.files)
        for change in plan.files:
            if change.after is None:
                texts.pop(change.file, None)
            else:
                texts[change.file] = change.after
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


class Listing(NamedTuple):
    """What is in a folder: names relative to it, the texts of files, what is said of others, what a save has left."""

    names: Sequence[str]
    texts: Mapping[str, str]
    findings: tuple[Finding, ...]
    left: bool
    """There is something to be tidied up."""
    half_saved: bool
    """Some files may be those of before a save, and some those of after it."""


_PATIENCE_SECONDS: Final = 2.0
"""How long the reader of a folder waits for somebody who saves it, which takes milliseconds."""
_LEFT: Final = (LOG, DONE, UNFINISHED)


def _read_files(folder: str) -> Listing:
    """All texts of a folder at one moment: nobody saves it meanwhile. Raises SourceError."""
    try:
        with folder_lock(folder, shared=True, patience=_PATIENCE_SECONDS):
            names, out_of_reach, left = _files(folder)
            texts, findings = _texts(folder, [name for name in names if is_yaml(name) or kind_of_file(name)])
    except NotADirectoryError:
        raise SourceError(f"{folder} is a file; give the folder of a cluster") from None
    except FileNotFoundError:
        raise SourceError(f"{folder} does not exist; give the folder of a cluster") from None
    except OSError as error:
        raise SourceError(f"cannot read {folder}: {error.strerror}") from None
    except ValueError:  # a NUL byte, or half of a character
        raise SourceError(f"no folder is called {folder!r}") from None
    return Listing(names, texts, (*out_of_reach, *findings), bool(left), LOG in left)


def _files(folder: str) -> tuple[list[str], tuple[Finding, ...], list[str]]:
    """Relative names of the files at the top and one folder below, in order; what of a cluster is out of reach; and
    what a save has left. Raises OSError.
    """
    names: list[str] = []
    findings: list[Finding] = []
    left: list[str] = []
    for entry in sorted(os.scandir(folder), key=lambda entry: entry.name):
        if entry.name.startswith("."):
            if entry.name in _LEFT:
                left.append(entry.name)
            continue
        try:
            names += _names(entry)
        except OSError as error:
            if is_yaml(entry.name) or kind_of_file(entry.name) or kind_of_file(f"{entry.name}/name"):
                findings.append(unread_file(entry.name, f"cannot be read: {error.strerror}"))
    return names, tuple(findings), left


def _names(entry: os.DirEntry[str]) -> list[str]:
    """The file, or the files in the folder. Raises OSError, also for what is no file but named like one."""
    if not entry.is_dir():
        return [entry.name] if entry.is_file() or _is_odd(entry) else []
    with os.scandir(entry.path) as below:
        return [f"{entry.name}/{name}" for name in sorted(each.name for each in below if _may_be_file(each))]


def _may_be_file(entry: os.DirEntry[str]) -> bool:
    try:
        return (entry.is_file() or (not entry.is_dir() and _is_odd(entry))) and not entry.name.startswith(".")
    except OSError:
        # Opening it will say what is wrong.
        return True


def _is_odd(entry: os.DirEntry[str]) -> bool:
    """A pipe, a socket or a device, which opening will say; not a link to nowhere."""
    try:
        return bool(what_it_is(entry.stat().st_mode))
    except FileNotFoundError:
        return False


def unread_file(name: str, message: str, line: int = 1) -> Finding:
    """What is said of a file that cannot be taken as it is."""
    return problem("format.encoding", message, file=name, line=line, kind=kind_of_file(name) or "")


def _texts(folder: str, names: list[str]) -> tuple[dict[str, str], tuple[Finding, ...]]:
    """The texts of files; one that cannot be read or is no text gives a finding instead."""
    texts: dict[str, str] = {}
    findings: list[Finding] = []
    for name in names:
        try:
            text, fault = decoded(read_regular(os.path.join(folder, name), LARGEST_FILE + 1))
        except FileNotFoundError:
            continue
        except OSError as error:
            text, fault = None, (f"cannot be read: {error.strerror}", 1)
        if text is not None:
            texts[name] = text
        if fault:
            findings.append(unread_file(name, *fault))
    return texts, tuple(findings)


def _describes_cluster(reading: Reading) -> bool:
    """Return False if only jobs, or only single files such as `managers`, have the names of a cluster folder."""
    if reading.layout is Layout.QCONF:
        return any("/" in file for file in reading.files)
    return any(obj.origin for obj in reading.cluster)


def _printed_texts(folder: str, names: Sequence[str]) -> dict[str, str]:
    """Return the files, under any names, that hold what qconf prints of an object, by name; others are passed over."""
    from qmon_tui.formats import LARGEST_OBJECT, read_folder_file  # late: most folders are laid out as one of a cluster

    texts: dict[str, str] = {}
    for name in names:
        if is_yaml(name) or is_passed_over(name):
            continue
        with contextlib.suppress(OSError):
            text, _ = decoded(read_regular(os.path.join(folder, name), LARGEST_OBJECT + 1))
            if text is not None and len(text) <= LARGEST_OBJECT and read_folder_file(text, name) is not None:
                texts[name] = text
    return texts


def read_text(path: str | os.PathLike[str]) -> str:
    """The text of one file. Raises SourceError where it cannot be read or is no text."""
    try:
        text, fault = decoded(read_regular(path, LARGEST_FILE + 1))
    except OSError as error:
        raise SourceError(f"cannot read {os.fspath(path)}: {error.strerror}") from None
    if text is None or fault is not None:
        raise SourceError(f"{os.fspath(path)} {fault[0] if fault else 'is not text'}")
    return text


def decoded(data: bytes) -> tuple[str | None, tuple[str, int] | None]:
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
        return None, ("has a NUL byte, so it is not text", text.count("\n", 0, text.index("\0")) + 1)
    return text, None


def _too_long(data: bytes) -> int | None:
    """The number of the first line that is too long."""
    return next((number for number, line in enumerate(data.split(b"\n"), 1) if len(line) > LONGEST_LINE), None)
