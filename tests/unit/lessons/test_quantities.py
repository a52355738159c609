"""What a lesson can ask: each quantity, computed by the engine."""

import pytest

from qmon_tui.lessons import LessonError
from qmon_tui.lessons.quantities import QUANTITIES
from tests.unit.lessons.lessons_harness import answers_of, course_with

CASES = [
    ("{column: ppri, job: sea}", 0.0),
    ("{column: slots, job: sea}", 1.0),
    ("{column: ftckt, job: ice}", 125.0),
    ("{order: [fog, ice, sea]}", ("sea", "ice", "fog")),
    ("{first: pending}", "sea"),
    ("{first: started}", "sea"),
    ("{starts: sea}", True),
    ("{starts: old}", False),
    ("{runs: old}", True),
    ("{runs: ice}", False),
    ("{waits: ice}", True),
    ("{place: old}", ("all.q@sim1",)),
    ("{place: ice}", ("nowhere",)),
    ("{granted: sea}", 1.0),
    ("{reserved: sea}", ("nowhere",)),
    ("{state: old}", "r"),
    ("{state: 2}", "t"),
    ("{count: started}", 1.0),
    ("{count: pending}", 2.0),
    ("{count: running, owner: anna}", 2.0),
    ("{instance: all.q@sim1, shows: used}", 1.0),
    ('{instance: all.q@sim1, shows: "gc:lic"}', 0.0),
    ("{field: queues.all.q.slots}", 2.0),
    ("{field: scheduler.weight_ticket}", 1.0),
    ("{field: queues.all.q.priority}", 0.0),
    ("{field: jobs.sea.owner}", "anna"),
    ("{accepts: qalter -p 10 sea}", True),
    ("{accepts: qalter -p 5000 sea}", False),
    ("{accepts: qsub -q nowhere.q sleep 1, owner: anna}", False),
    ("{findings: error}", 0.0),
    ("{changed_fields: all}", 0.0),
    ("{changes_only: [users.*]}", True),
    ("{day: ended}", 3.0),
    ("{day: wait.max, owner: anna}", 3000.0),
    ("{day: wait, job: ice}", 3000.0),
    ("{day: started, job: ice, for: 2h}", 600.0),
    ("{day: place, job: fog}", ("nowhere",)),
    ("{day: started, job: fog}", "none"),
]


@pytest.mark.parametrize(("question", "value"), CASES)
def test_the_engine_answers(question: str, value: object) -> None:
    (found,) = answers_of([question])
    assert found == (pytest.approx(value) if isinstance(value, float) else value)


def test_why_a_job_waits_and_what_the_qmaster_replies() -> None:
    reason, reply = answers_of(["{reason: fog}", "{replies: qalter -p 10 sea}"])
    assert "lic" in str(reason)
    assert "sets scheduling priority of job 2 to 10" in str(reply)


TROUBLE = [
    ("{starts: nobody}", "there is no job nobody"),
    ("{instance: all.q@sim9, shows: used}", "there is no queue instance all.q@sim9"),
    ("{instance: all.q@sim1, shows: colour}", "has no value colour"),
    ("{node: /anna, shows: target}", "there is no node /anna"),
    ("{node: /anna, shows: size}", 'a node has no "size"'),
    ("{field: queues.all.q.slot}", 'queues have no field "slot"'),
    ("{field: queues.some.q.slots}", "there is no queue some.q"),
    ("{field: shop.all.q.slots}", '"shop" is no kind of object'),
    ("{order: [old, sea]}", "old is not in the list of pending jobs"),
    ("{day: wait.middle}", 'there is no measure "wait.middle"'),
    ("{day: wait}", '"wait" is several measures'),
    ("{day: tasks, for: long}", '"long" is no length of time'),
    ("{quota: none/1, shows: limit}", "qquota shows nothing of none/1"),
    ("{accepts: qsub sleep 1, owner: ''}", "who submits the job?"),
    ("{accepts: qmod -d all.q@sim7}", "is not a command that is understood here"),
]


@pytest.mark.parametrize(("question", "said"), TROUBLE)
def test_what_makes_no_sense_is_said(question: str, said: str) -> None:
    course = course_with(f"question: {{ask: What?, of: {question}}}")
    with pytest.raises(LessonError) as error:
        course.correct(0)
    assert said in error.value.message
    assert error.value.line is not None


def test_each_quantity_is_in_the_guide_and_here() -> None:
    from pathlib import Path

    guide = (Path(__file__).parents[3] / "docs" / "teach.md").read_text()
    asked = " ".join(question for question, _ in (*CASES, *TROUBLE)) + " reason: replies: "
    for name in QUANTITIES:
        assert f"`{name}: " in guide
        assert f"{name}: " in asked


def test_a_step_may_use_other_formulas() -> None:
    step = "{text: x, question: {ask: x, of: {column: npprior, job: sea}}"
    course = course_with(step + "}", step + ", formulas: reform}", step + "}")
    answers = [course.correct(number) for number in range(3)]
    assert [answer and answer.value for answer in answers] == [0.5, 0.0, 0.5]


def test_formulas_that_there_are_not() -> None:
    with pytest.raises(LessonError, match='there are no formulas "refrom"') as raised:
        course_with("{text: x, question: {ask: x, of: {column: nurg, job: sea}}, formulas: refrom}")
    assert raised.value.hint == "did you mean reform?"


def test_a_simulated_day_has_grid_engines_formulas() -> None:
    course = course_with("{text: x, question: {ask: x, of: {day: wait.mean}}, formulas: reform}")
    with pytest.raises(LessonError, match="knows no formulas reform"):
        course.correct(0)
