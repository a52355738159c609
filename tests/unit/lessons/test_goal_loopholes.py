"""A goal is reached only by what its text asks for: the edits of a student that do anything else do not count."""

import json
import re
from functools import cache
from random import Random

import pytest
from hypothesis import given, strategies as st

from qmon_tui.formats import Layout, folder_texts
from qmon_tui.lessons import (
    Course,
    LessonError,
    Situation,
    find_lesson,
    graded,
    lesson_files,
    lessons_folder,
    open_lesson,
)
from qmon_tui.lessons.lesson import LessonEdit
from qmon_tui.lessons.submission import Submission, read_submission
from qmon_tui.model import Kind
from qmon_tui.values import format_time
from tests.unit.lessons.lessons_harness import edits_of

# Lesson, step, and what its text lets a student change, as a pattern of the drawn edits below.
ASKED = [
    ("forced_exclusive", 6, r"jobs\.(alone|later)\.(-.*|deleted)"),
    ("functional_tickets", 5, r"users\..*\.fshare"),
    ("half_rule", 4, r"jobs\..*\.-p"),
    ("override_tickets", 5, r"jobs\.jobB4\.-ot"),
    ("per_slot_per_job", 5, r"queues\.q2\.complex_values"),
    ("posix_priority", 6, r"jobs\.63316\.-p"),
    ("preemption_tree", 3, r"queues\.B\.q\.subordinate_list"),
    ("quota_requests", 4, r"quotas\.max_virtual_free_on_lx_hosts\.limit"),
    ("quotas", 6, r"quotas\.each\.limit"),
    ("reforms", 6, r"jobs\.jobB4\.-p"),
    ("relops_overriding", 6, r"complexes\.speed\.relop"),
    ("relops_overriding", 7, r"(hosts\.old|queues\.other\.q)\..*"),
    ("reservation_backfilling", 5, r"jobs\.careful\.-l"),
    ("share_tree", 4, r"sharetree"),
    ("share_tree", 5, r"scheduler\..*"),
    ("slotwise_preemption", 6, r"queues\.[AB]\.q\..*"),
    ("string_expressions", 6, r"jobs\.p7\.-l"),
    ("thousand_jobs", 4, r"users\..*\.fshare"),
    ("thresholds_calendars", 6, r"queues\.all\.q\..*"),
    ("urgency", 4, r"complexes\.slots\.urgency"),
    ("waiting_time", 5, r"scheduler\.weight_waiting_time"),
    ("week_two_policies", 4, r"quotas\..*"),
]


@cache
def course_of(name: str) -> Course:
    return Course(open_lesson(find_lesson(name)))


def drawn_edit(situation: Situation, draw: Random) -> tuple[str, str]:
    """Return what an edit changes, by the words of ASKED, and the edit; most of them move jobs in the list."""
    job = draw.choice(situation.state.jobs)
    name, number = situation.label(job.id), job.id
    users = [*situation.cluster.objects(Kind.USER)]
    host = draw.choice([*situation.cluster.objects(Kind.HOST)])
    queue = draw.choice([*situation.cluster.objects(Kind.QUEUE)])
    weight = draw.choice(["urgency", "ticket", "priority", "waiting_time", "tickets_functional", "tickets_share"])
    given = f"id: {number}, owner: {job.owner}, submitted: {format_time(job.submitted)}, qsub: {json.dumps(job.qsub)}"
    running = f"{{1: {{state: r, granted: {{{queue}@{host}: 1}}}}}}"
    number_text = f"{draw.choice([1, 3, 100, 5000])}"
    edits = [
        (f"jobs.{name}.submitted", f"jobs.{number}.submitted={draw.choice(['2001-01-01T00:00:00', '+1h'])}"),
        (f"jobs.{name}.owner", f"jobs.{number}.owner={draw.choice(['nobody', *users])}"),
        (f"jobs.{name}.group", f"jobs.{number}.group=wheel"),
        (f"jobs.{name}.runtime", f"jobs.{number}.runtime={number_text}"),
        (f"jobs.{name}.command", f"jobs.{number}.qsub=-N {job.name} sleep 7"),
        (f"jobs.{name}.tasks", f"{{add: {{jobs: [{{{given}, tasks: {running}}}]}}}}"),
        (f"jobs.{name}.deleted", f"qdel {number}"),
        (f"jobs.{name}.-h", f"qhold {number}"),
        (f"jobs.{name}.-p", f"qalter -p {draw.choice([-100, 7, 100])} {number}"),
        (f"jobs.{name}.-ot", f"qalter -ot {number_text} {number}"),
        (f"jobs.{name}.-js", f"qalter -js {number_text} {number}"),
        (f"jobs.{name}.-N", f"qalter -N other {number}"),
        ("jobs.new", '{qsub: "-N jobC1 -p 0 sleep 600", owner: root}'),
        (f"scheduler.weight_{weight}", f"scheduler.weight_{weight}={number_text}"),
        (f"loads.{host}", f"loads.{host}.np_load_avg={number_text}"),
        (f"states.{queue}@{host}", f"qmod -d {queue}@{host}"),
        (f"queues.{queue}.slots", f"queues.{queue}.slots={number_text}"),
        (f"queues.{queue}.seq_no", f"queues.{queue}.seq_no={number_text}"),
        (f"hosts.{host}.complex_values", f"hosts.{host}.complex_values=slots={number_text}"),
        ("hosts.new", "{add: {hosts: {extra: {}}}}"),
        ("complexes.slots.urgency", f"complexes.slots.urgency={number_text}"),
        ("now", f"{{now: +{number_text}s}}"),
        ("quotas.extra", '{add: {quotas: {extra: {enabled: TRUE, limit: ["users * to slots=1"]}}}}'),
        *[(f"users.{user}.{field}", f"users.{user}.{field}={number_text}") for user in users
          for field in ("fshare", "oticket")],
    ]  # fmt: skip
    return draw.choice(edits)


def reached(course: Course, number: int, edits: tuple[LessonEdit, ...]) -> bool:
    """Return whether edits reach the goal of a step, by the grade, which must be what the screen says."""
    marks = graded(course.lesson, Submission("ada", course.lesson.name, {}, {number: edits})).marks
    (mark,) = [mark for mark in marks if (mark.step, mark.what) == (number, "goal")]
    situation = course.edited(number - 1, edits)
    assert (mark.points > 0) is all(held.holds for held in course.goal(number - 1, situation))
    return mark.points > 0


def differs(course: Course, number: int, edits: tuple[LessonEdit, ...], more: tuple[LessonEdit, ...]) -> bool:
    """Return False where edits cannot be made, or change nothing more."""
    try:
        before = course.edited(number - 1, edits)
        after = course.edited(number - 1, (*edits, *more))
    except LessonError:
        return False
    return (before.cluster, before.state) != (after.cluster, after.state)


def no_loophole(which: int, seed: int) -> None:
    name, number, asked = ASKED[which]
    course, draw = course_of(name), Random(seed)
    solution = course.step(number - 1).solution
    for edits in ((), solution):
        changed, text = drawn_edit(course.start(number - 1), draw)
        extra = edits_of(f"- {text}" if text.startswith("{") else json.dumps([text]))
        if re.fullmatch(asked, changed) or not differs(course, number, edits, extra):
            continue
        situation = course.edited(number - 1, (*edits, *extra))
        held = course.goal(number - 1, situation)
        assert not all(one.holds for one in held), (name, number, text)
        assert not held[-1].holds, (name, number, text, situation.changes)


@pytest.mark.parametrize("which", range(len(ASKED)), ids=[f"{name}-{number}" for name, number, _ in ASKED])
def test_what_the_text_does_not_ask_for_reaches_no_goal(which: int) -> None:
    for seed in range(12):
        no_loophole(which, seed)


@given(st.integers(0, len(ASKED) - 1), st.integers(0, 2**32))
def test_other_edits_reach_no_goal(which: int, seed: int) -> None:
    no_loophole(which, seed)


def test_every_goal_says_what_may_change() -> None:
    goals = {
        (path.stem, number)
        for path in lesson_files(lessons_folder())
        for number, step in enumerate(open_lesson(path).steps, 1)
        if step.goal
    }
    assert goals == {(name, number) for name, number, _ in ASKED}
    assert all(course_of(name).step(number - 1).may_change for name, number in goals)


# Lesson, step, edits that once had all points.
LOOPHOLES = [
    ("half_rule", 4, "- users.userc.oticket=5"),
    ("half_rule", 4, "- jobs.jobC1.submitted=2011-04-06T10:00:00"),
    ("half_rule", 4, "- qdel jobB2\n- qdel jobB4"),
    ("half_rule", 4, "- qalter -p 64 jobC1\n- jobs.jobC1.owner=usera"),
    ("override_tickets", 5, "- jobs.jobB4.qsub=-N jobB4 -ot 70000 -p 3 sleep 600"),
    ("reservation_backfilling", 5, "- jobs.careful.submitted=2026-11-02T10:00:00\n- qalter -l h_rt=0:15:0 careful"),
    ("reservation_backfilling", 5, "- qalter -l h_rt=0:5:0 careful"),
    ("share_tree", 4, '- {add: {sharetree: "id=0\\nname=Root\\ntype=0\\nshares=1\\nchildnodes=1\\nid=1\\nname=ada\\n'
     'type=0\\nshares=900\\nchildnodes=NONE\\n"}}'),
    ("week_two_policies", 4, "- queues.all.q.slots=500"),
    ("week_two_policies", 4, "- qdel mountain"),
    ("week_two_policies", 4, '- {add: {quotas: {half: {enabled: TRUE, limit: ["users mona to slots=0"]}}}}'),
    ("week_two_policies", 4, "- jobs.mountain.runtime=60"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "number", "edits"), LOOPHOLES)
def test_a_loophole_is_closed(name: str, number: int, edits: str) -> None:
    assert not reached(course_of(name), number, edits_of(edits))


# Lesson, step, another way that the text allows as well.
OTHER_WAYS = [
    ("half_rule", 4, "- qalter -p -1 jobB2\n- qalter -p 0 jobB2\n- qalter -p 1 jobC1"),
    ("forced_exclusive", 6, "- qalter -h u alone"),
    ("thresholds_calendars", 6, "- queues.all.q.load_thresholds=NONE"),
    ("relops_overriding", 7, "- hosts.old.complex_values=arch=hp11"),
    ("share_tree", 5, "- scheduler.weight_ticket=0"),
    ("string_expressions", 6, "- qalter -l 'arch=lx2[64]-x86' p7"),
    ("functional_tickets", 5, "- users.userb.fshare=30"),
]


@pytest.mark.parametrize(("name", "number", "edits"), OTHER_WAYS)
def test_another_way_counts(name: str, number: int, edits: str) -> None:
    assert reached(course_of(name), number, edits_of(edits))


@pytest.mark.parametrize("which", range(len(ASKED)), ids=[f"{name}-{number}" for name, number, _ in ASKED])
def test_files_and_edits_are_graded_alike(which: int) -> None:
    name, number, _ = ASKED[which]
    course = course_of(name)
    solution = course.step(number - 1).solution
    job = course.start(number - 1).state.jobs[-1].id
    for more in ((), edits_of(f"- jobs.{job}.submitted=2001-01-01T00:00:00"), edits_of(f"- qalter -js 3 {job}")):
        edits = (*solution, *more)
        situation = course.edited(number - 1, edits)
        texts = folder_texts(Layout.YAML, situation.cluster, situation.state)
        text = json.dumps({"edits": {f"{number}": {"files": texts}}})
        handed_in = read_submission(text, find_lesson(name)).edits[number]
        assert reached(course, number, handed_in) == reached(course, number, edits) == (not more), (name, more)
