"""Lessons: a small cluster and steps whose answers the engine computes; submissions of students, graded."""

from qmon_tui.lessons.answers import Correct, Verdict
from qmon_tui.lessons.checking import LessonProblem, check_lesson, lesson_problems
from qmon_tui.lessons.conditions import Holding
from qmon_tui.lessons.course import Course
from qmon_tui.lessons.data import LessonError
from qmon_tui.lessons.draws import FIRST, Variant
from qmon_tui.lessons.explanations import Derived, JobTable, Reasons, Shown, Unfolded, unfolded
from qmon_tui.lessons.grading import Grade, Mark, graded
from qmon_tui.lessons.lesson import AnswerKind, Lesson, Markdown, Question, Step, Unfold
from qmon_tui.lessons.library import (
    Entry,
    find_lesson,
    folders_beside,
    lesson_files,
    lesson_text,
    lessons_folder,
    listed,
    open_lesson,
)
from qmon_tui.lessons.progress import (
    Progress,
    keep_progress,
    lesson_room,
    load_progress,
    progress_text,
    read_progress,
    submission_name,
    tries_of,
)
from qmon_tui.lessons.reader import Read, read_lesson
from qmon_tui.lessons.situation import Situation
from qmon_tui.lessons.submission import Submission, read_submission, student_of

__all__ = [
    "FIRST",
    "AnswerKind",
    "Correct",
    "Course",
    "Derived",
    "Entry",
    "Grade",
    "Holding",
    "JobTable",
    "Lesson",
    "LessonError",
    "LessonProblem",
    "Mark",
    "Markdown",
    "Progress",
    "Question",
    "Read",
    "Reasons",
    "Shown",
    "Situation",
    "Step",
    "Submission",
    "Unfold",
    "Unfolded",
    "Variant",
    "Verdict",
    "check_lesson",
    "find_lesson",
    "folders_beside",
    "graded",
    "keep_progress",
    "lesson_files",
    "lesson_problems",
    "lesson_room",
    "lesson_text",
    "lessons_folder",
    "listed",
    "load_progress",
    "open_lesson",
    "progress_text",
    "read_lesson",
    "read_progress",
    "read_submission",
    "student_of",
    "submission_name",
    "tries_of",
    "unfolded",
]
