"""Object as the qmaster stores it, and comparison of two texts of a field by their value.

Source: values.md#in-configuration and complex.md#slots.
"""

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from qmon_tui.checks.name_lists import LISTS
from qmon_tui.checks.printed_texts import printed_text, printed_value
from qmon_tui.checks.queue_read import instance_values, read_field
from qmon_tui.model import (
    ONLY_SHOWN,
    SLOTS,
    Cluster,
    ConfigObject,
    Field,
    Kind,
    ShareNode,
    ValueType,
    complex_index,
    defined_name,
    kept_configuration,
    parse_rule,
    parse_share_tree,
    rules_of,
)
from qmon_tui.model.catalogue import spec
from qmon_tui.values import (
    BLANK_OR_COMMA,
    COMMA,
    INFINITY,
    Overrides,
    canonical,
    is_expression,
    is_none,
    is_number,
    join_entries,
    parse_number,
    parse_overrides,
    parse_unsigned,
    split_entries,
    split_names,
)


def stored(cluster: Cluster, obj: ConfigObject) -> ConfigObject:
    """Return the object with each given field as the qmaster stores and prints it.

    Unreadable texts are unchanged; missing fields are not added, except the columns of `slots`.
    """
    if obj.kind is Kind.CONFIGURATION:
        return kept_configuration(obj)
    if obj.kind is Kind.HOSTGROUP:
        obj = replace(obj, name=defined_name(cluster, obj.name))
    fields = spec(obj.kind).by_name
    values = {name: printed_text(fields[name], text) for name, text in obj.values.items() if name in fields}
    if obj.kind is Kind.COMPLEX and obj.name == "slots":
        values |= SLOTS
    elif obj.kind is Kind.QUEUE and "complex_values" in values:
        values["complex_values"] = _queue_offers(cluster, obj, values["complex_values"])
    elif obj.kind is Kind.HOST and "complex_values" in values:
        values["complex_values"] = _offers(cluster, values["complex_values"], COMMA)
    elif obj.kind is Kind.QUOTA and "limit" in values:
        values["limit"] = "\n".join(_limits(cluster, line) for line in rules_of(values["limit"]))
    elif obj.kind is Kind.SHARETREE and "tree" in values:
        values["tree"] = "\n".join(_share_tree(cluster, values["tree"]))
    changed = {name: text for name, text in values.items() if text != obj.values.get(name)}
    return obj.with_values(changed) if changed else obj


NAMING_ATTRIBUTES: Mapping[Kind, str] = {Kind.QUEUE: "complex_values", Kind.HOST: "complex_values", Kind.QUOTA: "limit"}
"""Kind -> the field in which the qmaster stores attributes of the complex by name."""


def with_names(cluster: Cluster, obj: ConfigObject) -> ConfigObject:
    """Return the object with shortcuts of attributes replaced by names, as the qmaster stores them."""
    field = NAMING_ATTRIBUTES.get(obj.kind)
    if field is None or obj.given(field) is None:
        return obj
    return obj.with_value(field, stored(cluster, obj).text(field))


def _share_tree(cluster: Cluster, text: str) -> Iterator[str]:
    """Yield the lines of the tree: nodes numbered depth first from 0, decimal numbers, type 1 for project leaves."""
    root = parse_share_tree(text)
    nodes = list(root.subtree()) if root is not None else []
    numbers = {id(node): str(number) for number, node in enumerate(nodes)}
    for node in nodes:
        is_project = not node.named and cluster.get(Kind.PROJECT, node.name) is not None
        kind = "1" if is_project else node.fields.get("type", "0")
        children = ",".join(numbers[id(child)] for child in node.children) or "NONE"
        written = {"id": numbers[id(node)], "type": kind, "childnodes": children}
        for name, value in {**node.fields, **written}.items():
            yield f"{name}={_decimal(value) if name in ('type', 'shares') else value}"


def _decimal(text: str) -> str:
    try:
        return str(parse_unsigned(text))
    except ValueError:
        return text


def is_same_field(before: ConfigObject, after: ConfigObject, name: str) -> bool:
    """True if two versions of an object have the same value in a field, or the value can change without an edit.

    Such values are load values and processors of hosts, and the delete_time of an automatic user. The qmaster sorts
    the lists of managers, operators, administrative hosts and submit hosts, so their order does not count.
    """
    if before.kind is Kind.HOST and name in ONLY_SHOWN:
        return True
    a, b = before.text(name), after.text(name)
    declared = spec(before.kind).by_name.get(name)
    if a == b or declared is None:
        return a == b
    if before.kind in LISTS:
        return sorted(split_names(a, BLANK_OR_COMMA)) == sorted(split_names(b, BLANK_OR_COMMA))
    if name == "delete_time":
        return _number(a) == _number(b) or (a != "0" and b != "0")
    return same_value(declared, a, b)


def same_value(field: Field, a: str, b: str) -> bool:
    """True if two texts of a field have the same value: 0:0:10 and 00:00:10, 1G and 1024M, none and NONE, 1 and 1.0."""
    if a == b:
        return True
    if not field.per_host:
        return _meaning(field, a) == _meaning(field, b)
    try:
        overrides, other = parse_overrides(a), parse_overrides(b)
    except ValueError:
        return False
    return _scopes(field, overrides) == _scopes(field, other)


def _scopes(field: Field, overrides: Overrides) -> dict[str | None, object]:
    scopes: dict[str | None, object] = {canonical(key): _meaning(field, text) for key, text in overrides.keyed}
    if overrides.default is not None:
        scopes[None] = _meaning(field, overrides.default)
    return scopes


def _meaning(field: Field, text: str) -> object:
    """Return a value that is equal for texts with the same meaning."""
    if field.type is ValueType.TREE:
        return _nodes(parse_share_tree(text))
    if field.type in _NUMBERS or (field.name, field.source) == ("default", "complex(5)"):
        return _number(text)
    if field.type is ValueType.ENTRIES:
        try:
            entries = [(name, _number(value)) for name, value in split_entries(text, field.separator)]
            # The qmaster looks entries up by name; -mattr moves them.
            return tuple(sorted(entries, key=lambda entry: entry[0]))
        except ValueError:
            return text
    if is_none(text):
        return None
    try:
        plain = printed_value(field, text)
    except ValueError:
        return text
    return plain.lower() if field.type is ValueType.CHOICE else plain


def _nodes(root: ShareNode | None) -> object:
    """Return depth, name, shares and other fields of all nodes; ids and types are the qmaster's own."""
    nodes, waiting = [], [(0, root)] if root is not None else []
    while waiting:
        depth, node = waiting.pop()
        others = {name: text for name, text in node.fields.items() if name not in _OF_NODE}
        nodes.append((depth, node.name, _decimal(node.fields.get("shares", "")), others))
        waiting += [(depth + 1, child) for child in reversed(node.children)]
    return nodes


_OF_NODE = ("id", "name", "type", "shares", "childnodes")


def _number(text: str) -> object:
    if not is_number(text):
        return text.upper() if is_none(text) else text
    value = parse_number(text)
    return "nan" if math.isnan(value) else value


_NUMBERS = (ValueType.NUMBER, ValueType.TIME, ValueType.MEMORY)


def _queue_offers(cluster: Cluster, obj: ConfigObject, text: str) -> str:
    """Return complex_values as stored: only values that an instance has are rewritten."""
    if read_field("complex_values", text).rule is not None:
        return text
    used = {key for key, _ in instance_values(cluster, obj.with_value("complex_values", text), "complex_values").used}
    separator = spec(Kind.QUEUE).by_name["complex_values"].separator

    def offered(key: str | None, value: str) -> str:
        return _offers(cluster, value, separator) if key in used else value

    overrides = parse_overrides(text)
    default = None if overrides.default is None else offered(None, overrides.default)
    return Overrides(default, tuple((key, offered(key, value)) for key, value in overrides.keyed)).canonical()


def _offers(cluster: Cluster, text: str, separator: str) -> str:
    try:
        entries = split_entries(text, separator)
    except ValueError:
        return text
    return join_entries((_offer(cluster, name, value) for name, value in entries), separator)


def _offer(cluster: Cluster, word: str, value: str) -> tuple[str, str]:
    entry = complex_index(cluster).find(word)
    if entry is None:
        return word, value
    write = _VALUES.get(entry.type)
    return entry.name, value if write is None else write(value)


def _seconds(text: str) -> str:
    """Return a time as whole seconds, rounded half to even as in C."""
    if not is_number(text) or parse_number(text) == INFINITY:
        return text
    return f"{parse_number(text):.0f}"


_VALUES: Mapping[str, Callable[[str], str]] = {
    "TIME": _seconds,
    "HOST": lambda text: text if is_expression(text) else canonical(text),
    "BOOL": lambda text: "TRUE" if is_none(text) else text,
}


def _limits(cluster: Cluster, line: str) -> str:
    try:
        limits = parse_rule(line).limits
    except ValueError:
        return line
    if not limits:
        return line
    offers = (_offer(cluster, name, value) for name, value in limits)
    return line.rpartition("to ")[0] + "to " + join_entries(offers, COMMA)
