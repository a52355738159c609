"""The limit rules of a resource quota set: parse them, and edit their text.

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
    """One clause such as `users {*,!root}`: names, and excluded names; braces count each name separately."""

    names: tuple[str, ...]
    excluded: tuple[str, ...]
    expanded: bool

    def text(self, spelling: Callable[[str], str] = str) -> str:
        """Return the clause as the qmaster prints it: names first, then excluded names."""
        names = ",".join((*map(spelling, self.names), *(f"!{spelling(name)}" for name in self.excluded)))
        return f"{{{names}}}" if self.expanded else names


Filters = Mapping[str, QuotaFilter]
"""Keyword -> filter."""


@dataclass(frozen=True, slots=True)
class QuotaRule:
    """One rule: name (None if unnamed), keyword -> filter, and limits as (attribute, text) in order."""

    name: str | None
    filters: Mapping[str, QuotaFilter]
    limits: tuple[tuple[str, str], ...]

    def text(self, host_spelling: Callable[[str], str] = str) -> str:
        """Return the rule as the qmaster prints it, without the word `limit`."""
        words = [] if self.name is None else ["name", self.name]
        for keyword in FILTERS:
            if keyword in self.filters:
                words += [keyword, self.filters[keyword].text(host_spelling if keyword == "hosts" else str)]
        limits = ",".join(f"{name}={value}" for name, value in self.limits) or "NONE"
        return " ".join([*words, "to", limits])


@lru_cache(maxsize=4096)
def parse_rule(text: str) -> QuotaRule:
    """Parse one rule, whose clauses may have any order. Raises ValueError in the qmaster's words.

    Every clause is a keyword and one word; blanks are allowed only after a comma or = of the limits. The word `limit`
    in front, as qconf prints it, is skipped (quota-set.md#limit).
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
    """Yield (keyword, word) for each clause as written, whether the keyword is known or not."""
    words = iter(text.split())
    for place, word in enumerate(words):
        keyword = next(words, word) if word == "limit" and not place else word
        value = next(words, "")
        while keyword == "to" and value.endswith((",", "=")) and (more := next(words, "")):
            value += more
        yield keyword, value


def is_dynamic(limit: str) -> bool:
    """True if the limit is a formula of attributes, evaluated for each host."""
    return "$" in limit


def rules_of(text: str) -> tuple[str, ...]:
    """Split the text of the field `limit` into its rules, one per line."""
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
"""Text of a new rule: it is valid, and each part is easy to edit."""

_ORDER = ("name", *FILTERS, "to")


def with_clause(rule: str, keyword: str, word: str | None) -> str:
    """Return a rule with another word after a keyword; None removes the clause. The other clauses keep their order."""
    clauses = list(written_clauses(rule))
    if not word:
        return _text(clause for clause in clauses if clause[0] != keyword)
    for place, (known, _) in enumerate(clauses):
        if known == keyword:
            return _text([*clauses[:place], (keyword, word), *clauses[place + 1 :]])
    later = _ORDER[_ORDER.index(keyword) + 1 :]
    place = next((place for place, (known, _) in enumerate(clauses) if known in later), len(clauses))
    return _text([*clauses[:place], (keyword, word), *clauses[place:]])


def filter_text(names: Iterable[str], excluded: Iterable[str], *, each: bool) -> str | None:
    """Return the word of a filter; None if it has no names. `each` adds braces, to count each name separately."""
    clause = QuotaFilter(tuple(names), tuple(excluded), each)
    return clause.text() if clause.names or clause.excluded else None


def changed(rules: Sequence[str], place: int, rule: str) -> str:
    """Return the field's text with another rule at this index."""
    return "\n".join([*rules[:place], rule, *rules[place + 1 :]])


def inserted(rules: Sequence[str], place: int, rule: str) -> str:
    """Return the field's text with a rule inserted at this index."""
    return "\n".join([*rules[:place], rule, *rules[place:]])


def removed(rules: Sequence[str], place: int) -> str:
    """Return the field's text without the rule at this index."""
    return "\n".join([*rules[:place], *rules[place + 1 :]])


def moved(rules: Sequence[str], place: int, by: int) -> tuple[str, int]:
    """Return the field's text with a rule moved by `by` places, at most to either end, and its new index."""
    target = max(0, min(len(rules) - 1, place + by))
    rest = [*rules[:place], *rules[place + 1 :]]
    return inserted(rest, target, rules[place]), target


def without_name(rule: str) -> str:
    """Return a rule without its name, so that it can be duplicated: names are unique in a set."""
    return with_clause(rule, "name", None)


def clause_words(rule: str) -> Mapping[str, str]:
    """Return keyword -> word for each clause as written, even if the rule is invalid."""
    return dict(written_clauses(rule))


def _text(clauses: Iterable[tuple[str, str]]) -> str:
    return " ".join(f"{keyword} {word}".rstrip() for keyword, word in clauses)
