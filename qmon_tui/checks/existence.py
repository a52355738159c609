"""Errors of adding an object that exists, and of changing or deleting one that does not.

Source: qconf.md#what-exists-already; their place among the other errors is that of the real qconf and qmaster.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from qmon_tui.checks.check_cluster import acceptance_findings
from qmon_tui.checks.complex_list import already_taken
from qmon_tui.checks.hosts import NAME as HOST_NAME, unresolved
from qmon_tui.checks.queue_verify import FOUND_BY_CLIENT
from qmon_tui.checks.quotas import read_by_client
from qmon_tui.checks.rules import Rule, RuleBook
from qmon_tui.model import Cluster, ConfigObject, Finding, Kind, Severity, config_object, defined_name
from qmon_tui.values import canonical, is_host_name

_SOURCE = "qconf.md#what-exists-already"


@dataclass(frozen=True, slots=True)
class _Texts:
    """Messages for one kind; {} is the object's name. An empty text means no message."""

    exists: str
    unchanged: str
    undeleted: str


def _usual(noun: str, *, deleted: str = "", changed: str = "") -> _Texts:
    return _Texts(
        f'{noun} "{{}}" already exists',
        changed or f'denied: {noun} "{{}}" does not exist',
        f'denied: {deleted or noun} "{{}}" does not exist',
    )


_TEXTS: Mapping[Kind, _Texts] = {
    Kind.QUEUE: _usual("cluster queue"),
    Kind.HOST: _usual("exechost", deleted="execution host"),
    Kind.HOSTGROUP: _usual("host group"),
    Kind.PE: _usual("parallel environment"),
    Kind.CKPT: _usual("checkpoint interface", deleted="checkpointing environment"),
    Kind.CALENDAR: _usual("calendar"),
    # The qmaster's message for an unknown userset speaks of projects.
    Kind.USERSET: _usual("userset", changed="{} is not known as a project"),
    Kind.PROJECT: _usual("project", changed="{} is not known as a project"),
    Kind.USER: _usual("user", changed="{} is not known as a user"),
    Kind.QUOTA: _usual("resource quota set"),
    # Deleting the configuration of a host that has none succeeds.
    Kind.CONFIGURATION: _Texts("configuration {} already exists", "configuration {} does not exist", ""),
}

_EXISTS: Mapping[Kind, Rule] = {
    kind: RuleBook(kind, _SOURCE).error("exists", "What is added is not there yet.") for kind in _TEXTS
}
_ABSENT: Mapping[Kind, Rule] = {
    kind: RuleBook(kind, _SOURCE).error("absent", "What is changed or deleted is there.") for kind in _TEXTS
}
_HOSTS = (Kind.HOST, Kind.CONFIGURATION)
"""Kinds named by hosts; the qmaster resolves their names first."""
_ALWAYS_THERE = ((Kind.HOST, "global"), (Kind.HOST, "template"), (Kind.CONFIGURATION, "global"))


def addition_findings(cluster: Cluster, obj: ConfigObject) -> tuple[Finding, ...]:
    """Return all findings about adding an object, in the order of qconf and the qmaster, without advice."""
    return _placed(acceptance_findings(cluster, obj), exists(cluster, obj))


def change_findings(cluster: Cluster, obj: ConfigObject) -> tuple[Finding, ...]:
    """Return all findings about changing the object of that name into this one, without advice."""
    texts = _TEXTS.get(obj.kind)
    obj = replace(obj, name=_kept(cluster, obj.kind, obj.name))
    if texts is None or _is_there(cluster, obj.kind, obj.name):
        return acceptance_findings(cluster, obj)
    absent = _ABSENT[obj.kind].finding(obj, None, texts.unchanged.format(_known_as(obj)))
    return _placed(acceptance_findings(cluster, obj), absent)


def exists(cluster: Cluster, obj: ConfigObject) -> Finding | None:
    """Return the qmaster's error for adding an object whose name exists; None if the name is free."""
    if not _is_there(cluster, obj.kind, obj.name):
        return None
    if obj.kind is Kind.COMPLEX:
        return already_taken(obj)
    texts = _TEXTS.get(obj.kind)
    if texts is None:
        return None
    return _EXISTS[obj.kind].finding(obj, None, texts.exists.format(_known_as(obj)), "Choose another name.")


def absent(cluster: Cluster, kind: Kind, name: str) -> Finding | None:
    """Return the qmaster's error for deleting an object that does not exist; None if it exists or has no message."""
    texts = _TEXTS.get(kind)
    if texts is None or not texts.undeleted or _is_there(cluster, kind, _kept(cluster, kind, name)):
        return None
    obj = config_object(kind, name, {})
    if kind in _HOSTS and not is_host_name(name):
        return unresolved(obj)
    return _ABSENT[kind].finding(obj, None, texts.undeleted.format(_known_as(obj)))


def _kept(cluster: Cluster, kind: Kind, name: str) -> str:
    """Return the name as defined: hostgroups are found in any upper and lower case."""
    return defined_name(cluster, name) if kind is Kind.HOSTGROUP else name


def _is_there(cluster: Cluster, kind: Kind, name: str) -> bool:
    if kind in _HOSTS:
        name = canonical(name)
        return (kind, name) in _ALWAYS_THERE or any(canonical(defined) == name for defined in cluster.objects(kind))
    return (kind, name) in _ALWAYS_THERE or cluster.get(kind, name) is not None


def _known_as(obj: ConfigObject) -> str:
    return canonical(obj.name) if obj.kind in _HOSTS else obj.name


def _placed(findings: tuple[Finding, ...], finding: Finding | None) -> tuple[Finding, ...]:
    """Insert `finding` after the findings of qconf, which reads the whole file first, and before the qmaster's."""
    if finding is None:
        return findings
    place = next((i for i, finding in enumerate(findings) if not _by_client(finding)), len(findings))
    return (*findings[:place], finding, *findings[place:])


def _by_client(finding: Finding) -> bool:
    """True if the error is found before the qmaster looks up the object; so are unresolved host names."""
    if finding.kind == Kind.QUOTA:
        return read_by_client(finding)
    if finding.rule == HOST_NAME.id or finding.rule in FOUND_BY_CLIENT:
        return True
    return (
        finding.severity is Severity.ERROR
        and finding.kind != Kind.CONFIGURATION
        and finding.message.startswith("error: ")
    )
