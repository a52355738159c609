"""Compute the right answer to a question, and judge a student's answer."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from qmon_tui.lessons.answer_reading import (
    chosen_number,
    is_nobody,
    is_without_unit,
    job_in,
    jobs_in,
    numbers_in,
    places_in,
    same_amount,
    yes_or_no_in,
)
from qmon_tui.lessons.conditions import FIVE_DECIMALS, equals, holding, value_text
from qmon_tui.lessons.data import LessonError, quoted
from qmon_tui.lessons.edits import find_job
from qmon_tui.lessons.lesson import AnswerKind, Question
from qmon_tui.lessons.quantities import NONE, NOWHERE, Value, is_time, value_of
from qmon_tui.lessons.situation import Situation
from qmon_tui.values import humane_time

LONGEST: Final = 2000
"""Number of characters of an answer that are read; the rest is ignored."""
_ROUNDED: Final = 3
"""Decimals from which a number with too few of them is taken for the rounded right answer, not for a guess."""


class Correct(NamedTuple):
    """The right answer: the engine's value, its text, and its index among choices (None without choices)."""

    value: Value
    text: str
    choice: int | None = None


class Verdict(NamedTuple):
    """Judgement of an answer; an answer that is not understood does not count as a try."""

    right: bool
    understood: bool
    words: str
    why: str = ""
    """Why the answer is wrong, as a sentence that does not reveal the right one."""


def correct_answer(question: Question, situation: Situation) -> Correct:
    """Return the right answer; `situation`: the cluster after the question's edits. Raises LessonError."""
    if question.of is None:
        conditions = {number: holding(choice.condition, situation)
                      for number, choice in enumerate(question.choices) if choice.condition}  # fmt: skip
        held = [number for number, condition in conditions.items() if condition.holds]
        if not held:
            words = " ".join(dict.fromkeys(condition.words for condition in conditions.values()))
            raise LessonError(f"none of the choices holds. {words}".rstrip(" ."), question.line)
        if len(held) != 1:
            named = ", ".join(f'"{quoted(question.choices[number].text)}"' for number in held)
            raise LessonError(f"{named} hold at once; one choice must", question.line)
        return Correct(question.choices[held[0]].text, question.choices[held[0]].text, held[0])
    value = value_of(situation, question.of)
    text = value_text(value)
    if is_time(question.of) and isinstance(value, float) and abs(value) >= 60:
        text = f"{text} s ({humane_time(text)})"
    if question.kind is not AnswerKind.CHOICE or not question.choices:
        return Correct(value, text)
    fits = [
        number
        for number, choice in enumerate(question.choices)
        if equals(value, _words(choice.text, value), question.within, question.kind)
    ]
    if len(fits) != 1:
        problem = "is none of the choices" if not fits else "fits several choices"
        raise LessonError(f'the answer, "{quoted(text)}", {problem}', question.line)
    return Correct(value, question.choices[fits[0]].text, fits[0])


def _words(text: str, value: Value) -> Sequence[str]:
    """Return a text split into names if the value is a tuple of names; else the text alone."""
    return text.replace(",", " ").split() if isinstance(value, tuple) else [text]


def judged(question: Question, correct: Correct, situation: Situation, given: str) -> Verdict:
    """Return the verdict on a student's answer `given`; `situation` has the jobs and places that it may name."""
    text = given.strip()[:LONGEST]
    if not text and question.kind is not AnswerKind.PLACE:
        return Verdict(False, False, "there is no answer")
    try:
        match question.kind:
            case AnswerKind.CHOICE:
                return _chosen(question, correct, text)
            case AnswerKind.NUMBER if isinstance(correct.value, float):
                return _number(question, correct.value, text)
            case AnswerKind.ORDER:
                return _ordered(question, correct, situation, text)
            case AnswerKind.PLACE:
                return _placed(correct, situation, text)
            case _:
                return _named(question, correct, situation, text)
    except LessonError as error:
        return Verdict(False, False, error.message)


def _verdict(right: bool, why: str = "") -> Verdict:
    return Verdict(right, True, "right" if right else "not right", "" if right else why)


def _number(question: Question, value: float, text: str) -> Verdict:
    in_seconds = question.of is not None and question.of.name == "day"
    numbers = numbers_in(text, in_seconds=in_seconds)
    if not numbers:
        return Verdict(False, False, f'"{quoted(text)}" is not a number')
    has_no_unit = question.of is not None and is_time(question.of) and is_without_unit(text) and any(numbers)
    if has_no_unit:  # a question may ask for hours or minutes
        numbers = tuple(unit * number for unit in (1, 60, 3600) for number in numbers)
    # A number exactly at the tolerance counts as right, whatever the rounding.
    near = (FIVE_DECIMALS if question.within is None else question.within) * (1 + 1e-9)
    if any(abs(number - value) <= near for number in numbers):
        return _verdict(True)
    decimals = len(text.replace(",", ".").partition(".")[2])
    if question.within is None and _ROUNDED <= decimals < len("00000") and round(value, decimals) == numbers[0]:
        return Verdict(False, False, f"{quoted(text)} is rounded: give five decimals, as qstat prints them")
    if has_no_unit:
        return _verdict(False, "It is not that, in seconds, minutes or hours.")
    return _verdict(False, "It is more than that." if numbers[-1] < value else "It is less than that.")


def _chosen(question: Question, correct: Correct, text: str) -> Verdict:
    """Judge a choice. A wrong one gets no reason, because that would often reveal the right answer."""
    if not question.choices:
        yes = yes_or_no_in(text)
        return Verdict(False, False, "answer yes or no") if yes is None else _verdict(yes is correct.value)
    number = chosen_number(question.choices, text)
    if number is None:
        letters = f"a to {chr(ord('a') + len(question.choices) - 1)}"
        return Verdict(False, False, f'"{quoted(text)}" is not a choice: answer {letters}')
    return _verdict(number == correct.choice)


def _ordered(question: Question, correct: Correct, situation: Situation, text: str) -> Verdict:
    wanted = question.of.argument if question.of is not None else ()
    numbers = [job.id for job in jobs_in(situation.state, text)]
    right = [find_job(situation.state, name).id for name in _names(correct.value)]
    if len(numbers) != len(wanted) or set(numbers) != set(right):
        return Verdict(False, False, f"name each of {', '.join(wanted)} once")
    wrong = next((pair for pair in pairwise(numbers) if right.index(pair[0]) > right.index(pair[1])), None)
    if wrong is None or len(right) < 3:  # of two jobs it would be the answer
        return _verdict(wrong is None)
    first, second = map(situation.label, wrong)
    return _verdict(False, f"{first} does not come before {second}.")


def _names(value: Value) -> tuple[str, ...]:
    return value if isinstance(value, tuple) else ()


def _placed(correct: Correct, situation: Situation, text: str) -> Verdict:
    right, names = set(_names(correct.value)), set(places_in(situation, text))
    hosts = {name.rpartition("@")[2] for name in right}
    if names == right or (names == hosts and len(hosts) == len(right)):  # hosts alone are enough: sim1 for all.q@sim1
        return _verdict(True)
    if names == {NOWHERE}:
        return _verdict(False, "It is somewhere.")
    if names < right or names < hosts:
        return _verdict(False, "There are more.")
    return _verdict(False, "There are fewer." if names > right or names > hosts else "")


def _named(question: Question, correct: Correct, situation: Situation, text: str) -> Verdict:
    """Judge a text; if the question asks for a job, it may name the job in any way."""
    if equals(correct.value, [text], None, question.kind) or same_amount(value_text(correct.value), text):
        return _verdict(True)
    if question.of is None or question.of.name != "first":
        return _verdict(False)
    if is_nobody(text):
        return _verdict(correct.value == NONE, "There is one.")
    job = job_in(situation.state, text)
    if situation.label(job.id) == correct.value:
        return _verdict(True)
    place = situation.explainer.ranks.get(job.id)
    if place is None:
        return _verdict(False, f"{situation.label(job.id)} is not in the list of pending jobs.")
    if question.of.word == "started" and not any(task.state == "t" for task in situation.outcome_of(str(job.id)).tasks):
        return _verdict(False, f"{situation.label(job.id)} does not start in this run.")
    return _verdict(False, f"Another one comes before {situation.label(job.id)}.")
