"""Scopes of a queue field: all hosts, one @hostgroup or one host; no Textual here.

Source: queue.md#values-that-differ-per-host.
"""

from dataclasses import dataclass

from qmon_tui.model import (
    Cluster,
    ConfigObject,
    EffectiveValue,
    Field,
    effective_value,
    overrides_of,
    queue_hosts,
    resolve_group,
)
from qmon_tui.model.catalogue import spec
from qmon_tui.values import Overrides, comparable, is_group, parse_overrides, same_host

DEFAULT = ""
"""The scope of all hosts that have no value of their own."""
ALL_HOSTS = "all hosts"
"""The name of the scope `DEFAULT` on the screen."""


@dataclass(frozen=True, slots=True)
class Scope:
    """A host or @hostgroup with values of its own, and the number of fields that have one."""

    key: str
    fields: int
    detached: bool
    """True if no instance of the queue (for a group: not every host of it) takes the value."""


@dataclass(frozen=True, slots=True)
class ScopedValue:
    """The value of one field in one scope. `origin` says where it is inherited from; empty if it is the scope's own."""

    text: str
    own: bool
    """True if the scope itself has the value."""
    origin: str
    ambiguous: bool = False


def has_scopes(obj: ConfigObject) -> bool:
    """Return True if fields of this kind may differ per host."""
    return any(field.per_host for field in spec(obj.kind).fields)


def scopes_of(cluster: Cluster, obj: ConfigObject) -> tuple[Scope, ...]:
    """Return all hosts and groups with overrides, groups first, each in order of first use."""
    counts: dict[str, int] = {}
    spelled: dict[str, str] = {}
    for field in spec(obj.kind).fields:
        if field.per_host and "[" in obj.text(field.name):
            for key, _ in overrides_of(obj.text(field.name)).keyed:
                key = spelled.setdefault(comparable(key), key)
                counts[key] = counts.get(key, 0) + 1
    ordered = sorted(counts, key=lambda key: not is_group(key))
    return tuple(Scope(key, counts[key], is_detached(cluster, obj, key)) for key in ordered)


def is_detached(cluster: Cluster, obj: ConfigObject, key: str) -> bool:
    """Return True for a key that `qconf -sds` reports: a host outside the hostlist, or a group with such a host."""
    hosts = set(queue_hosts(cluster, obj))
    if is_group(key):
        members = resolve_group(cluster, key)
        return not members or not hosts.issuperset(members)
    return not any(same_host(key, host) for host in hosts)


def has_readable_overrides(text: str) -> bool:
    """Return True if the overrides of a text can be parsed; otherwise it is edited as a whole."""
    try:
        parse_overrides(text)
    except ValueError:
        return False
    return True


def scoped_value(cluster: Cluster, obj: ConfigObject, field: Field, scope: str) -> ScopedValue:
    """Return the value of a field in a scope."""
    text = obj.text(field.name)
    if not field.per_host or not has_readable_overrides(text):
        return ScopedValue(text, scope == DEFAULT, "")
    overrides = overrides_of(text)
    if scope == DEFAULT:
        return ScopedValue(overrides.default or "", True, "")
    own = overrides.get(scope)
    if own is not None:
        return ScopedValue(own, True, "")
    if is_group(scope):
        return ScopedValue(overrides.default or "", False, ALL_HOSTS)
    value = effective_value(cluster, obj, field.name, scope)
    return ScopedValue(value.text, False, value.key or ALL_HOSTS, value.ambiguous)


def with_scoped(obj: ConfigObject, field: Field, scope: str, value: str | None) -> str | None:
    """Return the whole text of a field after a scope gets `value`; None removes the override, or leaves the field out.

    A value with brackets typed for all hosts is taken as the whole text, as qconf would.
    """
    text = obj.text(field.name)
    if not field.per_host or not has_readable_overrides(text):
        return value
    overrides: Overrides = parse_overrides(text)
    if scope != DEFAULT:
        return overrides.with_key(scope, value).text()
    if value is None:
        return overrides.with_default(field.default).text() if overrides.keyed else None
    return value if "[" in value else overrides.with_default(value).text()


@dataclass(frozen=True, slots=True)
class InstanceValue:
    """The value that one queue instance takes."""

    host: str
    value: EffectiveValue

    @property
    def origin(self) -> str:
        """The origin of the value in words: default, the @hostgroup or the host."""
        if self.value.ambiguous:
            return f"default: {' and '.join(self.value.candidates)} contradict each other"
        return self.value.key or "default"


def instance_values(cluster: Cluster, obj: ConfigObject, field: Field) -> tuple[InstanceValue, ...]:
    """Return the effective value on every host of a queue, in the order of the hostlist."""
    return tuple(
        InstanceValue(host, effective_value(cluster, obj, field.name, host)) for host in queue_hosts(cluster, obj)
    )
