"""YAML of lessons and submissions as plain data with line numbers. Nothing in it is executed."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Final

from qmon_tui.formats.yaml import Alias, Mapping, Node, Scalar, Sequence, YamlError, documents
from qmon_tui.values import decimal_number, meant

LARGEST: Final = 1024 * 1024
"""Maximum number of characters; the longest lesson with a cluster of its own has a few thousand."""
_LONGEST_QUOTED: Final = 60


class LessonError(Exception):
    """Error in a lesson or a submission; the text is a sentence for its author."""

    def __init__(self, message: str, line: int | None = None, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.line = line
        self.hint = hint


@dataclass(frozen=True, slots=True)
class Datum:
    """A text, list or mapping with its position: offsets `start` and `end`, `line` and `column` from 1."""

    value: "str | tuple[Datum, ...] | dict[str, Datum]"
    line: int
    column: int
    start: int
    end: int
    plain: bool = field(default=True)
    """True if the text is written without quotes."""

    @property
    def is_empty(self) -> bool:
        """True if nothing or null is written."""
        return self.value == "" and self.plain

    @property
    def text(self) -> str:
        """The text. Raises LessonError."""
        if not isinstance(self.value, str):
            raise LessonError("a text is expected here", self.line)
        return self.value

    @property
    def items(self) -> "tuple[Datum, ...]":
        """The items of a list; a lone value is a list of one. Raises LessonError for a mapping."""
        if isinstance(self.value, tuple):
            return self.value
        if self.is_empty:
            return ()
        return (self,)

    @property
    def pairs(self) -> "dict[str, Datum]":
        """Key -> value. Raises LessonError."""
        if not isinstance(self.value, dict):
            raise LessonError("keys with values are expected here", self.line)
        return self.value

    @property
    def number(self) -> float:
        """A finite number. Raises LessonError."""
        number = decimal_number(self.text.strip())
        if number is None:
            raise LessonError(f'"{quoted(self.text)}" is not a finite number', self.line)
        return number

    def only(self, known: "tuple[str, ...] | Callable[[str], bool]", what: str) -> "dict[str, Datum]":
        """Return the pairs of a mapping called `what`. Raises LessonError for a key not in, or refused by, `known`."""
        if not isinstance(self.value, dict):
            hint = f"known are {', '.join(known)}" if isinstance(known, tuple) else ""
            raise LessonError(f"keys with values are expected here: this is {what}", self.line, hint)
        for key, value in self.pairs.items():
            if not (key in known if isinstance(known, tuple) else known(key)):
                names = known if isinstance(known, tuple) else ()
                hint = meant(key, names) or (f"known are {', '.join(names)}" if names else "")
                raise LessonError(f'{what} has no key "{quoted(key)}"', value.line, hint)
        return self.pairs


def quoted(text: str, longest: int = _LONGEST_QUOTED) -> str:
    """Return a text for a message: on one line, and truncated."""
    line = " ".join(text.split())
    return line if len(line) <= longest else line[: longest - 1] + "…"


def read_data(text: str) -> Datum:
    """Read the only document of a text. Raises LessonError, with the line, if it is no supported YAML."""
    if len(text) > LARGEST:
        raise LessonError(f"it has more than {LARGEST // 1024} KiB, too large for a lesson or a submission")
    try:
        roots = documents(text)
    except YamlError as error:
        raise LessonError(f"it is not readable YAML: {error.message}", error.line) from None
    if not roots:
        raise LessonError("it is empty", 1)
    if len(roots) > 1:
        raise LessonError("it holds several documents; write one", roots[1].line)
    return _datum(roots[0])


def read_json(text: str) -> Datum:
    """Read JSON, which may be longer and have longer keys than YAML. Raises LessonError."""
    try:
        return _json_datum(json.loads(text))
    except (ValueError, RecursionError):
        raise LessonError("it is not readable JSON", 1) from None


def _json_datum(value: object) -> Datum:
    if isinstance(value, dict):
        return Datum({key: _json_datum(item) for key, item in value.items()}, 1, 1, 0, 0)
    if isinstance(value, list):
        return Datum(tuple(map(_json_datum, value)), 1, 1, 0, 0)
    return Datum("" if value is None else str(value), 1, 1, 0, 0, plain=not isinstance(value, str))


def _datum(node: Node) -> Datum:
    """Return a node as data; recursion is safe, as `documents` limits nodes to two dozen levels."""
    match node:
        case Scalar():
            plain = not node.style
            value = "" if plain and node.text in ("~", "null") else node.text
            return Datum(value, node.line, node.column, node.start, node.end, plain)
        case Sequence():
            items = tuple(_datum(item) for item in node.items)
            return Datum(items, node.line, node.column, node.start, node.end)
        case Mapping():
            return Datum(_pairs(node), node.line, node.column, node.start, node.end)
        case Alias():
            raise LessonError("aliases (*name) are not read here; write the value itself", node.line)
    raise LessonError("this cannot be read", node.line)


def _pairs(node: Mapping) -> dict[str, Datum]:
    pairs: dict[str, Datum] = {}
    for key, value in node.pairs:
        if not isinstance(key, Scalar):
            raise LessonError("a key must be a word or a number", key.line)
        if key.text in pairs:
            raise LessonError(f'the key "{quoted(key.text)}" is here twice', key.line)
        pairs[key.text] = _datum(value)
    return pairs


def walk(datum: Datum) -> Iterator[Datum]:
    """Yield a value and all values in it, in the order of the text."""
    yield datum
    if isinstance(datum.value, tuple):
        for item in datum.value:
            yield from walk(item)
    elif isinstance(datum.value, dict):
        for item in datum.value.values():
            yield from walk(item)
