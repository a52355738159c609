"""Lessons on disk: those shipped with the program, and other files."""

import os
from collections.abc import Iterable
from operator import itemgetter
from pathlib import Path
from typing import Final, NamedTuple

from qmon_tui.lessons.data import LARGEST, LessonError, quoted
from qmon_tui.lessons.draws import FIRST, Variant
from qmon_tui.lessons.lesson import Lesson, WholeCluster
from qmon_tui.lessons.progress import lesson_room, load_progress
from qmon_tui.lessons.reader import ReadFolder, read_lesson
from qmon_tui.model import memoized
from qmon_tui.sources import SourceError, read_folder
from qmon_tui.sources.folder_files import read_text
from qmon_tui.sources.shipped import shipped_folder
from qmon_tui.values import meant

ENDINGS: Final = (".yaml", ".yml")


class Entry(NamedTuple):
    """One lesson of the list."""

    name: str
    title: str
    subject: str
    steps: int
    points: float
    about: str
    path: Path
    earned: float | None = None
    """Points so far; None if the lesson was not begun."""
    minutes: int = 0
    """Expected duration in minutes; 0 if not given."""
    after: tuple[str, ...] = ()
    """Names of the lessons that should be done before it."""


def lessons_folder() -> Path:
    """Return the folder of the lessons shipped with the program. Raises SourceError if it is missing."""
    return shipped_folder("lessons", "the lessons are missing from this installation; give the file of one")


def find_lesson(name: str) -> Path:
    """Return the file of a lesson, given its path or the name of a shipped one. Raises SourceError."""
    if os.path.isfile(name):
        return Path(name)
    names = {path.stem: path for path in lesson_files(lessons_folder())}
    if name in names:
        return names[name]
    advice = meant(name, names) or f"there are {', '.join(names)}."
    raise SourceError(f"there is no lesson {quoted(name)}; {advice}")


def lesson_files(folder: Path) -> list[Path]:
    """Return the lesson files of a folder, sorted by name. Raises SourceError."""
    try:
        return sorted(path for path in folder.iterdir() if path.suffix in ENDINGS and not path.name.startswith("."))
    except OSError as error:
        raise SourceError(f"cannot read {folder}: {error.strerror}") from None


def open_lesson(path: Path, variant: Variant = FIRST) -> Lesson:
    """Read a lesson. Raises SourceError if the file cannot be read, LessonError if its content is wrong."""
    return read_lesson(lesson_text(path), path.stem, folders_beside(path), variant)


def lesson_text(path: Path) -> str:
    """Return the text of a lesson's file. Raises SourceError, also if it is too large."""
    try:
        if path.stat().st_size > 4 * LARGEST:
            raise SourceError(f"{path} is larger than {4 * LARGEST // 1024 // 1024} MiB, too large to be read")
    except OSError as error:
        raise SourceError(f"cannot read {path}: {error.strerror}") from None
    return read_text(path)


def folders_beside(path: Path) -> ReadFolder:
    """Return a function that reads the cluster folders a lesson names, relative to the lesson's file."""

    def read(name: str) -> WholeCluster:
        try:
            return WholeCluster.of(read_folder(path.parent / name))
        except SourceError as error:
            raise LessonError(f"{error}") from None

    return read


def listed(folder: Path, student: str = "", others: Iterable[Path] = ()) -> tuple[list[Entry], list[str]]:
    """Return the lessons of a folder in their order, and an error text for each unreadable one. Raises SourceError.

    `student` determines the earned points; `others` are further lesson files.
    """
    entries: list[tuple[tuple[int, str], Entry]] = []
    broken: list[str] = []
    for path in {os.path.realpath(path): path for path in (*others, *lesson_files(folder))}.values():
        try:
            lesson = open_lesson(path)
        except LessonError as error:
            broken.append(f"{path.name}:{error.line or 1}: {error.message}")
        except SourceError as error:
            broken.append(str(error))
        else:
            earned = _earned(lesson, path, student)
            steps, points = len(lesson.steps), lesson.points
            place = (lesson.order or 1000, lesson.subject)
            entries.append((place, Entry(
                path.stem, lesson.title, lesson.subject, steps, points, lesson.about, path, earned, lesson.minutes,
                lesson.after,
            )))  # fmt: skip
    return [entry for _, entry in sorted(entries, key=itemgetter(0))], broken


@memoized(size=4)
def next_lesson(path: Path) -> Entry | None:
    """Return the lesson after a shipped one, in the order of the list; None after the last, or for other files.

    None also if the lessons cannot be read.
    """
    try:
        entries, _ = listed(lessons_folder())
    except SourceError:
        return None
    paths = [entry.path for entry in entries]
    place = paths.index(path) + 1 if path in paths else len(paths)
    return entries[place] if place < len(paths) else None


def _earned(lesson: Lesson, path: Path, student: str) -> float | None:
    room = lesson_room(path, student)
    return load_progress(room, lesson, student).points(lesson) if room.is_dir() else None
