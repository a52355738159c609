"""What may change for a goal to count: by the lesson's `may_change`, and no fact that nothing allows."""

import json
from dataclasses import replace
from functools import cache

import pytest

from qmon_tui.lessons import ClusterState, Course, find_lesson, lesson_files, lessons_folder, open_lesson
from qmon_tui.lessons.changes import path_words
from qmon_tui.lessons.lesson import WholeCluster
from qmon_tui.model import CommandLine as PlannedCommand, Drain, Kind
from qmon_tui.report import all_changes
from qmon_tui.workspace import Document, SetField, edit_of_change
from tests.unit.lessons.lessons_harness import course_with, edits_of, problems_of


@cache
def half_rule() -> Course:
    return Course(open_lesson(find_lesson("half_rule")))


# Edits of the half rule, the path, and whether it is a fact.
CHANGES = [
    ("qalter -p 7 jobC1", "jobs.jobC1.-p", False),
    ("qalter -l h_rt=60 jobC1", "jobs.jobC1.-l", False),
    ("qhold jobC1", "jobs.jobC1.-h", False),
    ("qalter -N other jobC1", "jobs.jobC1.-N", False),
    ("qdel jobC1", "jobs.jobC1", False),
    ("qdel jobA1", "jobs.jobA1", False),
    ("qmod -sj jobA1", "jobs.jobA1.suspended", False),
    ("qmod -d all.q@sim1", "states.all.q@sim1", False),
    ("states.all.q@sim1.state=u", "states.all.q@sim1", True),
    ("loads.sim1.np_load_avg=3", "loads.sim1", True),
    ("jobs.jobC1.submitted=2011-04-06T09:00:00", "jobs.jobC1.submitted", True),
    ("jobs.jobC1.owner=usera", "jobs.jobC1.owner", True),
    ("jobs.jobC1.changed=2011-04-06T09:00:00", "jobs.jobC1.changed", True),
    ("jobs.jobC1.runtime=5", "jobs.jobC1.runtime", True),
    ("queues.all.q.slots=2", "queues.all.q.slots", False),
    ("users.usera.oticket=2", "users.usera.oticket", False),
]


@pytest.mark.parametrize(("edit", "path", "is_fact"), CHANGES)
def test_an_edit_has_a_path_and_is_a_fact_or_not(edit: str, path: str, is_fact: bool) -> None:
    changes = half_rule().edited(3, edits_of(json.dumps([edit]))).changes
    assert [(change.path, change.is_fact) for change in changes] == [(path, is_fact)]


def test_a_job_in_the_place_of_another_is_told_from_it() -> None:
    edits = edits_of('- qdel jobC1\n- {qsub: "-N jobC1 sleep 600", owner: userc}')
    assert sorted(half_rule().edited(3, edits).changed) == ["jobs.8", "jobs.jobC1"]


def test_a_folder_that_changes_the_simulated_day_is_noticed() -> None:
    start = half_rule().start(3)
    plan = replace(start.state.simulation, commands=(PlannedCommand(start.state.now + 60, "qdel jobB2"),))
    ocs = replace(start.cluster, dialect="ocs-9")
    for cluster, state, path in (
        (start.cluster, replace(start.state, simulation=plan), "simulation"),
        (start.cluster, replace(start.state, pe_alg=(1, 2, 3)), "pe_alg"),
        (ocs, start.state, "dialect"),
    ):
        changes = half_rule().edited(3, [WholeCluster(cluster, state)]).changes
        assert [(change.path, change.is_fact) for change in changes] == [(path, True)]


def test_what_is_taken_back_is_no_change() -> None:
    assert not half_rule().edited(3, edits_of("- qalter -p 9 jobB2\n- qalter -p 0 jobB2")).changes


ICE_FIRST = "{first: pending, is: ice}"
EARLY, LATE = "jobs.ice.submitted=2026-11-24T08:01:00", "jobs.sea.submitted=2026-11-24T08:40:00"

# Goal, what may change, solution, edit, whether that reaches the goal.
FACTS = [
    (ICE_FIRST, "", "qalter -p 9 ice", "qalter -p 7 ice", True),
    (ICE_FIRST, "", "qalter -p 9 ice", "users.otto.oticket=900", False),
    (ICE_FIRST, "", "qalter -p 9 ice", EARLY, False),
    (ICE_FIRST, "", EARLY, "jobs.ice.submitted=2026-11-24T08:02:00", True),
    (ICE_FIRST, "may_change: [jobs.*.submitted],", LATE, EARLY, True),
    (ICE_FIRST, "may_change: [jobs.3],", "qalter -p 9 ice", "qalter -p 7 ice", True),
    (ICE_FIRST, "may_change: [jobs.*],", "qalter -p 9 ice", EARLY, False),
    (ICE_FIRST, "may_change: [jobs.ice.-p],", "qalter -p 9 ice", "qhold sea", False),
    (f"{{changes_only: [jobs.*]}}, {ICE_FIRST}", "", "qalter -p 9 ice", EARLY, False),
    (f"{{changes_only: [jobs.*.submitted]}}, {ICE_FIRST}", "", LATE, EARLY, True),
]


@pytest.mark.parametrize(("goal", "rule", "solution", "edit", "counts"), FACTS)
def test_facts_count_only_where_the_lesson_allows_them(
    goal: str, rule: str, solution: str, edit: str, counts: bool
) -> None:
    weights = "{add: {scheduler: {weight_priority: 1, weight_ticket: 0, weight_urgency: 0}}}"
    course = course_with(f"{{given: [{weights}], goal: [{goal}], {rule} solution: ['{solution}']}}")
    assert all(held.holds for held in course.goal(0, course.solved(0)))
    assert all(held.holds for held in course.goal(0, course.edited(0, edits_of(f"- {edit}")))) is counts


def test_what_may_change_is_told_with_what_did() -> None:
    course = half_rule()
    assert course.goal(3, course.start(3))[-1] == (True, "Only -p of all jobs may change.")
    both = course.goal(3, course.edited(3, edits_of("- users.usera.oticket=3")))[-1]
    assert both == (False, "Only -p of all jobs may change: oticket of user usera changed, too.")
    plain = course_with("{goal: [{first: pending, is: ice}], solution: [users.otto.fshare=900]}")
    told = plain.goal(0, plain.edited(0, edits_of("- jobs.ice.owner=anna")))[-1]
    assert told == (False, "What is given may not be edited: owner of job ice changed.")


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("jobs.jobB4.-p", "-p of job jobB4"),
        ("jobs.a.b.-l", "-l of job a.b"),
        ("jobs.alone", "job alone"),
        ("jobs.*", "all jobs"),
        ("queues.A.q.*", "queue A.q"),
        ("queues.all.q.slots", "slots of queue all.q"),
        ("pes.smp", "parallel environment smp"),
        ("quotas.*", "all quotas"),
        ("quotas.q.limit", "limit of resource quota set q"),
        ("scheduler.*", "the scheduler configuration"),
        ("scheduler.weight_ticket", "weight_ticket of the scheduler configuration"),
        ("sharetree", "the share tree"),
        ("now", "the time"),
        ("states.all.q@host1", "the state of all.q@host1"),
        ("reservations.4", "advance reservation 4"),
        ("dialect", "the dialect"),
    ],
)
def test_paths_in_words(path: str, words: str) -> None:
    assert path_words(path) == words


GOAL = "goal: [{first: pending, is: ice}], solution: [users.otto.fshare=900]"
WRONG = [
    ("{question: {ask: What?, of: {count: pending}}, may_change: [now]}", "`may_change:` lists what may be changed"),
    (f"{{{GOAL}, may_change: []}}", "`may_change:` lists what may be changed"),
    (f"{{{GOAL}, may_change: [users.*.fshares]}}", 'nothing can be changed that is called "users.*.fshares"'),
    (
        f"{{{GOAL}, may_change: [users.*.oticket]}}",
        "the solution does not reach it: Only oticket of all users may change",
    ),
    (f"{{{GOAL}, why: perhaps}}", "`why:` is on or off"),
]


@pytest.mark.parametrize(("step", "said"), WRONG)
def test_a_check_tells_what_is_wrong_with_the_rule(step: str, said: str) -> None:
    assert any(said in problem.message for problem in problems_of(step))


def test_a_rule_may_name_facts_that_are_not_there_yet() -> None:
    assert problems_of(f"{{{GOAL}, may_change: [users.*.fshare, loads.sim9, now, states.*, usage.*, jobs.*.-p]}}") == []


def test_why_is_switched_off_for_the_lesson_or_a_step() -> None:
    steps = (f"{{{GOAL}}}", f"{{{GOAL}, why: on}}", f"{{{GOAL}, why: off}}")
    for top, told in (("", [True, True, False]), ("why: off\n", [False, True, False])):
        assert [step.tells_why for step in course_with(*steps, top=top).lesson.steps] == told


LESSONS = [pytest.param(path.stem, id=path.stem) for path in lesson_files(lessons_folder())]


@pytest.mark.parametrize("name", LESSONS)
def test_no_goal_is_reached_by_a_change_that_why_offers(name: str) -> None:
    course = Course(open_lesson(find_lesson(name)))
    for number, step in enumerate(course.lesson.steps):
        if not step.goal or not step.tells_why or name == "thousand_jobs":  # what a thousand jobs need takes minutes
            continue
        start = course.start(number)
        for job in [job for job in start.outcome.jobs if any("q" in task.state for task in job.tasks)][:3]:
            for change in start.explainer.changes(job.id, job.tasks[-1].task):
                document = Document(start.cluster, start.state)
                for part in all_changes(change):
                    if part.kind in set(Kind):
                        document = SetField(Kind(part.kind), part.name, part.field, part.after).made(document)
                    elif edit := edit_of_change(start.cluster, part):
                        document = edit.made(document)
                held = course.goal(number, start.after(ClusterState(document.cluster, document.state)))
                assert not all(one.holds for one in held), change.description


def test_the_reason_for_which_a_queue_instance_is_disabled_is_no_change_of_its_own() -> None:
    start = half_rule().start(3)
    drained = replace(start.state, drains={"sim1": (Drain("psu"),)}, queue_states={"all.q@sim1": "d"})
    changes = half_rule().edited(3, [WholeCluster(start.cluster, drained)]).changes
    assert [change.path for change in changes] == ["states.all.q@sim1"]
