"""A small lesson to try things with."""

from collections.abc import Iterable
from textwrap import dedent, indent

from qmon_tui.lessons import Course, LessonError, LessonProblem, Variant, check_lesson
from qmon_tui.lessons.data import read_data
from qmon_tui.lessons.lesson import LessonEdit, WholeCluster
from qmon_tui.lessons.reader import read_edits, read_lesson

CLUSTER = """\
complexes:
  lic: {shortcut: lic, type: INT, relop: <=, requestable: YES, consumable: YES, default: 0, urgency: 0}
hosts:
  global: {complex_values: lic=2}
  sim1: {}
  sim2: {}
hostgroups:
  "@nodes": {hostlist: sim1 sim2}
queues:
  all.q: {hostlist: "@nodes", slots: 2, load_thresholds: NONE}
users:
  anna: {fshare: 100}
  otto: {fshare: 100}
scheduler: {weight_tickets_functional: 1000, weight_ticket: 1.0}
now: 2026-11-24T09:00:00
jobs:
- {id: 1, owner: anna, submitted: 2026-11-24T08:00:00, qsub: -N old -l lic=1 sleep 7200,
   tasks: {1: {state: r, granted: {all.q@sim1: 1}, started: 2026-11-24T08:00:00}}}
- {id: 2, owner: anna, submitted: 2026-11-24T08:10:00, qsub: -N sea -l lic=1 sleep 600}
- {id: 3, owner: otto, submitted: 2026-11-24T08:20:00, qsub: -N ice -l lic=1 sleep 600}
- {id: 4, owner: otto, submitted: 2026-11-24T08:30:00, qsub: -N fog -l lic=9 sleep 600}
"""


def no_folder(name: str) -> WholeCluster:
    raise LessonError(f"there is no {name}")


def lesson_with(*steps: str, top: str = "") -> str:
    """The text of a lesson whose steps are given as YAML mappings."""
    written = "".join("- " + indent(dedent(step).strip(), "  ").lstrip() + "\n" for step in steps)
    return f"title: A lesson\nsubject: trials\n{top}cluster:\n{indent(CLUSTER, '  ')}\nsteps:\n{written}"


def course_with(*steps: str, top: str = "", student: str = "", index: int = 0) -> Course:
    return Course(read_lesson(lesson_with(*steps, top=top), "trial", no_folder, Variant(student, index)))


def problems_of(*steps: str, top: str = "") -> list[LessonProblem]:
    return check_lesson(lesson_with(*steps, top=top), "trial", no_folder)


def edits_of(text: str) -> tuple[LessonEdit, ...]:
    """The edits of a list in YAML."""
    return read_edits(read_data(text), text)


def answers_of(questions: Iterable[str]) -> list[object]:
    """What the engine says to each `of`."""
    steps = [f"question: {{ask: What?, of: {question}}}" for question in questions]
    course = course_with(*steps)
    found = [course.correct(number) for number in range(len(steps))]
    return [correct.value for correct in found if correct is not None]
