"""The limit rules of a resource quota set: taken apart, and changed in their text.

Source: sge_resource_quota(5), formats.md#resource-quota-sets.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType

from qmon_tui.values import COMMA, split_entries

FILTERS = ("users", "projects", "pes", "queues", "hosts")
_KEYWORDS = ("name", *FILTERS, "to")
_BETWEEN_NAMES = re.compile(r"[,{}]+")


@dataclass(frozen=True, slots=True)
class QuotaFilter:
    """What one clause such as `users {*,!root}` lets through; an expanded one counts each separately."""

    names: tuple[str, ...]
    excluded: tuple[str, ...]
    expanded: bool

    def text(self, spelling: Callable[[str], str] = str) -> str:
        """As the qmaster prints it: what is let through first, then what is not."""
        names = ",".join((*map(spelling, self.names), *(f"!{spelling(name)}" for name in self.excluded)))
        return f"{{{names}}}" if self.expanded else names


Filters = Mapping[str, QuotaFilter]
"""By keyword."""


@dataclass(frozen=True, slots=True)
class QuotaRule:
    """One rule: its filters by keyword, and its limits as (attribute, text) in order."""

    name: str | None
    filters: Mapping[str, QuotaFilter]
    limits: tuple[tuple[str, str], ...]

    def text(self, host_spelling: Callable[[str], str] = str) -> str:
        """As the qmaster prints it, without the word `limit`."""
        words = [] if self.name is None else ["name", self.name]
        for keyword in FILTERS:
            if keyword in self.filters:
                words += [keyword, self.filters[keyword].text(host_spelling if keyword == "hosts" else str)]
        limits = ",".join(f"{name}={value}" for name, value in self.limits) or "NONE"
        return " ".join([*words, "to", limits])


@lru_cache(maxsize=4096)
def parse_rule(text: str) -> QuotaRule:
    """Read one rule; clauses may stand in any order. Raises ValueError in the qmaster's words.

    Every clause is a keyword and one word; only after a comma or = of the limits a blank may stand. The word `limit`
    in front, as qconf prints it, is passed over (quota-set.md#limit).
    """
    clauses: dict[str, str] = {}
    filters: dict[str, QuotaFilter] = {}
    for keyword, value in written_clauses(text):
        if keyword not in _KEYWORDS:
            raise ValueError(f'unknown attribute name "{keyword.partition("=")[0]}"')
        if keyword in clauses:
            raise ValueError(f'attribute "{keyword}" appears more than once')
        clauses[keyword] = value
        if keyword in FILTERS:
            filters[keyword] = _filter(value)
    used = {name: made for name, made in filters.items() if made.names or made.excluded}
    return QuotaRule(clauses.get("name"), MappingProxyType(used), _limits(clauses.get("to", "")))


def written_clauses(text: str) -> Iterator[tuple[str, str]]:
    """The clauses of a rule as they stand there, as (keyword, word), whatever the keywords are."""
    words = iter(text.split())
    for place, word in enumerate(words):
        keyword = next(words, word) if word == "limit" and not place else word
        value = next(words, "")
        while keyword == "to" and value.endswith((",", "=")) and (more := next(words, "")):
            value += more
        yield keyword, value


def is_dynamic(limit: str) -> bool:
    """True if a limit is worked out for each host, from a formula of attributes."""
    return "$" in limit


def rules_of(text: str) -> tuple[str, ...]:
    """The rules in the text of the field `limit`, one a line."""
    return tuple(line.strip() for line in text.splitlines() if line.strip())


def _filter(text: str) -> QuotaFilter:
    expanded = text.startswith("{")
    if expanded and not text.endswith("}"):
        raise ValueError("error: no valid expanded list")
    items = [item for item in _BETWEEN_NAMES.split(text) if item]
    if "!" in items:
        raise ValueError("resource quota set contains invalid user filter")
    excluded = tuple(item[1:] for item in items if item.startswith("!"))
    return QuotaFilter(tuple(item for item in items if not item.startswith("!")), excluded, expanded)


def _limits(text: str) -> tuple[tuple[str, str], ...]:
    limits = split_entries(text, COMMA) if text else ()
    if any(not value and "=" not in name for name, value in limits):
        raise ValueError("resource quota set has no rules")
    return limits


NEW_RULE = "users {*} to slots=10"
"""What a rule begins with: valid, and easy to see in every part."""

_ORDER = ("name", *FILTERS, "to")


def with_clause(rule: str, keyword: str, word: str | None) -> str:
    """A rule with another word behind a keyword; None leaves the clause out. The others stay where they are."""
    clauses = list(written_clauses(rule))
    if not word:
        return _text(clause for clause in clauses if clause[0] != keyword)
    for place, (known, _) in enumerate(clauses):
        if known == keyword:
            return _text([*clauses[:place], (keyword, word), *clauses[place + 1 :]])
    later = _ORDER[_ORDER.index(keyword) + 1 :]
    place = next((place for place, (known, _) in enumerate(clauses) if known in later), len(clauses))
    return _text([*clauses[:place], (keyword, word), *clauses[place:]])


def with_limits(rule: str, limits: Iterable[tuple[str, str]]) -> str:
    """A rule with other limits; NONE without any, as the qmaster prints it."""
    return with_clause(rule, "to", ",".join(f"{name}={value}" for name, value in limits) or "NONE")


def filter_text(names: Iterable[str], excluded: Iterable[str], *, each: bool) -> str | None:
    """The word of a filter; None for one that names nobody, which is no filter. `each` counts each on its own."""
    clause = QuotaFilter(tuple(names), tuple(excluded), each)
    return clause.text() if clause.names or clause.excluded else None


def changed(rules: Sequence[str], place: int, rule: str) -> str:
    """The field's text with another rule at a place."""
    return "\n".join([*rules[:place], rule, *rules[place + 1 :]])


def inserted(rules: Sequence[str], place: int, rule: str) -> str:
    """The field's text with a rule put before that of a place."""
    return "\n".join([*rules[:place], rule, *rules[place:]])


def removed(rules: Sequence[str], place: int) -> str:
    """The field's text without a rule."""
    return "\n".join([*rules[:place], *rules[place + 1 :]])


def moved(rules: Sequence[str], place: int, by: int) -> tuple[str, int]:
    """The field's text with a rule moved up or down, as far as there is room, and the rule's new place."""
    target = max(0, min(len(rules) - 1, place + by))
    rest = [*rules[:place], *rules[place + 1 :]]
    return inserted(rest, target, rules[place]), target


def without_name(rule: str) -> str:
    """A rule as it can stand beside itself: two rules of a set may not have one name."""
    return with_clause(rule, "name", None)


def clause_words(rule: str) -> Mapping[str, str]:
    """The words of a rule by keyword as they stand there, also of one that cannot be read."""
    return dict(written_clauses(rule))


def _text(clauses: Iterable[tuple[str, str]]) -> str:
    return " ".join(f"{keyword} {word}".rstrip() for keyword, word in clauses)
