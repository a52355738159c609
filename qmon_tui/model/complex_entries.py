"""Complex entries with their columns as the qmaster understands them, found by name or shortcut.

Source: complex(5), complex.md#columns.
"""

from collections.abc import Mapping
from typing import NamedTuple

from qmon_tui.model.cluster import Cluster, ConfigObject
from qmon_tui.model.defaults import NUMERIC_TYPES, TEXT_TYPES
from qmon_tui.model.kinds import Kind
from qmon_tui.model.memoize import memoized

SLOTS = {"type": "INT", "relop": "<=", "requestable": "YES", "consumable": "YES", "default": "1"}
"""Columns that the qmaster stores for the entry `slots`, whatever a file gives."""

COLUMN_WORDS = {
    "requestable": {"Y": "YES", "YES": "YES", "N": "NO", "NO": "NO", "F": "FORCED", "FORCED": "FORCED"},
    "consumable": {"Y": "YES", "YES": "YES", "N": "NO", "NO": "NO", "J": "JOB", "JOB": "JOB", "HOST": "HOST"},
}
"""Column -> word in upper case -> word as printed. Case is ignored; HOST exists only in some dialects."""


class ComplexEntry(NamedTuple):
    """One attribute; type, relop, requestable and consumable are printed words such as INT, <=, FORCED, JOB."""

    name: str
    shortcut: str
    type: str
    relop: str
    requestable: str
    consumable: str
    default: str
    urgency: str

    @property
    def is_text(self) -> bool:
        """True if values are compared as text."""
        return self.type in TEXT_TYPES

    @property
    def is_numeric(self) -> bool:
        """True if values are INT, DOUBLE, TIME or MEMORY."""
        return self.type in NUMERIC_TYPES

    @property
    def is_consumable(self) -> bool:
        """True if jobs consume it per slot, per job or per host."""
        return self.consumable in ("YES", "JOB", "HOST")


class ComplexIndex(NamedTuple):
    """All attributes of a cluster."""

    entries: Mapping[str, ComplexEntry]
    names: Mapping[str, str]
    """Name or shortcut -> name; a name wins over a shortcut, an earlier entry over a later one."""

    def find(self, word: str) -> ComplexEntry | None:
        """Return the attribute with this name or shortcut (case counts); None if there is none."""
        name = self.names.get(word)
        return None if name is None else self.entries[name]


def printed(column: str, text: str) -> str:
    """Return a column's text as the qmaster prints it: `y` is YES, `int` is INT; unknown words in upper case."""
    if column in ("type", "relop"):
        return text.upper()
    if column in COLUMN_WORDS:
        return COLUMN_WORDS[column].get(text.upper(), text.upper())
    return text


def complex_entry(obj: ConfigObject) -> ComplexEntry:
    """Return the entry that an object of kind COMPLEX describes, as given (the qmaster stores `slots` differently)."""
    columns = ("shortcut", "type", "relop", "requestable", "consumable", "default", "urgency")
    return ComplexEntry(obj.name, *(printed(column, obj.text(column)) for column in columns))


def complex_index(cluster: Cluster) -> ComplexIndex:
    """Return the attributes of a cluster by name and by shortcut."""
    return _index(cluster.objects(Kind.COMPLEX))


@memoized(size=8)
def _index(objects: Mapping[str, ConfigObject]) -> ComplexIndex:
    entries = {obj.name: complex_entry(obj) for obj in objects.values()}
    names = {name: name for name in entries}
    for entry in entries.values():
        names.setdefault(entry.shortcut, entry.name)
    return ComplexIndex(entries, names)
