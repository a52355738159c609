"""Lessons on the screen: their list, and the step that is being done."""

from qmon_tui.report.lesson.lesson_list import LessonRows as LessonRows
from qmon_tui.report.lesson.page import (
    Keys as Keys,
    StepModel as StepModel,
    head_line as head_line,
    step_lines as step_lines,
)
