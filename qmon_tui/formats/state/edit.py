"""Edit the texts of a folder from one state to another; only the lines of changed items change."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Final

from qmon_tui.formats.layout import Layout, is_yaml
from qmon_tui.formats.state.entries import SINGLE, changed_entries
from qmon_tui.formats.state.file_edit import EntryEdit, StateFileEdit, reservation_ids
from qmon_tui.formats.yaml import read_file
from qmon_tui.model import State, StateEntry, StateKind
from qmon_tui.model.catalogue.state import INSTANCE

Texts = dict[str, str]
ReadState = Callable[[Mapping[str, str]], State]

KEYS: Final = {
    StateKind.LOADS: "loads",
    StateKind.DRAIN: "drains",
    StateKind.EXCEPTION: "exceptions",
    StateKind.USAGE: "usage",
    StateKind.RESERVATION: "reservations",
    StateKind.JOB: "jobs",
}
JOBS_FILE: Final = "jobs.yaml"
QCONF_FILES: Final = {
    StateKind.LOADS: "loads.yaml",
    StateKind.DRAIN: "drains.yaml",
    StateKind.EXCEPTION: "drains.yaml",
}
"""Kind -> its file in a qconf folder, if not JOBS_FILE."""

_PASSES: Final = 4
"""Maximum number of passes: removing an item may require writing times or numbers of the next ones."""


class StateEditRefused(Exception):
    """Raised if a change of the state cannot be written; the message says which and where."""


def edited_state(layout: Layout, texts: Mapping[str, str], wanted: State, read: ReadState) -> Texts:
    """Return file -> new text of the files that must change so that the folder describes `wanted`.

    `read` reads a folder's state from its texts. Raises StateEditRefused if a change cannot be expressed.
    """
    now = dict(texts)
    for _ in range(_PASSES):
        state = read(now)
        pairs = list(changed_entries(state, wanted))
        if not pairs:
            return {file: text for file, text in now.items() if text != texts.get(file)}
        try:
            now |= _edited_texts(layout, now, pairs, state)
        except ValueError:
            break
    raise _refusal(list(changed_entries(read(texts), wanted)))


def _edited_texts(
    layout: Layout, texts: Mapping[str, str], pairs: list[tuple[StateEntry | None, StateEntry | None]], state: State
) -> Texts:
    keys = _keys(texts)
    by_file: dict[str, list[EntryEdit]] = defaultdict(list)
    for edit in (part for before, after in pairs for part in _edits_by_key(before, after, state)):
        by_file[_file(layout, texts, keys, edit)].append(edit)
    lines: dict[str, dict[int, str]] = defaultdict(dict)
    for job in state.jobs:
        if job.origin is not None:
            lines[job.origin.file][job.origin.line] = str(job.id)
    return {file: StateFileEdit(texts.get(file, ""), lines[file]).apply(edits) for file, edits in by_file.items()}


def _edits_by_key(before: StateEntry | None, after: StateEntry | None, state: State) -> Iterator[EntryEdit]:
    """Yield the edits of an item per key: a queue instance has several keys, possibly in different files."""
    some = before or after
    assert some is not None
    if some.kind in SINGLE:
        yield EntryEdit(some.name, before, after)
        return
    if some.kind is not StateKind.INSTANCE:
        yield EntryEdit(KEYS[some.kind], before, after)
        return
    for field in INSTANCE.fields:
        place = state.places.get(field.place + some.name)
        old, new = (
            replace(entry, values={field.name: entry.values[field.name]}, origin=place)
            if entry and field.name in entry.values
            else None
            for entry in (before, after)
        )
        if old != new:
            yield EntryEdit(field.key, old, new)


def _file(layout: Layout, texts: Mapping[str, str], keys: Mapping[str, frozenset[str]], edit: EntryEdit) -> str:
    """Return the file of an item; for a new one the last file with its key, else with jobs, else the usual file."""
    entry, is_new = edit.some, edit.before is None
    if not is_new and entry.origin is not None and entry.origin.file in texts:
        return entry.origin.file
    files_with_key = [file for file, present in keys.items() if edit.key in present]
    if entry.kind is StateKind.RESERVATION and not is_new:
        files_with_key = [file for file in files_with_key if entry.name in reservation_ids(texts[file])]
    if files_with_key:
        return files_with_key[-1]
    own = JOBS_FILE if layout is Layout.YAML else QCONF_FILES.get(entry.kind, JOBS_FILE)
    with_jobs = [file for file, present in keys.items() if KEYS[StateKind.JOB] in present]
    return with_jobs[-1] if with_jobs and own == JOBS_FILE else own


def _keys(texts: Mapping[str, str]) -> dict[str, frozenset[str]]:
    """Return YAML file -> the keys of the state in it."""
    return {
        file: frozenset(key for key, _, _ in read_file(text, file).state)
        for file, text in sorted(texts.items())
        if is_yaml(file)
    }


def _refusal(pairs: list[tuple[StateEntry | None, StateEntry | None]]) -> StateEditRefused:
    some = [before or after for before, after in pairs[:3]]
    names = ", ".join(f"{entry.kind} {entry.name}" for entry in some if entry)
    places = ", ".join(
        sorted({f"{entry.origin.file} line {entry.origin.line}" for entry in some if entry and entry.origin})
    )
    return StateEditRefused(
        f"{names}{f' ({places})' if places else ''} cannot be saved as it is; "
        "an alias, a merged mapping or a broken part of the file prevents it: edit the file itself"
    )
