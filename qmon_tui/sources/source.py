"""Sources of a document: a folder of files, or a running qmaster."""

import os
import sys
import time
from collections.abc import AsyncIterator, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple, Protocol

from qmon_tui import formats
from qmon_tui.formats import Contents, Layout, file_of, read_texts
from qmon_tui.model import Cluster, Finding, Kind, State

if TYPE_CHECKING:
    import asyncio


class SourceError(Exception):
    """A source cannot be read or written; the text says what is wrong and what to do."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class ConflictError(SourceError):
    """Files on disk have changed since they were read; `files` names them relative to the folder."""

    def __init__(self, files: tuple[str, ...]) -> None:
        names = ", ".join(files)
        super().__init__(f"changed on disk since they were read: {names}; reload or merge before saving")
        self.files = files


def refuse_unencodable(names: Iterable[str]) -> None:
    """Raise SourceError if the locale's encoding, which file names have, lacks a character of one of the names."""
    for name in names:
        try:
            os.fsencode(name)
        except UnicodeEncodeError:
            encoding = sys.getfilesystemencoding()
            raise SourceError(
                f"no file can be called {name} in this locale ({encoding}): set LC_ALL=C.UTF-8; nothing is written"
            ) from None


class FileChange(NamedTuple):
    """Change of one file by a save: `before` is None for a new file, `after` for a deleted one."""

    file: str
    before: str | None
    after: str | None


@dataclass(slots=True)
class Cost:
    """Load that this program has put on a qmaster."""

    commands: int = 0
    """Number of clients run."""
    bytes: int = 0
    """Size of their answers."""
    seconds: float = 0.0
    """Sum of their run times."""
    began: float = field(default_factory=time.monotonic)
    """Monotonic time when counting began."""

    def per_minute(self) -> tuple[float, float, float]:
        """Return commands, bytes and seconds of clients per minute; the first minute counts as a whole one."""
        minutes = max(1.0, (time.monotonic() - self.began) / 60)
        return self.commands / minutes, self.bytes / minutes, self.seconds / minutes


class SavePlan(NamedTuple):
    """All files that saving writes or deletes."""

    files: tuple[FileChange, ...]
    losses: tuple[str, ...] = ()
    """Attributes of files that saving loses, a sentence each."""


Part = tuple[Kind, str] | int | None
"""One object; the job of this number; or None: the next unread part, first details of jobs, then execution hosts."""


class Source(Protocol):
    """Protocol to read and write a document. Its texts are those of a cluster folder: file -> text."""

    @property
    def location(self) -> str:
        """The path of the folder, or `qmaster:NAME`."""

    @property
    def folder(self) -> Path | None:
        """The folder with the files; None for a running cluster."""

    @property
    def cost(self) -> "Cost | None":
        """The cost of all clients so far; None for a folder."""

    @property
    def interval(self) -> float:
        """Seconds from one reading to the next on the screen; 0 if changes are noticed when they happen."""

    def exists(self) -> bool:
        """Return False if the folder does not exist now."""

    def others(self, reading: "Reading") -> Mapping[str, str]:
        """Return the texts of kinds of object that the catalogue lacks, by file; they are kept as they are."""

    def read(self, previous: "Reading | None" = None) -> "Reading":
        """Read everything; texts that are unchanged since a previous reading are not parsed again.

        Raises SourceError if there is no cluster.
        """

    def read_part(self, previous: "Reading", part: "Part") -> "Reading":
        """Read a part of a running cluster again; a folder returns the previous reading. Raises SourceError."""

    def plan(self, reading: "Reading", cluster: Cluster, state: State | None = None) -> SavePlan:
        """Return the changes that make the source describe `cluster` and `state`; None keeps the state.

        Raises SourceError if an edit cannot be written without changing other text.
        """

    def write(self, reading: "Reading", plan: SavePlan) -> "Reading":
        """Write the planned changes and return the new reading.

        Raises ConflictError, before anything is written, if something has changed since it was read; SourceError if
        something cannot be written.
        """

    def changes(self, stop: "asyncio.Event") -> AsyncIterator[frozenset[str]]:
        """Yield the names of changed files, burst by burst, until `stop` is set."""


class Live(NamedTuple):
    """When and by which clients a running cluster was read; times in seconds since the epoch."""

    taken: float
    """Time of jobs, states and load values."""
    objects_taken: float
    """Time of the objects and of the jobs' details."""
    clients: str
    messages: Mapping[int, tuple[str, ...]]
    """Job -> the scheduler's own messages about it; 0 for all jobs."""
    user: str = ""
    """The user who runs the clients."""
    cell: str = ""
    """The cell and its SGE_ROOT, in words."""
    accounting: str = ""
    """Path of the accounting file."""
    others: Mapping[str, str] = MappingProxyType({})
    """Texts of kinds that the catalogue lacks: file in a dump -> text."""
    ages: Mapping[str, float] = MappingProxyType({})
    """File of an object, or `job 506` -> time of its own reading."""
    unread: tuple[str, ...] = ()
    """Execution hosts whose objects are still to be read, or read again."""
    unread_jobs: int = 0
    """The number of jobs whose details are still to be read; 0 if all are known."""

    @property
    def is_partial(self) -> bool:
        """True if read_part has more to read."""
        return bool(self.unread or self.unread_jobs)

    @property
    def unknown_hosts(self) -> int:
        """The number of execution hosts of which only the name is known yet."""
        return sum(file_of(Kind.HOST, host) not in self.ages for host in self.unread)

    def read_at(self, place: str) -> float:
        """Return the time when an object, by its file, or the details of a job were read."""
        return self.ages.get(place, self.objects_taken)


def job_place(number: int) -> str:
    """Return the name under which `Live.ages` has the details of a job."""
    return f"job {number}"


@dataclass(frozen=True, slots=True)
class Reading:
    """A source as it was read."""

    source: Source = field(repr=False, compare=False)
    layout: Layout
    cluster: Cluster
    state: State
    findings: tuple[Finding, ...]
    files: Mapping[str, str]
    """File relative to the folder -> text as read; unreadable files are not among them."""
    contents: Contents | None = field(default=None, repr=False, compare=False)
    """Parsed files, so that reading the source again parses only changed ones."""
    undone: tuple[str, ...] = field(default=(), compare=False)
    """Files of an interrupted save that this reading has restored."""
    live: Live | None = field(default=None, compare=False)
    """Times and clients of the reading of a running cluster; None for a folder."""

    @property
    def folder(self) -> Path | None:
        """The folder that was read; None for a running cluster, which has no other files."""
        return self.source.folder


def reading_of(
    source: Source,
    layout: Layout,
    name: str,
    texts: Mapping[str, str],
    findings: tuple[Finding, ...] = (),
    previous: Reading | None = None,
) -> Reading:
    """Parse the texts of a cluster with this `name`; all sources use it."""
    contents = read_texts(layout, name, texts, previous.contents if previous else None)
    everything = (*findings, *contents.findings)
    return Reading(
        source, layout, contents.cluster, contents.state, everything, MappingProxyType(dict(texts)), contents
    )


def planned_files(reading: Reading, cluster: Cluster, state: State | None = None) -> SavePlan:
    """Return the texts that must change so that they describe `cluster` and `state`; None keeps the state.

    Raises SourceError if an edit cannot be written without changing other text.
    """
    layout, name = reading.layout, reading.cluster.name
    try:
        after = formats.edited_texts(layout, reading.files, reading.cluster, cluster, reading.contents)
        if state is not None and state is not reading.state:
            texts = {file: text for file, text in {**reading.files, **after}.items() if text is not None}
            after |= formats.texts_with_state(layout, name, texts, state, reading.contents)
    except formats.EditRefused as error:
        raise SourceError(str(error)) from None
    return SavePlan(tuple(FileChange(file, reading.files.get(file), text) for file, text in sorted(after.items())))
