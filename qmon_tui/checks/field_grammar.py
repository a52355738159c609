"""Check the grammar of field values, as the catalogue declares it, for all kinds but complexes and queues.

Source: values.md#counts and formats.md#reading-rules.
"""

import re
from collections.abc import Callable, Collection, Iterator, Mapping

from qmon_tui.checks.rules import Rule, RuleBook
from qmon_tui.model import ConfigObject, Field, Finding, Kind, Separator, ValueType
from qmon_tui.model.catalogue import spec, specs
from qmon_tui.values import parse_boolean, parse_double, parse_unsigned, split_entries

_SOURCE = "values.md#counts"

_SUMMARIES = {
    ValueType.UNSIGNED: "A count is a whole number from 0 to 4294967295.",
    ValueType.DOUBLE: "A weight or factor starts with a number.",
    ValueType.BOOLEAN: "A switch is TRUE or FALSE.",
    ValueType.ENTRIES: "A list of name=value is separated by commas and nothing else.",
    ValueType.NAMES: "A list of names is separated as this kind of object wants it; NONE stands alone.",
    ValueType.HOSTS: "A list of hosts is separated by blanks; NONE stands alone.",
}
# Not configurations, which are stored as typed, nor share trees, which have their own grammar.
_CHECKED = (Kind.HOST, Kind.HOSTGROUP, Kind.PE, Kind.CKPT, Kind.CALENDAR, Kind.USERSET, Kind.PROJECT, Kind.USER)
_KINDS = (*_CHECKED, Kind.QUOTA, Kind.SCHEDULER)

_MISSING: Mapping[Kind, Rule] = {
    kind: RuleBook(kind, "formats.md#missing-unknown-and-repeated-attributes").error(
        "missing", "Every field has a value."
    )
    for kind in _KINDS
    if kind is not Kind.USERSET
}
"""Kind -> rule for empty fields. In a userset only name and type must have a value, by rules of their own."""
_RULES: Mapping[tuple[Kind, ValueType], Rule] = {
    (kind, value_type): RuleBook(kind, _SOURCE).error(value_type.value, _SUMMARIES[value_type])
    for kind in _KINDS
    for value_type in dict.fromkeys(field.type for field in specs()[kind].fields)
    if value_type in _SUMMARIES
}


READ = frozenset(rule.id for rule in _RULES.values())
"""Ids of the rules that qconf checks while it reads a file."""

_GAP = re.compile(r"((?:^|,)(?:\s*,)+)\s*([^,\s=]+)")
"""Two or more commas in a row, or commas at the beginning (counted as one more)."""
_OPEN_END = re.compile(r"[^,\s]\s*,\s*$")
_AFTER_NONE = re.compile(
    r"\s*NONE(?![^\s,;=:|{}\[\]])\s*([,;:|{}\[\]]?)\s*(==|=|[,;]|[^\s,;=]*)\s*(\S?)", re.IGNORECASE
)
"""NONE as the first word of a list, then a comma or semicolon, the next word, and the character after it."""
_WITH_VALUE = re.compile(r"=\s*[^\s,=]")

_LARGEST_COUNT = 2**64 - 1


def grammar_errors(obj: ConfigObject, counts_64_bits: Collection[str] = ()) -> Iterator[Finding]:
    """Yield an error for each field that cannot be read.

    `counts_64_bits` are the fields that the cluster's dialect reads as counts of 64 bits.
    """
    for field in spec(obj.kind).fields:
        text = obj.text(field.name)
        if not text.strip() and field.type not in (ValueType.NAME, ValueType.RULES):
            if obj.kind in _MISSING:
                yield _MISSING[obj.kind].finding(obj, field.name, f"{field.name} has no value")
            continue
        check = _large if field.name in counts_64_bits else _CHECKS.get(field.type)
        if check is not None:
            try:
                check(obj, field, text)
            except ValueError as error:
                rule = _RULES[obj.kind, field.type]
                yield rule.finding(obj, field.name, str(error), rule.summary)


def line_in_file(obj: ConfigObject, field: Field) -> int:
    """Return the line that the qmaster names: the field's line in the file, or in a file with all fields."""
    if obj.origin is not None and field.name in obj.origin.lines and not obj.origin.file.endswith((".yaml", ".yml")):
        return obj.origin.line_of(field.name)
    return spec(obj.kind).fields.index(field) + 1


def _unsigned(obj: ConfigObject, field: Field, text: str) -> None:
    """Raise ValueError for no count; negative numbers have their own message outside queues."""
    try:
        parse_unsigned(text)
    except ValueError as error:
        if "u_long32" in str(error) and parse_double(text) < 0:
            raise ValueError(f'error: parameter "{field.name}" must be a positive number') from None
        raise


def _large(obj: ConfigObject, field: Field, text: str) -> None:
    parse_unsigned(text, _LARGEST_COUNT)


def _double(obj: ConfigObject, field: Field, text: str) -> None:
    parse_double(text)


def _boolean(obj: ConfigObject, field: Field, text: str) -> None:
    try:
        parse_boolean(text)
    except ValueError as error:
        # The scanner of quota sets has no "error: " in front.
        raise ValueError(str(error).removeprefix("error: " if obj.kind is Kind.QUOTA else "")) from None


def _entries(obj: ConfigObject, field: Field, text: str) -> None:
    if field.separator is Separator.COMMA:
        if _is_none(obj, field, text):
            return
        _gaps(obj, field, text)
        if _OPEN_END.search(text):
            # After the comma the scanner continues in the next line.
            following = spec(obj.kind).fields[spec(obj.kind).fields.index(field) + 1]
            raise ValueError(_unrecognized(line_in_file(obj, following), following.name))
    try:
        entries = split_entries(text, field.separator)
    except ValueError as error:
        if "separated" in str(error):
            place = f"in line {line_in_file(obj, field)} should be separated by"
            raise ValueError(f'error: values in the attribute value list {place} ","') from None
        raise
    if field.name in ("load_scaling", "usage_scaling", "usage_weight_list"):
        for _, value in entries:
            if value:
                parse_double(value)


def _names(obj: ConfigObject, field: Field, text: str) -> None:
    if _is_none(obj, field, text):
        return
    if field.separator is Separator.COMMA:
        _gaps(obj, field, text)
    glue = " " if field.separator is Separator.BLANK else ","
    if (glue == " " or field.name == "report_variables") and _WITH_VALUE.search(text):
        place = f"in line {line_in_file(obj, field)} should be separated by"
        raise ValueError(f'error: values in the attribute value list {place} "{glue}"')


def _is_none(obj: ConfigObject, field: Field, text: str) -> bool:
    """Return True if the list is NONE; raises ValueError if more follows than one separator."""
    match = _AFTER_NONE.match(text)
    if match is None:
        return False
    comma, rest, more = match.groups()
    if comma and rest[:1] not in ("", "=", ",", ";"):
        raise ValueError(f'error: unknown attribute name "{rest}"')
    if rest and (comma or (rest == "=" and more)):
        raise ValueError(f"error: line {line_in_file(obj, field)} should begin with an attribute name")
    if rest and rest != "=":
        raise ValueError(_unrecognized(line_in_file(obj, field), rest))
    return True


def _gaps(obj: ConfigObject, field: Field, text: str) -> None:
    """Raise ValueError for commas in a row: the second ends the values, after the third the scanner expects a field."""
    gap = _GAP.search(text)
    if gap is None:
        return
    word = gap.group(2)
    match gap.group(1).count(",") + (gap.start() == 0):
        case 2:
            raise ValueError(_unrecognized(line_in_file(obj, field), word))
        case 3:
            raise ValueError(f'error: unknown attribute name "{word}"')
        case _:
            raise ValueError(f"error: line {line_in_file(obj, field)} should begin with an attribute name")


def _unrecognized(line: int, word: str) -> str:
    return f'error: unrecognized characters after the attribute values in line {line}: "{word}"'


_CHECKS: Mapping[ValueType, Callable[[ConfigObject, Field, str], None]] = {
    ValueType.UNSIGNED: _unsigned,
    ValueType.DOUBLE: _double,
    ValueType.BOOLEAN: _boolean,
    ValueType.ENTRIES: _entries,
    ValueType.NAMES: _names,
    ValueType.HOSTS: _names,
}
