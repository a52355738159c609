"""A lesson in progress: the situation in which each step begins, its right answer, and whether its goal is reached."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Final

from qmon_tui.lessons.answers import Correct, Verdict, correct_answer, judged
from qmon_tui.lessons.changes import others, path_words
from qmon_tui.lessons.conditions import Holding, holding
from qmon_tui.lessons.data import LessonError
from qmon_tui.lessons.edits import made
from qmon_tui.lessons.lesson import After, Lesson, LessonEdit, Step
from qmon_tui.lessons.situation import Situation, too_large_words

_MOST_NAMED: Final = 5
"""Maximum number of changed paths named in a sentence."""


class Course:
    """One student's lesson; computed situations and answers are cached. Steps are numbered from 0."""

    def __init__(self, lesson: Lesson) -> None:
        self.lesson = lesson
        self._starts: dict[int, Situation] = {}
        self._correct: dict[int, Correct] = {}

    def step(self, number: int) -> Step:
        return self.lesson.steps[number]

    def start(self, number: int) -> Situation:
        """Return the situation at the beginning of a step: that after the solutions before it. Raises LessonError."""
        if number not in self._starts:
            step = self.lesson.steps[number]
            if number == 0 or step.from_start:
                before = Situation(self.lesson.cluster, self.lesson.state)
            else:
                before = self.solved(number - 1)
            place = made(before.place, step.given)
            self._starts[number] = Situation(place.cluster, place.state, formulas=step.formulas)
        return self._starts[number]

    def edited(self, number: int, edits: Iterable[LessonEdit]) -> Situation:
        """Return the situation after edits in a step. Raises LessonError."""
        start = self.start(number)
        return start.after(made(start.place, edits))

    def solved(self, number: int) -> Situation:
        """Return the situation after the author's solution of a step. Raises LessonError."""
        return self.edited(number, self.lesson.steps[number].solution)

    def after(self, number: int, after: After) -> Situation:
        """Return the situation after the edits of a question or explanation; None: the solution. Raises LessonError."""
        return self.solved(number) if after is None else self.edited(number, after)

    def correct(self, number: int) -> Correct | None:
        """Return the right answer to the question of a step; None if the step has no question. Raises LessonError."""
        question = self.lesson.steps[number].question
        if question is None:
            return None
        if number not in self._correct:
            self._correct[number] = correct_answer(question, self.after(number, question.after))
        return self._correct[number]

    def verdict(self, number: int, given: str) -> Verdict:
        """Judge an answer to the question of a step. Raises LessonError if it has none."""
        question, correct = self.lesson.steps[number].question, self.correct(number)
        if question is None or correct is None:
            raise LessonError(f"step {number + 1} has no question")
        return judged(question, correct, self.after(number, question.after), given)

    def goal(self, number: int, situation: Situation) -> Sequence[Holding]:
        """Return the result of each condition of a step's goal, and last whether only permitted changes were made."""
        if too_large := too_large_words(situation):
            return [Holding(False, too_large)]
        step = self.lesson.steps[number]
        return [*(holding(condition, situation) for condition in step.goal), *self._permitted_only(number, situation)]

    def _permitted_only(self, number: int, situation: Situation) -> Iterator[Holding]:
        """Yield whether only permitted changes were made; nothing if so and the step has no `may_change`.

        A fact may change if a pattern names it, or if the solution changes it, too.
        """
        step = self.lesson.steps[number]
        named = [item.quantity.argument for item in step.goal if item.quantity.name == "changes_only"]
        patterns = (*step.may_change, *chain.from_iterable(named))
        facts = {change.path for change in situation.changes if change.is_fact}
        facts -= {change.path for change in situation.changes if any(map(change.is_named_by, patterns))}
        if facts:
            facts -= {change.path for change in self.solved(number).changes}
        unwanted = dict.fromkeys(others(situation.changes, step.may_change) if step.may_change else ())
        changed = list(unwanted | dict.fromkeys(sorted(facts)))
        named_paths = (
            f"{', '.join(map(path_words, changed[:_MOST_NAMED]))}{' ...' if len(changed) > _MOST_NAMED else ''}"
        )
        if step.may_change:
            words = f"Only {', '.join(map(path_words, step.may_change))} may change"
            yield Holding(not changed, f"{words}: {named_paths} changed, too." if changed else f"{words}.")
        elif changed:
            yield Holding(False, f"What is given may not be edited: {named_paths} changed.")
