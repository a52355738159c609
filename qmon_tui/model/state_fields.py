"""The items of a state as entries with texts, and how the catalogue (`catalogue/state.py`) describes their fields."""

from collections.abc import Mapping
from dataclasses import MISSING, dataclass, field, fields, replace
from enum import StrEnum
from types import MappingProxyType
from typing import Any

from qmon_tui.model.cluster import Origin


class StateType(StrEnum):
    """The grammar of a field's text in a YAML file."""

    ID = "number of the item"
    WORD = "word"
    QSUB = "qsub options"
    SUBMITTED = "time, or offset from the first job"
    TIME = "time"
    EVENT_TIME = "time, fractions tell the order"
    SECONDS = "whole seconds"
    LIMIT = "whole seconds or INFINITY"
    LENGTH = "length of time"
    NUMBER = "number as in qconf"
    POSITIVE = "number above 0"
    RANDOM = "number, or how it is drawn"
    RANDOM_LENGTH = "length of time, or how it is drawn"
    RANDOM_NUMBER = "number as in qconf, or how it is drawn"
    WEIGHTS = "names, with weights"
    CYCLE = "numbers"
    RENAMES = "name: name"
    COUNT = "number"
    RESERVATION = "number of an advance reservation, or 0"
    FLAG = "the word, or nothing"
    BOOLEAN = "true or false"
    CHOICE = "one of"
    LETTERS = "any of the letters"
    TASK_STATE = "letters of qstat"
    HOSTS = "hosts"
    NAMES = "names"
    REQUESTS = "requests as for qsub -l"
    GRANTED = "queue instance: slots"
    AMOUNTS = "kind of usage: amount"
    AMOUNTS_BY_PROJECT = "project: {kind of usage: amount}"
    TASK_SECONDS = "task numbers: whole seconds"
    SCORES = "three scores"
    TASKS = "task numbers: fields of a task"


YAML_TYPES = frozenset(
    {
        StateType.GRANTED,
        StateType.AMOUNTS,
        StateType.AMOUNTS_BY_PROJECT,
        StateType.TASKS,
        StateType.WEIGHTS,
        StateType.RENAMES,
        StateType.TASK_SECONDS,
    }
)
"""Those whose texts are YAML in curly braces; the texts of all others are single values."""


@dataclass(frozen=True, slots=True)
class StateField:
    """One field of an item: all that reader, printer, editor and documentation need to know."""

    name: str
    """As a file says it."""
    type: StateType
    help: str
    """One line for the person who writes the file."""
    attribute: str = ""
    """Of the item; empty where it is called as the field is."""
    choices: tuple[str, ...] = ()
    """Words or letters that may stand there, in the order in which they are written."""
    wrong: str = ""
    """What a finding says of a text that cannot be read, which stands for `{text}`."""
    example: str = ""
    digits: int = 7
    """The most that a whole number has."""
    needed: bool = False
    """An item without it is left out."""
    essential: bool = False
    """An item is left out where this cannot be read; other fields then have their default."""
    always: bool = False
    """It is written even where it has its default."""
    in_qsub: bool = False
    """The line `qsub` may say it, and then it need not be written besides."""
    key: str = ""
    """Of a queue instance: the key of a file that holds it for all."""
    place: str = ""
    """Of a queue instance: leads its name where the place of this field is kept (`State.places`)."""
    source: str = ""
    """The document that it comes from, for instance `qstat(1)`."""
    default: Any = None
    """What an item has where a file leaves it out; taken from the item's declaration."""


@dataclass(frozen=True, slots=True)
class StateSpec:
    """One kind of item: its fields in the order in which they are written."""

    title: str
    item: type
    """The class whose attributes the fields are."""
    help: str
    fields: tuple[StateField, ...]
    by_name: dict[str, StateField] = field(init=False, repr=False, compare=False)
    written: tuple[StateField, ...] = field(init=False, repr=False, compare=False)
    """Those with a text of their own: neither the number that names the item nor its tasks."""

    def __post_init__(self) -> None:
        declared = {}
        for given in fields(self.item):
            made = given.default_factory
            declared[given.name] = given.default if made is MISSING else made()
        with_defaults = tuple(_completed(entry, declared) for entry in self.fields)
        object.__setattr__(self, "fields", with_defaults)
        object.__setattr__(self, "by_name", {entry.name: entry for entry in with_defaults})
        apart = (StateType.ID, StateType.TASKS)
        object.__setattr__(self, "written", tuple(entry for entry in with_defaults if entry.type not in apart))

    @property
    def names(self) -> tuple[str, ...]:
        """How a file calls the fields."""
        return tuple(self.by_name)


def _completed(entry: StateField, declared: dict[str, Any]) -> StateField:
    """The field with its attribute and the default of that; raises KeyError where the item has no such attribute."""
    attribute = entry.attribute or entry.name
    default = declared[attribute]
    return replace(entry, attribute=attribute, default=None if default is MISSING else default)


class StateKind(StrEnum):
    """A kind of item; the value is the word used in messages and JSON."""

    TIME = "time"
    LOADS = "load values"
    INSTANCE = "queue instance"
    USAGE = "usage"
    """Of a user or project; named `user anna`, `project sea`."""
    NUMBER = "last number"
    """Of jobs or advance reservations; named `jobseqnum` or `arseqnum`."""
    RESERVATION = "advance reservation"
    JOB = "job"


@dataclass(frozen=True, slots=True)
class StateEntry:
    """One item of the state with the texts that a file gives of it.

    The fields of a job are those of a file, and `task 3` for each task that is not plainly pending; load values are
    fields of their host, the letters of a queue instance are its field `state` and its last change is `changed` (which
    a cluster queue may have, too), kinds of usage those of their owner.
    """

    kind: StateKind
    name: str
    values: Mapping[str, str]
    origin: Origin | None = field(default=None, compare=False)
    item: object = field(default=None, compare=False, repr=False)
    """What the texts say, as the state holds it; None where they were changed."""

    def given(self, field_name: str) -> str | None:
        """The text of a field, or None."""
        return self.values.get(field_name)

    def with_value(self, field_name: str, text: str | None) -> "StateEntry":
        """The same entry with one field changed, or left out when `text` is None."""
        values = {**self.values, field_name: text or ""}
        if text is None:
            del values[field_name]
        return replace(self, values=MappingProxyType(values), item=None)
