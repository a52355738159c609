"""Fuzzy search: find a name by some of its letters. Pure, so that it can run in a thread."""

from collections.abc import Callable, Hashable, Iterable, Sequence
from heapq import nlargest
from typing import Final, NamedTuple

from qmon_tui.report.spans import Line, Span, TextRole, fit, justify, width
from qmon_tui.report.table_rows import ListRows


class SearchTarget(NamedTuple):
    """A place or an action that the search can open."""

    text: str
    """The text that is shown and searched: `queue all.q`, `job 17 blast`."""
    about: str
    """Text beside it: a key, a state, a line of help."""
    go: Callable[[], None]
    name: str = ""
    """Its name, if `text` begins with other words; empty if it is `text`."""
    reason: str = ""
    """Why it is not possible now, as a sentence; empty if it is."""


class SearchHit(NamedTuple):
    """A target and how well it fits: above 0, at most 1."""

    score: float
    target: SearchTarget


_EXACT, _WHOLE, _BEGINS, _WORD_BEGINS, _CONTAINS, _SPREAD = 1.0, 0.95, 0.85, 0.75, 0.65, 0.3
_BREVITY = 0.05
_LETTERS_ONLY = _SPREAD + _BREVITY
"""Highest score of a target that only has the query's letters in order."""
_MEANT = 0.97
"""Factor for the score of a target that fits a synonym of the query."""
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
"""Common word, in the singular -> the program's words for it."""
_LEAST_ROOM = 20
"""Least room for `SearchTarget.about`, in cells."""
_SHORT = 4
"""Width up to which `SearchTarget.about` is always shown, such as a key."""


def other_words(text: str) -> tuple[str, ...]:
    """Return synonyms of the query: its singular, and the program's words for both."""
    text = " ".join(text.casefold().split())
    singular = (text.removesuffix("s"),) if len(text) > 3 and text.endswith("s") else ()
    return (*singular, *(word for known in (text, *singular) for word in OTHER_WORDS.get(known, ())))


def score(target: SearchTarget, query: str) -> float:
    """Return how well a target fits the query, above 0 up to 1; 0 if it does not fit.

    Best is an equal name; then a name of which the query is a whole first part (509 of 509.18); a name that begins
    with it; a text with words that begin with its words; a text that contains them; a text with its letters in order.
    Among equals, shorter texts score higher.
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
    """Return True if the text has the letters in their order."""
    at = -1
    for letter in letters:
        at = text.find(letter, at + 1)
        if at < 0:
            return False
    return True


def best(targets: Iterable[SearchTarget], query: str, most: int = 60) -> list[SearchHit]:
    """Return the `most` targets that fit best; equal ones keep their order.

    Texts that only have the letters in order are returned only if nothing fits better.
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
    """Return the fields for a query like `all.q h_rt`: the last word begins their name, the others fit the object."""
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
        """Return the first row: a new query starts at its best hit."""
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
