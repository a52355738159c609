"""Finding one of many names by a few of its letters; pure, so that it can run beside the screen."""

from collections.abc import Callable, Iterable, Sequence
from heapq import nlargest
from typing import NamedTuple


class Target(NamedTuple):
    """Something that can be gone to or done."""

    text: str
    """What is shown and searched: `queue all.q`, `job 17 blast`."""
    about: str
    """More about it, or why it is not possible now."""
    go: Callable[[], None]
    name: str = ""
    """What it is called, where the text begins with other words."""


class Hit(NamedTuple):
    """A target and how well it fits: above 0, at most 1."""

    score: float
    target: Target


_EXACT, _BEGINS, _WORD_BEGINS, _CONTAINS, _SPREAD = 1.0, 0.9, 0.8, 0.7, 0.3


def score(target: Target, query: str) -> float:
    """How well a target fits what was typed; 0 for not at all.

    Best is the very name, then one that begins so, then words that begin with all that was typed, then texts that
    contain it, at last texts that have its letters in their order. Shorter texts come first among equals.
    """
    query = query.casefold().strip()
    if not query:
        return 0.0
    text = target.text.casefold()
    name = target.name.casefold() or text
    brevity = 0.05 / (1 + len(text))
    wanted = query.split()
    if query in (name, text):
        return _EXACT
    if name.startswith(query) or text.startswith(query):
        return _BEGINS + brevity
    if all(word in text for word in wanted):
        words = text.replace("@", " @ ").replace(".", " . ").split()
        begins = all(any(known.startswith(word) for known in words) for word in wanted)
        return (_WORD_BEGINS if begins else _CONTAINS) + brevity
    return _SPREAD + brevity if _spread(query.replace(" ", ""), text) else 0.0


def _spread(letters: str, text: str) -> bool:
    """The text has the letters in their order, not more than a line's worth apart."""
    at = -1
    for letter in letters:
        at = text.find(letter, at + 1)
        if at < 0:
            return False
    return True


def best(targets: Iterable[Target], query: str, most: int = 60) -> list[Hit]:
    """The targets that fit best, in their order where they fit equally well."""
    hits = [Hit(fits, target) for target in targets if (fits := score(target, query)) > 0]
    return nlargest(most, hits, key=lambda hit: hit.score)


def with_fields(
    objects: Sequence[Target], fields: Callable[[Target], Iterable[Target]], query: str, most: int = 20
) -> list[Hit]:
    """`all.q h_rt`: fields whose names begin with the last word, of objects that fit the words before it."""
    begin, _, field = query.strip().rpartition(" ")
    if not begin or not field:
        return []
    named = [hit for hit in best(objects, begin, 10) if hit.score >= _CONTAINS]
    exact = [hit for hit in named if hit.score == _EXACT]
    found = [
        Hit(_EXACT if target.name == field else _BEGINS, target)
        for hit in exact or named
        for target in fields(hit.target)
        if target.name.startswith(field.casefold())
    ]
    return found[:most]
