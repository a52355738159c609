"""Editor of each field, and the values that it offers; no Textual here."""

from enum import StrEnum

from qmon_tui.checks import ColumnChoices, allowed, canonical
from qmon_tui.model import Cluster, ConfigObject, Field, Kind, ValueType, foreign_field, lacks
from qmon_tui.model.catalogue import spec

UNKNOWN_GROUP = "Other"
"""The tab of fields that the catalogue does not know."""


def fields_of(obj: ConfigObject) -> tuple[Field, ...]:
    """Return the fields of an object: those of the catalogue, then those of another dialect, which stay unchanged."""
    known = spec(obj.kind)
    absent = lacks(obj)
    unknown = (name for name in obj.values if name not in known.by_name)
    return (
        *(field for field in known.fields if field.name not in absent),
        *(foreign_field(obj.kind, name) or _unknown(name) for name in unknown),
    )


def _unknown(name: str) -> Field:
    return Field(name, ValueType.STRING, "", "Not a field of this dialect; kept unchanged.", UNKNOWN_GROUP)


class Editor(StrEnum):
    """Editor that Enter opens on a field."""

    TEXT = "text"
    """Typed in its row."""
    TIME = "time"
    """Typed in its row; a helper dialog has days, hours, minutes and seconds."""
    MEMORY = "memory"
    """Typed in its row; a helper dialog has amount and unit."""
    CHOICE = "choice"
    """One of a few values."""
    LIST = "list"
    """Names picked from the existing ones."""
    FLAGS = "flags"
    """Any of a few values."""
    ENTRIES = "entries"
    """A table of names and values."""
    SUBORDINATES = "subordinates"
    LINES = "lines"
    """Text of several lines."""


_EDITORS = {
    ValueType.TIME: Editor.TIME,
    ValueType.MEMORY: Editor.MEMORY,
    ValueType.BOOLEAN: Editor.CHOICE,
    ValueType.CHOICE: Editor.CHOICE,
    ValueType.REFERENCE: Editor.CHOICE,
    ValueType.FLAGS: Editor.FLAGS,
    ValueType.NAMES: Editor.LIST,
    ValueType.HOSTS: Editor.LIST,
    ValueType.ENTRIES: Editor.ENTRIES,
    ValueType.SUBORDINATES: Editor.SUBORDINATES,
    ValueType.RULES: Editor.LINES,
    ValueType.TREE: Editor.LINES,
}
# Type of a complex entry -> grammar of its default.
_DEFAULT_TYPES = {
    "TIME": ValueType.TIME,
    "MEMORY": ValueType.MEMORY,
    "BOOL": ValueType.BOOLEAN,
    "INT": ValueType.NUMBER,
    "DOUBLE": ValueType.NUMBER,
}
TYPED = (Editor.TEXT, Editor.TIME, Editor.MEMORY)
"""Editors of values that are typed in their row."""
QUICK_CHOICES = 4
"""Longest list of options through which Space steps; longer lists open as a dialog."""


def value_type(obj: ConfigObject, field: Field) -> ValueType:
    """Return the grammar of a field; that of a complex entry's default follows the entry's type."""
    if obj.kind is Kind.COMPLEX and field.name == "default":
        return _DEFAULT_TYPES.get(canonical(obj, "type"), ValueType.STRING)
    return field.type


def editor_of(obj: ConfigObject, field: Field) -> Editor:
    """Return the editor of a field; a field with usual values beside free text is typed."""
    if obj.kind is Kind.COMPLEX and field.name == "default":
        editor = _EDITORS.get(value_type(obj, field), Editor.TEXT)
        return Editor.TEXT if editor is Editor.CHOICE else editor
    return _EDITORS.get(field.type, Editor.TEXT)


def resettable(obj: ConfigObject, field: Field) -> bool:
    """Return True if the field can be left out: not a name, and of a complex entry only the urgency."""
    if obj.kind is Kind.COMPLEX:
        return field.name == "urgency"
    return field.type is not ValueType.NAME


def choices_of(cluster: Cluster, obj: ConfigObject, field: Field) -> ColumnChoices:
    """Return the values that a field can have now, and why they are limited; options None means free text."""
    if obj.kind is Kind.COMPLEX:
        return allowed(obj).get(field.name, ColumnChoices(None))
    if field.type is ValueType.CHOICE:
        return ColumnChoices(field.choices)
    if field.type is ValueType.BOOLEAN:
        return ColumnChoices(("TRUE", "FALSE"))
    if field.type is ValueType.REFERENCE and field.refers_to:
        return ColumnChoices(("NONE", *cluster.objects(field.refers_to)))
    return ColumnChoices(None)


def candidates_of(cluster: Cluster, field: Field, obj: ConfigObject) -> tuple[str, ...]:
    """Return possible entries of a list field: groups, then hosts; or objects it refers to; or its own choices."""
    if field.refers_to is Kind.HOST and field.type is ValueType.HOSTS:
        groups = (name for name in cluster.objects(Kind.HOSTGROUP) if name != obj.name)
        return (*groups, *(name for name in cluster.objects(Kind.HOST) if name != "global"))
    if field.refers_to is not None:
        return tuple(cluster.objects(field.refers_to))
    if field.choices:
        return field.choices
    return tuple(cluster.objects(Kind.USER)) if field.type is ValueType.NAMES else ()


def takes_others(field: Field) -> bool:
    """Return True if a list may hold names unknown to the cluster: future hosts, users of the operating system."""
    return field.type is ValueType.HOSTS or field.refers_to is None
