"""Edit the text of a field's value in place, with as few changes as possible."""

from collections.abc import Sequence as SequenceType
from difflib import SequenceMatcher

from qmon_tui.formats import nodeset
from qmon_tui.formats.text_changes import TextChange, line_end, line_start
from qmon_tui.formats.yaml import yaml_writer
from qmon_tui.formats.yaml.field_texts import (
    DEFAULT_KEY,
    LINES,
    LISTS,
    SizeLimit,
    expand_hosts,
    field_text,
    glue,
    is_by_host,
    scalar_pairs,
    split_hosts,
)
from qmon_tui.formats.yaml.mapping_edit import MappingEdit, column, content_end, removals_in_line, rewritten
from qmon_tui.formats.yaml.nodes import Mapping, Node, Scalar, Sequence, resolve
from qmon_tui.formats.yaml.shared_keys import SharedKey, regroup
from qmon_tui.model import Field, ValueType
from qmon_tui.values import is_group, is_none, parse_overrides, split_entries, split_names


def literal_lines(text: str, node: Scalar, new: str, newline: str) -> list[TextChange] | None:
    """Return the changes that give a literal text (`|`) a new value; None if it must be rewritten as a whole.

    Lines that stay keep their place and indentation.
    """
    first = line_end(text, node.start)
    end = content_end(text, node)
    if node.style != "|" or first >= end or not new.strip("\n"):
        return None
    end = line_end(text, end)
    written = text[first:end].splitlines(keepends=True)
    indent = next((line[: len(line) - len(line.lstrip(" "))] for line in written if line.strip()), "")
    read = [line.rstrip("\r\n").removeprefix(indent) for line in written]
    wanted = new.split("\n")
    if "\n".join(read).strip("\n") != node.text.strip("\n") or read[0] == "" or wanted[0].startswith(" "):
        return None
    starts = [first]
    for line in written:
        starts.append(starts[-1] + len(line))
    changes = []
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, read, wanted, autojunk=False).get_opcodes():
        if tag != "equal":
            lines = "".join((indent + line if line else "") + newline for line in wanted[j1:j2])
            lead = newline if lines and starts[i1] == len(text) and not text.endswith("\n") else ""
            changes.append(TextChange(starts[i1], starts[i2], lead + lines))
    return changes


def reordered(text: str, items: SequenceType[Node], order: SequenceType[int], newline: str) -> TextChange:
    """Return the change that reorders a block list; each item keeps its lines, and the comments around them."""
    start = _with_comments_above(text, line_start(text, items[0].start))
    pieces = []
    for item in items:
        end = line_end(text, content_end(text, item))
        pieces.append((start, end))
        start = end
    lines = [text[first:last] for first, last in pieces]
    new_text = "".join(line if line.endswith("\n") else line + newline for line in (lines[place] for place in order))
    if not lines[-1].endswith("\n"):
        new_text = new_text.removesuffix(newline)
    return TextChange(pieces[0][0], pieces[-1][1], new_text)


def _with_comments_above(text: str, start: int) -> int:
    """Return the beginning of the comment lines directly above a line."""
    while text[(above := line_start(text, start - 1)) : start].lstrip().startswith("#"):
        start = above
    return start


class ValueEdit:
    """Writes values into one text."""

    def __init__(self, text: str, newline: str) -> None:
        self.text = text
        self.newline = newline

    def replace(self, field: Field, key: Node, node: Node, new: str, *, flow: bool) -> list[TextChange]:
        """Return the changes that give a field a new text. `flow` is True for a field in curly braces."""
        if isinstance(node, Scalar):
            lines = literal_lines(self.text, node, new, self.newline) if field.type in LINES else None
            return [self._scalar(field, key, node, new, flow)] if lines is None else lines
        changes = self._inside(field, key, node, new)
        return [self._rewritten(field, key, node, new, flow)] if changes is None else changes

    def _inside(self, field: Field, key: Node, node: Node, new: str) -> list[TextChange] | None:
        """Return the changes inside a list or mapping; None if it must be rewritten as a whole."""
        if isinstance(node, Sequence):
            return self._sequence(field, node, new) if field.type in LISTS else None
        if isinstance(node, Mapping):
            if is_by_host(field, node):
                return self._per_host(field, node, key, new)
            return self._entries(field, node, key, new) if field.type is ValueType.ENTRIES else None
        return None

    def _scalar(self, field: Field, key: Node, node: Scalar, new: str, flow: bool) -> TextChange:
        if field.type is ValueType.HOSTS:
            new = refolded(field, node.text, new)
        one_line = "\n" not in self.text[node.start : node.end]
        if node.start == node.end or not one_line or (field.type in LINES and "\n" in new):
            return self._rewritten(field, key, node, new, flow)
        return TextChange(node.start, node.end, yaml_writer.scalar(new, style=node.style, flow=flow))

    def _indent(self, key: Node) -> str:
        """Return the indentation of a key's line."""
        start = line_start(self.text, key.start)
        line = self.text[start : line_end(self.text, key.start)]
        return line[: len(line) - len(line.lstrip(" "))]

    def _rewritten(self, field: Field, key: Node, node: Node, new: str, flow: bool) -> TextChange:
        written = yaml_writer.value(field, new, self._indent(key), flow=flow).replace("\n", self.newline)
        return rewritten(self.text, key, node, written)

    # -- mappings

    def _entries(self, field: Field, node: Mapping, key: Node, new: str) -> list[TextChange] | None:
        """Edit a mapping of entries; None if it cannot have the new entries in their order."""
        try:
            wanted = split_entries(new, field.separator)
        except ValueError:
            return None
        pairs = list(scalar_pairs(node))
        names = [name.text for name, _ in pairs]
        target = dict(wanted)
        if len(target) != len(wanted) or len(set(names)) != len(names) or len(pairs) != len(node.pairs):
            return None
        if not all(isinstance(resolve(value), Scalar) for _, value in pairs):
            return None
        if ",".join(f"{name}={text}" for name, text in wanted) != new or DEFAULT_KEY in target:
            return None
        keyed = [SharedKey((name.text,), name, value) for name, value in pairs]
        return self._regroup(field, MappingEdit(self.text, node, key), keyed, target)

    def _per_host(self, field: Field, node: Mapping, key: Node, new: str) -> list[TextChange] | None:
        """Edit a mapping of hosts; None if it cannot have the new hosts in their order."""
        try:
            overrides = parse_overrides(new)
            keyed = [SharedKey(nodeset.expand_nodeset(name.text), name, value) for name, value in scalar_pairs(node)]
        except ValueError:
            return None
        target = dict(overrides.keyed)
        if overrides.default is not None:
            target = {DEFAULT_KEY: overrides.default, **target}
        elif field.type is ValueType.ENTRIES:  # without a default such a mapping would be one of entries
            return None
        if len(target) != len(overrides.keyed) + (overrides.default is not None):
            return None
        if overrides.canonical() != new or len(keyed) != len(node.pairs):
            return None
        return self._regroup(field, MappingEdit(self.text, node, key), keyed, target)

    def _regroup(
        self, field: Field, container: MappingEdit, pairs: list[SharedKey], target: dict[str, str]
    ) -> list[TextChange] | None:
        flow = container.node.flow
        single = Field(field.name, field.type, field.default, "", separator=field.separator)

        def current(pair: SharedKey) -> str | None:
            return field_text(single, pair.value, lambda *_: None, SizeLimit(len(self.text)))

        def edit(pair: SharedKey, _: str, token: str) -> list[TextChange]:
            return self.replace(single, pair.key, pair.value, token, flow=flow)

        outcomes: dict[str, tuple[str, str]] = {name: (name, value) for name, value in target.items()}
        tokens = [token for pair in pairs if (token := current(pair)) is not None]
        if len(tokens) < len(pairs):
            return None
        fresh = _fresh(pairs, target)
        regrouped = regroup(container, pairs, tokens, outcomes, edit, ordered=True)
        if fresh is None or len(regrouped.removed) == len(pairs):
            return None
        indent = container.indent("")
        lines = [
            (behind, f"{indent}{yaml_writer.scalar(name, flow=flow)}: {yaml_writer.scalar(target[name], flow=flow)}")
            for behind, name in fresh
        ]
        return [*regrouped.inner, *container.update(regrouped.removed, [*regrouped.added, *lines], self.newline)]

    # -- sequences

    def _sequence(self, field: Field, node: Sequence, new: str) -> list[TextChange] | None:
        """Edit a list item by item; None if it cannot have the new items."""
        items = node.items
        if not items or not all(isinstance(item, Scalar) for item in items):
            return None
        old = [item.text for item in items if isinstance(item, Scalar)]
        if field.type is ValueType.HOSTS:
            new_items = [part for part in refolded(field, " ".join(old), new).split(" ") if part]
            try:
                if expand_hosts(" ".join(new_items), field.separator) != expand_hosts(new, field.separator):
                    return None
            except ValueError:
                return None
        else:
            new_items = _split(field, new)
            if glue(field).join(new_items) != new:
                return None
        if is_none(new):
            return None
        return self._items(node, old, new_items)

    def _items(self, node: Sequence, old: list[str], new: list[str]) -> list[TextChange]:
        if not node.flow and sorted(old) == sorted(new):
            return [reordered(self.text, node.items, _order(old, new), self.newline)]
        changes: list[TextChange] = []
        for tag, i1, i2, j1, j2 in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
            if tag == "equal":
                continue
            same = min(i2 - i1, j2 - j1)
            for index in range(same):
                item = node.items[i1 + index]
                style = item.style if isinstance(item, Scalar) else ""
                written = yaml_writer.scalar(new[j1 + index], style=style, flow=node.flow)
                changes.append(TextChange(item.start, content_end(self.text, item), written))
            if i1 + same < i2:
                changes += self._without(node, i1 + same, i2)
            changes += self._insert(node, i1 + same, new[j1 + same : j2])
        return changes

    def _without(self, node: Sequence, first: int, stop: int) -> list[TextChange]:
        """Remove items from a list that keeps at least one."""
        items = node.items
        if not node.flow:
            start = line_start(self.text, items[first].start)
            return [TextChange(start, line_end(self.text, content_end(self.text, items[stop - 1])), "")]
        spans = [(item.start, content_end(self.text, item)) for item in items]
        return removals_in_line(self.text, spans, frozenset(range(first, stop)))

    def _insert(self, node: Sequence, index: int, new: SequenceType[str]) -> list[TextChange]:
        """Insert items before the item with this index."""
        if not new:
            return []
        items = node.items
        if node.flow:
            words = [yaml_writer.scalar(text, flow=True) for text in new]
            if index == 0:
                return [TextChange(items[0].start, items[0].start, ", ".join(words) + ", ")]
            at = content_end(self.text, items[index - 1])
            return [TextChange(at, at, "".join(", " + word for word in words))]
        dash = self.text[: items[0].start].rindex("-")
        lead = column(self.text, dash) + "-" + self.text[dash + 1 : items[0].start]
        lines = self.newline.join(lead + yaml_writer.scalar(text) for text in new)
        if index == 0:
            at = line_start(self.text, items[0].start)
            return [TextChange(at, at, lines + self.newline)]
        at = line_end(self.text, content_end(self.text, items[index - 1]))
        before = "" if self.text[at - 1] == "\n" else self.newline
        return [TextChange(at, at, before + lines + ("" if before else self.newline))]


def _fresh(pairs: list[SharedKey], target: dict[str, str]) -> list[tuple[int | None, str]] | None:
    """Return new names, each with the index of the pair that it follows, None for the end.

    None if the order cannot be the wanted one; groups come before hosts, and the place of the default does not matter.
    """
    places = {name: index for index, pair in enumerate(pairs) for name in pair.names}
    fresh: list[tuple[int | None, str]] = []
    behind: int | None = None
    for name in target:
        if name not in places:
            fresh.append((behind, name))
        elif name != DEFAULT_KEY:
            behind = places[name]
    fresh = [(None if index == behind else index, name) for index, name in fresh]
    order = [
        name
        for at, names in (*((at, pair.names) for at, pair in enumerate(pairs)), (None, ()))
        for name in (*names, *(name for index, name in fresh if index == at))
        if name in target and name != DEFAULT_KEY
    ]
    wanted = [name for name in target if name != DEFAULT_KEY]
    return fresh if sorted(order, key=_is_host) == sorted(wanted, key=_is_host) else None


def _is_host(name: str) -> bool:
    return not is_group(name)


def _order(old: SequenceType[str], new: SequenceType[str]) -> list[int]:
    """Return the index among the old items of each new item; both lists have the same items."""
    places: dict[str, list[int]] = {}
    for place, text in enumerate(old):
        places.setdefault(text, []).append(place)
    return [places[text].pop(0) for text in new]


def refolded(field: Field, old: str, new: str) -> str:
    """Return a host list that keeps the old text's node sets where possible; the new text if that changes the order."""
    wanted = list(split_names(new, field.separator))
    left = set(wanted)
    parts: list[str] = []
    try:
        for name in split_hosts(old, field.separator):
            hosts = nodeset.expand_nodeset(name)
            kept = [host for host in hosts if host in left]
            left -= set(kept)
            parts += [name] if len(kept) == len(hosts) else nodeset.fold_hosts(kept) if kept else []
        parts += [host for host in wanted if host in left]
        folded = " ".join(parts)
        return folded if expand_hosts(folded, field.separator) == new else new
    except ValueError:
        return new


def _split(field: Field, text: str) -> list[str]:
    if field.type in LINES:
        return text.split("\n")
    if field.type is ValueType.SUBORDINATES:
        return text.split(", ")
    if field.type is ValueType.ENTRIES:
        return text.split(",")
    return list(split_names(text, field.separator))
