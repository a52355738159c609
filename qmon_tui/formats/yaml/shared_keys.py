"""Change some of the names in one key: move them out of its node set to keys of their own."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Final, TypeVar

from qmon_tui.formats import nodeset
from qmon_tui.formats.text_changes import TextChange, apply_changes
from qmon_tui.formats.yaml import yaml_writer
from qmon_tui.formats.yaml.mapping_edit import MappingEdit, pair_end
from qmon_tui.formats.yaml.nodes import Node, Scalar

Token = TypeVar("Token")
Fold = Callable[[Iterable[str]], tuple[str, ...]]

_ANCHOR: Final = re.compile(r"&[^\s,\[\]{}]+(?:[ \t]*(?P<rest>\r?\n|#)|[ \t]+)")
"""An anchor with the blanks after it; `rest` is the line end or comment if the line has no more."""


@dataclass(frozen=True, slots=True)
class SharedKey:
    """A pair of a mapping whose key stands for one name or several."""

    names: tuple[str, ...]
    key: Scalar
    value: Node


@dataclass(frozen=True, slots=True)
class Regrouped:
    """Changes inside pairs, the indices of pairs to remove, and (index, text) of pairs to add after that index."""

    inner: list[TextChange]
    removed: set[int]
    added: list[tuple[int | None, str]]


def regroup(
    container: MappingEdit,
    pairs: list[SharedKey],
    tokens: list[Token],
    outcomes: Mapping[str, tuple[str, Token]],
    edit: Callable[[SharedKey, str, Token], list[TextChange]],
    *,
    ordered: bool = False,
    fold: Fold = nodeset.fold_hosts,
) -> Regrouped:
    """Return the changes that give each name its outcome (new name, text); a name without one is removed.

    `tokens` are the present values of the pairs. `edit` changes the value of a pair to that of a name. Names with the
    same outcome stay together; if `ordered`, only adjacent ones do. `fold` writes several names as few keys.
    """
    regrouped = Regrouped([], set(), [])
    places = {id(value): index for index, (_, value) in enumerate(container.node.pairs)}
    for pair, token in zip(pairs, tokens, strict=True):
        index = places[id(pair.value)]
        groups = _groups(pair, outcomes, ordered)
        if not ordered:
            groups.sort(key=lambda group: group[0] != token)
        if not groups:
            regrouped.removed.add(index)
            continue
        _write_groups(container, pair, token, groups, edit, fold, index, regrouped)
    return regrouped


def _groups(
    pair: SharedKey, outcomes: Mapping[str, tuple[str, Token]], ordered: bool
) -> list[tuple[Token, str, list[str]]]:
    """Return (value, first old name, new names) of each group of names in a pair."""
    groups: list[tuple[Token, str, list[str]]] = []
    for name in pair.names:
        if name not in outcomes:
            continue
        new_name, wanted = outcomes[name]
        known = next((group for group in (groups[-1:] if ordered else groups) if group[0] == wanted), None)
        if known is None:
            groups.append((wanted, name, [new_name]))
        else:
            known[2].append(new_name)
    return groups


def _write_groups(
    container: MappingEdit,
    pair: SharedKey,
    token: Token,
    groups: list[tuple[Token, str, list[str]]],
    edit: Callable[[SharedKey, str, Token], list[TextChange]],
    fold: Fold,
    index: int,
    regrouped: Regrouped,
) -> None:
    """Give the pair itself to the first group, and a copy of it to each other group."""
    flow = container.node.flow
    start, end = pair.key.start, pair_end(container.text, pair.key, pair.value)
    is_pair_used = False
    for wanted, old, new in groups:
        inner = [] if wanted == token else edit(pair, old, wanted)
        for key in _keys(pair, new, fold):
            changes = [*inner, *_rekey(pair, key, flow)]
            if not is_pair_used:
                is_pair_used = True
                regrouped.inner.extend(changes)
                continue
            changes += _without_anchor(container.text, pair.value)
            moved = [TextChange(change.start - start, change.end - start, change.text) for change in changes]
            copy = apply_changes(container.text[start:end], moved)
            regrouped.added.append((index, container.indent("") + copy))


def _keys(pair: SharedKey, new: list[str], fold: Fold) -> tuple[str, ...]:
    """Return the keys for some names: the old key if it stands for exactly these, else folded ones."""
    return (pair.key.text,) if tuple(new) == pair.names else fold(new)


def _without_anchor(text: str, value: Node) -> list[TextChange]:
    """Return the change that removes the anchor from a copied value; none if it has no anchor."""
    match = _ANCHOR.match(text, value.start)
    if match is None:
        return []
    if match["rest"] is None:
        return [TextChange(match.start(), match.end(), "")]
    before = len(text[: match.start()]) - len(text[: match.start()].rstrip(" \t"))
    return [TextChange(match.start() - before, match.start("rest"), "")]


def _rekey(pair: SharedKey, key: str, flow: bool) -> list[TextChange]:
    if key == pair.key.text:
        return []
    return [TextChange(pair.key.start, pair.key.end, yaml_writer.scalar(key, style=pair.key.style, flow=flow))]
