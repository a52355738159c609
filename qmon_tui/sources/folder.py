"""A cluster folder as a source: reading it, planning a save, saving."""

import contextlib
import os
import time
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from qmon_tui import formats
from qmon_tui.formats import Layout, detect, is_passed_over, is_yaml
from qmon_tui.formats.state import DEFAULT_START
from qmon_tui.model import Cluster, Finding, State
from qmon_tui.sources import atomic_write, qmaster_source, save_log, saving, watch
from qmon_tui.sources.folder_files import decoded, read_files, read_others
from qmon_tui.sources.regular_file import read_regular
from qmon_tui.sources.source import Part, Reading, SavePlan, Source, SourceError, planned_files, reading_of
from qmon_tui.values import parse_time

if TYPE_CHECKING:
    import asyncio


@dataclass(frozen=True, slots=True)
class FolderSource:
    """A cluster folder of either layout; implements `Source`."""

    location: str
    start: int | None = None
    """Time of the state if no file gives one, seconds since the epoch; None: DEFAULT_START."""

    @property
    def folder(self) -> Path:
        return Path(self.location)

    @property
    def cost(self) -> None:
        """None: reading a folder asks no qmaster."""

    @property
    def interval(self) -> float:
        """0: changes are noticed when they happen."""
        return 0.0

    def exists(self) -> bool:
        return os.path.isdir(self.location)

    def others(self, reading: Reading) -> Mapping[str, str]:
        """Return the files of unknown kinds, such as `roles/NAME`: name -> text; binary files are left out."""
        return read_others(self.location) if reading.layout is Layout.QCONF else {}

    def read(self, previous: Reading | None = None) -> Reading:
        """Read the folder; files that are unchanged since a previous reading are not parsed again.

        A killed save is undone first; if that fails, the reading shows the folder before the save, with a finding.
        Raises SourceError if there is no folder or no cluster in it.
        """
        listing = read_files(self.location)
        undone: tuple[str, ...] = ()
        if listing.left:
            mended = saving.mend_folder(self.location)
            if mended is not None:
                undone, listing = mended, read_files(self.location)
        if listing.half_saved:
            listing = save_log.as_before(self.location, listing)
        layout = detect(listing.names)
        reading = None if layout is None else self._reading(layout, listing.texts, listing.findings, previous)
        if reading is None or not _describes_cluster(reading):
            printed = _printed_texts(self.location, listing.names)
            if not printed.keys() <= listing.texts.keys():
                reading = self._reading(Layout.FILES, {**listing.texts, **printed}, listing.findings, previous)
        if reading is None and listing.names:
            raise SourceError(
                f"{self.location} holds no cluster: neither *.yaml files nor files as save_sge_config.sh writes them"
                f" or qconf prints them; there {formats.HOW_TO_TELL}"
            )
        reading = reading or self._reading(Layout.YAML, {}, listing.findings, previous)
        return replace(reading, undone=undone) if undone else reading

    def read_part(self, previous: Reading, part: Part) -> Reading:
        """Return the previous reading: a folder is followed as a whole."""
        return previous

    def plan(self, reading: Reading, cluster: Cluster, state: State | None = None) -> SavePlan:
        """Return the files that must change so that the folder describes `cluster` and `state`, and the losses.

        Raises SourceError if an edit cannot be written without changing other text.
        """
        plan = planned_files(reading, cluster, state)
        replaced = [change.file for change in plan.files if change.before is not None and change.after is not None]
        losses = [(file, loss) for file in replaced for loss in atomic_write.cannot_keep(f"{self.location}/{file}")]
        return plan._replace(losses=tuple(f"{file}: {loss}" for file, loss in losses))

    def write(self, reading: Reading, plan: SavePlan) -> Reading:
        """Write the planned files, all or none, and return the new reading.

        Raises ConflictError if a file has changed since it was read, SourceError if one cannot be written or the
        folder is gone; nothing has changed then.
        """
        if not self.exists():
            # Writing new files would create the folder again, without its other files.
            raise SourceError(f"{self.location} is gone: nothing can be saved until it is back")
        saving.save_files(self.location, plan.files)
        texts = dict(reading.files)
        for change in plan.files:
            if change.file.startswith("."):
                continue  # the snapshot, which is no part of the cluster
            if change.after is None:
                texts.pop(change.file, None)
            else:
                texts[change.file] = change.after
        kept = tuple(finding for finding in reading.findings if finding.file not in reading.files)
        return self._reading(reading.layout, texts, kept, reading)

    def changes(self, stop: "asyncio.Event") -> AsyncIterator[frozenset[str]]:
        """Yield the names of changed files, burst by burst, until `stop` is set."""
        return watch.watch(Path(self.location), stop)

    def _reading(
        self, layout: Layout, texts: Mapping[str, str], findings: tuple[Finding, ...], previous: Reading | None
    ) -> Reading:
        name = os.path.basename(os.path.realpath(self.location)) or "cluster"
        reading = reading_of(self, layout, name, texts, findings, previous)
        if self.start is None:
            return reading
        return replace(reading, state=_shifted(reading.state, self.start)) if _tells_no_time(reading.state) else reading

    def dated(self, reading: Reading) -> Reading:
        """Return the reading; one without any time gets the time of its newest file, or now without files."""
        if not _tells_no_time(reading.state):
            return reading
        return replace(self, start=_newest(self.location, reading.files)).read(reading)


def source_of(path: str, *, in_steps: bool = False) -> Source:
    """Return the running cluster that `qmaster:` or `qmaster:NAME` names, else the folder. Raises SourceError.

    With `in_steps` most execution hosts of a large running cluster are read after the first reading.
    """
    if path.startswith("qmaster:"):
        source = qmaster_source.qmaster_source(path)
        source.in_steps = in_steps
        return source
    return FolderSource(path or ".")


def read_folder(path: str | os.PathLike[str], previous: Reading | None = None) -> Reading:
    """Read a cluster folder; see `FolderSource.read`."""
    return FolderSource(os.fspath(path) or ".").read(previous)


def _describes_cluster(reading: Reading) -> bool:
    """Return True if objects were read; False if only jobs or single files such as `managers` were recognised."""
    if reading.layout is Layout.QCONF:
        return any("/" in file for file in reading.files)
    return any(obj.origin for obj in reading.cluster)


def _printed_texts(folder: str, names: Sequence[str]) -> dict[str, str]:
    """Return the files with an object as qconf prints it, whatever their names: name -> text."""
    texts: dict[str, str] = {}
    for name in names:
        if is_yaml(name) or is_passed_over(name):
            continue
        with contextlib.suppress(OSError):
            text, _ = decoded(read_regular(os.path.join(folder, name), formats.LARGEST_OBJECT + 1))
            is_small = text is not None and len(text) <= formats.LARGEST_OBJECT
            if text is not None and is_small and formats.read_folder_file(text, name) is not None:
                texts[name] = text
    return texts


def _tells_no_time(state: State) -> bool:
    """Return True if no file of a folder gives a time: submissions then count from DEFAULT_START."""
    return min((job.submitted for job in state.jobs), default=state.now) == parse_time(DEFAULT_START)


def _newest(folder: str, names: Iterable[str]) -> int:
    """Return when the newest of the files was written, seconds since the epoch; now without files."""
    times: list[float] = []
    for name in names:
        try:
            times.append(os.stat(os.path.join(folder, name)).st_mtime)
        except OSError:
            continue
    return int(max(times, default=time.time()))


def _shifted(state: State, start: int) -> State:
    """Return the state with its time moved to `start`, and all submissions by the same number of seconds."""
    shift = start - state.now
    return replace(
        state,
        now=start,
        beginning=None if state.beginning is None else state.beginning + shift,
        jobs=tuple(replace(job, submitted=job.submitted + shift) for job in state.jobs),
    )
