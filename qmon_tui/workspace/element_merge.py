"""Merging two changes of one field, element by element; if both changed the same element, mine holds for now."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from qmon_tui.model import DEFAULT_SCOPE, ElementVersions, Field, element_versions, scope_key

Key = tuple[str, ...]
"""(host, element), (host,) or (element,); empty for the whole field or for the value of all hosts."""


@dataclass(frozen=True, slots=True)
class ElementConflict:
    """One element that both sides changed differently; None if it does not exist on a side."""

    key: Key
    base: str | None
    mine: str | None
    theirs: str | None


@dataclass(frozen=True, slots=True)
class Merged:
    """The text with both changes, and the elements that both changed differently."""

    text: str
    clashes: tuple[ElementConflict, ...] = ()


def merged(
    field: Field, base: str, mine: str, theirs: str, take: Callable[[Key], bool] = lambda key: False, at: Key = ()
) -> Merged:
    """Merge two changes of `base`. If both changed an element, theirs holds if `take(key)`, else mine.

    The order of the sides matters only for such elements. A change by one side alone is taken to the letter.
    """
    if mine == theirs or theirs == base:
        return Merged(mine)
    if mine == base:
        return Merged(theirs)
    taken = element_versions(field, base, mine, theirs)
    order = _order(tuple(taken.base), tuple(taken.mine), tuple(taken.theirs)) if taken else None
    if taken is None or order is None:
        return Merged(theirs if take(at) else mine, (ElementConflict(at, base, mine, theirs),))
    return _Merging(field, taken, take, at).run(order)


class _Merging:
    """The elements of one field, merged one by one."""

    def __init__(self, field: Field, taken: ElementVersions, take: Callable[[Key], bool], at: Key) -> None:
        self._field, self._taken, self._take, self._at = field, taken, take, at
        self._merged: dict[str, str | None] = {}
        self._clashes: dict[Key, ElementConflict] = {}

    def run(self, order: Iterable[str]) -> Merged:
        for name in order:
            self._merged[name] = self._element(name)
        if self._taken.parent is not None:
            self._with_parents(self._taken.parent)
        text = self._taken.joined({name: text for name, text in self._merged.items() if text is not None})
        return Merged(text, tuple(self._clashes.values()))

    def _element(self, name: str) -> str | None:
        base, mine, theirs = self._versions(name)
        if mine == theirs or theirs == base:
            return mine
        if mine == base:
            return theirs
        if self._taken.by_host and base is not None and mine is not None and theirs is not None:
            inner = merged(replace(self._field, per_host=False), base, mine, theirs, self._take, self._key(name))
            self._clashes.update((clash.key, clash) for clash in inner.clashes)
            return inner.text
        return theirs if self._clash(name) else mine

    def _with_parents(self, parent: Callable[[str], str]) -> None:
        """Restore each removed parent of an element that is left, and note the conflict."""
        for name in sorted(self._merged, key=lambda name: -name.count("/")):
            above = parent(name)
            if self._merged[name] is None or not above or self._merged.get(above) is not None:
                continue
            _, mine, theirs = self._versions(above)
            self._merged[above] = theirs if self._clash(above) else mine

    def _clash(self, name: str) -> bool:
        """Note a conflict; return True if theirs holds."""
        self._clashes[self._key(name)] = ElementConflict(self._key(name), *self._versions(name))
        return self._take(self._key(name))

    def _versions(self, name: str) -> tuple[str | None, str | None, str | None]:
        return self._taken.base.get(name), self._taken.mine.get(name), self._taken.theirs.get(name)

    def _key(self, name: str) -> Key:
        if not self._taken.by_host:
            return (*self._at, name)
        return self._at if name == DEFAULT_SCOPE else (*self._at, scope_key(name))


def _order(base: tuple[str, ...], mine: tuple[str, ...], theirs: tuple[str, ...]) -> list[str] | None:
    """Return all keys, new ones after their predecessor on their side; None if the sides reordered them differently.

    The result does not depend on which side is which.
    """
    spine = _spine(base, mine, theirs)
    if spine is None:
        return None
    new = [_added_by_anchor(base, side) for side in (mine, theirs)]
    ordered: dict[str, None] = {}
    for anchor in (None, *spine):
        if anchor is not None:
            ordered[anchor] = None
        for keys in sorted(side.get(anchor, []) for side in new):
            ordered.update(dict.fromkeys(keys))
    return list(ordered)


def _spine(base: tuple[str, ...], *sides: tuple[str, ...]) -> list[str] | None:
    known = set(base)
    orders = set()
    for side in sides:
        kept, here = tuple(key for key in side if key in known), set(side)
        if kept != tuple(key for key in base if key in here):
            orders.add(kept)
    if not orders:
        return list(base)
    if len(orders) > 1:
        return None
    spine = list(orders.pop())
    present = set(spine)
    for number, key in enumerate(base):
        if key not in present:
            spine.insert(spine.index(base[number - 1]) + 1 if number else 0, key)
    return spine


def _added_by_anchor(base: tuple[str, ...], side: tuple[str, ...]) -> dict[str | None, list[str]]:
    """Return the keys that a side added: preceding key of the base -> added keys; None if they come first."""
    known = set(base)
    anchor: str | None = None
    by_anchor: dict[str | None, list[str]] = {}
    for key in side:
        if key in known:
            anchor = key
        else:
            by_anchor.setdefault(anchor, []).append(key)
    return by_anchor
