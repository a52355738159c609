"""A student's submission: answers and edits by step. It is untrusted data."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath
from typing import Final

from qmon_tui.formats import Layout, read_texts
from qmon_tui.lessons.data import Datum, LessonError, quoted, read_data
from qmon_tui.lessons.lesson import LessonEdit, WholeCluster
from qmon_tui.lessons.library import folders_beside
from qmon_tui.lessons.reader import read_edits

MOST_EDITS: Final = 500
_LONGEST_NAME: Final = 100
_KEYS: Final = ("lesson", "student", "answers", "edits", "page")
"""Keys of a submission. The grader ignores `page`, which the learn page writes."""


@dataclass(frozen=True, slots=True)
class Submission:
    """One student's submission; steps are numbered from 1."""

    student: str = ""
    lesson: str = ""
    answers: Mapping[int, str] = field(default_factory=dict)
    edits: Mapping[int, tuple[LessonEdit, ...]] = field(default_factory=dict)
    unread: Mapping[tuple[int, str], str] = field(default_factory=dict)
    """(step, "question" or "goal") -> reason why the answer or the edits cannot be read."""


def read_submission(text: str, path: Path, own: str = "") -> Submission:
    """Read a submission; folders that it names must be beside its file `path`, in the folder `own` if that is given.

    Raises LessonError.
    """
    root = read_data(text)
    keys = root.only(_KEYS, "a submission")
    answers: dict[int, str] = {}
    edits: dict[int, tuple[LessonEdit, ...]] = {}
    unread: dict[tuple[int, str], str] = {}
    for number, datum in _by_step(keys.get("answers")):
        try:
            answers[number] = ", ".join(item.text for item in datum.items)
        except LessonError as error:
            unread[number, "question"] = _reason(error, datum)
    for number, datum in _by_step(keys.get("edits")):
        whole = _whole_cluster(datum, path, own)
        try:
            edits[number] = (whole,) if whole is not None else _edits(datum, text)
        except LessonError as error:
            unread[number, "goal"] = _reason(error, datum)
    return Submission(_word(keys.get("student")), _word(keys.get("lesson")), answers, edits, unread)


def _reason(error: LessonError, datum: Datum) -> str:
    return f"line {error.line or datum.line}: {error.message}" + (f"; {error.hint}" if error.hint else "")


def student_of(text: str) -> str:
    """Return only the student's name, which determines the variant of the lesson. Raises LessonError."""
    return _word(read_data(text).only(_KEYS, "a submission").get("student"))


def _word(datum: Datum | None) -> str:
    return "" if datum is None else " ".join(datum.text.split())[:_LONGEST_NAME]


def _by_step(datum: Datum | None) -> list[tuple[int, Datum]]:
    if datum is None or datum.is_empty:
        return []
    steps: list[tuple[int, Datum]] = []
    for key, value in datum.pairs.items():
        if not (key.isascii() and key.isdecimal() and 0 < len(key) < 4):
            raise LessonError(f'"{quoted(key)}" is not the number of a step', value.line)
        if any(int(key) == number for number, _ in steps):
            raise LessonError(f"step {int(key)} stands here twice", value.line)
        steps.append((int(key), value))
    return steps


def _whole_cluster(datum: Datum, path: Path, own: str) -> WholeCluster | None:
    """Return the edited cluster of a submission; None if it is a list of edits. Raises LessonError."""
    lead = next(iter(datum.value), "") if isinstance(datum.value, dict) else ""
    if lead == "folder":
        datum.only(("folder",), "an edited cluster")
        return _folder(datum.pairs["folder"], path, own)
    if lead == "files":
        datum.only(("files",), "an edited cluster")
        return _files(datum.pairs["files"])
    return None


def _edits(datum: Datum, text: str) -> tuple[LessonEdit, ...]:
    if len(datum.items) > MOST_EDITS:
        raise LessonError(f"more than {MOST_EDITS} edits in one step", datum.line)
    return read_edits(datum, text)


def _folder(datum: Datum, path: Path, own: str) -> WholeCluster:
    """Read a cluster folder beside the submission, in the folder `own` if given. Raises LessonError for others."""
    name = datum.text.strip()
    parts = PurePosixPath(name).parts
    beside = os.path.realpath(path.parent)
    try:
        is_beside = os.path.commonpath((beside, os.path.realpath(path.parent / name))) == beside
    except ValueError:  # a NUL byte, or half of a character
        is_beside = False
    if not is_beside or not parts or len(parts) > 3 or name.startswith(("/", "~")) or ".." in parts:
        raise LessonError(f'"{quoted(name)}" is no folder beside the submission', datum.line)
    if own and parts[0] != own:
        message = f'"{quoted(name)}" may be the folder of another student, as other submissions are beside this one'
        raise LessonError(message, datum.line, f"name the folder {own}, like the submission")
    if link := _link_in(path.parent / name):
        raise LessonError(f'"{quoted(link)}" in the folder is a link, which is not followed', datum.line)
    try:
        return replace(folders_beside(path)(name), line=datum.line)
    except LessonError as error:
        raise LessonError(error.message, datum.line) from None


def _link_in(folder: Path) -> str:
    """Return the name of a link in a folder, or of the folder if it is one; empty if there is none."""
    if folder.is_symlink():
        return folder.name
    entries = (name for where, folders, files in os.walk(folder) for name in (*folders, *files)
               if os.path.islink(os.path.join(where, name)))  # fmt: skip
    return next(entries, "")


def _files(datum: Datum) -> WholeCluster:
    """Read the texts of a cluster's files, as the learn page writes them."""
    texts = {name: value.text for name, value in datum.pairs.items()}
    return WholeCluster.of(read_texts(Layout.YAML, "submission", texts), datum.line)
