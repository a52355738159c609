"""What a lesson may say, and what is said of one that makes no sense: a sentence with its line, never an exception."""

import pytest
from hypothesis import given, strategies as st

from qmon_tui.lessons import check_lesson
from tests.examples import examples
from tests.unit.lessons.lessons_harness import lesson_with, no_folder, problems_of

WRONG = [
    ("question: {ask: Who?}", "a question needs `of:`, or choices that each have an `if:`"),
    ("question: {of: {first: pending}}", "a question needs `ask:`"),
    ("question: {ask: Who?, of: {frist: pending}}", "it does not say what is computed"),
    ("question: {ask: Who?, of: {first: last}}", 'first cannot be "last"'),
    ("question: {ask: Who?, of: {first: pending, job: sea}}", '"job" does not belong to first'),
    ("question: {ask: Who?, of: {column: prior}}", "column needs `job:`"),
    ("question: {ask: Who?, of: {column: [prior, nurg], job: sea}}", "column needs one word"),
    ("question: {ask: Who?, of: {first: pending}, kind: guess}", 'there is no kind "guess"'),
    ("question: {ask: Who?, of: {first: pending}, kind: choice}", "a choice needs `choices:`"),
    ("question: {ask: Who?, of: {first: pending}, choices: [ice, fog]}", 'the answer, "sea", is none of the choices'),
    ("question: {ask: Who?, of: {first: pending}, choices: [ice, ice]}", "choices are at most 26, each another one"),
    ("question: {ask: Who?, of: {first: pending}, answer: ice}", 'the engine says "sea", not "ice"'),
    ("question: {ask: Who?, of: {first: pending}, points: -1}", "points are 0 to 1000"),
    ("question: {ask: Who?, of: {first: pending}, points: many}", '"many" is not a finite number'),
    ("question: {ask: Who?, of: {first: pending}, points: inf}", '"inf" is not a finite number'),
    ("question: {ask: Who?, of: {first: pending}, after: [nonsense]}", '"nonsense" is not an edit'),
    ("question: {ask: Who?, of: {first: pending}, after: [queues.x.q.slots=1]}", "there is no queue x.q"),
    ("question: {ask: A?, choices: [{text: a, if: {starts: sea}}, {text: b, if: {waits: ice}}]}", "hold at once"),
    (
        "question: {ask: A?, choices: [{text: a, if: {starts: ice}}, {text: b, if: {waits: sea}}]}",
        "none of the choices",
    ),
    ("goal: [{starts: ice}]", "a goal needs a `solution:`"),
    ("{goal: [{starts: sea}], solution: [qalter -p 1 sea]}", "it is reached before anything is done"),
    ("{goal: [{starts: fog}], solution: [qalter -p 1 sea]}", "the solution does not reach it"),
    ("{goal: [{column: prior, job: sea}], solution: [qalter -p 1 sea]}", "it does not say what column must be"),
    ("{goal: [{starts: fog, above: x}], solution: [qalter -p 1 sea]}", "above needs a number"),
    ("{goal: [{starts: fog, maybe: yes}], solution: [qalter -p 1 sea]}", '"maybe" does not belong to starts'),
    ("solution: [qalter -p 9999 sea]", "qalter -p 9999 sea"),
    ("solution: [qalter -p 1 nobody]", "is not a command that is understood here"),
    ("solution: [{qsub: sleep 1}]", "who submits the job?"),
    ("solution: [{add: {queues: [1, 2]}}]", "step 1, solution:"),
    ("solution: [{remove: queues.none.q}]", "there is no queue none.q"),
    ("solution: [{remove: nothing}]", "write {remove: KEY.NAME}"),
    ("solution: [{now: never}]", "step 1, solution:"),
    ("solution: [{do: something}]", "this is no edit"),
    ("given: [users.nobody.fshare=1]", "step 1 cannot begin: there is no user nobody"),
    ("explain: [{derive: nobody}]", "there is no job nobody"),
    ("explain: [{derive: sea, number: karma}]", 'no part "karma"'),
    ("explain: [{table: [colour]}]", 'there is no column "colour"'),
    ("explain: [{think: hard}]", "an explanation is a text, or {derive:}"),
    ("from: here", "`from:` is start, or left out"),
    ("points: 3", "`points:` of a step are those of its goal"),
    ("quesiton: {}", 'a step has no key "quesiton"'),
    ("hints: {a: b}", "a text is expected here"),
]


@pytest.mark.parametrize(("step", "said"), WRONG)
def test_a_fault_is_told_with_its_line(step: str, said: str) -> None:
    problems = problems_of(step)
    assert any(said in f"{problem.message} {problem.hint}" for problem in problems), problems
    assert all(problem.line is not None for problem in problems)


TOPS = [
    ("title: a\ncluster: {}\nsteps: []\n", "a lesson has 1 to 100 steps"),
    ("title: a\nsteps: [{text: b}]\n", "a lesson needs `cluster:`"),
    ("title: a\ncluster: nowhere\nsteps: [{text: b}]\n", "there is no nowhere"),
    ("title: a\ncluster: [1]\nsteps: [{text: b}]\n", "keys with values are expected here"),
    ("title: a\ncluster: {}\nsteps: nothing\n", "keys with values are expected here: this is a step"),
    ("title: a\npass: 2\ncluster: {}\nsteps: [{text: b}]\n", "`pass` is a part of all points"),
    ("title: a\ncluster: {queues: {all.q: {slots: [}}\nsteps: []\n", "it is not readable YAML"),
    ("title: a\ntitle: b\n", 'the key "title" is here twice'),
    ("- a\n- b\n", "a lesson begins with keys"),
    ("title: a\n---\ntitle: b\n", "several documents"),
    ("draws: {n: []}\ntitle: a\n", "values to draw from are a list"),
    ("title: {draw: [a, {b: c}]}\n", "values to draw from are a list"),
]


@pytest.mark.parametrize(("text", "said"), TOPS)
def test_a_fault_of_the_whole(text: str, said: str) -> None:
    (problem,) = check_lesson(text, "trial", no_folder)
    assert said in problem.message
    assert problem.line is not None


def test_a_fault_of_the_cluster_has_the_line_of_the_lesson() -> None:
    text = lesson_with("text: hello").replace("slots: 2", "slotz: 2")
    (problem,) = check_lesson(text, "trial", no_folder)
    assert problem.line is not None
    assert "slotz" in text.splitlines()[problem.line - 1]


def test_nothing_is_wrong_with_one_that_uses_everything() -> None:
    assert (
        problems_of(
            """
        title: One
        text: hello
        question: {ask: Who?, of: {first: pending}, choices: [sea, ice], answer: sea}
        hints: [one, two]
        explain: [why so, {derive: sea}, {why: fog}, {table: [prior, urg]}, {shows: {day: ended}}]
        """,
            """
        given: [{now: +60s}, {add: {users: {eve: {fshare: 10}}}}, {qsub: -N rain sleep 5, owner: eve}]
        goal: [{starts: ice}, {changed_fields: all, at_most: 1}, {changes_only: [hosts.global.*]}]
        solution: ["hosts.global.complex_values=lic=9"]
        """,
            """
        from: start
        question: {ask: And now?, of: {count: pending}, after: solution}
        goal: [{count: pending, below: 2}]
        solution: [qdel fog]
        """,
            """
        question:
          ask: What happens?
          choices: [{text: ice starts, if: {starts: ice}}, {text: It does not, if: {waits: ice}}]
          after: [jobs.sea.qsub=-N sea -h sleep 600]
        """,
        )
        == []
    )


@examples(150)
@given(st.data())
def test_damaged_lessons_are_never_an_exception(data: st.DataObject) -> None:
    text = lesson_with(
        "question: {ask: Who?, of: {first: pending}}",
        "{goal: [{first: pending, is: ice}], solution: [qalter -p 100 ice], explain: [{table: [prior]}]}",
        top="draws: {n: [1, 2]}\n",
    )
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(text)))
        length = data.draw(st.integers(0, 12))
        piece = data.draw(
            st.sampled_from(
                ["", "x", ": ", "- ", "[", "]", "{", "}", "'", '"', "\n", "&a ", "*a", "!!", "#", "\t", "${n}", "0"]
            )
        )
        text = text[:at] + piece + text[at + length :]
    for problem in check_lesson(text, "trial", no_folder):
        assert problem.message
