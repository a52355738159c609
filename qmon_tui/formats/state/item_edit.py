"""Changes to YAML mappings: keys that stand for several names, and the fields of one item."""

from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar

from qmon_tui.formats.text_changes import TextChange
from qmon_tui.formats.yaml import INDENT, MappingEdit, Node, Scalar, SharedKey, content_end, regroup, rewritten, scalar
from qmon_tui.formats.yaml import Mapping as MappingNode

Token = TypeVar("Token")
Texts = Mapping[str, str]


def edit_keyed(
    container: MappingEdit,
    pairs: list[SharedKey],
    wanted: Mapping[str, Token | None],
    fold: Callable[[Iterable[str]], tuple[str, ...]],
    token: Callable[[Node], Token],
    change: Callable[[SharedKey, str, Token], list[TextChange]],
    render: Callable[[Token, bool], str],
    newline: str,
) -> list[TextChange]:
    """Changes to a mapping whose keys stand for several names each; what is not in `wanted` stays."""
    outcomes: dict[str, tuple[str, Token]] = {}
    tokens = [token(pair.value) for pair in pairs]
    for pair, said in zip(pairs, tokens, strict=True):
        for name in pair.names:
            value = wanted.get(name, said)
            if value is not None:
                outcomes[name] = (name, value)
    regrouped = regroup(container, pairs, tokens, outcomes, change, fold=fold)
    known = {name for pair in pairs for name in pair.names}
    fresh: dict[Token, list[str]] = {}
    for name, said_now in wanted.items():
        if name not in known and said_now is not None:
            fresh.setdefault(said_now, []).append(name)
    flow, indent = container.node.flow, container.indent(INDENT)
    lines = [
        (None, f"{indent}{scalar(key, flow=flow)}: {render(said, flow)}")
        for said, names in fresh.items()
        for key in (fold(names) if len(names) > 1 else names)
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
    """Changes to the fields of a mapping whose texts differ; `write` makes YAML of a field's text."""
    if not isinstance(node, MappingNode):
        raise ValueError("what is no mapping has no fields")
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
            added.append((None, f"{indent}{scalar(name, flow=node.flow)}: {write(name, new, node.flow, '')}"))
        else:
            style = place[2].style if isinstance(place[2], Scalar) else ""
            changes.append(replaced(text, place[1], place[2], write(name, new, node.flow, style)))
    if not removed and not added:
        return changes
    if 0 in removed and not node.flow and key is None and len(node.pairs) > 1:
        # The first field of an item stands behind its dash, which stays.
        changes.append(TextChange(node.pairs[0][0].start, node.pairs[1][0].start, ""))
        removed = removed - {0}
    return [*changes, *container.update(removed, added, newline)]


def replaced(text: str, key: Node, value: Node, new: str) -> TextChange:
    """A new text for a value that stands on one line."""
    if isinstance(value, Scalar) and value.start < value.end and "\n" not in text[value.start : value.end]:
        return TextChange(value.start, content_end(text, value), new)
    return rewritten(text, key, value, " " + new)


def pairs_of(node: MappingNode) -> list[tuple[Scalar, Node]]:
    """The pairs of a mapping; ValueError where a key is no word, or pairs come from elsewhere."""
    pairs = [(key, value) for key, value in node.pairs if isinstance(key, Scalar) and key.text != "<<"]
    if len(pairs) != len(node.pairs):
        raise ValueError("a mapping with other keys than words cannot be changed")
    return pairs
