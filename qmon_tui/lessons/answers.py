"""What the right answer to a question is, and whether a student's is it."""

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from qmon_tui.lessons.conditions import equals, holding, number_of, value_text, yes_or_no
from qmon_tui.lessons.data import LessonError, quoted
from qmon_tui.lessons.edits import find_job
from qmon_tui.lessons.lesson import AnswerKind, Question
from qmon_tui.lessons.quantities import NOWHERE, Value, value_of
from qmon_tui.lessons.situation import Situation

LONGEST: Final = 2000
"""Characters of an answer that are read."""
_SPLIT: Final = re.compile(r"[\s,;>]+")
_NOWHERE_WORDS: Final = frozenset({"", "-", "none", "nowhere", "waits"})


class Correct(NamedTuple):
    """The right answer: what the engine computes, and how it is told. `choice` is its number where one chooses."""

    value: Value
    text: str
    choice: int | None = None


class Verdict(NamedTuple):
    """What is said of an answer; one that is not understood is no try."""

    right: bool
    understood: bool
    words: str


def correct_answer(question: Question, situation: Situation) -> Correct:
    """What the engine says; `situation` is that after the edits of the question. Raises LessonError."""
    if question.of is None:
        held = [number for number, choice in enumerate(question.choices) if choice.condition
                and holding(choice.condition, situation).holds]  # fmt: skip
        if len(held) != 1:
            named = ", ".join(f'"{quoted(question.choices[number].text)}"' for number in held)
            raise LessonError(
                f"{named} hold at once; one choice must" if held else "none of the choices holds", question.line
            )
        return Correct(question.choices[held[0]].text, question.choices[held[0]].text, held[0])
    value = value_of(situation, question.of)
    text = value_text(value)
    if question.kind is not AnswerKind.CHOICE or not question.choices:
        return Correct(value, text)
    fits = [
        number
        for number, choice in enumerate(question.choices)
        if equals(value, _words(choice.text, value), question.within, question.kind)
    ]
    if len(fits) != 1:
        told = "is none of the choices" if not fits else "fits several choices"
        raise LessonError(f'the answer, "{quoted(text)}", {told}', question.line)
    return Correct(value, question.choices[fits[0]].text, fits[0])


def _words(text: str, value: Value) -> Sequence[str]:
    """A text as a list of names where the value is one."""
    return [part for part in _SPLIT.split(text.strip()) if part] if isinstance(value, tuple) else [text]


def judged(question: Question, correct: Correct, situation: Situation, given: str) -> Verdict:
    """Compare an answer. `situation` tells which jobs there are."""
    text = given.strip()[:LONGEST]
    if question.kind is AnswerKind.CHOICE:
        return _chosen(question, correct, text)
    if not text and question.kind is not AnswerKind.PLACE:
        return Verdict(False, False, "there is no answer")
    if question.kind is AnswerKind.NUMBER:
        if isinstance(correct.value, float) and number_of(text) is None:
            return Verdict(False, False, f'"{quoted(text)}" is not a number')
        return _verdict(equals(correct.value, [text], question.within, question.kind))
    if question.kind is AnswerKind.ORDER:
        return _ordered(question, correct, situation, text)
    if question.kind is AnswerKind.PLACE:
        names = [NOWHERE] if text.casefold() in _NOWHERE_WORDS else _words(text, ())
        return _verdict(equals(correct.value, names, None, question.kind) or _same_hosts(correct.value, names))
    return _verdict(equals(correct.value, _words(_job_name(situation, text), correct.value), None, question.kind))


def _verdict(right: bool) -> Verdict:
    return Verdict(right, True, "right" if right else "not right")


def _chosen(question: Question, correct: Correct, text: str) -> Verdict:
    if not question.choices:
        said = yes_or_no(text)
        return Verdict(False, False, "answer yes or no") if said is None else _verdict(said is correct.value)
    number = chosen_number(question, text)
    if number is None:
        letters = f"a to {chr(ord('a') + len(question.choices) - 1)}"
        return Verdict(False, False, f'"{quoted(text)}" is not a choice: answer {letters}')
    return _verdict(number == correct.choice)


def chosen_number(question: Question, text: str) -> int | None:
    """Which choice is meant, from 0 on: by its text, its letter, or its number where no choice is a number."""
    texts = [" ".join(choice.text.casefold().split()) for choice in question.choices]
    word = " ".join(text.casefold().split())
    if word in texts:
        return texts.index(word)
    if len(word) == 1 and word.isascii() and word.isalpha() and ord(word) - ord("a") < len(texts):
        return ord(word) - ord("a")
    if word.isdecimal() and len(word) < 4 and not any(number_of(one) is not None for one in texts):
        return int(word) - 1 if 0 < int(word) <= len(texts) else None
    return None


def _ordered(question: Question, correct: Correct, situation: Situation, text: str) -> Verdict:
    names = _words(text, ())
    wanted = question.of.argument if question.of is not None else ()
    try:
        numbers = [find_job(situation.state, name).id for name in names]
        right = [find_job(situation.state, name).id for name in _names(correct.value)]
    except LessonError as error:
        return Verdict(False, False, error.message)
    if len(numbers) != len(wanted) or set(numbers) != set(right):
        return Verdict(False, False, f"name each of {', '.join(wanted)} once")
    return _verdict(numbers == right)


def _names(value: Value) -> tuple[str, ...]:
    return value if isinstance(value, tuple) else ()


def _same_hosts(value: Value, names: Sequence[str]) -> bool:
    """Hosts alone are enough: sim1 for all.q@sim1."""
    hosts = [name.rpartition("@")[2] for name in _names(value)]
    return len(set(hosts)) == len(hosts) and sorted(hosts) == sorted(names)


def _job_name(situation: Situation, text: str) -> str:
    """A number of a job stands for its name."""
    if not text.isdecimal():
        return text
    job = next((job for job in situation.state.jobs if str(job.id) == text), None)
    return situation.label(job.id) if job is not None else text
