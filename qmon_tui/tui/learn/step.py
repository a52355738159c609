"""What the engine says of a step, worked out aside, and the text of the step, in which an answer can be clicked."""

from dataclasses import dataclass
from typing import NamedTuple

from textual.message import Message

from qmon_tui.lessons import AnswerKind, Course, LessonError, Markdown, Question, Situation, Unfolded, unfolded
from qmon_tui.report.lesson import StepModel
from qmon_tui.tui.base import Lines


class StepInput(NamedTuple):
    """What the engine is asked about."""

    course: Course
    number: int
    situation: Situation
    is_answered: bool
    was_reached: bool
    wrong: str | None
    """The last answer, where it was wrong."""


def build_step_model(asked: StepInput) -> StepModel:
    """Goal, right answer and explanation; in a thread, as a goal may be about a simulated day."""
    course, number, situation = asked.course, asked.number, asked.situation
    step = course.step(number)
    try:
        correct = course.correct(number)
        goal = tuple(course.goal(number, situation))
        why = course.verdict(number, asked.wrong).why if asked.wrong is not None else ""
        reached = asked.was_reached or (bool(goal) and all(held.holds for held in goal))
        done = asked.is_answered and (reached or not goal)
        explained: list[str | Unfolded] = []
        for item in step.explain if done else ():
            if isinstance(item, Markdown):
                explained.append(item.text)
            else:
                explained.append(unfolded(item, situation if item.after == () else course.after(number, item.after)))
        return StepModel(number, correct.text if correct is not None else "", goal, tuple(explained), why)
    except LessonError as error:
        return StepModel(number, problem=error.message)


class StepLines(Lines):
    """The text of a step, in which an answer can be clicked."""

    @dataclass
    class Chosen(Message):
        """An answer was clicked."""

        answer: str

    def action_choose(self, answer: str) -> None:
        """Tell of it; `@click` of a choice names this action."""
        self.post_message(self.Chosen(answer))


def placeholder(question: Question | None) -> str:
    """What the line to answer in says while it is empty."""
    if question is None:
        return ""
    if question.kind is AnswerKind.CHOICE:
        if not question.choices:
            return "yes or no"
        return f"a to {chr(ord('a') + len(question.choices) - 1)}"
    words = {
        AnswerKind.NUMBER: "a number",
        AnswerKind.ORDER: "jobs in their order, with blanks between them",
        AnswerKind.PLACE: "queue instances, or nowhere",
    }
    return words.get(question.kind, "a word")
