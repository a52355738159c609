"""A step of a lesson in lines: what is asked, what was answered, what the goal still lacks, what it was about."""

import pytest

from qmon_tui.lessons import Course, Holding, JobTable, Progress, Shown
from qmon_tui.report import plain, width
from qmon_tui.report.lesson import Keys, StepModel, head_line, step_lines
from tests.unit.lessons.lessons_harness import course_with

KEYS = Keys("Space", "]", "t", "x", "E", "X")


def shown(course: Course, progress: Progress, model: StepModel | None = None, cells: int = 70) -> list[str]:
    lines = step_lines(course.lesson, progress, model, KEYS, cells)
    assert all(width(line) <= cells for line in lines)
    return [plain(line).rstrip() for line in lines]


def test_a_question_names_the_jobs_that_it_does_not_name() -> None:
    course = course_with("question: {ask: In which order?, of: {order: [fog, ice]}}")
    assert shown(course, Progress()) == ["Question  1 point", "In which order?", "    fog, ice"]
    course = course_with("question: {ask: 'fog or ice, which order?', of: {order: [fog, ice]}}")
    assert shown(course, Progress()) == ["Question  1 point", "fog or ice, which order?"]


def test_the_right_choice_is_marked_only_when_the_question_is_over() -> None:
    course = course_with("question: {ask: Who?, of: {first: pending}, choices: [ice, sea, fog], points: 2}")
    progress, model = Progress(), StepModel(0, "sea")
    assert shown(course, progress, model) == ["Question  2 points", "Who?", "   a  ice", "   b  sea", "   c  fog"]
    progress.note_answer(0, "a", right=False)
    assert shown(course, progress, model)[-1] == "✗ a: not right; 1 more try"
    progress.note_answer(0, "c", right=False)
    assert shown(course, progress, model)[1:] == [
        "Who?", "   a  ice", " ✓ b  sea", "   c  fog", "✗ c: not right", "  The answer is sea", "",
        "This was the last step: 0 of 2 points, not passed.",
        "X All lessons", "E writes your answers and edits to a file to hand in.",
    ]  # fmt: skip


def test_a_goal_hints_and_the_explanation() -> None:
    course = course_with(
        "{text: do, goal: [{starts: ice}], solution: [qdel sea], hints: [one, two]}", "text: the next one"
    )
    progress = Progress(hints={0: 1})
    model = StepModel(0, goal=(Holding(False, "ice starts: no; it should be yes."),))
    assert shown(course, progress, model) == [
        "do", "", "Goal  1 point", "○ ice starts: no; it should be yes.",
        "Edit the cluster with the keys of the program; x begins the step", "again.", "", "Hint", "one", "",
        "t Another hint",
    ]  # fmt: skip
    progress.reached.add(0)
    table = JobTable(("job", "user", "state", "prior"), (("sea", "anna", "qw", "0.5"),))
    model = StepModel(0, goal=(Holding(True, "ice starts: yes."),), explained=("**So** it is.", table, Shown("x: 1")))
    assert shown(course, progress, model)[2:] == [
        "Goal  reached", "✓ ice starts: yes.", "", "Hint", "one", "", "Explanation", "So it is.", "",
        "job  user  state  prior", "sea  anna  qw       0.5", "", "x: 1", "", "] Next step",
    ]  # fmt: skip


def test_a_model_of_another_step_is_not_shown() -> None:
    course = course_with("{goal: [{starts: ice}], solution: [qdel sea]}")
    model = StepModel(3, goal=(Holding(True, "of another step"),), problem="none of ours")
    assert "of another step" not in " ".join(shown(course, Progress(), model))


def test_a_fault_of_the_lesson_is_said() -> None:
    course = course_with("text: do")
    assert "This lesson has a fault: there is no job x" in shown(
        course, Progress(), StepModel(0, problem="there is no job x")
    )


@pytest.mark.parametrize("cells", [30, 60, 120])
def test_the_top_line(cells: int) -> None:
    course = course_with("question: {ask: Who?, of: {first: pending}}", "text: more")
    progress = Progress(step=1, right={0})
    line = plain(head_line(course.lesson, progress, cells))
    assert line.endswith("step 2/2  points 1/1 ")
    assert "●●" in line
