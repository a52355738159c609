"""The items of a state as entries with texts, and the classes by which `catalogue/state.py` describes their fields."""

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
    COLUMNS = "column: number"
    AMOUNTS_BY_PROJECT = "project: {kind of usage: amount}"
    TASK_SECONDS = "task numbers: whole seconds"
    SCORES = "three scores"
    TASKS = "task numbers: fields of a task"


YAML_TYPES = frozenset(
    {
        StateType.GRANTED,
        StateType.AMOUNTS,
        StateType.COLUMNS,
        StateType.AMOUNTS_BY_PROJECT,
        StateType.TASKS,
        StateType.WEIGHTS,
        StateType.RENAMES,
        StateType.TASK_SECONDS,
    }
)
"""Types whose texts are YAML in curly braces; texts of the other types are single values."""


@dataclass(frozen=True, slots=True)
class StateField:
    """One field of an item: all that reader, printer, editor and documentation need to know."""

    name: str
    """Name in a file."""
    type: StateType
    help: str
    attribute: str = ""
    """Attribute of the item; empty if it has the name of the field."""
    choices: tuple[str, ...] = ()
    """Allowed words or letters, in the order in which they are written."""
    wrong: str = ""
    """Message of the finding for a text that cannot be read, inserted at `{text}`."""
    example: str = ""
    digits: int = 7
    """The largest number of digits."""
    needed: bool = False
    """True if an item without the field is left out."""
    essential: bool = False
    """True if an item whose text cannot be read is left out; otherwise the field has its default."""
    always: bool = False
    """True if the default is written, too."""
    in_qsub: bool = False
    """True if the job's `qsub` line may give it, so that it need not be written separately."""
    key: str = ""
    """For a queue instance: key of the file's section with this field of all instances."""
    place: str = ""
    """For a queue instance: prefix of its name in `State.places` for this field."""
    source: str = ""
    """The document that describes it, such as `qstat(1)`."""
    default: Any = None
    """The item's default if a file leaves the field out; taken from its class."""


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
    """Fields with a text of their own: all but the item's number and its tasks."""

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
        """Names of the fields in a file."""
        return tuple(self.by_name)


def _completed(entry: StateField, declared: dict[str, Any]) -> StateField:
    """Fill in attribute and default; raises KeyError if the item has no such attribute."""
    attribute = entry.attribute or entry.name
    default = declared[attribute]
    return replace(entry, attribute=attribute, default=None if default is MISSING else default)


class StateKind(StrEnum):
    """A kind of item; the value is the word used in messages and JSON."""

    TIME = "time"
    LOADS = "load values"
    DRAIN = "drain"
    """Reasons for which a host or queue instance was disabled; fields are named `who: reason`."""
    EXCEPTION = "exception"
    """End and reason of an exception; named `userset/guests/bela` or `user/bela`, fields as those of drains."""
    INSTANCE = "queue instance"
    USAGE = "usage"
    """Usage of a user or project; named `user anna`, `project sea`."""
    NUMBER = "last number"
    """Last number of jobs or advance reservations; named `jobseqnum` or `arseqnum`."""
    RESERVATION = "advance reservation"
    JOB = "job"


@dataclass(frozen=True, slots=True)
class StateEntry:
    """One item of the state as the texts that a file gives for it.

    A job has the fields of a file, and `task 3` for each task that is not plainly pending. A host's fields are its load
    values, an owner's the kinds of usage. A queue instance has `state` and `changed`, a cluster queue only `changed`.
    """

    kind: StateKind
    name: str
    values: Mapping[str, str]
    origin: Origin | None = field(default=None, compare=False)
    item: object = field(default=None, compare=False, repr=False)
    """The item of the state; None if a text was changed."""

    def given(self, field_name: str) -> str | None:
        """Return the text of a field; None if it is left out."""
        return self.values.get(field_name)

    def with_value(self, field_name: str, text: str | None) -> "StateEntry":
        """Return a copy of the entry with one field changed, or removed if `text` is None."""
        values = {**self.values, field_name: text or ""}
        if text is None:
            del values[field_name]
        return replace(self, values=MappingProxyType(values), item=None)
