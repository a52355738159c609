"""Check objects without the rest of their cluster: only rules that do not depend on it."""

from collections.abc import Iterable, Iterator
from typing import Final

from qmon_tui.checks.check_cluster import check_object
from qmon_tui.checks.complex_list import list_findings
from qmon_tui.model import (
    Cluster,
    ConfigObject,
    Finding,
    Kind,
    config_object,
    default_complexes,
    default_objects,
    parse_share_tree,
    recognised,
    references_of,
)

_OF_THE_REST: Final = (
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
    return tuple(_findings(_with_what_is_named(own), own))


def _findings(cluster: Cluster, objects: Iterable[ConfigObject]) -> Iterator[Finding]:
    kinds = {obj.kind for obj in objects}
    findings = list(list_findings(cluster)) if Kind.COMPLEX in kinds else []
    if sum(finding.rule == _MISSING for finding in findings) * 2 > len(cluster.objects(Kind.COMPLEX)):
        findings = [finding for finding in findings if finding.rule != _MISSING]  # only a part of the table is given
    for obj in objects:
        findings += check_object(cluster, obj) if obj.kind is not Kind.COMPLEX else ()
    for finding in findings:
        if not finding.rule.startswith(_OF_THE_REST) and not finding.rule.endswith(".unused"):
            yield finding


def _with_what_is_named(objects: tuple[ConfigObject, ...]) -> Cluster:
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
