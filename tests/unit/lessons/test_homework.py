"""Homework: the same name draws the same values, everywhere; each value is tried by a check."""

from collections import Counter

from qmon_tui.lessons import Variant, check_lesson
from qmon_tui.lessons.draws import drawn
from tests.unit.lessons.lessons_harness import course_with, lesson_with, no_folder

TOP = "draws:\n  slots: [2, 3, 4]\n  user: [anna, otto]\n"
STEP = """
text: "${user} gets ${slots} slots, ${nothing}"
given: ["queues.all.q.slots=${slots}", users.otto.fshare=10]
"""


def test_a_name_draws_always_the_same() -> None:
    texts = {name: course_with(STEP, top=TOP, student=name).lesson.steps[0].text for name in ("Ada", "Bob", "Eve")}
    assert texts == {name: course_with(STEP, top=TOP, student=name).lesson.steps[0].text for name in texts}
    assert course_with(STEP, top=TOP, student=" a D a").lesson.steps[0].text == texts["Ada"]
    # These must never change: who has begun would find another task.
    assert [Variant(name).choose("slots", 3) for name in ("Ada", "Bob", "Eve", "Ada Lovelace")] == [2, 0, 2, 0]


def test_names_are_spread_over_the_values() -> None:
    counted = Counter(Variant(f"student {number}").choose("slots", 3) for number in range(3000))
    assert all(900 < count < 1100 for count in counted.values())


def test_without_a_name_the_first_value_holds() -> None:
    course = course_with(STEP, top=TOP)
    assert course.lesson.steps[0].text == "anna gets 2 slots, ${nothing}"
    assert course.lesson.variants == 3


def test_a_draw_stands_anywhere_and_keeps_its_line() -> None:
    text = "title: a\nx:\n- {draw: [one, two]}\n- {draw: ['3 4', five]}\nlast: {draw: [1, 2]}\n"
    changed, root, variants, values = drawn(text, Variant(index=1))
    assert dict(values) == {"1": "two", "2": "five", "3": "2"}
    assert changed == "title: a\nx:\n- two\n- five\nlast: 2\n"
    assert (root.pairs["last"].line, variants) == (5, 2)


def test_a_check_tries_every_value() -> None:
    top = "draws:\n  most: [9, 1]\n"
    step = "{goal: [{starts: ice}], solution: ['hosts.global.complex_values=lic=${most}']}"
    (problem,) = check_lesson(lesson_with(step, top=top), "trial", no_folder)
    assert "the solution does not reach it" in problem.message
    assert problem.message.endswith("(variant 2)")
