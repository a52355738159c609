"""Homework: the values of a lesson that a student gets, drawn from the student's name."""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from types import MappingProxyType
from typing import Final, NamedTuple

from qmon_tui.lessons.data import Datum, LessonError, read_data, walk

_NAMED: Final = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)\}")
_DRAW: Final = "draw"
_DRAWS: Final = "draws"


@dataclass(frozen=True, slots=True)
class Variant:
    """The way to draw values: by the name of `student`; if that is empty, the value at `index` (to check a lesson)."""

    student: str = ""
    index: int = 0

    def choose(self, key: str, count: int) -> int:
        """Return the index of the drawn value among `count`; equal for the same student and key on every machine."""
        name = "".join(unicodedata.normalize("NFKC", self.student).casefold().split())
        if not name:
            return self.index % count
        return int.from_bytes(sha256(f"{name}\n{key}".encode("utf-8", "replace")).digest()[:8], "big") % count


FIRST: Final = Variant()


class Drawn(NamedTuple):
    """The text of a lesson with every value drawn, on unchanged lines, and its data."""

    text: str
    root: Datum
    variants: int = 1
    """The number of variants in which each value occurs at least once."""
    values: Mapping[str, str] = MappingProxyType({})
    """Name of a draw, or its number if it has none -> the drawn value."""


def drawn(text: str, variant: Variant = FIRST) -> Drawn:
    """Draw the values of a lesson for one student. Raises LessonError."""
    root = read_data(text)
    if not isinstance(root.value, dict):
        raise LessonError("a lesson begins with keys, such as `title:` and `steps:`", root.line)
    section = root.value.get(_DRAWS)
    names = {name: _values(values) for name, values in section.pairs.items()} if section is not None else {}
    most = max((len(values) for values in names.values()), default=1)
    changes: list[tuple[int, int, str]] = []
    numbered: dict[str, str] = {}
    count = 0
    for datum in walk(root):
        if isinstance(datum.value, dict) and tuple(datum.value) == (_DRAW,):
            count += 1
            values = _values(datum.value[_DRAW])
            most = max(most, len(values))
            choice = values[variant.choose(f"{count}", len(values))]
            piece = text[datum.start : datum.end]
            if "\n" in piece or not piece.startswith("{"):
                raise LessonError("a draw stands in one line: {draw: [10, 20, 30]}", datum.line)
            changes.append((datum.start, datum.end, text[choice.start : choice.end]))
            numbered[f"{count}"] = choice.text
    if not changes and not names:
        return Drawn(text, root)
    for start, end, new in reversed(changes):
        text = text[:start] + new + text[end:]
    chosen = {name: values[variant.choose(name, len(values))].text for name, values in names.items()}
    text = _NAMED.sub(lambda match: chosen.get(match[1], match[0]), text)
    return Drawn(text, read_data(text), most, {**chosen, **numbered})


def _values(datum: Datum) -> Sequence[Datum]:
    values = datum.items
    if not values or any(not isinstance(value.value, str) or "\n" in value.value for value in values):
        raise LessonError("values to draw from are a list of words or numbers: [10, 20, 30]", datum.line)
    return values
