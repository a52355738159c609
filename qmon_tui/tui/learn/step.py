"""A step of a lesson: goal and right answer, computed in a worker, and the text, in which answers can be clicked."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

from textual.message import Message

from qmon_tui.lessons import (
    AnswerKind,
    Course,
    LessonError,
    Markdown,
    Question,
    Situation,
    Unfold,
    Unfolded,
    edits_named,
    is_time,
    label_of,
    unfolded,
)
from qmon_tui.report.lesson import StepModel
from qmon_tui.tui.base import Lines
from qmon_tui.workspace import Document, ExplainedCluster


class StepInput(NamedTuple):
    """Question to the engine."""

    course: Course
    number: int
    situation: Situation
    is_answered: bool
    was_reached: bool
    wrong: str | None
    """The last answer if it was wrong, else None."""


def build_step_model(asked: StepInput) -> StepModel:
    """Return goal, right answer and explanation; called in a thread, as a goal may need a simulated day."""
    course, number, situation = asked.course, asked.number, asked.situation
    step = course.step(number)
    try:
        correct = course.correct(number)
        goal = tuple(course.goal(number, situation))
        why = course.verdict(number, asked.wrong).why if asked.wrong is not None else ""
        reached = asked.was_reached or (bool(goal) and all(held.holds for held in goal))
        done = asked.is_answered and (reached or not goal)
        explained: list[str | Unfolded] = []
        label = ""
        for item in step.explain if done else ():
            if isinstance(item, Markdown):
                explained.append(item.text)
            else:
                if (words := label_of(item, step)) != label:
                    explained, label = [*explained, words], words
                explained.append(unfolded(item, situation if item.after == () else course.after(number, item.after)))
        others = tuple(_explained_clusters(course, number, situation)) if done else ()
        right = correct.text if correct is not None else ""
        return StepModel(number, right, goal, tuple(explained), why, others=others)
    except LessonError as error:
        return StepModel(number, problem=error.message)


def _explained_clusters(course: Course, number: int, situation: Situation) -> Iterator[ExplainedCluster]:
    """Yield the clusters other than the student's own that the explanation of a step is about, in its order."""
    step = course.step(number)
    afters = [item.after for item in step.explain if isinstance(item, Unfold)]
    if not afters and step.question is not None:
        afters = [step.question.after]
    for after in dict.fromkeys(afters):
        place = course.after(number, after).place if after != () else situation.place
        if place != situation.place:
            cluster = replace(place.cluster, name=course.lesson.name)  # the name of the lesson's private folder
            yield ExplainedCluster(", ".join(edits_named(after, step)), Document(cluster, place.state))


class StepLines(Lines):
    """The text of a step, in which an answer can be clicked."""

    @dataclass
    class Chosen(Message):
        """An answer was clicked."""

        answer: str

    def action_choose(self, answer: str) -> None:
        """Post the chosen answer; `@click` of a choice names this action."""
        self.post_message(self.Chosen(answer))


def placeholder(question: Question | None) -> str:
    """Return the placeholder for the answer's input."""
    if question is None:
        return ""
    if question.kind is AnswerKind.CHOICE:
        if not question.choices:
            return "yes or no"
        return f"a to {chr(ord('a') + len(question.choices) - 1)}"
    if question.of is not None and is_time(question.of):
        return "a time, such as 90 s, 15 min, 2.5 h or 2 h 30 min"
    words = {
        AnswerKind.NUMBER: "a number",
        AnswerKind.ORDER: "jobs in their order, with blanks between them",
        AnswerKind.PLACE: "queue instances, or nowhere",
    }
    return words.get(question.kind, "a word")
