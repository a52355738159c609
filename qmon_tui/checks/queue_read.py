"""Read the fields of a cluster queue, and spread them over its hosts; with errors that qconf finds itself.

Source: queue.md#reading and queue.md#fields.
"""

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import NamedTuple

from qmon_tui.checks.rules import Rule, RuleBook
from qmon_tui.checks.value_problems import specifier_problem
from qmon_tui.model import Cluster, ConfigObject, Kind, ValueType, hosts_of, memoized
from qmon_tui.model.catalogue import spec
from qmon_tui.values import (
    BLANK_OR_COMMA,
    OverridesError,
    canonical,
    is_group,
    parse_boolean,
    parse_number,
    parse_overrides,
    parse_subordinates,
    parse_unsigned,
    split_entries,
)

_book = RuleBook(Kind.QUEUE, "values.md#counts")

MISSING = _book.error("missing", "Every field has a value; an empty list is NONE.", "queue.md#order-of-checks")
OVERRIDES = _book.error(
    "overrides",
    "A field is a default, then [host=value] or [@group=value], all separated by single commas.",
    "queue_conf(5) hostlist, queue.md#values-that-differ-per-host",
)
UNSIGNED = _book.error("unsigned", "A count is a whole number from 0 to 4294967295.", "#counts")
NUMBER = _book.error(
    "number",
    "A time is seconds or hours:minutes:seconds, memory a number and perhaps K, M or G; INFINITY is no limit.",
    "#numbers",
)
BOOLEAN = _book.error("boolean", "rerun is TRUE or FALSE.", "#switches")
QTYPE = _book.error("qtype", "qtype is BATCH, INTERACTIVE, both, or NONE alone.", "queue.md#fields")
ENTRIES = _book.error("entries", "A list of attributes has a value for each.", "queue.md#values-of-attributes")
NAMES = _book.error("names", "A list has elements or is NONE.", "#lists")
SUBORDINATES = _book.error(
    "subordinates", "Subordinates are queue=slots, or slots=N(queue:seq:action).", "queue.md#subordinate_list"
)

Value = tuple[str | None, str]


class ReadField(NamedTuple):
    """A field's values as (host, @group or None for the default; text); for a wrong text rule, message and `key`."""

    values: tuple[Value, ...]
    rule: Rule | None = None
    message: str = ""
    key: str | None = None

    @property
    def default(self) -> str | None:
        """The value outside brackets; None if there is none."""
        return next((text for key, text in self.values if key is None), None)


@lru_cache(maxsize=16384)
def read_field(name: str, text: str) -> ReadField:
    """Read the text of a queue field that may differ per host."""
    if not text.strip():
        return ReadField((), MISSING, f"{name} has no value")
    values, fault = _parts(text)
    read, rule = _READERS.get(spec(Kind.QUEUE).by_name[name].type, (None, OVERRIDES))
    if read is not None:
        for key, value in values:
            try:
                read(value)
            except ValueError as error:
                return ReadField(values, rule, str(error), key)
    return ReadField(values, OVERRIDES if fault else None, fault)


def _parts(text: str) -> tuple[tuple[Value, ...], str]:
    """Return the values before the first error of syntax, and its message; empty without an error."""
    if "[" not in text and "]" not in text and not text.rstrip().endswith(","):
        return ((None, text),), ""
    try:
        overrides = parse_overrides(text)
    except OverridesError as error:
        return error.read, str(error)
    default: tuple[Value, ...] = () if overrides.default is None else ((None, overrides.default),)
    return default + overrides.keyed, ""


def _qtype(text: str) -> None:
    words = text.replace(",", " ").split()
    problem = specifier_problem(words, ("BATCH", "INTERACTIVE"), "")
    if problem is not None and text.strip().upper() != "NONE":
        raise ValueError(problem)


def _names(text: str) -> None:
    """Raise ValueError for an empty list, which only `[host=]` can be; any other list is accepted."""
    if not text:
        raise ValueError('error: error parsing value ""')


_READERS: Mapping[ValueType, tuple[Callable[[str], object], Rule]] = {
    ValueType.UNSIGNED: (parse_unsigned, UNSIGNED),
    ValueType.TIME: (parse_number, NUMBER),
    ValueType.MEMORY: (parse_number, NUMBER),
    ValueType.BOOLEAN: (parse_boolean, BOOLEAN),
    ValueType.FLAGS: (_qtype, QTYPE),
    ValueType.ENTRIES: (lambda text: split_entries(text, BLANK_OR_COMMA), ENTRIES),
    ValueType.NAMES: (_names, NAMES),
    ValueType.SUBORDINATES: (lambda text: parse_subordinates(text) if text else None, SUBORDINATES),
}


def readable_entries(text: str) -> tuple[tuple[str, str], ...]:
    """Return the attributes of a list with their values; empty if the list cannot be read."""
    try:
        return split_entries(text, BLANK_OR_COMMA)
    except ValueError:
        return ()


class InstanceValues(NamedTuple):
    """Distribution of one queue field's values over the queue's hosts."""

    used: Mapping[Value, tuple[str, ...]]
    """Value -> hosts whose instances have it, in the order of the host list.

    If a field has settings but no default, which qconf refuses, hosts without a setting are left out.
    """
    ambiguous: Mapping[str, tuple[str, ...]]
    """Host -> hostgroups that all set the field; the host has the default and is in state c."""
    unused_hosts: tuple[str, ...]
    """Hosts that have a setting but no instance."""
    partial_groups: tuple[str, ...]
    """Hostgroups that have a setting, but hosts without an instance."""


def instance_hosts(cluster: Cluster, queue: ConfigObject) -> tuple[str, ...]:
    """Return the hosts of a queue's instances, in the order of its host list."""
    return _hosts(cluster.objects(Kind.HOSTGROUP), queue.text("hostlist"))


def instance_values(cluster: Cluster, queue: ConfigObject, field: str) -> InstanceValues:
    """Return which hosts use which value of a field; the field must be readable."""
    return _spread(cluster.objects(Kind.HOSTGROUP), queue.text("hostlist"), field, queue.text(field))


@memoized(size=1024)
def _hosts(hostgroups: Mapping[str, ConfigObject], hostlist: str) -> tuple[str, ...]:
    return hosts_of(Cluster(kinds={Kind.HOSTGROUP: hostgroups}), hostlist)


@memoized(size=4096)
def _spread(hostgroups: Mapping[str, ConfigObject], hostlist: str, field: str, text: str) -> InstanceValues:
    hosts = _hosts(hostgroups, hostlist)
    values = read_field(field, text).values
    if len(values) == 1 and values[0][0] is None:
        return InstanceValues({values[0]: hosts} if hosts else {}, {}, (), ())
    by_host = {canonical(key): (key, value) for key, value in values if key is not None and not is_group(key)}
    by_group = {
        key: (frozenset(_hosts(hostgroups, key)), value) for key, value in values if key is not None and is_group(key)
    }
    default = next((value for value in values if value[0] is None), None)
    used: dict[Value, list[str]] = {}
    ambiguous: dict[str, tuple[str, ...]] = {}
    for host in hosts:
        if host in by_host:
            used.setdefault(by_host[host], []).append(host)
            continue
        groups = tuple(key for key, (members, _) in by_group.items() if host in members)
        if len(groups) > 1:
            ambiguous[host] = groups
        value = (groups[0], by_group[groups[0]][1]) if len(groups) == 1 else default
        if value is not None:
            used.setdefault(value, []).append(host)
    known = frozenset(hosts)
    return InstanceValues(
        {value: tuple(places) for value, places in used.items()},
        ambiguous,
        tuple(key for host, (key, _) in by_host.items() if host not in known),
        tuple(key for key, (members, _) in by_group.items() if not members <= known),
    )
