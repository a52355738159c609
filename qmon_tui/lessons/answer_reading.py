"""Read a student's answers tolerantly: numbers with units, jobs by name or number, hosts without domain."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from qmon_tui.lessons.conditions import number_of
from qmon_tui.lessons.data import LessonError, quoted
from qmon_tui.lessons.edits import find_job
from qmon_tui.lessons.lesson import Choice
from qmon_tui.lessons.quantities import NOWHERE
from qmon_tui.lessons.situation import Situation
from qmon_tui.model import Job, State
from qmon_tui.values import is_number, parse_number

_YES: Final = frozenset({"yes", "y", "true", "yeah", "yep"})
_NO: Final = frozenset({"no", "n", "false", "nope", "not"})
_NOWHERE: Final = frozenset({"", "-", "none", "nowhere", "waits", "pending", "no"})
_NOBODY: Final = frozenset({"none", "nobody", "nothing", "no", "-"})
_COUNTS: Final = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_LEADS: Final = ("about ", "approx. ", "approx ", "ca. ", "circa ", "~", "≈", "=")
_SEPARATOR: Final = re.compile(r"[\s,;>→]+|->|=>")
_THOUSANDS: Final = re.compile(r"[+-]?\d{1,3}(?:(?:[ '_]\d{3})+|(?:,\d{3})+)(?:\.\d+)?", re.ASCII)
_POINTS_IN_THOUSANDS: Final = re.compile(r"[+-]?\d{1,3}(?:\.\d{3})+,\d+", re.ASCII)
_WITH_UNIT: Final = re.compile(r"(.*[0-9.])\s*([A-Za-z%]+|\([^()]*\))")
_LISTED: Final = re.compile(r"([0-9]{1,6})[.)]")
_SECONDS: Final = {
    **dict.fromkeys(("s", "sec", "secs", "second", "seconds"), 1),
    **dict.fromkeys(("m", "min", "mins", "minute", "minutes"), 60),
    **dict.fromkeys(("h", "hour", "hours"), 3600),
    **dict.fromkeys(("d", "day", "days"), 86400),
}
_UNITS: Final = "|".join(sorted(_SECONDS, key=len, reverse=True))
_PART: Final = re.compile(rf"(\d{{1,9}})\s*({_UNITS})\b", re.ASCII | re.IGNORECASE)
_IN_BRACKETS: Final = re.compile(r"(?<=[a-z0-9])\s*\([^()]*\)$")
_IN_PARTS: Final = re.compile(rf"(?:\d{{1,9}}\s*(?:{_UNITS})\b[\s,]*(?:and\s+)?){{2,4}}", re.ASCII | re.IGNORECASE)
"""A time as the program prints it: 9 h 39 min."""
_BETWEEN: Final = frozenset({"job", "jobs", "then", "and", "before", "first", "next", "last", "finally", "the", "is"})
_AROUND_PLACES: Final = frozenset({"on", "in", "at", "and", "host", "hosts", "queue", "instance", "the"})


def numbers_in(text: str, *, in_seconds: bool = False) -> tuple[float, ...]:
    """Return all numbers that a text may mean (`10,800` may mean two); empty if it is not a number.

    With `in_seconds`, time units are converted to seconds; otherwise a unit is ignored.
    """
    plain = text.strip().rstrip(".;")
    for lead in _LEADS:
        plain = plain.removeprefix(lead).strip()
    if "=" in plain:  # 1/6 = 0.16667
        plain = plain.rpartition("=")[2].strip()
    if plain.casefold() in _COUNTS:
        return (float(_COUNTS.index(plain.casefold())),)
    if plain.casefold() in ("none", "nothing"):
        return (0.0,)
    numbers = list(_plain_numbers(plain))
    if numbers:
        return tuple(numbers)
    if in_seconds and re.fullmatch(r"[0-9]*:[0-9]*:[0-9]+", plain):
        return (parse_number(plain),)
    if in_seconds:
        plain = _IN_BRACKETS.sub("", plain)
    if in_seconds and _IN_PARTS.fullmatch(plain):
        parts = _PART.findall(plain)
        return (sum(float(number) * _SECONDS[unit.casefold()] for number, unit in parts),)
    split = _WITH_UNIT.fullmatch(plain)
    if split is None:
        return ()
    seconds = _SECONDS.get(split[2].casefold(), 1) if in_seconds else 1
    factor = 0.01 if split[2] == "%" else seconds
    return tuple(factor * number for number in _plain_numbers(split[1].strip()))


def is_without_unit(text: str) -> bool:
    """True if a text ends in no unit, and is no time such as 1:30:00."""
    return ":" not in text and not text.rstrip(" .;)")[-1:].isalpha()


def _plain_numbers(text: str) -> Iterator[float]:
    number = number_of(text)
    if number is not None:
        yield number
    if _THOUSANDS.fullmatch(text):
        yield float(re.sub("[ '_,]", "", text))
    elif _POINTS_IN_THOUSANDS.fullmatch(text):
        yield float(text.replace(".", "").replace(",", "."))


def same_amount(first_text: str, second_text: str) -> bool:
    """True if two texts mean the same number, within 0.05 %: 4.000G and 4G, 1:00:00 and 3600."""
    texts = [text.replace(" ", "") for text in (first_text, second_text)]
    if not all(is_number(text) for text in texts):
        return False
    first, second = map(parse_number, texts)
    return abs(first - second) <= 0.0005 * max(abs(first), abs(second))


def yes_or_no_in(text: str) -> bool | None:
    """Return True for yes and False for no, also in a sentence such as `no, it waits`; None if it is neither."""
    words = re.findall(r"[a-z']+", text.casefold())
    if not words:
        return None
    if words[0] in _YES | _NO:
        return words[0] in _YES
    if words[0] in ("it", "he", "she", "they") and len(words) <= 3:
        return not any(word == "not" or word.endswith("n't") for word in words)
    return None


# Jobs ---------------------------------------------------------------------------------------------------------------


def job_in(state: State, text: str) -> Job:
    """Return the only job that the text names: `jobC1`, `job 7`, `7 jobC1`, `jobC1 (7)`. Raises LessonError."""
    jobs = jobs_in(state, text)
    if len(jobs) != 1:
        raise LessonError(f'"{quoted(text)}" names several jobs' if jobs else f'"{quoted(text)}" names no job')
    return jobs[0]


def jobs_in(state: State, text: str) -> list[Job]:
    """Return the jobs that a text names, in its order; a name next to its number counts once. Raises LessonError."""
    jobs: list[Job] = []
    for word in _without_numbering([part for part in _SEPARATOR.split(text.strip()) if part]):
        job = _job_of_word(state, word)
        if job is not None and (not jobs or jobs[-1].id != job.id):
            jobs.append(job)
    return jobs


def _without_numbering(words: list[str]) -> list[str]:
    """Return words without their numbering (1. jobB2 2. jobC1), if it is complete."""
    numbers = [int(listed[1]) for word in words if (listed := _LISTED.fullmatch(word))]
    if not numbers or len(numbers) == len(words) or numbers != list(range(1, len(numbers) + 1)):
        return words
    return [word for word in words if not _LISTED.fullmatch(word)]


def _job_of_word(state: State, word: str) -> Job | None:
    """Return the job that a word names; None for a word between jobs. Raises LessonError."""
    try:
        return find_job(state, word)
    except LessonError as error:
        bare = word.strip("()[]#:.\"'`")
        folded = [job for job in state.jobs if job.name.casefold() == bare.casefold()]
        if len(folded) == 1:
            return folded[0]
        number, dot, task = bare.partition(".")
        by_number = number if dot and task.isdigit() else bare
        job = next((job for job in state.jobs if str(job.id) == by_number), None)
        if job is None and bare and bare.casefold() not in _BETWEEN:
            raise error
        return job


def is_nobody(text: str) -> bool:
    """True if a text says that no job is meant."""
    return text.strip(" .").casefold() in (*_NOBODY, "no job")


# Places -------------------------------------------------------------------------------------------------------------


def places_in(situation: Situation, text: str) -> list[str]:
    """Return queue instances, or hosts if no queue is named; [NOWHERE] if none. Raises LessonError for other words."""
    if text.strip(" .").casefold() in _NOWHERE or _says_waits(text):
        return [NOWHERE]
    names = [instance.name for instance in situation.outcome.queue_instances]
    queues = {name.partition("@")[0].casefold() for name in names}
    places: list[str] = []
    queue = ""
    for word in (part.strip("().\"'`") for part in _SEPARATOR.split(text.strip())):
        folded = word.casefold()
        if folded in queues:
            queue = folded
        elif word and folded not in _AROUND_PLACES:
            places.append(_place(names, f"{queue}@{word}" if queue and "@" not in word else word))
            queue = ""
    if queue:
        places.append(_place(names, f"{queue}@"))
    return list(dict.fromkeys(places))


def _says_waits(text: str) -> bool:
    words = text.casefold().split()
    return words[:1] == ["it"] and ("waits" in words or "not" in words) and len(words) < 6


def _place(names: Sequence[str], word: str) -> str:
    """Return the name of a queue instance (`queue@` means the queue's only one) or host. Raises LessonError."""
    queue, at, host = word.casefold().rpartition("@")
    of_queue = [name for name in names if not at or name.partition("@")[0].casefold() == queue]
    if at and not host:
        if len(of_queue) == 1:
            return of_queue[0]
        raise LessonError(f"{queue} has several queue instances, such as {of_queue[0]}: name which")
    same = [name for name in of_queue if _same_host(name.rpartition("@")[2].casefold(), host)]
    if not same:
        raise LessonError(f"there is no {'queue instance' if at else 'host'} {quoted(word)}")
    return same[0] if at else same[0].rpartition("@")[2]


def _same_host(first: str, second: str) -> bool:
    """True if two names mean one host; the domain may be missing in one."""
    if first == second:
        return True
    both = "." in first and "." in second
    return not both and first.partition(".")[0] == second.partition(".")[0]


# Choices ------------------------------------------------------------------------------------------------------------


def chosen_number(choices: Sequence[Choice], text: str) -> int | None:
    """Return the index of the choice that a text names; None if it names none or several.

    A choice is named by its text or the beginning of it, its letter, or, if no choice is a number, its number.
    """
    texts = [_folded(choice.text) for choice in choices]
    word = _folded(text)
    for lead in ("choice ", "answer "):
        word = word.removeprefix(lead)
    bare = word.strip("().:")
    if word in texts:
        return texts.index(word)
    letter = re.match(r"\(?([a-z])[).:](?:\s|$)", word)
    if letter or (len(bare) == 1 and bare.isascii() and bare.isalpha()):
        index = ord(letter[1] if letter else bare) - ord("a")
        if index < len(texts):
            return index
    if (
        bare.isascii()
        and bare.isdecimal()
        and len(bare) < 4
        and not any(number_of(choice_text) is not None for choice_text in texts)
    ):
        return int(bare) - 1 if 0 < int(bare) <= len(texts) else None
    return _alike(texts, bare)


def _alike(texts: Sequence[str], word: str) -> int | None:
    """Return the only choice that the text can mean; None if there is none or several."""
    yes = yes_or_no_in(word)
    for same in (
        lambda text: same_amount(text, word),
        lambda text: re.match(rf"{re.escape(word)}(?!\w)", text) is not None,
        lambda text: sorted(re.findall(r"\w+", text)) == sorted(re.findall(r"\w+", word)),
        lambda text: yes is not None and text == ("yes" if yes else "no"),
    ):
        chosen = [number for number, text in enumerate(texts) if word and same(text)]
        if len(chosen) == 1:
            return chosen[0]
    return None


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())
