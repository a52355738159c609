"""Convert a YAML value to the text of a field: scalars as written, lists joined, per-host mappings as overrides."""

from collections.abc import Callable, Iterator
from typing import Final

from qmon_tui.formats import nodeset
from qmon_tui.formats.yaml.nodes import Mapping, Node, Scalar, Sequence, resolve
from qmon_tui.model import Field, Separator, ValueType
from qmon_tui.values import Overrides, is_group, split_names

DEFAULT_KEY: Final = "default"
"""The key of a per-host mapping whose value applies to all other hosts."""

MERGE: Final = "<<"
"""The key that merges another mapping: `<<: *name`."""

LINES: Final = frozenset({ValueType.RULES, ValueType.TREE})
"""Types whose text has several lines."""

LISTS: Final = frozenset(
    {
        ValueType.NAMES,
        ValueType.HOSTS,
        ValueType.ENTRIES,
        ValueType.FLAGS,
        ValueType.RANGES,
        ValueType.SUBORDINATES,
        ValueType.CALENDAR_YEAR,
        ValueType.CALENDAR_WEEK,
        *LINES,
    }
)
"""Types whose value may be written as a YAML sequence."""

Say = Callable[[str, str, Node], None]
"""Reports a problem: rule, message and node."""


Expand = Callable[[str], tuple[str, ...]]
"""Expands a node set; raises ValueError."""


class SizeLimit:
    """Limits the number of values read, so that aliases and node sets cannot multiply without bound."""

    __slots__ = ("left", "node_sets")

    def __init__(self, size: int) -> None:
        self.left = 100_000 + 20 * size
        self.node_sets = nodeset.NodeSetReader()

    def spend(self, amount: int = 1) -> bool:
        """Use up part of the limit; return False if it is exceeded."""
        self.left -= amount
        return self.left >= 0


def is_by_host(field: Field, node: Mapping) -> bool:
    """True if the keys of a mapping are hosts; for a list of entries, only if one key is `default`."""
    has_default = field.type is not ValueType.ENTRIES or any(key.text == DEFAULT_KEY for key, _ in scalar_pairs(node))
    return field.per_host and has_default


def merge_sources(node: Node) -> list[Node]:
    """Return the values of the key `<<`, which should be mappings."""
    body = resolve(node)
    return [resolve(item) for item in body.items] if isinstance(body, Sequence) else [body]


def scalar_pairs(node: Mapping) -> Iterator[tuple[Scalar, Node]]:
    """Yield the pairs whose key is a scalar."""
    for key, value in node.pairs:
        resolved = resolve(key)
        if isinstance(resolved, Scalar):
            yield resolved, value


def field_text(field: Field, node: Node, say: Say, limit: SizeLimit) -> str | None:
    """Return the text of a field; None if the value is missing or, with a finding, has a wrong shape."""
    value = resolve(node)
    if not limit.spend():
        return None
    if isinstance(value, Scalar):
        return _scalar_text(field, value, say, limit)
    if isinstance(value, Sequence):
        return _sequence_text(field, value, say, limit)
    assert isinstance(value, Mapping)
    if is_by_host(field, value):
        return _per_host_text(field, value, say, limit)
    if field.type is ValueType.ENTRIES:
        return _entries_text(field, value, say, limit)
    say("format.yaml.type", f'"{field.name}" is one value, not a mapping', node)
    return None


def free_field(name: str) -> Field:
    """Return a free-text field for an attribute that the catalogue does not know."""
    return Field(name, ValueType.STRING, "", "")


def expand_hosts(text: str, separator: Separator, expand: Expand = nodeset.expand_nodeset) -> str:
    """Expand the node sets of a host list; without node sets the text is unchanged. Raises ValueError."""
    if "[" not in text:
        return text
    return " ".join(host for name in split_hosts(text, separator) for host in expand(name))


def split_hosts(text: str, separator: Separator) -> list[str]:
    """Return the names and node sets of a host list; commas in brackets do not separate."""
    masked: list[str] = []
    depth = 0
    for sign in text:
        depth += (sign == "[") - (sign == "]")
        masked.append("\0" if sign == "," and depth > 0 else sign)
    return [name.replace("\0", ",") for name in split_names("".join(masked), separator)]


def _scalar_text(field: Field, node: Scalar, say: Say, limit: SizeLimit) -> str | None:
    text = node.text
    if field.type in LINES:
        text = text.strip("\n")
    elif "\n" in text:
        text = " ".join(line.strip() for line in text.strip().split("\n"))
    if not text and field.type is not ValueType.TREE:
        _say_no_value(field, node, say)
        return None
    if field.type is ValueType.HOSTS:
        return _expanded(text, field, node, say, limit)
    return text


def _say_no_value(field: Field, node: Node, say: Say) -> None:
    usual = field.default or "NONE"
    say("format.no_value", f'"{field.name}" has no value; write one, {usual} where nothing else is meant', node)


def _expanded(text: str, field: Field, node: Node, say: Say, limit: SizeLimit) -> str | None:
    try:
        return expand_hosts(text, field.separator, limit.node_sets.expand)
    except ValueError as error:
        say("format.nodeset", str(error), node)
        return None


def _sequence_text(field: Field, node: Sequence, say: Say, limit: SizeLimit) -> str | None:
    if field.type not in LISTS:
        say("format.yaml.type", f'"{field.name}" is one value, not a list', node)
        return None
    parts: list[str] = []
    for item in node.items:
        text = _item_text(field, item, say, limit)
        if text is None:
            return None
        parts.append(text)
    return glue(field).join(parts) if parts or field.type in LINES else "NONE"


def _item_text(field: Field, node: Node, say: Say, limit: SizeLimit) -> str | None:
    value = resolve(node)
    if not limit.spend():
        return None
    if isinstance(value, Scalar):
        return _scalar_text(field, value, say, limit)
    if isinstance(value, Mapping) and field.type is ValueType.ENTRIES:
        return _entries_text(field, value, say, limit)
    say("format.yaml.type", f'the elements of "{field.name}" are single values', node)
    return None


def glue(field: Field) -> str:
    """Return the separator between the elements of a list."""
    if field.type in LINES:
        return "\n"
    if field.type is ValueType.SUBORDINATES:
        return ", "
    return "," if field.type is ValueType.ENTRIES or field.separator is Separator.COMMA else " "


def _entries_text(field: Field, node: Mapping, say: Say, limit: SizeLimit) -> str | None:
    parts = []
    for key, child in node.pairs:
        name, value = resolve(key), resolve(child)
        if not limit.spend():
            return None
        if not isinstance(name, Scalar) or not isinstance(value, Scalar) or not name.text or not value.text:
            say("format.yaml.type", f'"{field.name}" needs a name and one value, such as gpu: 4', key)
            return None
        parts.append(f"{name.text}={value.text}")
    return ",".join(parts) or "NONE"


def _per_host_text(field: Field, node: Mapping, say: Say, limit: SizeLimit) -> str | None:
    if not node.pairs:
        _say_no_value(field, node, say)
        return None
    default: str | None = None
    keyed: dict[str, str] = {}
    for key, child in node.pairs:
        name = resolve(key)
        if not isinstance(name, Scalar) or not name.text:
            say("format.yaml.type", f'"{field.name}" needs the name of a host or hostgroup here', key)
            return None
        value = resolve(child)
        if isinstance(value, Mapping) and field.type is not ValueType.ENTRIES:
            say("format.yaml.type", f'"{field.name}" is one value for {name.text}, not a mapping', child)
            return None
        if isinstance(value, Mapping):
            text = _entries_text(field, value, say, limit) if limit.spend() else None
        else:
            text = field_text(field, child, say, limit)
        if text is None:
            return None
        if name.text == DEFAULT_KEY:
            default = text
            continue
        try:
            hosts = (name.text,) if is_group(name.text) else limit.node_sets.expand(name.text)
        except ValueError as error:
            say("format.nodeset", str(error), key)
            return None
        if not limit.spend(len(hosts)):
            return None
        for host in hosts:
            if host in keyed:
                say("format.duplicate", f'error: Value for "{host}" is multiply defined', key)
                return None
            keyed[host] = text
    return Overrides(default, tuple(keyed.items())).text()
