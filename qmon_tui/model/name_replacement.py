"""Change or remove names in fields if the objects to which they refer are renamed or deleted.

The counterpart of `references`: it changes the names that `references` finds.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from types import MappingProxyType

from qmon_tui.model.fields import Field, ValueType
from qmon_tui.model.formulas import parse_formula
from qmon_tui.model.kinds import Kind
from qmon_tui.model.quota_rules import QuotaFilter, QuotaRule, parse_rule, rules_of
from qmon_tui.model.references import ObjectKey, filtered, host_target
from qmon_tui.values import (
    Overrides,
    is_none,
    join_entries,
    join_names,
    parse_overrides,
    parse_subordinates,
    split_entries,
    split_names,
)

Replacements = Mapping[ObjectKey, str | None]
"""Object -> its new name; None removes the name, together with the value that belongs to it."""


class CannotRemoveName(ValueError):
    """Raised if a name cannot be removed without changing the meaning of the rest."""


def with_replaced_names(kind: Kind, field: Field, text: str, names: Replacements) -> str:
    """Return the text of a field with names replaced or removed; a text that cannot be read is unchanged.

    Raises CannotRemoveName if the rest would mean something else.
    """
    rewrite = _ALSO.get((kind, field.name)) or (_BY_TYPE.get(field.type) if field.refers_to is not None else None)

    def rewritten(value: str) -> str:
        return rewrite(value, field, names) if rewrite else value

    if not field.per_host:
        return rewritten(text)
    try:
        overrides = parse_overrides(text)
    except ValueError:
        return text
    keyed = [(names.get(host_target(key), key), rewritten(value)) for key, value in overrides.keyed]
    default = None if overrides.default is None else rewritten(overrides.default)
    new = Overrides(default, tuple((key, value) for key, value in keyed if key is not None))
    return text if new == overrides else new.canonical()


def _words(targets: Iterable[tuple[ObjectKey, str]], names: Replacements) -> tuple[str, ...]:
    return tuple(new for target, word in targets if (new := names.get(target, word)) is not None)


def _names(text: str, field: Field, names: Replacements) -> str:
    """Replace names of a list; in a userset, whose members may also be Unix groups, names of users."""
    old = () if is_none(text) else split_names(text, field.separator)
    kind, is_of_hosts = field.refers_to or Kind.USER, field.type is ValueType.HOSTS
    new = _words(((host_target(word) if is_of_hosts else (kind, word), word) for word in old), names)
    return text if new == old else join_names(new, field.separator)


def _single(text: str, field: Field, names: Replacements) -> str:
    assert field.refers_to is not None
    return names.get((field.refers_to, text), text) or "NONE"


def _entries(text: str, field: Field, names: Replacements) -> str:
    assert field.refers_to is not None
    try:
        old = split_entries(text, field.separator)
    except ValueError:
        return text
    spelled = ((names.get((field.refers_to, name), name), value) for name, value in old)
    new = tuple((name, value) for name, value in spelled if name is not None)
    return text if new == old else join_entries(new, field.separator)


def _subordinates(text: str, field: Field, names: Replacements) -> str:
    try:
        old = parse_subordinates(text)
    except ValueError:
        return text
    spelled = ((names.get((Kind.QUEUE, each.queue), each.queue), each) for each in old.queues)
    new = old._replace(queues=tuple(each._replace(queue=name) for name, each in spelled if name is not None))
    return text if new == old else new.text()


_FORMULA_WORD = re.compile(r"[^\s+*$-]+")


def _formula(text: str, field: Field, names: Replacements) -> str:
    """Replace attributes; the whole term of a removed attribute is removed."""
    terms = parse_formula(text)
    gone = {word for (kind, word), new in names.items() if kind is Kind.COMPLEX and new is None}
    kept = [term for term in terms if gone.isdisjoint((term.factor, *term.weights))]
    if len(kept) < len(terms):
        if not kept:
            raise CannotRemoveName("a load formula needs an attribute")
        text = "".join(
            ("-" if term.sign < 0 else "+") + "*".join((term.factor, *term.weights)) for term in kept
        ).removeprefix("+")
    return _in_formula(text, names)


def _in_formula(text: str, names: Replacements) -> str:
    return _FORMULA_WORD.sub(lambda match: names.get((Kind.COMPLEX, match[0])) or match[0], text)


def _quota(text: str, field: Field, names: Replacements) -> str:
    """Replace names in rules; remove a rule without limits, or if a filter loses all names (it would match all)."""
    lines: list[str] = []
    for line in rules_of(text):
        try:
            rule = parse_rule(line)
        except ValueError:
            lines.append(line)
            continue
        new = _rule(rule, names)
        if new is not None:
            lines.append(line if new == rule else new.text())
    if not lines:
        raise CannotRemoveName("a resource quota set needs a rule")
    return text if tuple(lines) == rules_of(text) else "\n".join(lines)


def _rule(rule: QuotaRule, names: Replacements) -> QuotaRule | None:
    filters: dict[str, QuotaFilter] = {}
    for keyword, old in rule.filters.items():
        new = replace(
            old,
            names=_words(((filtered(keyword, name), name) for name in old.names), _marked(keyword, names)),
            excluded=_words(((filtered(keyword, name), name) for name in old.excluded), _marked(keyword, names)),
        )
        if old.names and not new.names:
            return None
        if new.names or new.excluded:
            filters[keyword] = new
    limits = tuple(
        (name, _limit(value, names))
        for word, value in rule.limits
        if (name := names.get((Kind.COMPLEX, word), word)) is not None
    )
    if rule.limits and not limits:
        return None
    return QuotaRule(rule.name, MappingProxyType(filters), limits)


def _marked(keyword: str, names: Replacements) -> Replacements:
    """Return names with an @ before new names of usersets, as quota rules write them."""
    if keyword != "users":
        return names
    return {target: f"@{new}" if new and target[0] is Kind.USERSET else new for target, new in names.items()}


def _limit(value: str, names: Replacements) -> str:
    if "$" not in value:
        return value
    gone = {word for (kind, word), new in names.items() if kind is Kind.COMPLEX and new is None}
    if any(term.factor in gone for term in parse_formula(value)):
        raise CannotRemoveName("a dynamic limit computes with the attribute")
    return _in_formula(value, names)


def _tree(text: str, field: Field, names: Replacements) -> str:
    """Replace names of nodes; removed leaves vanish from their parents' lists, other nodes keep their numbers."""
    nodes = _node_lines(text)
    gone = [node for node in nodes if _named(node, names, gone=True)]
    if any(not is_none(node.get("childnodes", "NONE")) for node in gone):
        raise CannotRemoveName("a node of the share tree has others below it")
    if not gone:
        lines = text.splitlines()
        spelled = [_spelled_line(line, names) for line in lines]
        return text if spelled == lines else "\n".join(spelled)
    numbers = {node.get("id", "") for node in gone}
    kept: list[str] = []
    for node in nodes:
        if node in gone:
            continue
        children = [number for number in node.get("childnodes", "").split(",") if number not in numbers]
        fields = {**node, "childnodes": ",".join(children) or "NONE"}
        kept += [_spelled_line(f"{name}={value}", names) for name, value in fields.items()]
    return "\n".join(kept)


def _node_lines(text: str) -> list[dict[str, str]]:
    nodes: list[dict[str, str]] = []
    for line in text.splitlines():
        name, equals, value = (part.strip() for part in line.partition("="))
        if name == "id" or not nodes:
            nodes.append({})
        if equals:
            nodes[-1][name] = value
    return nodes


def _named(node: Mapping[str, str], names: Replacements, *, gone: bool) -> bool:
    name = node.get("name", "")
    return any((kind, name) in names and (names[kind, name] is None) is gone for kind in (Kind.USER, Kind.PROJECT))


def _spelled_line(line: str, names: Replacements) -> str:
    key, equals, value = (part.strip() for part in line.partition("="))
    if not equals or key != "name" or not _named({"name": value}, names, gone=False):
        return line
    return f"name={names.get((Kind.USER, value)) or names.get((Kind.PROJECT, value))}"


Rewrite = Callable[[str, Field, Replacements], str]

_BY_TYPE: Mapping[ValueType, Rewrite] = {
    ValueType.NAMES: _names,
    ValueType.REFERENCE: _single,
    ValueType.HOSTS: _names,
    ValueType.ENTRIES: _entries,
    ValueType.SUBORDINATES: _subordinates,
    ValueType.LOAD_FORMULA: _formula,
}

_ALSO: Mapping[tuple[Kind, str], Rewrite] = {
    (Kind.QUOTA, "limit"): _quota,
    (Kind.SHARETREE, "tree"): _tree,
    (Kind.USERSET, "entries"): _names,
}
