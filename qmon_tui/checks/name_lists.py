"""Check managers, operators, administrative and submit hosts: lists to which single names are added."""

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
"""Assumed name of the master host, as no file has it."""
_NOUNS: Mapping[Kind, tuple[str, str]] = {
    Kind.MANAGERS: ("manager", "manager"),
    Kind.OPERATORS: ("operator", "operator"),
    Kind.ADMIN_HOSTS: ("adminhost", "administrative host"),
    Kind.SUBMIT_HOSTS: ("submithost", "submit host"),
}
"""Kind -> the qmaster's words for an entry that exists, and for one that does not."""


def list_findings(cluster: Cluster, obj: ConfigObject) -> Iterator[Finding]:
    """Yield all findings about one of the lists."""
    names = split_names(obj.text("entries"), BLANK_OR_COMMA)
    if obj.kind is Kind.MANAGERS and "root" not in names:
        yield _root_stays(obj)  # A new cluster has this manager, but no operators.
    if obj.kind in _HOSTS:
        for name in names:
            if not _can_be_listed(name):
                yield _unresolved(obj, name)


def entry_addition(cluster: Cluster, kind: Kind, name: str) -> Finding | None:
    """Return the qmaster's error for adding a name to a list; None if it adds the name."""
    obj = cluster.single(kind)
    if kind in _HOSTS and not _can_be_listed(name):
        return _unresolved(obj, name)
    if not _listed(obj, name):
        return None
    return _EXISTS[kind].finding(obj, "entries", f'{_NOUNS[kind][0]} "{name_in_list(kind, name)}" already exists')


def entry_removal(cluster: Cluster, kind: Kind, name: str) -> Finding | None:
    """Return the qmaster's error for removing a name from a list; None if it removes the name."""
    obj = cluster.single(kind)
    if kind in _HOSTS and not is_host_name(name) and not _listed(obj, name):
        return _unresolved(obj, name)
    if kind in _ROOT and name == "root":
        return _root_stays(obj)
    names = split_names(obj.text("entries"), BLANK_OR_COMMA)
    # No folder names the master host; but it is always listed, so the last entry must be the master.
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
    """Return a name as the list stores it: host names in lower case, expressions as typed."""
    return canonical(name) if kind in _HOSTS and not is_expression(name) else name


def is_same_name(kind: Kind, name: str, other: str) -> bool:
    """True if two names are the same entry of a list; for hosts case does not count."""
    return name == other or (kind in _HOSTS and canonical(name) == canonical(other))


def _listed(obj: ConfigObject, name: str) -> bool:
    return any(is_same_name(obj.kind, entry, name) for entry in split_names(obj.text("entries"), BLANK_OR_COMMA))
