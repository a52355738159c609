"""What the page of the lessons shows of a step that has been answered: values, and clusters after an edit."""

import pytest

from qmon_tui.lessons import Course, find_lesson, open_lesson
from qmon_tui.report.lesson import StepModel
from qmon_tui.tui.learn.step import StepInput, build_step_model


def answered(lesson: str, step: int) -> StepModel:
    course = Course(open_lesson(find_lesson(lesson)))
    return build_step_model(StepInput(course, step - 1, course.start(step - 1), True, True, None))


@pytest.mark.parametrize(
    ("lesson", "step", "kinds"),
    [
        ("override_tickets", 1, ["After `users.userc.oticket=300000`:", "Derived", "JobTable"]),
        ("half_rule", 3, ["After `users.userb.oticket=1`:", "Derived"]),
        ("quotas", 4, ["Shown"]),
    ],
)
def test_values_after_an_edit_carry_a_label(lesson: str, step: int, kinds: list[str]) -> None:
    explained = answered(lesson, step).explained
    shown = [item if isinstance(item, str) else type(item).__name__ for item in explained]
    assert [word for word in shown if word.endswith(":") or word in ("Derived", "JobTable", "Shown")] == kinds


@pytest.mark.parametrize(
    ("lesson", "step", "edits"),
    [
        ("half_rule", 1, []),
        ("half_rule", 3, ["users.userb.oticket=1"]),
        ("week_two_policies", 3, ["scheduler.weight_ticket=1"]),
        ("string_expressions", 3, ["qalter -l 'arch=x24|sol' p1"]),
        ("slotwise_preemption", 3, ["queues.A.q.subordinate_list=slots=3(B.q)"]),  # texts alone: of the question
        ("share_tree", 4, ["add sharetree"]),
    ],
)
def test_explained_clusters_of_a_step(lesson: str, step: int, edits: list[str]) -> None:
    assert [other.edits for other in answered(lesson, step).others] == edits
