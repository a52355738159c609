"""Check a cluster, one object of it, or objects without the rest of their cluster."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final

from qmon_tui.checks.complex_list import entry_findings, list_findings
from qmon_tui.checks.configuration import configuration_findings
from qmon_tui.checks.dialects import dialect_findings
from qmon_tui.checks.drains import ended_exceptions
from qmon_tui.checks.hosts import host_findings, hostgroup_findings
from qmon_tui.checks.level_values import level_findings, limit_findings
from qmon_tui.checks.name_lists import LISTS, list_findings as administrator_findings
from qmon_tui.checks.pe_ckpt_calendar import calendar_findings, ckpt_findings, pe_findings
from qmon_tui.checks.policy_warnings import (
    configuration_warnings,
    quota_warnings,
    scheduler_warnings,
    sharetree_warnings,
)
from qmon_tui.checks.queue_read import ReadField, read_field
from qmon_tui.checks.queue_verify import client_errors, instance_errors, scope_hint, server_errors
from qmon_tui.checks.queue_warnings import queue_warnings
from qmon_tui.checks.quotas import quota_findings
from qmon_tui.checks.scheduler import scheduler_findings
from qmon_tui.checks.sharetree import sharetree_findings
from qmon_tui.checks.state import state_findings
from qmon_tui.checks.subordinate_loops import loop_errors, loop_warnings
from qmon_tui.checks.unused_objects import (
    calendar_warnings,
    forced_warnings,
    hostgroup_warnings,
    project_warnings,
    queue_list_warnings,
    userset_warnings,
)
from qmon_tui.checks.users_and_projects import project_findings, user_findings, userset_findings
from qmon_tui.model import (
    Cluster,
    ConfigObject,
    Finding,
    Kind,
    Severity,
    State,
    config_object,
    default_complexes,
    default_objects,
    parse_share_tree,
    recognised,
    references_of,
)
from qmon_tui.model.catalogue import spec


def queue_findings(cluster: Cluster, obj: ConfigObject) -> Iterator[Finding]:
    """Yield all findings about a queue: at most one error per field, then warnings."""
    read = {field.name: read_field(field.name, obj.text(field.name)) for field in spec(Kind.QUEUE).fields[2:]}
    for name, field in read.items():
        if field.rule is not None:
            hint = f"{scope_hint(field.key)} {field.rule.summary}".strip()
            yield field.rule.finding(obj, name, field.message, hint)
    yield from client_errors(obj, read)
    wrong_names = list(server_errors(cluster, obj, read))
    yield from wrong_names
    unusable = {finding.field for finding in wrong_names}
    if _usable(read, unusable, "complex_values"):
        yield from instance_errors(cluster, obj)
    if _usable(read, unusable, "subordinate_list"):
        yield from loop_errors(cluster, obj)
    yield from queue_warnings(cluster, obj, read)
    if _usable(read, unusable, "subordinate_list"):
        yield from loop_warnings(cluster, obj)


def _usable(read: dict[str, ReadField], wrong: set[str | None], name: str) -> bool:
    return read[name].rule is None and name not in wrong


_CHECKS: Mapping[Kind, Callable[[Cluster, ConfigObject], Iterator[Finding]]] = {
    Kind.COMPLEX: entry_findings,
    Kind.QUEUE: queue_findings,
    Kind.HOST: host_findings,
    Kind.HOSTGROUP: hostgroup_findings,
    Kind.PE: pe_findings,
    Kind.CKPT: ckpt_findings,
    Kind.CALENDAR: calendar_findings,
    Kind.USERSET: userset_findings,
    Kind.PROJECT: project_findings,
    Kind.USER: user_findings,
    Kind.QUOTA: quota_findings,
    Kind.SHARETREE: sharetree_findings,
    Kind.SCHEDULER: scheduler_findings,
    Kind.CONFIGURATION: configuration_findings,
    **dict.fromkeys(LISTS, administrator_findings),
}

_ADVICE: Mapping[Kind, Callable[[Cluster, ConfigObject], Iterator[Finding]]] = {
    Kind.COMPLEX: forced_warnings,
    Kind.HOSTGROUP: hostgroup_warnings,
    Kind.PE: queue_list_warnings,
    Kind.CKPT: queue_list_warnings,
    Kind.CALENDAR: calendar_warnings,
    Kind.USERSET: userset_warnings,
    Kind.QUOTA: quota_warnings,
    Kind.SHARETREE: sharetree_warnings,
    Kind.SCHEDULER: scheduler_warnings,
    Kind.CONFIGURATION: configuration_warnings,
}
"""Kind -> warnings about objects that the qmaster accepts."""


def check(cluster: Cluster, state: State | None = None) -> tuple[Finding, ...]:
    """Return all findings about a cluster and its state, in the order of kinds and objects; never raises."""
    findings: list[Finding] = []
    for kind in Kind:
        if kind is Kind.COMPLEX:
            in_list = tuple(list_findings(cluster))
            findings += in_list
            refused = {finding.name for finding in in_list if finding.severity is Severity.ERROR}
            for obj in cluster.objects(kind).values():
                findings += dialect_findings(cluster, obj)
                if obj.name not in refused:
                    findings += _ADVICE[kind](cluster, obj)
        else:
            for obj in cluster.objects(kind).values():
                findings += check_object(cluster, obj, state)
    if state is not None:
        findings += state_findings(cluster, state)
        findings += ended_exceptions(cluster, state)
    return tuple(findings)


def check_object(cluster: Cluster, obj: ConfigObject, state: State | None = None) -> tuple[Finding, ...]:
    """Return all findings about one object, as if it were added or replaced the object with its name.

    Errors are in the order in which the qmaster finds them: the first is the one it reports. `state` has the jobs that
    use the object, and the load values of hosts.
    """
    advice, findings = _ADVICE.get(obj.kind), acceptance_findings(cluster, obj)
    if any(finding.severity is Severity.ERROR for finding in findings):
        return findings
    if obj.kind is Kind.PROJECT:
        return (*findings, *project_warnings(cluster, obj, state))
    if obj.kind in (Kind.QUEUE, Kind.HOST):
        return (*findings, *level_findings(cluster, obj, state), *limit_findings(cluster, obj))
    return findings if advice is None else (*findings, *advice(cluster, obj))


def acceptance_findings(cluster: Cluster, obj: ConfigObject) -> tuple[Finding, ...]:
    """Return the findings of `check_object` that decide whether the qmaster accepts the object, without advice."""
    checks = _CHECKS.get(obj.kind)
    return (*dialect_findings(cluster, obj), *(checks(cluster, obj) if checks is not None else ()))


_DEPENDS_ON_OTHERS: Final = (
    "complex.consumable.partly",
    "complex.consumable.unoffered",
    "host.complex_values.not_consumed",
    "queue.complex_values.not_consumed",
    "complex.forced.unoffered",
    "queue.hostlist.empty",
    "queue.overrides.",
    "queue.slots.none",
    "scheduler.functional.no_tickets",
    "scheduler.functional.nobody",
    "scheduler.share.no_tree",
    "scheduler.weight_urgency.zero",
    "scheduler.weight_ticket.zero",
    "sharetree.no_tickets",
    "sharetree.twice",
    "configuration.auto_user.",
    "userset.departments",
    "quota.limit.voluntary",
    "quota.limit.unrequestable",
)
"""Rules, or prefixes of rules, that depend on other objects."""
_MISSING: Final = "complex.builtin.missing"
_MEMBER: Final = "some-member"
_NUMBER: Final = {"type": "DOUBLE", "relop": "<=", "default": "0"}
_TEXT: Final = {"type": "STRING", "relop": "==", "default": "NONE"}


def single_file_findings(objects: Iterable[ConfigObject]) -> tuple[Finding, ...]:
    """Return the findings about objects whose cluster is unknown; objects that they refer to are assumed to exist."""
    own = tuple(objects)
    return tuple(_findings(_with_referenced_objects(own), own))


def _findings(cluster: Cluster, objects: Iterable[ConfigObject]) -> Iterator[Finding]:
    kinds = {obj.kind for obj in objects}
    findings = list(list_findings(cluster)) if Kind.COMPLEX in kinds else []
    if sum(finding.rule == _MISSING for finding in findings) * 2 > len(cluster.objects(Kind.COMPLEX)):
        findings = [finding for finding in findings if finding.rule != _MISSING]  # only a part of the table is given
    for obj in objects:
        findings += check_object(cluster, obj) if obj.kind is not Kind.COMPLEX else ()
    for finding in findings:
        if not finding.rule.startswith(_DEPENDS_ON_OTHERS) and not finding.rule.endswith(".unused"):
            yield finding


def _with_referenced_objects(objects: tuple[ConfigObject, ...]) -> Cluster:
    """Return a new cluster with the objects and all objects that they refer to."""
    has_complexes = any(obj.kind is Kind.COMPLEX for obj in objects)
    fresh = [*default_objects(), *(() if has_complexes else default_complexes())]
    cluster = Cluster(dialect=recognised(_by_kind(objects))).with_objects([*fresh, *objects])
    shortcuts = {obj.text("shortcut") for obj in cluster.objects(Kind.COMPLEX).values()}
    named: dict[tuple[Kind, str], ConfigObject] = {}
    for obj in objects:
        for kind, name in _named(obj):
            if kind is Kind.COMPLEX and (has_complexes or name in shortcuts):
                continue
            if name and cluster.get(kind, name) is None:
                # Text attributes accept every value; formulas need a number.
                is_computed = obj.kind is Kind.SCHEDULER or f"${name}" in obj.text("limit")
                attribute = _NUMBER if is_computed else _TEXT
                values = {"shortcut": name, **attribute} if kind is Kind.COMPLEX else {}
                if kind is Kind.HOSTGROUP:  # without a host its queue instances are not checked
                    values = {"hostlist": _MEMBER}
                    named[Kind.HOST, _MEMBER] = config_object(Kind.HOST, _MEMBER, {})
                named[kind, name] = config_object(kind, name, values)
    return cluster.with_objects(named.values())


def _named(obj: ConfigObject) -> Iterator[tuple[Kind, str]]:
    if obj.kind is not Kind.SHARETREE:
        yield from (target for target, _ in references_of(obj))
        return
    root = parse_share_tree(obj.text("tree"))
    nodes = [root] if root is not None else []
    while nodes:  # an inner node need not be an object, a leaf must be a user or project
        node = nodes.pop()
        nodes += node.children
        if not node.children:
            yield Kind.USER, node.name


def _by_kind(objects: Iterable[ConfigObject]) -> dict[Kind, dict[str, ConfigObject]]:
    kinds: dict[Kind, dict[str, ConfigObject]] = {}
    for obj in objects:
        kinds.setdefault(obj.kind, {})[obj.name] = obj
    return kinds
