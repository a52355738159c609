"""Warn about attributes with the operator == that have different values on two levels: no request fits both.

Source: matching.md#one-level-at-a-time, matching.md#value-on-one-level and queue.md#values-of-attributes.
"""

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

from qmon_tui.checks.queue_read import instance_values, read_field
from qmon_tui.checks.queue_verify import scope_hint
from qmon_tui.checks.rules import Rule, RuleBook
from qmon_tui.model import (
    Cluster,
    ComplexEntry,
    ConfigObject,
    Finding,
    Kind,
    State,
    complex_entry,
    complex_index,
    memoized,
)
from qmon_tui.values import BLANK_OR_COMMA, canonical, is_none, is_number, parse_number, split_entries

_SUMMARY = "What is compared by == has one value on the global host, a host and its queue instances."
_SOURCE = "complex(5) relop, matching.md#one-level-at-a-time"
HOST_DIFFERS = RuleBook(Kind.HOST, _SOURCE).warning("complex_values.differs", _SUMMARY)
QUEUE_DIFFERS = RuleBook(Kind.QUEUE, _SOURCE).warning("complex_values.differs", _SUMMARY)

_GLOBAL = "global"
_NO_LOADS: Mapping[str, "Values"] = MappingProxyType({})
Values = Mapping[str, str]
"""Requestable attribute with the operator == -> value."""


def level_findings(cluster: Cluster, obj: ConfigObject, state: State | None) -> Iterator[Finding]:
    """Yield one warning for each attribute whose value on a host or queue instance differs from an outer level's.

    `state` has load values, which count if no value is configured.
    """
    complexes = cluster.objects(Kind.COMPLEX)
    known = _hosts(complexes, cluster.objects(Kind.HOST), state.loads if state is not None else _NO_LOADS)
    outer = [("", known.get(_GLOBAL, {}))]
    if obj.kind is Kind.HOST and obj.name != _GLOBAL:
        values = _given(complexes, obj.text("complex_values"))
        yield from (finding for _, finding in _differing(cluster, HOST_DIFFERS, obj, "", values, outer))
    elif obj.kind is Kind.QUEUE and read_field("complex_values", obj.text("complex_values")).rule is None:
        reported: set[str] = set()
        for (key, text), hosts in instance_values(cluster, obj, "complex_values").used.items():
            values = {name: value for name, value in _given(complexes, text).items() if name not in reported}
            if values:
                places = [*outer, *((host, known[host]) for host in map(canonical, hosts) if host in known)]
                differing = list(_differing(cluster, QUEUE_DIFFERS, obj, scope_hint(key), values, places))
                yield from (finding for _, finding in differing)
                reported.update(name for name, _ in differing)


def _differing(
    cluster: Cluster, rule: Rule, obj: ConfigObject, hint: str, values: Values, outer: Sequence[tuple[str, Values]]
) -> Iterator[tuple[str, Finding]]:
    """Yield (attribute, finding) for each value that differs from one in `outer` (place, values)."""
    for name, value in values.items():
        entry = complex_index(cluster).find(name)
        for place, others in outer if entry is not None else ():
            other = others.get(name)
            if other is None or other == value or entry is None or _same(entry, value, other):
                continue
            where = f'host "{place}"' if place else "the host global"
            only = f"no request but an expression such as {other}|{value}" if entry.is_text else "no request"
            message = f"{name}={value}, but {where} has {name}={other}: {only} fits both"
            advice = "Each level that has an attribute must match: set it on one of them, or set the same value."
            yield name, rule.finding(obj, "complex_values", message, f"{advice} {hint}".strip())
            break


def _same(entry: ComplexEntry, value: str, other: str) -> bool:
    if entry.is_text:
        if entry.type == "HOST":
            return canonical(value) == canonical(other)
        return value.lower() == other.lower() if entry.type == "CSTRING" else value == other
    return not is_number(value) or not is_number(other) or parse_number(value) == parse_number(other)


@memoized(size=4)
def _hosts(
    complexes: Mapping[str, ConfigObject], hosts: Mapping[str, ConfigObject], loads: Mapping[str, Values]
) -> Mapping[str, Values]:
    """Return host -> values that are configured or, without scaling, reported; memoized, as each queue needs all."""
    compared = _compared(complexes)
    by_name = {name: {word: texts[word] for word in compared.intersection(texts)} for name, texts in loads.items()}
    for name, host in hosts.items():
        reported = by_name.get(name, {})
        scaled = dict(_entries(host.text("load_scaling"))) if reported else {}
        unscaled = {word: value for word, value in reported.items() if word not in scaled}
        by_name[name] = {**unscaled, **_given(complexes, host.text("complex_values"))}
    return by_name


def _given(complexes: Mapping[str, ConfigObject], text: str) -> Values:
    compared = _compared(complexes)
    if not compared or is_none(text):
        return {}
    return _given_text(complexes, text)


@memoized(size=1024)
def _given_text(complexes: Mapping[str, ConfigObject], text: str) -> Values:
    index, compared = complex_index(Cluster(kinds={Kind.COMPLEX: complexes})), _compared(complexes)
    entries = ((index.find(word), value) for word, value in _entries(text))
    return {entry.name: value for entry, value in entries if entry is not None and entry.name in compared}


@memoized(size=8)
def _compared(complexes: Mapping[str, ConfigObject]) -> frozenset[str]:
    entries = map(complex_entry, complexes.values())
    return frozenset(
        entry.name for entry in entries if entry.relop == "==" and entry.requestable != "NO" and not entry.is_consumable
    )


def _entries(text: str) -> tuple[tuple[str, str], ...]:
    try:
        return split_entries(text, BLANK_OR_COMMA)
    except ValueError:
        return ()
