"""What may still be chosen in each column of a complex entry, and what one choice entails in the other columns.

The rules of complex.md#one-entry and complex.md#built-in-attributes, turned round: a form that offers only this cannot
make an entry that the qmaster refuses.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from qmon_tui.model import TEXT_TYPES, ConfigObject, Kind, allowed_types, is_built_in
from qmon_tui.model.catalogue import spec
from qmon_tui.values import is_number, parse_number

_RELOPS = ("==", "!=", "<", ">", "<=", ">=")
_SLOTS = {"type": "INT", "relop": "<=", "requestable": "YES", "consumable": "YES", "default": "1"}
_WORDS = {"Y": "YES", "N": "NO", "J": "JOB", "F": "FORCED"}


@dataclass(frozen=True, slots=True)
class ColumnChoices:
    """What a column offers; `options` None is free text, a single option is fixed. `reason` says why it is limited."""

    options: tuple[str, ...] | None
    reason: str = ""


def allowed(entry: ConfigObject) -> Mapping[str, ColumnChoices]:
    """The choices of every column of an entry, each given what the other columns hold now."""
    if entry.name == "slots":
        fixed = {
            column: ColumnChoices((value,), "the qmaster always stores slots so") for column, value in _SLOTS.items()
        }
        return {"name": _name(entry), "shortcut": ColumnChoices(None), **fixed, "urgency": ColumnChoices(None)}
    return {
        "name": _name(entry),
        "shortcut": ColumnChoices(None),
        "type": _types(entry),
        "relop": _relops(entry),
        "requestable": _requestable(entry),
        "consumable": _consumable(entry),
        "default": _defaults(entry),
        "urgency": ColumnChoices(None),
    }


def implied_values(entry: ConfigObject, column: str, value: str) -> dict[str, str]:
    """All columns to set so that the entry stays valid when one column gets `value`; that column is among them."""
    values = {column: value}
    changed = entry.with_value(column, value)
    # In this order each column depends only on those before it.
    for other in ("consumable", "relop", "requestable", "default"):
        options = allowed(changed)[other].options
        if other == column or options is None or canonical(changed, other) in options:
            continue
        if other == "default" and default_fits(changed):
            continue
        values[other] = options[0]
        changed = changed.with_value(other, options[0])
    if column != "default" and not default_fits(changed):
        values["default"] = _fitting_default(changed)
    return values


def canonical(entry: ConfigObject, column: str) -> str:
    """A column's text as the qmaster prints it: `y` is YES, `int` is INT."""
    text = entry.text(column)
    if column in ("type", "relop"):
        return text.upper()
    if column in ("requestable", "consumable"):
        return _WORDS.get(text.upper(), text.upper())
    return text


def default_fits(entry: ConfigObject) -> bool:
    """Whether the default is one that the qmaster accepts with the other columns as they are."""
    text = entry.text("default")
    if not is_consumable(entry):
        if canonical(entry, "type") in TEXT_TYPES:
            return text.upper() == "NONE"
        return is_number(text) and parse_number(text) == 0
    requestable = canonical(entry, "requestable")
    if requestable == "YES":
        return True
    return is_number(text) and (parse_number(text) == 0) == (requestable == "FORCED")


def is_consumable(entry: ConfigObject) -> bool:
    """Whether the attribute is used up, by slot or by job."""
    return canonical(entry, "consumable") in ("YES", "JOB")


def _name(entry: ConfigObject) -> ColumnChoices:
    if is_built_in(entry.name):
        return ColumnChoices((entry.name,), "built in: it can be neither renamed nor deleted")
    return ColumnChoices(None)


def _types(entry: ConfigObject) -> ColumnChoices:
    types = allowed_types(entry.name)
    if types is None:
        return ColumnChoices(spec(Kind.COMPLEX).by_name["type"].choices)
    if len(types) == 1:
        return ColumnChoices(types, "built in: its type is fixed")
    return ColumnChoices(types, "built in: only another string type is possible")


def _relops(entry: ConfigObject) -> ColumnChoices:
    type_name, consumable = canonical(entry, "type"), is_consumable(entry)
    if type_name == "BOOL":
        if consumable:
            return ColumnChoices(("EXCL",), "a consumable BOOL is exclusive")
        return ColumnChoices(("==",), "a BOOL that is not consumable can only be compared for equality")
    if type_name in TEXT_TYPES:
        return ColumnChoices(("==", "!="), "text can only be equal or not")
    return ColumnChoices(("<=",), "a consumable must be <= what is left") if consumable else ColumnChoices(_RELOPS)


def _requestable(entry: ConfigObject) -> ColumnChoices:
    if entry.name == "tmpdir":
        return ColumnChoices(("NO",), "tmpdir cannot be requested")
    return ColumnChoices(("YES", "NO", "FORCED"))


def _consumable(entry: ConfigObject) -> ColumnChoices:
    if canonical(entry, "type") in TEXT_TYPES:
        return ColumnChoices(("NO",), "text cannot be used up")
    return ColumnChoices(("NO", "YES", "JOB"))


def _defaults(entry: ConfigObject) -> ColumnChoices:
    if not is_consumable(entry):
        return ColumnChoices((_zero(entry),), "only a consumable has a default")
    if canonical(entry, "requestable") == "FORCED":
        return ColumnChoices((_zero(entry),), "FORCED: every job names its own amount")
    return ColumnChoices(None)


def _fitting_default(entry: ConfigObject) -> str:
    """A default for an entry whose own does not fit; only a consumable that nobody can request needs one."""
    options = _defaults(entry).options
    return options[0] if options else "1"


def _zero(entry: ConfigObject) -> str:
    type_name = canonical(entry, "type")
    if type_name in TEXT_TYPES:
        return "NONE"
    return "0:0:0" if type_name == "TIME" else "0"
