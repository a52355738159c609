"""Progress of a student, stored by the learn page as a text that `grade` can read as a submission."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from qmon_tui.lessons.data import LARGEST, Datum, LessonError, read_json
from qmon_tui.lessons.lesson import AnswerKind, Lesson, Question
from qmon_tui.sources.atomic_write import replace_file
from qmon_tui.sources.regular_file import read_regular
from qmon_tui.sources.xdg import data_folder, folder_key
from qmon_tui.values import whole_number

TRIES: Final = 2
"""Number of tries before the right answer is shown; 1 if there are only two choices."""
_MOST_COUNTED: Final = 1_000_000
Files = Mapping[str, str]


@dataclass(slots=True)
class Progress:
    """Answers, tries and edits of a student in one lesson; steps are numbered from 0."""

    student: str = ""
    step: int = 0
    answers: dict[int, str] = field(default_factory=dict)
    """Step -> last answer."""
    tries: dict[int, int] = field(default_factory=dict)
    right: set[int] = field(default_factory=set)
    """Steps whose question was answered correctly."""
    reached: set[int] = field(default_factory=set)
    """Steps whose goal was reached."""
    files: dict[int, Files] = field(default_factory=dict)
    """Step -> file name -> text of the edited cluster that reached its goal."""
    hints: dict[int, int] = field(default_factory=dict)
    """Step -> number of hints opened."""

    def is_answered(self, lesson: Lesson, number: int) -> bool:
        """Return True if the question of a step was answered correctly, or its answer has been shown."""
        question = lesson.steps[number].question
        return question is None or number in self.right or self.tries.get(number, 0) >= tries_of(question)

    def is_done(self, lesson: Lesson, number: int) -> bool:
        """True if nothing is left to do in a step."""
        return self.is_answered(lesson, number) and (not lesson.steps[number].goal or number in self.reached)

    def points(self, lesson: Lesson) -> float:
        """Return the points reached so far."""
        return sum(
            (step.question.points if step.question is not None and number in self.right else 0.0)
            + (step.goal_points if step.goal and number in self.reached else 0.0)
            for number, step in enumerate(lesson.steps)
        )

    def note_answer(self, number: int, answer: str, *, right: bool) -> None:
        self.answers[number] = answer
        self.tries[number] = self.tries.get(number, 0) + 1
        if right:
            self.right.add(number)


def tries_of(question: Question) -> int:
    """Return the number of times that a question may be answered."""
    two = question.kind is AnswerKind.CHOICE and len(question.choices) in (0, 2)
    return 1 if two else TRIES


def progress_text(lesson: Lesson, progress: Progress) -> str:
    """Return the text to store."""
    page = {
        "step": progress.step + 1,
        "tries": _by_step_number(progress.tries),
        "right": _numbers(progress.right),
        "reached": _numbers(progress.reached),
        "hints": _by_step_number(progress.hints),
    }
    data = {
        "lesson": lesson.name,
        "student": progress.student,
        "answers": _by_step_number(progress.answers),
        "edits": {str(number + 1): {"files": dict(files)} for number, files in sorted(progress.files.items())},
        "page": page,
    }
    return json.dumps(data, indent=1, ensure_ascii=False) + "\n"


def _by_step_number(by_step: Mapping[int, object]) -> dict[str, object]:
    return {str(number + 1): value for number, value in sorted(by_step.items())}


def _numbers(steps: Iterable[int]) -> list[int]:
    return sorted(number + 1 for number in steps)


def read_progress(text: str, lesson: Lesson, student: str = "") -> Progress:
    """Return the progress stored in a text; entries with an invalid number are left out.

    Return an empty progress if the text is none, or belongs to another lesson.
    """
    try:
        root = read_json(text).pairs
        if root["lesson"].text != lesson.name:
            return Progress(student)
        page = root["page"].pairs
        last = len(lesson.steps) - 1
        return Progress(
            student,
            max(0, min(last, (whole_number(page["step"].text, 1) or 1) - 1)),
            {number: value.text for number, value in _steps(root["answers"], last)},
            _counts(page["tries"], last),
            _numbers_of_steps(page["right"], last),
            _numbers_of_steps(page["reached"], last),
            {
                number: {name: content.text for name, content in value.pairs["files"].pairs.items()}
                for number, value in _steps(root["edits"], last)
                if "files" in value.pairs
            },
            _counts(page["hints"], last),
        )
    except (LessonError, KeyError):
        return Progress(student)


def _steps(datum: Datum, last: int) -> list[tuple[int, Datum]]:
    numbers = ((whole_number(key, 1, last + 1), value) for key, value in datum.pairs.items())
    return [(number - 1, value) for number, value in numbers if number is not None]


def _counts(datum: Datum, last: int) -> dict[int, int]:
    counts = ((number, whole_number(value.text, most=_MOST_COUNTED)) for number, value in _steps(datum, last))
    return {number: count for number, count in counts if count is not None}


def _numbers_of_steps(datum: Datum, last: int) -> set[int]:
    numbers = (whole_number(item.text, 1, last + 1) for item in datum.items)
    return {number - 1 for number in numbers if number is not None}


# On disk ------------------------------------------------------------------------------------------------------------


def lesson_room(path: Path, student: str) -> Path:
    """Return the folder that keeps a student's progress in a lesson, and the lesson's cluster."""
    who = "".join(sign for sign in student.casefold() if sign.isalnum())[:40]
    return data_folder() / "lessons" / (f"{folder_key(path)}-{who}" if who else folder_key(path))


def load_progress(room: Path, lesson: Lesson, student: str) -> Progress:
    """Read the stored progress; a new one if there is none."""
    try:
        text = read_regular(room / "progress.json", 4 * LARGEST).decode("utf-8")
    except (OSError, ValueError):
        return Progress(student)
    return read_progress(text, lesson, student)


def keep_progress(room: Path, lesson: Lesson, progress: Progress) -> None:
    """Store the progress durably. Raises OSError."""
    replace_file(room / "progress.json", progress_text(lesson, progress))


def submission_name(lesson: Lesson, student: str) -> str:
    """Return the file name for a student's submission."""
    who = "-".join("".join(sign if sign.isalnum() else " " for sign in student.casefold()).split())
    return f"{lesson.name}-{who}.yaml" if who else f"{lesson.name}-submission.yaml"
