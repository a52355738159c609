"""Grade submissions for a lesson: points, and the reason for each that is missing; exit code 0 if all pass, else 1."""

import argparse
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

from qmon_tui.cli.answer import Answer, InputError, csv_line, paragraph, table
from qmon_tui.cli.command import error_place
from qmon_tui.lessons import (
    Grade,
    LessonError,
    Mark,
    Variant,
    answer_key,
    find_lesson,
    graded,
    lesson_files,
    lesson_text,
    open_lesson,
    read_submission,
    student_of,
)
from qmon_tui.report import count
from qmon_tui.sources import SourceError

CSV: Final = "csv"
FORMATS = {CSV: "a line for each submission"}
_FILE: Final = "submission.yaml"


class Graded(NamedTuple):
    """One submission: its grade, or None and the problem."""

    file: Path
    grade: Grade | None
    problem: str = ""

    @property
    def passed(self) -> bool:
        return self.grade is not None and self.grade.passed


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("lesson", metavar="LESSON", help="the name of a lesson, or its file")
    parser.add_argument("submission", metavar="SUBMISSION", nargs="?", help="a YAML file, or a folder of them")
    parser.add_argument("--student", metavar="NAME", default="", help="the student, where the file does not say")
    parser.add_argument(
        "--key", action="store_true",
        help="print the right answers instead, with the values that are drawn for the student, or for each of a class",
    )  # fmt: skip


def answer(options: argparse.Namespace) -> Answer:
    """Grade one submission, or all of a folder. Raises SourceError, InputError."""
    lesson = find_lesson(options.lesson)
    _check_lesson(lesson)
    if options.key:
        return _key(lesson, options)
    if options.submission is None:
        raise InputError("give the file of a submission or a folder of them, or --key for the right answers.")
    path = Path(options.submission)
    if path.is_dir():
        return _folder(lesson, path, options.format)
    result = _graded(lesson, path, options.student)
    if result.grade is None:
        raise InputError(result.problem)
    grade = result.grade
    data = {"lesson": lesson.stem, **_as_data(result)}
    shown = _csv(lesson.stem, [result]) if options.format == CSV else None
    return Answer(
        data,
        lambda width: shown if shown is not None else _marks_table(grade.marks, width),
        code=0 if grade.passed else 1,
        notes=grade.notes,
        closing=_closing(grade),
    )


def _key(lesson: Path, options: argparse.Namespace) -> Answer:
    """Return the answer key of --student, or of each student with a submission. Raises SourceError, InputError."""
    results = [] if options.submission is None else _results(lesson, Path(options.submission), options.student)
    students = [result.grade.student for result in results if result.grade is not None]
    if options.submission is None:
        students = [options.student]
    keys = [answer_key(open_lesson(lesson, Variant(student)), student) for student in students]
    data = {"lesson": lesson.stem, "keys": [{"student": key.student, **_grade_data(key)} for key in keys]}
    return Answer(
        data,
        lambda width: _key_csv(lesson.stem, keys) if options.format == CSV else _key_tables(keys, width),
        notes=tuple(result.problem for result in results if result.problem),
    )


def _results(lesson: Path, path: Path, student: str) -> list[Graded]:
    """Grade a file, or all submissions of a folder. Raises SourceError, InputError."""
    if not path.is_dir():
        return [_graded(lesson, path, student)]
    loose = lesson_files(path)
    files = sorted((*loose, *_in_subfolders(path)))
    if not files:
        raise InputError(f"{path} holds no submission: no file ends in .yaml, and no folder has a {_FILE}.")
    # If there are several files, each may only name its own folder.
    are_several = len(loose) > 1
    return [
        Graded(file, None, f"{link} is a link, which is not followed: hand in the file")
        if (link := _link(file, path))
        else _graded(lesson, file, "", file.stem if are_several and file in loose else "")
        for file in files
    ]


def _folder(lesson: Path, folder: Path, output_format: str) -> Answer:
    results = _results(lesson, folder, "")
    passed = sum(result.passed for result in results)
    data = {"lesson": lesson.stem, "submissions": [_as_data(result) for result in results]}
    return Answer(
        data,
        lambda width: _csv(lesson.stem, results) if output_format == CSV else _results_table(results, width),
        code=0 if passed == len(results) else 1,
        notes=tuple(result.problem for result in results if result.problem),
        closing=f"{count(len(results), 'submission')}, {passed} passed.",
    )


def _link(file: Path, folder: Path) -> Path | None:
    """Return the submission's file, or its folder within `folder`, if that is a link; else None."""
    return next((path for path in (file, file.parent) if path != folder and path.is_symlink()), None)


def _in_subfolders(folder: Path) -> list[Path]:
    """Return the submissions in subfolders, also those in unreadable ones."""
    submissions = []
    for path in folder.iterdir():
        try:
            if not path.name.startswith(".") and path.is_dir() and (path / _FILE).exists():
                submissions.append(path / _FILE)
        except OSError:
            submissions.append(path / _FILE)  # reading it reports the problem
    return submissions


def _graded(lesson_path: Path, path: Path, student: str, own: str = "") -> Graded:
    """Return the grade of one file, or the problem with it as a sentence; no submission raises an exception.

    `own` is the only folder that the submission may name; empty allows any.
    """
    try:
        text = lesson_text(path)
        name = student_of(text) or student
        submission = read_submission(text, path, own)
    except (LessonError, SourceError) as error:
        return Graded(path, None, _error_text(path, error))
    except Exception as error:
        return Graded(path, None, _failed(path, error))
    try:
        return Graded(path, graded(open_lesson(lesson_path, Variant(name)), submission, name or _name_of(path)))
    except LessonError as error:
        return Graded(path, None, f"{path}: {_lesson_error_text(lesson_path, error)}")
    except Exception as error:
        return Graded(path, None, _failed(path, error))


def _failed(path: Path, error: Exception) -> str:
    """Return the sentence for an unexpected error; grading continues with the other submissions."""
    return f"{path} cannot be graded: this should not happen, please report it: {error_place(error)}"


def _check_lesson(path: Path) -> None:
    """Raise InputError if the lesson is invalid; errors with a student's drawn values are reported for the student."""
    try:
        open_lesson(path)
    except LessonError as error:
        raise InputError(_lesson_error_text(path, error)) from None


def _lesson_error_text(path: Path, error: LessonError) -> str:
    return f"{path}:{error.line or 1}: {error.message}; see `qmon-tui learn --check`."


def _name_of(path: Path) -> str:
    return path.parent.name if path.name == _FILE else path.stem


def _error_text(path: Path, error: LessonError | SourceError) -> str:
    if isinstance(error, SourceError):
        return str(error)
    return f"{path}:{error.line or 1}: {error.message}" + (f"; {error.hint}" if error.hint else "")


def _closing(grade: Grade) -> str:
    verdict = "passed" if grade.passed else f"not passed: {grade.needed * grade.of:g} are needed"
    return f"{grade.student}: {grade.points:g} of {grade.of:g} points, {verdict}."


def _as_data(result: Graded) -> dict[str, object]:
    if result.grade is None:
        return {"file": str(result.file), "student": "", "points": None, "of": None, "passed": False,
                "problem": result.problem, "steps": []}  # fmt: skip
    grade = result.grade
    return {"file": str(result.file), "student": grade.student, "points": grade.points, "of": grade.of,
            "passed": grade.passed, **_grade_data(grade)}  # fmt: skip


def _grade_data(grade: Grade) -> dict[str, object]:
    steps = [
        {"step": mark.step, "what": mark.what, "points": mark.points, "of": mark.of, "answer": mark.given or None,
         "right": mark.correct, "reasons": list(mark.reasons)}
        for mark in grade.marks
    ]  # fmt: skip
    return {"drawn": dict(grade.drawn), "steps": steps}


_NUMBERS: Final = frozenset({"step", "points", "of"})


def _marks_table(marks: Iterable[Mark], width: int) -> Iterable[str]:
    rows = [
        (str(mark.step), mark.what, f"{mark.points:g}", f"{mark.of:g}", mark.given, " ".join(mark.reasons))
        for mark in marks
    ]
    return table(("step", "what", "points", "of", "answer", "why"), rows, width, right=_NUMBERS)


def _key_tables(keys: Iterable[Grade], width: int) -> Iterator[str]:
    for number, key in enumerate(keys):
        if number:
            yield ""
        drawn = ", ".join(f"{name} {value}" for name, value in key.drawn.items())
        yield from paragraph(f"{key.student or 'without a name'}{f': {drawn}' if drawn else ''}", width)
        rows = [(str(mark.step), mark.what, f"{mark.of:g}", mark.correct) for mark in key.marks]
        yield from table(("step", "what", "points", "right answer"), rows, width, right=_NUMBERS)


def _key_csv(lesson: str, keys: Iterable[Grade]) -> Iterator[str]:
    yield csv_line(("lesson", "student", "drawn", "step", "what", "points", "right answer"))
    for key in keys:
        drawn = "; ".join(f"{name}={value}" for name, value in key.drawn.items())
        for mark in key.marks:
            yield csv_line((lesson, key.student, drawn, str(mark.step), mark.what, f"{mark.of:g}", mark.correct))


def _results_table(results: Iterable[Graded], width: int) -> Iterable[str]:
    rows = [
        (result.file.name if result.file.name != _FILE else result.file.parent.name, *_summary(result), _missed(result))
        for result in results
    ]
    headers = ("submission", "student", "points", "of", "passed", "missing")
    return table(headers, rows, width, right=frozenset({"points", "of"}))


def _summary(result: Graded) -> tuple[str, str, str, str]:
    if result.grade is None:
        return "", "", "", "no"
    grade = result.grade
    return grade.student, f"{grade.points:g}", f"{grade.of:g}", "yes" if grade.passed else "no"


def _missed(result: Graded) -> str:
    if result.grade is None:
        return "unreadable"
    return ", ".join(f"{mark.step} {mark.what}" for mark in result.grade.marks if mark.points < mark.of)


def _csv(lesson: str, results: Iterable[Graded]) -> Iterator[str]:
    every = list(results)
    steps = sorted({mark.step for result in every if result.grade is not None for mark in result.grade.marks})
    heads = (f"step {step}" for step in steps)
    yield csv_line(("lesson", "file", "student", "points", "of", "passed", *heads, "reasons"))
    for result in every:
        reasons = result.problem
        points = ["" for _ in steps]
        if result.grade is not None:
            marks = result.grade.marks
            points = [f"{sum(mark.points for mark in marks if mark.step == step):g}" for step in steps]
            missing = [mark for mark in marks if mark.reasons]
            reasons = "; ".join(f"Step {mark.step}, {mark.what}: {' '.join(mark.reasons)}" for mark in missing)
        yield csv_line((lesson, str(result.file), *_summary(result), *points, reasons))
