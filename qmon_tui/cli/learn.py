"""Lessons on the screen: questions that the scheduler answers, goals that it checks. With an option: print instead."""

import argparse
import os
from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path

from qmon_tui.cli.answer import Answer, InputError, paragraph
from qmon_tui.lessons import (
    LessonProblem,
    check_lesson,
    find_lesson,
    folders_beside,
    lesson_files,
    lesson_text,
    lessons_folder,
    listed,
)
from qmon_tui.report import count, picked
from qmon_tui.report.lesson import LessonRows
from qmon_tui.sources import SourceError


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("lesson", metavar="LESSON", nargs="?", help="name of a lesson (see --list), or the file of one")
    parser.add_argument("--student", metavar="NAME", default="", help="the student; homework is drawn from the name")
    parser.add_argument("--theme", metavar="NAME", help="colours, for instance ansi-dark")
    parser.add_argument("--without-why", action="store_true", help="do not explain jobs in steps that are not done yet")
    modes = parser.add_mutually_exclusive_group()
    modes.add_argument("--list", action="store_true", help="list the lessons")
    modes.add_argument("--check", metavar="PATH", help="check a lesson, or all lessons of a folder")


def opens_screen(options: argparse.Namespace) -> bool:
    """Return True without --list and --check."""
    return not options.list and options.check is None


def open_screen(options: argparse.Namespace) -> int:
    """Open the list, or one lesson. Raises SourceError."""
    from qmon_tui.cli.screen import open_lessons  # imported here, as what is printed needs no screen

    lesson = find_lesson(options.lesson) if options.lesson else None
    return open_lessons(lesson, options.student, options.theme, explains_jobs=not options.without_why)


def answer(options: argparse.Namespace) -> Answer:
    """List or check lessons. Raises SourceError, InputError."""
    if options.list:
        return _list(lessons_folder())
    return _check(Path(options.check))


def _list(folder: Path) -> Answer:
    entries, broken = listed(folder)
    names = ("name", "title", "subject", "steps", "points")
    lessons = [
        {**picked(entry, names), "minutes": entry.minutes or None, "after": list(entry.after)} for entry in entries
    ]
    return Answer({"lessons": lessons}, LessonRows(entries).printed, notes=tuple(broken))


ProblemOfFile = tuple[Path, LessonProblem]


def _check(path: Path) -> Answer:
    if not os.path.exists(path):
        raise InputError(f"{path} does not exist; give the file of a lesson, or a folder of them.")
    files = lesson_files(path) if path.is_dir() else [path]
    if not files:
        raise InputError(f"{path} holds no lesson: no file ends in .yaml.")
    problems = [(file, problem) for file in files for problem in _problems(file, alone=file == path)]
    data = {
        "lessons": [str(file) for file in files],
        "problems": [{"file": str(file), **picked(problem, ("line", "message", "hint"))} for file, problem in problems],
    }
    closing = f"{count(len(files), 'lesson')}: {count(len(problems), 'problem') if problems else 'nothing is wrong'}."
    return Answer(data, lambda width: _problem_lines(problems, width), code=1 if problems else 0, closing=closing)


def _problems(file: Path, *, alone: bool) -> list[LessonProblem]:
    """Return the problems of a lesson. Raises SourceError if the file is unreadable and checked `alone`."""
    try:
        text = lesson_text(file)
    except SourceError as error:
        if alone:
            raise
        return [LessonProblem(None, str(error).removeprefix(f"{file} "))]
    return sorted(check_lesson(text, file.stem, folders_beside(file)), key=lambda problem: problem.line or 0)


def _problem_lines(problems: Iterable[ProblemOfFile], width: int) -> Iterator[str]:
    for number, (file, of_file) in enumerate(groupby(problems, key=lambda pair: pair[0])):
        if number:
            yield ""
        yield str(file)
        for _, problem in of_file:
            first = f"{problem.line or '':>6}  "
            yield from paragraph(problem.message, width, first=first, rest=" " * 8)
            if problem.hint:
                yield from paragraph(problem.hint, width, first=f"{' ' * 8}→ ", rest=" " * 10)
