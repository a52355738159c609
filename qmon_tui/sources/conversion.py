"""Writing a cluster in the other layout without loss, and writing the output of clients as YAML."""

import os
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

from qmon_tui.formats import (
    JOBS_FILE,
    Layout,
    differing,
    folder_texts,
    is_yaml,
    problem,
    read_folder_file,
    read_texts,
    unreadable,
    without_reports,
)
from qmon_tui.formats.records import Recorded, read_records
from qmon_tui.formats.state import state_text
from qmon_tui.formats.yaml import scalar
from qmon_tui.model import Finding
from qmon_tui.sources.atomic_write import replace_file
from qmon_tui.sources.folder import FolderSource, read_folder
from qmon_tui.sources.folder_files import decoded
from qmon_tui.sources.record_file import read_record_file
from qmon_tui.sources.snapshot import snapshot_texts
from qmon_tui.sources.source import Reading, SourceError, reading_of, refuse_unencodable


def convert(reading: Reading, dst: str | os.PathLike[str], layout: str) -> Reading:
    """Write a reading into a new or empty folder, in the layout `yaml` or `qconf`; return it as read again.

    Raises SourceError if the folder is not empty, is inside the source or cannot be written, or if the layout cannot
    hold an object.
    """
    target = Path(dst)
    if reading.folder is not None:
        source, inside = os.path.realpath(reading.folder), os.path.realpath(target)
        if inside != source and os.path.commonpath((source, inside)) == source:
            raise SourceError(
                f"{target} is inside {reading.folder}, of which it would be a part; give a folder elsewhere"
            )
    try:
        if target.exists() and any(target.iterdir()):
            raise SourceError(f"{target} is not empty; give a new folder")
        texts = {
            **snapshot_texts(reading),
            **reading.source.others(reading),
            **_texts(reading, Layout(layout), target.name),
        }
        refuse_unencodable((str(target), *texts))
        target.mkdir(parents=True, exist_ok=True)
        for name, text in texts.items():
            replace_file(target / name, text)
    except NotADirectoryError:
        raise SourceError(f"{target} is a file; give a new folder") from None
    except OSError as error:
        raise SourceError(f"cannot write {target}: {error.strerror}") from error
    return read_folder(target)


def _texts(reading: Reading, layout: Layout, name: str) -> dict[str, str]:
    """Return the files to write: name -> text. Raises SourceError if reading them would not give the same objects."""
    try:
        texts = folder_texts(layout, reading.cluster, reading.state)
    except ValueError as error:
        raise SourceError(str(error)) from None
    wanted = without_reports(reading.cluster) if layout is Layout.YAML else reading.cluster
    lost = [f'{kind} "{name}"' for kind, name in differing(read_texts(layout, name, texts).cluster, wanted)]
    if lost:
        raise SourceError(f"the {layout} layout cannot hold {', '.join(lost)} as it is: fix what check reports first")
    return texts


def read_object_files(paths: Sequence[str]) -> Reading | None:
    """Return the objects in files that qconf printed, as one cluster; None if the files are records.

    Raises SourceError if qconf printed only some of them.
    """
    texts = {path: text for path in paths if (text := _printed(path)) is not None}
    if not texts:
        return None
    if others := [path for path in paths if path not in texts]:
        raise SourceError(f"{', '.join(others)}: not what qconf prints; convert these by themselves")
    folder = os.path.dirname(paths[0]) or "."
    return reading_of(FolderSource(folder), Layout.FILES, os.path.basename(os.path.realpath(folder)), texts)


def _printed(path: str) -> str | None:
    """Return the text of a file if qconf printed it, else None."""
    try:
        text = None if is_yaml(os.path.basename(path)) else decoded(read_record_file(path))[0]
    except SourceError:
        return None
    return text if text is not None and read_folder_file(text, path) is not None else None


def convert_objects(reading: Reading, dst: str, layout: str) -> list[str]:
    """Write the objects of files that qconf printed into a new YAML file or a new folder; return the file names.

    Raises SourceError if the target exists, or the layout cannot hold an object.
    """
    target = Path(dst)
    if target.suffix != ".yaml":
        return sorted(convert(reading, dst, layout).files)
    if layout != Layout.YAML:
        raise SourceError(f"{target} is a YAML file; give a folder for the {layout} layout")
    _write_new(target, "\n".join(_texts(reading, Layout.YAML, target.name).values()))
    return [target.name]


def _write_new(target: Path, text: str) -> None:
    """Write a file. Raises SourceError if it exists or cannot be written."""
    try:
        if target.exists():
            raise SourceError(f"{target} is there already; give a new file")
        target.parent.mkdir(parents=True, exist_ok=True)
        replace_file(target, text)
    except OSError as error:
        raise SourceError(f"cannot write {target}: {error.strerror}") from error


def read_record_files(paths: Sequence[str]) -> Recorded:
    """Return the records of all files. Raises SourceError if one cannot be read at all."""
    return read_records({str(path): read_record_file(path) for path in map(Path, paths)})


def readable(recorded: Recorded) -> Recorded:
    """Leave out, with a finding, each job, host and queue instance that could not be read back from the YAML."""
    while True:
        text = state_text(recorded.state)
        findings = unreadable(read_texts(Layout.YAML, "record", {JOBS_FILE: text}).findings)
        if not findings:
            return recorded
        recorded = _without(recorded, findings, text.split("\n"))


def _without(recorded: Recorded, findings: Iterable[Finding], lines: list[str]) -> Recorded:
    """Leave out the jobs, hosts and instances in the lines that the findings name; `lines`: the YAML text."""
    state = recorded.state
    first = lines.index("jobs:") if "jobs:" in lines else len(lines)
    jobs, names, notes = set[int](), set[str](), list[Finding]()
    for finding in findings:
        line = (finding.line or 1) - 1
        if line > first:
            begin = max(place for place in range(line + 1) if lines[place].startswith("- id: "))
            job = int(lines[begin].removeprefix("- id: "))
            file, where = recorded.places.get(job, ("", 1))
            if job not in jobs:
                notes.append(
                    problem("format.record", f"job {job} is left out: {finding.message}", file=file, line=where)
                )
            jobs.add(job)
        else:
            entry = lines[line].strip()
            named = (*state.loads, *state.queue_states, *state.error_reasons)
            entries = {name for name in named if entry.startswith(f"{scalar(name)}: ")}
            if not entries - names:
                raise SourceError(f"what is read cannot be written: {finding.message}")
            notes += [problem("format.record", f"{name} is left out: {finding.message}") for name in entries - names]
            names |= entries
    state = replace(
        state,
        jobs=tuple(job for job in state.jobs if job.id not in jobs),
        loads=MappingProxyType({host: values for host, values in state.loads.items() if host not in names}),
        queue_states=MappingProxyType({name: text for name, text in state.queue_states.items() if name not in names}),
        error_reasons=MappingProxyType({name: text for name, text in state.error_reasons.items() if name not in names}),
    )
    return replace(recorded, state=state, findings=(*recorded.findings, *notes))


def convert_records(sources: Sequence[str], dst: str | os.PathLike[str]) -> tuple[Recorded, str]:
    """Write the state of records into a new YAML file or a new folder; return the state and the file name.

    Raises SourceError if the records hold no state of a cluster, or the file exists.
    """
    recorded = readable(read_record_files(sources))
    text = state_text(recorded.state)
    if not text:
        reasons = [f"{finding.file}:{finding.line}: {finding.message}" for finding in recorded.findings[:1]]
        raise SourceError("; ".join((f"{', '.join(sources)}: no jobs, load values or queue states in there", *reasons)))
    target = Path(dst)
    if target.suffix != ".yaml":
        target /= JOBS_FILE
    _write_new(target, text)
    return recorded, target.name
