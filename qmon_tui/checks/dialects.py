"""Findings about fields of another dialect, and names that Open Cluster Scheduler 9.2 refuses.

Source: formats.md#missing-unknown-and-repeated-attributes and dialects.md#fields-of-another-dialect.
"""

from collections.abc import Iterator, Mapping

from qmon_tui.checks.rules import Rule, RuleBook
from qmon_tui.model import (
    DIALECTS,
    OCS,
    Cluster,
    ConfigObject,
    Finding,
    Kind,
    complex_index,
    dialect,
    foreign_field,
    references_of,
)
from qmon_tui.model.catalogue import spec

_SUCCESSOR = "dialects.md#names-in-open-cluster-scheduler-92"

_FOREIGN: Mapping[Kind, Rule] = {
    kind: RuleBook(kind, "formats.md#missing-unknown-and-repeated-attributes").error(
        "dialect", "An object has the fields of the cluster's dialect."
    )
    for kind in dict.fromkeys(kind for known in DIALECTS.values() for kind in known.fields)
    if kind is not Kind.CONFIGURATION
}
"""Kind -> rule; not for configurations, in which the qmaster ignores unknown fields."""

_NAMED = (
    *(Kind.QUEUE, Kind.HOSTGROUP, Kind.PE, Kind.CKPT, Kind.CALENDAR, Kind.USERSET, Kind.PROJECT, Kind.USER),
    Kind.QUOTA,
)
_NAME: Mapping[Kind, Rule] = {
    kind: RuleBook(kind, _SUCCESSOR).warning("name.successor", "Open Cluster Scheduler 9.2 takes the name, too.")
    for kind in _NAMED
}
PER_HOST = RuleBook(Kind.QUEUE, _SUCCESSOR).warning(
    "complex_values.per_host", "What is used up once per host is offered by hosts."
)

_NOT_IN_NAMES = "*?[]&|!()"
_KEPT_JOBS = frozenset(("finished_jobs_keep_time", "finished_jobs_max"))
"""Fields of a global configuration since 9.2."""
_RESERVED: Mapping[Kind, tuple[str, ...]] = {
    Kind.USERSET: ("manager", "operator"),
    Kind.HOSTGROUP: ("@admin_hosts", "@submit_hosts", "@exec_hosts"),
}


def dialect_findings(cluster: Cluster, obj: ConfigObject) -> Iterator[Finding]:
    """Yield findings that depend on the dialect of the cluster."""
    yield from _foreign(cluster, obj)
    if cluster.dialect != OCS:
        return
    if obj.kind in _NAME and not has_reserved_lists(cluster) and (problem := _name_problem(obj)):
        yield _NAME[obj.kind].finding(obj, spec(obj.kind).name_field, problem, "Rename it before an upgrade to 9.2.")
    if obj.kind is Kind.QUEUE:
        yield from _per_host(cluster, obj)


def _foreign(cluster: Cluster, obj: ConfigObject) -> Iterator[Finding]:
    """Yield errors for fields that the cluster's dialect does not know."""
    rule = _FOREIGN.get(obj.kind)
    if rule is None or obj.values.keys() <= spec(obj.kind).by_name.keys():
        return
    known = {field.name for field in dialect(cluster.dialect).fields.get(obj.kind, ())}
    for name in obj.values:
        foreign = foreign_field(obj.kind, name)
        if foreign is not None and name not in known and name not in spec(obj.kind).by_name:
            titles = " and ".join(DIALECTS[dialect_name].title for dialect_name in foreign.dialects)
            hint = f"It is a field of {titles}; the cluster's dialect is {cluster.dialect}."
            yield rule.finding(obj, name, f'error: unknown attribute name "{name}"', hint)


def has_reserved_lists(cluster: Cluster) -> bool:
    """Return True for a cluster of 9.2 or later, which has reserved lists, and roles that name access lists."""
    configuration = cluster.objects(Kind.CONFIGURATION).get("global")
    return configuration is not None and not _KEPT_JOBS.isdisjoint(configuration.values)


def _name_problem(obj: ConfigObject) -> str | None:
    if obj.name in _RESERVED.get(obj.kind, ()):
        return f'Open Cluster Scheduler 9.2 has a {obj.kind} "{obj.name}" of its own'
    forbidden = next((character for character in obj.name if character in _NOT_IN_NAMES), None)
    return forbidden and f'Open Cluster Scheduler 9.2 does not allow "{forbidden}" in the name of an object'


def _per_host(cluster: Cluster, obj: ConfigObject) -> Iterator[Finding]:
    index = complex_index(cluster)
    for (kind, word), use in references_of(obj):
        entry = index.find(word) if kind is Kind.COMPLEX and use.field == "complex_values" else None
        if entry is not None and entry.consumable == "HOST":
            message = f'"{entry.name}" is a consumable of hosts (HOST): a queue does not offer it'
            yield PER_HOST.finding(obj, "complex_values", message, "Set it in complex_values of hosts.")
