"""Managers, operators, administrative and submit hosts: lists to which single names are added.

Source: qconf(1); qconf.md#what-exists-already and administrators.md#root.
"""

from collections.abc import Iterator, Mapping

from qmon_tui.checks.rules import RuleBook
from qmon_tui.model import Cluster, ConfigObject, Finding, Kind
from qmon_tui.values import BLANK_OR_COMMA, canonical, is_expression, is_host_name, split_names

LISTS = (Kind.MANAGERS, Kind.OPERATORS, Kind.ADMIN_HOSTS, Kind.SUBMIT_HOSTS)

_SOURCE = "qconf.md#what-exists-already"
_HOSTS = (Kind.ADMIN_HOSTS, Kind.SUBMIT_HOSTS)
_BOOKS = {kind: RuleBook(kind, _SOURCE) for kind in LISTS}

_ROOT = {
    kind: _BOOKS[kind].error("root", "root is not taken out.", "administrators.md#root")
    for kind in (Kind.MANAGERS, Kind.OPERATORS)
}
_MASTER = _BOOKS[Kind.ADMIN_HOSTS].error("master", "The master host is not taken out.", "administrators.md#removing")
_EXISTS = {kind: book.error("exists", "Who is added is not in the list yet.") for kind, book in _BOOKS.items()}
_ABSENT = {kind: book.error("absent", "Who is taken out is in the list.") for kind, book in _BOOKS.items()}
_HOST = {kind: _BOOKS[kind].error("host", "Every host of the list can be resolved.") for kind in _HOSTS}

_MASTER_HOST = "localhost"
"""What the master host is called where nothing says how it is."""
_NOUNS: Mapping[Kind, tuple[str, str]] = {
    Kind.MANAGERS: ("manager", "manager"),
    Kind.OPERATORS: ("operator", "operator"),
    Kind.ADMIN_HOSTS: ("adminhost", "administrative host"),
    Kind.SUBMIT_HOSTS: ("submithost", "submit host"),
}
"""What the qmaster calls an entry that is there, and one that is not."""


def list_findings(cluster: Cluster, obj: ConfigObject) -> Iterator[Finding]:
    """Everything about one of the lists."""
    names = split_names(obj.text("entries"), BLANK_OR_COMMA)
    if obj.kind is Kind.MANAGERS and "root" not in names:
        yield _root_stays(obj)  # A fresh cluster has no operators, but this manager.
    if obj.kind in _HOSTS:
        for name in names:
            if not _can_be_listed(name):
                yield _unresolved(obj, name)


def entry_addition(cluster: Cluster, kind: Kind, name: str) -> Finding | None:
    """Why a name is not added to a list: the qmaster's words; None where it is added."""
    obj = cluster.single(kind)
    if kind in _HOSTS and not _can_be_listed(name):
        return _unresolved(obj, name)
    if not _listed(obj, name):
        return None
    return _EXISTS[kind].finding(obj, "entries", f'{_NOUNS[kind][0]} "{name_in_list(kind, name)}" already exists')


def entry_removal(cluster: Cluster, kind: Kind, name: str) -> Finding | None:
    """Why a name is not taken out of a list: the qmaster's words; None where it is."""
    obj = cluster.single(kind)
    if kind in _HOSTS and not is_host_name(name) and not _listed(obj, name):
        return _unresolved(obj, name)
    if kind in _ROOT and name == "root":
        return _root_stays(obj)
    names = split_names(obj.text("entries"), BLANK_OR_COMMA)
    # Which one is the master host is in no folder; but it is always listed, so that the last one is it.
    is_last = len(names) == 1 and _listed(obj, name)
    if kind is Kind.ADMIN_HOSTS and (is_last or canonical(name) == _MASTER_HOST):
        message = f'denied: can\'t delete master host "{canonical(name)}" from admin host list'
        return _MASTER.finding(obj, "entries", message)
    if _listed(obj, name):
        return None
    message = f'denied: {_NOUNS[kind][1]} "{name}" does not exist'
    return _ABSENT[kind].finding(obj, "entries", message)


def _root_stays(obj: ConfigObject) -> Finding:
    message = f'may not remove user "root" from {_NOUNS[obj.kind][0]} list'
    return _ROOT[obj.kind].finding(obj, "entries", message, "List root, too.")


def _can_be_listed(name: str) -> bool:
    return is_host_name(name) or is_expression(name)


def _unresolved(obj: ConfigObject, name: str) -> Finding:
    return _HOST[obj.kind].finding(obj, "entries", f'can\'t resolve hostname "{name}"')


def name_in_list(kind: Kind, name: str) -> str:
    """A name as it is put into a list: that of a host in lower case, an expression as it is typed."""
    return canonical(name) if kind in _HOSTS and not is_expression(name) else name


def is_same_name(kind: Kind, name: str, other: str) -> bool:
    """Whether two names mean one entry of a list: for hosts the case does not count."""
    return name == other or (kind in _HOSTS and canonical(name) == canonical(other))


def _listed(obj: ConfigObject, name: str) -> bool:
    return any(is_same_name(obj.kind, entry, name) for entry in split_names(obj.text("entries"), BLANK_OR_COMMA))
