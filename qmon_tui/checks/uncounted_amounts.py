"""Amounts that look like a supply but are not used up by jobs: the usual cause of overcommitted memory."""

from collections.abc import Iterable, Iterator, Mapping

from qmon_tui.checks.queue_read import instance_hosts, instance_values
from qmon_tui.checks.rules import Rule, RuleBook
from qmon_tui.model import (
    GLOBAL,
    Cluster,
    ComplexEntry,
    ConfigObject,
    Finding,
    Kind,
    complex_index,
    is_load_value,
    memoized,
)
from qmon_tui.values import BLANK_OR_COMMA, canonical, is_none, is_number, parse_number, parse_overrides, split_entries

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
        for (_, text), there in _used(cluster, queue).items():
            if name in _offered(cluster, text):
                places.update(dict.fromkeys(map(canonical, there), True))
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
    try:
        words = [word for word, _ in split_entries(text, BLANK_OR_COMMA)]
    except ValueError:
        return frozenset()
    return frozenset(entry.name for word in words if (entry := index.find(word)) is not None)
