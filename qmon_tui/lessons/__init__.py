"""Lessons: a small cluster and steps whose answers the engine computes; submissions of students, graded."""

from qmon_tui.lessons.checking import LessonProblem as LessonProblem, check_lesson as check_lesson
from qmon_tui.lessons.conditions import Holding as Holding
from qmon_tui.lessons.course import Course as Course
from qmon_tui.lessons.data import LessonError as LessonError
from qmon_tui.lessons.draws import Variant as Variant
from qmon_tui.lessons.edits import ClusterState as ClusterState
from qmon_tui.lessons.explanations import (
    Derived as Derived,
    JobTable as JobTable,
    Reasons as Reasons,
    Shown as Shown,
    Unfolded as Unfolded,
    edits_named as edits_named,
    label_of as label_of,
    unfolded as unfolded,
)
from qmon_tui.lessons.grading import Grade as Grade, Mark as Mark, answer_key as answer_key, graded as graded
from qmon_tui.lessons.lesson import (
    AnswerKind as AnswerKind,
    Lesson as Lesson,
    Markdown as Markdown,
    Question as Question,
    Step as Step,
    Unfold as Unfold,
)
from qmon_tui.lessons.library import (
    Entry as Entry,
    find_lesson as find_lesson,
    folders_beside as folders_beside,
    lesson_files as lesson_files,
    lesson_text as lesson_text,
    lessons_folder as lessons_folder,
    listed as listed,
    next_lesson as next_lesson,
    open_lesson as open_lesson,
)
from qmon_tui.lessons.progress import (
    Progress as Progress,
    keep_progress as keep_progress,
    lesson_room as lesson_room,
    load_progress as load_progress,
    progress_text as progress_text,
    submission_name as submission_name,
    tries_of as tries_of,
)
from qmon_tui.lessons.quantities import is_time as is_time
from qmon_tui.lessons.situation import Situation as Situation
from qmon_tui.lessons.submission import read_submission as read_submission, student_of as student_of
