"""Finding one of many names by a few of its letters; pure, so that it can run beside the screen."""

from collections.abc import Callable, Hashable, Iterable, Sequence
from heapq import nlargest
from typing import Final, NamedTuple

from qmon_tui.report.spans import Line, Span, TextRole, fit, justify, width
from qmon_tui.report.table_rows import ListRows


class SearchTarget(NamedTuple):
    """A place or an action."""

    text: str
    """The text that is shown and searched: `queue all.q`, `job 17 blast`."""
    about: str
    """More about it: a key, a state, a line of help."""
    go: Callable[[], None]
    name: str = ""
    """Its name, if the text begins with other words."""
    reason: str = ""
    """Why it is not possible now, as a sentence."""


class SearchHit(NamedTuple):
    """A target and how well it fits: above 0, at most 1."""

    score: float
    target: SearchTarget


_EXACT, _WHOLE, _BEGINS, _WORD_BEGINS, _CONTAINS, _SPREAD = 1.0, 0.95, 0.85, 0.75, 0.65, 0.3
_BREVITY = 0.05
_LETTERS_ONLY = _SPREAD + _BREVITY
"""Highest score of a target that has only the letters of what was typed."""
_MEANT = 0.97
"""Factor of the score of a target that fits another word for what was typed."""
OTHER_WORDS: Final[dict[str, tuple[str, ...]]] = {
    "backup": ("versions",),
    "capacity": ("complex_values", "slots"),
    "computer": ("hosts",),
    "core": ("slots",),
    "course": ("learn",),
    "drain": ("disable",),
    "exercise": ("learn",),
    "fair share": ("share tree", "sharetree"),
    "fairshare": ("share tree", "sharetree"),
    "history": ("versions",),
    "lesson": ("learn",),
    "licence": ("complexes", "complex_values"),
    "license": ("complexes", "complex_values"),
    "limit": ("resource quotas",),
    "machine": ("hosts",),
    "maintenance": ("disable",),
    "node": ("hosts",),
    "partition": ("queues",),
    "rack": ("hostgroups",),
    "what if": ("compare", "sweep"),
}
"""Words that people use, in the singular -> words of the program for the same."""
_LEAST_ROOM = 20
"""Cells that what is said about a target needs at least."""
_SHORT = 4
"""Cells of what is always said, such as a key."""


def other_words(text: str) -> tuple[str, ...]:
    """Return other words for what was typed: its singular, and the program's words for it."""
    text = " ".join(text.casefold().split())
    singular = (text.removesuffix("s"),) if len(text) > 3 and text.endswith("s") else ()
    return (*singular, *(word for known in (text, *singular) for word in OTHER_WORDS.get(known, ())))


def score(target: SearchTarget, query: str) -> float:
    """How well a target fits what was typed; 0 for not at all.

    Best is the very name, then a name of which it is the first part, as 509 is of 509.18, then one that begins so,
    then words that begin with all that was typed, then texts that contain it, at last texts that have its letters in
    their order. Shorter texts come first among equals.
    """
    query = query.casefold().strip()
    if not query:
        return 0.0
    text = target.text.casefold()
    name = target.name.casefold() or text
    brevity = _BREVITY / (1 + len(text))
    wanted = query.split()
    if query in (name, text):
        return _EXACT
    if name.startswith(query):
        return (_BEGINS if name[len(query)].isalnum() else _WHOLE) + brevity
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


def best(targets: Iterable[SearchTarget], query: str, most: int = 60) -> list[SearchHit]:
    """Return the targets that fit best, in their order where they fit equally well.

    Texts that have only the letters in their order count where nothing fits better.
    """
    others = other_words(query)

    def fitting(target: SearchTarget) -> float:
        meant = max((score(target, other) for other in others), default=0.0) * _MEANT
        return max(score(target, query), meant if meant > _LETTERS_ONLY else 0.0)

    hits = [SearchHit(fits, target) for target in targets if (fits := fitting(target)) > 0]
    first = nlargest(most, hits, key=lambda hit: hit.score)
    return [hit for hit in first if hit.score > _LETTERS_ONLY or first[0].score <= _LETTERS_ONLY]


def with_fields(
    objects: Sequence[SearchTarget],
    fields: Callable[[SearchTarget], Iterable[SearchTarget]],
    query: str,
    most: int = 20,
) -> list[SearchHit]:
    """`all.q h_rt`: fields whose names begin with the last word, of objects that fit the words before it."""
    begin, _, field = query.strip().rpartition(" ")
    if not begin or not field:
        return []
    named = [hit for hit in best(objects, begin, 10) if hit.score >= _CONTAINS]
    exact = [hit for hit in named if hit.score == _EXACT]
    hits = [
        SearchHit(_EXACT if target.name == field else _BEGINS, target)
        for hit in exact or named
        for target in fields(hit.target)
        if target.name.startswith(field.casefold())
    ]
    return hits[:most]


class SearchRows(ListRows[SearchTarget]):
    """Hits as rows; the typed letters are highlighted."""

    def __init__(self, hits: Sequence[SearchHit] = (), query: str = "") -> None:
        super().__init__(hit.target for hit in hits)
        self.query = query

    def target(self, index: int) -> SearchTarget | None:
        return self.items[index] if index < len(self.items) else None

    def find(self, key: Hashable) -> int | None:
        """The first row, whatever the key: the query decides again."""
        return 0 if self.items else None

    def line(self, index: int, cells: int) -> Line:
        target = self.items[index]
        text = (Span(target.text, TextRole.FAINT),) if target.reason else marked(target.text, self.query)
        room = cells - width(text) - 2
        if target.about and (room >= min(_LEAST_ROOM, len(target.about)) or len(target.about) <= _SHORT):
            return justify(text, fit((Span(target.about, TextRole.DIM),), max(room, _SHORT)), cells)
        return fit(text, cells)

    def text(self, index: int) -> str:
        return self.items[index].text


def marked(text: str, query: str) -> Line:
    """Return a text in which the typed letters are highlighted: whole words if it has them, else letters in order."""
    folded = text.casefold()
    if len(folded) != len(text):
        return (Span(text),)
    words = query.casefold().split()
    places: set[int] = set()
    if all(word in folded for word in words):
        for word in words:
            begin = folded.find(word)
            places.update(range(begin, begin + len(word)))
    else:
        at = -1
        for letter in "".join(words):
            at = folded.find(letter, at + 1)
            places.add(at)
    spans: list[Span] = []
    for index, sign in enumerate(text):
        role = TextRole.ACCENT if index in places else TextRole.PLAIN
        if spans and spans[-1].role is role:
            spans[-1] = spans[-1]._replace(text=spans[-1].text + sign)
        else:
            spans.append(Span(sign, role))
    return tuple(spans)
