"""Text of a field as the qmaster prints it after storing, as far as that does not depend on other objects.

Source: values.md#none and values.md#in-configuration.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache

from qmon_tui.model import Field, Separator, ValueType, kept_value, parse_rule, printed, rules_of
from qmon_tui.values import (
    Overrides,
    canonical,
    comparable,
    format_double,
    is_none,
    join_entries,
    join_names,
    parse_boolean,
    parse_double,
    parse_overrides,
    parse_subordinates,
    parse_unsigned,
    split_entries,
    split_names,
)

_MAYBE_NONE = ("default_project", "start_proc_args", "stop_proc_args", "qsort_args")
"""Fields whose value NONE may be typed in any case, and is stored in capitals."""
_DOUBLE_ENTRIES = ("load_scaling", "usage_scaling", "usage_weight_list")


@lru_cache(maxsize=16384)
def printed_text(field: Field, text: str) -> str:
    """Return the text as stored; a text that cannot be read is unchanged."""
    if field.source == "sge_conf(5)":
        return kept_value(field.name, text)
    try:
        if field.per_host:
            return _overrides(field, text)
        return printed_value(field, text)
    except ValueError:
        return text


def printed_value(field: Field, text: str) -> str:
    """Return one value as stored, without overrides; raises ValueError if it cannot be read."""
    if field.source == "complex(5)":
        return printed(field.name, text)
    if field.name in _DOUBLE_ENTRIES:
        entries = split_entries(text, field.separator)
        if any("=" in name for name, _ in entries):
            raise ValueError(f"no name of an attribute in {text}")
        # A missing factor is 0.
        factors = ((name, format_double(parse_double(value or "0"))) for name, value in entries)
        return join_entries(factors, field.separator)
    if field.name == "job_load_adjustments":
        adjustments = ((name, value or format_double(0)) for name, value in split_entries(text, field.separator))
        return join_entries(adjustments, field.separator)
    special = _SPECIAL.get(field.name)
    if special is not None:
        return special(text)
    write = _WRITERS.get(field.type)
    return text if write is None else write(field, text)


_THRESHOLDS = ("load_thresholds", "suspend_thresholds")
"""Fields in which the value NONE becomes empty; in complex_values that depends on the instances."""


def _overrides(field: Field, text: str) -> str:
    overrides = parse_overrides(text)
    default = None if overrides.default is None else printed_value(field, overrides.default)
    keyed = ((canonical(key), printed_value(field, value)) for key, value in overrides.keyed)
    return Overrides(default, tuple(keyed)).canonical()


def _names(field: Field, text: str) -> str:
    """Join the names; duplicates are removed only if both blanks and commas may separate them."""
    names: Iterable[str] = () if is_none(text) else split_names(text, field.separator)
    if field.separator is Separator.BLANK_OR_COMMA:
        names = dict.fromkeys(names)
    return join_names(names, field.separator)


def _hosts(field: Field, text: str) -> str:
    names: Iterable[str] = () if is_none(text) else map(canonical, split_names(text, field.separator))
    if field.separator is Separator.BLANK_OR_COMMA:
        spelled: dict[str, str] = {}
        for name in names:
            spelled.setdefault(comparable(name), name)
        names = spelled.values()
    return join_names(names, field.separator)


def _flags(field: Field, text: str) -> str:
    given = {word.upper() for word in text.replace(",", " ").split()}
    return " ".join(choice for choice in field.choices if choice in given) or "NONE"


def _entries(field: Field, text: str) -> str:
    entries = split_entries(text, field.separator)
    if field.name in _THRESHOLDS:
        entries = tuple((name, "" if is_none(value) else value) for name, value in entries)
    return join_entries(entries, field.separator)


def _when(text: str) -> str:
    """Return the letters of checkpoint(5) in the qmaster's order; a time becomes NONE."""
    if text == "n":
        return text
    return "".join(letter for letter in "xsmr" if letter in text) if set(text) <= set("xsmr") else "NONE"


_SPECIAL: Mapping[str, Callable[[str], str]] = {
    "hostname": canonical,
    "when": _when,
    "queue_sort_method": lambda text: "seqno" if text.lower().startswith("seqno") else "load",
    **dict.fromkeys(_MAYBE_NONE, lambda text: "NONE" if is_none(text) else text),
    "load_formula": lambda text: "".join(text.split()),
}

_WRITERS: Mapping[ValueType, Callable[[Field, str], str]] = {
    ValueType.UNSIGNED: lambda field, text: str(parse_unsigned(text)),
    ValueType.DOUBLE: lambda field, text: format_double(parse_double(text)),
    ValueType.BOOLEAN: lambda field, text: "TRUE" if parse_boolean(text) else "FALSE",
    **dict.fromkeys((ValueType.STRING, ValueType.RANGES, ValueType.REFERENCE), lambda field, text: text or "NONE"),
    ValueType.FLAGS: _flags,
    ValueType.NAMES: _names,
    ValueType.HOSTS: _hosts,
    ValueType.ENTRIES: _entries,
    ValueType.SUBORDINATES: lambda field, text: parse_subordinates(text).text() if text else "NONE",
    ValueType.RULES: lambda field, text: "\n".join(parse_rule(rule).text(canonical) for rule in rules_of(text)),
}
