"""Read values that only simulations and workloads have: lengths of time, random numbers, weights, cycles."""

import math
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from qmon_tui.formats.state.node_reader import ItemReading, Left, Unreadable
from qmon_tui.formats.yaml import Mapping as MappingNode, Node, Sequence, resolve
from qmon_tui.model import StateField, StateType
from qmon_tui.values import RandomValue, decimal_number, parse_number, parse_offset, parse_random_value


def amount_of(text: str) -> float | None:
    """Return a number from 0 up; None for any other text."""
    amount = decimal_number(text.strip())
    return amount if amount is not None and amount >= 0 else None


_LEAST_WEIGHT, _LARGEST_WEIGHT = 1e-9, 1e9
"""Limits of a weight other than 0: beyond them, sums and products could exceed a float."""


def _weight(text: str) -> float | None:
    """Return a weight: 0, or a number within the limits; None for any other text."""
    amount = amount_of(text)
    return amount if amount is not None and (not amount or _LEAST_WEIGHT <= amount <= _LARGEST_WEIGHT) else None


def read_seconds_of_length(reading: ItemReading, field: StateField, node: Node) -> int:
    """Read a length of time in seconds."""
    text = reading.word(node)
    seconds = read_length(text)
    if seconds is None:
        reading.refuse(field, text, node)
    return seconds


def read_length(text: str) -> int | None:
    """Return the seconds of `90`, `90m`, `8h` or `1:30:0`; None for any other text."""
    try:
        return parse_offset(f"+{text.strip()}")
    except ValueError:
        return None


def read_number(reading: ItemReading, field: StateField, node: Node) -> float:
    """Read a finite number."""
    text = reading.word(node)
    try:
        number = parse_number(text, infinity=False)
    except ValueError:
        number = math.inf
    if not math.isfinite(number):
        reading.refuse(field, text, node)
    return number


def read_positive(reading: ItemReading, field: StateField, node: Node) -> float:
    """Read a number above 0."""
    text = reading.word(node)
    number = amount_of(text)
    if not number:
        reading.refuse(field, text, node)
    return number


def _length_number(text: str) -> float:
    seconds = read_length(text)
    if seconds is None:
        raise ValueError(text)
    return float(seconds)


GRAMMARS: Final[Mapping[StateType, Callable[[str], float]]] = {
    StateType.RANDOM: float,
    StateType.RANDOM_LENGTH: _length_number,
    StateType.RANDOM_NUMBER: parse_number,
}


def read_random(reading: ItemReading, field: StateField, node: Node) -> RandomValue:
    """Read a number or the distribution of a random number."""
    try:
        return parse_random_value(" ".join(_words(reading, node)), GRAMMARS[field.type])
    except ValueError as error:
        reading.notes.say(reading.rule, f"{field.name}: {error}", node)
        raise Unreadable from None


def _words(reading: ItemReading, node: Node) -> list[str]:
    """Return the words of a text, or of a list of texts; raises Left if there are none."""
    body = resolve(node)
    items = body.items if isinstance(body, Sequence) else (node,)
    words = [word for item in items for word in reading.notes.word(item).split()]
    if not words:
        raise Left
    return words


def read_weights(reading: ItemReading, field: StateField, node: Node) -> Mapping[str, float]:
    """Return name -> weight; names without weights have 1."""
    body, notes = resolve(node), reading.notes
    if not isinstance(body, MappingNode):
        return MappingProxyType(dict.fromkeys(_words(reading, node), 1.0))
    weights: dict[str, float] = {}
    for key, value in notes.scalars(field.name, f"{field.name}: {field.example}", body):
        weight = _weight(value.text)
        if weight is None or key.text in weights:
            notes.say(reading.rule, f'"{value.text}" is no weight of {key.text}, write a number such as 3', value)
        else:
            weights[key.text] = weight
    if not sum(weights.values()):
        notes.say(reading.rule, f"{field.name} names nobody with a weight", node)
        raise Unreadable
    return MappingProxyType(weights)


def read_cycle(reading: ItemReading, field: StateField, node: Node) -> tuple[float, ...]:
    """Read weights, as many as the field declares (`digits`)."""
    numbers = [_weight(word) for word in _words(reading, node)]
    weights = tuple(number for number in numbers if number is not None)
    if len(weights) != len(numbers) or len(weights) != field.digits or not sum(weights):
        message = f"{field.name} is {field.digits} numbers up to 1000000000, one above 0 at least"
        reading.notes.say(reading.rule, message, node)
        raise Unreadable
    return weights


def read_renames(reading: ItemReading, field: StateField, node: Node) -> Mapping[str, str]:
    """Return name in the trace or file -> name in this cluster."""
    pairs = reading.notes.scalars(field.name, field.example[1:-1], node)
    return MappingProxyType({key.text: value.text for key, value in pairs if value.text})
