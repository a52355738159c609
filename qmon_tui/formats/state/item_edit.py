"""Edit YAML mappings and lists: keys that stand for several names, the fields of an item, whole items."""

from collections.abc import Callable, Iterable, Iterator, Mapping as MappingType, Sequence as SequenceType, Set
from typing import TypeVar

from qmon_tui.formats.text_changes import TextChange, line_end, line_start
from qmon_tui.formats.yaml import (
    INDENT,
    Mapping,
    MappingEdit,
    Node,
    Scalar,
    Sequence,
    SharedKey,
    behind_comma,
    column,
    content_end,
    insertion_of_lines,
    regroup,
    removals_in_line,
    resolve,
    rewritten,
    scalar,
)

Token = TypeVar("Token")
Texts = MappingType[str, str]


def edit_keyed(
    container: MappingEdit,
    pairs: list[SharedKey],
    wanted: MappingType[str, Token | None],
    fold: Callable[[Iterable[str]], tuple[str, ...]],
    token: Callable[[Node], Token],
    change: Callable[[SharedKey, Token], list[TextChange]],
    render: Callable[[Token], str],
    newline: str,
) -> list[TextChange]:
    """Return the changes to a mapping whose keys stand for several names each; names not in `wanted` stay."""
    outcomes: dict[str, tuple[str, Token]] = {}
    tokens = [token(pair.value) for pair in pairs]
    for pair, present in zip(pairs, tokens, strict=True):
        for name in pair.names:
            value = wanted.get(name, present)
            if value is not None:
                outcomes[name] = (name, value)
    regrouped = regroup(container, pairs, tokens, outcomes, lambda pair, _, value: change(pair, value), fold=fold)
    known = {name for pair in pairs for name in pair.names}
    fresh: dict[Token, list[str]] = {}
    for name, value in wanted.items():
        if name not in known and value is not None:
            fresh.setdefault(value, []).append(name)
    flow, indent = container.node.flow, container.indent(INDENT)
    lines = [
        (None, f"{indent}{scalar(key, flow=flow)}: {render(value)}")
        for value, names in fresh.items()
        for key in fold(names)
    ]
    return [*regrouped.inner, *container.update(regrouped.removed, [*regrouped.added, *lines], newline)]


def edit_fields(
    text: str,
    key: Node | None,
    node: Node,
    before: Texts,
    after: Texts,
    write: Callable[[str, str, bool, str], str],
    newline: str,
    gone: Iterable[str] = (),
) -> list[TextChange]:
    """Return the changes to fields whose texts differ; `write` turns a field's text into YAML; `gone` are removed."""
    if not isinstance(node, Mapping):
        raise ValueError("only a mapping has fields")
    container = MappingEdit(text, node, key)
    places = {name.text: (index, name, value) for index, (name, value) in enumerate(pairs_of(node))}
    removed: set[int] = {places[name][0] for name in gone if name in places}
    added: list[tuple[int | None, str]] = []
    changes: list[TextChange] = []
    for name in {**before, **after}:
        new = after.get(name)
        if new == before.get(name):
            continue
        place = places.get(name)
        if new is None:
            removed |= {place[0]} if place else set()
        elif place is None:
            indent = container.indent("") if not node.flow else ""
            added.append(
                (None, f"{indent}{scalar(name, flow=node.flow)}:{_behind_colon(write(name, new, node.flow, ''))}")
            )
        else:
            style = place[2].style if isinstance(place[2], Scalar) else ""
            changes.append(replaced(text, place[1], place[2], write(name, new, node.flow, style)))
    if not removed and not added:
        return changes
    first = next((index for index in range(len(node.pairs)) if index not in removed), 0)
    if first and not node.flow and key is None:
        # The dash of an item stays before its first field; comments below the dash are moved above it.
        if comments := "".join(_comments_before(text, node, first)):
            start = line_start(text, node.pairs[0][0].start)
            changes.append(TextChange(start, start, comments))
        changes.append(TextChange(node.pairs[0][0].start, node.pairs[first][0].start, ""))
        removed = {index for index in removed if index > first}
    return [*changes, *container.update(removed, added, newline)]


def _comments_before(text: str, node: Mapping, count: int) -> Iterator[str]:
    """Yield the comment lines between the first `count` + 1 fields of a mapping."""
    for index in range(count):
        between = text[content_end(text, node.pairs[index][1]) : node.pairs[index + 1][0].start]
        yield from (line for line in between.splitlines(keepends=True)[1:] if line.strip().startswith("#"))


def replaced(text: str, key: Node, value: Node, new: str) -> TextChange:
    """Return the change that replaces a value on one line."""
    if isinstance(value, Scalar) and value.start < value.end and "\n" not in text[value.start : value.end]:
        return TextChange(value.start, content_end(text, value), new)
    return rewritten(text, key, value, _behind_colon(new))


def _behind_colon(value: str) -> str:
    """Return a value with a blank before it, unless it begins on the next line."""
    return value if value.startswith(("\n", "\r")) else " " + value


def pairs_of(node: Mapping) -> list[tuple[Scalar, Node]]:
    """Return the pairs of a mapping. Raises ValueError if a key is no scalar or merges another mapping."""
    pairs = [(key, value) for key, value in node.pairs if isinstance(key, Scalar) and key.text != "<<"]
    if len(pairs) != len(node.pairs):
        raise ValueError("a mapping with other keys than words cannot be changed")
    return pairs


ItemTexts = tuple[str, list[str]]
"""An item in curly braces, and the same item as unindented lines."""


def without_items(text: str, node: Sequence, removed: Set[int]) -> list[TextChange]:
    """Remove items by index; of an emptied block list only its key stays, of a flow list its brackets.

    The item after a removed one must not depend on it: the caller writes a number that the text leaves out.
    """
    if node.flow and len(removed) == len(node.items) > 0:
        return [TextChange(node.items[0].start, behind_comma(text, content_end(text, node.items[-1])), "")]
    if node.flow:
        return removals_in_line(text, [(item.start, content_end(text, item)) for item in node.items], removed)
    return [
        TextChange(line_start(text, item.start), line_end(text, content_end(text, item)), "")
        for index, item in enumerate(node.items)
        if index in removed
    ]


def insert_items(
    text: str, node: Sequence, added: SequenceType[ItemTexts], newline: str, *, in_place_of_all: bool = False
) -> list[TextChange]:
    """Append items to a list in the style of its last item; `in_place_of_all` if no item of the list stays."""
    flow_texts = [flow for flow, _ in added]
    if not node.items:
        at = node.start + text[node.start : node.end].index("[") + 1
        return [TextChange(at, at, ", ".join(flow_texts))]
    first, last = node.items[0], node.items[-1]
    end = content_end(text, last)
    if node.flow:
        at = first.start if in_place_of_all else end
        return [TextChange(at, at, ("" if in_place_of_all else ", ") + ", ".join(flow_texts))]
    dash = column(text, text.rindex("-", 0, last.start))
    body = resolve(last)
    if isinstance(body, Mapping) and body.flow:
        lines = [f"{dash}- {flow}" for flow in flow_texts]
    else:
        lines = [dash + line for _, item in added for line in item]
    at = line_start(text, first.start) if in_place_of_all else line_end(text, end)
    return [insertion_of_lines(text, at, newline.join(lines), newline)]
