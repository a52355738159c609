"""Lessons on the screen: their list, and the step that is being done."""

from qmon_tui.tui.present.lesson.lesson_list import LessonRows
from qmon_tui.tui.present.lesson.markdown import markdown_lines
from qmon_tui.tui.present.lesson.page import Keys, StepModel, head_line, step_lines, unfolded_lines

__all__ = ["Keys", "LessonRows", "StepModel", "head_line", "markdown_lines", "step_lines", "unfolded_lines"]
