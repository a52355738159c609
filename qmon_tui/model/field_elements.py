"""Split three versions of a field's text into elements, so that edits of different elements can be merged.

The field determines the elements: values of hosts, names of a list, attributes with amounts, quota rules, or nodes of
the share tree.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from difflib import SequenceMatcher

from qmon_tui.model.fields import Field, ValueType
from qmon_tui.model.quota_rules import rules_of
from qmon_tui.model.sharetree import parse_share_tree
from qmon_tui.values import (
    Overrides,
    Subordinate,
    Subordinates,
    comparable,
    is_none,
    join_entries,
    join_names,
    parse_overrides,
    parse_subordinates,
    split_entries,
    split_names,
)

Elements = Mapping[str, str]
"""Key -> text of each element, in the order of the field."""


@dataclass(frozen=True, slots=True)
class ElementVersions:
    """Elements of the three versions, and the function that joins elements to a text."""

    base: Elements
    mine: Elements
    theirs: Elements
    joined: Callable[[Elements], str]
    by_host: bool = False
    """True if the elements are the values of hosts and groups, which may themselves be split into elements."""
    parent: Callable[[str], str] | None = None
    """Element -> the element that it needs (a node's parent); empty if it needs none."""


def element_versions(field: Field, base: str, mine: str, theirs: str) -> ElementVersions | None:
    """Split the versions into elements; None if the field is a single value or a version cannot be read."""
    texts = (base, mine, theirs)
    if field.per_host and any("[" in text for text in texts):
        return _by_host(texts)
    take = _BY_TYPE.get(field.type)
    try:
        return take(field, texts) if take else None
    except ValueError:
        return None


Texts = tuple[str, str, str]

DEFAULT_SCOPE = ""
"""Key of the default value, for hosts without a value of their own."""


def _by_host(texts: Texts) -> ElementVersions | None:
    try:
        base, mine, theirs = (parse_overrides(text) for text in texts)
    except ValueError:
        return None
    spelled = {comparable(key): key for side in (theirs, mine, base) for key, _ in side.keyed}

    def elements(overrides: Overrides) -> Elements:
        default = {} if overrides.default is None else {DEFAULT_SCOPE: overrides.default}
        return default | {spelled[comparable(key)]: value for key, value in overrides.keyed}

    def joined(elements: Elements) -> str:
        keyed = tuple((key, value) for key, value in elements.items() if key != DEFAULT_SCOPE)
        return Overrides(elements.get(DEFAULT_SCOPE), keyed).canonical()

    return ElementVersions(elements(base), elements(mine), elements(theirs), joined, by_host=True)


def _names(field: Field, texts: Texts) -> ElementVersions:
    spelled = comparable if field.type is ValueType.HOSTS else str
    base, mine, theirs = (
        {spelled(name): name for name in (() if is_none(text) else split_names(text, field.separator))}
        for text in texts
    )
    return ElementVersions(base, mine, theirs, lambda elements: join_names(elements.values(), field.separator))


def _entries(field: Field, texts: Texts) -> ElementVersions:
    base, mine, theirs = (dict(split_entries(text, field.separator)) for text in texts)
    return ElementVersions(base, mine, theirs, lambda elements: join_entries(elements.items(), field.separator))


def _subordinates(field: Field, texts: Texts) -> ElementVersions | None:
    """Split into subordinate queues; None if the versions have different forms or slot limits, so cannot be merged."""
    lists = [parse_subordinates(text) for text in texts]
    slots = {each.slots for each in lists if each.queues}
    if len(slots) > 1:
        return None
    whole = next(iter(slots), None)
    known: dict[str, Subordinate] = {}

    def elements(subordinates: Subordinates) -> Elements:
        texts = {each.queue: Subordinates((each,), whole).text() for each in subordinates.queues}
        known.update({texts[each.queue]: each for each in subordinates.queues})
        return texts

    base, mine, theirs = map(elements, lists)
    return ElementVersions(
        base, mine, theirs, lambda mapped: Subordinates(tuple(known[text] for text in mapped.values()), whole).text()
    )


def _rules(field: Field, texts: Texts) -> ElementVersions:
    """Split into rules, matched by their place in the base, because they need not have names."""
    base, mine, theirs = map(rules_of, texts)
    keys = {f"rule {number}": text for number, text in enumerate(base, 1)}
    return ElementVersions(
        keys, _aligned(keys, mine), _aligned(keys, theirs), lambda elements: "\n".join(elements.values())
    )


def _aligned(base: Elements, lines: tuple[str, ...]) -> Elements:
    names, texts = list(base), list(base.values())
    lines_by_key: dict[str, str] = {}
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, texts, lines, autojunk=False).get_opcodes():
        for offset, line in enumerate(lines[j1:j2]):
            same_place = tag in ("equal", "replace") and i1 + offset < i2
            # New rules at one place are one element, so that the user decides on their order.
            place_of_new = f"after {names[i2 - 1]}" if i2 else "before rule 1"
            key = names[i1 + offset] if same_place else place_of_new
            lines_by_key[key] = f"{lines_by_key[key]}\n{line}" if key in lines_by_key else line
    return lines_by_key


def _tree(field: Field, texts: Texts) -> ElementVersions | None:
    """Split into nodes by path; None if a node is outside the tree or two siblings have the same name."""
    base, mine, theirs = map(_nodes, texts)
    if base is None or mine is None or theirs is None:
        return None
    return ElementVersions(base, mine, theirs, _tree_text, parent=lambda path: path.rpartition("/")[0])


def _nodes(text: str) -> Elements | None:
    root = parse_share_tree(text)
    nodes_by_path: dict[str, str] = {}
    if root is not None and root.missing_child is not None:
        return None
    waiting = [(root, root.name)] if root is not None else []
    while waiting:
        node, path = waiting.pop()
        if not node.name or "/" in node.name or path in nodes_by_path:
            return None
        nodes_by_path[path] = f"type={node.fields.get('type', '0')} shares={node.fields.get('shares', '1')}"
        waiting += [(child, f"{path}/{child.name}") for child in reversed(node.children)]
    written = sum(line.strip().startswith("name=") for line in text.splitlines())
    return nodes_by_path if written == len(nodes_by_path) else None


def _tree_text(elements: Elements) -> str:
    """Return the text of a share tree, numbered depth first; a node whose parent was removed is left out."""
    children: dict[str, list[str]] = {}
    for path in elements:
        children.setdefault(path.rpartition("/")[0], []).append(path)
    order: list[str] = []
    waiting = children.get("", [])[:1]
    while waiting:
        order.append(waiting.pop())
        waiting.extend(reversed(children.get(order[-1], [])))
    numbers = {path: str(number) for number, path in enumerate(order)}
    lines: list[str] = []
    for path in order:
        below = ",".join(numbers[child] for child in children.get(path, [])) or "NONE"
        lines += [
            f"id={numbers[path]}",
            f"name={path.rpartition('/')[2]}",
            *elements[path].split(),
            f"childnodes={below}",
        ]
    return "\n".join(lines)


_BY_TYPE: Mapping[ValueType, Callable[[Field, Texts], ElementVersions | None]] = {
    ValueType.NAMES: _names,
    ValueType.HOSTS: _names,
    ValueType.ENTRIES: _entries,
    ValueType.FLAGS: _names,
    ValueType.SUBORDINATES: _subordinates,
    ValueType.RULES: _rules,
    ValueType.TREE: _tree,
}


def element(field: Field, base: str, text: str, key: tuple[str, ...]) -> str | None:
    """Return the element of a text with this key; None if the text has none. Rules are numbered as in `base`."""
    taken = element_versions(field, base, text, text)
    if taken is None or (not key and not taken.by_host):
        return None if key else text
    if not taken.by_host:
        return taken.mine.get(key[0])
    scope, rest = (key[0], key[1:]) if key and is_scope(key[0]) else (scope_key(DEFAULT_SCOPE), key)
    value = next((value for name, value in taken.mine.items() if scope_key(name) == scope), None)
    if not rest or value is None:
        return value
    known = next((value for name, value in taken.base.items() if scope_key(name) == scope), "")
    return element(replace(field, per_host=False), known, value, rest)


def scope_key(name: str) -> str:
    """Return the key of a host's or hostgroup's value; case does not count."""
    return f"[{comparable(name)}]"


def is_scope(key: str) -> bool:
    """True if the key belongs to the value of a host or hostgroup."""
    return key.startswith("[")
