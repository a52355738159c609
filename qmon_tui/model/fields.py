"""Classes that describe a kind of object and its fields; the descriptions are in `catalogue/`."""

from dataclasses import dataclass, field
from enum import StrEnum

from qmon_tui.model.kinds import Kind


class ValueType(StrEnum):
    """The grammar of one field's text (values.md#counts and values.md#numbers)."""

    NAME = "name"  # the object's own name
    UNSIGNED = "unsigned"  # whole number, printed in decimal
    NUMBER = "number"  # the number grammar, kept as typed
    TIME = "time"  # the number grammar, meant as a time; kept as typed
    MEMORY = "memory"  # the number grammar, meant as an amount of memory; kept as typed
    DOUBLE = "double"  # C floating prefix, printed with six decimals
    BOOLEAN = "boolean"  # TRUE or FALSE
    STRING = "string"  # free text to the end of the line
    PATH = "path"  # text that starts with a slash
    CHOICE = "choice"  # one of `choices`
    FLAGS = "flags"  # any of `choices`, printed in their order
    RANGES = "ranges"  # 1-3,5
    REFERENCE = "reference"  # the name of one object of kind `refers_to`, or NONE
    NAMES = "names"  # a list of words; of names of kind `refers_to` if that is set
    HOSTS = "hosts"  # a list of hosts and @hostgroups
    ENTRIES = "entries"  # a list of attribute=value
    SUBORDINATES = "subordinates"  # queue_conf(5) subordinate_list
    LOAD_FORMULA = "load_formula"
    RULES = "rules"  # the limit lines of a resource quota set, one rule a line
    CALENDAR_YEAR = "calendar_year"
    CALENDAR_WEEK = "calendar_week"
    TREE = "tree"  # a share tree in the text of `qconf -sstree`


class Separator(StrEnum):
    """Characters that separate the elements of a list; they differ per object (values.md#separators)."""

    BLANK_OR_COMMA = "blank or comma"
    BLANK = "blank"
    COMMA = "comma"


@dataclass(frozen=True, slots=True)
class Field:
    """One field of an object kind: all that parser, printer, checks, forms, pickers and help need to know."""

    name: str
    type: ValueType
    default: str
    """Text in the qmaster's editor template; the value if a YAML file leaves the field out."""
    help: str
    group: str = "General"
    """The tab of the form."""
    choices: tuple[str, ...] = ()
    refers_to: Kind | None = None
    """The kind of object that the value (or the names in its entries) must name."""
    per_host: bool = False
    """True if the value may differ per host or hostgroup: `value,[host=value]`."""
    separator: Separator = Separator.BLANK_OR_COMMA
    minimum: int | None = None
    maximum: int | None = None
    dialects: tuple[str, ...] = ()
    """The dialects that know the field; empty means all."""
    source: str = ""
    """The document that describes it, such as `queue_conf(5)`."""


@dataclass(frozen=True, slots=True)
class KindSpec:
    """One kind of object: its fields in print order, and where files keep its objects."""

    kind: Kind
    title: str
    """Heading in the list of kinds, plural: `Complexes`."""
    yaml_key: str
    """Top-level key of a YAML file."""
    folder: str
    """Name in a folder written by save_sge_config.sh: a folder of files, or one file."""
    fields: tuple[Field, ...]
    single: bool = False
    """True if there is exactly one object, whose name is that of the kind."""
    name_field: str | None = None
    """The field that holds the object's name; None if the name is that of the file."""
    name_width: int = 0
    """Printed width of the name column (formats.md#name-value-files)."""
    help: str = ""
    source: str = ""
    group_order: tuple[str, ...] = ()
    """Tabs of the form, if not in the order of the fields."""
    by_name: dict[str, Field] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "by_name", {f.name: f for f in self.fields})

    @property
    def groups(self) -> tuple[str, ...]:
        """The tabs of the form in order."""
        return self.group_order or tuple(dict.fromkeys(f.group for f in self.fields))
