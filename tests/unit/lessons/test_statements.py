"""Numbers that stand in the texts of lessons, outside questions: the engine says the same."""

import re
import tomllib
from pathlib import Path

import pytest

from qmon_tui.lessons import Course, find_lesson, lesson_files, lesson_text, lessons_folder, open_lesson
from qmon_tui.lessons.data import read_data
from qmon_tui.lessons.quantities import value_of
from qmon_tui.lessons.reader import read_quantity
from qmon_tui.model import Kind, config_object

ROOT = Path(__file__).parents[3]
FIRST, AFTER, SOLVED = "as it begins", "after the edits of the question", "after the solution"

# Lesson, step, when, what, and what the text says of it, with the unit of its last digit.
STATEMENTS = [
    ("urgency", 2, FIRST, "{column: urg, job: 66622}", 1000, 0),
    ("urgency", 2, FIRST, "{column: urg, job: 63285}", 8000, 0),
    ("urgency", 3, AFTER, "{column: urg, job: giant}", 16000, 0),
    ("urgency", 4, SOLVED, "{column: nurg, job: 67652}", 0.5, 0),
    ("waiting_time", 1, FIRST, "{column: wtcontr, job: 66622}", 313545, 0),
    ("waiting_time", 3, FIRST, "{column: urg, job: 67652}", 4624, 0),
    ("waiting_time", 3, FIRST, "{column: urg, job: 67651}", 1652, 0),
    ("waiting_time", 3, FIRST, "{column: urg, job: 63284}", 1284085, 0),
    ("waiting_time", 5, FIRST, "{column: wtcontr, job: 66847}", 148994, 0),
    ("functional_tickets", 2, FIRST, "{column: ftckt, job: jobC1}", 83333, 1),
    ("functional_tickets", 4, AFTER, "{column: ftckt, job: jobB2}", 93750, 0),
    ("functional_tickets", 4, AFTER, "{column: ftckt, job: jobC1}", 50000, 0),
    ("override_tickets", 1, AFTER, "{column: otckt, job: jobC1}", 300000, 0),
    ("half_rule", 3, AFTER, "{column: ntckts, job: jobC1}", 0, 0),
    ("override_tickets", 1, AFTER, "{column: otckt, job: jobC2}", 150000, 0),
    ("override_tickets", 3, FIRST, "{column: ftckt, job: jobB4}", 20833, 1),
    ("override_tickets", 3, AFTER, "{column: ftckt, job: jobB4}", 62500, 0),
    ("forced_exclusive", 1, FIRST, "{instance: all.q@sim1, shows: used}", 2, 0),
    ("posix_priority", 2, FIRST, "{count: pending}", 32, 0),
    ("posix_priority", 2, FIRST, "{column: nurg, job: 63331}", 1, 0),
    ("posix_priority", 5, AFTER, "{column: prior, job: 63331}", 0.75, 0.000001),
    ("thousand_jobs", 3, AFTER, "{column: ftckt, job: 201}", 83333 / 199, 0.1),
    ("thousand_jobs", 3, AFTER, "{column: ftckt, job: 202}", 83333 / 199, 0.1),
    ("thousand_jobs", 3, AFTER, "{column: ftckt, job: 200}", 83333 / 198, 0.1),
    ("urgency", 1, FIRST, "{count: pending}", 9, 0),
    ("waiting_time", 2, FIRST, "{column: wtcontr, job: 67652}", 624, 0),
    ("share_tree", 2, FIRST, "{node: /ben, shows: actual}", 0.25, 0.001),
    ("share_tree", 3, AFTER, "{node: /ada, shows: actual}", 0.75, 0.001),
    ("relops_overriding", 7, SOLVED, "{waits: given}", True, 0),
    ("per_slot_per_job", 2, FIRST, "{instance: q2@sim1, shows: total}", 5, 0),
    ("string_expressions", 3, FIRST, "{granted: p1}", 6, 0),
    ("quotas", 2, AFTER, "{count: running, owner: anna}", 100, 0),
    ("quotas", 5, FIRST, "{instance: all.q@sim2, shows: used}", 16, 0),
    ("quota_requests", 3, FIRST, "{starts: five}", False, 0),
    ("quota_requests", 4, SOLVED, "{starts: sixbig}", True, 0),
    ("thresholds_calendars", 5, FIRST, "{state: early}", "S", 0),
    ("preemption_tree", 1, FIRST, "{state: new}", "St", 0),
    ("relops_overriding", 7, SOLVED, "{waits: given}", True, 0),
    ("reservation_backfilling", 2, FIRST, "{day: started, job: long, for: 12h}", 0, 0),
    ("reservation_backfilling", 4, FIRST, "{day: started, job: big, for: 12h}", 3600, 0),
    ("week_two_policies", 1, FIRST, "{count: pending, owner: dana}", 0, 0),
    ("week_two_policies", 2, AFTER, "{day: wait.max, for: 7d, owner: dana}", 4 * 3600, 60),
    ("week_two_policies", 3, FIRST, "{day: wait.mean, for: 7d, owner: mona}", 229680 / 1.1, 1),
    ("reforms", 1, FIRST, "{column: ftckt, job: jobB1}", 500000, 0),
    ("reforms", 4, FIRST, "{column: ftckt, job: jobC1}", 166667, 1),
    ("reforms", 6, FIRST, "{column: prior, job: jobC1}", 0.11, 0.000001),
]


@pytest.mark.parametrize(("name", "number", "when", "what", "said", "unit"), STATEMENTS)
def test_a_text_says_what_the_engine_computes(
    name: str, number: int, when: str, what: str, said: float | str, unit: float
) -> None:
    course = Course(open_lesson(find_lesson(name)))
    question = course.step(number - 1).question
    situation = course.start(number - 1)
    if when == AFTER:
        assert question is not None
        situation = course.after(number - 1, question.after)
    elif when == SOLVED:
        situation = course.solved(number - 1)
    assert value_of(situation, read_quantity(read_data(what))) == (
        said if isinstance(said, str) else pytest.approx(said, abs=unit)
    )


def test_all_waits_are_longer_on_average_with_a_reservation() -> None:
    course = Course(open_lesson(find_lesson("reservation_backfilling")))
    mean = read_quantity(read_data("{day: wait.mean, for: 12h}"))
    without, reserved = (value_of(course.start(number), mean) for number in (1, 3))
    assert isinstance(without, float)
    assert isinstance(reserved, float)
    assert reserved > without


WEIGHTS = ("weight_ticket", "weight_urgency", "weight_priority", "weight_waiting_time")


def test_lessons_know_the_weights_of_both_installations() -> None:
    """As `qconf -ssconf` of a fresh 8.1.9 of Debian's packages prints them, and after inst_schedd_normal.conf."""
    scheduler = config_object(Kind.SCHEDULER, "", {})
    assert [float(scheduler.text(weight)) for weight in WEIGHTS] == [0.5, 0.5, 0, 0.278]
    asked = Course(open_lesson(find_lesson("posix_priority")))
    for number, weights in ((2, [0.01, 0.1, 1, 0]), (5, [0.01, 0.1, 1, 0])):
        found = asked.start(number - 1).cluster.single(Kind.SCHEDULER)
        assert [float(found.text(weight)) for weight in WEIGHTS] == weights
    question = asked.step(4).question
    assert question is not None
    built_in = asked.after(4, question.after).cluster.single(Kind.SCHEDULER)
    assert [float(built_in.text(weight)) for weight in WEIGHTS[:3]] == [0.5, 0.5, 0]


def test_no_lesson_calls_weights_those_of_a_template() -> None:
    for path in lesson_files(lessons_folder()):
        assert "template" not in lesson_text(path), path.name


def test_tickets_that_add_up_do() -> None:
    course = Course(open_lesson(find_lesson("reforms")))
    assert sum(job.ftckt for job in course.start(3).outcome.jobs) == pytest.approx(1_000_000)


def test_userbs_thousand_have_what_the_study_says() -> None:
    course = Course(open_lesson(find_lesson("thousand_jobs")))
    waiting = [job for job in course.start(0).outcome.jobs if job.owner == "userb" and not job.tasks[0].granted]
    assert sum(int(job.ftckt) for job in waiting) == 540_051


def test_what_lessons_refer_to_is_shipped_with_them() -> None:
    build = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["hatch"]["build"]["targets"]["wheel"]
    found = {
        name
        for path in lesson_files(lessons_folder())
        for name in re.findall(r"^cluster: \.\./([^/\s]+)", lesson_text(path), re.MULTILINE)
    }
    assert "seeds" in found
    assert {f"configs/{name}" for name in found} <= build["force-include"].keys()
