"""Valid choices for each column of a complex entry, and the changes that a choice requires in other columns.

The rules are complex.md#one-entry and complex.md#built-in-attributes: a form that offers only these choices cannot
make an entry that the qmaster refuses.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from qmon_tui.model import SLOTS, TEXT_TYPES, ConfigObject, Kind, allowed_types, is_built_in, printed
from qmon_tui.model.catalogue import spec
from qmon_tui.values import is_number, parse_number

_RELOPS = ("==", "!=", "<", ">", "<=", ">=")


@dataclass(frozen=True, slots=True)
class ColumnChoices:
    """Values that a column offers (`options`): None for free text, one for a fixed value; `reason` explains why."""

    options: tuple[str, ...] | None
    reason: str = ""


def allowed(entry: ConfigObject) -> Mapping[str, ColumnChoices]:
    """Return column -> choices that are valid with the present values of the other columns."""
    if entry.name == "slots":
        fixed = {column: ColumnChoices((text,), "the qmaster always stores slots so") for column, text in SLOTS.items()}
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
    """Return column -> value of `column` and of all other columns that must change to keep the entry valid."""
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
    """Return a column's text as the qmaster prints it: `y` is YES, `int` is INT."""
    return printed(column, entry.text(column))


def default_fits(entry: ConfigObject) -> bool:
    """True if the qmaster accepts the default with the present values of the other columns."""
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
    """True if jobs consume the attribute per slot or per job."""
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
    """Return a valid default; a free one is needed only for a consumable that cannot be requested: 1."""
    options = _defaults(entry).options
    return options[0] if options else "1"


def _zero(entry: ConfigObject) -> str:
    type_name = canonical(entry, "type")
    if type_name in TEXT_TYPES:
        return "NONE"
    return "0:0:0" if type_name == "TIME" else "0"
