"""Read and print the fields of a state: one reader of YAML nodes and one printer for each type of field."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final

from qmon_tui.formats.qsub import parse_qsub
from qmon_tui.formats.state.node_reader import (
    MOST_TASKS_LISTED,
    ItemReading,
    Left,
    NodeReader,
    Unreadable,
    read_granted,
)
from qmon_tui.formats.state.plan_values import (
    GRAMMARS,
    amount_of,
    read_cycle,
    read_number,
    read_positive,
    read_random,
    read_renames,
    read_seconds_of_length,
    read_weights,
)
from qmon_tui.formats.yaml import Node, Scalar, braces, scalar
from qmon_tui.model import YAML_TYPES, Amounts, StateField, StateSpec, StateType, is_task_state
from qmon_tui.model.catalogue.state import UNLIMITED
from qmon_tui.values import (
    BLANK_OR_COMMA,
    INFINITY,
    canonical,
    decimal_number,
    format_ranges,
    format_time,
    parse_ranges,
    split_names,
    whole_number,
)


def read_values(reading: ItemReading, spec: StateSpec, nodes: Mapping[str, Node]) -> dict[str, Any] | None:
    """Return attribute -> value of the fields that are given and can be read.

    None if an essential one cannot be read. Fields whose type has no reader (numbers of items, qsub lines, tasks)
    are left out.
    """
    values: dict[str, Any] = {}
    for field in spec.fields:
        node, read = nodes.get(field.name), _READERS.get(field.type)
        if node is None or read is None:
            continue
        try:
            values[field.attribute] = read(reading, field, node)
        except Left:
            continue
        except Unreadable:
            if field.essential:
                return None
    return values


def field_texts(spec: StateSpec, item: object) -> dict[str, str]:
    """Return field -> text of an item, without fields that have their default."""
    texts = {}
    for field in spec.written:
        value = getattr(item, field.attribute)
        if field.always or value != field.default:
            texts[field.name] = value_text(field, value)
    return texts


def value_text(field: StateField, value: Any) -> str:
    """Return the text of a value; YAML in curly braces for a type in `YAML_TYPES`."""
    write = _PRINTERS.get(field.type)
    return str(value) if write is None else write(field, value)


def rendered(spec: StateSpec, name: str, text: str, *, flow: bool = False, style: str = "") -> str:
    """Return the text of a field as YAML."""
    field = spec.by_name.get(name)
    return text if field is not None and field.type in YAML_TYPES else scalar(text, flow=flow, style=style)


def flow_text(spec: StateSpec, item: object) -> str:
    """Return an item as YAML in curly braces."""
    return braces(flow_texts(spec, field_texts(spec, item)))


def flow_texts(spec: StateSpec, texts: Mapping[str, str]) -> dict[str, str]:
    """Return field -> YAML for curly braces."""
    return {name: rendered(spec, name, text, flow=True) for name, text in texts.items()}


def amounts_text(amounts: Amounts) -> str:
    """Return amounts as YAML in curly braces, with all digits; whole numbers without a fraction."""
    return braces({kind: amount_text(amount) for kind, amount in amounts.items()})


def amount_text(amount: float) -> str:
    """Return an amount of usage with all its digits; a whole number without a fraction."""
    return str(int(amount)) if amount.is_integer() else repr(amount)


def read_amounts(
    notes: NodeReader, pairs: list[tuple[Scalar, Node]], number: Callable[[str], float | None] = amount_of
) -> Amounts:
    """Return kind of usage -> amount; an invalid or negative amount is reported and left out."""
    amounts: dict[str, float] = {}
    for key, value in pairs:
        body = notes.single(key.text, value)
        if body is None:
            continue
        amount = number(body.text)
        if amount is None:
            notes.say(
                "format.usage", f'"{body.text}" is not an amount of {key.text}, write a number such as 3600', body
            )
        else:
            amounts[key.text] = amount
    return MappingProxyType(amounts)


# -- readers


def _read_time(reading: ItemReading, _: StateField, node: Node) -> int:
    return reading.clock.read(reading.notes, reading.notes.word(node), node, reading.job, reading.base)


def _read_event_time(reading: ItemReading, _: StateField, node: Node) -> float:
    return reading.clock.read_start(reading.notes, reading.word(node), node, reading.job, reading.base)


def _read_count(reading: ItemReading, field: StateField, node: Node) -> float:
    text = reading.word(node)
    if field.type is StateType.LIMIT and text.upper() == UNLIMITED:
        return INFINITY
    number = whole_number(text, most=10**field.digits - 1)
    if number is None:
        reading.refuse(field, text, node)
    return number


def _read_reservation(reading: ItemReading, field: StateField, node: Node) -> str:
    text = reading.word(node)
    if whole_number(text, most=10**field.digits - 1) is None:
        reading.say(field, text, node)
    return text


def _read_boolean(reading: ItemReading, field: StateField, node: Node) -> bool:
    text = reading.word(node).lower()
    if text not in field.choices:
        reading.refuse(field, text, node)
    return text == field.choices[0]


def _read_choice(reading: ItemReading, field: StateField, node: Node) -> str:
    text = reading.word(node)
    if text not in field.choices:
        reading.refuse(field, text, node)
    return text


def _read_letters(reading: ItemReading, field: StateField, node: Node) -> str:
    letters = reading.word(node)
    if set(letters) - set(field.choices):
        reading.say(field, letters, node)
    return "".join(letter for letter in field.choices if letter in letters)


def _read_task_state(reading: ItemReading, field: StateField, node: Node) -> str:
    text = reading.notes.word(node)
    if is_task_state(text):
        return text
    reading.refuse(field, text, node)


def _read_hosts(reading: ItemReading, _: StateField, node: Node) -> tuple[str, ...]:
    return tuple(canonical(name) for name in split_names(reading.notes.word(node), BLANK_OR_COMMA))


def _read_requests(reading: ItemReading, _: StateField, node: Node) -> tuple[tuple[str, str | None], ...]:
    parsed = parse_qsub(f"-l {reading.word(node)}")
    for message in parsed.problems:
        reading.notes.say("format.qsub", message, node)
    return parsed.request.hard


def _read_granted(reading: ItemReading, _: StateField, node: Node) -> Mapping[str, int]:
    granted = read_granted(reading.notes, node, reading.rule, reading.job)
    if granted is None:
        raise Unreadable
    return MappingProxyType(granted)


def _read_amounts(reading: ItemReading, field: StateField, node: Node) -> Amounts:
    return read_amounts(reading.notes, reading.notes.pairs(field.name, field.example, node))


def _read_columns(reading: ItemReading, field: StateField, node: Node) -> Amounts:
    pairs = reading.notes.pairs(field.name, field.example, node)
    for name in (name for name, _ in pairs if name.text not in field.choices):
        reading.say(field, name.text, name)
    known = [(name, value) for name, value in pairs if name.text in field.choices]
    return read_amounts(reading.notes, known, decimal_number)


def _read_amounts_by_project(reading: ItemReading, field: StateField, node: Node) -> Mapping[str, Amounts]:
    notes = reading.notes
    projects = notes.pairs(field.name, field.example[1:-1], node)
    return MappingProxyType(
        {project.text: read_amounts(notes, notes.pairs(project.text, "cpu: 100", own)) for project, own in projects}
    )


def _read_task_seconds(reading: ItemReading, field: StateField, node: Node) -> Mapping[int, int]:
    seconds: dict[int, int] = {}
    for key, value in reading.notes.scalars(field.name, field.example[1:-1], node):
        number = whole_number(value.text, most=10**field.digits - 1)
        try:
            ranges = parse_ranges(key.text, open_end=False)
        except ValueError:
            ranges = ()
        if number is None or not ranges or ranges[-1][1] > MOST_TASKS_LISTED:
            reading.say(field, f"{key.text}: {value.text}", value)
            continue
        seconds |= {task: number for first, last, step in ranges for task in range(first, last + 1, step)}
    return MappingProxyType(dict(sorted(seconds.items())))


_READERS: Final[Mapping[StateType, Callable[[ItemReading, StateField, Node], Any]]] = {
    StateType.WORD: lambda reading, _, node: reading.word(node),
    StateType.TIME: _read_time,
    StateType.EVENT_TIME: _read_event_time,
    StateType.SECONDS: _read_count,
    StateType.LIMIT: _read_count,
    StateType.COUNT: _read_count,
    StateType.LENGTH: read_seconds_of_length,
    StateType.NUMBER: read_number,
    StateType.POSITIVE: read_positive,
    **dict.fromkeys(GRAMMARS, read_random),
    StateType.WEIGHTS: read_weights,
    StateType.CYCLE: read_cycle,
    StateType.RENAMES: read_renames,
    StateType.RESERVATION: _read_reservation,
    StateType.FLAG: lambda reading, field, node: bool(_read_choice(reading, field, node)),
    StateType.BOOLEAN: _read_boolean,
    StateType.CHOICE: _read_choice,
    StateType.LETTERS: _read_letters,
    StateType.TASK_STATE: _read_task_state,
    StateType.HOSTS: _read_hosts,
    StateType.NAMES: lambda reading, _, node: split_names(reading.notes.word(node), BLANK_OR_COMMA),
    StateType.REQUESTS: _read_requests,
    StateType.GRANTED: _read_granted,
    StateType.AMOUNTS: _read_amounts,
    StateType.COLUMNS: _read_columns,
    StateType.AMOUNTS_BY_PROJECT: _read_amounts_by_project,
    StateType.TASK_SECONDS: _read_task_seconds,
}


# -- printers


def _by_project_text(_: StateField, by_project: Mapping[str, Amounts]) -> str:
    return braces({name: amounts_text(amounts) for name, amounts in by_project.items()})


def _task_seconds_text(_: StateField, seconds: Mapping[int, int]) -> str:
    tasks: dict[int, list[int]] = {}
    for task, length in seconds.items():
        tasks.setdefault(length, []).append(task)
    return braces({format_ranges(numbers): str(length) for length, numbers in tasks.items()})


def _requests_text(_: StateField, requests: tuple[tuple[str, str | None], ...]) -> str:
    return ",".join(name if text is None else f"{name}={text}" for name, text in requests)


_PRINTERS: Final[Mapping[StateType, Callable[[StateField, Any], str]]] = {
    **dict.fromkeys((StateType.SUBMITTED, StateType.TIME, StateType.EVENT_TIME), lambda _, time: format_time(time)),
    StateType.LIMIT: lambda _, seconds: UNLIMITED if seconds == INFINITY else f"{seconds:.0f}",
    **dict.fromkeys((StateType.NUMBER, StateType.POSITIVE), lambda _, number: amount_text(number)),
    **dict.fromkeys(GRAMMARS, lambda _, value: value.text),
    StateType.WEIGHTS: lambda _, weights: amounts_text(weights),
    StateType.CYCLE: lambda _, numbers: " ".join(map(amount_text, numbers)),
    StateType.RENAMES: lambda _, names: braces({old: scalar(new, flow=True) for old, new in names.items()}),
    StateType.FLAG: lambda field, _: field.choices[0],
    StateType.BOOLEAN: lambda field, value: field.choices[not value],
    **dict.fromkeys((StateType.HOSTS, StateType.NAMES), lambda _, names: " ".join(names)),
    StateType.REQUESTS: _requests_text,
    StateType.GRANTED: lambda _, granted: braces({instance: str(slots) for instance, slots in granted.items()}),
    **dict.fromkeys((StateType.AMOUNTS, StateType.COLUMNS), lambda _, amounts: amounts_text(amounts)),
    StateType.AMOUNTS_BY_PROJECT: _by_project_text,
    StateType.TASK_SECONDS: _task_seconds_text,
}
"""Type -> its printer; values of all other types are printed as they are."""
