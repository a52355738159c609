"""Find the objects that use an object, and the objects that it uses, by the catalogue's `refers_to`."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

from qmon_tui.model.catalogue import spec
from qmon_tui.model.cluster import Cluster, ConfigObject
from qmon_tui.model.complex_entries import complex_index
from qmon_tui.model.fields import Field, Separator, ValueType
from qmon_tui.model.formulas import formula_attributes
from qmon_tui.model.instances import overrides_of
from qmon_tui.model.kinds import Kind
from qmon_tui.model.memoize import memoized
from qmon_tui.model.quota_rules import FILTERS, parse_rule, rules_of
from qmon_tui.values import comparable, is_group, is_none, parse_subordinates, split_entries, split_names

ObjectKey = tuple[Kind, str]


class Reference(NamedTuple):
    """One use of an object: the user's kind, name and field; `key` is its host or @group (None: the default)."""

    kind: Kind
    name: str
    field: str
    key: str | None = None
    word: str = ""
    """The object's name as written: for an attribute its name or shortcut; empty if it is only the key."""


def references_to(cluster: Cluster, kind: Kind, name: str) -> tuple[Reference, ...]:
    """Return all uses of an object, in the order of kinds; an attribute is also found by its shortcut."""
    words = [looked_up(kind, name)]
    if kind is Kind.COMPLEX:
        entry = complex_index(cluster).entries.get(name)
        if entry is not None and entry.shortcut not in ("", name):
            words.append(entry.shortcut)
    return tuple(
        reference for user in Kind for word in words for reference in _uses(cluster.objects(user)).get((kind, word), ())
    )


def references_of(obj: ConfigObject) -> Iterator[tuple[ObjectKey, Reference]]:
    """Yield (object, reference) for each name in an object's fields; names of hosts and groups in lower case."""
    for field in _fields_with_names(obj.kind):
        for target, key, word in _named(obj.kind, field, obj.text(field)):
            yield target, Reference(obj.kind, obj.name, field, key, word)


@memoized(size=64)
def _uses(objects: Mapping[str, ConfigObject]) -> dict[ObjectKey, tuple[Reference, ...]]:
    references_by_target: dict[ObjectKey, list[Reference]] = {}
    for obj in objects.values():
        for target, reference in references_of(obj):
            references_by_target.setdefault(target, []).append(reference)
    return {target: tuple(dict.fromkeys(references)) for target, references in references_by_target.items()}


@lru_cache(maxsize=64)
def _fields_with_names(kind: Kind) -> tuple[str, ...]:
    """Return the fields that name objects, then fields that only name hosts and groups as keys of their values."""
    naming = [field.name for field in spec(kind).fields if _names_objects(kind, field)]
    keyed = [field.name for field in spec(kind).fields if field.per_host and field.name not in naming]
    return (*naming, *keyed)


def _names_objects(kind: Kind, field: Field) -> bool:
    return field.refers_to is not None or (kind, field.name) in _ALSO


@lru_cache(maxsize=4096)
def _named(kind: Kind, name: str, text: str) -> tuple[tuple[ObjectKey, str | None, str], ...]:
    """Return (object, host or @group, word) for each name in a field's text; cached, because many texts are equal."""
    field = spec(kind).by_name[name]
    named: list[tuple[ObjectKey, str | None, str]] = []
    for key, part in _scopes(field, text):
        if key is not None:
            named.append((host_target(key), key, ""))
        if _names_objects(kind, field):
            named += ((target, key, target[1]) for target in _targets(kind, field, part))
    return tuple(named)


def _scopes(field: Field, text: str) -> Iterator[tuple[str | None, str]]:
    if not field.per_host:
        yield None, text
        return
    overrides = overrides_of(text)
    yield None, overrides.default or ""
    yield from overrides.keyed


def _targets(kind: Kind, field: Field, text: str) -> Iterator[ObjectKey]:
    extract = _ALSO.get((kind, field.name))
    if extract is not None:
        yield from extract(text)
    elif field.type is ValueType.HOSTS:
        yield from map(host_target, _names(text, field))
    elif field.refers_to is not None:
        for word in _WORDS[field.type](text, field):
            yield field.refers_to, word


def host_target(name: str) -> ObjectKey:
    """Return the object that a name in a list of hosts and @hostgroups refers to."""
    return target_of(Kind.HOSTGROUP if is_group(name) else Kind.HOST, name)


def target_of(kind: Kind, name: str) -> ObjectKey:
    """Return the key of the object of this kind and name."""
    return kind, looked_up(kind, name)


def looked_up(kind: Kind, name: str) -> str:
    """Return the name in the form of `ObjectKey`: comparable for hosts and hostgroups, whose case does not count."""
    return comparable(name) if kind in (Kind.HOST, Kind.HOSTGROUP) else name


def _names(text: str, field: Field) -> Iterable[str]:
    return () if is_none(text) else split_names(text, field.separator)


def _entries(text: str, field: Field) -> Iterable[str]:
    try:
        return tuple(name for name, _ in split_entries(text, field.separator))
    except ValueError:
        return ()


def _subordinates(text: str, field: Field) -> Iterable[str]:
    try:
        return tuple(subordinate.queue for subordinate in parse_subordinates(text).queues)
    except ValueError:
        return ()


_WORDS: Mapping[ValueType, Callable[[str, Field], Iterable[str]]] = {
    ValueType.NAMES: _names,
    ValueType.REFERENCE: lambda text, field: () if is_none(text) else (text,),
    ValueType.ENTRIES: _entries,
    ValueType.SUBORDINATES: _subordinates,
    ValueType.LOAD_FORMULA: lambda text, field: formula_attributes(text),
}

_FILTER_KINDS = {"projects": Kind.PROJECT, "pes": Kind.PE, "queues": Kind.QUEUE}


def _quota(text: str) -> Iterator[ObjectKey]:
    for line in rules_of(text):
        try:
            rule = parse_rule(line)
        except ValueError:
            continue
        for keyword in FILTERS:
            if keyword in rule.filters:
                names = rule.filters[keyword].names + rule.filters[keyword].excluded
                yield from (filtered(keyword, name) for name in names if name != "*")
        for attribute, value in rule.limits:
            yield Kind.COMPLEX, attribute
            if "$" in value:
                yield from ((Kind.COMPLEX, word) for word in formula_attributes(value))


def filtered(keyword: str, name: str) -> ObjectKey:
    """Return the object that a word in a quota rule's filter refers to; usersets have an @ there."""
    if keyword == "hosts":
        return host_target(name)
    if keyword == "users":
        return (Kind.USERSET, name[1:]) if name.startswith("@") else (Kind.USER, name)
    return _FILTER_KINDS[keyword], name


def _tree(text: str) -> Iterator[ObjectKey]:
    """Yield each node's name as a user and as a project, since it may be either."""
    for line in text.splitlines():
        name, _, value = line.partition("=")
        if name.strip() == "name":
            yield Kind.USER, value.strip()
            yield Kind.PROJECT, value.strip()


def _members(text: str) -> Iterator[ObjectKey]:
    yield from ((Kind.USER, name) for name in split_names(text, Separator.COMMA) if not name.startswith("@"))


_ALSO: Mapping[tuple[Kind, str], Callable[[str], Iterator[ObjectKey]]] = {
    (Kind.QUOTA, "limit"): _quota,
    (Kind.SHARETREE, "tree"): _tree,
    (Kind.USERSET, "entries"): _members,
}
