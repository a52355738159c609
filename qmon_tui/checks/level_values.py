"""Warn about values of == that differ between levels, so that no request fits, and about amounts never used up.

Source: matching.md#one-level-at-a-time, matching.md#value-on-one-level and queue.md#values-of-attributes.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType

from qmon_tui.checks.queue_read import instance_hosts, instance_values, read_field, readable_entries
from qmon_tui.checks.queue_verify import scope_hint
from qmon_tui.checks.rules import Rule, RuleBook
from qmon_tui.model import (
    GLOBAL,
    Cluster,
    ComplexEntry,
    ConfigObject,
    Finding,
    Kind,
    State,
    complex_entry,
    complex_index,
    is_load_value,
    memoized,
)
from qmon_tui.values import canonical, is_none, is_number, parse_number, parse_overrides

_SUMMARY = "What is compared by == has one value on the global host, a host and its queue instances."
_SOURCE = "complex(5) relop, matching.md#one-level-at-a-time"
HOST_DIFFERS = RuleBook(Kind.HOST, _SOURCE).warning("complex_values.differs", _SUMMARY)
QUEUE_DIFFERS = RuleBook(Kind.QUEUE, _SOURCE).warning("complex_values.differs", _SUMMARY)

_GLOBAL = "global"
_NO_LOADS: Mapping[str, "Values"] = MappingProxyType({})
Values = Mapping[str, str]
"""Attribute (requestable, operator ==) -> value."""


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
        scaled = dict(readable_entries(host.text("load_scaling"))) if reported else {}
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
    entries = ((index.find(word), value) for word, value in readable_entries(text))
    return {entry.name: value for entry, value in entries if entry is not None and entry.name in compared}


@memoized(size=8)
def _compared(complexes: Mapping[str, ConfigObject]) -> frozenset[str]:
    entries = map(complex_entry, complexes.values())
    return frozenset(
        entry.name for entry in entries if entry.relop == "==" and entry.requestable != "NO" and not entry.is_consumable
    )


_SOURCE = "complex(5) consumable, complex.md#amounts-that-are-not-counted"
_SUMMARY = "An amount of memory or of licences that jobs share is of a consumable."
_LIMITS: Mapping[Kind, Rule] = {
    kind: RuleBook(kind, _SOURCE).info("complex_values.not_consumed", _SUMMARY) for kind in (Kind.HOST, Kind.QUEUE)
}
PARTLY = RuleBook(Kind.COMPLEX, _SOURCE).info(
    "consumable.partly", "A consumable that all jobs use is offered wherever jobs run."
)

_SUPPLIES = frozenset(
    (
        *("h_vmem", "s_vmem", "h_rss", "s_rss", "h_data", "s_data"),
        *("mem_free", "swap_free", "virtual_free"),
    )
)
"""Built-in attributes that are set to share memory; others are properties, or limits of single files and stacks."""
_NAMED_HOSTS = 3


def limit_findings(cluster: Cluster, obj: ConfigObject) -> Iterator[Finding]:
    """Yield a remark for each attribute that limits single jobs although it looks like a supply.

    Only the first host, and the first queue, that sets an attribute has the remark.
    """
    for name, owners in _limits(cluster.objects(Kind.COMPLEX), cluster.objects(obj.kind)).items():
        if owners[0] == obj.name and not _in_quotas(cluster, name):
            others = f" and {len(owners) - 1} more" if len(owners) > 1 else ""
            message = f"{name} of {obj.name}{others} is a limit for each job, jobs do not use it up: consumable is NO"
            hint = f"Set consumable of {name} to YES if jobs share it."
            yield _LIMITS[obj.kind].finding(obj, "complex_values", message, hint)


def partly_offered(cluster: Cluster, obj: ConfigObject, entry: ComplexEntry) -> Iterator[Finding]:
    """Yield a remark if a consumable is offered on some hosts with queue instances only, and jobs start on others."""
    default = parse_number(entry.default) if is_number(entry.default) else 0.0
    if entry.is_text or not (default > 0 or is_load_value(entry.name)):
        return  # a request finds nothing on the other hosts
    places = _places(cluster, entry.name)
    missing = [host for host, is_offered in places.items() if not is_offered]
    if not missing or len(missing) == len(places):
        return
    more = len(missing) - _NAMED_HOSTS
    hosts = ", ".join(missing[:_NAMED_HOSTS]) + (f" and {more} more hosts" if more > 0 else "")
    message = f'"{entry.name}" is not offered by {hosts}, nor by queues there or global: jobs there are not limited'
    hint = f"Set {entry.name} in complex_values of each host."
    yield PARTLY.finding(obj, None, message, hint)


def _in_quotas(cluster: Cluster, name: str) -> bool:
    """Return True if a quota shares the amount out, as in `to mem=$mem_free`."""
    return any(f"${name}" in quota.text("limit") for quota in cluster.objects(Kind.QUOTA).values())


@memoized(size=8)
def _limits(
    complexes: Mapping[str, ConfigObject], objects: Mapping[str, ConfigObject]
) -> Mapping[str, tuple[str, ...]]:
    """Map the attributes of `_SUPPLIES` that are no consumables to the hosts or queues that set them, in order."""
    on = Cluster(kinds={Kind.COMPLEX: complexes})
    index = complex_index(on)
    entries = filter(None, map(index.find, _SUPPLIES))
    limits = {entry.name for entry in entries if not entry.is_consumable and entry.relop == "<="}
    owners: dict[str, list[str]] = {}
    for obj in objects.values():
        for name in sorted(limits.intersection(name for text in _texts(obj) for name in _offered(on, text))):
            owners.setdefault(name, []).append(obj.name)
    return {name: tuple(names) for name, names in owners.items()}


def _places(cluster: Cluster, name: str) -> Mapping[str, bool]:
    """Map each host with queue instances to whether the host, a queue instance there or the host global offers it."""
    hosts = cluster.objects(Kind.HOST)
    offering = {canonical(host) for host, obj in hosts.items() if name in _offered(cluster, obj.text("complex_values"))}
    if GLOBAL in offering:
        return {}
    places: dict[str, bool] = {}
    for queue in cluster.objects(Kind.QUEUE).values():
        for host in map(canonical, instance_hosts(cluster, queue)):
            places[host] = places.get(host, host in offering)
        for (_, text), hosts_with_value in _used(cluster, queue).items():
            if name in _offered(cluster, text):
                places.update(dict.fromkeys(map(canonical, hosts_with_value), True))
    return places


def _used(cluster: Cluster, queue: ConfigObject) -> Mapping[tuple[str | None, str], Iterable[str]]:
    return {} if is_none(queue.text("complex_values")) else instance_values(cluster, queue, "complex_values").used


def _texts(obj: ConfigObject) -> Iterator[str]:
    """Yield the values of complex_values for all hosts."""
    text = obj.text("complex_values")
    if obj.kind is Kind.HOST:
        yield text
        return
    try:
        overrides = parse_overrides(text)
    except ValueError:
        return
    if overrides.default is not None:
        yield overrides.default
    yield from (value for _, value in overrides.keyed)


def _offered(cluster: Cluster, text: str) -> frozenset[str]:
    """Return the names of the attributes that have a value in complex_values."""
    return frozenset() if is_none(text) else _names(cluster.objects(Kind.COMPLEX), text)


@memoized(size=4096)
def _names(complexes: Mapping[str, ConfigObject], text: str) -> frozenset[str]:
    index = complex_index(Cluster(kinds={Kind.COMPLEX: complexes}))
    words = [word for word, _ in readable_entries(text)]
    return frozenset(entry.name for word in words if (entry := index.find(word)) is not None)
