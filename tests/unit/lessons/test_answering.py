"""Which answers are right: numbers as qstat prints them, jobs by name or number, choices by text, letter or number."""

import pytest

from qmon_tui.lessons import LessonError
from tests.unit.lessons.lessons_harness import course_with

RIGHT = [
    (
        "{ask: A, of: {column: ftckt, job: ice}}",
        ("125", "125.0", " 125 ", "250/2", "125,0", "125 tickets", "about 125", "250/2 = 125"),
        ("124", "125.1", "125 %", "none"),
    ),
    ("{ask: A, of: {column: prior, job: sea}}", ("0.39583", "0.3958333", "39.583 %"), ("0.4", "0.39584")),
    ("{ask: A, of: {column: prior, job: sea}, within: 0.01}", ("0.4", "0.39"), ("0.41", "0.38")),
    (
        "{ask: A, of: {order: [fog, ice, sea]}}",
        (
            "sea, ice, fog",
            "2 3 4",
            "sea > ice > fog",
            "1. sea 2. ice 3. fog",
            "sea (2), ice (3), fog (4)",
            "2 sea 3 ice 4 fog",
            "job Sea, then ice and fog",
            "sea->ice->fog",
            "2.1 3.1 4.1",
        ),
        ("fog ice sea",),
    ),
    ("{ask: A, of: {first: pending}}", ("sea", "SEA", "2", "job 2", "sea (2)", "2 sea", "#2"), ("ice", "3", "nobody")),
    (
        "{ask: A, of: {place: old}}",
        ("all.q@sim1", "sim1", "on sim1", "SIM1", "sim1.example.org", "all.q@sim1.example.org", "all.q on sim1"),
        ("all.q@sim2", "nowhere", "sim2", "sim1 sim2"),
    ),
    ("{ask: A, of: {place: fog}}", ("nowhere", "-", "none", "waits", "it waits", "it does not run"), ("sim1",)),
    (
        "{ask: A, of: {starts: sea}}",
        ("yes", "Y", "true", "Yes, it does.", "it does"),
        ("no", "n", "it does not", "no, it waits"),
    ),
    ("{ask: A, of: {count: pending}, choices: [1, 2, 3]}", ("2", "b", "b)", "(b)", "choice b"), ("a", "3")),
    ("{ask: A, of: {first: pending}, choices: [ice, fog, sea]}", ("sea", "c", "3"), ("a", "2", "fog")),
    ("{ask: A, of: {state: old}}", ("r", "R"), ("qw",)),
    ("{ask: A, of: {count: pending}}", ("2", "2.0", "two", "2 jobs"), ("1", "three")),
    (
        "{ask: A, of: {day: started, job: ice}}",
        (
            "600",
            "600 s",
            "10 min",
            "0:10:0",
            "1/6 h",
            "10",
            "9 min 60 s",
            "0h 10min",
            "600 s (10 min)",
        ),
        ("6000", "600 min", "10 s", "10 h", "11", "9 min 6 s", "0"),
    ),
    ("{ask: A, of: {count: pending}}", ("2", "2 h"), ("120", "2/60")),
    ("{ask: A, of: {day: started, job: ice}, within: 2m}", ("8 min", "12 min"), ("7 min", "13 min")),
    ("{ask: A, of: {day: started, job: ice}, within: 9000}", ("9,600", "9 600", "2h"), ("9 601", "9,600.5")),
    (
        "{ask: A, choices: [{text: sea only, if: {starts: sea}}, {text: fog and ice, if: {starts: fog}}]}",
        ("a", "sea only", "sea"),
        ("ice and fog", "fog"),
    ),
    (
        "{ask: A, choices: [{text: 'yes', if: {starts: sea}}, {text: 'no', if: {starts: fog}}]}",
        ("y", "yes, it does", "1"),
        ("n", "no"),
    ),
]


@pytest.mark.parametrize(("question", "right", "wrong"), RIGHT)
def test_an_answer_is_right_or_not(question: str, right: tuple[str, ...], wrong: tuple[str, ...]) -> None:
    course = course_with(f"question: {question}")
    for given in right:
        assert course.verdict(0, given).right, given
    for given in wrong:
        verdict = course.verdict(0, given)
        assert (verdict.right, verdict.understood) == (False, True), given


NOT_UNDERSTOOD = [
    ("{ask: A, of: {column: ftckt, job: ice}}", "a lot", '"a lot" is not a number'),
    ("{ask: A, of: {column: ftckt, job: ice}}", "nan", '"nan" is not a number'),
    ("{ask: A, of: {column: ftckt, job: ice}}", "1/0", '"1/0" is not a number'),
    ("{ask: A, of: {column: ftckt, job: ice}}", "", "there is no answer"),
    ("{ask: A, of: {order: [fog, ice, sea]}}", "sea ice", "name each of fog, ice, sea once"),
    ("{ask: A, of: {order: [fog, ice, sea]}}", "sea ice sun", "there is no job sun"),
    ("{ask: A, of: {column: prior, job: sea}}", "0.3958", "0.3958 is rounded: give five decimals"),
    ("{ask: A, of: {first: pending}}", "9", "there is no job 9"),
    ("{ask: A, of: {place: old}}", "sim9", "there is no host sim9"),
    ("{ask: A, of: {place: old}}", "some.q@sim1", "there is no queue instance some.q@sim1"),
    ("{ask: A, of: {place: old}}", "all.q", "all.q has several queue instances, such as all.q@sim1: name which"),
    ("{ask: A, of: {starts: sea}}", "perhaps", "answer yes or no"),
    ("{ask: A, of: {first: pending}, choices: [ice, fog, sea]}", "d", '"d" is not a choice: answer a to c'),
    ("{ask: A, of: {first: pending}, choices: [ice, fog, sea]}", "9" * 5000, "is not a choice"),
]


@pytest.mark.parametrize(("question", "given", "said"), NOT_UNDERSTOOD)
def test_what_is_not_understood_is_said(question: str, given: str, said: str) -> None:
    verdict = course_with(f"question: {question}").verdict(0, given)
    assert not verdict.right
    assert not verdict.understood
    assert said in verdict.words


WHY = [
    ("{ask: A, of: {column: ftckt, job: ice}}", "124", "It is more than that."),
    ("{ask: A, of: {column: ftckt, job: ice}}", "1,000", "It is less than that."),
    ("{ask: A, of: {day: started, job: ice}}", "9", "It is not that, in seconds, minutes or hours."),
    ("{ask: A, of: {day: started, job: ice}}", "9 min", "It is more than that."),
    ("{ask: A, of: {day: started, job: ice}}", "0", "It is more than that."),
    ("{ask: A, of: {order: [fog, ice, sea]}}", "sea fog ice", "fog does not come before ice."),
    ("{ask: A, of: {order: [ice, sea]}}", "ice sea", ""),
    ("{ask: A, of: {place: old}}", "nowhere", "It is somewhere."),
    ("{ask: A, of: {place: old}}", "sim1 sim2", "There are fewer."),
    ("{ask: A, of: {first: pending}}", "ice", "Another one comes before ice."),
    ("{ask: A, of: {first: pending}}", "old", "old is not in the list of pending jobs."),
    ("{ask: A, of: {first: started}}", "fog", "fog does not start in this run."),
    ("{ask: A, choices: [{text: both, if: {starts: fog}}, {text: one, if: {starts: sea}}]}", "a", ""),
]


@pytest.mark.parametrize(("question", "given", "why"), WHY)
def test_a_wrong_answer_says_what_it_misses(question: str, given: str, why: str) -> None:
    verdict = course_with(f"question: {question}").verdict(0, given)
    assert (verdict.right, verdict.understood, verdict.why) == (False, True, why)


@pytest.mark.parametrize("choice", ["{text: many, if: {count: pending, above: 5}}, {text: ice, if: {starts: ice}}"])
def test_choices_of_which_none_holds_say_what_is_so(choice: str) -> None:
    with pytest.raises(LessonError) as raised:
        course_with(f"question: {{ask: A, choices: [{choice}]}}").correct(0)
    assert raised.value.message == (
        "none of the choices holds. The number of pending tasks is 2; it should be more than 5. "
        "ice starts: no; it should be yes"
    )


@pytest.mark.parametrize(("of", "text"), [("{day: started, job: ice}", "600 s (10 min)"), ("{count: pending}", "2")])
def test_the_right_answer_can_be_given_as_it_is_shown(of: str, text: str) -> None:
    course = course_with(f"question: {{ask: A, of: {of}}}")
    correct = course.correct(0)
    assert correct is not None
    assert correct.text == text
    assert course.verdict(0, text).right


GOALS = [
    ("{first: pending, is: ice}", "The first pending job is sea; it should be ice."),
    ("{first: pending, is_not: sea}", "The first pending job is sea; it should be a value other than sea."),
    ("{starts: fog}", "fog starts: no; it should be yes."),
    ("{starts: sea, is: no}", "sea starts: yes; it should be no."),
    ("{count: pending, below: 1}", "The number of pending tasks is 2; it should be less than 1."),
    ("{count: pending, at_least: 3, at_most: 4}", "The number of pending tasks is 2; it should be at least 3."),
    ("{order: [ice, sea]}", "The order of ice, sea in the pending list is sea, ice; it should be ice, sea."),
    ("{place: fog, is: all.q@sim1}", "The place of fog is nowhere; it should be all.q@sim1."),
    ("{reason: fog, says: colour}", 'it should be a text with "colour".'),
    ("{day: wait.mean, below: 1, for: 2h}",
     "mean wait in the simulated time over 2h is 33 min 20 s; it should be less than 1 s."),
    ("{day: wait.mean, above: 2h, for: 120m}",
     "mean wait in the simulated time over 120m is 33 min 20 s; it should be more than 2 h."),
    ("{day: wait.mean, is: 33m, within: 10, for: 2h}",
     "mean wait in the simulated time over 2h is 33 min 20 s; it should be 33 min."),
    ("{waits: nobody}", "There is no job nobody."),
]  # fmt: skip


@pytest.mark.parametrize(("goal", "said"), GOALS)
def test_why_a_goal_is_not_reached(goal: str, said: str) -> None:
    course = course_with(f"{{goal: [{goal}], solution: [qalter -p 1 sea]}}")
    (held,) = course.goal(0, course.start(0))
    assert not held.holds
    assert said in held.words


def test_what_else_was_changed_is_named() -> None:
    course = course_with("{goal: [{changes_only: [users.*.fshare]}], solution: [users.anna.fshare=7]}")
    (held,) = course.goal(0, course.solved(0))
    assert held.holds
    from qmon_tui.lessons.edits import field_edit

    edited = course.edited(0, [field_edit("users.anna.fshare=7", 1), field_edit("queues.all.q.slots=9", 1)])
    (held,) = course.goal(0, edited)
    assert held.words == "Nothing else than fshare of all users is changed: no, slots of queue all.q changed."
    assert edited.changed == ("queues.all.q.slots", "users.anna.fshare")
